package gate

import (
	"context"
	"path"
	"regexp"
	"slices"
	"strings"

	"sallyport/policy"
	"sallyport/policy/command"
)

// What an account binds to keys, completion and prompts runs without a line
// that anybody judges. What was bound before the session is listed at its
// start; a line that binds something is held to the same table.

// userCode is what the policy does about such code.
func (u *submission) userCode() policy.Effect {
	j, ok := u.judgeNow.(CodeJudge)
	if !ok {
		return policy.Confirm
	}
	switch j.UserCode() {
	case "allow":
		return policy.Permit
	case "deny":
		return policy.Deny
	}
	return policy.Confirm
}

// bindsCode is the effect of a line that binds code.
func (u *submission) bindsCode() policy.Effect {
	if len(BindsCode(u.req.Text, u.decision.Facts)) > 0 {
		return u.userCode()
	}
	return policy.Permit
}

// promptVariables are those that a shell evaluates at each prompt or command.
var promptVariables = []string{
	"PROMPT_COMMAND", "PS0", "PS1", "PS2", "PS4", "PROMPT", "PROMPT2", "RPROMPT", "RPS1", "precmd_functions", "preexec_functions",
	"chpwd_functions", "periodic_functions", "zshaddhistory_functions", "BASH_ENV", "ENV", "ZDOTDIR", "INPUTRC", "fish_key_bindings",
}

// promptFunction finds the definition of a function that a shell calls by
// itself, or that an event or a signal calls.
var promptFunction = regexp.MustCompile(`(?m)(?:^|[\s;&|({])(?:function\s+)?((?:precmd|preexec|chpwd|periodic|zshaddhistory|command_not_found_handler?|zle-[a-z-]+|TRAP[A-Z0-9]+)\s*\(\s*\)|function\s+(?:precmd|preexec|chpwd|periodic|zshaddhistory|command_not_found_handler?|zle-[a-z-]+|TRAP[A-Z0-9]+|fish_[a-z_]+)\b|function\s[^\n;]*\s(?:--on-|-[evjp]\b))`)

// BindsCode says what a line binds to keys, completion, prompts or traps: that
// can run later with nobody looking.
func BindsCode(text string, facts []policy.Fact) (what []string) {
	add := func(w string) {
		if w != "" && !slices.Contains(what, w) {
			what = append(what, w)
		}
	}
	for i := range facts {
		add(bindsCode(&facts[i]))
	}
	if promptFunction.MatchString(text) {
		add("function")
	}
	return what
}

func bindsCode(f *policy.Fact) string {
	for _, a := range f.Assigns {
		if promptVariable(a.Name) && (!a.Known || runs(a.Name, a.Text)) {
			return "variable " + a.Name
		}
		if promptVariable(a.Text) && option(f, "n") {
			return "variable " + a.Text // by another name
		}
	}
	if slices.Contains(f.Constructs, "unknown_name") {
		return "a variable whose name nobody sees"
	}
	switch f.Program {
	case "trap":
		if len(f.Args) > 1 {
			return "trap"
		}
	case "bind":
		if option(f, "xf") || bindOperands(f) {
			return f.Program
		}
	case "complete":
		if option(f, "FCna") || slices.ContainsFunc(f.Args, expandsLater) {
			return f.Program
		}
	case "read", "mapfile", "readarray", "vared", "getopts":
		return assigns(f.Args)
	case "printf", "print", "wait":
		if option(f, "vp") {
			return assigns(f.Args)
		}
	case "bindkey", "zle", "compdef", "zstyle", "add-zsh-hook", "add-zle-hook-widget", "enable":
		if len(f.Args) > 1 {
			return f.Program
		}
	case "set": // fish
		return assigns(f.Args)
	}
	return ""
}

func promptVariable(name string) bool {
	name, _, _ = strings.Cut(strings.TrimSuffix(name, "+"), "[")
	return slices.Contains(promptVariables, name)
}

// assigns finds a prompt variable among the names that a command sets, as in
// read NAME and printf -v NAME.
func assigns(args []command.Word) string {
	for _, a := range args {
		if name := strings.TrimPrefix(a.Text, "-v"); promptVariable(name) {
			return "variable " + name
		}
	}
	return ""
}

// bindOperands tells whether bind has words beside its options: in bash and in
// fish one that only lists has none, whatever its options mean.
func bindOperands(f *policy.Fact) bool {
	for i := 0; i < len(f.Args); i++ {
		t := f.Args[i].Text
		if !f.Args[i].Known || len(t) < 2 || t[0] != '-' {
			return true
		}
		if t[1] != '-' && strings.IndexByte("mMq", t[len(t)-1]) >= 0 { // a keymap, a mode, a function asked for
			i++
		}
	}
	return false
}

