package verify

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"sallyport/audit"
	"sallyport/audit/durable"
	"sallyport/audit/layout"
)

// piece is a part of a file beside the log, of which a record has the digest.
type piece struct {
	file          string // under the log's folder
	offset, bytes int64
	digest        audit.Hash
	final         bool // nothing follows it
	seq           uint64
}

// beside notes what the record says of recordings/ and sealed/.
func (s *scan) beside(h audit.Head, line []byte) {
	if h.Event == audit.KindRecordingChunk {
		var r struct{ Data audit.RecordingChunk[string] }
		if d := &r.Data; json.Unmarshal(line, &r) == nil && (d.Bytes > 0 || d.Final) {
			s.pieces = append(s.pieces, piece{d.File, d.Offset, d.Bytes, d.Digest, d.Final, h.Seq})
		}
	}
	if !bytes.Contains(line[max(0, len(line)-sealedTail):], []byte(`,"sealed":{"offset":`)) {
		return
	}
	var r struct{ Sealed audit.Sealed }
	if json.Unmarshal(line, &r) != nil {
		return
	}
	name := string(h.Session)
	if name == "" {
		name = string(h.Log)
	}
	s.pieces = append(s.pieces, piece{layout.SealedFile(name, r.Sealed.Part), r.Sealed.Offset, r.Sealed.Bytes, r.Sealed.Digest, false, h.Seq})
}

// sealedTail is longer than a sealed reference at the end of a line.
const sealedTail = 200

// checkBeside gives a verdict on each file beside a log that is not what the
// log's records say. A folder that is not there at all was not brought along.
// Recordings of a daemon's sessions are in the folders of the consoles, which may
// have been named too.
func (v *verifier) checkBeside(log string, pieces []piece) (bad []Result) {
	byFile := map[string][]piece{}
	for _, p := range pieces {
		byFile[p.file] = append(byFile[p.file], p)
	}
	for name, parts := range byFile {
		path, there := v.find(filepath.Dir(log), filepath.FromSlash(name))
		if !there {
			continue
		}
		if p := v.checkFile(path, parts); p != nil {
			r := Result{File: path}
			p.judge(&r)
			bad = append(bad, r)
		}
	}
	slices.SortFunc(bad, func(a, b Result) int { return strings.Compare(a.File, b.File) })
	return bad
}

// find gives the path of a file beside a log: in the log's folder or, if it is not
// there, in another that was named. There is none if no folder was brought in which
// it should be.
func (v *verifier) find(own, name string) (path string, there bool) {
	if !filepath.IsLocal(name) {
		return "", false
	}
	for _, dir := range append([]string{own}, v.dirs...) {
		at := filepath.Join(dir, name)
		if f, err := v.FS.Open(at); err == nil {
			f.Close()
			return at, true
		}
		if !there && v.thereIs(filepath.Dir(at)) {
			path, there = at, true
		}
	}
	return path, there
}

func (v *verifier) thereIs(dir string) bool {
	_, err := v.FS.ReadDir(dir)
	return err == nil
}

func (v *verifier) checkFile(path string, parts []piece) *problem {
	f, err := v.FS.Open(path)
	if durable.NotThere(err) {
		return overall(Missing, "record %d names it", parts[0].seq)
	}
	if err != nil {
		return overall(Missing, "it cannot be read: %v", err)
	}
	defer f.Close()
	for _, p := range parts {
		if problem := p.check(f); problem != nil {
			return problem
		}
	}
	return nil
}

func (p piece) check(f durable.File) *problem {
	sum := sha256.New()
	n, err := io.Copy(sum, io.NewSectionReader(f, p.offset, p.bytes))
	size, sizeErr := f.Size()
	switch {
	case errors.Join(err, sizeErr) != nil:
		return overall(Missing, "it cannot be read: %v", errors.Join(err, sizeErr))
	case n < p.bytes:
		return overall(Missing, "record %d names %d bytes at %d, %d are there", p.seq, p.bytes, p.offset, n)
	case !bytes.Equal(sum.Sum(nil), p.digest[:]):
		return overall(Edited, "the %d bytes at %d are not those that record %d names", p.bytes, p.offset, p.seq)
	case p.final && size > p.offset+p.bytes:
		return overall(Edited, "%s bytes follow its end", fmt.Sprint(size-p.offset-p.bytes))
	}
	return nil
}
