package audit

import (
	"context"
	"path/filepath"
	"slices"
	"time"

	"sallyport/audit/durable"
	"sallyport/audit/layout"
	"sallyport/redact"
)

// Prune removes whole logs in c.Dir whose last record is older than before:
// closed ones, of which a collector has everything unless unshipped is set.
// If there are any it opens a log of its own, and a log.pruned there names them
// all before the first is removed. The logs that were removed are the answer,
// also beside an error.
func Prune(ctx context.Context, c Config, before time.Time, unshipped bool) (removed []Link, err error) {
	c = c.withDefaults()
	links, err := c.prunable(before, unshipped)
	if err != nil || len(links) == 0 {
		return nil, err
	}
	l, err := Open(c)
	if err != nil {
		return nil, err
	}
	defer l.Close(ctx)
	for part := range slices.Chunk(links, maxOthers) {
		if _, err := l.append(ctx, LogPruned[redact.Text]{Before: before, Logs: part}); err != nil {
			return removed, err
		}
		for _, link := range part {
			if err := l.remove(link.File); err != nil {
				return removed, err
			}
			removed = append(removed, link)
		}
	}
	return removed, l.cfg.FS.SyncDir(l.cfg.Dir)
}

func (cfg *Config) prunable(before time.Time, unshipped bool) (links []Link, err error) {
	names, _, err := listLogs(cfg)
	if err != nil {
		return nil, err
	}
	for _, n := range names {
		b := brief(cfg, n)
		if !b.closed || !b.last.Before(before) {
			continue
		}
		e := examine(cfg, n)
		if e.damage != DamageNone || !unshipped && !shipped(cfg, e.link) {
			continue
		}
		links = append(links, e.link)
	}
	return links, nil
}

// shipped says that the log's cursor is behind its last record.
func shipped(cfg *Config, l Link) bool {
	c, err := ReadCursor(cfg.FS, filepath.Join(cfg.Dir, string(l.File)+layout.Cursor))
	return err == nil && c.Seq >= l.Records
}

func (l *Log) remove(n Name) error {
	path := filepath.Join(l.cfg.Dir, string(n))
	if err := l.cfg.FS.Remove(path + layout.Log); err != nil {
		return err
	}
	err := l.cfg.FS.Remove(path + layout.Cursor)
	if durable.NotThere(err) {
		return nil
	}
	return err
}
