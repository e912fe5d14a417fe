package copilot

import (
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sallyport/redact"
)

// tryToGetOut does what a hostile copilot might, and tells what worked. The flags of
// the command line are its own paths: what it may read comes first.
func tryToGetOut() string {
	var worked []string
	try := func(what string, err error) {
		if err == nil {
			worked = append(worked, what)
		}
	}
	allowed, secret, port := os.Args[1], os.Getenv("SECRET_FILE"), os.Getenv("OPEN_PORT")
	_, err := os.ReadDir(allowed)
	try("list its runbooks", err)
	_, err = os.ReadFile(filepath.Join(allowed, "a.toml"))
	try("read its runbooks", err)
	try("write its runbooks", os.WriteFile(filepath.Join(allowed, "b.toml"), nil, 0o600))
	_, err = os.ReadFile(secret)
	try("read another file", err)
	try("write another file", os.WriteFile(secret+".new", nil, 0o600))
	_, err = os.ReadFile("/etc/passwd")
	try("read /etc/passwd", err)
	_, err = os.ReadDir("/")
	try("list /", err)
	try("run a program", exec.Command("/bin/ls", "/").Run())
	conn, err := net.Dial("tcp", "127.0.0.1:"+port)
	try("connect", err)
	if err == nil {
		conn.Close()
	}
	return strings.Join(worked, ", ")
}

// TestAConfinedChildGetsItsOwnFilesAndNothingElse is skipped where the kernel cannot.
func TestAConfinedChildGetsItsOwnFilesAndNothingElse(t *testing.T) {
	if !landlocked() {
		t.Skip("needs: landlock in the kernel")
	}
	dir := t.TempDir()
	books, secret := filepath.Join(dir, "books"), filepath.Join(dir, "secret")
	if err := os.Mkdir(books, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, f := range []string{filepath.Join(books, "a.toml"), secret} {
		if err := os.WriteFile(f, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	for _, c := range []struct {
		name    string
		sandbox []string
		want    string
	}{
		{"confined", []string{os.Args[0], "__sandbox"}, "list its runbooks, read its runbooks"},
		{"not confined", nil, "list its runbooks, read its runbooks, write its runbooks, read another file, " +
			"write another file, read /etc/passwd, list /, run a program, connect"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := escape(t, c.sandbox, books, secret, port)
			if got != c.want {
				t.Errorf("worked: %s\nwant:   %s", got, c.want)
			}
		})
	}
}

func escape(t *testing.T, sandbox []string, books, secret, port string) string {
	t.Helper()
	t.Setenv(childBehaviour, "tries to get out")
	t.Setenv("SECRET_FILE", secret)
	t.Setenv("OPEN_PORT", port)
	k := startWith(t, Config{
		Command: os.Args[0] + " " + books, Sandbox: sandbox, Env: []string{childBehaviour, "SECRET_FILE", "OPEN_PORT"},
	})
	k.session.Chat(redact.Literal("hello"))
	st := k.until(t, "an answer", answered)
	return string(st.Chat[len(st.Chat)-1].Text)
}

func TestConfinementIsReadFromTheCommandLine(t *testing.T) {
	dir := t.TempDir()
	script := filepath.Join(dir, "linus")
	if err := os.WriteFile(script, []byte("#!/usr/bin/env sh\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	key := filepath.Join(dir, "key")
	if err := os.WriteFile(key, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	path, c, err := confine([]string{script, "--api-key-file=" + key, "--model", "https://llm.example:8443/v1", "/", "--x"}, nil)
	if err != nil || path != script {
		t.Fatal(path, err)
	}
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{script, "/usr/bin/env", sh} {
		if !slices.Contains(c.run, want) {
			t.Errorf("%s may not run", want)
		}
	}
	if !slices.Contains(c.read, key) || slices.Contains(c.read, "/") || slices.Contains(c.read, dir) {
		t.Errorf("may read %v", c.read)
	}
	if fmt.Sprint(c.connect, c.resolve) != "[8443] true" {
		t.Errorf("may connect to %v, %v", c.connect, c.resolve)
	}
}

func TestPorts(t *testing.T) {
	for in, want := range map[string]uint16{
		"https://a/v1": 443, "http://a": 80, "http://a:11434/v1": 11434, "https://[::1]:9/": 9,
	} {
		u, err := url.Parse(in)
		if err != nil {
			t.Fatal(err)
		}
		if got := portOf(u); got != want {
			t.Errorf("%s: %d", in, got)
		}
	}
}
