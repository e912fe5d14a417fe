package session_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"sallyport/console/gate"
	"sallyport/console/session"
	"sallyport/policy"
)

// shells runs a test in each shell named by its letter.
func shells(t *testing.T, letters string, f func(t *testing.T, shell string)) {
	for _, c := range onLink(t, strings.ReplaceAll(letters, "d", nightly("dako", "d"))) {
		t.Run(shellNames[c], func(t *testing.T) { f(t, shellNames[c]) })
	}
}

var (
	integrated = "bzf"
	all        = "bzfd"
)

func (r *rig) path(name string) string { return filepath.Join(r.host.Home, name) }

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// becomes types keys at a prompt, which make a line of it, and runs that.
func (r *rig) becomes(typed, line string) {
	r.t.Helper()
	r.state(session.Prompt)
	r.typed(typed)
	r.quiet()
	if c := r.run(""); strings.TrimSpace(c.Line) != line {
		r.t.Errorf("%s makes %q, want %q", typed, c.Line, line)
	}
}

func backspaces(n int) string { return strings.Repeat("<Backspace>", n) }

// quiet waits until nothing has changed for a while: what was going to happen
// has happened.
func (r *rig) quiet() {
	for {
		select {
		case <-r.kick:
		case <-time.After(250*time.Millisecond + 2*r.latency):
			return
		}
	}
}

// nightly gives all the letters at night, and some of them in a quick run:
// what a row shows does not depend much on the shell there.
func nightly(letters, quick string) string {
	if os.Getenv("SALLYPORT_NIGHTLY") != "" {
		return letters
	}
	return quick
}

func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == "__device" {
		os.Exit(routerMain(os.Args[2]))
	}
	flag.Parse()
	_ = flag.Set("test.parallel", "10") // the tests wait most of the time
	code := m.Run()
	if missing := ran.missing(); code == 0 && wholeRun() && len(missing) > 0 {
		fmt.Println("FAIL: rows of the acceptance table that did not run:\n" + strings.Join(missing, "\n"))
		code = 1
	}
	os.Exit(code)
}

// Row 1.
func TestLineExitCwdAndOutputAreExact(t *testing.T) {
	shells(t, all, func(t *testing.T, shell string) {
		r := start(t, setup{shell: shell})
		c := r.run("echo hi; cd /tmp; sh -c 'exit 7'")
		if c.Line != "echo hi; cd /tmp; sh -c 'exit 7'" || c.Exit == nil || *c.Exit != 7 || c.Cwd != "/tmp" {
			t.Errorf("got %+v", c)
		}
		if !composed(shell) && shell != "fish" && c.OutputBytes != 4 {
			t.Errorf("output %d bytes, want 4", c.OutputBytes)
		}
		r.until("outcome recorded", func() bool { return len(r.records("command.outcome")) == 1 })
		if in := r.records("command.intent"); len(in) != 1 || in[0]["command"] != c.Line {
			t.Errorf("intents %v", in)
		}
	})
}

// Row 2.
func TestDeniedLineStaysToBeEdited(t *testing.T) {
	shells(t, all, func(t *testing.T, shell string) {
		r := start(t, setup{shell: shell})
		f := r.path("made")
		r.state(session.Prompt)
		r.typed("touch " + f + " DENYME<Enter>")
		if ref := r.refused(); ref.By != gate.ByPolicy {
			t.Errorf("refused by %s", ref.By)
		}
		if exists(f) {
			t.Error("ran")
		}
		r.typed(backspaces(7))
		if c := r.run(""); strings.TrimSpace(c.Line) != "touch "+f || !exists(f) {
			t.Errorf("after the edit: %+v", c)
		}
	})
}

// Row 3.
func TestKeysWaitWhileAQuestionIsOpen(t *testing.T) {
	shells(t, nightly(all, "bd"), func(t *testing.T, shell string) {
		r := start(t, setup{shell: shell})
		f := r.path("made")
		answers := make(chan gate.Answer)
		r.asks.answer(func(gate.Question) (gate.Answer, error) { return <-answers, nil })
		r.state(session.Prompt)
		r.typed("touch " + f + " #CONFIRM<Enter>")
		r.state(session.Confirm)
		r.typed("x<Enter>")
		r.until("keys are held", func() bool { return r.s.View().Held == 2 })
		answers <- gate.Answer{}
		r.state(session.Prompt)
		if exists(f) || r.s.View().Held != 0 {
			t.Error("a refusal let something through")
		}
		r.typed("<Enter>")
		answers <- gate.Answer{Send: true}
		r.ended(0)
		if !exists(f) {
			t.Error("approved and not run")
		}
	})
}

