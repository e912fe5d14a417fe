package shellmarks

import (
	"strings"

	"sallyport/policy"
	"sallyport/policy/command"
)

// reported are the options that a shell lists when they are on. One that it
// does not list is off.
var reported = []string{
	command.OptComments, command.OptBraces, command.OptExtGlob, command.OptAliases, command.OptGlobSubst,
	command.OptShWordSpl, command.OptEquals, command.OptRcQuotes, command.OptBareQual, command.OptPosix,
	command.OptNoClobber, command.OptAutoCd, command.OptPromptVars,
}

func (r *Report) options(list string) {
	for _, o := range reported {
		r.State.Options[o] = false
	}
	r.State.Options[command.OptHistory] = false // the hook turns it off before it accepts
	for o := range strings.SplitSeq(list, ",") {
		switch o {
		case "":
		case "badevent":
			r.BadEvent = true
		case "galias":
			r.GlobalAlias = true
		default:
			r.State.Options[o] = true
		}
	}
}

// word takes kind:name or kind:name:text. A name can come twice: as an alias
// and as what stands behind it. A function hides what else it is.
func (r *Report) word(field string) {
	kind, rest, _ := strings.Cut(field, ":")
	name, text, _ := strings.Cut(rest, ":")
	if name == "" {
		return
	}
	w := r.State.Words[name]
	switch kind {
	case "f":
		w = policy.Word{Kind: command.KindFunction}
	case "a":
		w = policy.Word{Kind: command.KindAlias, Text: text, Path: w.Path}
	case "b":
		if w.Kind == "" {
			w.Kind = command.KindBuiltin
		}
	case "p":
		w.Path = text
		if w.Kind == "" {
			w.Kind = command.KindFile
		}
	}
	r.State.Words[name] = w
}

// Dialect is how the policy should read a shell's lines.
func (s Shell) Dialect() policy.Dialect {
	switch s {
	case Bash:
		return policy.Bash
	case Zsh:
		return policy.Zsh
	case Fish:
		return policy.Fish
	case POSIX:
		return policy.POSIX
	}
	return policy.Unknown
}
