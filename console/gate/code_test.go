package gate_test

import (
	"testing"

	"sallyport/console/gate"
	"sallyport/policy"
	"sallyport/policy/command"
)

func TestLinesThatBindCode(t *testing.T) {
	for _, c := range []struct {
		line    string
		dialect policy.Dialect
		binds   bool
	}{
		{`bind -x '"\C-g": ls'`, policy.Bash, true},
		{`bind '"\C-g": "rm\C-m"'`, policy.Bash, true},
		{"bind -p", policy.Bash, false},
		{"bind -P | grep x", policy.Bash, false},
		{"complete -F _f cmd", policy.Bash, true},
		{"complete -C prog cmd", policy.Bash, true},
		{"complete -p", policy.Bash, false},
		{"trap 'ls' DEBUG", policy.Bash, true},
		{"trap - INT", policy.Bash, true},
		{"trap -p", policy.Bash, false},
		{"PROMPT_COMMAND=(a b)", policy.Bash, true},
		{"PROMPT_COMMAND+=x", policy.Bash, true},
		{"PROMPT_COMMAND=", policy.Bash, false},
		{"PS1='$ '", policy.Bash, true},
		{`PS1='\u> '`, policy.Bash, false},
		{"export PS0='`ls`'", policy.Bash, true},
		{"true && trap 'ls' EXIT", policy.Bash, true},
		{"command_not_found_handle() { ls; }", policy.Bash, true},
		{"mine() { ls; }", policy.Bash, false},
		{"enable -f ./x.so x", policy.Bash, true},
		{"precmd() { ls; }", policy.Zsh, true},
		{"function preexec { ls; }", policy.Zsh, true},
		{"TRAPDEBUG () { ls; }", policy.Zsh, true},
		{"zle -N mine", policy.Zsh, true},
		{"bindkey '^G' mine", policy.Zsh, true},
		{"bindkey", policy.Zsh, false},
		{"add-zsh-hook precmd x", policy.Zsh, true},
		{`bind \cg ls`, policy.Fish, true},
		{"function fish_prompt; echo x; end", policy.Fish, true},
		{"function x --on-variable PWD; ls; end", policy.Fish, true},
		{"function x -e fish_prompt; ls; end", policy.Fish, true},
		{"set -g fish_key_bindings mine", policy.Fish, true},
		{"set -g x 1", policy.Fish, false},
		{"PROMPT_COMMAND=$X", policy.Bash, true},
		{`read -r z <f; export "$z"`, policy.Bash, true},
		{`declare -g "$z"`, policy.Bash, true},
		{`export A="$z"`, policy.Bash, false},
		{"PROMPT_COMMAND=$(cat f)", policy.Bash, true},
		{"PS1=$X", policy.Bash, true},
		{"export PS1=$(cat f)", policy.Bash, true},
		{"PROMPT_COMMAND[0]=ls", policy.Bash, true},
		{"declare -n x=PROMPT_COMMAND", policy.Bash, true},
		{"read PROMPT_COMMAND", policy.Bash, true},
		{"read -r x PS1 < f", policy.Bash, true},
		{"mapfile PROMPT_COMMAND < f", policy.Bash, true},
		{"printf -v PROMPT_COMMAND %s ls", policy.Bash, true},
		{"printf -vPS1 %s ls", policy.Bash, true},
		{"read x", policy.Bash, false},
		{"printf -v x %s ls", policy.Bash, false},
		{"printf PS1", policy.Bash, false},
		{`bind -p '"\C-g": "rm\C-m"'`, policy.Bash, true},
		{"bind -m vi -p", policy.Bash, false},
		{"bind -q yank", policy.Bash, false},
		{"bind -f file", policy.Bash, true},
		{"complete -W '$(ls)' x", policy.Bash, true},
		{"complete -W 'a b' x", policy.Bash, false},
		{`bind -s \cx 'rm -rf x'`, policy.Fish, true},
		{`bind -M insert \cx ls`, policy.Fish, true},
		{"bind", policy.Fish, false},
		{"bind -K", policy.Fish, false},
		{"bind -a", policy.Fish, false},
		{"complete -c x -a '(ls)'", policy.Fish, true},
		{"read PROMPT_COMMAND", policy.Zsh, true},
		{"ls -l", policy.Bash, false},
		{"echo precmd", policy.Zsh, false},
	} {
		facts := command.Parse(c.line, c.dialect, command.State{}, command.DefaultLimits).Facts
		if got := gate.BindsCode(c.line, facts); (len(got) > 0) != c.binds {
			t.Errorf("%s: %v, want %v", c.line, got, c.binds)
		}
	}
}
