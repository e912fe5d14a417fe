package session_test

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sallyport/console/gate"
	"sallyport/console/session"
	"sallyport/policy"
	"sallyport/policy/command"
)

func (r *rig) send(text, edited string) session.Command {
	r.t.Helper()
	r.state(session.Prompt)
	n := len(r.s.Journal())
	if err := r.s.Send(r.t.Context(), gate.Suggestion{ID: "sug-1", Seq: 7, Text: text, Claimed: policy.Low}, edited); err != nil {
		r.t.Fatal(err)
	}
	return r.ended(n)
}

// Row 18.
func TestSuggestionsArriveExactly(t *testing.T) {
	shells(t, integrated, func(t *testing.T, shell string) {
		r := start(t, setup{shell: shell, env: map[string]string{"LANG": "C.UTF-8"}})
		f := r.path("out")
		text := "cat > " + f + " <<'EOF'\n\ttab é 日本 \\ back\\\\ $HOME `x` !! ;'\"\nline2\nEOF\necho rc$?"
		want := "\ttab é 日本 \\ back\\\\ $HOME `x` !! ;'\"\nline2\n"
		if shell == "fish" {
			text = "printf '%s\\n' 'tab\té 日本 \\\\ $HOME !! ;\"' 'line2' > " + f + "\necho rc$status"
			want = "tab\té 日本 \\ $HOME !! ;\"\nline2\n"
		}
		c := r.send(text, text)
		b, _ := os.ReadFile(f)
		if c.Line != text || string(b) != want || c.Origin != policy.Copilot || c.Suggestion == nil || c.Edited {
			t.Errorf("got %+v\nfile %q", c, b)
		}
		big := strings.Repeat("0123456789abcdef", 1024)
		text = "printf %s '" + big + "' > " + f
		c = r.send(text, text)
		if b, _ := os.ReadFile(f); string(b) != big {
			t.Errorf("16 KiB: %d bytes arrived, status %s", len(b), c.Status)
		}
	})
}

// Row 18: what a terminal without a line editor would change is refused.
func TestAComposedSuggestionIsRefusedOrExact(t *testing.T) {
	shells(t, "d", func(t *testing.T, shell string) {
		r := start(t, setup{shell: shell})
		f := r.path("out")
		text := "cat > " + f + " <<'EOF'\né 日本 \\ back\\\\ $HOME `x` !! ;'\"\nline2\nEOF\necho rc$?"
		c := r.send(text, text)
		b, _ := os.ReadFile(f)
		if string(b) != "é 日本 \\ back\\\\ $HOME `x` !! ;'\"\nline2\n" || c.Origin != policy.Copilot || c.Suggestion == nil || !strings.Contains(c.Line, text) {
			t.Errorf("got %+v\nfile %q", c, b)
		}
		for _, text := range []string{"printf '%s' 'a\tb' > " + f, "printf %s " + strings.Repeat("x", 16<<10) + " > " + f} {
			r.state(session.Prompt)
			err := r.s.Send(r.t.Context(), gate.Suggestion{ID: "long", Text: text}, text)
			if ref := (*gate.Refusal)(nil); !errors.As(err, &ref) || ref.By != gate.ByGate {
				t.Errorf("a text that would arrive changed: %v", err)
			}
		}
		if n := len(r.s.Journal()); n != 1 {
			t.Errorf("%d commands", n)
		}
	})
}

// A suggestion that is refused, or wanted otherwise, is said to who sent it: the
// line that the operator was typing is as it was.
func TestARefusedSuggestionLeavesTheOperatorsLine(t *testing.T) {
	shells(t, nightly(all, "bd"), func(t *testing.T, shell string) {
		r := start(t, setup{shell: shell, rules: func(j *judge) { j.how = true }})
		r.state(session.Prompt)
		r.typed("echo mine")
		r.quiet()
		for _, text := range []string{"echo DENYME", "vi file"} {
			err := r.s.Send(t.Context(), gate.Suggestion{ID: "1", Text: text}, text)
			if ref := (*gate.Refusal)(nil); !errors.As(err, &ref) || ref.By != gate.ByPolicy {
				t.Errorf("%s: %v", text, err)
			}
			if v := r.s.View(); v.Refused != nil {
				t.Errorf("%s: the line is said to be refused: %v", text, v.Refused)
			}
		}
		r.state(session.Prompt)
		r.typed(" too<Enter>")
		if c := r.ended(0); c.Line != "echo mine too" || c.Origin != policy.Human {
			t.Errorf("got %+v", c)
		}
	})
}

