package shellmarks

import (
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

func TestEveryScriptIsThereAndItsShellReadsIt(t *testing.T) {
	for sh, check := range map[Shell][]string{Bash: {"bash", "-n"}, Zsh: {"zsh", "-n"}, Fish: {"fish", "-n"}, POSIX: {"dash", "-n"}} {
		s, ok := Start(sh, true)
		if !ok || !strings.HasSuffix(s.Text(), "\n#@END\n") || strings.Contains(s.Text(), "@LOADER@") || strings.Contains(s.Text(), "@HOOK@") || strings.Contains(s.Text(), "@LOGIN@") {
			t.Errorf("%s: incomplete", sh)
		}
		for l := range strings.Lines(s.Text()) {
			if len(l) > 4000 {
				t.Errorf("%s: a line of %d bytes does not fit a terminal", sh, len(l))
			}
		}
		_, hook, _ := strings.Cut(s.Text(), "3<<'#@EOS'\n")
		hook, _, _ = strings.Cut(hook, "\n#@EOS")
		if _, err := exec.LookPath(check[0]); err != nil {
			t.Logf("needs: %s", check[0])
			continue
		}
		c := exec.Command(check[0], check[1])
		c.Stdin = strings.NewReader(hook)
		if out, err := c.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", sh, err, out)
		}
	}
}

// TestLinesAheadOfTheKeysAreSkipped runs what reads the keys on lines that came
// before them: taken for keys, they would leave the keys to the prompt.
func TestLinesAheadOfTheKeysAreSkipped(t *testing.T) {
	k := NewKeys()
	input := "\nls -l; pwd\n" + string(k.Line()) + "next\n"
	for sh, program := range map[Shell]string{Bash: "bash", Zsh: "zsh", Fish: "fish", POSIX: "dash"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Logf("needs: %s", program)
			continue
		}
		s, _ := Start(sh, true)
		begin := regexp.MustCompile(`(?m)^(function )?__c_hello.*\n`).FindString(s.Text())
		hello, _, _ := strings.Cut(s.Text()[strings.Index(s.Text(), begin)+len(begin):], map[bool]string{true: "\nend\n", false: "\n}\n"}[sh == Fish])
		switch sh {
		case Bash, Zsh:
			hello = begin + hello + "\n}\n"
		case Fish:
			hello = begin + hello + "\nend\n"
		default: // a line of its own
			hello = begin
		}
		hello = strings.NewReplacer("</dev/tty", "</dev/stdin", ">/dev/tty", ">/dev/null", "stty", ":").Replace(hello)
		c := exec.Command(program, "-c", hello+"__c_hello; printf %s \"$__c_m\"")
		c.Stdin = strings.NewReader(input)
		out, err := c.Output()
		if got := strings.TrimPrefix(string(out), "\x1b]7770;READY\a"); err != nil || got != k.Mark() {
			t.Errorf("%s: %q, %v", program, out, err)
		}
	}
}

func TestTheLoaderSuitsEveryLoginShell(t *testing.T) {
	l := Loader().Text()
	if !strings.HasPrefix(l, "exec sh -c '") || strings.Count(l, "'") != 2 || strings.Contains(l, `\\`) || strings.ContainsAny(l, "\n!") {
		t.Errorf("loader: %s", l)
	}
}

func TestTheOpaqueLoaderIsTheLoader(t *testing.T) {
	o := opaque(Loader().text)
	if strings.Contains(o, "$") {
		t.Errorf("sudo would let a shell expand %s", o)
	}
	out, err := exec.Command("sh", "-c", strings.Replace(o, "eval ", "printf %s ", 1)).Output()
	if err != nil || string(out) != Loader().text {
		t.Errorf("got %q, %v", out, err)
	}
}

func TestScriptsHoldNoSecret(t *testing.T) {
	a, _ := Start(Bash, true)
	b, _ := Start(Bash, true)
	if a.Digest() != b.Digest() {
		t.Error("the script is no constant")
	}
}

func TestMarks(t *testing.T) {
	for in, want := range map[string]Mark{
		"7770;LOADER;/bin/bash":   {Kind: "LOADER", Fields: []string{"/bin/bash"}},
		"7770;abc;D;0;5;/a\\x3bb": {Nonce: "abc", Kind: "D", Fields: []string{"0", "5", "/a;b"}},
		"7770;abc;B;1":            {Nonce: "abc", Kind: "B", Fields: []string{"1"}},
	} {
		m, err := Parse([]byte(in))
		if err != nil || m.Kind != want.Kind || m.Nonce != want.Nonce || strings.Join(m.Fields, "|") != strings.Join(want.Fields, "|") {
			t.Errorf("%s: %+v %v", in, m, err)
		}
	}
	for _, bad := range []string{"", "133;A", "7770;", "7770;x", "7770;;B", `7770;m;R;\y`, `7770;m;R;\x4`, `7770;m;R;\xzz`, `7770;m;R;a\`} {
		if m, err := Parse([]byte(bad)); err == nil {
			t.Errorf("%q was read as %+v", bad, m)
		}
	}
}

func TestReports(t *testing.T) {
	ok := `7770;m;R;12;q;5;ls\x0a-l;UTF-8;comments,braces;a:ls:ls --color;p:ls:/bin/ls;f:mine;b:cd`
	m, err := Parse([]byte(ok))
	if err != nil {
		t.Fatal(err)
	}
	r, err := ParseReport(m)
	if err != nil || r.Line != "ls\n-l" || r.Seq != "12" || r.Blocking() {
		t.Fatalf("%+v %v", r, err)
	}
	w := r.State.Words
	if w["ls"].Kind != "alias" || w["ls"].Text != "ls --color" || w["ls"].Path != "/bin/ls" || w["mine"].Kind != "function" || w["cd"].Kind != "builtin" || !r.State.Options["comments"] || r.State.Options["aliases"] {
		t.Errorf("state %+v", r.State)
	}
	for _, bad := range []string{
		`7770;m;R;12;q;4;ls\x0a-l;UTF-8;;`, `7770;m;R;;q;2;ls;UTF-8;`, `7770;m;R;1x;q;2;ls;UTF-8;`, `7770;m;R;1;q;2;ls`, `7770;m;R;1;q;-;ls;UTF-8;`,
	} {
		m, err := Parse([]byte(bad))
		if err != nil {
			continue
		}
		if r, err := ParseReport(m); err == nil {
			t.Errorf("%s was read as %+v", bad, r)
		}
	}
}

func FuzzEncode(f *testing.F) {
	f.Add("a;b\\c\n\x1b é")
	f.Fuzz(func(t *testing.T, s string) {
		e := encode(s)
		if strings.ContainsAny(e, ";\n\r\x1b\x1e\x00") {
			t.Errorf("%q holds what must not be", e)
		}
		if d, err := decode(e); err != nil || d != s {
			t.Errorf("%q came back as %q, %v", s, d, err)
		}
	})
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("7770;m;R;1;q;2;ls;UTF-8;;f:x"))
	f.Fuzz(func(t *testing.T, p []byte) {
		if m, err := Parse(p); err == nil {
			_, _ = ParseReport(m)
		}
	})
}
