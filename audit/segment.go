package audit

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"time"

	"sallyport/audit/durable"
	"sallyport/audit/layout"
	"sallyport/audit/seal"
)

// segment is one log file while it is written. Owned by the writer goroutine.
//
// Lines are staged in memory and committed by one write and one sync. Only a
// commit that succeeded moves the durable state on; one that failed ends the
// file: what the kernel kept of it is not known, and a second sync would lie.
type segment struct {
	cfg    *Config
	id     LogID
	name   Name
	path   string
	file   durable.File
	epochs *seal.Epochs
	opened time.Time

	size   int64      // durable
	chain  seal.Chain // durable
	next   seal.Chain // with what is staged
	staged []byte

	sinceCheckpoint int
	lastCheckpoint  time.Time
	used            bool // more is in it than how it was opened
}

// createSegment makes the file; it holds nothing yet.
func createSegment(cfg *Config) (*segment, error) {
	s, err := newSegment(cfg)
	if err != nil {
		return nil, err
	}
	if s.file, err = cfg.FS.Create(s.path); err != nil {
		return nil, err
	}
	return s, nil
}

// newSegment mints a log's id and first key.
func newSegment(cfg *Config) (*segment, error) {
	var id [16]byte
	if _, err := rand.Read(id[:]); err != nil {
		return nil, fmt.Errorf("make a log id: %w", err)
	}
	now := cfg.Now()
	s := &segment{cfg: cfg, id: LogID(hex.EncodeToString(id[:])), opened: now, lastCheckpoint: now}
	s.name = Name(now.UTC().Format("20060102T150405Z") + "-" + string(s.id[:8]))
	s.path = filepath.Join(cfg.Dir, string(s.name)+layout.Log)
	var err error
	s.epochs, err = seal.NewEpochs(string(s.id))
	return s, err
}

// stage adds a line: head, body, and the sealed reference that may follow.
func (s *segment) stage(body []byte, sealed *sealedRef) (seq uint64, leaf Hash) {
	seq = s.next.Tree.Size()
	start := len(s.staged)
	s.staged = appendHead(s.staged, s.cfg.Now(), s.id, seq, Hash(s.next.Prev))
	s.staged = append(s.staged, body...)
	s.staged = sealed.append(s.staged)
	s.staged = append(s.staged, '}')
	leaf = Hash(s.next.Add(s.staged[start:]))
	s.staged = append(s.staged, '\n')
	s.sinceCheckpoint++
	return seq, leaf
}

// stageCheckpoint adds a line with a signed note about all lines before it
// and about its own beginning. body has an empty note at its end.
func (s *segment) stageCheckpoint(body []byte) error {
	start := len(s.staged)
	s.staged = appendHead(s.staged, s.cfg.Now(), s.id, s.next.Tree.Size(), Hash(s.next.Prev))
	s.staged = append(s.staged, bytes.TrimSuffix(body, []byte(noNote))...)
	note, err := s.epochs.Checkpoint(&s.next.Tree, s.staged[start:])
	if err != nil {
		s.staged = s.staged[:start]
		return err
	}
	s.staged = append(appendQuoted(s.staged, note), noteEnd...)
	s.next.Add(s.staged[start:])
	s.staged = append(s.staged, '\n')
	return nil
}

// What a checkpoint's body ends with before it has its note, and what a
// checkpoint's line has after it.
const (
	noNote  = `""}`
	noteEnd = `}}`
)

// commit returns when everything staged is on disk.
func (s *segment) commit() error {
	if len(s.staged) == 0 {
		return nil
	}
	if err := s.file.Check(s.size); err != nil {
		return err
	}
	if _, err := s.file.Write(s.staged); err != nil {
		return err
	}
	if err := s.file.Sync(); err != nil {
		return err
	}
	s.size += int64(len(s.staged))
	s.chain = s.next
	s.staged = s.staged[:0]
	return nil
}

// readBack says whether the file really holds what was committed.
func (s *segment) readBack(want []byte) error {
	got := make([]byte, len(want))
	if _, err := s.file.ReadAt(got, 0); err != nil {
		return fmt.Errorf("read back: %w", err)
	}
	if string(got) != string(want) {
		return fmt.Errorf("read back %s: it holds something else than was written", s.path)
	}
	return nil
}

// link names the log by what is durable of it.
func (s *segment) link() *Link {
	return &Link{
		Log: s.id, File: s.name, Records: s.chain.Tree.Size(), Size: s.size,
		Root: Hash(s.chain.Tree.Root()), Last: Hash(s.chain.Prev),
	}
}

// closing is room for log.close and the last checkpoint.
const closing = 2 << 10

// room says whether a line of n bytes fits under the log's limit; a log takes
// at least one record or heartbeat.
func (s *segment) room(n int) bool {
	return !s.used || s.size+int64(len(s.staged)+n+512+closing) <= s.cfg.MaxBytes
}

// give up the file and forget the keys.
func (s *segment) release() {
	s.epochs.Wipe()
	s.file.Close()
}
