package audit_test

import (
	"context"
	"fmt"
	"testing"

	"filippo.io/age"

	"sallyport/audit"
	"sallyport/audit/durable"
	"sallyport/audit/durable/durabletest"
	"sallyport/audit/review"
	"sallyport/audit/verify"
	"sallyport/redact"
)

const dir = "/audit"

func config(fs durable.FS) audit.Config {
	return audit.Config{
		Dir: dir, FS: fs, Actor: audit.Actor{User: redact.Literal("ops"), UID: 1000},
		CheckpointEvery: 4, MaxBytes: 12 << 10,
	}
}

// run is what a console saw of a scripted session.
type run struct {
	acknowledged, refused []string
}

// session plays a day: two sessions, commands with outcomes, a log that
// turns over. A command "runs" when its intent was acknowledged.
func session(fs durable.FS, recipients ...string) (r run, err error) {
	ctx := context.Background()
	c := config(fs)
	c.Recipients = recipients
	l, err := audit.Open(c)
	if err != nil {
		return r, err
	}
	defer l.Close(ctx)
	for s := range 2 {
		sc := l.In(fmt.Sprintf("s%d", s), audit.Target{Host: redact.Literal("prod-web-03")})
		for c := range 6 {
			r.command(ctx, sc, fmt.Sprintf("run-%d-%d", s, c))
		}
		r.append(ctx, sc, fmt.Sprintf("end-%d", s), audit.SessionDisconnected[redact.Text]{Reason: words(fmt.Sprintf("end-%d", s))})
	}
	return r, nil
}

func words(s string) redact.Text {
	t, err := redact.ID(s)
	if err != nil {
		panic(err)
	}
	return t
}

func (r *run) command(ctx context.Context, sc *audit.Scope, name string) {
	seq, ok := r.append(ctx, sc, name, audit.Intent[redact.Text]{
		Command: words(name), CommandDigest: audit.NewExact([]byte(name), 0), Origin: audit.OriginHuman,
	})
	if ok {
		r.append(ctx, sc, "out-"+name, audit.Outcome[redact.Text]{Intent: seq, Status: audit.Completed, Note: words("out-" + name)})
	}
}

func (r *run) append(ctx context.Context, sc *audit.Scope, name string, ev audit.Event) (uint64, bool) {
	rs, err := sc.Append(ctx, ev)
	if err != nil {
		r.refused = append(r.refused, name)
		return 0, false
	}
	r.acknowledged = append(r.acknowledged, name)
	return rs[0].Seq(), true
}

// held counts the records of the logs by the name in them.
func held(t *testing.T, fs durable.FS, where string) map[string]int {
	t.Helper()
	logs, err := review.OpenIn(fs, where)
	if err != nil {
		t.Fatal(err)
	}
	n := map[string]int{}
	for r, err := range logs.Records() {
		if err != nil {
			t.Fatal(err)
		}
		var name string
		switch r.Event {
		case audit.KindCommandIntent:
			in, _ := audit.Decode[audit.Intent[string]](r)
			name = in.Command
		case audit.KindCommandOutcome:
			out, _ := audit.Decode[audit.Outcome[string]](r)
			name = out.Note
		case audit.KindSessionDisconnected:
			end, _ := audit.Decode[audit.SessionDisconnected[string]](r)
			name = end.Reason
		default:
			continue
		}
		n[name]++
	}
	return n
}

// checkKept demands that nothing acknowledged is lost, nothing is there
// twice, and each log verifies or says what is torn.
func checkKept(t *testing.T, what string, fs durable.FS, r run) {
	t.Helper()
	checkKeptIn(t, what, fs, dir, r)
}

func checkKeptIn(t *testing.T, what string, fs durable.FS, where string, r run) {
	t.Helper()
	n := held(t, fs, where)
	for _, name := range r.acknowledged {
		if n[name] != 1 {
			t.Errorf("%s: acknowledged %s is there %d times", what, name, n[name])
		}
	}
	for _, name := range r.refused {
		if n[name] > 1 {
			t.Errorf("%s: refused %s is there %d times", what, name, n[name])
		}
	}
	checkVerdicts(t, what, fs, where)
}

func checkVerdicts(t *testing.T, what string, fs durable.FS, where string) {
	t.Helper()
	results, err := verify.Dirs(verify.Options{FS: fs}, where)
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	for _, v := range results {
		if !v.Good() && v.Verdict != verify.Recovered {
			t.Errorf("%s: %s", what, v)
		}
	}
}

