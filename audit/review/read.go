package review

import (
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"sallyport/audit"
	"sallyport/audit/durable"
	"sallyport/audit/layout"
)

// Logs are the logs of some folders.
type Logs struct {
	fs    durable.FS
	files []string
	// acknowledged is how many records of a log count: what its writer could
	// not acknowledge before the log failed stands in the successor again.
	acknowledged map[audit.Name]uint64
	names        map[audit.LogID]audit.Name
}

// Open finds the logs in the folders; a file's name stands for that log
// alone.
func Open(paths ...string) (*Logs, error) { return OpenIn(durable.OS{}, paths...) }

// OpenIn is Open in another file system.
func OpenIn(fs durable.FS, paths ...string) (*Logs, error) {
	l := &Logs{fs: fs, acknowledged: map[audit.Name]uint64{}, names: map[audit.LogID]audit.Name{}}
	for _, p := range paths {
		if err := l.list(p); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(l.files, func(a, b string) int { return strings.Compare(filepath.Base(a), filepath.Base(b)) })
	for _, f := range l.files {
		if err := l.hear(f); err != nil {
			return nil, err
		}
	}
	return l, nil
}

func (l *Logs) list(path string) error {
	if strings.HasSuffix(path, layout.Log) {
		l.files = append(l.files, path)
		return nil
	}
	entries, err := l.fs.ReadDir(path)
	if err != nil {
		return fmt.Errorf("logs: %w", err)
	}
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), layout.Log) && e.Type().IsRegular() {
			l.files = append(l.files, filepath.Join(path, e.Name()))
		}
	}
	return nil
}

// Files are the logs' paths, oldest first.
func (l *Logs) Files() []string { return slices.Clone(l.files) }

// hear notes what a log says of one that its writer had to end.
func (l *Logs) hear(path string) error {
	f, err := l.fs.Open(path)
	if err != nil {
		return fmt.Errorf("log: %w", err)
	}
	defer f.Close()
	lines := audit.NewLines(io.NewSectionReader(f, 0, math.MaxInt64))
	for {
		line, err := lines.Next()
		if err != nil {
			return nil
		}
		if _, ok := audit.LinksOf(line); !ok {
			return nil
		}
		if h, err := audit.ParseHead(line); err == nil {
			l.names[h.Log] = nameOf(path)
		}
		var r struct{ Data audit.LogRecovered[string] }
		if json.Unmarshal(line, &r) == nil && r.Data.Own {
			l.acknowledged[r.Data.Found.File] = r.Data.Found.Records
		}
	}
}

// Records gives every record, log by log. A line that is no record is
// skipped: package verify tells of it.
func (l *Logs) Records() iter.Seq2[audit.Record, error] {
	return func(yield func(audit.Record, error) bool) {
		for _, f := range l.files {
			if !l.each(f, yield) {
				return
			}
		}
	}
}

func (l *Logs) each(path string, yield func(audit.Record, error) bool) bool {
	f, err := l.fs.Open(path)
	if err != nil {
		return yield(audit.Record{}, fmt.Errorf("log: %w", err))
	}
	defer f.Close()
	limit, limited := l.acknowledged[nameOf(path)]
	lines := audit.NewLines(io.NewSectionReader(f, 0, math.MaxInt64))
	for n := uint64(0); !limited || n < limit; n++ {
		line, err := lines.Next()
		if err == io.EOF {
			return true
		}
		if err != nil {
			return yield(audit.Record{}, fmt.Errorf("log: %w", err))
		}
		var r audit.Record
		if json.Unmarshal(line, &r) == nil && !yield(r, nil) {
			return false
		}
	}
	return true
}

func nameOf(path string) audit.Name {
	return audit.Name(strings.TrimSuffix(filepath.Base(path), layout.Log))
}
