package runbook

import (
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"

	"sallyport/console/copilot"
)

// plan is where one session stands in a runbook.
type plan struct {
	book    *Book
	vars    map[string]string
	learned map[string]bool // variables that something was learned of
	user    string
	done    []bool            // by step
	failed  int               // commands of the plan that failed
	missing map[string]bool   // commands that the host does not have, as suggested
	ids     map[string]string // command to id
	offered []string          // ids on the operator's screen
	minted  int
	host    string
}

func newPlan() *plan { return &plan{} }

// shown is how many suggestions stand on the screen at once.
const shown = 3

func (p *plan) idle() bool { return p.book == nil }

func (p *plan) finished() bool { return p.book != nil && !slices.Contains(p.done, false) }

func (p *plan) learn(c Context) {
	if c.User != "" {
		p.user = c.User
	}
	if c.Host != "" {
		p.host = c.Host
	}
}

// drop leaves the runbook, with everything that was suggested from it.
func (p *plan) drop() copilot.Envelope {
	title := p.book.Title
	p.book, p.offered = nil, nil
	sure := 1.0
	return copilot.Envelope{
		Clear:  &copilot.ClearSuggestions{All: true},
		Intent: &copilot.IntentUpdate{Summary: "Watching " + orElse(p.host, "this host"), Confidence: &sure},
		Chat:   &copilot.ChatResponse{Message: "I have put “" + title + "” away."},
	}
}

// open begins a runbook.
func (p *plan) open(b *Book) {
	p.book, p.failed = b, 0
	p.done = make([]bool, len(b.Steps))
	p.vars, p.learned = map[string]string{}, map[string]bool{}
	p.missing, p.ids = map[string]bool{}, map[string]string{}
	for _, v := range b.Vars {
		p.vars[v.Name] = v.Default
	}
}

func (p *plan) fillFromMessage(s string) { p.fill(s, func(v Var) Patterns { return v.Message }) }
func (p *plan) fillFromOutput(s string)  { p.fill(s, func(v Var) Patterns { return v.Output }) }
func (p *plan) fillFromCommand(s string) { p.fill(s, func(v Var) Patterns { return v.Command }) }

func (p *plan) fill(s string, patterns func(Var) Patterns) {
	for _, v := range p.book.Vars {
		if w, ok := patterns(v).word(s); ok {
			p.set(v.Name, w)
		}
	}
}

func (p *plan) set(name, word string) { p.vars[name], p.learned[name] = word, true }

// lookBack counts what the operator did just before asking.
func (p *plan) lookBack(c Context) {
	if c.LastCommand == "" || c.LastExit != nil && *c.LastExit != 0 {
		return
	}
	p.complete(c.LastCommand, plain(c.TerminalTail))
}

// ran follows one command. It gives what there is to say, and whether the plan moved.
func (p *plan) ran(c Call, output string, failed bool) (say string, moved bool) {
	ours := p.isOurs(c)
	if failed && ours {
		return p.fails(c, output), true
	}
	if failed || !c.Final && len(output) == 0 {
		return "", false
	}
	p.fillFromCommand(c.Command)
	before := maps.Clone(p.vars)
	p.fillFromOutput(output)
	said := p.findings(c.Command, output)
	moved = p.complete(c.Command, output) || !maps.Equal(before, p.vars)
	if moved && p.finished() {
		said = append(said, "That was the last step of “"+p.book.Title+"”. Tell me if it is not solved.")
	} else if moved && ours {
		said = append(said, "Next: "+p.tell(p.book.Steps[p.current()].Text)+".")
	}
	return strings.Join(said, " "), moved
}

func (p *plan) isOurs(c Call) bool {
	return slices.Contains(p.offered, c.Suggestion) || p.ids[c.Command] != ""
}

// Exit codes of a shell.
const (
	notExecutable = 126
	notFound      = 127
)

var denied = regexp.MustCompile(`(?i)permission denied|operation not permitted|must be root|are you root|access denied|superuser`)

