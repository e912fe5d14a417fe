package model

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"sallyport/console/copilot"
	"sallyport/console/runbook"
)

// Answerer answers through a model, and through runbooks where that fails.
type Answerer struct {
	server   *Server
	runbooks runbook.Answerer
	life     context.Context // of calls that go on after the console's has ended
	running  sync.WaitGroup

	mu    sync.Mutex
	talks map[string]*talk
	order []string // of sessions, oldest first
}

// talk is one session's conversation.
type talk struct {
	turns []message
	late  *copilot.Envelope // an answer that came too late for its call
	busy  bool              // a command's answer is still being written
}

const (
	chatWait     = 18 * time.Second // the console waits 20 s
	executedWait = 4 * time.Second  // the console waits 5 s
	modelWait    = 90 * time.Second // a command's answer, in the background
	maxTurns     = 12               // turns that the model is reminded of
	maxTalks     = 64               // sessions that are remembered
	maxTurn      = 2 << 10          // bytes of one turn, when it is remembered
)

// New makes an Answerer. Work in the background ends with ctx; Wait waits for that.
func New(ctx context.Context, s *Server, runbooks runbook.Answerer) *Answerer {
	return &Answerer{server: s, runbooks: runbooks, life: ctx, talks: map[string]*talk{}}
}

// Wait waits until nothing goes on in the background.
func (a *Answerer) Wait() { a.running.Wait() }

// Answer implements runbook.Answerer.
func (a *Answerer) Answer(ctx context.Context, c runbook.Call) (copilot.Envelope, error) {
	switch {
	case c.Kind == runbook.Chat:
		a.takeLate(c.Session) // an answer to older news says nothing now
		return a.now(ctx, c)
	case c.Kind == runbook.Executed && c.Final:
		return a.soon(ctx, c)
	default:
		return a.takeLate(c.Session), nil
	}
}

// now asks the model while the console waits.
func (a *Answerer) now(ctx context.Context, c runbook.Call) (copilot.Envelope, error) {
	ctx, cancel := context.WithTimeout(ctx, chatWait)
	defer cancel()
	env, err := a.ask(ctx, c)
	if err == nil {
		return env, nil
	}
	return a.instead(c, err)
}

// instead answers from the runbooks, and says why.
func (a *Answerer) instead(c runbook.Call, why error) (copilot.Envelope, error) {
	env, err := a.runbooks.Answer(context.Background(), c)
	if err != nil {
		return env, err
	}
	note := fmt.Sprintf("(The model does not help: %v. This is from the runbooks.)", why)
	if env.Chat == nil {
		env.Chat = &copilot.ChatResponse{}
	}
	env.Chat.Message = note + "\n\n" + env.Chat.Message
	return env, nil
}

// soon asks the model about a command, and waits for the answer as long as the
// console does.
func (a *Answerer) soon(ctx context.Context, c runbook.Call) (copilot.Envelope, error) {
	if !a.begin(c.Session) {
		return a.takeLate(c.Session), nil
	}
	done := make(chan copilot.Envelope, 1)
	a.running.Go(func() {
		ctx, cancel := context.WithTimeout(a.life, modelWait)
		defer cancel()
		env, err := a.ask(ctx, c)
		if err != nil {
			env = copilot.Envelope{}
		}
		a.end(c.Session)
		done <- env
	})
	select {
	case env := <-done:
		return env, nil
	case <-time.After(executedWait):
	case <-ctx.Done():
	}
	a.running.Go(func() { a.keepLate(c.Session, <-done) })
	return copilot.Envelope{}, nil
}

// ask asks once, and once more if the answer has a fault.
func (a *Answerer) ask(ctx context.Context, c runbook.Call) (copilot.Envelope, error) {
	question := ask(c)
	said := a.recall(c.Session, question)
	text, err := a.server.complete(ctx, said)
	if err != nil {
		return copilot.Envelope{}, err
	}
	env, fault := read(text)
	if fault != nil {
		text, env, fault = a.again(ctx, said, text, env, fault)
	}
	if fault != nil && env == (copilot.Envelope{}) {
		return env, fmt.Errorf("its answer cannot be read: %w", fault)
	}
	a.remember(c.Session, question, text)
	return env, nil
}

// again lets the model repair its answer. If that is no better, what was valid stays.
func (a *Answerer) again(ctx context.Context, said []message, text string, env copilot.Envelope, fault error) (string, copilot.Envelope, error) {
	said = append(slices.Clone(said),
		message{"assistant", text}, message{"user", fmt.Sprintf(repair, fault)})
	second, err := a.server.complete(ctx, said)
	if err != nil {
		return text, env, fault
	}
	repaired, err := read(second)
	if err != nil && repaired == (copilot.Envelope{}) {
		return text, env, fault
	}
	return second, repaired, err
}

// recall gives the conversation so far with a new question.
func (a *Answerer) recall(session, question string) []message {
	a.mu.Lock()
	defer a.mu.Unlock()
	said := []message{{"system", instructions}}
	said = append(said, a.talk(session).turns...)
	return append(said, message{"user", question})
}

func (a *Answerer) remember(session, question, answer string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	t := a.talk(session)
	t.turns = append(t.turns, message{"user", short(question)}, message{"assistant", short(answer)})
	if over := len(t.turns) - maxTurns; over > 0 {
		t.turns = slices.Clone(t.turns[over:])
	}
}

// short keeps head and tail: the question stands at the end, the host at the beginning.
func short(s string) string {
	if len(s) <= maxTurn {
		return s
	}
	return s[:maxTurn/2] + "\n--- snip ---\n" + s[len(s)-maxTurn/2:]
}

func (a *Answerer) talk(session string) *talk {
	t, ok := a.talks[session]
	if !ok {
		t = &talk{}
		a.talks[session] = t
		if a.order = append(a.order, session); len(a.order) > maxTalks {
			delete(a.talks, a.order[0])
			a.order = a.order[1:]
		}
	}
	return t
}

func (a *Answerer) begin(session string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	t := a.talk(session)
	if t.busy {
		return false
	}
	t.busy = true
	return true
}

func (a *Answerer) end(session string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.talk(session).busy = false
}

func (a *Answerer) keepLate(session string, env copilot.Envelope) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if env != (copilot.Envelope{}) {
		a.talk(session).late = &env
	}
}

func (a *Answerer) takeLate(session string) copilot.Envelope {
	a.mu.Lock()
	defer a.mu.Unlock()
	t := a.talk(session)
	if t.late == nil {
		return copilot.Envelope{}
	}
	env := *t.late
	t.late = nil
	return env
}
