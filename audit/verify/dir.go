package verify

import (
	"crypto/ed25519"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"sallyport/audit"
	"sallyport/audit/durable"
	"sallyport/audit/layout"
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

// Dirs verifies every log in the folders. A file's name stands for that log
// alone: what its neighbours say of it counts, what became of the logs that it
// names is not asked. The results are in the order of the files' names; logs
// that are named and not there follow, and files in recordings/ and sealed/
// that are not what the records say of them, or that no record speaks of.
func Dirs(o Options, dirs ...string) ([]Result, error) {
	v := &verifier{
		Options: o, statements: map[audit.Name][]statement{}, there: map[string][]stray{},
		byName: map[audit.Name]*logFile{}, byPath: map[string]*logFile{},
	}
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
	return v.results(), nil
}

// verifier holds what the logs say of each other.
type verifier struct {
	Options
	files      []*logFile
	byName     map[audit.Name]*logFile
	byPath     map[string]*logFile
	statements map[audit.Name][]statement
	against    []seal.Checkpoint
	pruned     []audit.Link
	receipts   []statement // that consoles had, of what was not there
	spoiled    []Result    // files beside the logs
	heard      []heard
	dirs       []string           // that were named
	there      map[string][]stray // by the folder of the logs
}

// logFile is a log and what came out for it.
type logFile struct {
	path string
	name audit.Name
	id   audit.LogID
	err  error // it cannot be read

	aside  bool // a neighbour of what was asked for: heard, not judged
	alone  bool // asked for by its own name
	state  progress
	result Result
}

type progress int

const (
	untouched progress = iota
	judging
	judged
)

func (v *verifier) list(dirs []string) error {
	for _, d := range dirs {
		if strings.HasSuffix(d, layout.Log) {
			if err := v.addAlone(d); err != nil {
				return err
			}
			continue
		}
		if d = filepath.Clean(d); slices.Contains(v.dirs, d) {
			continue // named twice
		}
		entries, err := v.FS.ReadDir(d)
		if err != nil {
			return fmt.Errorf("%w: %w", ErrUnreadable, err)
		}
		v.dirs = append(v.dirs, d)
		v.noteStrays(d)
		v.addAll(d, entries, false)
	}
	slices.SortStableFunc(v.files, func(a, b *logFile) int { return strings.Compare(string(a.name), string(b.name)) })
	for _, f := range v.files {
		f.err = v.hear(f)
	}
	return nil
}

// addAlone adds one log, and its neighbours to be heard.
func (v *verifier) addAlone(path string) error {
	f, err := v.FS.Open(path)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrUnreadable, err)
	}
	f.Close()
	if log := v.add(path); log.aside {
		log.alone, log.aside = true, false
	}
	if entries, err := v.FS.ReadDir(filepath.Dir(path)); err == nil { // it may have been brought alone
		v.addAll(filepath.Dir(path), entries, true)
	}
	return nil
}

func (v *verifier) addAll(dir string, entries []fs.DirEntry, aside bool) {
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), layout.Log) {
			f := v.add(filepath.Join(dir, e.Name()))
			f.aside, f.alone = f.aside && aside && !f.alone, f.alone && aside
		}
	}
}

// add adds a file once; who asks for it may ask for more than to hear it.
func (v *verifier) add(path string) *logFile {
	clean := filepath.Clean(path)
	if f := v.byPath[clean]; f != nil {
		return f
	}
	n := audit.Name(strings.TrimSuffix(filepath.Base(path), layout.Log))
	f := &logFile{path: path, name: n, aside: true}
	v.files, v.byName[n], v.byPath[clean] = append(v.files, f), f, f
	return f
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

func (v *verifier) results() (out []Result) {
	alone := true
	for _, f := range v.files {
		if f.aside {
			continue
		}
		v.judge(f)
		alone = alone && f.alone
	}
	v.recall()
	v.twins()
	v.strays()
	for _, f := range v.files {
		if !f.aside {
			out = append(out, f.result)
		}
	}
	if !alone {
		out = append(out, v.notThere()...)
	}
	return slices.Concat(out, v.unknown(), v.spoiled)
}
