package session

import (
	"strings"

	"sallyport/console/gate"
	"sallyport/console/keys"
	"sallyport/policy"
)

// A shell reads single keys itself: zsh's question before rm *, read -q, bash's
// read -n. Nobody could judge keys that go on from there, so it gets none, but
// for an answer: y or n, alone, judged and recorded as answers to programs are.

// answerShell sends such an answer where it is all that waits.
func (l *loop) answerShell(who string) bool {
	text, ok := l.yesOrNo()
	if !ok {
		return false
	}
	l.dropHeld()
	f := &field{v: FieldView{ID: fields.Add(1), Kind: LineField, Program: who, Prompt: l.partial()}, sending: true}
	l.field = f
	l.set(Field)
	l.enterField()
	req := gate.Request{
		Kind: gate.Input, Origin: policy.Input, Text: text, Dialect: policy.Text, Cwd: l.cwd,
		Evidence: gate.EvidenceComposed, Wire: keyWire{}, Program: who, Prompt: f.v.Prompt,
	}
	l.start(func() func() {
		l.records.settle()
		c, err := l.cfg.Gate.Submit(l.ctx, l.cfg.Slot, req)
		return func() { l.keyJudged(f, c, err) }
	})
	return true
}

// yesOrNo is the key that waits, if it is one and an answer.
func (l *loop) yesOrNo() (string, bool) {
	if len(l.held) != 1 || l.held[0].paste != "" {
		return "", false
	}
	k := l.held[0].key
	return string(k.Rune), k.Key == keys.Char && k.Mod == 0 && strings.ContainsRune("ynYN", k.Rune)
}

func (l *loop) keyJudged(f *field, c gate.Cleared, err error) {
	f.sending = false
	if l.field != f {
		l.abandon(c, err, "what read the key has ended")
		return
	}
	if err != nil {
		l.note(err)
	} else if !l.send(c, nil) {
		l.abandon(c, nil, "the channel did not take it")
	}
	l.afterField()
}

// keyWire is a key for a shell that reads one.
type keyWire struct{}

// Step is the key.
func (keyWire) Step(n int, text string) []byte {
	if n > 0 || len(text) != 1 {
		return nil
	}
	return []byte(text)
}