func TestASuggestionLeavesWhatWasPasted(t *testing.T) {
	r := start(t, setup{shell: "dash"})
	r.state(session.Prompt)
	r.s.Paste("echo pasted")
	r.typed(" and")
	stands := func() bool {
		v := r.s.View().Compose
		return v != nil && slices.Equal(v.Lines, []string{"echo pasted and"})
	}
	r.until("the line", stands)
	if err := r.s.Send(t.Context(), gate.Suggestion{ID: "1", Text: "echo one"}, "echo one"); err != nil {
		t.Fatal(err)
	}
	r.ended(0)
	r.state(session.Prompt)
	r.until("the line is there", stands)
}

func TestAnEditedSuggestionIsRecordedWithItsEdit(t *testing.T) {
	shells(t, nightly(all, "bd"), func(t *testing.T, shell string) {
		r := start(t, setup{shell: shell})
		c := r.send("echo one", "echo two")
		if c.Line != "echo two" || !c.Edited || c.Suggestion.ID != "sug-1" {
			t.Errorf("got %+v", c)
		}
		in := r.records("command.intent")
		if len(in) != 1 || in[0]["suggestion_id"] != "sug-1" || in[0]["suggested"] != "echo one" || in[0]["edited"] != true || in[0]["origin"] != "copilot" || in[0]["form"] != "gutter" {
			t.Errorf("intent %v", in)
		}
	})
}

// Row 28.
func TestASuggestionCopiedByHandKeepsItsOrigin(t *testing.T) {
	shells(t, nightly(all, "zd"), func(t *testing.T, shell string) {
		r := start(t, setup{shell: shell})
		r.s.Suggest(gate.Suggestion{ID: "sug-9", Text: "echo  from linus", Claimed: policy.Medium})
		r.state(session.Prompt)
		r.s.Paste("echo from   linus")
		r.typed("<Enter>")
		c := r.ended(0)
		if c.Origin != policy.Copilot || c.Suggestion == nil || c.Suggestion.ID != "sug-9" {
			t.Errorf("got %+v", c)
		}
		if in := r.records("command.intent"); in[0]["claimed_risk"] != "medium" || in[0]["suggestion_id"] != "sug-9" {
			t.Errorf("intent %v", in)
		}
	})
}

func TestASuggestionIsJudgedAgainWithTheShellsState(t *testing.T) {
	r := start(t, setup{shell: "bash"})
	f := r.path("made")
	r.run("alias ls='touch " + f + "'")
	r.judge.set(func(q policy.Request) (policy.Decision, bool) {
		return policy.Decision{Effect: policy.Deny}, q.State.Words["ls"].Kind == "alias"
	})
	r.state(session.Prompt)
	_ = r.s.Send(t.Context(), gate.Suggestion{ID: "s", Text: "ls"}, "ls")
	if ref := r.refused(); ref.By != gate.ByPolicy {
		t.Errorf("refused by %s", ref.By)
	}
	if exists(f) {
		t.Error("the alias ran")
	}
}

// Row 27.
func TestTheShellsStateReachesThePolicy(t *testing.T) {
	r := start(t, setup{shell: "bash", files: map[string]string{".bashrc": "alias ll='ls -l'\nmine() { :; }\nshopt -s extglob\nPATH=$HOME/bin:$PATH\n", ".bash_profile": ". ~/.bashrc\n", "bin/odd": "#!/bin/sh\n"}})
	if err := os.Chmod(r.path("bin/odd"), 0o700); err != nil {
		t.Fatal(err)
	}
	r.run("ll; mine; odd; cat /dev/null; echo x")
	q := r.judge.last()
	w := q.State.Words
	if !q.State.Known || !q.State.Options["comments"] || !q.State.Options["extglob"] || q.State.Options["history"] {
		t.Errorf("state %+v", q.State)
	}
	if w["ll"].Kind != "alias" || w["ll"].Text != "ls -l" || w["mine"].Kind != "function" || w["odd"].Path != r.path("bin/odd") || w["echo"].Kind != "builtin" || w["cat"].Path == "" {
		t.Errorf("words %+v", w)
	}
}

