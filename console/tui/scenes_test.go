package tui

import (
	"errors"
	"strings"
	"time"

	"sallyport/console/copilot"
	"sallyport/console/gate"
	"sallyport/console/remote"
	"sallyport/console/session"
	"sallyport/policy"
)

// scene is one state of the screen.
type scene struct {
	name string
	set  func(*world)
}

func exit(n int) *int { return &n }

func confidence(f float64) *float64 { return &f }

// work is the state that most scenes begin with: somebody looks into a full
// disk.
func work(w *world) *fakeHost {
	h := w.connect("root@prod-web-03")
	h.link.Production = true
	h.link.Groups = []string{"prod"}
	h.ran(session.Command{Line: "df -h /var", Exit: exit(0)},
		"Filesystem      Size  Used Avail Use% Mounted on\n/dev/sda1        45G   42G  1.2G  98% /\n")
	h.ran(session.Command{Line: "du -ah /var | sort -rh | head -20", Exit: exit(0), Suggestion: &gate.Suggestion{ID: "cmd_0"}},
		"4.2G    /var/log/syslog\n2.1G    /var/log/journal\n")
	h.ran(session.Command{Line: "systemctl restart rsyslog", Exit: exit(1), Risk: policy.Medium}, "Failed to restart rsyslog.service\n")
	h.prompt()
	h.linus = &fakeLinus{state: linusState(w)}
	h.judge = judgeWork
	return h
}

func linusState(w *world) copilot.State {
	return copilot.State{
		Configured: true, Online: true, Since: w.at.Add(-time.Hour), Sends: copilot.SendTail, Server: "linus",
		Intent: copilot.Intent{
			Summary: "Investigating /var disk usage", Confidence: confidence(0.85), At: w.at,
			Steps: []copilot.Step{
				{Status: copilot.Done, Text: "Check overall usage with df -h"},
				{Status: copilot.Done, Text: "Find the largest directories"},
				{Status: copilot.Current, Text: "List the largest files in /var/log"},
				{Status: copilot.Pending, Text: "Rotate or clean them safely"},
			},
		},
		Suggestions: []copilot.Suggestion{
			{ID: "cmd_1", Seq: 1, Command: "ls -lhS /var/log/*.log | head -10", Description: "List largest log files", Claimed: policy.Low},
			{ID: "cmd_2", Seq: 2, Command: "journalctl --vacuum-size=200M", Description: "Shrink the journal", Claimed: policy.Low},
			{ID: "cmd_3", Seq: 3, Command: "apt-get clean && apt-get autoremove -y", Description: "Remove packages nobody needs", Claimed: policy.Medium},
		},
		Chat: []copilot.Message{
			{Number: 1, From: copilot.Operator, Text: "/var is full, what's eating it", Delivery: copilot.Sent},
			{Number: 2, From: copilot.Linus, Text: "`/var/log` holds 4.2G. Start with the largest files."},
		},
	}
}

// judgeWork is the verdict of a policy as the specification's example has it.
func judgeWork(text string) policy.Decision {
	d := policy.Decision{Analyzable: true, By: "effects.copilot.low"}
	rule := func(risk policy.Risk, effect policy.Effect, id, message, instead string) {
		d.Risk, d.Effect, d.By = risk, effect, "rule "+id
		d.Rules = append(d.Rules, policy.Match{ID: id, Risk: risk, Effect: effect, Message: message, Alternative: instead})
	}
	switch {
	case has(text, "mkfs"):
		rule(policy.High, policy.Deny, "disk.mkfs", "makes a new file system over the data on /dev/sda1", "lsblk -f")
	case has(text, "vacuum"):
		rule(policy.High, policy.Typed, "log-tamper.vacuum", "removes journal entries that a reviewer may need", "journalctl --disk-usage; ship the journal first")
	case has(text, "autoremove"):
		rule(policy.Medium, policy.Confirm, "pkg.autoremove", "removes packages", "apt-get -s autoremove")
	}
	return d
}

func (w *world) question(h *fakeHost, q gate.Question) {
	q.Session = h.sess.view.ID
	q.Target = h.link.Target
	q.Decision = h.Judge(copilot.Suggestion{}, q.Text)
	q.Cwd = "/var/log"
	w.put(&question{session: q.Session, ask: q})
}

