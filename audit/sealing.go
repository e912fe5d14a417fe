package audit

// Exact texts are on disk before the record that names them. Where they cannot
// be written, what has such a text is refused as if the log itself could not
// be, and the writer looks every second whether they can be again. Under broken
// glass they are not kept: the second sink holds the digest and what the
// redactor left.

// sealWords puts the exact bytes of the request's records into sealed/.
func (w *writer) sealWords(r *request) error {
	if w.vault == nil || w.glass != nil || !needsSealing(r) {
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

func needsSealing(r *request) bool {
	for i := range r.records {
		if r.records[i].words && r.records[i].sealed == nil {
			return true
		}
	}
	return false
}

func (w *writer) sealAll(r *request) (err error) {
	for i := range r.records {
		p := &r.records[i]
		if !p.words || p.sealed != nil {
			continue
		}
		name := string(p.session)
		if name == "" {
			name = string(w.cur.id)
		}
		if p.sealed, err = w.vault.seal(name, p); err != nil {
			return err
		}
	}
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
