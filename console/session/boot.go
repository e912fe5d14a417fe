package session

import (
	"strconv"
	"time"

	"sallyport/audit"
	"sallyport/console/gate"
	"sallyport/console/screen"
	"sallyport/console/shellmarks"
	"sallyport/redact"
)

// bootStage is how far the bootstrap of the newest frame has got.
type bootStage uint8

const (
	notBooting bootStage = iota
	loading              // the exec request is sent, LOADER awaited
	starting             // the hook's text is sent, READY awaited
	keyed                // the secrets are sent, I awaited
	installed            // I came, the first prompt is awaited
	listed               // it came; whether the account's own code may stay is being decided
)

// fallback tells whether a channel that ends at this stage is followed by a
// plain one.
func (b bootStage) fallback() bool { return b == loading || b == starting }

// open asks for the first channel.
func (l *loop) open() error {
	if l.cfg.Plain {
		return l.openPlain("asked for")
	}
	l.boot = loading
	l.awaitBoot(l.cfg.Timing.Loader, func() { l.plain("no answer to the bootstrap") })
	return l.channelWith(gate.BootWith(shellmarks.Loader()), true)
}

// channelWith opens a channel and makes it the one that is heard.
func (l *loop) channelWith(c gate.Control, noEcho bool) error {
	l.cfg.Slot.Enter(gate.State{Phase: gate.Booting})
	boot, err := l.cfg.Gate.Control(l.cfg.Slot, c)
	if err != nil {
		return err
	}
	ch, err := l.cfg.Host.Shell(l.ctx, l.cfg.Slot, boot, PTY{Term: l.cfg.Term, Cols: l.cfg.Cols, Rows: l.cfg.Rows, NoEcho: noEcho})
	if err != nil {
		return err
	}
	l.ch = ch
	l.channel++
	l.split = screen.NewSplitter(shellmarks.Prefix)
	l.workers.Add(1)
	go l.read(ch, l.channel)
	return nil
}

// loader answers LOADER, once, when it is awaited.
func (l *loop) loader(m shellmarks.Mark) {
	if l.nest != nil && (l.state == Running || l.state == Field) {
		l.nested(m)
		return
	}
	if l.state != Boot || l.boot != loading {
		l.forged()
		return
	}
	sh := shellmarks.ShellOf(m.Field(0))
	text, ok := shellmarks.Start(sh, true)
	if !ok {
		l.plain("no integration for the shell " + m.Field(0))
		return
	}
	f := &frame{shell: sh, keys: shellmarks.NewKeys(), targets: l.cfg.Targets}
	l.learn(f.keys)
	l.frames = append(l.frames, f)
	l.boot = starting
	l.bootAnswered()
	l.awaitBoot(l.cfg.Timing.FirstMark, func() { l.plain("the shell's start files kept the integration out") })
	l.records.append(audit.SessionBoot[redact.Text]{
		Stage: redact.Literal("send"), Digest: text.Digest(), Shell: l.text(sh.String()),
	})
	l.control(gate.BootWith(text))
}

// ready hands the hook its secrets, once.
func (l *loop) ready() {
	if l.state != Boot || l.boot != starting {
		l.forged()
		return
	}
	l.boot = keyed
	l.waiting = time.Time{}
	l.control(gate.BootKeys(l.top().keys))
}

// identity is I: the hook is there.
func (l *loop) identity(f *frame, m shellmarks.Mark) {
	if l.boot != keyed {
		l.forged()
		return
	}
	l.boot = installed
	f.version, f.tty = m.Field(1), m.Field(3)
	f.pid, _ = strconv.Atoi(m.Field(2))
	if m.Field(0) == "posix" || f.shell == shellmarks.Bash && olderThan(f.version, 5, 1) {
		f.shell = shellmarks.POSIX
	}
	l.records.append(audit.SessionBoot[redact.Text]{
		Stage: redact.Literal("installed"), Shell: l.text(m.Field(0)), Version: l.text(f.version),
		Evidence: audit.Evidence(f.evidence()),
	})
	l.probe.open(l)
	if !f.integrated() {
		l.degrade("this shell cannot be asked for its line", gate.EvidenceComposed)
	}
}

// olderThan compares the first two numbers of a version.
func olderThan(version string, major, minor int) bool {
	var n [2]int
	i := 0
	for _, r := range version {
		switch {
		case r >= '0' && r <= '9':
			n[i] = n[i]*10 + int(r-'0')
		case r == '.' && i == 0:
			i++
		default:
			return n[0] < major || n[0] == major && n[1] < minor
		}
	}
	return n[0] < major || n[0] == major && n[1] < minor
}

// plain gives up the bootstrap: its channel is closed and never written again,
// and the account's own shell runs on a fresh one, with lines composed here.
func (l *loop) plain(why string) {
	if l.state != Boot {
		return
	}
	l.bootAnswered()
	if l.ch != nil {
		l.ch.Close()
	}
	l.frames = nil
	if err := l.openPlain(why); err != nil {
		l.failed = err
	}
}

func (l *loop) openPlain(why string) error {
	l.boot = notBooting
	l.degrade(why, gate.EvidenceScreen)
	if err := l.channelWith(gate.PlainShell(), false); err != nil {
		return err
	}
	l.frames = []*frame{{shell: shellmarks.Unknown, targets: l.cfg.Targets}}
	l.beginPlain()
	return nil
}

// degrade says that the console knows less than before.
func (l *loop) degrade(why string, e gate.Evidence) {
	l.why = why
	l.records.append(audit.SessionDegraded[redact.Text]{Reason: l.text(why), Evidence: audit.Evidence(e)})
}

func (l *loop) text(s string) redact.Text {
	t, _ := l.cfg.Redactor.Text(s)
	return t
}

func (l *loop) forged() { l.out.forged++ }

// alarmed counts something that should not have happened, and shows it.
func (l *loop) alarmed(what string) {
	l.alarms++
	l.alarm = what
}
