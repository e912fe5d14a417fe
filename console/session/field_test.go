package session_test

import (
	"os"
	"strings"
	"testing"

	"sallyport/console/gate"
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
	r := start(t, setup{shell: "bash"})
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
}

// Row 22: what a shell without an editor reads is judged in its dialect.
func TestAShellThatReadsLinesIsJudgedByItsDialect(t *testing.T) {
	r := start(t, setup{shell: "bash"})
	f := r.path("made")
	r.state(session.Prompt)
	r.typed("env A=1 sh<Enter>")
	v := r.field(session.LineField)
	r.s.Field(v.ID, []byte("touch "+f+" DENYME"), false)
	r.refused()
	q := r.judge.last()
	if q.Dialect != policy.POSIX || q.Origin != policy.Input || q.Program == "" {
		t.Errorf("judged as %+v", q)
	}
	r.quiet()
	if exists(f) {
		t.Error("ran")
	}
	v = r.field(session.LineField)
	r.s.Field(v.ID, []byte("exit 4"), false)
	if c := r.ended(0); c.Exit == nil || *c.Exit != 4 {
		t.Errorf("got %+v", c)
	}
}

// Row 21: silence is no secret, and what a pipe runs is judged as that.
func TestLinesForAShellInAPipeAreJudgedAsItsInput(t *testing.T) {
	r := start(t, setup{shell: "bash"})
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
}

// Row 21.
func TestASecretIsMaskedLearnedAndNotRecorded(t *testing.T) {
	r := start(t, setup{shell: "bash"})
	r.state(session.Prompt)
	r.typed("read -s x; test ${#x} = 16 && echo good<Enter>")
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
}

// Row 21: typed before the prompt.
func TestASecretTypedTooEarlyIsDropped(t *testing.T) {
	r := start(t, setup{shell: "bash"})
	r.state(session.Prompt)
	r.typed("sleep 1; read -s x<Enter>")
	r.state(session.Running)
	r.typed("too-early-secret<Enter>")
	v := r.field(session.SecretField)
	if r.s.View().Held != 0 || v.Typed != "" {
		t.Errorf("held %d, typed %q", r.s.View().Held, v.Typed)
	}
	r.s.Field(v.ID, []byte("x"), false)
	r.ended(0)
	r.inNoRecord("too-early-secret")
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
	need(t, "vi")
	r := start(t, setup{shell: "bash"})
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
}

// Row 23: a program that is not listed.
func TestAnUnlistedProgramGetsNoKeys(t *testing.T) {
	need(t, "top")
	r := start(t, setup{shell: "bash"})
	r.state(session.Prompt)
	r.typed("top<Enter>")
	r.state(session.Running)
	r.quiet()
	r.typed("q")
	r.refused()
	r.typed("<C-c>")
	r.ended(0)
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
