package collector

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestThePlatformTeamsPageIsTrue runs each command of README's page for the
// platform team, as written, on a throwaway machine with a systemd of its own.
// Lines that follow a command are what it must print.
func TestThePlatformTeamsPageIsTrue(t *testing.T) {
	bin := built(t)
	m := boot(t, bin)
	m.users(t)
	for _, c := range page(t) {
		m.follow(t, c)
	}
}

// step is a command of the page: by root (#) or by the operator ($).
type step struct {
	root   bool
	text   string
	prints []string
}

const section = "## For the platform team"

// page reads the commands from README.
func page(t *testing.T) (out []step) {
	t.Helper()
	b, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, ok := strings.Cut(string(b), section)
	if !ok {
		t.Fatalf("README has no %q", section)
	}
	text, _, _ = strings.Cut(text, "\n## ")
	for i, block := range strings.Split(text, "```") {
		if i%2 == 1 {
			out = append(out, steps(strings.TrimPrefix(block, "console\n"))...)
		}
	}
	if len(out) < 10 {
		t.Fatalf("the page has %d commands", len(out))
	}
	return out
}

// steps splits a block: a command goes on after a backslash and to the end of
// its here-document.
func steps(block string) (out []step) {
	open := false
	for line := range strings.Lines(block) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case open:
			s := &out[len(out)-1]
			s.text += "\n" + line
			open = goesOn(s.text)
		case strings.HasPrefix(line, "# "), strings.HasPrefix(line, "$ "):
			out = append(out, step{root: line[0] == '#', text: line[2:]})
			open = goesOn(line[2:])
		case line != "":
			s := &out[len(out)-1]
			s.prints = append(s.prints, line)
		}
	}
	return out
}

func goesOn(command string) bool {
	return strings.HasSuffix(command, `\`) || strings.Contains(command, "<<EOF") && !strings.HasSuffix(command, "\nEOF")
}

// machine is the throwaway one.
type machine struct{ init string }

func boot(t *testing.T, collectors string) *machine {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("needs: root (for a throwaway machine)")
	}
	if _, err := os.Stat("/lib/systemd/systemd"); err != nil {
		t.Skip("needs: systemd (Debian package systemd)")
	}
	var log bytes.Buffer
	cmd := exec.Command("unshare", "--mount", "--pid", "--cgroup", "--net", "--uts", "--ipc", "--fork", "./machine", t.TempDir(), tree(t), collectors)
	cmd.Stdout, cmd.Stderr = &log, &log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	m := &machine{}
	t.Cleanup(func() {
		exec.Command("kill", "-9", m.init).Run() //nolint:errcheck // with it all of the machine ends
		cmd.Process.Kill()
		cmd.Wait() //nolint:errcheck // it was killed
		if t.Failed() {
			t.Logf("the machine said: %s", log.String())
		}
	})
	await(t, "the machine", func() bool {
		b, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", cmd.Process.Pid, cmd.Process.Pid))
		if err != nil || len(bytes.Fields(b)) == 0 {
			return false
		}
		m.init = string(bytes.Fields(b)[0])
		comm, _ := os.ReadFile("/proc/" + m.init + "/comm")
		if strings.TrimSpace(string(comm)) != "systemd" {
			return false
		}
		state, _ := m.run(true, "systemctl is-system-running")
		return strings.Contains(state, "running") || strings.Contains(state, "degraded")
	})
	return m
}

// tree is what the page's commands find of the repository: what `make build`
// makes, and the units.
func tree(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	build := exec.Command("go", "build", "-o", filepath.Join(dir, "bin")+"/", "./cmd/sallyport", "./cmd/linus")
	build.Dir = "../.."
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	units := filepath.Join(dir, "audit/daemon/systemd")
	if err := os.CopyFS(units, os.DirFS("../../audit/daemon/systemd")); err != nil {
		t.Fatal(err)
	}
	return dir
}

// run runs a command there, in the repository.
func (m *machine) run(root bool, command string) (string, error) {
	args := []string{"-t", m.init, "-m", "-p", "-C", "-n", "-u", "-i", "-r", "-w", "env", "-i", "HOME=/root", "PATH=/opt/collectors:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"}
	if root {
		args = append(args, "bash", "-ec", "cd /srv/sallyport; "+command)
	} else {
		args = append(args, "su", "-", "ada", "-c", command)
	}
	out, err := exec.Command("nsenter", args...).CombinedOutput()
	return string(out), err
}

// users makes the operator, and a host for her: web-1 is an OpenSSH server on
// the machine itself.
func (m *machine) users(t *testing.T) {
	t.Helper()
	out, err := m.run(true, `
		useradd --create-home --shell /bin/bash --password '*' ada
		install -d -m 700 -o ada /home/ada/.ssh
		ssh-keygen -q -t ed25519 -N '' -f /home/ada/.ssh/id_ed25519
		ssh-keygen -q -t ed25519 -N '' -f /run/host_key
		cp /home/ada/.ssh/id_ed25519.pub /home/ada/.ssh/authorized_keys
		echo "[127.0.0.1]:2222 $(cat /run/host_key.pub)" > /home/ada/.ssh/known_hosts
		printf 'Host web-1\n HostName 127.0.0.1\n Port 2222\n' > /home/ada/.ssh/config
		chown -R ada /home/ada/.ssh
		mkdir -p /run/sshd
		printf 'Port 2222\nListenAddress 127.0.0.1\nHostKey /run/host_key\nUsePAM no\n' > /run/sshd_config
		/usr/sbin/sshd -f /run/sshd_config`)
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

// follow runs a step; what has to be on its way first is waited for.
func (m *machine) follow(t *testing.T, s step) {
	t.Helper()
	end := time.Now().Add(time.Minute)
	for {
		out, err := m.run(s.root, s.text)
		lacks := s.lacks(out)
		switch {
		case err == nil && lacks == "":
			t.Logf("%s\n%s", s.text, out)
			return
		case len(s.prints) == 0 || time.Now().After(end):
			journal, _ := m.run(true, "systemctl status --no-pager sallyport-auditd.service; cat /var/log/sallyport* 2>/dev/null")
			t.Fatalf("%s\n%v, lacks %q\n%s\n%s", s.text, err, lacks, out, journal)
		}
		<-time.After(300 * time.Millisecond) // records are on their way
	}
}

// lacks gives a line that the step should have printed and did not.
func (s step) lacks(out string) string {
	for _, want := range s.prints {
		if !strings.Contains(out, strings.TrimSpace(want)) {
			return want
		}
	}
	return ""
}
