package copilot

import (
	"slices"
	"strings"
	"time"
	"unicode"

	"sallyport/console/safetext"
	"sallyport/policy"
)

// board is the plan and the suggestions of one session. It does no I/O and knows no
// clock: the caller gives the time and guards it.
type board struct {
	intent    Intent
	cards     []*card // oldest first
	applied   uint64  // the newest call that changed something here
	clearedBy map[string]uint64
	allBy     uint64            // the newest call that cleared everything
	dismissed map[string]string // id to the command that the operator put away
}

// card is a suggestion with what only the board knows of it.
type card struct {
	Suggestion
	call  uint64
	holds int
	newer *card
}

// change is what an answer did to the board, for the record.
type change struct {
	cleared    []string
	clearedAll bool
	received   []Suggestion
}

// stamp is what is the same for all of one answer.
type stamp struct {
	call uint64
	at   time.Time
	seq  func() uint64         // numbers a version
	seen func(string) []string // tokens of a command that came from output
}

// apply takes an answer's clear, commands and intent, in this order.
func (b *board) apply(env Envelope, st stamp) change {
	var ch change
	late := st.call < b.applied
	if env.Clear != nil && !late {
		ch.cleared, ch.clearedAll = b.clear(*env.Clear, st.call)
	}
	if env.Commands != nil {
		all := env.Commands.Commands
		for _, c := range all[max(0, len(all)-MaxLive):] { // the others would leave at once
			if got, ok := b.suggest(c, st); ok {
				ch.received = append(ch.received, got)
			}
		}
		b.shorten()
	}
	if env.Intent != nil && !late {
		b.intent = intentOf(*env.Intent, st.at)
	}
	if env.Clear != nil || env.Commands != nil || env.Intent != nil {
		b.applied = max(b.applied, st.call)
	}
	return ch
}

func intentOf(u IntentUpdate, at time.Time) Intent {
	out := Intent{Summary: Untrusted(u.Summary), Confidence: u.Confidence, At: at}
	for _, s := range u.Steps {
		out.Steps = append(out.Steps, Step{Status: s.Status, Text: Untrusted(s.Text)})
	}
	return out
}

// clear withdraws suggestions. One that is held stays, marked, until it is released.
func (b *board) clear(c ClearSuggestions, call uint64) (ids []string, all bool) {
	if c.All {
		b.allBy, b.clearedBy = call, nil
	} else {
		b.rememberCleared(c.IDs, call)
	}
	b.cards = slices.DeleteFunc(b.cards, func(k *card) bool {
		if !c.All && !slices.Contains(c.IDs, k.ID) {
			return false
		}
		ids = append(ids, k.ID)
		if k.holds == 0 {
			return true
		}
		k.Withdrawn, k.newer = true, nil
		return false
	})
	return ids, c.All
}

// maxRemembered bounds what is remembered of suggestions that are gone.
const maxRemembered = 1000

func (b *board) rememberCleared(ids []string, call uint64) {
	if b.clearedBy == nil || len(b.clearedBy) > maxRemembered {
		b.clearedBy = map[string]uint64{}
	}
	for _, id := range ids {
		b.clearedBy[id] = call
	}
}

// suggest takes one command. It is false when nothing new came of it: the command is
// older than what is there, the same as what is there, or was put away.
func (b *board) suggest(c SuggestedCommand, st stamp) (Suggestion, bool) {
	if st.call < b.allBy || st.call < b.clearedBy[c.ID] || b.wasDismissed(c) {
		return Suggestion{}, false
	}
	fresh := cardOf(c, st)
	old := b.find(c.ID)
	switch {
	case old == nil:
		fresh.Seq = st.seq()
		b.cards = append(b.cards, fresh)
	case !old.takes(fresh):
		return Suggestion{}, false
	case old.holds > 0:
		fresh.Seq = st.seq()
		old.newer, old.Withdrawn = fresh, false
	default:
		fresh.Seq = st.seq()
		*old = *fresh
	}
	return fresh.Suggestion, true
}

// takes tells whether fresh is news for k: not older, and not the same.
func (k *card) takes(fresh *card) bool {
	latest := k
	if k.newer != nil {
		latest = k.newer
	}
	return fresh.call >= latest.call && (k.Withdrawn || !latest.same(fresh))
}

func (k *card) same(o *card) bool {
	return k.Command == o.Command && k.Description == o.Description && k.Claimed == o.Claimed
}

func cardOf(c SuggestedCommand, st stamp) *card {
	k := &card{call: st.call, Suggestion: Suggestion{
		ID: c.ID, Command: Untrusted(c.Command), Description: Untrusted(c.Description),
		Received: st.at, Hidden: hides(c.Command), Injected: st.seen(c.Command),
	}}
	if err := k.Claimed.UnmarshalText([]byte(c.Risk)); err != nil {
		k.Claimed, k.Unclaimed = policy.High, true
	}
	if k.Hidden {
		k.Claimed = policy.High
	}
	return k
}

// hides tells whether a command holds a newline, a control, or something that leaves
// nothing to see.
func hides(command string) bool {
	return strings.ContainsFunc(command, func(r rune) bool {
		return safetext.Hidden(r) || r != ' ' && unicode.Is(unicode.Zs, r)
	})
}

// shorten lets the oldest suggestions go that are over the bound and not held.
func (b *board) shorten() {
	over := len(b.cards) - MaxLive
	b.cards = slices.DeleteFunc(b.cards, func(k *card) bool {
		if over <= 0 || k.holds > 0 {
			return false
		}
		over--
		return true
	})
}

func (b *board) find(id string) *card {
	for _, k := range b.cards {
		if k.ID == id {
			return k
		}
	}
	return nil
}

func (b *board) hold(id string) (Suggestion, bool) {
	k := b.find(id)
	if k == nil {
		return Suggestion{}, false
	}
	k.holds++
	return k.view(), true
}

// release ends one hold. After the last one, what happened meanwhile takes effect.
func (b *board) release(id string) {
	k := b.find(id)
	if k == nil || k.holds == 0 {
		return
	}
	if k.holds--; k.holds > 0 {
		return
	}
	switch {
	case k.newer != nil:
		*k = *k.newer
	case k.Withdrawn:
		b.remove(id)
	}
	b.shorten()
}

func (b *board) dismiss(id string) bool {
	k := b.find(id)
	if k == nil {
		return false
	}
	if b.dismissed == nil || len(b.dismissed) > maxRemembered {
		b.dismissed = map[string]string{}
	}
	b.dismissed[id] = string(k.Command)
	b.remove(id)
	return true
}

func (b *board) wasDismissed(c SuggestedCommand) bool {
	command, ok := b.dismissed[c.ID]
	return ok && command == c.Command
}

func (b *board) remove(id string) {
	b.cards = slices.DeleteFunc(b.cards, func(k *card) bool { return k.ID == id })
}

func (b *board) mention(ids []string) {
	for _, k := range b.cards {
		k.Mentioned = slices.Contains(ids, k.ID)
	}
}

func (b *board) sent(id string) {
	if k := b.find(id); k != nil {
		k.Sent = true
	}
}

// view is a copy of the suggestion, with its newer version if one waits.
func (k *card) view() Suggestion {
	s := k.Suggestion
	s.Held = k.holds > 0
	if k.newer != nil {
		n := k.newer.Suggestion
		s.Newer = &n
	}
	return s
}

func (b *board) suggestions() []Suggestion {
	out := make([]Suggestion, len(b.cards))
	for i, k := range b.cards {
		out[i] = k.view()
	}
	return out
}
