package audit

import (
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"

	"sallyport/audit/durable"
	"sallyport/audit/layout"
	"sallyport/redact"
)

// Reserve is what a writer keeps free beside its log, for outcomes,
// checkpoint and close when the disk is full.
const Reserve = 4 << 20

// retryEvery is how often a writer without a log tries to open one.
const retryEvery = time.Second

// writer is the one goroutine that writes. It alone touches its fields.
type writer struct {
	log   *Log
	cfg   *Config
	cur   *segment // nil: no log could be opened
	prev  *Link    // the log before cur, or the last that there was
	dying *dying   // prev, when it was ended by a failure and no successor says so yet
	vault *vault   // nil: no recipients
	glass *pane    // cur is in the second sink, not in a file
	owed  []*pane  // what the second sink holds and the folder does not

	open       map[IntentRef]bool // intents without outcome
	reserved   durable.File       // the reserve; nil when it is spent or could not be had
	reservedAt string
	low        bool // the disk is full: what is left is for how things ended
	refusing   *Unwritable
	unsealed   *Unwritable // why exact texts cannot be sealed; what has some is refused
	since      time.Time
	retryAt    time.Time
	lastSync   time.Duration
}

// Unwritable says that a record could not be made durable, so that nothing
// may be sent.
type Unwritable struct {
	Path        string
	Free, Total int64 // bytes on that file system; Total is 0 where it cannot be told
	Err         error
}

// Error is Why, and says what of.
func (e *Unwritable) Error() string { return "log not writable: " + e.Why() }

// Why is what stands in the way.
func (e *Unwritable) Why() string {
	if e.Total == 0 {
		return e.Err.Error()
	}
	if errors.Is(e.Err, unix.ENOSPC) {
		return fmt.Sprintf("no space on %s (%s free of %s)", e.Path, size(e.Free), size(e.Total))
	}
	return fmt.Sprintf("%v (%s: %s free of %s)", e.Err, e.Path, size(e.Free), size(e.Total))
}

// Unwrap is what the file system said.
func (e *Unwritable) Unwrap() error { return e.Err }

func size(n int64) string {
	units := []string{"B", "KiB", "MiB", "GiB", "TiB", "PiB"}
	i := 0
	for ; n >= 10<<10 && i < len(units)-1; i++ {
		n >>= 10
	}
	return fmt.Sprintf("%d %s", n, units[i])
}

func (w *writer) unwritable(err error) *Unwritable {
	u := &Unwritable{Path: w.cfg.Dir, Err: err}
	if free, total, err := w.cfg.FS.Space(w.cfg.Dir); err == nil {
		u.Free, u.Total = free, total
	}
	return u
}

// serve makes the records of the batch durable, or refuses them. What a
// failed commit left unacknowledged goes into a new log, once.
func (w *writer) serve(batch []*request) {
	w.revive()
	for range 2 {
		if w.cur == nil {
			break
		}
		w.refuseBefore(batch)
		err := w.write(batch)
		if err == nil {
			break
		}
		unstage(batch)
		w.lose(err)
	}
	w.publish() // before anybody acts on the answer
	w.answer(batch)
}

// revive tries for a new log where there is none.
func (w *writer) revive() {
	if w.cur == nil && !w.cfg.Now().Before(w.retryAt) {
		w.reopen()
	}
}

// refuseBefore refuses, while the disk is full, what would leave for a host.
func (w *writer) refuseBefore(batch []*request) {
	if !w.low || w.glass != nil {
		return
	}
	for _, r := range batch {
		for i := range r.records {
			if r.err == nil && before(r.records[i].event) {
				r.err = w.unwritable(unix.ENOSPC)
			}
		}
	}
}

// write stages and commits every record of the batch that is not durable yet.
func (w *writer) write(batch []*request) error {
	for _, r := range batch {
		if r.err != nil || r.left() == 0 {
			continue
		}
		if r.err = r.ctx.Err(); r.err != nil {
			continue
		}
		if r.err = w.sealWords(r); r.err != nil {
			if err := w.stageUnsealed(batch, r); err != nil {
				return err
			}
			continue
		}
		if err := w.stage(batch, r); err != nil {
			return err
		}
	}
	return w.commit(batch)
}

func (w *writer) stage(batch []*request, r *request) error {
	for i := range r.records {
		p := &r.records[i]
		if p.receipt.Valid() {
			continue
		}
		if !w.cur.room(len(p.body)) {
			if err := w.turnOver(batch, ClosedSize); err != nil {
				return err
			}
			if r.err = w.sealWords(r); r.err != nil {
				return w.stageUnsealed(batch, r)
			}
		}
		if err := w.refer(p, &r.scope); err != nil {
			r.err = err
			return nil
		}
		w.put(p)
	}
	return nil
}

