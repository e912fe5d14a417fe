package command

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// A walker goes through one line and everything inside it.
type walker struct {
	src     string
	dialect Dialect
	state   State
	lim     Limits

	facts   []Fact
	why     string // not "": unanalyzable
	codes   []Code
	guessed int // bytes of texts that may be code

	nodes    int
	depth    int
	fixed    bool // inside a word that is code: every span is span0
	span0    [2]int
	offset   int // of src in the judged text
	via      []string
	env      map[string][]value
	cwds     []string          // folders that the line may have changed to
	fresh    []string          // those of the cd that just ran
	refs     map[string]string // names of other variables: declare -n
	integers map[string]bool   // variables of declare -i
	funcs    map[string]*syntax.Stmt
	calling  []string

	inFunction int
	fds        map[string]input // what the line opened a descriptor for
	procs      []proc
	files      map[string]dropped
	copied     map[string]Word // programs that the line gave another name
	filled     []string        // names in files, in the order they were written
	flow       []int           // facts whose output is in the words that are being expanded
	within     []int           // the same, of the code that is being read
	taint      map[string][]int
	prefixed   []Assign     // of the wrappers around the command: env A=b
	current    *syntax.Stmt // that is being read, and what it reads from
	currentIn  input
	aliases    map[string]string // that the line defines
	last       []Word            // the last word of the command before: $_
	rough      bool              // salvaging: a second failure changes nothing
}

// An input is what a command reads from, as far as the line says.
type input struct {
	text  string   // literal input
	known bool     // text is all of it
	from  string   // "", "pipe", "file", "here"
	path  string   // of a file
	names []Word   // paths that a list names: of find, ls
	maybe []string // texts that it may be, or hold, where it is not known
	flow  []int    // facts that print it: of < <( )
}

func (w *walker) fail(why string) {
	if w.why == "" && !w.rough {
		w.why = why
	}
}

// wordWeight is what a word counts: rules compare each with every pattern.
const wordWeight = 3

// node counts; false when the budget is spent.
func (w *walker) node() bool { return w.spend(1) }

func (w *walker) spend(n int) bool {
	w.nodes += n
	if w.nodes > w.lim.Nodes {
		w.fail("more commands and words than the limit of nodes")
		return false
	}
	return true
}

func (w *walker) span(n syntax.Node) [2]int {
	if w.fixed {
		return w.span0
	}
	return [2]int{w.offset + int(n.Pos().Offset()), w.offset + int(n.End().Offset())}
}

func (w *walker) source(n syntax.Node) string {
	a, b := int(n.Pos().Offset()), int(n.End().Offset())
	if a < 0 || b > len(w.src) || a > b {
		return ""
	}
	return w.src[a:b]
}

func (w *walker) braces() bool {
	if w.dialect == POSIX {
		return false
	}
	on, said := w.state.Options[OptBraces]
	return !said || on
}

// read parses src in the current dialect and walks it.
func (w *walker) read(text string) {
	switch w.dialect {
	case Fish:
		w.fish(text)
	case Words:
		w.words(text)
	case SQL:
		w.sqlText(text)
	default:
		w.shell(text)
	}
}

func (w *walker) shell(text string) {
	if why := shape(text, w.lim); why != "" {
		w.fail(why)
		return
	}
	if words, ok := plainLine(text, w.offset); ok && !w.fixed {
		w.plainCommand(words)
		return
	}
	f, err := parse(text, w.dialect)
	if err != nil {
		if w.zshForms(text) {
			return
		}
		w.fail("does not parse: " + parseMessage(err))
		w.salvage(text)
		return
	}
	w.stmts(f.Stmts)
	w.otherReadings(text)
	w.zshForms(text)
}

func parseMessage(err error) string {
	if e, ok := err.(syntax.ParseError); ok {
		return e.Text
	}
	return err.Error()
}

