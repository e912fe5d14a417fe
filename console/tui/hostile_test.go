package tui

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode"

	"github.com/charmbracelet/x/ansi"

	"sallyport/console/copilot"
	"sallyport/console/gate"
	"sallyport/console/remote"
	"sallyport/console/session"
	"sallyport/console/tty"
	"sallyport/policy"
)

// attacks are texts that a terminal would act on, or that a reader would not
// see.
var attacks = []string{
	"\x1b[2J\x1b[H", "\x1b]0;title\x07", "\x1b]52;c;aGk=\x07", "\x1bP$qm\x1b\\", "\x1b_apc\x1b\\", "\x9b31m", "\u009b31m", "\u0085", "\u0090q\u009c",
	"\x08\x08\x08", "\rovertyped", "\x07", "\x00", "\u202eevil\u202c", "\u2066\u2069", "\u200b\u200d\u2060\ufeff", "\U000e0041\U000e0042", "\ue000\U000f0000",
	"\u2028\u2029", "e" + strings.Repeat("\u0301", 50), "\xff\xfe", "\u00ad", "\x7f", "a\nb", "\u115f\u3164", "\x1b[8mhidden", "\u061c",
}

// Whatever others wrote, only harmless cells are drawn.
func TestHostileText(t *testing.T) {
	all := strings.Join(attacks, " ")
	for _, o := range []Options{{}, {ASCII: true}} {
		for name, set := range hostileScenes(all) {
			t.Run(fmt.Sprintf("all %s ascii=%v", name, o.ASCII), func(t *testing.T) {
				w := newWorld(t, 120, 36, o)
				set(w)
				harmless(t, w.settle(), o.ASCII)
			})
		}
	}
	for i, a := range attacks {
		for _, name := range []string{"linus", "consent", "remote"} {
			t.Run(fmt.Sprintf("%d %s", i, name), func(t *testing.T) {
				w := newWorld(t, 80, 24, Options{})
				hostileScenes(a)[name](w)
				harmless(t, w.settle(), false)
			})
		}
	}
}

func harmless(t *testing.T, c *tty.Canvas, ascii bool) {
	t.Helper()
	w, h := c.Size()
	check := func(s string) {
		for _, r := range s {
			switch {
			case r == unicode.ReplacementChar:
			case r == '\u200d' && len(s) > len("\u200d"): // joins a cluster
			case unicode.IsControl(r), unicode.Is(unicode.Cf, r), unicode.Is(unicode.Co, r), unicode.Is(unicode.Zl, r), unicode.Is(unicode.Zp, r), r == '\u115f', r == '\u3164':
				t.Fatalf("a cell holds %U", r)
			case ascii && r > 0x7e:
				t.Fatalf("a cell holds %U", r)
			}
		}
	}
	for y := range h {
		for x := range w {
			s, _, _ := c.Cell(x, y)
			check(s)
		}
	}
	check(c.Title)
}

