package session_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"sallyport/console/gate"
	"sallyport/console/remote/sshdtest"
	"sallyport/console/session"
	"sallyport/policy"
)

func (r *rig) field(k session.FieldKind) session.FieldView {
	r.t.Helper()
	r.until("a field", func() bool { f := r.s.View().Field; return f != nil && f.Kind == k })
	return *r.s.View().Field
}

// Row 22.
func TestAQuestionOpensALineField(t *testing.T) {
	shells(t, nightly(integrated, "bf"), func(t *testing.T, shell string) {
		r := start(t, setup{shell: shell})
		f := r.path("victim")
		if err := os.WriteFile(f, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		r.state(session.Prompt)
		r.typed("rm -i " + f + "<Enter>")
		v := r.field(session.LineField)
		if v.Program != "rm" || !strings.Contains(v.Prompt, "remove regular empty file") {
			t.Errorf("field %+v", v)
		}
		r.s.Field(v.ID, []byte("y"), false)
		if c := r.ended(0); c.Exit == nil || *c.Exit != 0 || exists(f) {
			t.Errorf("got %+v", c)
		}
		if in := r.records("input.line"); len(in) != 1 || in[0]["text"] != "y" || in[0]["program"] != "rm" {
			t.Errorf("records %v", in)
		}
	})
}

// Row 22.
func TestAProgramThatReadsLinesGetsThemAndAnEnd(t *testing.T) {
	shells(t, nightly(integrated, "b"), func(t *testing.T, shell string) {
		r := start(t, setup{shell: shell})
		r.state(session.Prompt)
		r.typed("cat > " + r.path("out") + "<Enter>")
		r.state(session.Running)
		r.typed("hel")
		v := r.field(session.LineField)
		if v.Typed != "hel" {
			t.Errorf("typed %q", v.Typed)
		}
		r.s.Field(v.ID, []byte("hello"), false)
		r.until("the field closed", func() bool { return r.s.View().Field == nil })
		r.typed("x")
		v = r.field(session.LineField)
		r.s.Field(v.ID, nil, true)
		r.ended(0)
		if b, _ := os.ReadFile(r.path("out")); string(b) != "hello\n" {
			t.Errorf("file %q", b)
		}
		// Typed before the field opens, all of it.
		r.state(session.Prompt)
		r.typed("cat > " + r.path("out2") + "<Enter>")
		r.state(session.Running)
		r.typed("one<Enter><C-d>")
		r.ended(1)
		if b, _ := os.ReadFile(r.path("out2")); string(b) != "one\n" {
			t.Errorf("file %q", b)
		}
	})
}

// What was typed with its Enter before the field opened is sent once, and is in no
// field that could give it back; only when it is refused it stands there to edit.
// A secret's first characters, typed before its field was drawn, reach nothing.
func TestWhatWasTypedBeforeAFieldIsSentOnce(t *testing.T) {
	r := start(t, setup{shell: "bash"})
	r.state(session.Prompt)
	wait, end := r.waiting()
	r.typed(wait + "; cat > " + r.path("out") + "<Enter>")
	r.state(session.Running)
	r.typed("one<Enter>")
	end()
	r.until("it is sent", func() bool {
		if f := r.s.View().Field; f != nil && f.Typed != "" {
			t.Fatalf("it stands in a field: %+v", f)
		}
		return len(r.records("input.line")) == 1
	})
	r.typed("<C-d>")
	r.ended(0)
	if b, _ := os.ReadFile(r.path("out")); string(b) != "one\n" {
		t.Errorf("file %q", b)
	}
	r.state(session.Prompt)
	wait, end = r.waiting()
	r.typed(wait + "; env A=1 sh<Enter>")
	r.state(session.Running)
	r.typed("echo DENYME<Enter>")
	end()
	r.refused()
	if f := r.field(session.LineField); f.Typed != "echo DENYME" {
		t.Errorf("refused, the field is %+v", f)
	}
	r.s.Field(r.field(session.LineField).ID, nil, true)
	r.ended(1)
	r.state(session.Prompt)
	r.typed("read -s x<Enter>")
	v := r.field(session.SecretField)
	r.typed("pa")
	r.s.Field(v.ID, []byte("x"), false)
	r.ended(2)
	if c := r.run("echo ok"); c.Line != "echo ok" {
		t.Errorf("after: %+v", c)
	}
}

// A program that waits until its output is taken sleeps where one sleeps that reads a line.
func TestAFloodAsksForNothing(t *testing.T) {
	r := start(t, setup{shell: "bash"})
	r.state(session.Prompt)
	r.typed("timeout 3 yes<Enter>")
	r.state(session.Running)
	r.typed("echo kept")
	r.until("the next prompt, without a field", func() bool {
		v := r.s.View()
		if v.Field != nil {
			t.Fatalf("a field opened: %+v", *v.Field)
		}
		return v.State == session.Prompt
	})
	r.typed("<Enter>")
	r.ended(1)
	if !strings.Contains(r.text(), "\nkept") {
		t.Errorf("screen:\n%s", r.text())
	}
}

// Row 22: what a shell without an editor reads is judged in its dialect.
func TestAShellThatReadsLinesIsJudgedByItsDialect(t *testing.T) {
	shells(t, nightly(integrated, "b"), func(t *testing.T, shell string) {
		for _, line := range []string{"env A=1 sh", "bash --noediting --norc", "exec dash -e"} {
			if line != "env A=1 sh" && nightly("y", "") == "" && slow(t) {
				continue
			}
			t.Run(line, func(t *testing.T) { shellThatReadsLines(t, shell, line) })
		}
	})
}

func shellThatReadsLines(t *testing.T, shell, line string) {
	r := start(t, setup{shell: shell})
	f := r.path("made")
	r.state(session.Prompt)
	r.typed(line + "<Enter>")
	v := r.field(session.LineField)
	r.s.Field(v.ID, []byte("touch "+f+" DENYME"), false)
	r.refused()
	q := r.judge.last()
	dialect := policy.POSIX
	if strings.HasPrefix(line, "bash") {
		dialect = policy.Bash
	}
	if q.Dialect != dialect || q.Origin != policy.Input || q.Program == "" {
		t.Errorf("judged as %+v", q)
	}
	r.quiet()
	if exists(f) {
		t.Error("ran")
	}
	v = r.field(session.LineField)
	r.s.Field(v.ID, []byte("exit 4"), false)
	if strings.HasPrefix(line, "exec") {
		r.state(session.Dead)
		return
	}
	if c := r.ended(0); c.Exit == nil || *c.Exit != 4 {
		t.Errorf("got %+v", c)
	}
}

// Row 21: silence is no secret, and what a pipe runs is judged as that.
func TestLinesForAShellInAPipeAreJudgedAsItsInput(t *testing.T) {
	shells(t, nightly(integrated, "b"), func(t *testing.T, shell string) {
		r := start(t, setup{shell: shell})
		for i, line := range []string{"stty -echo; cat | sh", "stty echo; sh 2>&1 | cat"} {
			f := r.path("made" + string(rune('0'+i)))
			r.state(session.Prompt)
			r.typed(line + "<Enter>")
			v := r.field(session.LineField)
			r.s.Field(v.ID, []byte("touch "+f+" DENYME"), false)
			r.refused()
			if q := r.judge.last(); q.Dialect != policy.POSIX || q.Origin != policy.Input || q.Program != "sh" {
				t.Errorf("%s: judged as %+v", line, q)
			}
			if v = r.field(session.LineField); v.Typed != "touch "+f+" DENYME" {
				t.Errorf("%s: refused, the field has %q", line, v.Typed)
			}
			r.s.Field(v.ID, []byte("touch "+f), false)
			r.until("it ran", func() bool { return exists(f) })
			r.until("the next field", func() bool {
				w := r.s.View().Field
				return w != nil && w.ID != v.ID || r.s.View().State == session.Running
			})
			r.typed("x")
			v = r.field(session.LineField)
			r.s.Field(v.ID, nil, true)
			r.ended(i)
		}
		if n := len(r.records("secret.entered")); n != 0 {
			t.Errorf("%d secrets", n)
		}
	})
}

// silently is a line that reads x without echo and then runs more. fish's own
// read is its line editor.
func silently(shell, more string) string {
	if shell == "fish" {
		return "bash -c 'read -s x; " + more + "'"
	}
	return "read -s x; " + more
}

// Row 21.
func TestASecretIsMaskedLearnedAndNotRecorded(t *testing.T) {
	shells(t, nightly(integrated, "b"), func(t *testing.T, shell string) {
		r := start(t, setup{shell: shell})
		r.state(session.Prompt)
		r.typed(silently(shell, "test ${#x} = 16 && echo good") + "<Enter>")
		v := r.field(session.SecretField)
		r.s.Field(v.ID, []byte("made-up-secret-1"), false)
		if c := r.ended(0); c.Exit == nil || *c.Exit != 0 {
			t.Errorf("got %+v", c)
		}
		if !r.red.Known("made-up-secret-1") {
			t.Error("not learned")
		}
		if len(r.records("secret.entered")) != 1 {
			t.Error("not recorded that it happened")
		}
		r.inNoRecord("made-up-secret-1")
		r.state(session.Prompt)
		r.typed("made-up-secret-1<Enter>")
		r.refused()
		r.inNoRecord("made-up-secret-1")
	})
}

// Row 21: sudo asks in a frame of an account that is not root.
func TestSudosPasswordIsMasked(t *testing.T) {
	need(t, "sudo")
	r := start(t, setup{shell: "bash", inside: alice("bash")})
	r.state(session.Prompt)
	r.typed("su - alice<Enter>")
	r.framed(2)
	r.typed("sudo id -u<Enter>")
	v := r.field(session.SecretField)
	if v.Program != "sudo" || !strings.Contains(v.Prompt, "password for alice") {
		t.Errorf("field %+v", v)
	}
	r.s.Field(v.ID, []byte(sshdtest.Password), false)
	if c := r.ended(1); c.Exit == nil || *c.Exit != 0 {
		t.Errorf("got %+v", c)
	}
	r.state(session.Prompt)
	r.typed("sudo -i<Enter>")
	v = r.field(session.SecretField)
	r.s.Field(v.ID, []byte(sshdtest.Password), false)
	if in := r.framed(3); in.Account != "root" {
		t.Errorf("target %+v", in)
	}
	r.insideRows(3, policy.Target{Account: "root", Verified: true})
	r.leaves(2)
	r.leaves(1)
	if n := len(r.records("secret.entered")); n != 2 || !r.red.Known(sshdtest.Password) {
		t.Errorf("%d secrets recorded", n)
	}
	r.inNoRecord(sshdtest.Password)
}

// Row 21: typed before the prompt.
func TestASecretTypedTooEarlyIsDropped(t *testing.T) {
	shells(t, nightly(integrated, "b"), func(t *testing.T, shell string) {
		r := start(t, setup{shell: shell})
		r.state(session.Prompt)
		wait, end := r.waiting()
		r.typed(wait + "; " + silently(shell, "true") + "<Enter>")
		r.state(session.Running)
		r.typed("too-early-secret<Enter>")
		end()
		v := r.field(session.SecretField)
		if r.s.View().Held != 0 || v.Typed != "" {
			t.Errorf("held %d, typed %q", r.s.View().Held, v.Typed)
		}
		r.s.Field(v.ID, []byte("x"), false)
		r.ended(0)
		r.inNoRecord("too-early-secret")
	})
}

func (r *rig) inNoRecord(text string) {
	r.t.Helper()
	files, _ := os.ReadDir(r.dir)
	for _, f := range files {
		b, _ := os.ReadFile(r.dir + "/" + f.Name())
		if strings.Contains(string(b), text) {
			r.t.Errorf("%s holds the text", f.Name())
		}
	}
}

// Row 23.
func TestAnEditorGetsKeysAndTheGateComesBack(t *testing.T) {
	need(t, "vi")
	shells(t, nightly(integrated, "bz"), func(t *testing.T, shell string) {
		r := start(t, setup{shell: shell})
		f := r.path("text")
		r.state(session.Prompt)
		r.typed("vi " + f + "<Enter>")
		r.state(session.Keys)
		r.typed("ihello<Escape>:wq<Enter>")
		r.ended(0)
		if b, _ := os.ReadFile(f); string(b) != "hello\n" {
			t.Errorf("file %q", b)
		}
		r.state(session.Prompt)
		r.typed("echo DENYME<Enter>")
		r.refused()
		r.until("keys.close recorded", func() bool { return len(r.records("keys.open")) == 1 && len(r.records("keys.close")) == 1 })
	})
}

// Row 23.
func TestAShellInsideAnEditorGetsNoKeys(t *testing.T) {
	shells(t, nightly(integrated, "b"), func(t *testing.T, shell string) {
		need(t, "vi")
		r := start(t, setup{shell: shell})
		f := r.path("made")
		r.state(session.Prompt)
		r.typed("vi<Enter>")
		r.state(session.Keys)
		r.typed(":!bash --norc<Enter>")
		r.until("the way is closed", func() bool { return r.s.View().State == session.Running })
		r.quiet()
		r.typed("touch " + f + "<Enter>")
		r.quiet()
		if exists(f) {
			t.Error("a shell inside an editor got keys")
		}
	})
}

// Row 23: what another program starts as its pager runs no commands, as what is typed as less does not.
func TestAPagerRunsNothing(t *testing.T) {
	need(t, "man")
	need(t, "less")
	shells(t, nightly(integrated, "bzf"), func(t *testing.T, shell string) {
		r := start(t, setup{shell: shell})
		page := ".TH PAGE 1\n.SH NAME\npage \\- a page\n" + strings.Repeat("It has text.\n.PP\n", 60)
		if err := os.WriteFile(r.path("page.1"), []byte(page), 0o600); err != nil {
			t.Fatal(err)
		}
		r.state(session.Prompt)
		r.typed("man -l " + r.path("page.1") + "<Enter>")
		r.state(session.Keys)
		r.typed("!")
		r.until("the pager's refusal", func() bool { return strings.Contains(r.text(), "not available") })
		r.typed("<Enter>")
		r.quiet()
		r.typed("q")
		r.ended(0)
	})
}

// Row 23: a program that is not listed.
func TestAnUnlistedProgramGetsNoKeys(t *testing.T) {
	shells(t, nightly(integrated, "b"), func(t *testing.T, shell string) {
		need(t, "top")
		r := start(t, setup{shell: shell})
		r.state(session.Prompt)
		r.typed("top<Enter>")
		r.state(session.Running)
		r.quiet()
		r.typed("q")
		r.refused()
		r.typed("<C-c>")
		r.ended(0)
	})
}

func TestAProgramWhoseKeysWereRefusedIsAskedAboutAnew(t *testing.T) {
	need(t, "top")
	r := start(t, setup{shell: "bash"})
	r.state(session.Prompt)
	r.typed("top<Enter>")
	r.state(session.Running)
	r.typed("q")
	r.refused()
	r.judge.keysTo("top")
	r.typed("q")
	if c := r.ended(0); c.Exit == nil || *c.Exit != 0 {
		t.Errorf("got %+v", c)
	}
}

// A report that a terminal is asked for goes to a program that gets keys, and
// never into a line.
func TestOnlyAProgramThatGetsKeysHasItsQueriesAnswered(t *testing.T) {
	need(t, "less")
	asks := strings.Repeat("line\n", 60) + "\x1b[6n\x1b[c\n"
	r := start(t, setup{shell: "bash", files: map[string]string{"asks": asks}})
	r.run("cat asks")
	if c := r.run("echo ok"); c.Line != "echo ok" {
		t.Errorf("the line after a query: %q", c.Line)
	}
	if n := r.wire.count(gate.Reply); n != 0 {
		t.Errorf("%d answers to a program without keys", n)
	}
	r.state(session.Prompt)
	r.typed("less -r asks<Enter>")
	r.state(session.Keys)
	r.typed("G")
	r.until("an answer", func() bool { return r.wire.count(gate.Reply) > 0 })
	r.typed("q")
	r.ended(2)
}

// packages makes a repository of two packages, the first of which needs the
// second, and a configuration under which nothing is installed.
const packages = `set -e
cd "$1"
mkdir -p etc/sources.list.d etc/apt.conf.d etc/preferences.d state/lists/partial cache/archives/partial repo log
: > status
for p in one two; do
	mkdir -p $p/DEBIAN
	printf 'Package: made-up-%s\nVersion: 1\nArchitecture: all\nMaintainer: nobody <nobody@example.com>\nDescription: made up\n' $p > $p/DEBIAN/control
	[ $p = two ] || echo 'Depends: made-up-two' >> $p/DEBIAN/control
	dpkg-deb -b $p repo/$p.deb >/dev/null
	{ dpkg-deb -f repo/$p.deb; printf 'Filename: ./%s.deb\nSize: %s\nSHA256: %s\n\n' $p "$(stat -c %s repo/$p.deb)" "$(sha256sum repo/$p.deb | cut -d' ' -f1)"; } >> repo/Packages
done
echo "deb [trusted=yes] file:$1/repo ./" > etc/sources.list
for o in 'Dir::State "state"' 'Dir::State::status "status"' 'Dir::Cache "cache"' 'Dir::Etc "etc"' 'Dir::Log "log"'; do
	echo "$o;" | sed "s,\"\(.*\)\",\"$1/\1\","
done > apt.conf
echo 'Dir::Bin::dpkg "/bin/true"; Debug::NoLocking "true"; APT::Sandbox::User "root";' >> apt.conf
APT_CONFIG=$1/apt.conf apt-get -q update >/dev/null
`

// Row 22.
func TestAPackageManagersQuestion(t *testing.T) {
	shells(t, nightly(integrated, "b"), func(t *testing.T, shell string) {
		need(t, "apt-get")
		dir := t.TempDir()
		if out, err := exec.Command("sh", "-c", packages, "sh", dir).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		r := start(t, setup{shell: shell, env: map[string]string{"APT_CONFIG": dir + "/apt.conf"}})
		for i, answer := range []string{"n", "y"} {
			r.state(session.Prompt)
			r.typed("apt-get install made-up-one<Enter>")
			v := r.field(session.LineField)
			r.until("its question", func() bool { v := r.s.View().Field; return v != nil && strings.Contains(v.Prompt, "[Y/n]") })
			if v.Program != "apt-get" {
				t.Errorf("field %+v", v)
			}
			r.s.Field(v.ID, []byte(answer), false)
			c := r.ended(i)
			if c.Exit == nil || (*c.Exit == 0) != (answer == "y") {
				t.Errorf("%s: %+v", answer, c)
			}
		}
		for _, in := range r.records("input.line") {
			if in["effect"] != "permit" || in["dialect"] != "text" || in["program"] != "apt-get" {
				t.Errorf("record %v", in)
			}
		}
	})
}

// line answers the open line field and waits until it is taken.
func (r *rig) line(text string) {
	r.t.Helper()
	v := r.field(session.LineField)
	before := r.s.View().Refused
	r.s.Field(v.ID, []byte(text), false)
	r.until("the line is taken or refused", func() bool {
		now := r.s.View()
		return now.Field == nil || now.Field.ID != v.ID || now.Refused != before
	})
}

// Row 22: text is text, and what an editor gives to a shell is a command.
func TestALineEditorsLinesAreText(t *testing.T) {
	shells(t, nightly(integrated, "b"), func(t *testing.T, shell string) {
		need(t, "ed")
		r := start(t, setup{shell: shell})
		f, made := r.path("text"), r.path("made")
		r.state(session.Prompt)
		r.typed("ed -p '*' " + f + "<Enter>")
		for _, text := range []string{"a", "rm -rf / is only a line of a file", "curl x | sh", ".", "w", "!touch " + made} {
			if text == "!touch "+made {
				r.asks.answer(func(q gate.Question) (gate.Answer, error) { return gate.Answer{}, nil })
			}
			r.typed(" ") // the field opens on the first key at the latest
			r.line(text)
		}
		if ref := r.refused(); ref.By != gate.ByOperator || ref.Decision.Risk != policy.High {
			t.Errorf("a command in an editor: %v", ref)
		}
		r.line("!rm -rf /")
		if ref := r.refused(); ref.By != gate.ByPolicy {
			t.Errorf("got %v", ref)
		}
		r.line("q")
		r.ended(0)
		if b, _ := os.ReadFile(f); !strings.Contains(string(b), "rm -rf / is only a line of a file\ncurl x | sh\n") || exists(made) {
			t.Errorf("file %q", b)
		}
		for _, in := range r.records("input.line") {
			if in["risk"] != "low" || in["effect"] != "permit" {
				t.Errorf("record %v", in)
			}
		}
	})
}

// Row 22: what an interpreter reads is code that the policy does not read.
func TestAnInterpretersLinesAreCode(t *testing.T) {
	shells(t, nightly(integrated, "b"), func(t *testing.T, shell string) {
		need(t, "python3")
		r := start(t, setup{shell: shell})
		f := r.path("made")
		var asked []gate.Question
		answers := make(chan bool, 8)
		r.asks.answer(func(q gate.Question) (gate.Answer, error) {
			if q.Kind == gate.Line { // the interpreter itself
				return gate.Answer{Send: true, Typed: q.Phrase}, nil
			}
			asked = append(asked, q)
			return gate.Answer{Send: <-answers, Typed: q.Phrase}, nil
		})
		r.state(session.Prompt)
		r.typed("python3 -i -c 'import sys; sys.stdin.isatty()' 2>&1 | cat<Enter>")
		answers <- false
		r.line("open('" + f + "', 'w')")
		ref := r.refused()
		if ref.By != gate.ByOperator || ref.Decision.Analyzable || ref.Decision.Risk != policy.High {
			t.Errorf("code for an interpreter: %v", ref)
		}
		if exists(f) {
			t.Error("it ran")
		}
		answers <- true
		r.line("open('" + f + "', 'w')")
		r.until("it ran", func() bool { return exists(f) })
		v := r.field(session.LineField)
		r.s.Field(v.ID, nil, true)
		r.ended(0)
		if q := asked[0]; q.Program != "python3" || q.Kind != gate.Input {
			t.Errorf("asked %+v", q)
		}
	})
}

// Row 22: so it is with a real one, which answers.
func TestARealDatabaseClientsLinesAreSQL(t *testing.T) {
	shells(t, nightly(integrated, "b"), func(t *testing.T, shell string) {
		need(t, "sqlite3")
		r := start(t, setup{shell: shell})
		r.asks.answer(func(q gate.Question) (gate.Answer, error) {
			return gate.Answer{Send: q.Kind == gate.Line, Typed: q.Phrase}, nil
		})
		r.state(session.Prompt)
		r.typed("sqlite3 -batch db<Enter>")
		// No prompt asks for a line: the first key does.
		says := func(text string) {
			r.until("a field", func() bool {
				if r.s.View().Field == nil && r.s.View().Held == 0 {
					r.typed(text[:1])
				}
				return r.s.View().Field != nil
			})
			r.line(text)
		}
		says("create table t (x);")
		says("insert into t values (41 + 1);")
		says("select x from t;")
		r.until("it answers", func() bool { return strings.Contains(r.text(), "\n42") })
		says("drop table t;")
		if ref := r.refused(); ref.By != gate.ByOperator || ref.Decision.Risk != policy.High {
			t.Errorf("got %v", ref)
		}
		says(".shell rm -rf /")
		r.until("the policy's refusal", func() bool { ref := r.s.View().Refused; return ref != nil && ref.By == gate.ByPolicy })
		r.until("it waits for a line", func() bool { return r.s.View().Field != nil })
		r.s.Field(r.s.View().Field.ID, nil, true)
		if c := r.ended(0); c.Exit == nil || *c.Exit != 0 {
			t.Errorf("got %+v", c)
		}
		if n := len(r.records("input.line")); n != 3 {
			t.Errorf("%d lines recorded", n)
		}
	})
}

// Row 22: a database's client is judged in its language.
func TestADatabaseClientsLinesAreSQL(t *testing.T) {
	r := start(t, setup{shell: "bash", files: map[string]string{"bin/psql": "#!/bin/sh\nprintf 'db=# '\nwhile IFS= read -r l; do printf 'db=# '; done\n"}})
	if err := os.Chmod(r.path("bin/psql"), 0o700); err != nil {
		t.Fatal(err)
	}
	r.asks.answer(func(q gate.Question) (gate.Answer, error) {
		return gate.Answer{Send: q.Kind == gate.Line, Typed: q.Phrase}, nil
	})
	r.state(session.Prompt)
	r.typed("exec -a psql sh " + r.path("bin/psql") + "<Enter>")
	r.line("select 1;")
	r.until("answered", func() bool { return len(r.records("input.line")) == 1 })
	r.line("drop database production;")
	if ref := r.refused(); ref.By != gate.ByOperator || ref.Decision.Risk != policy.High {
		t.Errorf("got %v", ref)
	}
	r.line("\\! rm -rf /")
	r.until("the policy's refusal", func() bool { ref := r.s.View().Refused; return ref != nil && ref.By == gate.ByPolicy })
}
