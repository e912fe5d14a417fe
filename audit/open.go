package audit

import (
	"cmp"
	"fmt"
	"os"
	"slices"

	"sallyport/audit/auditors"
	"sallyport/audit/durable"
	"sallyport/audit/layout"
	"sallyport/redact"
)

// begin surveys the folder, takes over what is left behind there, and opens
// the writer's first log.
func (w *writer) begin() error {
	fixed, err := w.cfg.FS.Folder(w.cfg.Dir, layout.Written)
	if err != nil {
		return err
	}
	if fixed != "" {
		w.cfg.warn(fixed)
	}
	if err := w.makeVault(); err != nil {
		return err
	}
	left, err := survey(w.cfg, w.log.key)
	if err != nil {
		return err
	}
	defer left.release()
	w.prev = left.previous
	if err := w.openWith(left); err != nil {
		return err
	}
	w.reserve()
	return nil
}

func (w *writer) makeVault() error {
	to, err := auditors.Parse(w.cfg.Recipients)
	if err != nil || len(to) == 0 {
		return err
	}
	w.vault = newVault(w.cfg, to, w.log.key.id)
	return w.vault.probe()
}

// openNext opens the successor of a log of this writer.
func (w *writer) openNext() error {
	left := &leftovers{previous: w.prev}
	if w.dying != nil {
		left.dead = []dead{{found: w.dying.found(w.cfg.FS, w.cfg.Dir, w.log.key)}}
	}
	if err := w.openWith(left); err != nil {
		return err
	}
	if w.dying != nil {
		w.dying.file.Close()
		w.dying = nil
	}
	if !w.low {
		w.reserve()
	}
	return nil
}

// openWith makes a log, writes its log.open and what there is to say about
// earlier ones, and reads it back. It is the start-up probe of the folder:
// each step that a record needs is tried here.
func (w *writer) openWith(left *leftovers) (err error) {
	s, err := createSegment(w.cfg)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			s.discard()
		}
	}()
	if err := w.stageOpen(s, left); err != nil {
		return err
	}
	first := slices.Clone(s.staged)
	if err := s.commit(); err != nil {
		return err
	}
	if err := w.cfg.FS.SyncDir(w.cfg.Dir); err != nil {
		return err
	}
	if err := s.readBack(first); err != nil {
		return err
	}
	w.cur = s
	return nil
}

// stageOpen stages log.open, a log.recovered for each dead log, and an
// outcome for each of their orphaned intents.
func (w *writer) stageOpen(s *segment, left *leftovers) error {
	open, err := w.logOpen(s, left)
	if err != nil {
		return err
	}
	s.stage(w.log.ownBody(open), nil)
	for _, d := range left.dead {
		s.stage(w.log.ownBody(d.found), nil)
	}
	for _, d := range left.dead {
		for _, ref := range d.orphans {
			s.stage(w.unobserved(ref), nil)
		}
	}
	return nil
}

func (w *writer) unobserved(ref IntentRef) []byte {
	p := pending{event: outcome{Intent: ref.Seq, IntentLog: ref.Log, Status: Unobserved}}
	if err := p.encode(&Scope{session: ref.Session}, w.log.key, w.log.actor); err != nil {
		panic("audit: outcome of an orphan: " + err.Error())
	}
	return p.body
}

// maxPending bounds the list in log.open.
const maxPending = 512

func (w *writer) logOpen(s *segment, left *leftovers) (o LogOpen[redact.Text], err error) {
	o = LogOpen[redact.Text]{
		Format: 1, Version: w.cfg.Version, Host: w.cfg.Host, PID: os.Getpid(),
		Limits: Limits{
			Bytes: w.cfg.MaxBytes, AgeSeconds: int64(w.cfg.MaxAge.Seconds()),
			CheckpointEvery: w.cfg.CheckpointEvery, HeartbeatS: int64(w.cfg.Heartbeat.Seconds()),
		},
		Previous: left.previous, Others: left.others, Pending: w.pendingIntents(),
		Anchor: AnchorNone, Key: PublicKey(s.epochs.Public()), DigestKey: w.log.key.id,
	}
	if k := w.cfg.HostKey; !k.IsZero() {
		o.Anchor, o.HostKey = AnchorHost, PublicKey(k.Public())
		o.HostSig = k.Anchor(string(s.id), s.epochs.Public())
	}
	if w.vault == nil {
		return o, nil
	}
	for _, r := range w.cfg.Recipients {
		id, err := redact.ID(r)
		if err != nil {
			return o, fmt.Errorf("recipient: %w", err)
		}
		o.Recipients = append(o.Recipients, id)
	}
	o.SealedKey, err = w.vault.to.Encrypt(w.log.key.key)
	return o, err
}

func (w *writer) pendingIntents() (refs []IntentRef) {
	for ref := range w.open {
		refs = append(refs, ref)
	}
	slices.SortFunc(refs, func(a, b IntentRef) int {
		return cmp.Or(cmp.Compare(a.Log, b.Log), cmp.Compare(a.Seq, b.Seq))
	})
	return refs[max(0, len(refs)-maxPending):]
}

// discard gives up a log that never came to be: nothing in it was
// acknowledged.
func (s *segment) discard() {
	s.epochs.Wipe()
	if err := s.cfg.FS.Remove(s.path); err != nil {
		s.cfg.warn(err.Error())
	}
	s.file.Close()
}

// found says what a log of this writer holds that was ended by a failure:
// what it acknowledged, and how much more is there.
func (d *dying) found(fs durable.FS, dir string, key *digestKey) LogRecovered[redact.Text] {
	r := LogRecovered[redact.Text]{Found: d.link, Damage: DamageNone, Own: true}
	n, err := d.file.Size()
	switch {
	case err != nil || n < d.link.Size:
		r.Damage, r.Detail = DamageShorter, redact.Literal("the file is shorter than what was acknowledged, or cannot be read")
	case n > d.link.Size:
		r.Damage, r.TornBytes = DamageTorn, n-d.link.Size
		tail := make([]byte, min(r.TornBytes, maxTail))
		if _, err := d.file.ReadAt(tail, d.link.Size); err == nil {
			r.TornDigest = key.digest(tail, 1)
		}
	}
	return r
}

// maxTail bounds what is read of a torn tail to digest it.
const maxTail = 4 << 20
