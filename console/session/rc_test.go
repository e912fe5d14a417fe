package session_test

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"testing"

	"sallyport/console/session"
)

// People's own start files must not keep the handshake from working, and the
// handshake must not keep theirs.
func TestStartFilesOfManyKinds(t *testing.T) {
	for name, c := range map[string]struct {
		shell string
		files map[string]string
	}{
		"set -u":         {"bash", map[string]string{".bash_profile": "set -u\n"}},
		"set -o vi":      {"bash", map[string]string{".bash_profile": "set -o vi\n"}},
		"aliases":        {"bash", map[string]string{".bash_profile": "alias printf=false local=false bind=false read=false stty=false\n"}},
		"prompt command": {"bash", map[string]string{".bash_profile": "PROMPT_COMMAND='history -a'\nPS1='\\[\\e[1m\\]\\u \\w\\[\\e[0m\\] $(true)> '\n"}},
		"array":          {"bash", map[string]string{".bash_profile": "PROMPT_COMMAND=('A=1' 'B=2')\n"}},
		"debug trap":     {"bash", map[string]string{".bash_profile": "trap 'LAST=$BASH_COMMAND' DEBUG\nPS0='run: '\n"}},
		"exit trap":      {"bash", map[string]string{".bash_profile": "trap 'touch ~/left' EXIT\n"}},
		"odd IFS":        {"bash", map[string]string{".bash_profile": "IFS=:\nshopt -s failglob nocasematch\nset -f\n"}},
		"histignore":     {"bash", map[string]string{".bash_profile": "HISTCONTROL=ignoreboth\nshopt -s histappend cmdhist lithist histverify histreedit\n"}},
		"two line":       {"zsh", map[string]string{".zshrc": "PROMPT=$'%B%~%b\\n%# '\nRPROMPT='%T'\nsetopt promptsubst transientrprompt\n"}},
		"zsh options":    {"zsh", map[string]string{".zshrc": "setopt ksharrays shwordsplit nounset nomultibyte interactivecomments extendedglob\n"}},
		"zsh hooks":      {"zsh", map[string]string{".zshrc": "autoload -Uz add-zsh-hook compinit; compinit -D -u\na() { :; }; add-zsh-hook precmd a; add-zsh-hook preexec a\nzle-line-init() { :; }; zle -N zle-line-init\n"}},
		"zdotdir":        {"zsh", map[string]string{".zshenv": "export ZDOTDIR=$HOME/z\n", "z/.zshrc": "MINE=1\n"}},
		"fish prompt":    {"fish", map[string]string{".config/fish/config.fish": "function fish_prompt; echo -n (pwd)'> '; end\nfunction fish_right_prompt; date; end\nfunction fish_greeting; end\n"}},
		"fish vi":        {"fish", map[string]string{".config/fish/config.fish": "fish_vi_key_bindings\n"}},
	} {
		t.Run(name, func(t *testing.T) {
			r := start(t, setup{shell: c.shell, files: c.files})
			if c := r.run("echo hi; cd /tmp; sh -c 'exit 7'"); c.Exit == nil || *c.Exit != 7 || c.Cwd != "/tmp" {
				t.Errorf("got %+v", c)
			}
			if c := r.run("echo two"); c.Line != "echo two" {
				t.Errorf("got %+v", c)
			}
			r.state(session.Prompt)
			r.typed("echo DENYME<Enter>")
			r.refused()
			if v := r.s.View(); v.Degraded != "" || v.Alarms > 0 {
				t.Errorf("view %+v", v)
			}
		})
	}
}

// Environment, terminal settings and open files are those of plain ssh.
func TestTheShellIsLikeOverPlainSSH(t *testing.T) {
	need(t, "ssh")
	shells(t, integrated, func(t *testing.T, shell string) {
		r := start(t, setup{shell: shell})
		r.state(session.Prompt)
		look := "env | LC_ALL=C sort > ~/%s.env; stty -a > ~/%s.stty; ls /proc/self/fd | wc -l > ~/%s.fd; umask > ~/%s.umask"
		r.run(strings.ReplaceAll(look, "%s", "ours"))
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		ssh := exec.CommandContext(ctx, "ssh", "-tt", "-F", r.host.SSHConfig, "-p", port(r.host.Addr), r.host.User+"@127.0.0.1")
		ssh.Env = append(os.Environ(), "TERM=xterm-256color")
		ssh.Stdin = strings.NewReader("\n" + strings.ReplaceAll(look, "%s", "theirs") + "\nexit\n")
		out, _ := ssh.CombinedOutput()
		for _, what := range []string{"env", "stty", "umask"} {
			ours, theirs := settings(t, r.path("ours."+what)), settings(t, r.path("theirs."+what))
			if ours != theirs {
				t.Errorf("%s:\nours\n%s\nplain ssh\n%s\n%s", what, ours, theirs, out[:min(len(out), 300)])
			}
		}
	})
}

func port(addr string) string { return addr[strings.LastIndex(addr, ":")+1:] }

// settings drops what differs between any two sessions.
func settings(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for line := range strings.Lines(string(b)) {
		name, _, _ := strings.Cut(line, "=")
		switch {
		case strings.HasPrefix(name, "SSH_"), name == "_", name == "COLUMNS", name == "LINES", strings.HasPrefix(name, "speed "):
		default:
			out = append(out, strings.TrimRight(line, "\n"))
		}
	}
	return strings.Join(out, "\n")
}

func TestCodeOfThePersonsOwnIsListed(t *testing.T) {
	r := start(t, setup{shell: "bash", files: map[string]string{".bash_profile": "bind -x '\"\\C-g\": date'\n_mine() { :; }\ncomplete -F _mine prog other\n"}})
	r.state(session.Prompt)
	list := strings.Join(r.s.View().UserCode, "\n")
	if !strings.Contains(list, "date") || strings.Count(list, "complete _mine") != 1 || strings.Contains(list, "__c_") || strings.Contains(list, "self-insert") {
		t.Errorf("user code:\n%s", list)
	}
}
