package runbook

import (
	"context"
	"regexp"
	"strings"
	"sync"

	"sallyport/console/copilot"
)

// Engine answers from runbooks. It is safe for concurrent use; each session has a
// plan of its own.
type Engine struct {
	books []*Book

	mu    sync.Mutex
	plans map[string]*plan
	order []string // of sessions, oldest first
}

// Triage is the name of the runbook that answers when no other fits.
const Triage = "triage"

// maxPlans bounds the sessions that are remembered.
const maxPlans = 64

// NewEngine makes an Engine of books.
func NewEngine(books []*Book) *Engine {
	return &Engine{books: books, plans: map[string]*plan{}}
}

// Answer implements Answerer.
func (e *Engine) Answer(_ context.Context, c Call) (copilot.Envelope, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	p := e.plan(c.Session)
	p.learn(c.Context)
	switch c.Kind {
	case Chat:
		return e.chat(p, c), nil
	case Executed:
		return e.executed(p, c), nil
	case Update:
		return e.update(p, plain(c.NewOutput)), nil
	case State:
		return e.state(p, c), nil
	}
	return copilot.Envelope{}, nil
}

func (e *Engine) plan(session string) *plan {
	p, ok := e.plans[session]
	if !ok {
		p = newPlan()
		e.plans[session] = p
		e.order = append(e.order, session)
		if len(e.order) > maxPlans {
			delete(e.plans, e.order[0])
			e.order = e.order[1:]
		}
	}
	return p
}

// chat answers the operator: with the runbook that the words fit best, else with
// where the plan stands, else with a first look at the host.
func (e *Engine) chat(p *plan, c Call) copilot.Envelope {
	if say, ok := e.smallTalk(c.Message, p); ok {
		return copilot.Envelope{Chat: &copilot.ChatResponse{Message: say}}
	}
	seen := plain(c.Context.TerminalTail)
	best, score := e.best(c.Message, seen)
	switch {
	case giveUp.MatchString(c.Message) && !p.idle():
		return p.drop()
	case best != nil && best == p.book && !p.finished():
		p.fillFromMessage(c.Message)
		return p.answer(p.standing(), true)
	case best != nil && (score >= messageWeight || p.idle()):
		p.open(best)
		p.fillFromOutput(seen)
		p.fillFromMessage(c.Message)
		p.lookBack(c.Context)
		return p.answer(p.opening(), true)
	case !p.idle():
		return p.answer(p.standing(), true)
	}
	if triage := e.book(Triage); triage != nil {
		p.open(triage)
		return p.answer(p.opening(), true)
	}
	return copilot.Envelope{Chat: &copilot.ChatResponse{Message: "I have no runbook for that."}}
}

// executed follows what was run.
func (e *Engine) executed(p *plan, c Call) copilot.Envelope {
	output := plain(c.Output)
	failed := c.Final && c.Exit != nil && *c.Exit != 0
	if p.idle() || p.book.Name == Triage || p.finished() {
		if b := e.trouble(c.Command, output, failed); b != nil && b != p.book {
			p.open(b)
			p.fillFromCommand(c.Command)
			p.fillFromOutput(output)
			p.ran(c, output, failed)
			return p.answer(p.noticed(), true)
		}
	}
	if p.idle() {
		return copilot.Envelope{}
	}
	said, moved := p.ran(c, output, failed)
	if !moved && said == "" {
		return copilot.Envelope{}
	}
	return p.answer(said, moved)
}

// update looks for trouble in what a host prints by itself.
func (e *Engine) update(p *plan, output string) copilot.Envelope {
	if !p.idle() {
		return copilot.Envelope{}
	}
	b := e.trouble("", output, false)
	if b == nil {
		return copilot.Envelope{}
	}
	p.open(b)
	p.fillFromOutput(output)
	return p.answer(p.noticed(), true)
}

func (e *Engine) state(p *plan, c Call) copilot.Envelope {
	if c.Event != string(copilot.Connected) || !p.idle() {
		return copilot.Envelope{}
	}
	confidence := 1.0
	return copilot.Envelope{Intent: &copilot.IntentUpdate{
		Summary:    "Watching " + orElse(c.Context.Host, "this host") + ": tell me what is wrong, or just work",
		Confidence: &confidence,
	}}
}

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

// What a match counts. The operator's words weigh more than what is on the screen.
const (
	messageWeight = 2
	outputWeight  = 1
)

// best gives the runbook that fits a message and what the terminal shows.
func (e *Engine) best(message, seen string) (*Book, int) {
	var best *Book
	top := 0
	for _, b := range e.books {
		score := messageWeight * b.When.Message.count(message)
		if score > 0 || b.When.Message.match(message) || asks(message) {
			score += outputWeight * min(1, b.When.Output.count(seen))
		}
		if score > top {
			best, top = b, score
		}
	}
	return best, top
}

var asking = regexp.MustCompile(`(?i)\b(what|why|help|wrong|broken|fail|error|look|check|happen)`)

// asks tells whether a message asks about what is on the screen.
func asks(message string) bool { return asking.MatchString(message) }

// trouble gives the runbook for trouble that a command or its output shows.
func (e *Engine) trouble(command, output string, failed bool) *Book {
	var best *Book
	top := 0
	for _, b := range e.books {
		score := b.When.Output.count(output)
		if failed && score > 0 {
			score += b.When.Command.count(command)
		}
		if score > top {
			best, top = b, score
		}
	}
	return best
}

func (e *Engine) book(name string) *Book {
	for _, b := range e.books {
		if b.Name == name {
			return b
		}
	}
	return nil
}

var sgr = regexp.MustCompile(`\x1b\[[0-9;:]*m`)

// plain is terminal text without its colours.
func plain(s string) string {
	return strings.ReplaceAll(sgr.ReplaceAllString(s, ""), "\r", "")
}
