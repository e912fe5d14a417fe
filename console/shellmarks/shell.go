package shellmarks

// Shell is a kind of remote shell.
type Shell uint8

// The shells. POSIX stands for dash, ash, mksh, old bash and every other
// shell that has prompts but no editor hooks.
const (
	Unknown Shell = iota
	Bash
	Zsh
	Fish
	POSIX
)

var shellNames = [...]string{"unknown", "bash", "zsh", "fish", "posix"}

func (s Shell) String() string { return shellNames[s] }

// Integrated tells whether the shell is asked for its buffer.
func (s Shell) Integrated() bool { return s == Bash || s == Zsh || s == Fish }

// QueryByte makes an integrated shell report its buffer. It never comes from
// the operator, a paste or a machine.
const QueryByte = 0x1e

// Query is what the console sends to make the shell report.
func (s Shell) Query() []byte {
	if s == Fish { // abbreviations are expanded first, as Enter would
		return []byte{0x18, QueryByte, 'x', QueryByte}
	}
	return []byte{QueryByte}
}
