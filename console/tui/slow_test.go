package tui

import (
	"slices"
	"strings"
	"testing"
	"time"

	"sallyport/console/keys"
	"sallyport/console/session"
)

// Somebody who types ahead into a slow shell chooses nothing; a key does that
// stands alone, after quiet.
func TestAChoiceAboutASlowShellStandsAlone(t *testing.T) {
	alone := func(key string) func(*world, *fakeHost) {
		return func(w *world, _ *fakeHost) { w.wait(quietTime); w.press(key); w.wait(aloneTime) }
	}
	keysOf := func(s string) (want []string) {
		for _, r := range s {
			want = append(want, "key "+keys.Rune(r).String())
		}
		return want
	}
	held := func(w *world, h *fakeHost) { h.sess.view.Held = 3; w.settle(); w.wait(quietTime) }
	for _, c := range []struct {
		name  string
		state session.State
		do    func(*world, *fakeHost)
		want  []string
	}{
		{"echo typed early", session.Boot, func(w *world, _ *fakeHost) { w.types("echo typed early") }, keysOf("echo typed early")},
		{"cd /data", session.Boot, func(w *world, _ *fakeHost) { w.wait(quietTime); w.types("cd /data"); w.wait(aloneTime) }, keysOf("cd /data")},
		{"a d first", session.Boot, func(w *world, _ *fakeHost) { w.wait(quietTime); w.types("df") }, keysOf("df")},
		{"a d first, waiting", session.Waiting, func(w *world, _ *fakeHost) { w.wait(quietTime); w.types("df") }, keysOf("df")},
		{"too soon after the row", session.Boot, func(w *world, _ *fakeHost) { w.types("d"); w.wait(aloneTime) }, keysOf("d")},
		{"a paste follows", session.Boot, func(w *world, _ *fakeHost) { w.wait(quietTime); w.press("d"); w.paste("f -h") }, []string{"key d", `paste "f -h"`}},
		{"with keys held", session.Boot, func(w *world, h *fakeHost) { held(w, h); w.types("d"); w.wait(aloneTime) }, keysOf("d")},
		{"with keys held, behind the leader", session.Boot, func(w *world, h *fakeHost) { held(w, h); w.press("C-]", "d") }, []string{"choose 1"}},
		{"Escape among what is typed", session.Boot, func(w *world, h *fakeHost) { held(w, h); w.press("i", "Escape", "x") }, []string{"key i", "key Escape", "key x"}},
		{"Escape alone drops what is held", session.Boot, func(w *world, h *fakeHost) { held(w, h); w.press("Escape"); w.wait(aloneTime) }, []string{"drop held"}},
		{"Escape among what is typed, waiting", session.Waiting, func(w *world, _ *fakeHost) { w.wait(quietTime); w.press("i", "Escape", "x") }, []string{"key i", "key x"}},
		{"w, then the shell answers", session.Boot, func(w *world, h *fakeHost) {
			w.wait(quietTime)
			w.press("w")
			h.sess.view.State, h.sess.view.Waiting = session.Prompt, time.Time{}
		}, keysOf("w")},
		{"d in a frame", session.Boot, func(w *world, h *fakeHost) {
			h.sess.view.Frames = append(h.sess.view.Frames, w.m.tab().target(), w.m.tab().target())
			w.settle()
			alone("d")(w, h)
		}, keysOf("d")},
		{"w", session.Boot, alone("w"), []string{"choose 0"}},
		{"d", session.Boot, alone("d"), []string{"choose 1"}},
		{"w, waiting", session.Waiting, alone("w"), []string{"choose 0"}},
		{"d, waiting", session.Waiting, alone("d"), []string{"choose 1"}},
		{"Escape, waiting", session.Waiting, alone("Escape"), []string{"choose 2"}},
		{"asked of a shell that has the prompt", session.Query, alone("d"), keysOf("d")},
	} {
		w := newWorld(t, 120, 36, Options{})
		h := work(w)
		w.settle()
		h.sess.view.State, h.sess.view.Waiting = c.state, w.at.Add(-slowTime)
		w.settle()
		h.sess.calls = nil
		c.do(w, h)
		w.settle()
		if !slices.Equal(h.sess.calls, c.want) {
			t.Errorf("%s: calls %q, want %q", c.name, h.sess.calls, c.want)
		}
	}
}

// The row says which keys choose: with keys held, those behind the leader.
func TestTheRowOfASlowShellSaysWhatChooses(t *testing.T) {
	w := newWorld(t, 120, 36, Options{})
	h := work(w)
	h.sess.view.State, h.sess.view.Waiting = session.Boot, w.at.Add(-3*time.Second)
	if got := text(w.settle()); !strings.Contains(got, "[w] wait") || strings.Contains(got, "drop it") {
		t.Errorf("drawn:\n%s", got)
	}
	h.sess.view.Held = 2
	if got := text(w.settle()); !strings.Contains(got, "[^] w] wait") || !strings.Contains(got, "[^] d] compose") {
		t.Errorf("with keys held:\n%s", got)
	}
}

func TestTheIntegrationIsAskedForAgain(t *testing.T) {
	for _, c := range []struct {
		name string
		set  func(*fakeHost)
		want string // what is said; empty: the shell is asked
	}{
		{"it is integrated", func(*fakeHost) {}, "The shell is integrated."},
		{"it is not", func(h *fakeHost) { h.sess.view.Degraded = "it did not answer" }, ""},
		{"something runs", func(h *fakeHost) { h.sess.view.Degraded, h.sess.view.State = "no", session.Running }, "It is asked at a prompt"},
		{"it is lost", func(h *fakeHost) { h.link.Phase = Lost }, "There is no shell to ask."},
	} {
		w := newWorld(t, 120, 36, Options{})
		h := work(w)
		c.set(h)
		w.settle()
		h.sess.calls = nil
		w.press("C-]", "a")
		asked := slices.Equal(h.sess.calls, []string{"choose 3"})
		if asked != (c.want == "") || !strings.Contains(w.m.note.text, c.want) {
			t.Errorf("%s: calls %q, says %q", c.name, h.sess.calls, w.m.note.text)
		}
	}
}

// A burst of r is one reconnection, and complains of nothing.
func TestReconnectingOnce(t *testing.T) {
	w := newWorld(t, 80, 24, Options{})
	h := work(w)
	h.link.Phase, h.link.Since = Lost, w.at
	w.settle()
	w.types("rrr")
	w.wait(aloneTime)
	w.settle()
	if h.again != 1 || w.m.note.text != "" {
		t.Errorf("asked for %d times, says %q", h.again, w.m.note.text)
	}
	w.press("r")
	w.wait(aloneTime)
	w.settle()
	if h.again != 2 {
		t.Error("once it failed, r does not ask again")
	}
}

// While the reserve is used, it is said what it takes and what is refused.
func TestAFullDiskIsSaid(t *testing.T) {
	w := newWorld(t, 120, 36, Options{})
	work(w)
	w.log = LogStatus{Refusing: "no space left on device", Full: true}
	if got := text(w.settle()); !strings.Contains(got, "The reserve takes how things end;") {
		t.Errorf("drawn:\n%s", got)
	}
}