// Row 4.
func TestEveryKeyThatAcceptsALineAsks(t *testing.T) {
	shells(t, integrated, func(t *testing.T, shell string) {
		r := start(t, setup{shell: shell})
		f := r.path("made")
		for _, k := range []string{"<C-j>", "<C-o>", "<M-Enter>", "<C-x><C-j>", "<M-a>"} {
			r.state(session.Prompt)
			r.typed("<C-u>touch " + f + " DENYME" + k)
			r.quiet()
			if exists(f) {
				t.Fatalf("ran on %s", k)
			}
		}
		r.typed("<C-c>")
		if c := r.run("echo ok"); c.Line != "echo ok" {
			t.Errorf("after: %+v", c)
		}
	})
}

// Row 6.
func TestRecalledAndExpandedLinesAreJudgedWhole(t *testing.T) {
	shells(t, nightly(integrated, "zf"), recalled)
	if slow(t) && nightly("y", "") == "" {
		return
	}
	t.Run("bash, expanded", expanded)
}

// recalled lines come from the shell's own history.
func recalled(t *testing.T, shell string) {
	r := start(t, setup{shell: shell})
	r.run("echo one two")
	r.run("echo three")
	r.becomes("<Up><Up>", "echo one two")
	r.state(session.Prompt)
	r.typed("<C-r>three")
	r.quiet()
	if shell == "fish" { // 3.6 has no search of its own on the key, and a filter on Up
		r.typed("<C-c>")
		r.state(session.Prompt)
		r.typed("three<Up>")
		r.quiet()
	}
	if c := r.run(""); c.Line != "echo three" {
		t.Errorf("searched %q", c.Line)
	}
	if shell == "zsh" {
		if c := r.run("echo !$ !!"); c.Line != "echo three echo three" {
			t.Errorf("expanded to %q", c.Line)
		}
		if c := r.run("^three^four"); c.Line != "echo four echo three" {
			t.Errorf("caret gave %q", c.Line)
		}
	}
	r.state(session.Prompt)
	r.typed("<Up> DENYME<Enter>")
	r.refused()
}

func expanded(t *testing.T) {
	r := start(t, setup{shell: "bash"})
	r.run("echo one two")
	if c := r.run("echo !$ !!"); c.Line != "echo two echo one two" {
		t.Errorf("expanded to %q", c.Line)
	}
	if c := r.run("^echo^printf %s_"); !strings.HasPrefix(c.Line, "printf %s_ two") {
		t.Errorf("caret gave %q", c.Line)
	}
	r.state(session.Prompt)
	r.typed("echo !nosuchevent<Enter>")
	if ref := r.refused(); !strings.Contains(ref.Reason, "event") {
		t.Errorf("refusal %v", ref)
	}
	r.typed("<C-c>")
	r.becomes("<Up>", "printf %s_ two echo one two")
	r.becomes("<C-r>one t", "printf %s_ two echo one two")
}

// Row 7.
func TestSeveralLinesAreJudgedJoined(t *testing.T) {
	shells(t, nightly(integrated, "zf"), loops)
	if slow(t) && nightly("y", "") == "" {
		return
	}
	t.Run("bash, heredoc", heredoc)
	t.Run("zsh, heredoc", zshHeredoc)
}

// loops that the editor holds as one buffer, or the shell reads line by line.
func loops(t *testing.T, shell string) {
	r := start(t, setup{shell: shell})
	f := r.path("made")
	lines := []string{"for i in 1 2; do", "touch " + f + "$i", "done"}
	if shell == "fish" {
		lines = []string{"for i in 1 2", "touch " + f + "$i", "end"}
	}
	r.state(session.Prompt)
	for _, l := range lines[:2] {
		r.typed(l + "<Enter>")
		r.quiet()
	}
	r.typed(lines[2] + " #DENYME<Enter>")
	r.refused()
	if exists(f + "1") {
		t.Error("ran")
	}
	r.typed(backspaces(8) + "<Enter>")
	c := r.ended(0)
	if fold(c.Line) != fold(strings.Join(lines, "\n")) || !exists(f+"1") || !exists(f+"2") {
		t.Errorf("loop: %+v", c)
	}
	if in := r.records("command.intent"); len(in) != 1 || in[0]["command"] != c.Line {
		t.Errorf("%d intents, want 1", len(in))
	}
}

