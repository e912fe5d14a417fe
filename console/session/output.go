package session

import (
	"bytes"
	"runtime"
	"time"

	"sallyport/audit"
	"sallyport/console/gate"
	"sallyport/redact"
)

// Limits of what is kept of one command's output, for the record and the
// copilot.
const (
	maxTail   = 16 << 10
	tailLines = 40
)

// expire is how long the redactor may give nothing while it holds back what could
// become a secret.
const expire = 2 * time.Second

// output is what the remote prints, marks taken out, on its way to screen,
// recording and redactor.
type output struct {
	stream *redact.Stream
	held   bool  // the redactor's time runs
	bytes  int64 // of the running command
	total  int64 // of all
	tail   redact.Ends
	digest *audit.Digester
	facts  []policyFact
	forged int
	echo   *echo
	lines  int // continuation prompts that a composed text of several lines brings
}

// output feeds the screen, the recording and the redactor, in this order.
func (l *loop) output(p []byte) {
	l.s.mu.Lock()
	l.s.screen.Write(p)
	reply := bytes.Clone(l.s.screen.Replies())
	l.shown.screen = l.s.screen.Version()
	l.s.mu.Unlock()
	l.cfg.OnChange() // it is drawn before the rest is done with it, or meanwhile
	runtime.Gosched()
	l.cfg.Output(p)
	l.bootWait.heard, l.bootWait.said = time.Now(), true
	l.reply(reply)
	l.redacted(p)
	l.heardEcho(p)
	l.out.total += int64(len(p))
	if l.active != nil && !l.active.ended {
		l.out.bytes += int64(len(p))
		if l.out.digest != nil {
			l.out.digest.Write(p)
		}
	}
	if l.field != nil && l.field.v.Prompt == "" { // the host's answer came before the question
		l.field.v.Prompt = l.partial()
	}
	if l.state == Running || l.state == Keys {
		l.idleSoon()
	}
	l.outputPlain()
}

// redacted passes output through the redactor, which holds some of it back for a while.
func (l *loop) redacted(p []byte) {
	t := l.out.stream.Write(p)
	l.emit(t)
	if l.out.held && t.Empty() {
		return
	}
	l.out.held = true
	l.after("expire", expire, func() {
		l.out.held = false
		l.emit(l.out.stream.Expire())
	})
}

// emit hands redacted output on.
func (l *loop) emit(t redact.Text) {
	if t.Empty() {
		return
	}
	if l.active != nil {
		l.out.tail.Add(t)
	}
	l.cfg.Observer.Output(t)
}

// tail is for the beginning and the end of what a command prints.
func tail() redact.Ends { return redact.Ends{Max: maxTail} }

var snip = redact.Literal("\n…\n")

func (o *output) begin(l *loop, line string) {
	l.emit(o.stream.Mark())
	l.cfg.Redactor.Command(line)
	o.bytes, o.tail, o.digest = 0, tail(), nil
	if l.cfg.Digest != nil {
		o.digest = l.cfg.Digest()
	}
}

// end gives the command's output, redacted and cut, and its digest. Output in
// which the redactor found something is digested with the log's key.
func (o *output) end(l *loop) (redact.Text, audit.Digest) {
	l.emit(o.stream.Mark())
	t := o.tail.Text(snip)
	o.tail = tail()
	if o.digest == nil {
		return t, audit.Digest{}
	}
	found := 0
	if redact.HasPlaceholder(t.String()) {
		found = 1
	}
	return t, o.digest.Sum(found)
}

// reply answers a terminal query, to a program that owns the screen and gets
// keys. Anywhere else the answer would end up in the operator's line.
func (l *loop) reply(p []byte) {
	if len(p) == 0 || l.ch == nil || l.state != Keys {
		return
	}
	l.control(gate.TerminalReply(p))
}
