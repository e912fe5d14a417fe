package audit

import "sallyport/redact"

// Exact texts are on disk before the record that names them. Where they cannot
// be written, what has such a text is refused as if the log itself could not
// be, and the writer looks every second whether they can be again. Under broken
// glass they are not kept: the second sink holds the digest and what the
// redactor left.

// sealWords puts the exact bytes of the request's records into sealed/.
func (w *writer) sealWords(r *request) error {
	if w.vault == nil || w.glass != nil || !w.needsSealing(r) {
		return nil
	}
	err := w.sealAll(r)
	if err == nil {
		err = w.vault.sync()
	}
	if err != nil {
		for i := range r.records {
			r.records[i].sealed = nil
		}
		return w.failSealing(err)
	}
	w.unsealed = nil
	return nil
}

// sealedAs is whose file the record's exact bytes go to.
func (w *writer) sealedAs(p *pending) string {
	if p.session == "" {
		return string(w.cur.id)
	}
	return string(p.session)
}

// unsealedYet says that the record needs an entry, or another than it has: one of no
// session stands in its log's file, and its log may have ended meanwhile.
func (w *writer) unsealedYet(p *pending) bool {
	return p.words && !p.receipt.Valid() && (p.sealed == nil || p.sealed.name != w.sealedAs(p))
}

func (w *writer) needsSealing(r *request) bool {
	for i := range r.records {
		if w.unsealedYet(&r.records[i]) {
			return true
		}
	}
	return false
}

func (w *writer) sealAll(r *request) (err error) {
	for i := range r.records {
		p := &r.records[i]
		if !w.unsealedYet(p) {
			continue
		}
		if p.sealed, err = w.vault.seal(w.sealedAs(p), p); err != nil {
			return err
		}
	}
	return nil
}

// stageUnsealed stages that an exact text could not be kept: what is left of it in
// sealed/ is named by no record.
func (w *writer) stageUnsealed(batch []*request, r *request) error {
	p := pending{event: SessionError[redact.Text]{
		Step: redact.Literal(StepSealed), Reason: redact.Literal("the exact text could not be kept, and the record of it is refused"),
	}}
	if err := p.encode(&r.scope, w.log.key, r.scope.who()); err != nil {
		w.cfg.warn(err.Error())
		return nil
	}
	if !w.cur.room(len(p.body)) {
		if err := w.turnOver(batch, ClosedSize); err != nil {
			return err
		}
	}
	w.put(&p)
	return nil
}

// failSealing notes why nothing can be sealed now.
func (w *writer) failSealing(err error) *Unwritable {
	if w.unsealed == nil && w.refusing == nil {
		w.since = w.cfg.Now()
	}
	w.unsealed = w.unwritable(err)
	return w.unsealed
}

// trySealing looks whether texts can be sealed again.
func (w *writer) trySealing() {
	if w.unsealed == nil {
		return
	}
	if err := w.vault.probe(); err != nil {
		w.failSealing(err)
		return
	}
	w.unsealed = nil
}
