package session

import (
	"context"
	"errors"

	"sallyport/audit"
	"sallyport/console/gate"
	"sallyport/policy"
	"sallyport/redact"
)

type policyFact = policy.Fact

// recorder writes records in order beside the loop, which must not wait for
// the disk. What comes before bytes is written by the gate; settle makes the
// two keep their order.
type recorder struct {
	l    *loop
	to   gate.Recorder
	jobs chan job
	done chan struct{}
	lost []error // owned by write until done is closed
}

// job is a record to write, or somebody who waits until all before it are
// written.
type job struct {
	ev      audit.Event
	settled chan<- struct{}
}

// maxRecords bounds the records on their way; the loop waits beyond that.
const maxRecords = 1024

func (r *recorder) start(l *loop) {
	r.l, r.to = l, l.cfg.Recorder
	r.jobs, r.done = make(chan job, maxRecords), make(chan struct{})
	go r.write(l.s)
}

// write keeps going when the session's context is done: what happened is
// recorded.
func (r *recorder) write(s *Session) {
	defer close(r.done)
	for j := range r.jobs {
		switch {
		case j.settled != nil:
			close(j.settled)
		case r.to != nil:
			_, err := r.to.Append(context.Background(), j.ev)
			if err != nil && !s.queue.post(func(l *loop) { l.recordLost(err) }) {
				r.lost = append(r.lost, err)
			}
		}
	}
}

func (l *loop) recordLost(err error) {
	l.alarmed("[audit: outcome record lost: " + err.Error() + "]")
}

// before makes a record durable that comes before bytes, and gives its seq. It is
// for the loop's workers.
func (r *recorder) before(ctx context.Context, ev audit.Event) (uint64, error) {
	if r.to == nil {
		return 0, errors.New("there is no log")
	}
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	got, err := r.to.Append(context.WithoutCancel(ctx), ev)
	switch {
	case err != nil:
		return 0, err
	case len(got) == 0 || !got[0].Valid():
		return 0, errors.New("the log gave no receipt")
	}
	return got[0].Seq(), nil
}

func (r *recorder) append(ev audit.Event) { r.jobs <- job{ev: ev} }

// settle waits until everything that was handed over is written. It is for the
// loop's workers, which have ended before stop.
func (r *recorder) settle() {
	done := make(chan struct{})
	r.jobs <- job{settled: done}
	<-done
}

// stop writes what was handed over and gives what could not be written since
// nobody takes work any more.
func (r *recorder) stop() []error {
	close(r.jobs)
	<-r.done
	return r.lost
}

// outcome closes an intent that did not run.
func (r *recorder) outcome(intent uint64, st Status, why string) {
	r.append(audit.Outcome[redact.Text]{Intent: intent, Status: audit.OutcomeStatus(st), Note: r.l.text(why)})
}

// ended closes an intent that ran.
func (r *recorder) ended(c Command, tail redact.Text, digest audit.Digest) {
	n := c.OutputBytes
	r.append(audit.Outcome[redact.Text]{
		Intent: c.Intent, Status: audit.OutcomeStatus(c.Status), ExitCode: c.Exit, Cwd: r.l.text(c.Cwd),
		DurationMS: c.Duration.Milliseconds(), OutputBytes: &n, OutputDigest: digest, OutputTail: tail.Tail(tailLines),
	})
}

// recordVeto is a line that tried to run unjudged. Where the shell cannot say
// which, what stands on the screen from the prompt on is noted.
func (l *loop) recordVeto(f *frame, line string) {
	text, found := l.cfg.Redactor.CommandText(line)
	reason := "it tried to run without having been judged and was stopped"
	if line == "" {
		reason += "; on the screen stood: " + l.sincePrompt()
	}
	l.records.append(audit.Refused[redact.Text]{
		Command: text, CommandDigest: audit.NewExact([]byte(line), len(found)), Class: audit.ClassLine,
		Origin: audit.OriginHuman, By: audit.ByGate, Reason: l.text(reason),
		Dialect: l.text(f.shell.Dialect().String()), Cwd: l.text(l.cwd),
	})
}
