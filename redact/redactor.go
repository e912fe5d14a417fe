package redact

// Config is the caller's part. The zero value is usable: findings then carry no MAC.
type Config struct {
	// DigestKey is the key of the log's digests. It is used for findings only and is
	// not kept anywhere else.
	DigestKey []byte
	// Found hears the kind of each value that is masked, each time. It must not block
	// or call back. It may be nil.
	Found func(kind string)
}

// Redactor masks credentials. One serves a console: its placeholder numbers and what
// it learned are shared by everything made from it. It is safe for concurrent use.
type Redactor struct {
	mem    *memory
	target string
}

// New makes a Redactor that knows no secret yet.
func New(c Config) *Redactor {
	return &Redactor{mem: newMemory(c)}
}

// Target gives the Redactor for the output of one target. It shares the memory;
// what is learned from output belongs to that target alone.
func (r *Redactor) Target(name string) *Redactor {
	return &Redactor{mem: r.mem, target: name}
}

// Text masks prose, chat, paths, host names and tails of output.
func (r *Redactor) Text(s string) (Text, Findings) { return r.mask(s, false) }

// CommandText masks a command line. Only literal characters of values go: programs,
// subcommands, flag names, operators, redirections and substitutions stay readable.
func (r *Redactor) CommandText(line string) (Text, Findings) { return r.mask(line, true) }

// Words masks the words of a command, of which the first is the program: a word may be
// a secret because of the word before it. It gives as many.
func (r *Redactor) Words(words ...string) []Text { return r.words(words) }

// Cells masks what an emulator shows. The findings' offsets are into l.Text.
func (r *Redactor) Cells(l Line) (Text, Findings) { return r.cells(l) }

// Command tells what is about to print: the command line that was sent.
func (r *Redactor) Command(line string) { r.mem.setCommand(r.target, line) }

// Learn remembers a secret from a secret field or an authentication, for the life of
// the console and in all its sessions.
func (r *Redactor) Learn(secret []byte) { r.mem.learn(string(secret)) }

// Known tells whether s, blanks around it aside, is a learned secret.
func (r *Redactor) Known(s string) bool { return r.mem.isKnown(s) }

// Again masks a text once more, with what was learned since it was made.
func (r *Redactor) Again(t Text) Text {
	again, _ := r.Text(t.s)
	return again
}