// Row 27: zsh takes # for a word, unless it is told otherwise.
func TestACommentIsOneOnlyWhereTheShellTakesItForOne(t *testing.T) {
	r := start(t, setup{shell: "zsh"})
	for _, comments := range []bool{false, true} {
		if comments {
			r.run("setopt interactivecomments")
		}
		f := r.path("ran" + map[bool]string{true: "1"}[comments])
		r.run("echo hi # ; touch " + f)
		q := r.judge.last()
		line := command.Parse(q.Text, q.Dialect, command.State{Known: q.State.Known, Options: q.State.Options}, command.DefaultLimits)
		touches := slices.ContainsFunc(line.Facts, func(f command.Fact) bool { return f.Program == "touch" })
		if q.State.Options["comments"] != comments || touches == comments || exists(f) == comments {
			t.Errorf("comments %v: state %v, read as touching %v, made %v", comments, q.State.Options, touches, exists(f))
		}
	}
}

// Row 27: what stands behind a name is what is judged and recorded.
func TestAnAliasOrFunctionIsJudgedForWhatItIs(t *testing.T) {
	shells(t, nightly(integrated, "bz"), func(t *testing.T, shell string) {
		r := start(t, setup{shell: shell, files: map[string]string{"x": ""}})
		if shell == "fish" { // an alias is a function there
			r.run("function ls; rm $argv; end")
		} else {
			r.run("alias ls='rm -rf ~/x'")
			r.run("cat() { touch ~/y; }")
		}
		c := r.run("ls")
		in := r.intent(c)
		facts, _ := json.Marshal(in["facts"])
		if shell != "fish" && (!strings.Contains(string(facts), `"rm"`) || exists(r.path("x"))) {
			t.Errorf("the alias was judged as %s, %v", facts, in["risk"])
		}
		if shell == "fish" && in["risk"] == "low" {
			t.Errorf("a function was judged as the program that it hides: %v", in)
		}
		if shell != "fish" {
			if in := r.intent(r.run("cat")); in["risk"] == "low" || !exists(r.path("y")) {
				t.Errorf("a function was judged as the program that it hides: %v", in)
			}
		}
	})
}

// intent is the record of a command's intent.
func (r *rig) intent(c session.Command) map[string]any {
	r.t.Helper()
	for _, e := range r.entries() {
		if e.Event == "command.intent" && e.Seq == c.Intent {
			return e.Data
		}
	}
	r.t.Fatalf("no intent %d", c.Intent)
	return nil
}

// Row 27: in GBK the last byte of a character can be a backslash's.
func TestALineInAnotherCharmapIsNotReadAsUTF8(t *testing.T) {
	dir := t.TempDir()
	made := exec.Command(need(t, "localedef"), "-i", "zh_CN", "-f", "GBK", filepath.Join(dir, "zh_CN.GBK"))
	if out, err := made.CombinedOutput(); err != nil && !exists(filepath.Join(dir, "zh_CN.GBK")) {
		if os.Getenv("SALLYPORT_NO_SKIP") != "" {
			t.Fatalf("needs: locales (the definitions): %s", out)
		}
		t.Skip("needs: locales (the definitions)")
	}
	shells(t, "bz", func(t *testing.T, shell string) {
		r := start(t, setup{shell: shell, env: map[string]string{"LOCPATH": dir, "LC_ALL": "zh_CN.GBK"}})
		f := r.path("ran")
		r.asks.answer(func(gate.Question) (gate.Answer, error) { return gate.Answer{}, nil })
		r.state(session.Prompt)
		r.typed(`echo 中\; touch ` + f + "<Enter>")
		ref := r.refused()
		if d := ref.Decision; ref.By != gate.ByOperator || d.Analyzable || d.Risk != policy.High {
			t.Errorf("%v, %+v", ref, d)
		}
		r.quiet()
		if exists(f) {
			t.Error("ran")
		}
	})
}

// TestWhatIsDroppedWithALineIsCounted: what came behind a line that was refused is gone, and the view says how much.
func TestWhatIsDroppedWithALineIsCounted(t *testing.T) {
	shells(t, nightly(all, "bd"), func(t *testing.T, shell string) {
		r := start(t, setup{shell: shell})
		r.state(session.Prompt)
		r.typed("echo DENYME<Enter>abc")
		r.s.Paste("four")
		r.refused()
		if n := r.s.View().Dropped; n != len("abcfour") {
			t.Errorf("%d characters dropped, want 7", n)
		}
		r.typed("<C-u>")
		r.until("the refusal is gone", func() bool { v := r.s.View(); return v.Refused == nil && v.Dropped == 0 })
	})
}
