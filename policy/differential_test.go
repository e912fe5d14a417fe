//go:build linux

package policy_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"sallyport/policy"
)

// marker is every program but bash: it notes the name it was started by. It
// uses builtins alone.
const marker = "#!/bin/bash\necho \"${0##*/}\" >> /tmp/ran\n"

// A jail is a root folder that holds bash, its libraries and markers, and
// nothing of the machine.
type jail struct{ root string }

// newJail makes one; where a user namespace cannot be had, the test is
// skipped: rows never run outside.
func newJail(t *testing.T, programs []string) *jail {
	t.Helper()
	bash, err := exec.LookPath("bash")
	if err != nil {
		skip(t, "needs: bash")
	}
	j := &jail{root: t.TempDir()}
	j.folders(t)
	j.shell(t, bash)
	for _, dir := range []string{"bin", "usr/bin"} {
		j.markers(t, dir, programs)
	}
	for _, dir := range []string{"bin", "usr/bin", "usr", "etc", "home", "var", "root", "."} {
		if err := os.Chmod(filepath.Join(j.root, dir), 0o555); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() {
		filepath.WalkDir(j.root, func(p string, d os.DirEntry, err error) error {
			if err == nil && d.IsDir() {
				return os.Chmod(p, 0o755)
			}
			return nil
		})
	})
	if ran, err := j.run("true; ls; (cat); bash -c 'date'", 20*time.Second); err != nil || strings.Join(ran, " ") != "ls cat date" {
		skip(t, "needs: user, mount, PID and network namespaces without privilege ("+errorText(err)+")")
	}
	return j
}

func errorText(err error) string {
	if err == nil {
		return "the markers did not run"
	}
	return err.Error()
}

func skip(t *testing.T, why string) {
	t.Helper()
	if os.Getenv("SALLYPORT_NO_SKIP") != "" && strings.HasPrefix(why, "needs: bash") {
		t.Fatal(why)
	}
	t.Skip(why)
}

