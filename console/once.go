package console

import (
	"context"
	"errors"
	"io"
	"strings"
	"sync"
	"time"

	"sallyport/audit"
	"sallyport/console/gate"
	"sallyport/console/remote"
	"sallyport/policy"
	"sallyport/redact"
)

// shellCommand is the wire form of a command that runs on a channel of its
// own: the text as the one argument of sh -c, so that what runs is read by the
// dialect that it was judged in, whatever the account's login shell is.
type shellCommand struct{}

// Step gives the exec request.
func (shellCommand) Step(n int, text string) []byte {
	if n > 0 {
		return nil
	}
	return []byte("exec sh -c " + quote(text))
}

// quote makes one word of text for POSIX shells and for fish, which differ in
// what a backslash does between single quotes: it stands outside of them.
func quote(text string) string {
	return "'" + strings.NewReplacer("'", `'\''`, `\`, `'\\'`).Replace(text) + "'"
}

const (
	onceTail = 16 << 10
	tailCut  = 40
)

// Once runs one command on dest without a terminal: same policy, same consent,
// same record. Standard input is not passed on, since nothing would judge it.
// Output goes to stdout and stderr as the host sent it. The error is a
// *remote.Error, a *gate.Refusal or a *LogError.
func (c *Console) Once(ctx context.Context, dest, command string, stdout, stderr io.Writer) (remote.Exit, error) {
	d, err := remote.ParseDest(dest)
	if err != nil {
		return remote.Exit{}, err
	}
	h := &Host{id: newID(), dest: dest, c: c}
	h.link.Target = policy.Target{Asked: d.Host, Account: d.User, Port: d.Port}
	a := &attempt{session: newID()}
	if err := h.connect(ctx, a); err != nil {
		c.recordFailure(a.scope, err)
		return remote.Exit{}, err
	}
	defer a.conn.Close()
	for _, w := range a.conn.Wants() {
		if w.Kind != "env" { // one command forwards nothing
			c.notForwarded(a.scope, w)
		}
	}
	up := c.cfg.Now()
	exit, err := c.once(ctx, a, command, stdout, stderr)
	ev := audit.SessionDisconnected[redact.Text]{DurationMS: c.cfg.Now().Sub(up).Milliseconds(), Commands: 1}
	if errors.As(err, new(*gate.Refusal)) {
		ev.Commands, ev.Refused = 0, 1
	}
	c.append(a.scope, ev)
	return exit, err
}

func (c *Console) once(ctx context.Context, a *attempt, command string, stdout, stderr io.Writer) (remote.Exit, error) {
	slot := gate.NewSlot(c.slotConfig(a))
	slot.Enter(gate.State{Phase: gate.SideChannel})
	cleared, err := c.gate.Submit(ctx, slot, gate.Request{
		Kind:     gate.Run,
		Origin:   policy.Run,
		Text:     command,
		Dialect:  policy.POSIX,
		Evidence: gate.EvidenceShell,
		Wire:     shellCommand{},
	})
	if err != nil {
		return remote.Exit{}, err
	}
	o := c.observe(cleared.Intent(), command, a)
	run, err := a.conn.Exec(ctx, slot, cleared)
	if err != nil {
		o.close(audit.NotSent, nil)
		return remote.Exit{}, err
	}
	exit, err := o.follow(ctx, run, stdout, stderr)
	return exit, err
}

// observed is a command that runs on a channel of its own.
type observed struct {
	c      *Console
	scope  *audit.Scope
	intent uint64
	begun  time.Time
	digest *audit.Digester
	stream *redact.Stream

	mu   sync.Mutex
	tail redact.Text
}

func (c *Console) observe(intent uint64, command string, a *attempt) *observed {
	r := c.redactor.Target(a.fingerprint)
	r.Command(command)
	return &observed{c: c, scope: a.scope, intent: intent, begun: c.cfg.Now(), digest: c.log.Digester(), stream: r.Stream()}
}

// Write takes output on its way to the operator.
func (o *observed) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.digest.Write(p)
	o.tail = redact.Join(o.tail, o.stream.Write(p))
	if o.tail.Len() > 4*onceTail {
		o.tail = o.tail.HeadTail(2*onceTail, snip)
	}
	return len(p), nil
}

// follow passes output on until the command ends, and records its end.
func (o *observed) follow(ctx context.Context, run *remote.Exec, stdout, stderr io.Writer) (remote.Exit, error) {
	defer run.Close()
	stop := context.AfterFunc(ctx, func() { run.Close() })
	defer stop()
	run.CloseInput()
	var errs sync.WaitGroup
	errs.Go(func() { io.Copy(io.MultiWriter(o, stderr), run.Stderr()) })
	io.Copy(io.MultiWriter(o, stdout), run)
	errs.Wait()
	exit, err := run.Wait()
	switch {
	case ctx.Err() != nil:
		o.close(audit.Interrupted, nil)
		return exit, ctx.Err()
	case err != nil:
		o.close(audit.ConnectionLost, nil)
		return exit, err
	}
	o.close(audit.Completed, exitCode(exit))
	return exit, nil
}

// exitCode is the host's claim, unknown where a signal ended the command.
func exitCode(e remote.Exit) *int {
	if e.Code < 0 {
		return nil
	}
	return &e.Code
}

func (o *observed) close(status audit.OutcomeStatus, exit *int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	tail := redact.Join(o.tail, o.stream.Flush())
	sum := o.digest.Sum(0)
	o.c.append(o.scope, audit.Outcome[redact.Text]{
		Intent:       o.intent,
		Status:       status,
		ExitCode:     exit,
		DurationMS:   o.c.cfg.Now().Sub(o.begun).Milliseconds(),
		OutputBytes:  sum.Bytes(),
		OutputDigest: sum,
		OutputTail:   tail.HeadTail(onceTail, snip).Tail(tailCut),
	})
}
