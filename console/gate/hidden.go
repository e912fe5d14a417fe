package gate

import (
	"context"
	"regexp"
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
	switch f.Program {
	case "tmux":
		return tmuxShows(f.Args)
	case "screen":
		return !slices.ContainsFunc(f.Args, matches(screenAside))
	case "script":
		return !slices.ContainsFunc(f.Args, matches(scriptAside))
	case "zellij":
		return len(f.Args) == 0 || slices.ContainsFunc(f.Args, matches(zellijShows))
	case "byobu":
		return len(f.Args) == 0
	}
	return false
}

var (
	screenAside = regexp.MustCompile(`^(-l|-w|-m$|-d.*m|-[XQv]$|--)`) // lists, sends a command, starts detached: -d -m, -dmS
	scriptAside = regexp.MustCompile(`^(--[chv]|-[Vh]$|-\w*c)`)       // -c runs one command, which is judged
	zellijShows = regexp.MustCompile(`^(a|attach|-s|--session)$`)
)

func matches(re *regexp.Regexp) func(command.Word) bool {
	return func(w command.Word) bool { return re.MatchString(w.Text) }
}

// tmuxShows tells whether a tmux command line attaches the terminal.
func tmuxShows(args []command.Word) bool {
	for i := 0; i < len(args); i++ {
		switch a := args[i].Text; {
		case a == "-V":
			return false
		case len(a) == 2 && a[0] == '-' && strings.Contains("cfLST", a[1:]): // with a word of its own
			i++
		case strings.HasPrefix(a, "-"):
		case strings.HasPrefix("attach-session", a):
			return true
		case strings.HasPrefix("new-session", a) && len(a) > 2:
			return !slices.ContainsFunc(args[i:], matches(tmuxDetached))
		default:
			return false
		}
	}
	return true
}

var tmuxDetached = regexp.MustCompile(`^-\w*d`)