func hostileScenes(a string) map[string]func(*world) {
	bad := func(w *world) *fakeHost {
		h := work(w)
		h.link.Name, h.link.Groups = "root@"+a, []string{a}
		h.link.Target = policy.Target{Asked: a, Account: a}
		h.sess.view.Cwd, h.sess.view.Shell, h.sess.view.Alarm = "/"+a, a, a
		return h
	}
	return map[string]func(*world){
		"remote": func(w *world) {
			w.connect("root@x").print(strings.NewReplacer("\u00ad", "", "\u115f", "", "\u3164", "", "\ue000", "", "\U000f0000", "").Replace(a))
		},
		"linus": func(w *world) {
			h := bad(w)
			u := copilot.Untrusted(a)
			h.linus.state.Intent.Summary = u
			h.linus.state.Intent.Steps = []copilot.Step{{Status: copilot.Current, Text: u}}
			h.linus.state.Suggestions = []copilot.Suggestion{{ID: a, Seq: 1, Command: u, Description: u, Injected: []string{a}}}
			h.linus.state.Chat = []copilot.Message{{Number: 1, From: copilot.Linus, Text: u}, {Number: 2, From: copilot.Operator, Text: u, Delivery: copilot.Failed, Reason: "no"}}
			w.settle()
			w.press("C-]", "1")
		},
		"policy": func(w *world) {
			h := bad(w)
			w.identity = policy.Identity{ID: a, Version: a, Owner: a}
			d := policy.Decision{Effect: policy.Deny, Why: a, By: a, Policy: w.identity, Rules: []policy.Match{{ID: a, Message: a, Alternative: a, Effect: policy.Deny}}}
			h.sess.view.Refused = &gate.Refusal{By: gate.ByPolicy, Decision: d, Reason: a, Remedy: a}
			w.log.Refusing, w.log.Collector = a, &Collector{Err: a}
		},
		"consent": func(w *world) {
			h := bad(w)
			w.question(h, gate.Question{Kind: gate.Input, Origin: policy.Agent, Text: a, Program: a, Phrase: "x 11", Suggestion: &gate.Suggestion{ID: a, Agent: a, Text: a}, Edited: true})
		},
		"connecting": func(w *world) {
			w.hosts = append(w.hosts, &fakeHost{w: w, id: "h1", link: Link{Name: a, Phase: Lost, Step: a, Err: errors.New(a), Hint: a}})
			w.put(&question{host: "h1", ask: secretQuestion{a, true}})
		},
		"host key": func(w *world) {
			w.hosts = append(w.hosts, &fakeHost{w: w, id: "h1", link: Link{Name: a, Phase: Connecting, Step: a}})
			w.put(&question{host: "h1", ask: remote.HostKeyQuestion{Host: a, Address: a, Type: a, Fingerprint: a, File: a}})
		},
		"field": func(w *world) {
			h := bad(w)
			h.sess.view.State, h.sess.view.Running, h.sess.view.Held = session.Field, a, 2
			h.sess.view.Field = &session.FieldView{ID: 1, Program: a, Prompt: a}
		},
		"compose": func(w *world) {
			h := bad(w)
			h.sess.view.Degraded, h.sess.view.Compose = a, &session.Composing{Lines: []string{a, a}, Search: a}
		},
		"held": func(w *world) {
			h := bad(w)
			h.sess.view.State, h.sess.view.Running, h.sess.view.Held, h.sess.view.Program = session.Running, a, 2, a
		},
	}
}

// The remote cannot hide what it prints, nor reach anything outside its cells.
func TestTheRemoteCannotHide(t *testing.T) {
	for _, c := range []struct{ name, print string }{
		{"conceal", "\x1b[8mhidden\x1b[0m"},
		{"foreground as background", "\x1b[31;41mhidden\x1b[0m"},
		{"black on a dark terminal", "\x1b[30mhidden\x1b[0m"},
		{"the same in 24 bits", "\x1b[38;2;1;2;3;48;2;1;2;3mhidden\x1b[0m"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, 80, 24, Options{})
			h := w.connect("root@x")
			h.print(c.print)
			cv := w.settle()
			s, _, st := cv.Cell(1, 1)
			if s != "h" || st.Fg != nil && (st.Fg == st.Bg || st.Fg == ansi.BasicColor(0)) {
				t.Errorf("cell %q %+v", s, st)
			}
		})
	}
}

// The gutter belongs to the console: no output moves it or draws into it.
func TestTheGutterIsOurs(t *testing.T) {
	w := newWorld(t, 80, 24, Options{})
	h := w.connect("root@x")
	h.print("\x1b[1;1H→forged\x1b[5;200H→\x1b[999D→\r→\n→")
	cv := w.settle()
	for y := range 24 {
		if s, _, _ := cv.Cell(0, y); s != " " {
			t.Errorf("row %d of the gutter holds %q", y, s)
		}
	}
}
