package session_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"sallyport/console/gate"
	"sallyport/console/remote/sshdtest"
	"sallyport/console/session"
	"sallyport/policy"
)

// Row 20.
func TestANestedShellIsFramedAndPopped(t *testing.T) {
	shells(t, integrated, func(t *testing.T, shell string) {
		for _, inner := range []string{"bash", "zsh", "fish"} {
			if nightly("y", "") == "" && inner != map[string]string{"bash": "zsh", "zsh": "fish", "fish": "bash"}[shell] {
				continue
			}
			t.Run(inner, func(t *testing.T) {
				need(t, inner)
				r := start(t, setup{shell: shell})
				f := r.path("made")
				r.state(session.Prompt)
				r.typed(inner + "<Enter>")
				r.until("framed", func() bool { v := r.s.View(); return v.State == session.Prompt && len(v.Frames) == 2 })
				if v := r.s.View(); v.Shell != inner || v.Evidence != gate.EvidenceShell {
					t.Errorf("view %+v", v)
				}
				if strings.Contains(r.text(), "__c_") {
					t.Errorf("the bootstrap shows:\n%s", r.text())
				}
				r.typed("touch " + f + " DENYME<Enter>")
				r.refused()
				if exists(f) {
					t.Error("ran inside")
				}
				r.typed("<C-u>")
				if c := r.run("cd /; sh -c 'exit 5'"); c.Exit == nil || *c.Exit != 5 || c.Cwd != "/" {
					t.Errorf("inside: %+v", c)
				}
				r.state(session.Prompt)
				r.typed("exit<Enter>")
				r.until("popped", func() bool { v := r.s.View(); return v.State == session.Prompt && len(v.Frames) == 1 })
				if c := r.run("echo back"); c.Line != "echo back" || r.s.View().Shell != shell {
					t.Errorf("after: %+v", c)
				}
				if j := r.s.Journal(); j[0].Line != inner || j[0].Status != session.Completed {
					t.Errorf("the nesting command: %+v", j[0])
				}
			})
		}
	})
}

// A question is void when the shell that holds its line ends, and when ^C drops
// the line. Nothing of it runs, there or outside.
func TestAQuestionIsVoidWhenItsShellOrItsLineGoes(t *testing.T) {
	shells(t, nightly(integrated, "bz"), func(t *testing.T, shell string) {
		r := start(t, setup{shell: shell})
		f := r.path("made")
		answers := make(chan gate.Answer, 2)
		r.state(session.Prompt)
		r.typed("bash<Enter>")
		r.framed(2)
		r.run("echo $$ > " + r.path("pid"))
		r.asks.answer(func(gate.Question) (gate.Answer, error) { return <-answers, nil })
		r.state(session.Prompt)
		r.typed("touch " + f + " #CONFIRM<Enter>")
		r.state(session.Confirm)
		pid, _ := os.ReadFile(r.path("pid"))
		n, err := strconv.Atoi(strings.TrimSpace(string(pid)))
		if err != nil || syscall.Kill(n, syscall.SIGKILL) != nil {
			t.Fatalf("the shell inside: %q", pid)
		}
		r.until("the outer shell is back", func() bool { v := r.s.View(); return v.State == session.Prompt && len(v.Frames) == 1 })
		answers <- gate.Answer{Send: true}
		r.quiet()
		r.typed("touch " + f + " #CONFIRM<Enter>")
		r.state(session.Confirm)
		r.typed("<C-c>")
		r.state(session.Prompt)
		answers <- gate.Answer{Send: true}
		r.quiet()
		if exists(f) {
			t.Error("it ran")
		}
		r.asks.answer(nil)
		if c := r.run("echo ok"); c.Line != "echo ok" {
			t.Errorf("after: %+v", c)
		}
	})
}

// framed waits for the shell inside and gives its target.
func (r *rig) framed(depth int) policy.Target {
	r.t.Helper()
	r.until("framed", func() bool { v := r.s.View(); return v.State == session.Prompt && len(v.Frames) == depth })
	return r.s.View().Frames[depth-1]
}

// insideRows are what holds in every frame: lines are judged for the stack of
// targets, a denied one does not run, what runs is recorded with the stack.
func (r *rig) insideRows(depth int, is policy.Target) {
	r.t.Helper()
	f := "/tmp/sallyport-inside-" + strings.ToLower(strings.NewReplacer("/", "-", " ", "-").Replace(r.t.Name()))
	r.typed("touch " + f + " DENYME<Enter>")
	if ref := r.refused(); ref.By != gate.ByPolicy {
		r.t.Errorf("inside: refused by %s", ref.By)
	}
	r.quiet()
	if exists(f) {
		r.t.Error("a denied line ran inside")
	}
	r.typed("<C-u>")
	c := r.run("cd /; sh -c 'exit 5'")
	if c.Exit == nil || *c.Exit != 5 || c.Cwd != "/" {
		r.t.Errorf("inside: %+v", c)
	}
	if q := r.judge.last(); len(q.Targets) != depth || q.Targets[depth-1].Account != is.Account || q.Targets[depth-1].Container != is.Container {
		r.t.Errorf("judged for %+v", q.Targets)
	}
	for _, e := range r.entries() {
		if e.Event == "command.intent" && e.Seq == c.Intent {
			targets := e.Data["targets"].([]any)
			last := targets[len(targets)-1].(map[string]any)
			if len(targets) != depth || last["verified"] != is.Verified {
				r.t.Errorf("recorded with %v", targets)
			}
		}
	}
}