// fold leaves an editor's own indentation out.
func fold(text string) string {
	var out []string
	for l := range strings.SplitSeq(text, "\n") {
		out = append(out, strings.TrimSpace(l))
	}
	return strings.Join(out, "\n")
}

func heredoc(t *testing.T) {
	r := start(t, setup{shell: "bash"})
	f := r.path("made")
	r.state(session.Prompt)
	r.typed("for i in 1 2; do<Enter>")
	r.state(session.Continuation)
	r.typed("touch " + f + "$i<Enter>")
	r.until("the shell reads on", func() bool { return r.s.View().State == session.Continuation })
	r.typed("done<Enter>")
	c := r.ended(0)
	if c.Line != "for i in 1 2; do\ntouch "+f+"$i\ndone" || !exists(f+"1") || !exists(f+"2") {
		t.Errorf("loop: %+v", c)
	}
	r.state(session.Prompt)
	r.typed("cat <<X<Enter>a!b<Enter>X<Enter>")
	if c := r.ended(1); c.Line != "cat <<X\na!b\nX" || c.OutputBytes != 5 {
		t.Errorf("heredoc: %+v", c)
	}
	if in := r.records("command.intent"); len(in) != 2 {
		t.Errorf("%d intents, want 2", len(in))
	}
}

// zshHeredoc is one in an editor that keeps the lines together.
func zshHeredoc(t *testing.T) {
	r := start(t, setup{shell: "zsh"})
	r.state(session.Prompt)
	for _, l := range []string{"cat <<X", "a!b DENYME"} {
		r.typed(l + "<Enter>")
		r.quiet()
	}
	r.typed("X<Enter>")
	r.refused()
	r.typed("<C-c>")
	r.state(session.Prompt)
	for _, l := range []string{"cat <<'X'", "a $b"} {
		r.typed(l + "<Enter>")
		r.quiet()
	}
	r.typed("X<Enter>")
	if c := r.ended(0); fold(c.Line) != "cat <<'X'\na $b\nX" || c.OutputBytes != 6 {
		t.Errorf("heredoc: %+v", c)
	}
}

// Row 8.
func TestAContinuedWordIsJudgedJoined(t *testing.T) {
	shells(t, all, func(t *testing.T, shell string) {
		r := start(t, setup{shell: shell})
		f := r.path("made")
		r.state(session.Prompt)
		r.typed("touch " + f + ` DEN\<Enter>`)
		r.typed("YME<Enter>")
		if ref := r.refused(); ref.By != gate.ByPolicy {
			t.Errorf("refused by %s", ref.By)
		}
		if exists(f) {
			t.Error("ran")
		}
		r.typed("<C-c>")
		r.state(session.Prompt)
		if c := r.run("echo ok"); c.Line != "echo ok" {
			t.Errorf("after: %+v", c)
		}
	})
}

// Row 9.
func TestAPasteOfLinesIsOneCleanedRequest(t *testing.T) {
	shells(t, all, func(t *testing.T, shell string) {
		r := start(t, setup{shell: shell})
		f := r.path("made")
		r.state(session.Prompt)
		r.s.Paste("touch " + f + "a\ntouch " + f + "b\x1b[201~\r\nrm -f /nonexistent\x07\n")
		r.quiet()
		if exists(f + "a") {
			t.Fatal("a paste ran")
		}
		if composed(shell) {
			r.judge.set(func(q policy.Request) (policy.Decision, bool) {
				return policy.Decision{Effect: policy.Deny}, strings.Contains(q.Text, "rm -f")
			})
		} else {
			r.judge.set(func(q policy.Request) (policy.Decision, bool) {
				return policy.Decision{Effect: policy.Deny}, q.Origin == policy.Paste
			})
		}
		r.typed("<Enter>")
		if ref := r.refused(); ref.By != gate.ByPolicy {
			t.Errorf("refused by %s: %s", ref.By, ref.Reason)
		}
		if exists(f + "a") {
			t.Error("a part of the paste ran")
		}
		r.judge.set(nil)
		r.typed("<Enter>")
		c := r.ended(0)
		want := "touch " + f + "a\ntouch " + f + "b\nrm -f /nonexistent"
		if got := strings.TrimSuffix(strings.TrimPrefix(c.Line, "{\n"), "\n}"); got != want || !exists(f+"b") {
			t.Errorf("line %q", c.Line)
		}
	})
}