// otherReadings judges what is only a comment if the shell says so.
func (w *walker) otherReadings(text string) {
	on, said := w.state.Options[OptComments]
	if said && on || !said && w.dialect != Zsh || !strings.Contains(text, "#") {
		return
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == '#' && (i == 0 || strings.IndexByte(" \t;&|(\n", text[i-1]) >= 0) {
			b.WriteByte('\\')
		}
		b.WriteByte(text[i])
	}
	if f, err := parse(b.String(), w.dialect); err == nil {
		w.aside(func() {
			w.src, w.fixed = b.String(), true
			w.span0 = [2]int{w.offset, w.offset + len(text)}
			w.stmts(f.Stmts)
		})
	}
}

// aside walks something with the walker's place put back afterwards.
func (w *walker) aside(f func()) {
	src, dialect, fixed, span0, offset := w.src, w.dialect, w.fixed, w.span0, w.offset
	via, cwds := w.via, w.cwds
	w.depth++
	if w.depth > w.lim.Depth {
		w.fail("nested deeper than the limit of depth")
	} else {
		f()
	}
	w.depth--
	w.src, w.dialect, w.fixed, w.span0, w.offset = src, dialect, fixed, span0, offset
	w.via, w.cwds = via, cwds
}

func (w *walker) stmts(list []*syntax.Stmt) {
	for _, s := range list {
		w.stmt(s, input{})
	}
}

func (w *walker) stmt(s *syntax.Stmt, in input) {
	if s == nil || !w.node() {
		return
	}
	if w.depth++; w.depth > w.lim.Depth {
		w.fail("nested deeper than the limit of depth")
		w.depth--
		return
	}
	outer := w.flow
	w.flow = nil
	defer func() { w.depth--; w.flow = outer }()
	w.fresh = nil
	start := len(w.facts)
	current, currentIn := w.current, w.currentIn
	w.current, w.currentIn = s, in
	defer func() { w.current, w.currentIn = current, currentIn }()
	uses, in := w.redirects(s.Redirs, in)
	if call, ok := s.Cmd.(*syntax.CallExpr); ok {
		w.call(call, s, uses, in)
		w.dropOutput(call, s.Redirs, uses, in)
	} else {
		w.compound(s, uses, in)
	}
	w.spill(uses, start)
	if s.Background || s.Coprocess || s.Disown {
		w.mark(start, "background")
	}
}

// mark adds a construct to every fact from start on.
func (w *walker) mark(start int, construct string) {
	for i := start; i < len(w.facts); i++ {
		w.facts[i].construct(construct)
	}
}

func (f *Fact) construct(name string) {
	for _, c := range f.Constructs {
		if c == name {
			return
		}
	}
	f.Constructs = append(f.Constructs, name)
}

func (w *walker) bounds(n syntax.Node) (int, int) {
	s := w.span(n)
	return s[0], s[1]
}

func (w *walker) emit(f Fact) int {
	f.Via = w.via
	f.Cwd = w.cwds
	w.facts = append(w.facts, f)
	return len(w.facts) - 1
}

// pseudo emits a fact for a keyword that is no command, and lets walk add
// constructs to it.
func (w *walker) pseudo(name string, n syntax.Node, walk func()) {
	f := Fact{Program: name}
	f.Start, f.End = w.bounds(n)
	i := w.emit(f)
	old := w.calling
	w.calling = append(w.calling[:len(w.calling):len(w.calling)], name)
	walk()
	w.calling = old
	_ = i
}

// through walks inner with one more step in the unwrap path.
func (w *walker) through(name string, inner func()) {
	if len(w.via) >= w.lim.Unwrap {
		w.fail("more wrappers around a command than the limit of unwrap")
		return
	}
	via := w.via
	w.via = append(via[:len(via):len(via)], name)
	inner()
	w.via = via
}

// body walks a list that shares one standard input.
func (w *walker) body(list []*syntax.Stmt, in input) {
	for _, s := range list {
		w.stmt(s, in)
	}
}
