package command

import (
	"errors"
	"strings"
	"sync"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"
)

// Limits are the caps beyond which a line is unanalyzable. They come before
// the parser, which recurses as deep as the line nests.
type Limits struct {
	Bytes  int // of the line
	Depth  int // of nesting
	Nodes  int // commands, words and operators
	Unwrap int // wrappers around one command
}

// DefaultLimits are those of a policy without a [limits] table.
var DefaultLimits = Limits{Bytes: 16384, Depth: 64, Nodes: 2000, Unwrap: 8}

// GaveUp is why a line is not analyzable that showed a fault of the reader
// itself.
const GaveUp = "the reader gave up"

// A Line is what Parse found.
type Line struct {
	Facts      []Fact
	Analyzable bool
	Why        string // why it is not analyzable
	Codes      []Code // texts in the line that are read as code, where they are not plain ASCII
}

// A Code is text that the line hands to a shell: sh -c CODE, ssh HOST CODE.
type Code struct {
	Text string
	Span [2]int // of the words that hold it, in the judged text
}

// maxCodes bounds those that are kept.
const maxCodes = 32

// note keeps text that is read as code, for those who look at its characters.
func (w *walker) note(text string, span [2]int) {
	for i := 0; i < len(text); i++ {
		if text[i] >= 0x80 && len(w.codes) < maxCodes && !w.rough {
			w.codes = append(w.codes, Code{text, span})
			return
		}
	}
}

// Parse reads a line into its facts. A line that cannot be read is not
// analyzable, but what a rough reading of its words finds is in Facts, so
// that rules can still raise it further.
func Parse(text string, d Dialect, st State, lim Limits) (line Line) {
	w := &walker{src: text, dialect: d, state: st, lim: lim}
	defer func() {
		if recover() != nil { // a fault of ours: the line is refused, the console lives
			w.rough = false
			w.fail(GaveUp)
			line = w.line()
		}
	}()
	if why := precheck(text, d, st, lim); why != "" {
		w.fail(why)
		if len(text) <= lim.Bytes {
			w.salvage(text)
		}
		w.overLimit(text)
		return w.line()
	}
	if d == Text {
		return w.line()
	}
	w.read(text)
	w.history(text)
	w.overLimit(text)
	return w.line()
}

// overLimit looks once more at text of a shell that a limit stopped.
func (w *walker) overLimit(text string) {
	if w.dialect <= Fish && strings.Contains(w.why, "limit of") {
		w.beyond(text)
	}
}

// history notes an expansion that would change the line after it was judged.
func (w *walker) history(text string) {
	on, said := w.state.Options[OptHistory]
	if said && !on || w.dialect != Bash && w.dialect != Zsh || !historyExpansion(w.withoutBodies(text)) {
		return
	}
	w.fixed, w.span0 = true, [2]int{0, len(text)}
	w.lineConstruct("history_expansion")
}

func (w *walker) line() Line {
	return Line{Facts: w.facts, Analyzable: w.why == "", Why: w.why, Codes: w.codes}
}

// precheck applies the caps without a parser.
func precheck(text string, d Dialect, st State, lim Limits) string {
	switch {
	case len(text) > lim.Bytes:
		return "longer than the limit of bytes"
	case d >= Unknown:
		return "unknown dialect"
	case !utf8.ValidString(text):
		return "not valid UTF-8"
	case strings.IndexByte(text, 0) >= 0:
		return "holds a NUL byte"
	case d == Text:
		return ""
	case st.Charmap != "" && !isUTF8Charmap(st.Charmap) && !ascii(text):
		return "non-ASCII text for a shell that does not read UTF-8"
	}
	return shape(text, lim)
}

func isUTF8Charmap(c string) bool {
	c = strings.ToLower(strings.ReplaceAll(c, "-", ""))
	return c == "utf8"
}

func ascii(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// shape estimates depth and size from single bytes. It overestimates: quotes
// are not read.
func shape(s string, lim Limits) string {
	depth, deepest, ops, quotes, run, mixed := 0, 0, 0, 0, 0, false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; c {
		case ' ', '\t':
			continue
		case '(', '{', '[':
			depth++
			deepest = max(deepest, depth)
		case ')', '}', ']':
			depth = max(0, depth-1)
		case '|', ';', '&', '\n', '$', '`', '<', '>':
			ops++
		case '\'', '"':
			quotes++
		case '!', '-', '~', '+':
			run++
			if run > lim.Nodes/4 {
				return "more repeated operators than the limit of nodes"
			}
			mixed = true
		}
		if c := s[i]; mixed && c != '!' && c != '-' && c != '~' && c != '+' {
			run, mixed = 0, false
		}
	}
	keywords := strings.Count(s, "if ") + strings.Count(s, "while ") + strings.Count(s, "until ") + strings.Count(s, "case ")
	switch {
	case deepest > lim.Depth:
		return "nested deeper than the limit of depth"
	case ops > lim.Nodes || quotes > 2*lim.Nodes || keywords > lim.Nodes/4:
		return "more operators than the limit of nodes"
	}
	return ""
}

var parsers = [...]sync.Pool{
	Bash:  {New: newParser(syntax.LangBash)},
	POSIX: {New: newParser(syntax.LangPOSIX)},
	Mksh:  {New: newParser(syntax.LangMirBSDKorn)},
	Zsh:   {New: newParser(syntax.LangZsh)},
}

func newParser(l syntax.LangVariant) func() any {
	return func() any { return syntax.NewParser(syntax.Variant(l)) }
}

// parse reads text as shell code of dialect d. The parser is not one of
// ours: a panic in it is an answer like any other, "cannot be read".
func parse(text string, d Dialect) (f *syntax.File, err error) {
	pool := &parsers[d]
	p := pool.Get().(*syntax.Parser)
	defer func() {
		if r := recover(); r != nil {
			f, err = nil, errors.New("the parser gave up")
			return
		}
		pool.Put(p)
	}()
	return p.Parse(strings.NewReader(text), "")
}
