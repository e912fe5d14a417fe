package tui

import (
	"strings"
	"time"

	"sallyport/console/copilot"
	"sallyport/console/gate"
	"sallyport/console/keys"
	"sallyport/console/screen"
	"sallyport/console/session"
	"sallyport/policy"
)

const (
	quietTime = 400 * time.Millisecond // what approves takes no key before
	slowTime  = 300 * time.Millisecond // a wait is shown from here on
)

// tab is one host and how it is looked at.
type tab struct {
	host      Host
	link      Link
	sess      Session // the shell that is drawn; nil: none yet
	view      session.View
	ai        copilot.State
	aiVersion uint64 // changes when ai looks different
	cache     panelCache
	size      [2]int // what the shell was told last

	grid      grid
	fitted    fit // how the grid was drawn last
	modes     keys.Modes
	scroll    int // lines above the bottom
	anchored  int // line number at the top while scrolled
	marks     map[screen.RowID]mark
	journal   journalKey // what marks were read at
	journalAt time.Time

	verdicts      map[uint64]policy.Decision // by suggestion's Seq
	judging       map[uint64]bool
	judgedVersion uint64 // changes with verdicts
	digest        string // of the policy that verdicts are of
	selected      string // id of a suggestion
	chat          chatPanel
	taintSaid     int // how many of view.Tainted were said
	intentTop     int // first row of the intent in view
	draft         *draft
	dialog        *dialog
	local         *question // the screen's own, asked after all others
	noClipboard   bool      // the operator said no to the clipboard
	field         *field
	copying       *copying
	drag          *drag
	alarm         alarm
	slow          slow
	gone          alone     // a choice where there is no shell
	goneTyped     time.Time // when a key came there that was none
	again         bool      // it is being reconnected
	refused       *gate.Refusal
	lineStays     bool      // refused is of a line that is still there
	escape        time.Time // of an Escape that alone waits for a program to want it; zero: none does
}

// escapeTime is how long an Escape waits for a program to want it.
const escapeTime = time.Second

// settleEscape drops an Escape that no program asked for: at the next prompt
// it would only be half of another key.
func (t *tab) settleEscape(now time.Time) {
	switch {
	case t.escape.IsZero():
	case t.sess == nil, t.view.State != session.Running, t.view.Held > 1, t.dialog != nil:
		t.escape = time.Time{}
	case now.Sub(t.escape) >= escapeTime:
		t.escape = time.Time{}
		t.sess.DropHeld()
	}
}

// alarm is how far the operator has seen the session's last alarm.
type alarm struct {
	number int       // of the session's alarms, the one that this is about
	drawn  time.Time // when it was first in view; zero: it was not yet
	seen   bool      // it stood long enough, and a key came after that
}

// alarmTime is how long an alarm stands at least: keys typed ahead do not take
// it away.
const alarmTime = 2 * time.Second

// syncAlarm begins anew with each further alarm.
func (t *tab) syncAlarm() {
	if t.alarm.number != t.view.Alarms {
		t.alarm = alarm{number: t.view.Alarms}
	}
}

// syncRefused notes whether a refusal is of a line that stands at the prompt, or
// in a program's field, still.
func (t *tab) syncRefused() {
	if t.refused != t.view.Refused {
		t.refused = t.view.Refused
		switch f := t.view.Field; t.view.State {
		case session.Prompt, session.Continuation:
			t.lineStays = true
		default:
			t.lineStays = f != nil && f.Kind == session.LineField && f.Typed != ""
		}
	}
}

// seeAlarm takes note of a key for the shell. It tells whether an alarm goes
// away with it.
func (t *tab) seeAlarm(now time.Time) bool {
	a := &t.alarm
	if a.seen || a.drawn.IsZero() || now.Sub(a.drawn) < alarmTime {
		return false
	}
	a.seen = true
	return t.view.Alarm != ""
}

func newTab(h Host) *tab {
	return &tab{host: h, verdicts: map[uint64]policy.Decision{}, judging: map[uint64]bool{}}
}

// mark is what the gutter and the right edge say about a row.
type mark struct {
	suggested bool
	line      string
	risk      policy.Risk
	exit      *int
	status    session.Status
}

// looksAs tells whether two marks are drawn alike.
func (k mark) looksAs(o mark) bool {
	return k.suggested == o.suggested && k.line == o.line && k.risk == o.risk && failure(k) == failure(o)
}

func marksOf(journal []session.Command) map[screen.RowID]mark {
	m := make(map[screen.RowID]mark, len(journal))
	for _, c := range journal {
		first, _, _ := strings.Cut(c.Line, "\n")
		m[c.Row] = mark{suggested: c.Suggestion != nil, line: first, risk: c.Risk, exit: c.Exit, status: c.Status}
	}
	return m
}

// waiting tells whether the shell owes an answer for longer than one should
// wait without being told.
func (t *tab) waiting() bool {
	return t.view.State == session.Waiting || !t.view.Waiting.IsZero()
}

// name is the host as a person calls it: the innermost target's.
func (t *tab) name() string { return targetName(t.target()) }

func (t *tab) target() policy.Target {
	if n := len(t.view.Frames); n > 0 {
		return t.view.Frames[n-1]
	}
	return t.link.Target
}

func targetName(t policy.Target) string {
	for _, s := range []string{t.Container, t.Asked, t.HostName, t.Address} {
		if s != "" {
			return s
		}
	}
	return "the host"
}

// follow keeps the selection on a suggestion that is there.
func (t *tab) follow() {
	if t.suggestion(t.selected) == nil {
		t.selected = ""
		if len(t.ai.Suggestions) > 0 {
			t.selected = t.ai.Suggestions[0].ID
		}
	}
	t.chat.follow(t.ai.Chat)
}

func (t *tab) suggestion(id string) *copilot.Suggestion {
	for i := range t.ai.Suggestions {
		if t.ai.Suggestions[i].ID == id {
			return &t.ai.Suggestions[i]
		}
	}
	return nil
}

func (t *tab) index(id string) int {
	for i := range t.ai.Suggestions {
		if t.ai.Suggestions[i].ID == id {
			return i
		}
	}
	return 0
}