func (j *jail) folders(t *testing.T) {
	t.Helper()
	for _, dir := range []string{"bin", "usr/bin", "etc", "home", "var", "root", "tmp", "dev"} {
		if err := os.MkdirAll(filepath.Join(j.root, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(j.root, "dev/null"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
}

// shell copies bash, as bash and sh, with the libraries that ldd names.
func (j *jail) shell(t *testing.T, bash string) {
	t.Helper()
	out, err := exec.Command("ldd", bash).Output()
	if err != nil {
		skip(t, "needs: ldd")
	}
	for _, lib := range regexp.MustCompile(`/[^\s)]+`).FindAllString(string(out), -1) {
		j.copy(t, lib, strings.TrimPrefix(lib, "/"))
	}
	j.copy(t, bash, "bin/bash")
	j.copy(t, bash, "bin/sh")
}

func (j *jail) copy(t *testing.T, from, to string) {
	t.Helper()
	data, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	to = filepath.Join(j.root, to)
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, data, 0o755); err != nil {
		t.Fatal(err)
	}
}

func (j *jail) markers(t *testing.T, dir string, programs []string) {
	t.Helper()
	first := filepath.Join(j.root, dir, ".marker")
	if err := os.WriteFile(first, []byte(marker), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, p := range programs {
		if err := os.Link(first, filepath.Join(j.root, dir, p)); err != nil && !os.IsExist(err) {
			t.Fatal(err)
		}
	}
}

// run gives the names of the programs that text started.
func (j *jail) run(text string, limit time.Duration) ([]string, error) {
	log := filepath.Join(j.root, "tmp/ran")
	os.Remove(log)
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	c := exec.CommandContext(ctx, "/bin/bash", "--norc", "--noprofile", "-c", "ulimit -t 2 -v 2000000 -f 1000; cd /tmp; eval \"$ROW\"")
	c.Env = []string{"PATH=/bin:/usr/bin", "HOME=/root", "ROW=" + text}
	c.Dir = "/"
	c.SysProcAttr = &syscall.SysProcAttr{
		Chroot:      j.root,
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS | syscall.CLONE_NEWPID | syscall.CLONE_NEWNET | syscall.CLONE_NEWIPC,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 1000, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 1000, HostID: os.Getgid(), Size: 1}},
	}
	err := c.Run()
	if _, exited := err.(*exec.ExitError); exited || ctx.Err() != nil {
		err = nil // what it started until then counts
	}
	data, readErr := os.ReadFile(log)
	if readErr != nil {
		return nil, err
	}
	return strings.Fields(string(data)), err
}

// TestEveryProgramThatRunsWasSeen runs rows in a real bash: what ran and is
// not in the facts was hidden from the policy.
func TestEveryProgramThatRunsWasSeen(t *testing.T) {
	set := shipped(t)
	rows := runnable(t, set)
	j := newJail(t, wordsOf(rows))
	for _, text := range rows {
		ran, err := j.run(text, 2*time.Second)
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		d := set.Decide(policy.Request{Text: text})
		for _, name := range ran {
			if !seen(d, name) {
				t.Errorf("%q ran %s, which the policy did not see", text, name)
			}
		}
	}
	t.Logf("%d rows", len(rows))
}

// seen reports a program among the facts. One whose name is only known at
// run time was raised for that: what it runs need not be there.
func seen(d policy.Decision, name string) bool {
	for _, f := range d.Facts {
		if f.Program == name || f.Name.Text == name || strings.HasSuffix(f.Name.Text, "/"+name) || f.Program == "" {
			return true
		}
		for _, c := range f.Constructs {
			if c == "eval_unknown" || c == "unseen_code" || c == "stdin_code" {
				return true
			}
		}
	}
	return false
}

// hidden are ways to start a program that rows of any corpus may lack.
var hidden = []string{
	"a=ls; b=$a; $b", "x=l; y=s; $x$y", "l\\s", "l''s", "$'\\154s'", "\"ls\"", "{ls,-l}", "`echo ls`", "echo $(ls $(cat))", "cat <(ls)", "ls > >(cat)", "if ls; then cat; else df; fi",
	"for i in ls cat; do $i; done", "while ls; do break; done", "case $(ls) in *) cat;; esac", "f() { ls; }; f", "f() { $1; }; f ls", "[[ $(ls) ]]", "(( $(ls; echo 1) ))", "a[$(ls; echo 1)]=2", "echo ${x:-$(ls)}", "echo \"${x/a/$(ls)}\"",
	"cat <<E\n$(ls)\nE", "cat <<< $(ls)", "eval 'ls; cat'", "eval \"l\"s", "trap ls EXIT", "coproc ls", "time ls", "! ls", "exec ls", "command ls", "builtin command ls", "bash -c 'ls'", "bash -c 'bash -c ls'", "echo ls | bash", "bash <<< ls",
	"bash <(echo ls)", "source <(echo ls)", "sh -c 'ls \"$@\"' x y", "ls & cat", "ls | cat | df", "{ ls; } > x", "(ls) < /dev/null", "x=$(ls) cat", "local x=$(ls)", "declare x=$(ls)", "export x=`ls`", "readonly x=$(ls)", "printf -v 'a[$(ls)]' x", "test -v 'a[$(ls)]'",
	"[[ -v 'a[$(ls)]' ]]", "[[ 'a[$(ls)]' -eq 0 ]]", "echo $(( a[$(ls; echo 1)] ))", "let 'a[$(ls; echo 1)]=1'", "unset 'a[$(ls)]'", "x='$(ls)'; echo \"${x@P}\"", "alias q=ls", "f() ls; f", "select x in a; do ls; break; done < /dev/null", "ls&&cat||df", "ls;cat", "ls\ncat", "until ls; do :; done",
	"echo {a,$(ls)}", "echo $[ $(ls; echo 1) ]", "cat $(</dev/null)$(ls)", "printf '%s' \"$(ls)\" | cat", "echo ls > /tmp/s; bash /tmp/s", "IFS=x; a=lxs; echo $a; ls", "set -- ls; \"$1\"", "$(printf 'l%s' s)", "l$(echo s)", "${x:-ls}", "/bin/ls", "/bin/../bin/ls", "../bin/ls", "ls$IFS-l",
}

// runnable are rows that the console can read, without those that only
// burden the machine.
func runnable(t *testing.T, set *policy.Set) []string {
	t.Helper()
	rows := append([]string(nil), hidden...)
	step := 40
	if os.Getenv("SALLYPORT_NIGHTLY") != "" {
		step = 1
	}
	for i, row := range table(t, "testdata/cases.tsv") {
		if i%step == 0 {
			rows = append(rows, unescape(t, row[2]))
		}
	}
	var out []string
	for _, text := range rows {
		d := set.Decide(policy.Request{Text: text})
		if d.Analyzable && !strings.Contains(d.Explain(text), "fork_bomb") && !strings.ContainsRune(text, 0) && !strings.Contains(text, "while true") {
			out = append(out, text)
		}
	}
	return out
}

var programName = regexp.MustCompile(`[A-Za-z_][A-Za-z0-9_.+-]*`)

// wordsOf are all words of the rows: whichever is started is a marker.
func wordsOf(rows []string) []string {
	seen := map[string]bool{"bash": true, "sh": true, ".": true, "..": true}
	var out []string
	for _, r := range rows {
		for _, w := range programName.FindAllString(r, -1) {
			if !seen[w] && len(w) < 64 {
				seen[w] = true
				out = append(out, w)
			}
		}
	}
	return append(out, "date")
}
