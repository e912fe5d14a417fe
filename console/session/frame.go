package session

import (
	"sallyport/console/gate"
	"sallyport/console/shellmarks"
	"sallyport/policy"
)

// frame is one shell of the stack on this channel.
type frame struct {
	shell   shellmarks.Shell
	version string
	pid     int
	tty     string
	targets []policy.Target

	keys    shellmarks.Keys
	next    []shellmarks.Keys // sent with verdicts that the shell has not taken yet
	retired []string          // nonces that a redrawn prompt may still show
	seq     string            // of the report that was last taken
	drawn   string            // number of the prompt that was last drawn
	acc     []string          // lines that the shell reads on from
	blind   bool              // its terminal is on another host
	saved   saved             // what it was doing when a shell was started inside
}

// integrated tells whether the shell is asked for its buffer.
func (f *frame) integrated() bool { return f != nil && f.shell.Integrated() }

func (f *frame) evidence() gate.Evidence {
	switch {
	case f.integrated():
		return gate.EvidenceShell
	case f.shell == shellmarks.POSIX:
		return gate.EvidenceComposed
	}
	return gate.EvidenceScreen
}

// maxRetired is how many old nonces are told from forged ones.
const maxRetired = 16

// name is what the operator calls the shell.
func (f *frame) name() string {
	if f.shell == shellmarks.Unknown {
		return "plain"
	}
	return f.shell.String()
}

// maxPending bounds the verdicts that may be on their way: ^C can make a
// terminal drop one.
const maxPending = 4

// pend notes the secrets that hold once a verdict is taken.
func (f *frame) pend(k shellmarks.Keys) {
	f.next = append(f.next, k)
	if len(f.next) > maxPending {
		f.next = f.next[1:]
	}
}

// owns tells whether a mark's nonce is the frame's. The first mark with the
// nonce of a verdict proves that the shell has taken it: the one before is
// dead from there on. Whatever the shell runs comes after that mark.
func (f *frame) owns(m shellmarks.Mark) bool {
	for _, k := range f.next {
		if m.Nonce == k.Mark() {
			f.adopt(k)
			return true
		}
	}
	return m.Nonce == f.keys.Mark()
}

func (f *frame) adopt(k shellmarks.Keys) {
	f.retired = append(f.retired, f.keys.Mark())
	if len(f.retired) > maxRetired {
		f.retired = f.retired[1:]
	}
	f.keys, f.next = k, nil
}

// fresh tells a new prompt from the same one drawn again. A shell without a
// line editor draws none again, and gives no number.
func (f *frame) fresh(number string) bool {
	if number != "" && number == f.drawn {
		return false
	}
	f.drawn = number
	return true
}

// stale tells whether a nonce was the frame's before: a redrawn prompt.
func (f *frame) stale(nonce string) bool {
	for _, r := range f.retired {
		if r == nonce {
			return true
		}
	}
	return false
}

// verdict draws the secrets that hold once it is taken.
func (l *loop) verdict(f *frame, seq string, blocking bool) shellmarks.Verdict {
	next := shellmarks.NewKeys()
	l.learn(next)
	return shellmarks.Verdict{Shell: f.shell, Seq: seq, Blocking: blocking, Now: f.keys, Next: next}
}

// learn teaches the redactor a frame's secrets: a command can make its shell
// print them.
func (l *loop) learn(k shellmarks.Keys) {
	l.cfg.Redactor.Learn([]byte(k.Mark()))
	l.cfg.Redactor.Learn([]byte(k.Accept()))
}

// joined is the text that the shell would run with line at its end.
func (f *frame) joined(line string) string {
	text := ""
	for _, a := range f.acc {
		text += a + "\n"
	}
	return text + line
}
