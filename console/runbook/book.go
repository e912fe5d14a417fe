package runbook

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"sallyport/policy"
)

//go:embed books/*.toml
var embedded embed.FS

// Embedded are the runbooks that ship.
func Embedded() fs.FS {
	sub, err := fs.Sub(embedded, "books")
	if err != nil {
		panic(err) // the folder is embedded above
	}
	return sub
}

// Book is one runbook.
type Book struct {
	Name       string    `toml:"-"` // the file's name without .toml
	Title      string    `toml:"title"`
	Summary    string    `toml:"summary"`
	Confidence float64   `toml:"confidence"`
	Say        string    `toml:"say"`
	Ask        []string  `toml:"ask"`
	When       When      `toml:"when"`
	Vars       []Var     `toml:"var"`
	Steps      []Step    `toml:"step"`
	Findings   []Finding `toml:"finding"`
	Examples   []Example `toml:"example"`
	Counters   []Example `toml:"counter"`
}

// When is what starts a runbook.
type When struct {
	Message Patterns `toml:"message"`
	Output  Patterns `toml:"output"`
	Command Patterns `toml:"command"`
}

// Var is a word that steps and commands are filled with.
type Var struct {
	Name    string   `toml:"name"`
	Default string   `toml:"default"`
	Unknown string   `toml:"unknown"`
	Message Patterns `toml:"message"`
	Output  Patterns `toml:"output"`
	Command Patterns `toml:"command"`
}

// Step is one line of the plan, with the commands that do it.
type Step struct {
	Text     string    `toml:"text"`
	Done     Patterns  `toml:"done"`
	Seen     Patterns  `toml:"seen"`
	Follows  bool      `toml:"follows"`
	Commands []Command `toml:"command"`
}

// Command is a command that is suggested.
type Command struct {
	Command     string `toml:"command"`
	Description string `toml:"description"`
	Risk        string `toml:"risk"`
	Otherwise   string `toml:"otherwise"`
	Early       bool   `toml:"early"`
}

// Finding is what output means.
type Finding struct {
	Command Patterns          `toml:"command"`
	Output  Pattern           `toml:"output"`
	Say     string            `toml:"say"`
	Set     map[string]string `toml:"set"`
}

// Example is something that starts the runbook, or must not.
type Example struct {
	Message string `toml:"message"`
	Command string `toml:"command"`
	Output  string `toml:"output"`
}

// Pattern is an RE2 expression that ignores case; ^ and $ are a line's.
type Pattern struct{ re *regexp.Regexp }

// UnmarshalText implements encoding.TextUnmarshaler.
func (p *Pattern) UnmarshalText(b []byte) (err error) {
	p.re, err = regexp.Compile("(?im)" + string(b))
	return err
}

// Patterns match when one of them does.
type Patterns []Pattern

func (ps Patterns) match(s string) bool { return ps.count(s) > 0 }

func (ps Patterns) count(s string) int {
	n := 0
	for _, p := range ps {
		if p.re.MatchString(s) {
			n++
		}
	}
	return n
}

// word gives the first group of the last match of the first pattern that matches and
// gives a word that may be used.
func (ps Patterns) word(s string) (string, bool) {
	for _, p := range ps {
		all := p.re.FindAllStringSubmatch(s, -1)
		for _, m := range slices.Backward(all) {
			if len(m) > 1 && usable(m[1]) {
				return m[1], true
			}
		}
	}
	return "", false
}

// maxWord bounds a variable's value, in bytes.
const maxWord = 200

var plainWord = regexp.MustCompile(`^[A-Za-z0-9._/:@+%][A-Za-z0-9._/:@+%-]*$`)

// usable tells whether a word that a host or a person wrote may stand in a command:
// it needs no quotes and is no flag.
func usable(w string) bool { return len(w) <= maxWord && plainWord.MatchString(w) }

// Load reads every .toml file at the top of f. All that is wrong is in the error.
func Load(f fs.FS) ([]*Book, error) {
	names, err := fs.Glob(f, "*.toml")
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		return nil, errors.New("no runbook (*.toml) is there")
	}
	var books []*Book
	var wrong []error
	for _, name := range names {
		b, err := read(f, name)
		if err != nil {
			wrong = append(wrong, fmt.Errorf("%s: %w", name, err))
			continue
		}
		books = append(books, b)
	}
	return books, errors.Join(wrong...)
}

func read(f fs.FS, name string) (*Book, error) {
	raw, err := fs.ReadFile(f, name)
	if err != nil {
		return nil, err
	}
	b := &Book{Name: strings.TrimSuffix(path.Base(name), ".toml")}
	meta, err := toml.Decode(string(raw), b)
	if err != nil {
		return nil, err
	}
	if extra := meta.Undecoded(); len(extra) > 0 {
		return nil, fmt.Errorf("unknown key %s", extra[0])
	}
	return b, b.check()
}

var placeholders = regexp.MustCompile(`\{([a-z][a-z_]*)\}`)

// check finds what the TOML decoder cannot.
func (b *Book) check() error {
	switch {
	case b.Title == "" || b.Summary == "":
		return errors.New("title and summary are needed")
	case b.Confidence < 0 || b.Confidence > 1:
		return fmt.Errorf("confidence %v is outside 0..1", b.Confidence)
	case len(b.Steps) == 0:
		return errors.New("there is no step")
	}
	for _, v := range b.Vars {
		if v.Name == "" || v.Default != "" && !usable(v.Default) {
			return fmt.Errorf("var %q: default %q is not a plain word", v.Name, v.Default)
		}
	}
	for i, s := range b.Steps {
		if err := b.checkStep(s); err != nil {
			return fmt.Errorf("step %d: %w", i+1, err)
		}
	}
	return b.known(b.Summary, b.Say)
}

func (b *Book) checkStep(s Step) error {
	if s.Text == "" {
		return errors.New("text is missing")
	}
	if err := b.known(s.Text); err != nil {
		return err
	}
	for _, c := range s.Commands {
		var r policy.Risk
		if err := r.UnmarshalText([]byte(c.Risk)); err != nil {
			return fmt.Errorf("command %q: risk: %w", c.Command, err)
		}
		if c.Command == "" || strings.ContainsAny(c.Command, "\n\r") {
			return fmt.Errorf("command %q is not one line", c.Command)
		}
		if err := b.known(c.Command, c.Description, c.Otherwise); err != nil {
			return err
		}
	}
	return nil
}

// known checks that texts use only variables that there are.
func (b *Book) known(texts ...string) error {
	for _, t := range texts {
		for _, m := range placeholders.FindAllStringSubmatch(t, -1) {
			if !b.hasVar(m[1]) {
				return fmt.Errorf("{%s} in %q is no variable", m[1], t)
			}
		}
	}
	return nil
}

func (b *Book) hasVar(name string) bool {
	return name == "sudo" || slices.ContainsFunc(b.Vars, func(v Var) bool { return v.Name == name })
}
