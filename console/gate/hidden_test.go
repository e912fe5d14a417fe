package gate

import (
	"context"
	"errors"
	"strings"
	"testing"

	"sallyport/policy"
	"sallyport/policy/command"
)

// TestWhatWouldHideCommandsIsRefused: a multiplexer that takes the terminal is refused as a line, before all its keys are.
func TestWhatWouldHideCommandsIsRefused(t *testing.T) {
	for text, refused := range map[string]bool{
		"tmux": true, "tmux new": true, "tmux new-session -s a": true, "tmux attach": true, "tmux -u a": true, "tmux -L x att -t 0": true, "cd /; tmux": true, "/usr/bin/tmux": true,
		"screen": true, "screen -r": true, "screen -x a": true, "script": true, "script -q log": true, "byobu": true, "zellij": true, "zellij attach": true,
		"tmux ls": false, "tmux kill-server": false, "tmux new -d 'ls'": false, "tmux new-session -ds a ls": false, "tmux -V": false, "tmux -L x ls": false, "tmux send-keys -t a ls": false,
		"screen -ls": false, "screen -dm ls": false, "screen -d -m ls": false, "screen --version": false, "script -c ls log": false, "script --version": false,
		"echo tmux": false, "man tmux": false, "zellij list-sessions": false,
	} {
		b := newBench(t, nil)
		b.pol.inner = func(r policy.Request) policy.Decision {
			return policy.Decision{Effect: policy.Permit, Analyzable: true, By: "stub", Facts: command.Parse(r.Text, command.Bash, command.State{}, command.DefaultLimits).Facts}
		}
		_, err := b.g.Submit(context.Background(), b.Slot, line(text))
		ref := (*Refusal)(nil)
		if errors.As(err, &ref) != refused {
			t.Errorf("%q: %v, want refused %v", text, err, refused)
		}
		if refused && ref != nil && (!strings.Contains(ref.Reason, "hide what runs") || ref.Remedy == "") {
			t.Errorf("%q: %q, %q", text, ref.Reason, ref.Remedy)
		}
	}
}
