package tui

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"sallyport/console/gate"
	"sallyport/console/remote"
	"sallyport/policy"
)

// asked opens a question of the gate at work and gives its answer once there is
// one.
func asked(t *testing.T, w *world, q gate.Question) (*fakeHost, func() *gate.Answer) {
	t.Helper()
	h := work(w)
	q.Kind, q.Evidence = gate.Line, gate.EvidenceShell
	w.question(h, q)
	return h, answerOf(w)
}

func answerOf(w *world) func() *gate.Answer {
	open := w.dialogs.waiting()
	ch := open[len(open)-1].answer
	return func() *gate.Answer {
		w.wait(aloneTime)
		w.frame()
		select {
		case a := <-ch:
			answer := a.(gate.Answer)
			return &answer
		default:
			return nil
		}
	}
}

const vacuum = "journalctl --vacuum-size=1M"

func TestConsentWaitsForQuiet(t *testing.T) {
	for _, c := range []struct {
		name string
		do   func(*world)
		sent bool
	}{
		{"y after quiet", func(w *world) { w.quiet(); w.press("y") }, true},
		{"y before it was drawn", func(w *world) { w.press("y") }, false},
		{"y at once", func(w *world) { w.frame(); w.press("y") }, false},
		{"y 399 ms after it was drawn", func(w *world) { w.frame(); w.wait(379 * time.Millisecond); w.press("y") }, false},
		{"typing ahead for seconds", func(w *world) {
			w.frame()
			for range 200 {
				w.press("y")
				w.frame()
			}
		}, false},
		{"a key every 390 ms", func(w *world) {
			w.frame()
			for range 20 {
				w.wait(370 * time.Millisecond)
				w.press("y")
				w.frame()
			}
		}, false},
		{"typing ahead, then quiet, then y", func(w *world) { w.frame(); w.types("yyyy"); w.wait(quietTime); w.press("y") }, true},
		{"y in a word", func(w *world) { w.quiet(); w.types("python3") }, false},
		{"a word that ends in y", func(w *world) { w.quiet(); w.types("apply") }, false},
		{"y, and a key 199 ms later", func(w *world) { w.quiet(); w.press("y"); w.wait(179 * time.Millisecond); w.press("x") }, false},
		{"y 199 ms after a key", func(w *world) { w.quiet(); w.press("x"); w.wait(179 * time.Millisecond); w.press("y") }, false},
		{"y 200 ms after a key", func(w *world) { w.quiet(); w.press("x"); w.wait(180 * time.Millisecond); w.press("y") }, true},
		{"y and a paste", func(w *world) { w.quiet(); w.press("y"); w.paste("x") }, false},
		{"y twice", func(w *world) { w.quiet(); w.press("y", "y") }, false},
		{"Enter is no answer", func(w *world) { w.quiet(); w.press("Enter") }, false},
		{"a paste is no answer", func(w *world) { w.quiet(); w.paste("y") }, false},
		{"a paste disturbs the quiet", func(w *world) { w.frame(); w.wait(quietTime); w.paste("y"); w.press("y") }, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, 120, 36, Options{})
			_, answer := asked(t, w, gate.Question{Origin: policy.Human, Text: "apt-get autoremove"})
			c.do(w)
			a := answer()
			if sent := a != nil && a.Send; sent != c.sent {
				t.Errorf("sent = %v, want %v", sent, c.sent)
			}
		})
	}
}

func TestConsentIsRefused(t *testing.T) {
	for _, key := range []string{"n", "Escape"} {
		w := newWorld(t, 120, 36, Options{})
		_, answer := asked(t, w, gate.Question{Origin: policy.Human, Text: "apt-get autoremove"})
		w.quiet()
		w.press(key)
		if a := answer(); a == nil || a.Send {
			t.Errorf("%s: answer %v", key, a)
		}
	}
}

// A phrase is typed key by key by a person.
func TestPhrase(t *testing.T) {
	const phrase = "prod-web-03 47"
	for _, c := range []struct {
		name string
		do   func(*world)
		sent bool
	}{
		{"typed and Enter", func(w *world) { w.types(phrase); w.press("Enter") }, true},
		{"typed without Enter", func(w *world) { w.types(phrase) }, false},
		{"mistyped and mended", func(w *world) { w.types("prod-web-04"); w.press("Backspace"); w.types("3 47"); w.press("Enter") }, true},
		{"another phrase", func(w *world) { w.types("prod-web-03 48"); w.press("Enter") }, false},
		{"pasted", func(w *world) { w.paste(phrase); w.press("Enter") }, false},
		{"pasted over what was typed", func(w *world) { w.types("prod"); w.paste("-web-03 47"); w.press("Enter") }, false},
		{"faster than a person", func(w *world) {
			for _, r := range phrase {
				w.wait(time.Millisecond)
				w.send(tea.KeyPressMsg{Code: r, Text: string(r)})
			}
			w.press("Enter")
		}, false},
		{"one event with all of it", func(w *world) { w.send(tea.KeyPressMsg{Text: phrase}); w.press("Enter") }, false},
		{"y", func(w *world) { w.press("y", "Enter") }, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, 120, 36, Options{})
			_, answer := asked(t, w, gate.Question{Origin: policy.Human, Text: vacuum, Phrase: phrase})
			w.quiet()
			c.do(w)
			a := answer()
			if sent := a != nil && a.Send && a.Typed == phrase; sent != c.sent {
				t.Errorf("sent = %v, want %v", sent, c.sent)
			}
		})
	}
}

