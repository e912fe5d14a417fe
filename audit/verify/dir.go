package verify

import (
	"crypto/ed25519"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"sallyport/audit"
	"sallyport/audit/durable"
	"sallyport/audit/seal"
)

// Options bring in what the log itself cannot prove.
type Options struct {
	// Trust is the host key that must have signed each log's first key; with
	// it an unanchored log is never ok.
	Trust ed25519.PublicKey
	// Against are signed checkpoints that left the machine earlier.
	Against []string

	FS  durable.FS       // nil: the real one
	Now func() time.Time // nil: the real clock
}

// ErrUnreadable says that a folder or log could not be read.
var ErrUnreadable = errors.New("cannot be read")

// Dirs verifies every log in the folders; a file's name stands for that log
// alone. The results are in the order of
// the files' names; logs that are named and not there follow, and files in
// recordings/ and sealed/ that are not what the records say of them.
func Dirs(o Options, dirs ...string) ([]Result, error) {
	v := &verifier{Options: o, statements: map[audit.Name][]statement{}, byName: map[audit.Name]*logFile{}}
	if v.FS == nil {
		v.FS = durable.OS{}
	}
	if v.Now == nil {
		v.Now = time.Now
	}
	if err := v.list(dirs); err != nil {
		return nil, err
	}
	if err := v.outside(); err != nil {
		return nil, err
	}
	return v.results()
}

// verifier holds what the logs say of each other.
type verifier struct {
	Options
	files      []*logFile
	byName     map[audit.Name]*logFile
	statements map[audit.Name][]statement
	against    []seal.Checkpoint
	pruned     map[audit.Name]bool
	spoiled    []Result // files beside the logs
}

type logFile struct {
	path string
	name audit.Name
	id   audit.LogID
}

// statement is what one log says of another.
type statement struct {
	audit.Link
	by        audit.Name
	recovered *audit.LogRecovered[string] // said in a log.recovered
}

const suffix = ".jsonl"

func (v *verifier) list(dirs []string) error {
	for _, d := range dirs {
		if strings.HasSuffix(d, suffix) {
			v.add(d)
			continue
		}
		entries, err := v.FS.ReadDir(d)
		if err != nil {
			return fmt.Errorf("%w: %w", ErrUnreadable, err)
		}
		for _, e := range entries {
			if strings.HasSuffix(e.Name(), suffix) && e.Type().IsRegular() {
				v.add(filepath.Join(d, e.Name()))
			}
		}
	}
	slices.SortStableFunc(v.files, func(a, b *logFile) int { return strings.Compare(string(a.name), string(b.name)) })
	for _, f := range v.files {
		if err := v.hear(f); err != nil {
			return err
		}
	}
	return nil
}

func (v *verifier) add(path string) {
	n := audit.Name(strings.TrimSuffix(filepath.Base(path), suffix))
	f := &logFile{path: path, name: n}
	v.files, v.byName[n] = append(v.files, f), f
}

// hear reads what the beginning of a log says of others.
func (v *verifier) hear(log *logFile) error {
	f, err := v.FS.Open(log.path)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrUnreadable, err)
	}
	defer f.Close()
	lines := audit.NewLines(io.NewSectionReader(f, 0, math.MaxInt64))
	for {
		line, err := lines.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("%w: %w", ErrUnreadable, err)
		}
		links, ok := audit.LinksOf(line)
		if !ok {
			return nil
		}
		v.note(log, line, links)
	}
}

func (v *verifier) note(by *logFile, line []byte, links []audit.Link) {
	h, _ := audit.ParseHead(line)
	if h.Event == audit.KindLogOpen {
		by.id = h.Log
	}
	for _, l := range links {
		s := statement{Link: l, by: by.name}
		if h.Event == audit.KindLogRecovered {
			s.recovered = recoveredOf(line)
		}
		v.statements[l.File] = append(v.statements[l.File], s)
	}
}

// outside reads the checkpoints that were brought.
func (v *verifier) outside() error {
	for _, a := range v.Against {
		c, err := seal.ParseCheckpoint(a)
		if err != nil {
			return fmt.Errorf("checkpoint to compare with: %w", err)
		}
		v.against = append(v.against, c)
	}
	return nil
}

func (v *verifier) results() (out []Result, err error) {
	v.pruned = map[audit.Name]bool{}
	for _, f := range v.files {
		r, err := v.verify(f)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrUnreadable, err)
		}
		out = append(out, r)
	}
	return slices.Concat(out, v.notThere(), v.unknown(), v.spoiled), nil
}

// notThere are logs that others name, that are not there, and of which no
// log says that they were pruned.
func (v *verifier) notThere() (out []Result) {
	for n, said := range v.statements {
		if v.byName[n] == nil && !v.pruned[n] {
			out = append(out, Result{
				File: string(n) + suffix, Log: said[0].Log, Verdict: MissingLog, Records: said[0].Records,
				Detail: fmt.Sprintf("%s names it, and no log.pruned does", said[0].by),
			})
		}
	}
	slices.SortFunc(out, func(a, b Result) int { return strings.Compare(a.File, b.File) })
	return out
}

// unknown are outside checkpoints of logs that are not there.
func (v *verifier) unknown() (out []Result) {
	for _, c := range v.against {
		known := slices.ContainsFunc(v.files, func(f *logFile) bool { return string(f.id) == c.Origin })
		if !known {
			out = append(out, Result{
				Log: audit.LogID(c.Origin), Verdict: MissingLog, Records: c.Size,
				Detail: "the checkpoint from outside is of a log that is not there",
			})
		}
	}
	return out
}
