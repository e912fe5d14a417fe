package verify

import (
	"bytes"
	"crypto/ed25519"
	"fmt"
	"time"

	"sallyport/audit"
	"sallyport/audit/durable"
	"sallyport/audit/seal"
)

// judge finds the verdict on one log, once.
func (v *verifier) judge(log *logFile) {
	if log.state != untouched {
		return
	}
	log.state = judging
	log.result = Result{File: log.path}
	err := log.err
	if err == nil {
		err = v.verify(log)
	}
	if err != nil {
		log.result.Verdict, log.result.Detail = Unreadable, err.Error()
	}
	log.state = judged
}

// verify reads the log and decides.
func (v *verifier) verify(log *logFile) error {
	live, err := v.FS.Held(log.path)
	if err != nil {
		return err
	}
	ends := v.ends(log.name)
	f, err := v.FS.Open(log.path)
	if err != nil {
		return err
	}
	defer f.Close()
	s := &scan{marked: v.marks(log)}
	s.limit, s.limited = ownEnd(ends)
	if err := s.read(f); err != nil {
		return err
	}
	v.heard = append(v.heard, heard{log, s})
	for _, r := range v.checkBeside(log.path, s.pieces) {
		if !v.isSpoiled(r.File) { // another log may name it too
			v.spoiled = append(v.spoiled, r)
		}
	}
	s.describe(&log.result)
	p, err := v.decide(log, ends, s, f, live)
	if err != nil {
		return err
	}
	p.judge(&log.result)
	v.take(log, s)
	return nil
}

// take keeps what the middle of a log says of others, if it is to be believed.
func (v *verifier) take(log *logFile, s *scan) {
	log.state = judged
	if !v.believed(log) {
		return
	}
	v.pruned = append(v.pruned, s.pruned...)
	for _, r := range s.receipts {
		v.receipts = append(v.receipts, statement{Link: r.Found, by: log, recovered: r})
	}
}

func (s *scan) describe(r *Result) {
	r.Log, r.Records, r.Unsealed = s.log, s.chain.Tree.Size(), s.unsealed()
	r.Anchor, r.HostKey, r.Root = s.open.Anchor, s.open.HostKey, audit.Hash(s.chain.Tree.Root())
}

// marks are the sizes of which something is said.
func (v *verifier) marks(log *logFile) map[uint64]state {
	m := map[uint64]state{}
	for _, s := range v.statements[log.name] {
		m[s.Records] = state{}
	}
	for _, c := range v.against {
		if c.Origin == string(log.id) {
			m[c.Size] = state{}
		}
	}
	return m
}

// ownEnd is how many records the writer itself acknowledged before it had to
// end the log.
func ownEnd(ends []statement) (uint64, bool) {
	for _, s := range ends {
		if s.recovered.Own {
			return s.Records, true
		}
	}
	return 0, false
}

// decide takes the gravest of what is to be said.
func (v *verifier) decide(log *logFile, ends []statement, s *scan, f durable.File, live bool) (*problem, error) {
	if s.problem != nil {
		return explain(s, f)
	}
	for _, check := range []func() *problem{
		func() *problem { return unfit(s, f) },
		func() *problem { return v.compareSaid(log.name, s) },
		func() *problem { return v.compareOutside(s) },
		func() *problem { return v.anchored(s) },
		func() *problem { return v.ending(ends, s, live) },
	} {
		if p := check(); p != nil {
			return p, nil
		}
	}
	return v.fine(s), nil
}

// explain turns the first thing that is wrong into what was done.
func explain(s *scan, f durable.File) (*problem, error) {
	if s.problem == broken {
		return diagnose(f, s.log)
	}
	if s.problem.verdict == BadSignature {
		return signer(f, s.log, s.problem)
	}
	return s.problem, nil
}

// compareSaid holds the log against what other logs say of it.
func (v *verifier) compareSaid(n audit.Name, s *scan) *problem {
	for _, said := range v.statements[n] {
		have, there := s.marked[said.Records]
		switch {
		case said.Records > s.chain.Tree.Size():
			return at(Missing, s.chain.Tree.Size(), "%s saw %d records, %d are there", said.by.name, said.Records, s.chain.Tree.Size())
		case !there || have.root != said.Root || have.last != said.Last || have.size != said.Size:
			return overall(Forked, "%s saw another log of %d records under this name", said.by.name, said.Records)
		}
	}
	return nil
}

