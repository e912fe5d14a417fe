package command

import "fmt"

// A Dialect is the language of the line.
type Dialect uint8

// The dialects. Words is a network device's command line: one command a
// line, no expansions. Text is a line that nothing runs: an answer, a line of
// a file; it has no facts. Unknown is unanalyzable.
const (
	Bash Dialect = iota
	POSIX
	Mksh
	Zsh
	Fish
	Words
	SQL
	Text
	Unknown
)

var dialectNames = [...]string{"bash", "posix", "mksh", "zsh", "fish", "words", "sql", "text", "unknown"}

func (d Dialect) String() string {
	if int(d) < len(dialectNames) {
		return dialectNames[d]
	}
	return "unknown"
}

// ParseDialect reads a dialect's name; sh, dash and ash are posix, ksh is mksh.
func ParseDialect(name string) (Dialect, error) {
	switch name {
	case "sh", "dash", "ash", "busybox":
		return POSIX, nil
	case "ksh", "ksh93", "pdksh":
		return Mksh, nil
	}
	for i, n := range dialectNames {
		if n == name {
			return Dialect(i), nil
		}
	}
	return Unknown, fmt.Errorf("unknown dialect %q: one of bash, posix, mksh, zsh, fish, words, sql, text", name)
}

// MarshalText gives the dialect's name.
func (d Dialect) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText reads the dialect's name.
func (d *Dialect) UnmarshalText(b []byte) (err error) {
	*d, err = ParseDialect(string(b))
	return err
}

// Shell options that change how a line is read. A State names them as the
// console reports them, whatever the shell calls them.
const (
	OptComments   = "comments"    // # starts a comment at the prompt
	OptHistory    = "history"     // ! is still expanded after the line was judged
	OptBraces     = "braces"      // {a,b}
	OptExtGlob    = "extglob"     // @(a|b)
	OptAliases    = "aliases"     // aliases are expanded
	OptGlobSubst  = "globsubst"   // zsh: results of expansions are patterns
	OptShWordSpl  = "shwordsplit" // zsh: unquoted variables are split
	OptEquals     = "equals"      // zsh: =name is a path
	OptRcQuotes   = "rcquotes"    // zsh: '' inside ' '
	OptBareQual   = "bareglobqual"
	OptPosix      = "posix"
	OptNoClobber  = "noclobber"
	OptAutoCd     = "autocd"
	OptPromptVars = "promptvars"
)

// A WordKind says what a command word is in the shell that will run it.
type WordKind string

// The kinds of a command word.
const (
	KindBuiltin  WordKind = "builtin"
	KindFunction WordKind = "function"
	KindAlias    WordKind = "alias"
	KindFile     WordKind = "file"
	KindKeyword  WordKind = "keyword"
)

// A ShellWord is what the shell said about one command word.
type ShellWord struct {
	Kind WordKind `json:"kind"`
	Text string   `json:"text,omitempty"` // of an alias
	Path string   `json:"path,omitempty"` // of a file
}

// A State is what changes the meaning of a line in the shell that will read
// it. Known is false where no shell answered: then every reading counts.
type State struct {
	Known   bool                 `json:"known"`
	Options map[string]bool      `json:"options,omitempty"`
	Charmap string               `json:"charmap,omitempty"` // "" or UTF-8; others are unanalyzable beyond ASCII
	Words   map[string]ShellWord `json:"words,omitempty"`
}
