package gate

import (
	"context"
	"slices"
	"strings"

	"sallyport/policy"
	"sallyport/policy/command"
)

// hidden refuses a line that puts shells on the screen which nobody could judge
// the lines of: once it runs, all that would be left is to leave it.
func (u *submission) hidden(context.Context) *Refusal {
	j, ok := u.judgeNow.(ProgramJudge)
	if !ok || u.req.Kind != Line {
		return nil
	}
	for i := range u.decision.Facts {
		f := &u.decision.Facts[i]
		if allowed, _, _ := j.Interactive(f.Program); allowed || !multiplexes(f) {
			continue
		}
		return &Refusal{
			By: ByGate, Decision: u.decision,
			Reason: "shells inside " + f.Program + " would hide what runs in them",
			Remedy: "open another session of the console for another shell; a policy that lists " + f.Program + " in [interactive] programs allows it",
		}
	}
	return nil
}

// multiplexes tells a terminal multiplexer, or a recorder of terminals, that
// takes the terminal, from one that lists, ends or starts something beside it.
func multiplexes(f *policy.Fact) bool {
	var flags, operands []string
	for _, a := range f.Args {
		if strings.HasPrefix(a.Text, "-") {
			flags = append(flags, a.Text)
		} else {
			operands = append(operands, a.Text)
		}
	}
	switch f.Program {
	case "tmux":
		return tmuxShows(f.Args)
	case "screen":
		return !slices.ContainsFunc(flags, func(a string) bool {
			return strings.HasPrefix(a, "-l") || strings.HasPrefix(a, "-w") || strings.HasPrefix(a, "-d") && strings.Contains(a, "m") || a == "-m" && slices.Contains(flags, "-d") ||
				a == "-X" || a == "-Q" || a == "-v" || strings.HasPrefix(a, "--")
		})
	case "script":
		return !slices.ContainsFunc(flags, func(a string) bool {
			return strings.HasPrefix(a, "--co") || strings.HasPrefix(a, "--h") || strings.HasPrefix(a, "--v") || a == "-V" || a == "-h" || len(a) > 1 && a[1] != '-' && strings.Contains(a, "c")
		})
	case "byobu", "zellij":
		return len(operands) == 0 || slices.Contains(operands, "attach") || slices.Contains(operands, "a")
	}
	return false
}

// tmuxShows tells whether a tmux command line attaches the terminal.
func tmuxShows(args []command.Word) bool {
	for i := 0; i < len(args); i++ {
		switch a := args[i].Text; {
		case a == "-V":
			return false
		case len(a) == 2 && a[0] == '-' && strings.Contains("cfLST", a[1:]):
			i++
		case strings.HasPrefix(a, "-"):
		case strings.HasPrefix(a, "a"): // attach-session
			return true
		case strings.HasPrefix("new-session", a) && len(a) > 2:
			return !slices.ContainsFunc(args[i:], detached)
		default:
			return false
		}
	}
	return true
}

func detached(a command.Word) bool {
	return len(a.Text) > 1 && a.Text[0] == '-' && strings.Contains(a.Text, "d")
}
