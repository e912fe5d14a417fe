package gate

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"math/big"
	"sync/atomic"

	"sallyport/audit"
	"sallyport/policy"
)

var lastQuestion atomic.Uint64

// consent asks the operator, if the effect wants it, and judges again after
// the answer.
func (u *submission) consent(ctx context.Context) *Refusal {
	if u.decision.Effect == policy.Permit {
		return nil
	}
	u.slot.asking.Lock()
	defer u.slot.asking.Unlock()
	ans, ref := u.ask(ctx)
	u.passage.Answered = u.gate.now()
	if ref != nil {
		return ref
	}
	u.consents = audit.Consent{
		How: consentHow(u.decision.Effect), TextMatched: u.question.Phrase != "" && ans.Typed == u.question.Phrase,
		ShownAt: u.question.ShownAt, AnsweredAt: u.gate.now(),
	}
	switch {
	case !ans.Send:
		return &Refusal{By: ByOperator, Decision: u.decision, Reason: "answered with no", Remedy: "the line is still there to edit"}
	case u.question.Phrase != "" && ans.Typed != u.question.Phrase:
		return &Refusal{By: ByOperator, Decision: u.decision, Reason: "what was typed is not the phrase", Remedy: "press Enter again for a new question"}
	}
	return u.again()
}

// ask puts the question, and takes it back when the epoch ends meanwhile.
func (u *submission) ask(ctx context.Context) (Answer, *Refusal) {
	if u.slot.cfg.Asker == nil {
		return Answer{}, &Refusal{By: ByGate, Decision: u.decision, Reason: "it needs a person's consent and nobody can be asked", Remedy: "send it from a console"}
	}
	u.question = u.newQuestion()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go u.watch(ctx, cancel)
	ans, err := u.slot.cfg.Asker.Ask(ctx, u.question)
	switch {
	case errors.Is(context.Cause(ctx), errEpoch) || u.stale():
		return Answer{}, changed("the prompt changed while the question was open")
	case err != nil:
		return Answer{}, &Refusal{By: ByOperator, Decision: u.decision, Reason: "the question was not answered", Remedy: "press Enter again", Err: err}
	}
	return ans, nil
}

var errEpoch = errors.New("the epoch ended")

func (u *submission) watch(ctx context.Context, cancel context.CancelCauseFunc) {
	select {
	case <-u.void:
		cancel(errEpoch)
	case <-ctx.Done():
	}
}

func (u *submission) stale() bool {
	u.slot.mu.Lock()
	defer u.slot.mu.Unlock()
	return u.slot.epoch != u.epoch
}

// again decides with the time of the answer. Whatever differs from what was
// consented to voids it.
func (u *submission) again() *Refusal {
	before, digest := u.decision, u.digest
	u.decide(u.gate.now())
	switch {
	case u.decision.Effect >= policy.Second:
		return u.denied()
	case digest != u.digest:
		return changed("the policy changed while the question was open")
	case u.decision.Effect != before.Effect || u.decision.Risk != before.Risk:
		return changed("the policy answers differently by now")
	}
	return nil
}

func (u *submission) newQuestion() Question {
	q := Question{
		ID: lastQuestion.Add(1), Session: u.slot.cfg.Session, Kind: u.req.Kind, Origin: u.req.Origin,
		Text: u.req.Text, Dialect: u.req.Dialect, Cwd: u.req.Cwd, Suggestion: u.req.Suggestion,
		Edited: u.req.edited(), Evidence: u.req.Evidence, Program: u.req.Program, Targets: u.targets,
		Decision: u.decision, ShownAt: u.gate.now(),
	}
	if n := len(u.targets); n > 0 {
		q.Target = u.targets[n-1]
	}
	if u.decision.Effect == policy.Typed {
		q.Phrase = targetName(q.Target) + " " + u.gate.digits()
	}
	q.Binding = u.binding()
	return q
}

// targetName is what a person calls the innermost target.
func targetName(t policy.Target) string {
	for _, n := range []string{t.Container, t.Asked, t.HostName, t.Address, t.Account} {
		if n != "" {
			return n
		}
	}
	return "send"
}

func (g *Gate) digits() string {
	if g.Digits != nil {
		return g.Digits()
	}
	n, err := rand.Int(rand.Reader, big.NewInt(100))
	if err != nil {
		panic(err) // crypto/rand does not fail
	}
	return fmt.Sprintf("%02d", n)
}

func consentHow(e policy.Effect) audit.ConsentHow {
	switch e {
	case policy.Confirm:
		return audit.ConsentConfirm
	case policy.Typed:
		return audit.ConsentTyped
	}
	return audit.ConsentSend
}

// binding is the SHA-256 of everything that a consent is about, each part with
// its length before it.
func (u *submission) binding() (sum [32]byte) {
	h := sha256.New()
	part(h, u.req.Text)
	part(h, u.req.Kind.String())
	part(h, u.req.Dialect.String())
	for _, t := range u.targets {
		part(h, fmt.Sprintf("%q", []string{t.Asked, t.HostName, t.Address, t.Account, t.Fingerprint, t.Container, fmt.Sprint(t.Port, t.Verified)}))
	}
	part(h, string(u.req.Origin))
	part(h, u.decision.Claimed.String())
	part(h, fmt.Sprint(u.epoch, u.state.Prompt))
	part(h, string(u.digest[:]))
	h.Sum(sum[:0])
	return sum
}

func part(h hash.Hash, s string) {
	h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(s))))
	h.Write([]byte(s))
}
