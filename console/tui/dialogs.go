package tui

import (
	"context"
	"sync"

	"sallyport/console/gate"
	"sallyport/console/remote"
)

// Dialogs is where questions wait for the operator. It is the gate's Asker,
// and gives each host a Prompter. Safe for concurrent use.
type Dialogs struct {
	mu      sync.Mutex
	next    uint64
	open    []*question
	changed func()
}

// NewDialogs gives Dialogs that keep questions until a screen is there.
func NewDialogs() *Dialogs { return &Dialogs{changed: func() {}} }

// question is one thing that somebody waits for. Its kind is the type of ask:
// gate.Question, remote.HostKeyQuestion or secretQuestion.
type question struct {
	id      uint64
	host    string // id of the Host, if known
	session string // id of the session otherwise
	ask     any
	answer  chan any // room for one
	replied bool     // owned by the event loop
}

// secretQuestion asks for a line of text, such as a password.
type secretQuestion struct {
	prompt string
	echo   bool
}

var errLeft = remote.ErrLeft

// Ask puts a question of the gate to the operator.
func (d *Dialogs) Ask(ctx context.Context, q gate.Question) (gate.Answer, error) {
	a, err := d.put(ctx, &question{session: q.Session, ask: q})
	answer, _ := a.(gate.Answer)
	return answer, err
}

// Prompter asks what connecting to one host needs to know.
func (d *Dialogs) Prompter(host string) remote.Prompter { return prompter{d, host} }

type prompter struct {
	d    *Dialogs
	host string
}

func (p prompter) HostKey(ctx context.Context, q remote.HostKeyQuestion) (remote.HostKeyAnswer, error) {
	a, err := p.d.put(ctx, &question{host: p.host, ask: q})
	answer, _ := a.(remote.HostKeyAnswer)
	return answer, err
}

func (p prompter) Secret(ctx context.Context, prompt string, echo bool) ([]byte, error) {
	a, err := p.d.put(ctx, &question{host: p.host, ask: secretQuestion{prompt, echo}})
	if err != nil {
		return nil, err
	}
	line, ok := a.([]byte)
	if !ok {
		return nil, errLeft
	}
	return line, nil
}

// put waits until q is answered or nobody wants the answer any more.
func (d *Dialogs) put(ctx context.Context, q *question) (any, error) {
	q.answer = make(chan any, 1)
	d.mu.Lock()
	d.next++
	q.id = d.next
	d.open = append(d.open, q)
	changed := d.changed
	d.mu.Unlock()
	changed()
	defer d.drop(q)
	select {
	case a := <-q.answer:
		return a, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (d *Dialogs) drop(q *question) {
	d.mu.Lock()
	for i, o := range d.open {
		if o == q {
			d.open = append(d.open[:i:i], d.open[i+1:]...)
			break
		}
	}
	changed := d.changed
	d.mu.Unlock()
	changed()
}

// waiting are the open questions, oldest first.
func (d *Dialogs) waiting() []*question {
	d.mu.Lock()
	defer d.mu.Unlock()
	return append([]*question(nil), d.open...)
}

func (d *Dialogs) onChange(f func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.changed = f
}

// reply answers q once; what comes later is dropped.
func (q *question) reply(a any) {
	q.replied = true
	select {
	case q.answer <- a:
	default:
	}
}
