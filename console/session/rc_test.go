package session_test

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"sallyport/console/gate"
	"sallyport/console/session"
)

// People's own start files must not keep the handshake from working, and the
// handshake must not keep theirs.
func TestStartFilesOfManyKinds(t *testing.T) {
	for name, c := range map[string]struct {
		shell string
		files map[string]string
	}{
		"set -u":                {"bash", map[string]string{".bash_profile": "set -u\n"}},
		"set -o vi":             {"bash", map[string]string{".bash_profile": "set -o vi\n"}},
		"aliases":               {"bash", map[string]string{".bash_profile": "alias printf=false local=false bind=false read=false stty=false\n"}},
		"prompt command":        {"bash", map[string]string{".bash_profile": "PROMPT_COMMAND='history -a'\nPS1='\\[\\e[1m\\]\\u \\w\\[\\e[0m\\] $(true)> '\n"}},
		"array":                 {"bash", map[string]string{".bash_profile": "PROMPT_COMMAND=('A=1' 'B=2')\n"}},
		"debug trap":            {"bash", map[string]string{".bash_profile": "trap 'LAST=$BASH_COMMAND' DEBUG\nPS0='run: '\n"}},
		"debug trap everywhere": {"bash", map[string]string{".bash_profile": "shopt -s extdebug\ntrap 'LAST=$BASH_COMMAND' DEBUG\n. /usr/share/bash-completion/bash_completion\n"}},
		"like an older bash":    {"bash", map[string]string{".bash_profile": "BASH_COMPAT=4.4\nset -C\ncomplete -W 'a b' prog\n"}},
		"exit trap":             {"bash", map[string]string{".bash_profile": "trap 'touch ~/left' EXIT\n"}},
		"odd IFS":               {"bash", map[string]string{".bash_profile": "IFS=:\nshopt -s failglob nocasematch\nset -f\n"}},
		"histignore":            {"bash", map[string]string{".bash_profile": "HISTCONTROL=ignoreboth\nshopt -s histappend cmdhist lithist histverify histreedit\n"}},
		"plain Debian":          {"bash", debian},
		"completion":            {"bash", map[string]string{".bash_profile": "shopt -s progcomp\n. /usr/share/bash-completion/bash_completion\nPS1='\\w\\$ '\n"}},
		"starship":              {"bash", map[string]string{".bash_profile": starship}},
		"starship in zsh":       {"zsh", map[string]string{".zshrc": starshipZsh}},
		"starship in fish":      {"fish", map[string]string{".config/fish/config.fish": starshipFish}},
		"aliases in zsh":        {"zsh", map[string]string{".zshrc": "alias print=false builtin=false local=false read=false stty=false zle=false -g G='| grep'\nset -u\nset -o vi\n"}},
		"aliases in fish":       {"fish", map[string]string{".config/fish/config.fish": "alias string 'command false'\nalias ls 'ls -l'\nabbr -a gg git\n"}},
		"oh my":                 {"zsh", map[string]string{".zshrc": ohMy}},
		"ghost":                 {"zsh", map[string]string{".zshrc": ghost}},
		"two line":              {"zsh", map[string]string{".zshrc": "PROMPT=$'%B%~%b\\n%# '\nRPROMPT='%T'\nsetopt promptsubst transientrprompt\n"}},
		"zsh options":           {"zsh", map[string]string{".zshrc": "setopt ksharrays shwordsplit nounset nomultibyte interactivecomments extendedglob\n"}},
		"zsh hooks":             {"zsh", map[string]string{".zshrc": "autoload -Uz add-zsh-hook compinit; compinit -D -u\na() { :; }; add-zsh-hook precmd a; add-zsh-hook preexec a\nzle-line-init() { :; }; zle -N zle-line-init\n"}},
		"zdotdir":               {"zsh", map[string]string{".zshenv": "export ZDOTDIR=$HOME/z\n", "z/.zshrc": "MINE=1\n"}},
		"fish prompt":           {"fish", map[string]string{".config/fish/config.fish": "function fish_prompt; echo -n (pwd)'> '; end\nfunction fish_right_prompt; date; end\nfunction fish_greeting; end\n"}},
		"fish vi":               {"fish", map[string]string{".config/fish/config.fish": "fish_vi_key_bindings\n"}},
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

// debian is what an account is made with.
var debian = func() map[string]string {
	files := map[string]string{}
	for _, name := range []string{".bashrc", ".profile", ".bash_logout"} {
		if b, err := os.ReadFile("/etc/skel/" + name); err == nil {
			files[name] = string(b)
		}
	}
	return files
}()

// starship is a prompt of two lines that measures the last command with a
// DEBUG trap and PS0, as prompt programs do.
const starship = `
preexec_ran=
_preexec() { [ -n "$preexec_ran" ] || { preexec_ran=1; START=$EPOCHREALTIME; }; }
_precmd() {
	local rc=$?
	PS1='\n\[\e[1;36m\]\w\[\e[0m\] on \[\e[1;35m\]main\[\e[0m\] took $(( (10#${EPOCHREALTIME/./} - 10#${START/./}) / 1000 ))ms\n\[\e[1;32m\]❯\[\e[0m\] '
	[ $rc -eq 0 ] || PS1=${PS1/32m/31m}
	preexec_ran=
}
START=$EPOCHREALTIME
trap '_preexec "$_"' DEBUG
PS0='${START:0:0}'
PROMPT_COMMAND=_precmd
PS2='\[\e[2m\]∙\[\e[0m\] '
`

// starshipZsh draws prompts on either side by programs that are told the status,
// and follows the keymap.
const starshipZsh = `
setopt promptsubst
_start() { START=$EPOCHREALTIME; }
_took() { STATUS=$? PIPE=(${pipestatus[@]}); [[ -n ${START-} ]] && TOOK=$((EPOCHREALTIME - START)); unset START; }
zmodload zsh/datetime
autoload -Uz add-zsh-hook
add-zsh-hook preexec _start
add-zsh-hook precmd _took
zle-keymap-select() { zle reset-prompt; }
zle -N zle-keymap-select
PROMPT='$(printf "\n%%{\e[1;36m%%}%s%%{\e[0m%%} took ${TOOK:-0}s\n%%{\e[1;32m%%}❯%%{\e[0m%%} " "${KEYMAP:-main}")'
RPROMPT='$(printf "%s %s" "${STATUS:-0}" "${PIPE[*]}")'
PROMPT2='%F{8}∙%f '
`

// starshipFish draws both prompts by a program, and a short one for lines that
// were run.
const starshipFish = `
function fish_prompt
    set -l rc $pipestatus
    switch "$fish_key_bindings"
        case fish_vi_key_bindings
            set -g mode $fish_bind_mode
        case '*'
            set -g mode insert
    end
    sh -c 'printf "\n\033[1;36m%s\033[0m %s %s\n\033[1;32m❯\033[0m " "$@"' sh (pwd) "$rc" "$CMD_DURATION"
end
function fish_right_prompt; sh -c 'printf %s "$1"' sh "$status"; end
function fish_mode_prompt; end
set -gx VIRTUAL_ENV_DISABLE_PROMPT 1
`

// ohMy is a theme with a prompt on either side, and widgets of its own.
const ohMy = `
autoload -U colors && colors
autoload -Uz add-zsh-hook vcs_info up-line-or-beginning-search down-line-or-beginning-search
setopt promptsubst autocd extendedglob sharehistory histverify histignorespace correct
HISTSIZE=1000 SAVEHIST=1000 HISTFILE=~/.zsh_history
zstyle ':vcs_info:*' enable git
add-zsh-hook precmd vcs_info
zle -N up-line-or-beginning-search; zle -N down-line-or-beginning-search
bindkey '^[[A' up-line-or-beginning-search; bindkey '^[[B' down-line-or-beginning-search; bindkey '^[OA' up-line-or-beginning-search
PROMPT='%(?:%{$fg_bold[green]%}➜ :%{$fg_bold[red]%}➜ ) %{$fg[cyan]%}%c%{$reset_color%} ${vcs_info_msg_0_}'
RPROMPT='%{$fg[yellow]%}%D{%H:%M:%S} ↵ %?%{$reset_color%}'
title() { print -Pn "\e]2;$2\a\e]1;$1\a"; }
omz_precmd() { title '%n' '%~'; print -Pn '\e]7;file://%m%d\a\e]133;A\a'; }
omz_preexec() { title "$1" "$2"; print -Pn '\e]133;C\a'; }
add-zsh-hook precmd omz_precmd; add-zsh-hook preexec omz_preexec
zle-line-init() { echoti smkx 2>/dev/null; }; zle-line-finish() { echoti rmkx 2>/dev/null; }
zle -N zle-line-init; zle -N zle-line-finish
alias ll='ls -lh' g=git ...='cd ../..'
alias -g L='| less'
compinit() { :; }
`

// ghost shows text after the cursor that is not in the buffer, and colours
// what is.
const ghost = `
_ghost() { POSTDISPLAY=; [[ $BUFFER == echo* ]] && POSTDISPLAY=' and a suggestion'; region_highlight=("0 $#BUFFER fg=green" "$#BUFFER $(($#BUFFER+$#POSTDISPLAY)) fg=8"); }
autoload -Uz add-zle-hook-widget
add-zle-hook-widget line-pre-redraw _ghost
zle -N autosuggest-accept; autosuggest-accept() { BUFFER+=$POSTDISPLAY; POSTDISPLAY=; }
bindkey '^ ' autosuggest-accept
PROMPT='%~ %# '
`

// Completion of the system's is there, and is no code of the account's own.
func TestTheSystemsCompletionIsNotTheAccountsCode(t *testing.T) {
	if !exists("/usr/share/bash-completion/bash_completion") {
		need(t, "bash-completion")
	}
	r := start(t, setup{shell: "bash", files: map[string]string{".bash_profile": ". /usr/share/bash-completion/bash_completion\n", "passengers": ""}})
	r.state(session.Prompt)
	if list := r.s.View().UserCode; len(list) > 0 && list[0] != "" {
		t.Errorf("listed: %q", list)
	}
	if c := r.run("! shopt -q extdebug && [[ $- != *[TEf]* && -z ${BASH_COMPAT-} ]]"); c.Exit == nil || *c.Exit != 0 {
		t.Errorf("an option of the shell was left changed: %+v", c)
	}
	r.typed("chmod --refer<Tab>passen<Tab>")
	r.quiet()
	r.typed("<Home>echo <Enter>")
	if c := r.ended(1); strings.TrimSpace(c.Line) != "echo chmod --reference=passengers" {
		t.Errorf("completed: %q", c.Line)
	}
}

// Start files that become another shell lose the handshake: lines are composed
// then, and it is said.
func TestStartFilesThatBecomeAnotherShell(t *testing.T) {
	need(t, "zsh")
	r := start(t, setup{
		shell: "bash", files: map[string]string{".bash_profile": "export PS1='bash> '\n[ -t 0 ] && exec zsh -i\n", ".zshrc": "PROMPT='other> '\n"},
		timing: session.Timing{FirstMark: 2 * time.Second},
	})
	r.until("degraded", func() bool { return r.s.View().Degraded != "" })
	r.state(session.Prompt)
	if c := r.run("echo a"); c.Line != "echo a" || c.Evidence != gate.EvidenceScreen {
		t.Errorf("got %+v", c)
	}
	r.typed("echo DENYME<Enter>")
	r.refused()
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

// Plugins that wrap every widget, again before each prompt, complete and suggest
// as they do without the console; what they show and nobody took is in no line.
func TestPluginsThatWrapTheEditorsWidgets(t *testing.T) {
	const folder = "/usr/share/"
	rc := "autoload -Uz compinit; compinit -D -u\nPROMPT='%c %# '\nRPROMPT='%D{%H:%M:%S} %?'\n"
	for _, name := range []string{"zsh-autosuggestions", "zsh-syntax-highlighting"} {
		file := folder + name + "/" + name + ".zsh"
		if !exists(file) {
			need(t, name)
		}
		rc += "source " + file + "\n"
	}
	r := start(t, setup{shell: "zsh", files: map[string]string{".zshrc": rc, "passengers": ""}})
	for i := range 3 {
		r.state(session.Prompt)
		r.typed("ls passen<Tab>")
		r.quiet()
		r.typed("<Enter>")
		if c := r.ended(i); strings.TrimSpace(c.Line) != "ls passengers" {
			t.Errorf("completed: %q", c.Line)
		}
	}
	r.run("echo one two")
	r.state(session.Prompt)
	r.typed("echo one")
	r.until("the suggestion", func() bool { return strings.Count(r.text(), "echo one two") == 2 })
	r.typed("<Enter>")
	if c := r.ended(4); c.Line != "echo one" || strings.Count(r.text(), "echo one two") != 1 {
		t.Errorf("ran %q, shown:\n%s", c.Line, r.text())
	}
	r.state(session.Prompt)
	r.typed("echo one t")
	r.until("the suggestion", func() bool { return strings.Count(r.text(), "echo one two") == 2 })
	r.typed("<Right><Enter>")
	if c := r.ended(5); c.Line != "echo one two" {
		t.Errorf("took %q", c.Line)
	}
	r.state(session.Prompt)
	r.typed("echo DENYME<Enter>")
	r.refused()
	if v := r.s.View(); v.Degraded != "" || v.Alarms > 0 {
		t.Errorf("view %+v", v)
	}
}

func port(addr string) string { return addr[strings.LastIndex(addr, ":")+1:] }

// settings drops what differs between any two sessions, and the one variable
// that the console adds, for pagers.
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
		case strings.HasPrefix(name, "SSH_"), name == "_", name == "LESSSECURE", name == "COLUMNS", name == "LINES", strings.HasPrefix(name, "speed "):
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