// expandsLater finds code in a word of complete, which expands it at the key.
func expandsLater(a command.Word) bool {
	return !a.Known || strings.ContainsAny(a.Text, "$`(") || strings.HasPrefix(a.Text, "--arg") || strings.HasPrefix(a.Text, "--cond")
}

// runs tells whether a prompt variable's value holds code: a plain prompt text
// does not.
func runs(name, value string) bool {
	if name == "PS1" || name == "PS2" || name == "PS4" || name == "PROMPT" || name == "PROMPT2" || name == "RPROMPT" || name == "RPS1" {
		return strings.ContainsAny(value, "$`")
	}
	return value != ""
}

// option tells whether a command has one of these single-letter options.
func option(f *policy.Fact, letters string) bool {
	for _, a := range f.Args {
		if len(a.Text) > 1 && a.Text[0] == '-' && a.Text[1] != '-' && strings.ContainsAny(a.Text[1:], letters) {
			return true
		}
	}
	return false
}

// started wants a program that may own the screen to be started in the way
// that the policy says, such as an editor without its shell. The line that
// does so is offered in place of the other.
func (u *submission) started(context.Context) *Refusal {
	j, ok := u.judgeNow.(ProgramJudge)
	if !ok || u.req.Kind != Line {
		return nil
	}
	text, from := u.req.Text, len(u.req.Text)
	names := []string{}
	for _, f := range slices.Backward(u.decision.Facts) {
		_, start, _ := j.Interactive(f.Program)
		name := f.Name
		if len(start) == 0 || startedSo(&f, u.decision.Facts, start) || name.Start >= name.End || name.End > from || path.Base(unquoted.Replace(u.req.Text[name.Start:name.End])) != f.Program {
			continue
		}
		text, from = text[:name.Start]+beginning(start, u.req.Text[name.Start:name.End])+text[name.End:], name.Start
		names = append(names, f.Program)
	}
	if len(names) == 0 {
		return nil
	}
	return &Refusal{
		By: ByPolicy, Decision: u.decision, Instead: text,
		Reason: "the policy wants " + strings.Join(names, ", ") + " started otherwise", Remedy: "send it as: " + text,
	}
}

// lacks gives the option that the policy wants a program started with and that
// it runs without, because something else started it: an alias, a function, git.
// Variables of its environment are not seen.
func lacks(args, start []string) string {
	if len(args) == 0 || len(start) == 0 || start[0] == "env" {
		return ""
	}
	return missing(args[1:], start[1:])
}

// missing gives the first of the wanted words that does not stand in its place at
// the beginning of args. Further on it may be no option but the name of a file, or
// the value of another option, as in vim -- -Z and vim -c -Z.
func missing(args, want []string) string {
	for i, w := range want {
		if i >= len(args) || args[i] != w {
			return w
		}
	}
	return ""
}

// beginning is how the policy has a program started whose name stands in a line
// as written: a path stays.
func beginning(start []string, written string) string {
	if !strings.Contains(written, "/") {
		return strings.Join(start, " ")
	}
	words := slices.Clone(start)
	for i, w := range words {
		if w == path.Base(unquoted.Replace(written)) {
			words[i] = written
		}
	}
	return strings.Join(words, " ")
}

// unquoted takes out what a shell takes out of a name: \vim, 'vim', v""im and
// $'vim' are vim.
var unquoted = strings.NewReplacer(`$'`, "", `\`, "", `'`, "", `"`, "")

// startedSo tells whether a command has the words of start around its name.
func startedSo(f *policy.Fact, line []policy.Fact, start []string) bool {
	at := slices.Index(start, f.Program)
	if at < 0 {
		return false
	}
	for _, w := range start[:at] {
		name, value, assigns := strings.Cut(w, "=")
		if w != "env" && !(assigns && assigned(f, line, name, value)) {
			return false
		}
	}
	args := make([]string, len(f.Args))
	for i, a := range f.Args {
		args[i] = a.Text
	}
	return missing(args, start[at+1:]) == ""
}

// assigned tells whether a command gets a variable from its own words, or from
// an env that starts it.
func assigned(f *policy.Fact, line []policy.Fact, name, value string) bool {
	is := func(a command.Assign) bool { return a.Name == name && a.Text == value }
	if slices.ContainsFunc(f.Assigns, is) {
		return true
	}
	return slices.ContainsFunc(line, func(o policy.Fact) bool {
		return o.Program == "env" && o.Start <= f.Start && f.End <= o.End && slices.ContainsFunc(o.Assigns, is)
	})
}