// leaves ends the shell inside.
func (r *rig) leaves(depth int) {
	r.t.Helper()
	r.state(session.Prompt)
	r.typed("exit<Enter>")
	r.until("popped", func() bool { v := r.s.View(); return v.State == session.Prompt && len(v.Frames) == depth })
}

// alice is an account beside root's.
func alice(shell string) sshdtest.Options {
	return sshdtest.Options{Accounts: []sshdtest.Account{{Name: "alice", Shell: need0(shell), Sudo: true}}}
}

func need0(shell string) string {
	path, _ := exec.LookPath(shell)
	return path
}

// Row 20.
func TestSudoAndSuAreFramedWithTheirAccount(t *testing.T) {
	shells(t, nightly(integrated, "b"), func(t *testing.T, shell string) {
		for line, inner := range map[string]string{
			"sudo -u alice -i": "bash", "sudo -u alice -s": shell, "su - alice": "zsh", "su alice": "fish", "sudo su - alice": "bash",
			"sudo -u alice bash": "bash",
		} {
			if slow(t) && nightly("y", "") == "" && line != "su - alice" {
				continue
			}
			t.Run(line, func(t *testing.T) {
				need(t, strings.Fields(line)[0])
				need(t, inner)
				r := start(t, setup{shell: shell, inside: alice(inner)})
				r.state(session.Prompt)
				r.typed(line + "<Enter>")
				in := r.framed(2)
				if in.Account != "alice" || !in.Verified || in.Asked != r.s.View().Frames[0].Asked || r.s.View().Shell != inner {
					t.Errorf("target %+v, shell %s", in, r.s.View().Shell)
				}
				r.insideRows(2, policy.Target{Account: "alice", Verified: true})
				r.leaves(1)
				if j := r.s.Journal(); j[0].Line != line || j[0].Status != session.Completed {
					t.Errorf("the nesting command: %+v", j[0])
				}
			})
		}
	})
}

// Row 20.
func TestOnwardSSHIsFramedAndUnverified(t *testing.T) {
	shells(t, nightly(integrated, "b"), func(t *testing.T, shell string) {
		far := sshdtest.Start(t, sshdtest.Options{Shell: "zsh"})
		conf, err := os.ReadFile(far.SSHConfig)
		if err != nil {
			t.Fatal(err)
		}
		r := start(t, setup{shell: shell, inside: sshdtest.Options{Private: map[string]string{
			"/etc/ssh/ssh_config": strings.Replace(string(conf), "Host *", "Host far", 1),
		}}})
		r.state(session.Prompt)
		r.typed("ssh bob@far<Enter>")
		r.until("refused by that host", func() bool { return len(r.s.Journal()) == 1 && r.s.Journal()[0].Status == session.Completed })
		r.state(session.Prompt)
		r.typed("ssh -F /etc/ssh/ssh_config far<Enter>")
		if ref := r.refused(); !strings.Contains(ref.Reason, "-F") || len(r.s.Journal()) != 1 {
			t.Errorf("a login that leads nowhere: %+v", ref)
		}
		r.typed("<C-u>ssh -q -oConnectTimeout=20 -o StrictHostKeyChecking=yes far<Enter>")
		in := r.framed(2)
		if in.Asked != "far" || in.Verified || in.Fingerprint != "" || r.s.View().Shell != "zsh" {
			t.Errorf("target %+v", in)
		}
		r.typed("~.")
		r.quiet()
		r.typed("<C-u>")
		r.insideRows(2, policy.Target{Account: r.host.User})
		r.leaves(1)
		if c := r.run("echo back"); c.Line != "echo back" {
			t.Errorf("after: %+v", c)
		}
	})
}

// docker is a client with the options of some, in front of a container of crun's.
const docker = `#!/bin/sh
[ "$1" = exec ] && [ "$2" = -it ] || exit 1
shift 2
[ "$1" = -u ] && shift 2
exec crun exec -t "$@"
`