// restart opens the logs again, as the next console does, and closes its own.
func restart(t *testing.T, what string, fs durable.FS) {
	t.Helper()
	l, err := audit.Open(config(fs))
	if err != nil {
		t.Fatalf("%s: restart: %v", what, err)
	}
	if err := l.Close(t.Context()); err != nil {
		t.Fatalf("%s: close: %v", what, err)
	}
}

// stride is how many steps a matrix goes on at a time: by night none is left
// out; the race detector, which is ten times as slow, sees every seventh of
// what is tried without it.
func stride(byDay int64) int64 {
	switch {
	case nightly():
		return 1
	case raceDetector:
		return 7 * byDay
	}
	return byDay
}

func TestEveryFileStepFailsInBothWays(t *testing.T) {
	clean := &durabletest.Faulty{FS: durabletest.NewMemory()}
	r, err := session(clean)
	if err != nil || len(r.refused) > 0 {
		t.Fatalf("without a fault: %v, refused %v", err, r.refused)
	}
	steps := clean.Steps()
	t.Logf("%d steps, %d records", steps, len(r.acknowledged))
	refusals := 0
	for _, how := range []durabletest.Fault{durabletest.NotPersisted, durabletest.Persisted} {
		for at := int64(1); at <= steps; at += stride(1) {
			mem := durabletest.NewMemory()
			f := &durabletest.Faulty{FS: mem, At: at, How: how}
			r, err := session(f)
			what := fmt.Sprintf("step %d %v %v", at, f.Named.Load(), how)
			if err != nil && len(r.acknowledged) > 0 {
				t.Errorf("%s: %v", what, err)
			}
			refusals += len(r.refused)
			for _, loss := range durabletest.Losses() {
				after := mem.Crash(loss)
				what := fmt.Sprintf("%s, crash %d", what, loss)
				restart(t, what, after)
				checkKept(t, what, after, r)
			}
			after := mem.Restart()
			restart(t, what, after)
			checkKept(t, what, after, r)
			if how == durabletest.Persisted {
				after = after.Crash(durabletest.LoseAll)
				checkKept(t, what+", restart, crash", after, r)
			}
		}
	}
	t.Logf("%d refusals", refusals)
}

func TestPowerGoesAtEveryStep(t *testing.T) {
	clean := &durabletest.Faulty{FS: durabletest.NewMemory()}
	if _, err := session(clean); err != nil {
		t.Fatal(err)
	}
	for at := int64(1); at <= clean.Steps(); at += stride(1) {
		mem := durabletest.NewMemory()
		cut := &powerCut{FS: mem, left: at}
		r, _ := session(cut)
		for _, loss := range durabletest.Losses() {
			what := fmt.Sprintf("power gone at step %d, loss %d", at, loss)
			after := mem.Crash(loss)
			restart(t, what, after)
			checkKept(t, what, after, r)
		}
	}
}

// With recipients each intent has an exact text in sealed/, on disk before
// the record is: verify holds the one against the other.
func TestEveryFileStepFailsWithSealedTexts(t *testing.T) {
	auditor, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	key := auditor.Recipient().String()
	clean := &durabletest.Faulty{FS: durabletest.NewMemory()}
	if r, err := session(clean, key); err != nil || len(r.refused) > 0 {
		t.Fatalf("without a fault: %v, refused %v", err, r.refused)
	}
	for at := int64(1); at <= clean.Steps(); at += stride(5) {
		for _, how := range []durabletest.Fault{durabletest.NotPersisted, durabletest.Persisted} {
			mem := durabletest.NewMemory()
			f := &durabletest.Faulty{FS: mem, At: at, How: how}
			r, _ := session(f, key)
			for _, loss := range durabletest.Losses() {
				what := fmt.Sprintf("step %d %v %v, crash %d", at, f.Named.Load(), how, loss)
				after := mem.Crash(loss)
				restart(t, what, after)
				checkKept(t, what, after, r)
			}
			what := fmt.Sprintf("step %d %v %v", at, f.Named.Load(), how)
			after := mem.Restart() // what was left of a refused text is nobody's edit
			restart(t, what, after)
			checkKept(t, what, after, r)
		}
	}
}
