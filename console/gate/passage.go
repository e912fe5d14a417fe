package gate

import (
	"errors"
	"time"

	"sallyport/policy"
)

// Passage is how one submission went, for who measures it. It holds nothing
// of what was submitted.
type Passage struct {
	Session string
	Kind    Kind
	Origin  policy.Origin
	Risk    policy.Risk
	Effect  policy.Effect
	By      Refused // who refused it; empty: it was cleared

	// When each step ended; zero where it did not come so far.
	Began, Judged, Answered, Recorded, Ended time.Time
}

// Asked is how long the operator's question stood.
func (p Passage) Asked() time.Duration {
	if p.Answered.IsZero() {
		return 0
	}
	return p.Answered.Sub(p.Judged)
}

// Recording is how long it took until the intent was durable.
func (p Passage) Recording() time.Duration {
	switch {
	case p.Recorded.IsZero():
		return 0
	case p.Answered.IsZero():
		return p.Recorded.Sub(p.Judged)
	}
	return p.Recorded.Sub(p.Answered)
}

// passed tells of a submission that has ended.
func (u *submission) passed(err error) {
	if u.gate.Passed == nil {
		return
	}
	p := u.passage
	p.Session, p.Kind, p.Origin = u.slot.cfg.Session, u.req.Kind, u.req.Origin
	p.Risk, p.Effect, p.Ended = u.decision.Risk, u.decision.Effect, u.gate.now()
	var ref *Refusal
	if errors.As(err, &ref) {
		p.By = ref.By
	}
	u.gate.Passed(p)
}
