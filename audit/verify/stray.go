package verify

import (
	"cmp"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"

	"sallyport/audit"
	"sallyport/audit/layout"
)

// account is what a log says of a session, as far as the files beside it go.
type account struct {
	over     bool // session.disconnected was recorded
	failed   bool // the recording could not be written
	unsealed bool // an exact text could not be kept
}

// sessionOf notes what a record says of its session; the log's own records are
// of the session "".
func (s *scan) sessionOf(h audit.Head, line []byte) {
	a := s.sessions[h.Session]
	switch h.Event {
	case audit.KindSessionDisconnected:
		a.over = true
	case audit.KindRecordingChunk:
		var r struct{ Data audit.RecordingChunk[string] }
		a.failed = a.failed || json.Unmarshal(line, &r) == nil && r.Data.Error != ""
	case audit.KindSessionError:
		var r struct{ Data audit.SessionError[string] }
		if json.Unmarshal(line, &r) == nil {
			a.failed, a.unsealed = a.failed || r.Data.Step == audit.StepRecording, a.unsealed || r.Data.Step == audit.StepSealed
		}
	}
	if s.sessions == nil {
		s.sessions = map[audit.SessionID]account{}
	}
	s.sessions[h.Session] = a
}

// heard is a log that was read, and what it holds of the files beside it.
type heard struct {
	log  *logFile
	scan *scan
}

// strays looks, in the folders that were asked for as a whole, for what no record
// vouches for: a file of recordings/ or sealed/ that no log knows, and bytes that
// no record names. Where they may still have been growing when their writer
// stopped, or were refused, that is said of its log and held against nobody.
func (v *verifier) strays() {
	for _, dir := range v.folders() {
		for _, s := range v.there[dir] {
			v.stray(dir, s)
		}
	}
}

// stray is an entry of a folder beside the logs.
type stray struct {
	in, name string
	size     int64 // -1: no regular file
}

func (s stray) path() string { return s.in + "/" + s.name }

// noteStrays lists what is beside a folder's logs before they are read: of what
// a living console makes later, they may not speak yet.
func (v *verifier) noteStrays(dir string) {
	for _, in := range []string{layout.Recordings, layout.Sealed} {
		entries, err := v.FS.ReadDir(filepath.Join(dir, in))
		if err != nil { // it was not brought along
			continue
		}
		for _, e := range entries {
			info, err := e.Info()
			if err != nil { // it is gone already
				continue
			}
			s := stray{in, e.Name(), -1}
			if info.Mode().IsRegular() {
				s.size = info.Size()
			}
			v.there[filepath.Clean(dir)] = append(v.there[filepath.Clean(dir)], s)
		}
	}
}

// owner is the session, or for sealed texts the log, whose file has this name.
func (s stray) owner() string { return layout.Owner(s.in, s.name) }

// probe says that it is what a writer leaves that tried the folder where all
// names are kept.
func (s stray) probe() bool { return s.size == 0 && layout.IsProbe(s.in, s.name) }

// folders are those that were asked for as a whole and of which every log was
// read to its end: of what others hold nothing can be said. One that has no logs
// has what a daemon's sessions left, or somebody took the logs away.
func (v *verifier) folders() (dirs []string) {
	whole, all := map[string]bool{}, true
	for _, f := range v.files {
		dir := filepath.Dir(f.path)
		known, there := whole[dir]
		whole[dir] = (known || !there) && !f.aside && !f.alone && v.readWhole(f)
		all = all && whole[dir]
	}
	for dir := range v.there {
		if _, logs := whole[dir]; !logs {
			whole[dir] = all
		}
	}
	for dir, ok := range whole {
		if ok {
			dirs = append(dirs, dir)
		}
	}
	slices.Sort(dirs)
	return dirs
}

func (v *verifier) readWhole(f *logFile) bool {
	return slices.ContainsFunc(v.heard, func(h heard) bool { return h.log == f && h.scan.problem == nil })
}

// stray judges one file.
func (v *verifier) stray(dir string, s stray) {
	path := filepath.Join(dir, s.in, s.name)
	if s.probe() || v.isSpoiled(path) {
		return
	}
	r := Result{File: path}
	said := v.saidOf(s)
	switch n, from := said.unnamed(s.size); {
	case s.size < 0:
		overall(Foreign, "it is no regular file").judge(&r)
	case said.by == nil && len(v.pruned) > 0 && s.owner() != "":
		return // it may belong to a log that was pruned
	case said.by == nil:
		overall(Foreign, "no log here names it; if the daemon's does, name its folder too").judge(&r)
	case n == 0:
		return
	case !said.ended || len(v.pruned) > 0:
		said.by.remark(fmt.Sprintf("%s: no record names the %d bytes from %d on", s.path(), n, from))
		return
	case from+n < s.size:
		overall(Edited, "no record names the %d bytes at %d", n, from).judge(&r)
	default:
		overall(Edited, "%d bytes follow the last that a record names, at %d", n, from).judge(&r)
	}
	v.spoiled = append(v.spoiled, r)
}

// isSpoiled says that the file beside a log has its verdict.
func (v *verifier) isSpoiled(path string) bool {
	return slices.ContainsFunc(v.spoiled, func(r Result) bool { return r.File == path })
}

// mention is what all logs say of a file beside them: its pieces, the last log
// that knows its session, and whether nothing could follow.
type mention struct {
	pieces []piece
	by     *logFile
	ended  bool
}

func (v *verifier) saidOf(s stray) (m mention) {
	over, failed, open, final := false, false, false, false
	for _, h := range v.heard {
		a, knows := h.scan.sessions[audit.SessionID(s.owner())]
		if s.in == layout.Sealed && string(h.scan.log) == s.owner() {
			a, knows = h.scan.sessions[""], true
		}
		if !knows || s.owner() == "" {
			continue
		}
		m.by = h.log
		over, failed = over || a.over || h.scan.done, failed || a.failed && s.in == layout.Recordings || a.unsealed && s.in == layout.Sealed
		open = open || !h.scan.closed
		for _, p := range h.scan.pieces {
			if p.file == s.path() {
				m.pieces, final = append(m.pieces, p), final || p.final
			}
		}
	}
	m.ended = final || over && !failed && !open
	return m
}

// unnamed is the first run of bytes, of so many, that no piece covers.
func (m mention) unnamed(size int64) (n, from int64) {
	slices.SortFunc(m.pieces, func(a, b piece) int { return cmp.Compare(a.offset, b.offset) })
	end := int64(0)
	for _, p := range m.pieces {
		if p.offset > end {
			return p.offset - end, end
		}
		end = max(end, p.offset+p.bytes)
	}
	return max(0, size-end), end
}

// remark adds to what is said of a log.
func (f *logFile) remark(what string) {
	if f.result.Detail != "" {
		what = f.result.Detail + "; " + what
	}
	f.result.Detail = what
}
