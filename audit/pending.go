package audit

import "context"

// pending is a record that a caller waits for.
type pending struct {
	event   Event
	session SessionID
	body    []byte // what follows the head of its line, without the last brace
	words   bool   // its exact bytes go to sealed/
	sealed  *sealedRef
	receipt Receipt
	staged  Receipt // becomes the receipt when the commit succeeds
}

// request is one call of Append.
type request struct {
	ctx     context.Context
	records []pending
	scope   Scope
	err     error
	done    chan struct{}
}

// left says how many records are not durable yet.
func (r *request) left() (n int) {
	for i := range r.records {
		if !r.records[i].receipt.Valid() {
			n++
		}
	}
	return n
}

// encode makes the body of the record: everything but what depends on its
// place in a log.
func (p *pending) encode(sc *Scope, key *digestKey, actor []byte) error {
	if x, ok := p.event.(interface{ exacts() []Exact }); ok {
		for _, e := range x.exacts() {
			e.resolve(key)
			p.words = p.words || !e.IsZero()
		}
	}
	p.event, p.session = proper(p.event), sc.session
	b, err := p.envelope(p.body[:0], sc, actor)
	if err != nil {
		return err
	}
	start := len(b)
	if b, err = appendJSON(b, p.event); err != nil {
		return err
	}
	if len(b) > maxRecord-envelope {
		return p.shorten(b[:start], key)
	}
	p.body = b
	return nil
}

func (p *pending) envelope(b []byte, sc *Scope, actor []byte) ([]byte, error) {
	if sc.invalid != nil {
		return nil, sc.invalid
	}
	if sc.session != "" {
		if err := sc.session.check(string(sc.session)); err != nil {
			return nil, err
		}
		b = appendQuoted(append(b, `,"session":`...), string(sc.session))
	}
	b = append(append(append(b, `,"event":"`...), p.event.Kind()...), '"')
	b = append(append(b, `,"actor":`...), actor...)
	if sc.target != nil {
		b = append(append(b, `,"target":`...), sc.target...)
	}
	if sc.trace != "" {
		b = appendQuoted(append(b, `,"trace":`...), string(sc.trace))
	}
	return append(b, `,"data":`...), nil
}

func (p *pending) shorten(head []byte, key *digestKey) error {
	short, cuts, err := shorten(p.event, maxRecord-envelope-len(head)-4096, key)
	if err != nil {
		return err
	}
	b, err := appendJSON(head, short)
	p.body = appendCuts(b, cuts)
	return err
}

// proper enforces what must not be left to callers.
func proper(ev Event) Event {
	if o, ok := ev.(outcome); ok && o.OutputDigest.Keyed() && o.OutputBytes != nil {
		o.OutputBytes = nil
		return o
	}
	return ev
}
