package verify

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"sallyport/audit"
)

// account is what a log says of a session, as far as its recording goes.
type account struct {
	over   bool // session.disconnected was recorded
	failed bool // the recording could not be written
}

// sessionOf notes what a record says of its session.
func (s *scan) sessionOf(h audit.Head, line []byte) {
	if h.Session == "" {
		return
	}
	a := s.sessions[h.Session]
	switch h.Event {
	case audit.KindSessionDisconnected:
		a.over = true
	case audit.KindRecordingChunk:
		var r struct{ Data audit.RecordingChunk[string] }
		a.failed = a.failed || json.Unmarshal(line, &r) == nil && r.Data.Error != ""
	case audit.KindSessionError:
		var r struct{ Data audit.SessionError[string] }
		a.failed = a.failed || json.Unmarshal(line, &r) == nil && r.Data.Step == "recording"
	}
	if s.sessions == nil {
		s.sessions = map[audit.SessionID]account{}
	}
	s.sessions[h.Session] = a
}

// heard is what the record of a log that was read holds of recordings.
type heard struct {
	log  *logFile
	scan *scan
}

// recordings looks for what no record vouches for in the folders that were
// asked for as a whole: a recording that no log names, and bytes behind the
// last that one names. Where the recording may still have been growing when
// its writer stopped, that is said of its log and held against nobody.
func (v *verifier) recordings() {
	for _, dir := range v.folders() {
		for _, e := range v.casts[dir] {
			if session, ok := recorded(e.Name()); ok {
				v.recording(dir, "recordings/"+e.Name(), session)
			}
		}
	}
}

// noteRecordings lists a folder's recordings before its logs are read: of what
// a living console makes later, they may not speak yet.
func (v *verifier) noteRecordings(dir string) {
	if entries, err := v.FS.ReadDir(filepath.Join(dir, "recordings")); err == nil { // else it was not brought along
		v.casts[filepath.Clean(dir)] = entries
	}
}

// recorded is the session whose recording has this name.
func recorded(name string) (audit.SessionID, bool) {
	id, ok := strings.CutSuffix(strings.TrimSuffix(name, ".age"), ".cast")
	return audit.SessionID(id), ok
}

// folders are those that were asked for as a whole and of which every log was
// read to its end: of what others hold nothing can be said.
func (v *verifier) folders() (dirs []string) {
	whole := map[string]bool{}
	for _, f := range v.files {
		dir := filepath.Dir(f.path)
		known, there := whole[dir]
		whole[dir] = (known || !there) && !f.aside && !f.alone && v.readWhole(f)
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

// recording judges one file.
func (v *verifier) recording(dir, name string, session audit.SessionID) {
	path := filepath.Join(dir, filepath.FromSlash(name))
	if slices.ContainsFunc(v.spoiled, func(r Result) bool { return r.File == path }) {
		return
	}
	parts, by, ended := v.saidOf(name, session)
	r := Result{File: path}
	switch size, err := v.sizeOf(path); {
	case err != nil:
		overall(Missing, "it cannot be read: %v", err).judge(&r)
	case by == nil && len(v.pruned) > 0:
		return // it may belong to a log that was pruned
	case by == nil:
		overall(Foreign, "no log here names it; if the daemon's does, name its folder too").judge(&r)
	case size <= endOf(parts):
		return
	case !ended:
		by.remark(fmt.Sprintf("%s: no record names the %d bytes from %d on", name, size-endOf(parts), endOf(parts)))
		return
	default:
		overall(Edited, "%d bytes follow the last that a record names, at %d", size-endOf(parts), endOf(parts)).judge(&r)
	}
	v.spoiled = append(v.spoiled, r)
}

func (v *verifier) sizeOf(path string) (int64, error) {
	f, err := v.FS.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	return f.Size()
}

func endOf(parts []piece) (end int64) {
	for _, p := range parts {
		end = max(end, p.offset+p.bytes)
	}
	return end
}

// saidOf collects what all logs say of a recording: its pieces, the last log
// that knows the session, and whether nothing could follow.
func (v *verifier) saidOf(name string, session audit.SessionID) (parts []piece, by *logFile, ended bool) {
	over, failed, open, final := false, false, false, false
	for _, h := range v.heard {
		a, knows := h.scan.sessions[session]
		if !knows {
			continue
		}
		by = h.log
		over, failed = over || a.over || h.scan.done, failed || a.failed
		open = open || !h.scan.closed
		for _, p := range h.scan.pieces {
			if p.file == name {
				parts, final = append(parts, p), final || p.final
			}
		}
	}
	return parts, by, final || over && !failed && !open
}

// remark adds to what is said of a log.
func (f *logFile) remark(what string) {
	if f.result.Detail != "" {
		what = f.result.Detail + "; " + what
	}
	f.result.Detail = what
}
