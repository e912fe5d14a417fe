package runbook

import (
	"regexp"
	"strings"
)

var (
	greeting  = regexp.MustCompile(`(?i)^\W*(hi|hello|hey|good (morning|afternoon|evening)|moin|servus|hallo)( (there|linus|all))?\W*$`)
	gratitude = regexp.MustCompile(`(?i)^\W*(thanks?( you)?( a lot| very much)?|thx|cheers|great|perfect|nice|cool|ok(ay)?|good|well done)( linus)?\W*$`)
	abilities = regexp.MustCompile(`(?i)^\W*(help|what can you do|who are you|what do you know|commands)\W*$`)
	giveUp    = regexp.MustCompile(`(?i)^\W*(never ?mind|forget (it|that)|stop|cancel|start over|reset|that.?s all|done)\W*$`)
)

// smallTalk answers what asks for no plan.
func (e *Engine) smallTalk(message string, p *plan) (string, bool) {
	switch {
	case greeting.MatchString(message):
		return "Hello. Tell me what is wrong, with the message that you see, or just work: I follow along.", true
	case gratitude.MatchString(message) && p.idle():
		return "You are welcome.", true
	case gratitude.MatchString(message):
		return p.standing(), true
	case abilities.MatchString(message):
		return e.knows(), true
	}
	return "", false
}

// knows lists what there are runbooks for.
func (e *Engine) knows() string {
	var b strings.Builder
	b.WriteString("I suggest commands; you decide what is sent. I have runbooks for:\n\n")
	for _, book := range e.books {
		if book.Name != Triage {
			b.WriteString("- " + book.Title + "\n")
		}
	}
	b.WriteString("\nFor anything else I take a first look with you.")
	return b.String()
}