// put stages one record and the checkpoint that is due after it.
func (w *writer) put(p *pending) {
	seq, leaf := w.cur.stage(p.body, p.sealed)
	p.staged = Receipt{log: w.cur.id, seq: seq, leaf: leaf}
	w.cur.used = true
	switch {
	case p.event.Kind() == KindSessionDisconnected:
		w.checkpoint(AtSessionEnd)
	case w.cur.sinceCheckpoint >= w.cfg.CheckpointEvery:
		w.checkpoint(AtCount)
	}
}

// unstage forgets what a failed commit had staged.
func unstage(batch []*request) {
	for _, r := range batch {
		for i := range r.records {
			r.records[i].staged = Receipt{}
		}
	}
}

// refer completes an outcome whose intent stands in an earlier log.
func (w *writer) refer(p *pending, sc *Scope) error {
	o, ok := p.event.(outcome)
	if !ok || o.IntentLog != "" || w.open[IntentRef{w.cur.id, o.Intent, p.session}] {
		return nil
	}
	for ref := range w.open {
		if ref.Seq == o.Intent && ref.Session == p.session && ref.Log != w.cur.id {
			o.IntentLog = ref.Log
			p.event = o
			return p.encode(sc, w.log.key, sc.who())
		}
	}
	return nil
}

// commit makes what is staged durable and acknowledges it.
func (w *writer) commit(batch []*request) error {
	began := time.Now()
	if err := w.cur.commit(); err != nil {
		return err
	}
	w.lastSync = time.Since(began)
	if w.cfg.Synced != nil {
		w.cfg.Synced(w.lastSync)
	}
	for _, r := range batch {
		for i := range r.records {
			w.acknowledge(&r.records[i])
		}
	}
	return nil
}

func (w *writer) acknowledge(p *pending) {
	if !p.staged.Valid() {
		return
	}
	p.receipt, p.staged = p.staged, Receipt{}
	switch e := p.event.(type) {
	case intent:
		w.open[IntentRef{p.receipt.log, p.receipt.seq, p.session}] = true
	case outcome:
		if !e.Status.final() {
			return
		}
		log := e.IntentLog
		if log == "" {
			log = p.receipt.log
		}
		delete(w.open, IntentRef{log, e.Intent, p.session})
	}
}

// answer tells every caller how its records fared.
func (w *writer) answer(batch []*request) {
	for _, r := range batch {
		if r.err == nil && r.left() > 0 {
			r.err = w.refusing
			if w.refusing == nil {
				r.err = w.unwritable(errors.New("two logs failed in a row"))
			}
		}
		r.done <- struct{}{}
	}
}

// checkpoint stages a checkpoint and the key that signs the next one.
func (w *writer) checkpoint(why CheckpointReason) {
	s := w.cur
	cp := Checkpoint[redact.Text]{Reason: why, Epoch: s.epochs.Epoch(), Cursor: w.log.cursor.Load()}
	if err := s.stageCheckpoint(w.log.ownBody(cp)); err != nil {
		w.cfg.warn(err.Error())
		return
	}
	s.sinceCheckpoint, s.lastCheckpoint = 0, w.cfg.Now()
	if why == AtClose {
		s.epochs.Wipe()
		return
	}
	pub, sig, err := s.epochs.Rotate()
	if err != nil {
		w.cfg.warn(err.Error())
		return
	}
	s.stage(w.log.ownBody(KeyRotate[redact.Text]{Epoch: s.epochs.Epoch(), Key: PublicKey(pub), Sig: sig}), nil)
	s.sinceCheckpoint = 0
}

// turnOver closes the log and opens its successor; what is staged becomes
// durable with the close.
func (w *writer) turnOver(batch []*request, why CloseReason) error {
	w.sealOff(why)
	if err := w.commit(batch); err != nil {
		return err
	}
	w.leave()
	return w.openNext()
}

// sealOff stages the end of the log.
func (w *writer) sealOff(why CloseReason) {
	w.cur.stage(w.log.ownBody(LogClose[redact.Text]{Reason: why, Records: w.cur.next.Tree.Size()}), nil)
	w.checkpoint(AtClose)
}

// leave ends the current log's file.
func (w *writer) leave() {
	w.prev = w.cur.link()
	w.cur.release()
	w.cur = nil
}