// What was not on the screen cannot be agreed to.
func TestLongTextIsReadFirst(t *testing.T) {
	w := newWorld(t, 80, 24, Options{})
	_, answer := asked(t, w, gate.Question{Origin: policy.Human, Text: strings.Repeat("echo line\n", 400) + "autoremove"})
	w.quiet()
	w.press("y")
	if a := answer(); a != nil {
		t.Fatalf("agreed to without reading: %v", a)
	}
	if got := text(w.frame()); !strings.Contains(got, "more rows: read first") {
		t.Errorf("nothing says that there is more:\n%s", got)
	}
	for range 60 {
		w.press("PageDown")
		w.frame()
	}
	w.wait(quietTime)
	w.press("y")
	if a := answer(); a == nil || !a.Send {
		t.Errorf("read to the end, but answer %v", a)
	}
}

func TestOnlyTheQuestionInFrontIsAnswered(t *testing.T) {
	w := newWorld(t, 120, 36, Options{})
	_, answer := asked(t, w, gate.Question{Origin: policy.Human, Text: "apt-get autoremove"})
	w.connect("ops@db-01")
	w.quiet()
	w.press("y")
	if a := answer(); a != nil {
		t.Fatalf("answered from another tab: %v", a)
	}
	if got := text(w.frame()); !strings.Contains(got, "root@prod-web-03 asks") || strings.Contains(got, "MEDIUM RISK") {
		t.Errorf("the other tab's question:\n%s", got)
	}
	w.press("C-]", "p")
	w.press("y")
	if a := answer(); a != nil {
		t.Fatalf("answered before quiet after the tab came to the front: %v", a)
	}
	w.quiet()
	w.press("y")
	if a := answer(); a == nil || !a.Send {
		t.Errorf("answer %v", a)
	}
}

func TestAWithdrawnQuestionGoesAway(t *testing.T) {
	w := newWorld(t, 120, 36, Options{})
	h := work(w)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() {
		_, err := w.dialogs.Ask(ctx, gate.Question{Session: h.sess.view.ID, Text: "apt-get autoremove"})
		done <- err
	}()
	for w.m.tab().dialog == nil {
		w.frame()
	}
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("err = %v", err)
	}
	w.frame()
	if w.m.tab().dialog != nil {
		t.Error("the dialog is still there")
	}
}

func TestUnknownHost(t *testing.T) {
	for _, c := range []struct {
		key  string
		file string
		want any
	}{
		{"y", "known_hosts", remote.Remember},
		{"y", "", nil},
		{"o", "known_hosts", remote.Once},
		{"n", "known_hosts", remote.Leave},
		{"Escape", "known_hosts", remote.Leave},
		{"Enter", "known_hosts", nil},
	} {
		w := newWorld(t, 80, 24, Options{})
		w.hosts = append(w.hosts, &fakeHost{w: w, id: "h1", link: Link{Name: "root@prod-web-03", Phase: Connecting, Since: w.at}})
		q := hostKeyQuestion
		q.File = c.file
		ask := &question{host: "h1", ask: q}
		w.put(ask)
		w.frame()
		w.press(c.key)
		w.quiet()
		w.press(c.key)
		w.wait(aloneTime)
		w.frame()
		select {
		case got := <-ask.answer:
			if got != c.want {
				t.Errorf("%s: %v, want %v", c.key, got, c.want)
			}
		default:
			if c.want != nil {
				t.Errorf("%s: no answer, want %v", c.key, c.want)
			}
		}
	}
}

func TestSecretsAreMaskedAndWiped(t *testing.T) {
	w := newWorld(t, 80, 24, Options{})
	w.hosts = append(w.hosts, &fakeHost{w: w, id: "h1", link: Link{Name: "root@prod-web-03", Phase: Connecting, Since: w.at}})
	ask := &question{host: "h1", ask: secretQuestion{"Password:", false}}
	w.put(ask)
	w.frame()
	w.types("correct horse")
	w.paste(" battery\nstaple")
	if got := text(w.frame()); strings.Contains(got, "correct") || strings.Contains(got, "battery") || !strings.Contains(got, "•••") {
		t.Errorf("drawn:\n%s", got)
	}
	w.press("Enter")
	if got, _ := (<-ask.answer).([]byte); string(got) != "correct horse battery" {
		t.Errorf("answer %q", got)
	}
	if !w.m.tab().dialog.edit.empty() {
		t.Error("the field still holds the secret")
	}
}