// fails says what a failed command of the plan means.
func (p *plan) fails(c Call, output string) string {
	p.failed++
	switch {
	case *c.Exit == notFound || *c.Exit == notExecutable:
		p.missing[c.Command] = true
		return fmt.Sprintf("`%s` is not there on this host; I suggest another way where I know one.", firstWord(c.Command))
	case denied.MatchString(output) && p.user != "root" && !strings.HasPrefix(c.Command, "sudo "):
		return fmt.Sprintf("%s may not do that. If policy lets you, edit the suggestion and put `sudo` in front.", orElse(p.user, "This account"))
	default:
		return fmt.Sprintf("That ended with exit code %d. The step stays open; look at its last lines, or tell me to go on.", *c.Exit)
	}
}

func firstWord(s string) string {
	w, _, _ := strings.Cut(strings.TrimPrefix(s, "sudo "), " ")
	return w
}

// findings says what output means, each finding once.
func (p *plan) findings(command, output string) []string {
	var said []string
	for _, f := range p.book.Findings {
		if f.Output.re == nil || len(f.Command) > 0 && !f.Command.match(command) {
			continue
		}
		m := f.Output.re.FindStringSubmatch(output)
		if m == nil {
			continue
		}
		for name, from := range f.Set {
			if w := groups(from, m); usable(w) {
				p.set(name, w)
			}
		}
		said = append(said, p.tell(groups(f.Say, m)))
	}
	return said
}

var groupMark = regexp.MustCompile(`\{(\d)\}`)

// maxGroup bounds what is quoted of output, in runes.
const maxGroup = 120

// groups puts the groups of a match into a text. They are quoted from a host: on one
// line, short, without what Markdown would act on.
func groups(text string, m []string) string {
	return groupMark.ReplaceAllStringFunc(text, func(mark string) string {
		i := int(mark[1] - '0')
		if i >= len(m) {
			return ""
		}
		return quoted(m[i])
	})
}

func quoted(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' || strings.ContainsRune("`*_[]<>|\\", r) && r != '_' {
			return ' '
		}
		return r
	}, strings.TrimSpace(s))
	if r := []rune(s); len(r) > maxGroup {
		return string(r[:maxGroup]) + "…"
	}
	return s
}

// complete marks what a command, or what is seen, has done. A command does one step:
// the first that it fits.
func (p *plan) complete(command, output string) bool {
	for i, s := range p.book.Steps {
		if p.done[i] || s.Follows && i > 0 && !p.done[i-1] {
			continue
		}
		if s.Done.match(command) || output != "" && s.Seen.match(output) {
			p.done[i] = true
			return true
		}
	}
	return false
}

// current is the first step that is not done.
func (p *plan) current() int { return slices.Index(p.done, false) }

// tell fills a text in that a person reads: what is not known is called so.
func (p *plan) tell(text string) string {
	for _, v := range p.book.Vars {
		if v.Unknown != "" && !p.learned[v.Name] {
			text = strings.ReplaceAll(text, "{"+v.Name+"}", v.Unknown)
		}
	}
	return p.fillIn(text)
}

// fillIn fills a command in.
func (p *plan) fillIn(text string) string {
	return placeholders.ReplaceAllStringFunc(text, func(mark string) string {
		name := mark[1 : len(mark)-1]
		if v, ok := p.vars[name]; ok {
			return v
		}
		if name == "sudo" {
			return p.sudo()
		}
		return mark
	})
}

func (p *plan) sudo() string {
	if p.user == "root" {
		return ""
	}
	return "sudo "
}

// intent is the plan as a checklist.
func (p *plan) intent() *copilot.IntentUpdate {
	u := &copilot.IntentUpdate{Summary: p.tell(p.book.Summary), Confidence: p.confidence()}
	now := p.current()
	for i, s := range p.book.Steps {
		status := copilot.Pending
		switch {
		case p.done[i]:
			status = copilot.Done
		case i == now:
			status = copilot.Current
		}
		u.Steps = append(u.Steps, copilot.StepUpdate{Status: status, Text: p.tell(s.Text)})
	}
	return u
}

// confidence rises from the runbook's own towards 0.95 with the steps that are done,
// and falls with what failed.
func (p *plan) confidence() *float64 {
	n := 0
	for _, d := range p.done {
		if d {
			n++
		}
	}
	c := p.book.Confidence + (0.95-p.book.Confidence)*float64(n)/float64(len(p.done)) - 0.1*float64(p.failed)
	c = math.Round(100*min(0.95, max(0.1, c))) / 100
	return &c
}

