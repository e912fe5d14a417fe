package session

import (
	"bytes"
	"errors"
	"strings"
	"time"

	"sallyport/console/composer"
	"sallyport/console/gate"
	"sallyport/console/keys"
	"sallyport/console/shellmarks"
	"sallyport/policy"
)

// composing is the local line editor of a shell that cannot be asked.
type composing struct {
	edit *composer.Editor

	candidates []string

	helping    bool // a device was asked for help
	completing bool // or for a completion
}

// maxPhysical is the longest line that a canonical terminal takes whole: it
// drops without a word what follows byte 4095.
const maxPhysical = 4000

func (c *composing) view() *Composing {
	if c == nil {
		return nil
	}
	v := c.edit.View()
	return &Composing{Lines: v.Lines, Line: v.Row, Column: v.Col, Search: v.Search, Candidates: c.candidates}
}

func (l *loop) beginComposing() {
	if l.editLine == nil {
		l.editLine = composer.New(l.composerConfig())
	}
	if l.compose == nil {
		l.compose = &composing{edit: l.editLine}
	}
}

func (l *loop) composerConfig() composer.Config {
	c := composer.Config{MaxBytes: 64 << 10, Multiline: l.device == nil}
	if l.cfg.ViKeys {
		c.Mode = composer.Vi
	}
	return c
}

func (l *loop) composeKey(k keys.Event) {
	l.refused = nil
	l.compose.candidates = nil
	if l.deviceKey(k) {
		return
	}
	switch l.compose.edit.Key(k) {
	case composer.Complete:
		l.complete()
	case composer.Submit:
		l.composeEnter(l.top(), l.compose.edit.Text())
	case composer.Interrupt:
		l.signal(gate.SignalInterrupt)
	case composer.EOF:
		l.signal(gate.SignalEOF)
	}
}

func (l *loop) composePaste(text string) {
	l.linePasted = true
	l.compose.edit.Paste(text)
}

// composeEnter sends a whole command, and starts a new line in one that is
// not whole: the shell is never left reading on.
func (l *loop) composeEnter(f *frame, text string) {
	switch {
	case strings.TrimSpace(text) == "":
	case l.device == nil && incomplete(text, f.shell):
		l.compose.edit.Paste("\n")
	default:
		l.composeSubmit(f, text, nil, make(chan error, 1))
	}
}

// composeSubmit judges a composed text, or a suggestion, and sends it.
func (l *loop) composeSubmit(f *frame, text string, sug *gate.Suggestion, done chan<- error) {
	if ref := composable(f, text); ref != nil && (l.device == nil || strings.Contains(text, "\n")) {
		if sug == nil {
			l.note(ref)
		}
		done <- ref
		return
	}
	text = grouped(text)
	l.set(Confirm)
	l.ask.number++
	n := l.ask.number
	req := gate.Request{
		Kind: gate.Line, Origin: policy.Human, Text: text, Dialect: l.dialect(f), Cwd: l.cwd, Suggestion: sug,
		Evidence: f.evidence(), Wire: shellmarks.Composed{}, Gutter: true,
	}
	if l.device != nil {
		req.Wire = deviceLine{l.device}
	}
	if sug == nil && l.linePasted && strings.Contains(req.Text, "\n") {
		req.Origin = policy.Paste
	}
	l.start(func() func() {
		c, err := l.submit(req, false, shellmarks.Verdict{})
		return func() { l.composed(f, n, req, text, c, err, done) }
	})
}

// composable refuses what a terminal without a line editor would change on
// its way.
func composable(f *frame, text string) *gate.Refusal {
	for line := range strings.SplitSeq(text, "\n") {
		if len(line) > maxPhysical {
			return &gate.Refusal{By: gate.ByGate, Reason: "the line is longer than 4000 bytes", Remedy: "a terminal would cut it; send a shorter one, or a file"}
		}
	}
	switch {
	case strings.Contains(text, "\t"):
		return &gate.Refusal{By: gate.ByGate, Reason: "a composed line holds no tab", Remedy: "write \\t or a space"}
	case strings.Contains(text, "\n") && f.shell == shellmarks.Unknown:
		return &gate.Refusal{By: gate.ByGate, Reason: "what reads these lines is not known to be a shell", Remedy: "send them one by one"}
	case strings.Contains(text, "!") && f.shell == shellmarks.Unknown:
		return &gate.Refusal{By: gate.ByGate, Reason: "the shell might expand the ! in the line", Remedy: "write it without a !"}
	}
	return nil
}

// composed sends a cleared line. From here on the host's echo is compared.
func (l *loop) composed(f *frame, n int, req gate.Request, text string, c gate.Cleared, err error, done chan<- error) {
	if n != l.ask.number || l.state != Confirm {
		l.abandon(c, err, "the prompt changed")
		done <- l.tooLate()
		return
	}
	done <- err
	if err != nil {
		l.dropWithRefused()
		if req.Suggestion == nil { // of a suggestion who sent it says so: the line here is as it was
			l.note(err)
			l.putInstead(err)
		}
		l.backToComposer(f)
		return
	}
	l.accepted(req, c)
	if !l.send(c, nil) {
		l.notTakenByChannel()
		l.backToComposer(f)
		return
	}
	l.editLine.AddHistory(text)
	if req.Suggestion == nil { // what was being typed when a suggestion came is still there behind it
		l.editLine.Reset()
		l.linePasted = false
	}
	l.compose = nil
	l.out.echo = &echo{want: []byte(strings.ReplaceAll(text, "\n", "\r\n"))}
	l.out.lines = strings.Count(text, "\n")
	l.begin()
	l.after("echo", 2*time.Second, l.echoLate)
}

// putInstead composes what the policy would rather have.
func (l *loop) putInstead(err error) {
	var ref *gate.Refusal
	if errors.As(err, &ref) && ref.Instead != "" {
		l.editLine.Set(ref.Instead)
	}
}

func (l *loop) backToComposer(f *frame) {
	l.set(Prompt)
	l.enterPrompt(f)
}

// grouped makes one command of several lines, so that the shell reads all of
// them before it runs the first.
func grouped(text string) string {
	if !strings.Contains(text, "\n") || statements(text) == 1 {
		return text
	}
	return "{\n" + text + "\n}"
}

// echo is what a terminal should print of the line that was sent. Other output
// may stand between its bytes.
type echo struct{ want []byte }

func (l *loop) heardEcho(p []byte) {
	e := l.out.echo
	if e == nil {
		return
	}
	for len(e.want) > 0 {
		i := bytes.IndexByte(p, e.want[0])
		if i < 0 {
			return
		}
		p, e.want = p[i+1:], e.want[1:]
	}
	l.out.echo = nil
	l.stop("echo")
}

// echoLate is an echo that is not the line: what runs there is not what was
// judged.
func (l *loop) echoLate() {
	if l.out.echo == nil {
		return
	}
	l.out.echo = nil
	l.alarmed("the host did not echo the line that was sent: it was interrupted")
	l.drop(Mismatch, "the echo differs")
	l.control(gate.Press(gate.SignalInterrupt))
}