// Row 10.
func TestKeysTypedWhileSomethingRunsAreHeldThenJudged(t *testing.T) {
	shells(t, nightly(all, "bd"), func(t *testing.T, shell string) {
		r := start(t, setup{shell: shell})
		f := r.path("made")
		r.state(session.Prompt)
		wait, end := r.waiting()
		r.typed(wait + "<Enter>")
		r.state(session.Running)
		r.typed("touch " + f + "1<Enter>touch " + f + "2 DENYME<Enter>")
		r.until("held", func() bool { return r.s.View().Held > 20 })
		end()
		r.ended(1)
		r.refused()
		if !exists(f+"1") || exists(f+"2") {
			t.Errorf("1 %v, 2 %v", exists(f+"1"), exists(f+"2"))
		}
	})
}

// Row 16.
func TestInterrupts(t *testing.T) {
	shells(t, nightly(integrated, "b"), func(t *testing.T, shell string) {
		r := start(t, setup{shell: shell})
		r.state(session.Prompt)
		r.typed("sleep 20<Enter>")
		r.state(session.Running)
		r.quiet()
		r.typed("<C-c>")
		if c := r.ended(0); c.Exit == nil || *c.Exit != 130 || c.Status != session.Interrupted {
			t.Errorf("^C: %+v", c)
		}
		r.state(session.Prompt)
		r.typed("sleep 20<Enter>")
		r.state(session.Running)
		r.quiet()
		r.typed("<C-z>")
		if c := r.ended(1); c.Exit == nil || *c.Exit != 148 {
			t.Errorf("^Z: %+v", c)
		}
		r.state(session.Prompt)
		r.typed("touch nothing<C-c>")
		if c := r.run("echo ok"); c.Line != "echo ok" {
			t.Errorf("after ^C: %+v", c)
		}
		r.run("kill -KILL %1")
	})
}

// Row 11.
func TestWhatIsAlreadyInTheTerminalIsJudged(t *testing.T) {
	shells(t, integrated, func(t *testing.T, shell string) {
		r, p, _ := onPeer(t, shell, nil)
		f := p.home + "/made"
		wait, end := r.waiting()
		r.typed(wait + "<Enter>")
		r.state(session.Running)
		p.push("touch " + f + " DENYME\r")
		end()
		r.ended(0)
		r.refused()
		r.quiet()
		if exists(f) {
			t.Error("it ran")
		}
		r.typed("<C-c>")
		if c := r.run("echo ok"); c.Line != "echo ok" {
			t.Errorf("after: %+v", c)
		}
	})
}

// Row 11: a macro that holds Enter, and a key bound to accept-line.
func TestMacrosAndBoundKeysAreJudged(t *testing.T) {
	shells(t, nightly(integrated, "bz"), func(t *testing.T, shell string) {
		if shell == "bash" {
			boundInBash(t)
			return
		}
		boundInTheEditor(t, shell)
	})
}

// boundInTheEditor are keys whose binding types Enter, or accepts the line, in
// shells whose editor asks at each of them.
func boundInTheEditor(t *testing.T, shell string) {
	r := start(t, setup{shell: shell})
	f := r.path("made")
	r.judge.set(func(q policy.Request) (policy.Decision, bool) {
		return policy.Decision{Effect: policy.Deny}, strings.HasPrefix(q.Text, "touch")
	})
	for _, bind := range map[string][]string{
		"zsh":  {`bindkey -s '^G' 'touch ` + f + `^M'`, `bindkey '^G' accept-line`, `mine() { zle accept-line; }; zle -N mine; bindkey '^G' mine`},
		"fish": {`bind \cg 'commandline -r "touch ` + f + `"; commandline -f execute'`, `bind \cg execute`},
	}[shell] {
		r.run(bind)
		r.state(session.Prompt)
		if !strings.Contains(bind, "touch") {
			r.typed("touch " + f)
		}
		n, alarms := r.judged(), r.s.View().Alarms
		r.typed("<C-g>")
		r.until("it is judged, or vetoed", func() bool { v := r.s.View(); return v.Refused != nil && r.judged() > n || v.Alarms > alarms })
		r.quiet()
		if exists(f) {
			t.Errorf("it ran: %s", bind)
		}
		r.typed("<C-c>")
		r.state(session.Prompt)
	}
	if c := r.run("echo still"); c.Line != "echo still" {
		t.Errorf("after: %+v", c)
	}
}