// next gives the commands to suggest: of the current step and those after it. Up to
// two early ones of later steps have the last places.
func (p *plan) next() []copilot.SuggestedCommand {
	var due, early []copilot.SuggestedCommand
	for i, s := range p.book.Steps {
		for _, c := range s.Commands {
			sug, ok := p.suggestion(c)
			switch {
			case p.done[i] || !ok || slices.Contains(due, sug):
			case c.Early && i > p.current():
				early = append(early, sug)
			default:
				due = append(due, sug)
			}
		}
	}
	early = early[:min(len(early), shown-1)]
	due = due[:min(len(due), shown-len(early))]
	return append(due, early...)
}

// suggestion fills a command in. One that the host does not have gives way to the
// other way of doing it, if there is one; one with an empty variable cannot be given.
func (p *plan) suggestion(c Command) (copilot.SuggestedCommand, bool) {
	line := p.fillIn(c.Command)
	if p.missing[line] {
		line = p.fillIn(c.Otherwise)
	}
	if line == "" || p.missing[line] || p.lacks(c.Command) {
		return copilot.SuggestedCommand{}, false
	}
	return copilot.SuggestedCommand{
		ID: p.id(line), Command: line, Description: p.tell(c.Description), Risk: c.Risk,
	}, true
}

func (p *plan) lacks(text string) bool {
	for _, m := range placeholders.FindAllStringSubmatch(text, -1) {
		if v, ok := p.vars[m[1]]; ok && v == "" {
			return true
		}
	}
	return false
}

// id gives the same id to the same command for as long as the runbook is open.
func (p *plan) id(command string) string {
	if id, ok := p.ids[command]; ok {
		return id
	}
	p.minted++
	id := fmt.Sprintf("cmd_%03d", p.minted)
	p.ids[command] = id
	return id
}

// answer makes the envelope: what is said, and where the plan moved the plan itself
// with the suggestions that fit it now and without those that no longer do.
func (p *plan) answer(say string, moved bool) copilot.Envelope {
	var env copilot.Envelope
	if moved {
		next := p.next()
		env.Intent = p.intent()
		env.Clear = p.outdated(next)
		if len(next) > 0 {
			env.Commands = &copilot.SuggestedCommands{Commands: next}
		}
		p.offered = idsOf(next)
	}
	if say != "" {
		env.Chat = &copilot.ChatResponse{Message: say, Mentions: p.mentions()}
	}
	return env
}

func (p *plan) outdated(next []copilot.SuggestedCommand) *copilot.ClearSuggestions {
	keep := idsOf(next)
	var gone []string
	for _, id := range p.offered {
		if !slices.Contains(keep, id) {
			gone = append(gone, id)
		}
	}
	if len(gone) == 0 {
		return nil
	}
	return &copilot.ClearSuggestions{IDs: gone}
}

func idsOf(cs []copilot.SuggestedCommand) []string {
	ids := make([]string, len(cs))
	for i, c := range cs {
		ids[i] = c.ID
	}
	return ids
}

// mentions are the commands that the answer means: the first that is offered.
func (p *plan) mentions() []string {
	if len(p.offered) == 0 {
		return nil
	}
	return p.offered[:1]
}

// opening is the first answer to a question.
func (p *plan) opening() string {
	say := p.tell(orElse(p.book.Say, p.book.Summary+"."))
	if i := p.current(); i > 0 {
		say += " I see that you have begun already. Next: " + p.tell(p.book.Steps[i].Text) + "."
	}
	if len(p.book.Ask) > 0 {
		say += "\n\nTell me, if you know: " + p.tell(strings.Join(p.book.Ask, " "))
	}
	return say
}

// noticed is what is said when nobody asked.
func (p *plan) noticed() string {
	return "That looks like: **" + strings.ToLower(p.book.Title[:1]) + p.book.Title[1:] + "**. " +
		p.tell(orElse(p.book.Say, p.book.Summary+"."))
}

// standing says where the plan is.
func (p *plan) standing() string {
	if p.finished() {
		return "Every step of “" + p.book.Title + "” is done. Tell me what you see now, or what else is wrong."
	}
	i := p.current()
	n := 0
	for _, d := range p.done {
		if d {
			n++
		}
	}
	return fmt.Sprintf("%s: %d of %d steps done. Next: %s.", p.tell(p.book.Summary), n, len(p.done), p.tell(p.book.Steps[i].Text))
}
