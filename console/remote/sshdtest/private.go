package sshdtest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Account is one more account of the server, with a home of its own below
// /home. Only the server's sessions see it.
type Account struct {
	Name  string
	Shell string            // a path; empty: /bin/bash
	Files map[string]string // in its home: name to content
	Sudo  bool              // may run everything as root, with its password
}

// Password is that of every Account. It is made up.
const Password = "made-up-pass-7"

// passwordHash is crypt(3) of Password, SHA-512.
const passwordHash = "$6$sallyport$WN0NXEYcIRLrYz2sKNo8Fo6Ri3bW0wEz.UtfO.NUIrPRCJd/vnIuo3YH0D0Wmdz7JqmOdXwAIbiSEy.NX27sI0"

// firstID is the uid and gid of the first account.
const firstID = 42420

// private tells whether the server needs a mount namespace of its own.
func (o Options) private() bool { return len(o.Accounts) > 0 || len(o.Private) > 0 || o.Setup != "" }

// inNamespace gives the command that runs sshd where the files of o are in
// place: in a mount namespace of its own, so that nothing of the machine
// changes.
func (s *Server) inNamespace(t testing.TB, o Options, argv []string) []string {
	t.Helper()
	if os.Getuid() != 0 || exec.Command("unshare", "-m", "true").Run() != nil {
		t.Skip("needs: root that may make a mount namespace")
	}
	files := map[string]string{}
	for path, content := range o.Private {
		files[path] = content
	}
	script := "set -e\n"
	if len(o.Accounts) > 0 {
		s.addAccounts(t, o.Accounts, files)
		script += s.homes(t, o.Accounts)
	}
	names := make([]string, 0, len(files))
	for path := range files {
		names = append(names, path)
	}
	slices.Sort(names)
	for i, path := range names {
		from := filepath.Join(s.Dir, "private"+strconv.Itoa(i))
		mode := os.FileMode(0o644)
		if strings.Contains(path, "sudoers") || strings.Contains(path, "shadow") {
			mode = 0o440
		}
		write(t, from, files[path], mode)
		script += fmt.Sprintf("mount --bind '%s' '%s'\n", from, path)
	}
	script += o.Setup
	return append([]string{"unshare", "-m", "--propagation", "private", "sh", "-c", script + `exec "$0" "$@"`}, argv...)
}

func (s *Server) addAccounts(t testing.TB, accounts []Account, files map[string]string) {
	t.Helper()
	passwd, shadow, group := read(t, "/etc/passwd"), read(t, "/etc/shadow"), read(t, "/etc/group")
	sudoers := "Defaults lecture=never, timestamp_timeout=0, !fqdn\nroot ALL=(ALL:ALL) NOPASSWD: ALL\n"
	for i, a := range accounts {
		shell := a.Shell
		if shell == "" {
			shell = "/bin/bash"
		}
		passwd += fmt.Sprintf("%s:x:%d:%d::/home/%s:%s\n", a.Name, firstID+i, firstID+i, a.Name, shell)
		shadow += fmt.Sprintf("%s:%s:19000:0:99999:7:::\n", a.Name, passwordHash)
		group += fmt.Sprintf("%s:x:%d:\n", a.Name, firstID+i)
		if a.Sudo {
			sudoers += a.Name + " ALL=(ALL:ALL) ALL\n"
		}
	}
	files["/etc/passwd"], files["/etc/shadow"], files["/etc/group"], files["/etc/sudoers"] = passwd, shadow, group, sudoers
}

// homes gives the commands that make the accounts' homes. root has an empty one:
// the machine's may hold start files that take long, and keeps its history.
func (s *Server) homes(t testing.TB, accounts []Account) string {
	t.Helper()
	script := "mount -t tmpfs none /home\n"
	if !strings.HasPrefix(s.Dir, "/root/") {
		script += "mount -t tmpfs -o mode=700 none /root\n"
	}
	for i, a := range accounts {
		from := filepath.Join(s.Dir, "home."+a.Name)
		mkdir(t, filepath.Join(from, ".local/share/fish/generated_completions"))
		write(t, filepath.Join(from, ".zshrc"), "", 0o600)
		for name, content := range a.Files {
			path := filepath.Join(from, name)
			mkdir(t, filepath.Dir(path))
			write(t, path, content, 0o600)
		}
		script += fmt.Sprintf("cp -r '%s' /home/%s\nchown -R %d:%d /home/%s\n", from, a.Name, firstID+i, firstID+i, a.Name)
	}
	return script
}

func read(t testing.TB, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// Inside gives the path by which the test reads a file of a server that has
// Accounts or Private files, as its sessions see it.
func (s *Server) Inside(path string) string {
	return filepath.Join("/proc", strconv.Itoa(s.cmd.Process.Pid), "root", path)
}