// compareOutside holds the log against checkpoints that left the machine.
func (v *verifier) compareOutside(s *scan) *problem {
	for i, c := range v.against {
		if c.Origin != string(s.log) {
			continue
		}
		switch have := s.marked[c.Size]; {
		case c.Size > s.chain.Tree.Size():
			return at(Missing, s.chain.Tree.Size(), "the checkpoint from outside saw %d records, %d are there", c.Size, s.chain.Tree.Size())
		case !s.signed(v.Against[i]):
			return overall(Forked, "no key of this log signed the checkpoint from outside")
		case seal.Hash(have.root) != c.Root:
			return overall(Forked, "the checkpoint from outside saw other records: %d with root %s", c.Size, audit.Hash(c.Root))
		}
	}
	return nil
}

func (s *scan) signed(note string) bool {
	for _, k := range append(s.earlier, s.key) {
		if _, err := seal.OpenCheckpoint(note, string(s.log), k); err == nil {
			return true
		}
	}
	return false
}

// anchored demands the trusted host key.
func (v *verifier) anchored(s *scan) *problem {
	switch {
	case v.Trust == nil || s.log == "":
		return nil
	case s.open.Anchor != audit.AnchorHost:
		return overall(BadSignature, "the log is unanchored: no host key signed its first key")
	case !bytes.Equal(v.Trust, s.open.HostKey):
		return overall(BadSignature, "another host key than the trusted one signed its first key")
	}
	return nil
}

// ending looks at how the log ends.
func (v *verifier) ending(ends []statement, s *scan, live bool) *problem {
	if live {
		return late(s, s.sealedTime, v.Now(), "its writer lives and is silent")
	}
	if len(ends) > 0 {
		return spokenOf(ends, s)
	}
	switch {
	case s.tail > 0:
		return at(TornTail, s.chain.Tree.Size(), "%d bytes follow the last complete record", s.tail)
	case !s.closed:
		return overall(Unclosed, "no log.close, no writer, and no other log says what became of it")
	case !s.finished:
		return overall(UnsealedTail, "closed, with %d records after the last checkpoint", s.unsealed())
	}
	return late(s, s.beforeLast, s.sealedTime, "before its end")
}

// spokenOf is the verdict on a log that its writer did not close, where
// another log says what was found of it.
func spokenOf(ends []statement, s *scan) *problem {
	said := ends[0]
	r := said.recovered
	extra := s.size + s.tail - r.Found.Size
	switch {
	case r.Damage == audit.DamageEdited:
		return at(Edited, r.At, "%s found it damaged", said.by.name)
	case r.Damage == audit.DamageShorter:
		return at(Missing, r.At, "%s found it shorter than it had been", said.by.name)
	case extra > r.TornBytes, extra != r.TornBytes && !r.Own:
		return at(Edited, r.Found.Records, "%s found %d bytes after record %d, now it is %d", said.by.name, r.TornBytes, r.Found.Records, extra)
	}
	return overall(Recovered, "%s names its end: %d records, %d torn bytes, %d intents without outcome", said.by.name, r.Found.Records, r.TornBytes, r.Orphans)
}

// late says that more time than two heartbeats went by between a checkpoint
// and what follows it.
func late(s *scan, last, end time.Time, what string) *problem {
	beat := time.Duration(s.open.Limits.HeartbeatS) * time.Second
	if gap := end.Sub(last); beat > 0 && gap > 2*beat {
		return overall(Stale, "%s: no checkpoint for %s, one is due every %s", what, gap.Round(time.Second), beat)
	}
	return nil
}

// fine is the verdict on a log with which nothing is wrong.
func (v *verifier) fine(s *scan) *problem {
	switch {
	case !s.finished:
		return overall(Open, "")
	case v.Trust != nil:
		return overall(OK, "")
	case s.open.Anchor == audit.AnchorHost:
		return overall(Unanchored, "host key %s signed its first key; --trust with that host's key, had from elsewhere, relies on it", s.open.HostKey)
	}
	return overall(Unanchored, "anchor: none")
}

// Trusted reads what --trust takes: the text form of a verifier key.
func Trusted(text string) (ed25519.PublicKey, error) {
	_, pub, err := seal.ParseVerifier(text)
	if err != nil {
		return nil, fmt.Errorf("trusted key: %w", err)
	}
	return pub, nil
}
