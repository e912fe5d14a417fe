package session

import (
	"errors"
	"fmt"
	"strings"

	"sallyport/audit"
	"sallyport/console/gate"
	"sallyport/console/keys"
	"sallyport/policy"
	"sallyport/redact"
)

// What the operator answers to a program that reads: judged, recorded and sent,
// or said not to have been.

// answer takes the operator's line for the open field.
func (l *loop) answer(id uint64, line []byte, eof bool) {
	f := l.field
	switch {
	case f == nil || l.state != Field:
		clear(line)
		l.bell()
		l.unread(nil, "what asked has ended", "type it again where it belongs")
		return
	case f.v.ID != id: // for what stood there before: a refusal drops what was typed behind it
		clear(line)
		l.bell()
		return
	case f.sending:
		l.behind(f, line, eof)
		return
	case f.v.Kind == SecretField && !eof:
		l.secret(line)
		return
	}
	f.sending = true
	dialect, runs := readAs(f.v.Program, string(line))
	req := gate.Request{
		Kind: gate.Input, Origin: policy.Input, Text: string(line), Dialect: dialect, Runs: runs, Cwd: l.cwd, EOF: eof,
		Evidence: gate.EvidenceComposed, Wire: inputWire{eof}, Program: f.v.Program, Prompt: f.v.Prompt,
	}
	l.start(func() func() {
		l.records.settle()
		c, err := l.cfg.Gate.Submit(l.ctx, l.cfg.Slot, req)
		return func() { l.inputJudged(f, line, c, err) }
	})
}

// behind keeps what was entered while the line before it was on its way: it is for
// what reads then. Of a secret nothing is kept.
func (l *loop) behind(f *field, line []byte, eof bool) {
	switch {
	case f.v.Kind == SecretField:
		clear(line)
		l.bell()
	case eof:
		l.hold(held{key: keys.Event{Rune: 'd', Mod: keys.Ctrl}})
	default:
		if len(line) > 0 {
			l.hold(held{paste: string(line)})
		}
		l.hold(held{key: keys.Press(keys.Enter, 0)})
	}
}

// inputJudged sends an input line, or keeps the field open to edit it.
func (l *loop) inputJudged(f *field, line []byte, c gate.Cleared, err error) {
	f.sending = false
	switch {
	case l.field != f: // its program has ended, or reads no lines any more
		l.abandon(c, err, "what read the line has ended")
		l.unread(err, "what read the line has ended", "type the line again where it belongs")
	case err != nil:
		l.note(err)
		f.offer(line)
	case !l.send(c, nil):
		l.abandon(c, nil, "the channel did not take it")
		l.unread(nil, "the channel did not take the line", "press Enter again, or ^C")
		f.offer(line)
	default:
		l.refused = nil
		l.afterField()
		return
	}
	l.dropWithRefused()
}

// unread says that nothing was sent to a program that read: what the gate said,
// or the reason, and what can be done now that the program does not read.
func (l *loop) unread(err error, reason, remedy string) {
	ref := &gate.Refusal{By: gate.ByChange, Reason: reason + ": nothing was sent"}
	if said := (*gate.Refusal)(nil); errors.As(err, &said) {
		*ref = *said
	}
	if ref.By == gate.ByChange {
		ref.Remedy = remedy
	}
	l.note(ref)
}

// offer gives a line that was not sent back to be edited: as a new field, which
// has it in.
func (f *field) offer(line []byte) {
	f.v.ID, f.v.Typed = fields.Add(1), string(line)
}

// secret sends what was typed into a masked field. The redactor has learned it
// by then; that it happened is on disk before it leaves.
func (l *loop) secret(line []byte) {
	c, err := l.cfg.Gate.Secret(l.cfg.Slot, line)
	clear(line)
	if err != nil {
		l.note(err)
		return
	}
	ev := audit.SecretEntered[redact.Text]{Program: l.text(l.field.v.Program), Prompt: l.text(l.field.v.Prompt)}
	if l.active != nil {
		ev.Intent = l.active.intent
	}
	f := l.field
	f.sending = true
	l.start(func() func() {
		l.records.settle()
		seq, err := l.records.before(l.ctx, ev)
		return func() { l.secretRecorded(f, seq, c, err) }
	})
}

// secretRecorded sends the secret to the program that asked for it, if it still
// does.
func (l *loop) secretRecorded(f *field, seq uint64, c gate.Cleared, err error) {
	f.sending = false
	switch {
	case err != nil:
		l.note(&gate.Refusal{
			By: gate.ByLog, Reason: "what was typed could not be recorded: " + err.Error(),
			Remedy: "nothing was sent; make the log writable, then type it again", Err: err,
		})
	case l.field != f:
		l.secretUnsent(seq, "what asked for it has ended", "type it again when it is asked for")
	case !l.send(c, nil):
		l.secretUnsent(seq, "the channel did not take it", "type it again, or press ^C")
	default:
		l.refused = nil
		l.afterField()
	}
}

func (l *loop) secretUnsent(seq uint64, why, remedy string) {
	l.records.append(audit.Refused[redact.Text]{
		Class: audit.ClassSecret, Origin: audit.OriginHuman, By: audit.ByExpired,
		Reason: l.text(fmt.Sprintf("record %d: the secret was not sent: %s", seq, why)),
	})
	l.unread(nil, "the secret was dropped, "+why, remedy)
}

// inputWire is a line for a program that reads lines, or an end of file.
type inputWire struct{ eof bool }

// Step is the line and a line feed, or ^D.
func (w inputWire) Step(n int, text string) []byte {
	switch {
	case n > 0 || strings.ContainsAny(text, "\r\n"):
		return nil
	case w.eof:
		return []byte{gate.SignalEOF}
	}
	return []byte(text + "\n")
}