// dying is a log that was ended by a failure. Its lock is kept until a
// successor names it, so that nobody else takes its intents for orphans.
type dying struct {
	link Link
	file durable.File
}

// lose ends a log whose write or sync failed, and tries for a successor.
func (w *writer) lose(err error) {
	if w.cur != nil {
		w.cfg.warn(fmt.Sprintf("the log %s is ended: %v", w.cur.path, err))
		w.prev = w.cur.link()
		w.dying = &dying{*w.prev, w.cur.file}
		w.cur.epochs.Wipe()
		w.cur = nil
		if w.glass != nil {
			w.shatter()
		}
	}
	w.fail(err)
	if errors.Is(err, unix.ENOSPC) || errors.Is(err, unix.EDQUOT) {
		w.spend()
	}
	w.reopen()
}

// fail notes why nothing can be written now.
func (w *writer) fail(err error) {
	if w.refusing == nil {
		w.since = w.cfg.Now()
	}
	w.refusing = w.unwritable(err)
}

// reopen opens a log, or notes when to try again.
func (w *writer) reopen() {
	if err := w.openNext(); err != nil {
		w.fail(err)
		w.retryAt = w.cfg.Now().Add(retryEvery)
		return
	}
	w.refusing = nil
	if w.low {
		w.fail(unix.ENOSPC)
	}
}

// spend gives the reserve back to the disk.
func (w *writer) spend() {
	w.low = true
	if w.reserved == nil {
		return
	}
	err := w.cfg.FS.Release(w.reservedAt)
	w.reserved.Close()
	w.reserved = nil
	if err != nil {
		w.cfg.warn(err.Error())
	}
}

// reserve takes the reserve (again); the disk is not full any more if that
// works.
func (w *writer) reserve() {
	if w.reserved != nil || w.cur == nil || w.glass != nil {
		return
	}
	path := filepath.Join(w.cfg.Dir, string(w.cur.name)+layout.Reserve)
	file, err := w.cfg.FS.Reserve(path, Reserve)
	if err != nil {
		if !w.low {
			w.cfg.warn(fmt.Sprintf("no reserve beside the log: %v", err))
		}
		w.low = w.low && !w.roomy()
		return
	}
	w.reserved, w.reservedAt, w.low = file, path, false
}

// roomy says that there is space again where the disk is too small for a
// reserve at all.
func (w *writer) roomy() bool {
	free, total, err := w.cfg.FS.Space(w.cfg.Dir)
	return err == nil && total < 4*Reserve && free > total/8
}

// tick does what time demands and says when to come again.
func (w *writer) tick() time.Duration {
	w.revive()
	w.mendGlass()
	if w.cur != nil && w.low && w.glass == nil {
		w.reserve()
		if !w.low {
			w.refusing = nil
		}
	}
	w.trySealing()
	if !w.hurt() {
		w.bring()
	}
	if err := w.beat(); err != nil {
		w.lose(err)
	}
	w.publish()
	if w.hurt() || len(w.owed) > 0 {
		return retryEvery
	}
	return max(w.cfg.Heartbeat-w.cfg.Now().Sub(w.cur.lastCheckpoint), time.Millisecond)
}

// hurt says that the writer waits for something to come back.
func (w *writer) hurt() bool {
	return w.cur == nil || w.low || w.glass != nil || w.unsealed != nil
}

// beat writes the checkpoint that is due after some time, and closes a log
// that is old enough.
func (w *writer) beat() error {
	if w.cur == nil {
		return nil
	}
	now := w.cfg.Now()
	if now.Sub(w.cur.opened) >= w.cfg.MaxAge {
		return w.turnOver(nil, ClosedAge)
	}
	if now.Sub(w.cur.lastCheckpoint) < w.cfg.Heartbeat {
		return nil
	}
	if !w.cur.room(closing) {
		return w.turnOver(nil, ClosedSize)
	}
	w.checkpoint(AtTime)
	w.cur.used = true
	return w.commit(nil)
}

// close ends the last log.
func (w *writer) close() error {
	defer w.drop()
	if w.cur == nil {
		return w.unwritable(errors.New("there is no log to close"))
	}
	w.sealOff(ClosedDone)
	if err := w.commit(nil); err != nil {
		return w.unwritable(err)
	}
	w.leave()
	w.publish()
	return nil
}

// drop gives up what is beside the log.
func (w *writer) drop() {
	if w.cur != nil {
		w.leave()
	}
	if w.vault != nil {
		w.vault.close()
	}
	if w.reserved != nil {
		w.cfg.FS.Release(w.reservedAt)
		w.reserved.Close()
	}
}
