package tui

import (
	"errors"
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"sallyport/console/copilot"
	"sallyport/console/gate"
	"sallyport/console/session"
	"sallyport/policy"
)

func init() { scenes = append(scenes, moreScenes...) }

// consent is a question of one kind at work.
func consent(set func(*gate.Question)) func(*world) {
	return func(w *world) {
		h := work(w)
		q := gate.Question{Kind: gate.Line, Origin: policy.Human, Evidence: gate.EvidenceShell}
		set(&q)
		w.question(h, q)
		w.quiet()
	}
}

// linesOf is a command of n lines.
func linesOf(n int) string {
	rows := make([]string, n)
	for i := range rows {
		rows[i] = fmt.Sprintf("echo line %02d && apt-get autoremove -y", i+1)
	}
	return strings.Join(rows, "\n")
}

// moreScenes are what is asked and said less often.
var moreScenes = []scene{
	{"consent-long", consent(func(q *gate.Question) {
		q.Text = "apt-get autoremove -y " + strings.Repeat("package-of-some-name ", 240)[:4978]
	})},
	{"consent-lines", consent(func(q *gate.Question) { q.Text = linesOf(30) })},
	{"consent-lines-end", func(w *world) {
		consent(func(q *gate.Question) { q.Text = linesOf(30) })(w)
		w.press("PageDown", "PageDown", "PageDown", "PageDown", "PageDown", "PageDown", "PageDown", "PageDown")
	}},
	{"consent-wide", consent(func(q *gate.Question) {
		q.Text = "echo 日本語の文字列 한국어 👍 | autoremove " + strings.Repeat("漢字", 60)
	})},
	{"consent-rtl", consent(func(q *gate.Question) {
		q.Text = "echo שלום עולם مرحبا; autoremove \u202etxt.exe\u202c a\u200bb\u00a0c"
	})},
	{"consent-unanalyzable", func(w *world) {
		h := work(w)
		h.judge = func(string) policy.Decision {
			return policy.Decision{Risk: policy.High, Effect: policy.Confirm, By: "unanalyzable", Why: "eval runs what $X holds, and nobody knows what that is"}
		}
		w.question(h, gate.Question{Kind: gate.Line, Origin: policy.Human, Evidence: gate.EvidenceScreen, Text: `eval "$X"`})
		w.quiet()
	}},
	{"consent-input", consent(func(q *gate.Question) {
		q.Kind, q.Origin, q.Program, q.Text = gate.Input, policy.Input, "psql", "drop table autoremove;"
	})},
	{"consent-keys", consent(func(q *gate.Question) { q.Kind, q.Program, q.Text = gate.Keys, "mc", "mc autoremove" })},
	{"consent-code", consent(func(q *gate.Question) { q.Kind, q.Text = gate.Code, `bind -x '"\C-t": autoremove'` })},
	{"consent-file", consent(func(q *gate.Question) {
		q.Kind, q.Origin, q.Text = gate.File, policy.File, "write /home/ops/autoremove"
	})},
	{"refused-by-you", func(w *world) {
		work(w).sess.view.Refused = &gate.Refusal{By: gate.ByOperator, Reason: "answered with no"}
	}},
	{"denied-dropped", func(w *world) {
		h := work(w)
		h.print("mkfs /dev/sda1")
		h.sess.view.Refused, h.sess.view.Dropped = &gate.Refusal{By: gate.ByPolicy, Decision: h.Judge(copilot.Suggestion{}, "mkfs /dev/sda1")}, 23
	}},
	{"denied-hidden", func(w *world) {
		h := work(w)
		text := "mkfs /dev/sda1 a\u200bb \u202etxt\u202c\n\tls"
		h.print("mkfs /dev/sda1 ab txt")
		h.sess.view.Refused = &gate.Refusal{By: gate.ByPolicy, Decision: h.Judge(copilot.Suggestion{}, text), Text: text}
	}},
	{"instead-line", func(w *world) {
		work(w).sess.view.Refused = &gate.Refusal{By: gate.ByPolicy, Reason: "vi is started so that it runs no shell", Instead: "vi -Z /etc/hosts"}
	}},
	{"tainted", func(w *world) {
		h := work(w)
		w.settle()
		h.sess.view.Tainted = []string{"trap 'id' DEBUG"}
	}},
	{"welcome", func(w *world) {
		work(w)
		w.m.greet = true
	}},
	{"nested", func(w *world) {
		h := work(w)
		h.sess.view.Frames = []policy.Target{h.link.Target, {Asked: "prod-web-03", Account: "postgres"}, {Container: "db"}}
	}},
	{"died", func(w *world) {
		h := work(w)
		h.sess.view.State, h.sess.view.Error = session.Dead, errors.New("the channel was closed by the host")
	}},
	{"thinking", func(w *world) {
		h := work(w)
		s := &h.linus.state
		s.Thinking = true
		s.Chat[0].At = w.at.Add(-4 * time.Second)
		s.Suggestions, s.Intent = nil, copilot.Intent{}
		w.settle()
		w.press("C-]", "c")
	}},
	{"new-messages", func(w *world) {
		h := work(w)
		for i := range 30 {
			h.linus.state.Chat = append(h.linus.state.Chat, copilot.Message{Number: 3 + i, From: copilot.Linus, Text: copilot.Untrusted(fmt.Sprintf("message %d", i))})
		}
		w.settle()
		w.press("C-]", "c", "PageUp")
		w.frame()
		for i := range 2 {
			h.linus.state.Chat = append(h.linus.state.Chat, copilot.Message{Number: 50 + i, From: copilot.Linus, Text: "news"})
		}
	}},
	{"chat-refused", func(w *world) {
		h := work(w)
		h.chatErr = errors.New("200 messages wait already: the new one was not taken")
		w.settle()
		w.press("C-]", "c")
		w.types("and now?")
		w.press("Enter")
	}},
	{"chat-failed", func(w *world) {
		h := work(w)
		h.linus.state.Chat[0].Delivery, h.linus.state.Chat[0].Reason = copilot.Failed, "linus ended while it read it"
		w.settle()
		w.press("C-]", "c")
	}},
	{"suggestion-marks", func(w *world) {
		h := work(w)
		s := h.linus.state.Suggestions
		s[0].Sent, s[0].Mentioned = true, true
		s[1].Hidden, s[1].Command = true, "journalctl \u200b--vacuum-size=200M"
		s[2].Injected, s[2].Unclaimed, s[2].Newer = []string{"autoremove"}, true, &copilot.Suggestion{Command: "apt-get clean"}
		h.linus.state.Suggestions = append(s, copilot.Suggestion{ID: "cmd_4", Seq: 4, Command: "mkfs /dev/sda1", Withdrawn: true})
		w.settle()
		w.press("C-]", "s")
	}},
	{"draft-newer", func(w *world) {
		h := work(w)
		h.linus.state.Suggestions[0].Injected = []string{"/var/log"}
		h.linus.state.Suggestions[0].Newer = &copilot.Suggestion{Command: "ls -lhS /var/log | head"}
		w.settle()
		w.press("C-]", "1")
		w.settle()
	}},
	{"draft-refused", func(w *world) {
		h := work(w)
		h.sendErr = func(string) error {
			return &gate.Refusal{By: gate.ByLog, Reason: "the intent could not be recorded", Remedy: "make the log writable, then send again"}
		}
		w.settle()
		w.press("C-]", "1")
		w.settle()
		w.quiet()
		w.press("Enter")
		w.settle()
	}},
	{"draft-long", func(w *world) {
		work(w)
		w.settle()
		w.press("C-]", "1")
		w.paste(" && echo " + strings.Repeat("a-word-and-more ", 60))
		w.settle()
	}},
	{"sending", func(w *world) {
		work(w)
		w.settle()
		w.press("C-]", "1")
		w.settle()
		w.quiet()
		w.press("Enter")
		w.cmds = nil
		w.wait(3 * time.Second)
	}},
	{"glass-waits", func(w *world) {
		work(w)
		w.log.Refusing, w.glass = "no space on /var/lib/sallyport (12 KiB free of 20 GiB)", true
		w.settle()
		w.press("C-]", "!")
		w.types("INC-4711")
		w.press("Enter")
		w.cmds = nil
		w.wait(3 * time.Second)
	}},
	{"composing", func(w *world) {
		w.alone = true
		h := w.connect("admin@switch-7")
		h.print("switch-7> ")
		h.sess.view.Shell, h.sess.view.Cwd, h.sess.view.LastExit = "plain", "", nil
		h.sess.view.Degraded, h.sess.view.Evidence = "network device", gate.EvidenceComposed
		h.sess.view.Compose = &session.Composing{Lines: []string{"show interfaces", "show version"}, Line: 1, Column: 12, Search: "show", Candidates: []string{"version", "vlan", "vrrp"}}
	}},
	{"mouse-selection", func(w *world) {
		work(w)
		w.settle()
		w.send(tea.MouseClickMsg{X: 5, Y: 2, Button: tea.MouseLeft})
		w.send(tea.MouseMotionMsg{X: 20, Y: 4, Button: tea.MouseLeft})
	}},
	{"copied", func(w *world) {
		work(w)
		w.settle()
		w.send(tea.MouseClickMsg{X: 5, Y: 2, Button: tea.MouseLeft})
		w.send(tea.MouseMotionMsg{X: 20, Y: 4, Button: tea.MouseLeft})
		w.send(tea.MouseReleaseMsg{X: 20, Y: 4, Button: tea.MouseLeft})
	}},
	{"copy-block", pressed("C-]", "v", "k", "k", "k", "0", "C-v", "j", "j", "l", "l", "l", "l")},
	{"scrolled", func(w *world) {
		h := work(w)
		for i := range 100 {
			h.print(fmt.Sprintf("row %02d\n", i))
		}
		w.settle()
		for range 5 {
			w.send(tea.MouseWheelMsg{X: 5, Y: 5, Button: tea.MouseWheelUp})
		}
	}},
	{"search-asks", func(w *world) {
		work(w)
		w.settle()
		w.press("C-]", "/")
		w.types("sys")
	}},
	{"search-none", func(w *world) {
		work(w)
		w.settle()
		w.press("C-]", "/")
		w.types("nowhere")
		w.press("Enter")
	}},
	{"nothing-to-do", pressed("C-]", "r")},
	{"many-tabs", func(w *world) {
		for range 8 {
			w.connect("operator@a-host-with-a-name")
		}
		work(w)
	}},
}
