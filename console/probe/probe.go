package probe

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"sallyport/console/gate"
	"sallyport/console/remote"
)

// command is the constant text of the side channel: one line without a single
// quote inside, which every login shell passes on as it is.
const command = `exec xargs -0 -n 3 sh -c '` + script + `' probe`

// script answers one question: $1 is its kind.
const script = `case $1 in ` +
	`terminal) ` + terminalScript + ` ;; ` +
	`files) ` + filesScript + ` ;; ` +
	`commands) ` + commandsScript + ` ;; ` +
	`esac; printf "\0"`

// Bounds of an answer: a host that sends more is not believed.
const (
	maxField  = 64 << 10
	maxFields = 4096
)

var (
	// ErrBroken: the side channel is gone or answered nonsense. Open another.
	ErrBroken = errors.New("side channel is broken")
	// ErrUnanswered: the host could not say.
	ErrUnanswered = errors.New("the host does not say")
)

// Conn opens exec channels. *remote.Conn satisfies it.
type Conn interface {
	Exec(ctx context.Context, s *gate.Slot, cmd gate.Cleared) (*remote.Exec, error)
}

// Probe is an open side channel. It is safe for concurrent use; questions
// wait for each other.
type Probe struct {
	gate *gate.Gate
	slot *gate.Slot
	exec *remote.Exec

	turn   chan struct{} // holds one token: whose turn it is to ask
	out    *bufio.Reader // owned by who has the turn
	broken sync.Once
	over   chan struct{} // closed when the probe is broken or closed
}

// Open starts a side channel on conn. The slot's recorder, targets and session
// are cfg's.
func Open(ctx context.Context, conn Conn, g *gate.Gate, cfg gate.SlotConfig) (*Probe, error) {
	slot := gate.NewSlot(cfg)
	slot.Enter(gate.State{Phase: gate.SideChannel})
	cleared, err := g.Control(slot, gate.ProbeWith(command))
	if err != nil {
		return nil, err
	}
	exec, err := conn.Exec(ctx, slot, cleared)
	if err != nil {
		return nil, err
	}
	p := &Probe{
		gate: g, slot: slot, exec: exec, out: bufio.NewReaderSize(exec, maxField),
		turn: make(chan struct{}, 1), over: make(chan struct{}),
	}
	p.turn <- struct{}{}
	go func() { _, _ = io.Copy(io.Discard, exec.Stderr()) }()
	return p, nil
}

// Close ends the side channel.
func (p *Probe) Close() error {
	p.end()
	return nil
}

func (p *Probe) end() {
	p.broken.Do(func() {
		close(p.over)
		_ = p.exec.Close()
	})
}

// Uses is how many clearances the side channel has spent, for the record at
// the end of a session.
func (p *Probe) Uses() uint64 { return p.slot.Counts()[gate.Probe] }

// ask puts one question. When ctx ends first the answer would be taken for the
// next one's, so the side channel ends too.
func (p *Probe) ask(ctx context.Context, kind, a, b string) ([]string, error) {
	select {
	case <-p.turn:
		defer func() { p.turn <- struct{}{} }()
	case <-p.over:
		return nil, ErrBroken
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	stop := context.AfterFunc(ctx, p.end)
	defer stop()
	fields, err := p.exchange(kind, a, b)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err != nil {
		p.end()
	}
	return fields, err
}

func (p *Probe) exchange(kind, a, b string) ([]string, error) {
	cleared, err := p.gate.Control(p.slot, gate.ProbeData(kind, a, b))
	if err != nil {
		return nil, err
	}
	if err := p.exec.Send(cleared); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrBroken, err)
	}
	return p.answer()
}

// answer reads fields until the empty one.
func (p *Probe) answer() ([]string, error) {
	var fields []string
	for {
		f, err := p.out.ReadSlice(0)
		switch {
		case err != nil:
			return nil, fmt.Errorf("%w: %w", ErrBroken, err)
		case len(f) == 1:
			return fields, nil
		case len(fields) == maxFields:
			return nil, fmt.Errorf("%w: an answer of more than %d fields", ErrBroken, maxFields)
		}
		fields = append(fields, string(f[:len(f)-1]))
	}
}

// clean tells whether s can be a field.
func clean(s string) error {
	if strings.ContainsRune(s, 0) || len(s) > maxField/2 {
		return errors.New("not a path")
	}
	return nil
}
