package session

import (
	"regexp"
	"strings"
	"time"

	"sallyport/console/gate"
	"sallyport/console/shellmarks"
)

// A plain shell writes no marks: a ForceCommand, a network device, a shell
// whose start files kept the hook out. A prompt is then what stands on the
// screen when the host falls silent, which is a guess, and recorded as
// evidence "screen".

// plainIdle is how long a plain shell must be silent before its last line can
// be a prompt.
const plainIdle = 350 * time.Millisecond

var (
	promptShape   = regexp.MustCompile(`[$#>%❯➜λ]\s*$`)
	questionShape = regexp.MustCompile(`[?:\])]\s*$`)
	secretShape   = regexp.MustCompile(`(?i)(pass(word|phrase|code)|pin|otp|verification code)\b[^$#>%]*$`)
)

func (l *loop) isPlain() bool {
	f := l.top()
	return f != nil && f.shell == shellmarks.Unknown && l.boot == notBooting
}

// beginPlain waits for the first prompt of a shell without marks.
func (l *loop) beginPlain() {
	l.set(Running)
	l.cfg.Slot.Enter(gate.State{Phase: gate.Busy})
	l.after("plain", plainIdle, l.lookPlain)
}

// outputPlain looks for a prompt where no mark tells it.
func (l *loop) outputPlain() {
	if l.isPlain() && (l.state == Running || l.state == Interrupt || l.device != nil && (l.state == Keys || l.helping())) {
		l.after("plain", plainIdle, l.lookPlain)
	}
	if l.isPlain() && l.state == Field {
		l.after("plain", plainIdle, l.fieldGone)
	}
}

// fieldGone closes a field whose question does not stand there any more.
func (l *loop) fieldGone() {
	if l.isPlain() && l.state == Field && !l.field.sending && l.partial() != l.field.v.Prompt {
		l.afterField()
		l.lookPlain()
	}
}

// lookPlain reads the line that the cursor stands in.
func (l *loop) lookPlain() {
	line := l.partial()
	if l.isPlain() && l.helping() {
		l.helped(line)
		return
	}
	if l.isPlain() && l.device != nil && l.state == Keys && !l.pagerGone(line) {
		return
	}
	if !l.isPlain() || l.state != Running && l.state != Interrupt || l.out.echo != nil {
		return
	}
	switch {
	case line == "":
	case l.device != nil && l.device.pager.MatchString(line):
		l.pages()
	case secretShape.MatchString(line) && l.active != nil && l.active.secrets:
		l.openField(SecretField, "")
	case l.promptLike(line):
		if l.device == nil && l.cfg.PromptHint == "" {
			l.learnt.saw(line)
		}
		if l.active != nil {
			l.active.ended, l.active.stoppedAt = true, l.cfg.Clock()
		}
		l.atPrompt(l.top())
	case l.active != nil && !secretShape.MatchString(line) && l.device != nil && !questionShape.MatchString(line):
	case l.active != nil && !secretShape.MatchString(line):
		l.openField(LineField, "")
	}
}

func (l *loop) promptLike(line string) bool {
	if l.cfg.PromptHint != "" {
		re, err := regexp.Compile(l.cfg.PromptHint)
		return err == nil && re.MatchString(line)
	}
	if l.state == Interrupt {
		l.learnt.forget()
	}
	shape := promptShape
	if l.device != nil {
		shape = l.device.prompt
	}
	return shape.MatchString(strings.TrimRight(line, " ")) && (l.learnt.is == nil || l.learnt.is.MatchString(line))
}

// helping tells whether a device was asked for help and still prints.
func (l *loop) helping() bool { return l.state == Prompt && l.compose != nil && l.compose.helping }

// plainAgain leaves a shell that does not answer for the account's plain one
// on a fresh channel. The old channel is never written again.
func (l *loop) plainAgain(why string) {
	l.leave()
	l.plain(why)
}

// retry tries the handshake again, on a fresh channel.
func (l *loop) retry() {
	l.leave()
	l.why = ""
	if err := l.open(); err != nil {
		l.alarmed("no new shell: " + err.Error())
	}
}

// leave closes the channel. What ran there is lost sight of.
func (l *loop) leave() {
	if l.active != nil && l.active.status == "" {
		l.active.status = StillRunning
	}
	l.finish()
	l.drop(Unobserved, "the channel was left")
	l.compose, l.asked = nil, ""
	l.closeField()
	l.closeKeys("the channel was left")
	if l.ch != nil {
		l.ch.Close()
	}
	l.channel++ // what it still says is not heard
	l.frames, l.held = nil, nil
	l.set(Boot)
	l.boot = notBooting
}