// container runs a container named web, which has the machine's programs and its
// temporary files and nothing else of it. The cgroups are mounted anew: crun
// refuses to run where both versions are.
func container(t *testing.T) sshdtest.Options {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("needs: root (for a container)")
	}
	need(t, "crun")
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "rootfs"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"bin", "lib", "lib64", "sbin"} {
		if err := os.Symlink("usr/"+name, filepath.Join(dir, "rootfs", name)); err != nil {
			t.Fatal(err)
		}
	}
	config, err := os.ReadFile("testdata/container.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "config.json"), config, 0o600); err != nil {
		t.Fatal(err)
	}
	pid := filepath.Join(dir, "pid")
	t.Cleanup(func() {
		b, _ := os.ReadFile(pid)
		if n, err := strconv.Atoi(string(b)); err == nil {
			_ = syscall.Kill(n, syscall.SIGKILL) // the first process of the container: all of it ends
		}
	})
	return sshdtest.Options{Setup: "umount -R /sys/fs/cgroup\nmount -t cgroup2 none /sys/fs/cgroup\nmkdir -p /run/crun\nmount -t tmpfs none /run/crun\n" +
		"crun --cgroup-manager=disabled run -d --bundle '" + dir + "' --pid-file '" + pid + "' web </dev/null >&2\n"}
}

// Row 20: a shell in a real container, by its runtime and by a client.
func TestAContainersShellIsFramed(t *testing.T) {
	shells(t, nightly(integrated, "z"), func(t *testing.T, shell string) {
		for name, c := range map[string]struct{ line, account, inner string }{
			"crun":   {"crun exec -t web /bin/bash", "", "bash"},
			"docker": {"~/docker exec -it -u root web /bin/zsh", "root", "zsh"},
		} {
			t.Run(name, func(t *testing.T) {
				r := start(t, setup{shell: shell, files: map[string]string{"docker": docker}, inside: container(t)})
				if err := os.Chmod(r.path("docker"), 0o700); err != nil {
					t.Fatal(err)
				}
				r.state(session.Prompt)
				r.typed(strings.Replace(c.line, "~", r.host.Home, 1) + "<Enter>")
				in := r.framed(2)
				if in.Container != "web" || in.Verified || in.Account != c.account || r.s.View().Shell != c.inner {
					t.Errorf("target %+v, shell %s", in, r.s.View().Shell)
				}
				r.insideRows(2, policy.Target{Account: c.account, Container: "web"})
				r.run("test $$ -lt 100 && test $(hostname) = web && touch " + r.path("inside"))
				if !exists(r.path("inside")) {
					t.Error("the shell is not in the container")
				}
				r.leaves(1)
			})
		}
	})
}

// Row 20: what drops marks cannot be framed. It is refused as a line, and what another program started gets no keys.
func TestAMultiplexerGetsNoKeys(t *testing.T) {
	shells(t, nightly(integrated, "b"), func(t *testing.T, shell string) {
		need(t, "tmux")
		dir := t.TempDir()
		r := start(t, setup{shell: shell, env: map[string]string{"TMUX_TMPDIR": dir}, files: map[string]string{"start.sh": "exec tmux -f /dev/null\n"}})
		f := r.path("made")
		r.state(session.Prompt)
		r.typed("tmux -f /dev/null<Enter>")
		if ref := r.refused(); ref.By != gate.ByGate || ref.Remedy == "" {
			t.Errorf("refused by %s, with the remedy %q", ref.By, ref.Remedy)
		}
		r.typed("<C-u>")
		r.typed("sh start.sh<Enter>")
		r.state(session.Running)
		r.typed("touch " + f + "<Enter>")
		if ref := r.refused(); ref.By != gate.ByPolicy {
			t.Errorf("refused by %s", ref.By)
		}
		r.quiet()
		if exists(f) || len(r.records("keys.open")) > 0 {
			t.Error("a multiplexer got keys")
		}
		r.until("the refusal is recorded", func() bool { return len(r.records("command.refused")) > 0 })
		if out, err := exec.Command("tmux", "-S", filepath.Join(dir, "tmux-"+strconv.Itoa(os.Getuid()), "default"), "kill-server").CombinedOutput(); err != nil {
			t.Errorf("%v: %s", err, out)
		}
		r.state(session.Prompt)
	})
}

// Row 20.
func TestAShellThatCannotBeFramedIsHeld(t *testing.T) {
	shells(t, nightly(integrated, "b"), func(t *testing.T, shell string) {
		r := start(t, setup{shell: shell})
		f := r.path("made")
		r.state(session.Prompt)
		r.typed("env FOO=1 bash --norc<Enter>")
		r.state(session.Running)
		r.quiet()
		r.typed("touch " + f + "<Enter>")
		r.quiet()
		if exists(f) {
			t.Error("a nested shell got keys")
		}
		r.typed("<C-d>")
		r.until("left", func() bool { return r.s.View().State == session.Prompt })
	})
}
