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
	next    *shellmarks.Keys // sent with a verdict that the shell has not taken yet
	retired []string         // nonces that a redrawn prompt may still show
	seq     string           // of the report that was last taken
	drawn   string           // number of the prompt that was last drawn
	acc     []string         // lines that the shell reads on from
}

// integrated tells whether the shell is asked for its buffer.
func (f *frame) integrated() bool { return f != nil && f.shell.Integrated() }

func (f *frame) evidence() gate.Evidence {
	if f.integrated() {
		return gate.EvidenceShell
	}
	return gate.EvidenceComposed
}

// maxRetired is how many old nonces are told from forged ones.
const maxRetired = 16

// adopt makes the secrets of the last verdict the current ones.
func (f *frame) adopt() {
	f.retired = append(f.retired, f.keys.Mark())
	if len(f.retired) > maxRetired {
		f.retired = f.retired[1:]
	}
	f.keys, f.next = *f.next, nil
}

// owns tells whether a mark's nonce is the frame's current one. The first mark
// with the nonce of an open verdict proves that the shell has taken it; a
// refusal of the verdict with the old nonce proves that it has not.
func (f *frame) owns(m shellmarks.Mark) bool {
	switch {
	case f.next != nil && m.Nonce == f.next.Mark():
		f.adopt()
		return true
	case f.next != nil && m.Nonce == f.keys.Mark():
		if m.Kind == "N" {
			f.next = nil
			return true
		}
		return false
	}
	return m.Nonce == f.keys.Mark()
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
	if nonce == f.keys.Mark() {
		return true
	}
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