func boundInBash(t *testing.T) {
	r := start(t, setup{shell: "bash"})
	f := r.path("made")
	r.run(`bind '"\C-g": "touch ` + f + ` DENY""ME\C-m"'`)
	r.judge.set(func(q policy.Request) (policy.Decision, bool) {
		return policy.Decision{Effect: policy.Deny}, strings.HasPrefix(q.Text, "touch")
	})
	r.state(session.Prompt)
	r.typed("<C-g>")
	if ref := r.refused(); ref.By != gate.ByPolicy {
		t.Errorf("macro: refused by %s", ref.By)
	}
	r.typed("<C-c>")
	r.run(`bind '"\C-g": accept-line'`)
	r.state(session.Prompt)
	r.typed("touch " + f + "<C-g>")
	r.until("a veto", func() bool { return r.s.View().Alarms > 0 })
	r.quiet()
	if exists(f) {
		t.Error("it ran")
	}
	if c := r.run("echo still"); c.Line != "echo still" {
		t.Errorf("after: %+v", c)
	}
	r.until("the veto is recorded, with what stood on the screen", func() bool {
		refused := r.records("command.refused")
		return slices.ContainsFunc(refused, func(d map[string]any) bool {
			reason, _ := d["reason"].(string)
			return strings.Contains(reason, "stopped; on the screen stood: ") && strings.Contains(reason, "touch "+f)
		})
	})
}