// put opens a question as a waiting goroutine would.
func (w *world) put(q *question) {
	w.dialogs.mu.Lock()
	defer w.dialogs.mu.Unlock()
	w.dialogs.next++
	q.id, q.answer = w.dialogs.next, make(chan any, 1)
	w.dialogs.open = append(w.dialogs.open, q)
}

// quiet lets a dialog that was drawn become ready.
func (w *world) quiet() {
	w.frame()
	w.wait(quietTime)
	w.frame()
}

var scenes = []scene{
	{"work", func(w *world) { work(w) }},
	{"no-copilot", func(w *world) {
		w.alone = true
		work(w).linus = nil
	}},
	{"connecting", func(w *world) {
		w.hosts = append(w.hosts, &fakeHost{w: w, id: "h1", link: Link{Name: "root@prod-web-03", Phase: Connecting, Step: "key exchange", Since: w.at}})
		w.frame()
		w.wait(3 * time.Second)
	}},
	{"not-connected", func(w *world) {
		w.hosts = append(w.hosts, &fakeHost{w: w, id: "h1", link: Link{
			Name: "root@prod-web-03", Phase: Lost, Since: w.at, Hint: "is the host up, and is 22 its port?",
			Err: errors.New("prod-web-03: connect: dial tcp 10.2.0.3:22: connection refused"),
		}})
	}},
	{"unknown-host", func(w *world) {
		w.hosts = append(w.hosts, &fakeHost{w: w, id: "h1", link: Link{Name: "root@prod-web-03", Phase: Connecting, Step: "host key", Since: w.at}})
		w.put(&question{host: "h1", ask: hostKeyQuestion})
		w.quiet()
	}},
	{"changed-key", func(w *world) {
		w.hosts = append(w.hosts, &fakeHost{w: w, id: "h1", link: Link{
			Name: "root@prod-web-03", Phase: Lost, Since: w.at, Hint: "Remove that line only if the change was announced.",
			Err: errors.New("prod-web-03 shows another key than line 12 of known_hosts. Someone may be in between. Nothing was sent"),
		}})
	}},
	{"passphrase", func(w *world) {
		w.hosts = append(w.hosts, &fakeHost{w: w, id: "h1", link: Link{Name: "root@prod-web-03", Phase: Connecting, Step: "authentication", Since: w.at}})
		w.put(&question{host: "h1", ask: secretQuestion{"Passphrase for ~/.ssh/id_ed25519:", false}})
		w.frame()
		w.types("letmein")
	}},
	{"starting", func(w *world) {
		h := w.connect("root@prod-web-03")
		h.sess.view = session.View{ID: "s-h1", State: session.Boot}
	}},
	{"offline", func(w *world) {
		h := work(w)
		h.linus.state.Online, h.linus.state.Since = false, w.at.Add(-2*time.Minute)
		h.linus.state.Reason, h.linus.state.Queued = "linus: no such program", 1
		h.linus.state.Chat = append(h.linus.state.Chat, copilot.Message{Number: 3, From: copilot.Operator, Text: "and now?", Delivery: copilot.Queued})
	}},
	{"log-refuses", func(w *world) {
		work(w)
		w.log.Refusing = "no space on /var/lib/sallyport (12 KiB free of 20 GiB)"
		w.log.KeysUntil = w.at.Add(47 * time.Second)
	}},
	{"glass", func(w *world) {
		work(w)
		w.log.Refusing, w.glass = "no space on /var/lib/sallyport (12 KiB free of 20 GiB)", true
		w.settle()
		w.press("C-]", "!")
		w.types("payments are down, INC-4711")
	}},
	{"glass-broken", func(w *world) {
		work(w)
		w.log.Glass = true
	}},
	{"collector-behind", func(w *world) {
		work(w)
		w.log.Collector = &Collector{Behind: 1204, Age: 3 * time.Minute, Err: "connection refused"}
	}},
	{"slow", func(w *world) {
		h := work(w)
		h.sess.view.State, h.sess.view.Waiting = session.Waiting, w.at.Add(-3*time.Second)
	}},
	{"degraded", func(w *world) {
		w.alone = true
		h := w.connect("admin@switch-7")
		h.print("switch-7> ")
		h.sess.view.Shell, h.sess.view.Cwd, h.sess.view.LastExit = "plain", "", nil
		h.sess.view.Degraded, h.sess.view.Evidence = "ForceCommand", gate.EvidenceScreen
		h.sess.view.Compose = &session.Composing{Lines: []string{"show interfaces status"}, Column: 22}
	}},
	{"read-only", func(w *world) {
		h := work(w)
		h.sess.view.ReadOnly, h.sess.view.Evidence = "policy wants evidence shell, this session has screen", gate.EvidenceScreen
	}},
	{"held-keys", func(w *world) {
		h := work(w)
		h.print("sleep 30\n")
		h.sess.view.State, h.sess.view.Running, h.sess.view.Since, h.sess.view.Held = session.Running, "sleep 30", w.at.Add(-4*time.Second), 12
	}},
	{"line-field", func(w *world) {
		h := work(w)
		h.print("apt upgrade\nDo you want to continue? [Y/n] ")
		h.sess.view.State, h.sess.view.Running, h.sess.view.Since = session.Field, "apt upgrade", w.at.Add(-4*time.Second)
		h.sess.view.Field = &session.FieldView{ID: 1, Kind: session.LineField, Program: "apt", Prompt: "Do you want to continue? [Y/n] "}
		w.frame()
		w.types("Y")
	}},
	{"secret-field", func(w *world) {
		h := work(w)
		h.print("sudo -v\n[sudo] password for ops: ")
		h.sess.view.State, h.sess.view.Running, h.sess.view.Since = session.Field, "sudo -v", w.at.Add(-4*time.Second)
		h.sess.view.Field = &session.FieldView{ID: 1, Kind: session.SecretField, Program: "sudo", Prompt: "[sudo] password for ops: "}
		w.frame()
		w.types("four")
	}},
	{"denied-line", func(w *world) {
		h := work(w)
		h.print("mkfs.ext4 /dev/sda1")
		h.sess.view.Refused = &gate.Refusal{By: gate.ByPolicy, Decision: h.Judge(copilot.Suggestion{}, "mkfs.ext4 /dev/sda1")}
	}},
	{"refused-line", func(w *world) {
		h := work(w)
		h.sess.view.Refused = &gate.Refusal{By: gate.ByChange, Reason: "the prompt changed while the question was open", Remedy: "press Enter again"}
	}},
	{"alarm", func(w *world) {
		h := work(w)
		h.sess.view.Alarms, h.sess.view.Alarm = 1, "a line was stopped that nobody approved"
	}},
	{"confirm", func(w *world) {
		h := work(w)
		w.question(h, gate.Question{Kind: gate.Line, Origin: policy.Human, Evidence: gate.EvidenceShell, Text: "apt-get clean && apt-get autoremove -y"})
		w.quiet()
	}},
	{"confirm-early", func(w *world) {
		h := work(w)
		w.question(h, gate.Question{Kind: gate.Line, Origin: policy.Human, Evidence: gate.EvidenceShell, Text: "apt-get autoremove -y"})
		w.frame()
		w.wait(100 * time.Millisecond)
	}},
	{"clipboard", func(w *world) {
		w.m.console = askingWorld{w}
		work(w).print("\x1b]52;c;c2ggLWMgInJtIC1yZiAvc3J2Igo=\a")
		w.quiet()
	}},
	{"paste", func(w *world) {
		h := work(w)
		h.judge = func(string) policy.Decision {
			return policy.Decision{Risk: policy.Low, Effect: policy.Confirm, By: "effects.paste.low", Analyzable: true}
		}
		w.question(h, gate.Question{Kind: gate.Line, Origin: policy.Paste, Evidence: gate.EvidenceShell, Text: "ls -l\ndf -h"})
		w.quiet()
	}},
	{"typed", func(w *world) {
		h := work(w)
		w.question(h, gate.Question{
			Kind: gate.Line, Origin: policy.Copilot, Evidence: gate.EvidenceShell, Edited: true, Phrase: "prod-web-03 47",
			Text: "journalctl --vacuum-size=200M --vacuum-time=7d", Suggestion: &gate.Suggestion{ID: "cmd_2", Text: "journalctl --vacuum-size=200M"},
		})
		w.quiet()
		w.types("prod-web-")
	}},
	{"typed-hidden", func(w *world) {
		h := work(w)
		w.question(h, gate.Question{
			Kind: gate.Line, Origin: policy.Agent, Evidence: gate.EvidenceShell, Phrase: "prod-web-03 47",
			Text: "echo ok\u200b; journalctl \u202e--vacuum-size=1M\n\techo done ", Suggestion: &gate.Suggestion{ID: "agent:7", Agent: "nightly-fixer", Text: "x"},
		})
		w.quiet()
	}},
	{"draft", func(w *world) {
		work(w)
		w.settle()
		w.press("C-]", "2")
		w.types(" --vacuum-time=7d")
		w.settle()
		w.quiet()
	}},
	{"draft-denied", func(w *world) {
		work(w)
		w.settle()
		w.press("C-]", "1", "C-u")
		w.types("mkfs.ext4 /dev/sda1")
		w.settle()
	}},
	{"draft-judging", pressed("C-]", "1")},
	{"lost", func(w *world) {
		h := work(w)
		h.link.Phase, h.link.Up, h.link.Since = Lost, w.at.Add(-2*time.Hour-13*time.Minute), w.at
		h.link.Err = errors.New("no answer for 45 s")
	}},
	{"ended", func(w *world) {
		h := work(w)
		h.sess.view.State, h.link.Phase = session.Dead, Closed
	}},
	{"suggestions", pressed("C-]", "s", "j")},
	{"chat", func(w *world) {
		work(w)
		w.settle()
		w.press("C-]", "c")
		w.types("is it safe to vacuum?")
	}},
	{"intent", pressed("C-]", "i")},
	{"leader", pressed("C-]")},
	{"help", pressed("C-]", "?")},
	{"palette", func(w *world) {
		work(w)
		w.settle()
		w.press("C-]", ":")
		w.types("se")
	}},
	{"open-host", func(w *world) {
		work(w)
		w.settle()
		w.press("C-]", "o")
		w.types("ops@db-01")
	}},
	{"close", pressed("C-]", "q")},
	{"tabs", func(w *world) {
		h := work(w)
		other := w.connect("ops@db-01")
		other.print("ops@db-01:~$ ")
		w.question(h, gate.Question{Kind: gate.Line, Origin: policy.Human, Text: "apt-get autoremove -y"})
	}},
	{"sessions", func(w *world) {
		work(w)
		w.connect("ops@db-01").link.Phase = Lost
		w.settle()
		w.press("C-]", "t")
	}},
	{"copy-mode", pressed("C-]", "v", "k", "0", "v", "$")},
	{"search", func(w *world) {
		work(w)
		w.settle()
		w.press("C-]", "/")
		w.types("syslog")
		w.press("Enter")
	}},
	{"panels-off", pressed("C-]", "w")},
	{"program", func(w *world) {
		h := work(w)
		h.print("\x1b[?1049h\x1b[2J\x1b[H\x1b[7m  top - 03:00:01 up 12 days \x1b[0m\n\n\x1b[1m  PID USER  %CPU COMMAND\x1b[0m\n 4242 root  98.0 rsyslogd\n")
		h.sess.view.State, h.sess.view.Program = session.Keys, "top"
	}},
	{"empty", func(w *world) {}},
}

var hostKeyQuestion = remote.HostKeyQuestion{
	Host: "prod-web-03", Address: "10.2.0.3", Type: "ED25519",
	Fingerprint: "SHA256:hbN6fZ1mQ0c2TqvXq7dK1w5r8oYtUu3pJ9sLkEaVxg4", File: "/home/ops/.ssh/known_hosts",
}

func has(s, part string) bool { return strings.Contains(s, part) }

// pressed is a session at work in which these keys were pressed.
func pressed(keys ...string) func(*world) {
	return func(w *world) {
		work(w)
		w.settle()
		w.press(keys...)
	}
}
