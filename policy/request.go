package policy

import (
	"time"

	"sallyport/policy/command"
)

// Names of package command that callers of Decide need.
type (
	Dialect    = command.Dialect
	ShellState = command.State
	Word       = command.ShellWord
	Fact       = command.Fact
)

// The dialects of a Request.
const (
	Bash    = command.Bash
	POSIX   = command.POSIX
	Mksh    = command.Mksh
	Zsh     = command.Zsh
	Fish    = command.Fish
	Words   = command.Words
	SQL     = command.SQL
	Text    = command.Text
	Unknown = command.Unknown
)

// ParseDialect reads a dialect's name.
func ParseDialect(name string) (Dialect, error) { return command.ParseDialect(name) }

// A Target is one place a command goes to: a host, or an account or a
// container on it.
type Target struct {
	Asked       string `json:"asked,omitempty"`     // the name the operator gave
	HostName    string `json:"host_name,omitempty"` // the name after configuration
	Address     string `json:"address,omitempty"`   // the address reached; "" behind a jump host
	Port        int    `json:"port,omitempty"`
	Account     string `json:"account,omitempty"`
	Fingerprint string `json:"fingerprint,omitempty"`
	Inventory   string `json:"inventory,omitempty"` // from root-owned known_hosts or its CA, nothing else
	Container   string `json:"container,omitempty"`
	Verified    bool   `json:"verified"` // the console saw this target's host key
}

// A Request is a command about to be sent.
type Request struct {
	Text    string
	Dialect Dialect
	Origin  Origin // "" is Human
	Targets []Target
	Cwd     string
	Claimed Risk
	At      time.Time // the zero time is outside every window and after no expiry
	State   ShellState
	User    string // the operator by the kernel's uid, for scope and exceptions
	Program string // of Input: the program that will read the line
}

// A Match is one rule that matched, or one exception's target.
type Match struct {
	ID          string   `json:"id"`
	File        string   `json:"file"`
	Line        int      `json:"line"`
	Mode        string   `json:"mode"`
	Risk        Risk     `json:"risk"`
	Effect      Effect   `json:"effect"`
	Message     string   `json:"message,omitempty"`
	Alternative string   `json:"alternative,omitempty"`
	Spans       [][2]int `json:"spans"`
}

// An Identity names the files in force.
type Identity struct {
	ID      string `json:"id"`
	Version string `json:"version"`
	Owner   string `json:"owner,omitempty"`
	Digest  string `json:"digest"` // hex SHA-256 over all files in force
}

// A Decision is the answer to a Request. Its JSON is what `policy explain
// --json` prints.
type Decision struct {
	Risk       Risk     `json:"risk"`
	Effect     Effect   `json:"effect"`
	Claimed    Risk     `json:"claimed"`
	Origin     Origin   `json:"origin"`
	Dialect    Dialect  `json:"dialect"`
	Analyzable bool     `json:"analyzable"`
	Why        string   `json:"why,omitempty"` // why it could not be analyzed
	By         string   `json:"by"`            // what set the effect: "rule fs.remove" or "effects.human.high"
	Rules      []Match  `json:"rules"`
	Facts      []Fact   `json:"facts"`
	Text       []string `json:"text,omitempty"` // classes of the raw text
	Exceptions []string `json:"exceptions,omitempty"`
	Policy     Identity `json:"policy"`
}