// Row 12.
func TestNineWaysPastTheHookAreVetoed(t *testing.T) {
	r := start(t, setup{shell: "bash"})
	script := r.path("script")
	r.run(`bind '"\C-g": accept-line'`)
	for i, l := range []string{
		"touch %s; touch %s", "(touch %s)", "for i in 1; do touch %s; done", "f(){ touch %s; }; f", "touch %s & ",
		"true | touch %s", "[[ $(touch %s) ]]", "(( $(touch %s; echo 1) ))", ". " + script,
	} {
		f := r.path("made" + string(rune('0'+i)))
		if err := os.WriteFile(script, []byte("touch "+f+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		r.state(session.Prompt)
		n := r.s.View().Alarms
		r.typed("<C-u>" + strings.ReplaceAll(l, "%s", f) + "<C-g>")
		r.until("a veto of "+l, func() bool { return r.s.View().Alarms > n })
		r.state(session.Prompt)
		if exists(f) {
			t.Errorf("ran: %s", l)
		}
	}
	if c := r.run("<C-u>echo still"); c.Line != "echo still" {
		t.Errorf("after: %+v", c)
	}
}

// Row 13.
func TestForgedAndReplayedMarksAreNothing(t *testing.T) {
	shells(t, all, func(t *testing.T, shell string) {
		r, p, _ := onPeer(t, shell, nil)
		r.run("true")
		b := p.sent(0)
		evil := "\x1b]7770;deadbeef;R;9;q;8;rm -rf /\x07\x1b]7770;deadbeef;B\x07\x1b]133;A\x07\x1b]633;E;rm\x07\x1b]7770;LOADER;/bin/bash\x07\x1b]7770;READY\x07"
		for _, nonce := range nonces(b) {
			evil += "\x1b]7770;" + nonce + ";D;0;1;/evil\x07\x1b]7770;" + nonce + ";B\x07\x1b]7770;" + nonce + ";R;1;q;2;id\x07"
		}
		if err := os.WriteFile(p.home+"/evil", []byte(evil), 0o600); err != nil {
			t.Fatal(err)
		}
		wait, end := r.waiting()
		r.state(session.Prompt)
		r.typed("cat evil; " + wait + "; sh -c 'exit 3'<Enter>")
		r.quiet() // what it printed was heard
		end()
		c := r.ended(1)
		if c.Exit == nil || (*c.Exit != 3 && !composed(shell)) || c.Cwd == "/evil" && !composed(shell) {
			t.Errorf("believed: %+v", c)
		}
		if n := len(r.s.Journal()); n != 2 {
			t.Errorf("%d commands", n)
		}
	})
}

// nonces are what an eavesdropper of everything sent so far would know.
func nonces(sent []byte) []string {
	var out []string
	for _, f := range strings.FieldsFunc(string(sent), func(r rune) bool { return r == ';' || r == '\n' }) {
		if len(f) == 16 && strings.Trim(f, "0123456789abcdef") == "" {
			out = append(out, f)
		}
	}
	return out[:len(out)-1]
}

// Row 14.
func TestSecretsAreNowhereOnTheHost(t *testing.T) {
	shells(t, nightly(integrated, "bz"), func(t *testing.T, shell string) {
		r, p, _ := onPeer(t, shell, nil)
		for _, look := range []string{
			"env | cat", "cat /proc/self/environ | tr '\\0' '\\n'", "ps axww -o args | cat",
			"cat /proc/" + map[string]string{"fish": "$fish_pid"}[shell] + "/environ /proc/self/cmdline | tr '\\0' '\\n'", "ls -la /tmp /dev/shm | cat",
		} {
			c := r.run(look)
			_ = c
		}
		r.quiet()
		screen := strings.ReplaceAll(r.text(), "\n", "")
		for _, secret := range secrets(p.sent(0)) {
			if strings.Contains(screen, secret) {
				t.Errorf("a secret of the frame is on the host: %s", secret)
			}
		}
	})
}

func secrets(sent []byte) []string {
	var out []string
	for _, f := range strings.FieldsFunc(string(sent), func(r rune) bool { return r == ';' || r == '\n' }) {
		if (len(f) == 16 || len(f) == 32) && strings.Trim(f, "0123456789abcdef") == "" {
			out = append(out, f)
		}
	}
	return out
}

// Row 15.
func TestABufferThatChangedWhileAQuestionWasOpenDoesNotRun(t *testing.T) {
	shells(t, integrated, func(t *testing.T, shell string) {
		r, p, _ := onPeer(t, shell, nil)
		f := p.home + "/made"
		answers := make(chan gate.Answer, 1)
		r.asks.answer(func(gate.Question) (gate.Answer, error) { return <-answers, nil })
		r.typed("touch " + f + " #CONFIRM<Enter>")
		r.state(session.Confirm)
		p.push("Z")
		r.quiet()
		answers <- gate.Answer{Send: true}
		r.until("an alarm", func() bool { return r.s.View().Alarms > 0 })
		r.state(session.Prompt)
		if exists(f) {
			t.Error("a changed line ran")
		}
		r.until("the outcome", func() bool {
			o := r.records("command.outcome")
			return len(o) == 1 && o[0]["status"] == "mismatch"
		})
	})
}

// Row 15.
func TestAWrongKeyRunsNothing(t *testing.T) {
	shells(t, nightly(integrated, "zf"), func(t *testing.T, shell string) {
		r, p, _ := onPeer(t, shell, nil)
		f := p.home + "/made"
		r.typed("touch " + f)
		r.quiet()
		tail := ""
		if shell == "fish" {
			tail = "\x00"
		}
		p.push("\x18\x1evallow;1;0123456789abcdef0123456789abcdef;a;b;" + tail)
		r.quiet()
		if exists(f) {
			t.Fatal("ran")
		}
		if c := r.run(""); !exists(f) || c.Line != "touch "+f {
			t.Errorf("after: %+v", c)
		}
	})
}

// Row 15.
func TestAWindowThatClosesWhileAQuestionIsOpenRefuses(t *testing.T) {
	shells(t, nightly(all, "b"), func(t *testing.T, shell string) {
		r := start(t, setup{shell: shell})
		f := r.path("made")
		answers := make(chan gate.Answer, 1)
		r.asks.answer(func(gate.Question) (gate.Answer, error) { return <-answers, nil })
		r.state(session.Prompt)
		r.typed("touch " + f + " #CONFIRM<Enter>")
		r.state(session.Confirm)
		r.judge.set(func(policy.Request) (policy.Decision, bool) { return policy.Decision{Effect: policy.Deny}, true })
		answers <- gate.Answer{Send: true}
		if ref := r.refused(); ref.By != gate.ByPolicy {
			t.Errorf("refused by %s", ref.By)
		}
		if exists(f) {
			t.Error("ran")
		}
	})
}
