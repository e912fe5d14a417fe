package audit

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"sallyport/audit/durable"
	"sallyport/audit/layout"
	"sallyport/audit/seal"
	"sallyport/redact"
)

// leftovers are the logs that ended before a new one is opened.
type leftovers struct {
	previous *Link
	others   []Link // ended, and named by no log yet
	dead     []dead
	unlock   []durable.Unlock
}

// dead is a log whose writer did not close it.
type dead struct {
	found   LogRecovered[redact.Text]
	orphans []IntentRef
}

// release lets others have the dead logs, once they are spoken of on disk.
func (l *leftovers) release() {
	for _, u := range l.unlock {
		u()
	}
}

// maxOthers bounds the list in log.open.
const maxOthers = 256

// survey looks at the logs in the folder. Dead ones are locked until release.
func survey(cfg *Config, key *digestKey) (*leftovers, error) {
	names, err := logNames(cfg)
	if err != nil {
		return nil, err
	}
	left := &leftovers{}
	named := spoken{}
	var ended []Name
	for _, n := range names {
		b := brief(cfg, n)
		named.add(b.names)
		if b.closed {
			ended = append(ended, n)
		}
	}
	for _, n := range names {
		if !slices.Contains(ended, n) && left.claim(cfg, key, n, named) {
			ended = append(ended, n)
		}
	}
	left.link(cfg, ended, named)
	return left, nil
}

// logNames lists the logs and removes reserves that no writer holds any more.
func logNames(cfg *Config) ([]Name, error) {
	names, reserves, err := listLogs(cfg)
	for _, path := range reserves {
		removeStale(cfg, path)
	}
	return names, err
}

// listLogs lists the logs and the reserves beside them.
func listLogs(cfg *Config) (names []Name, reserves []string, err error) {
	entries, err := cfg.FS.ReadDir(cfg.Dir)
	if err != nil {
		return nil, nil, err
	}
	for _, e := range entries {
		stem, isLog := strings.CutSuffix(e.Name(), layout.Log)
		switch {
		case isLog && nameShape.MatchString(stem):
			names = append(names, Name(stem))
		case strings.HasSuffix(e.Name(), layout.Reserve):
			reserves = append(reserves, filepath.Join(cfg.Dir, e.Name()))
		}
	}
	slices.Sort(names)
	return names, reserves, nil
}

func removeStale(cfg *Config, path string) {
	unlock, err := cfg.FS.Lock(path)
	if err != nil {
		return
	}
	defer unlock()
	if err := cfg.FS.Release(path); err != nil {
		cfg.warn(err.Error())
	}
}

// claim takes a log over whose writer is gone and of which no log says so
// yet. It answers whether the log has ended.
func (l *leftovers) claim(cfg *Config, key *digestKey, n Name, named spoken) bool {
	path := filepath.Join(cfg.Dir, string(n)+layout.Log)
	unlock, err := cfg.FS.Lock(path)
	if err != nil {
		if !errors.Is(err, durable.ErrLocked) {
			cfg.warn(err.Error())
		}
		return false
	}
	if named.has(n) || brief(cfg, n).closed {
		unlock()
		return true
	}
	l.unlock = append(l.unlock, unlock)
	settle(cfg, n)
	e := examine(cfg, n)
	l.dead = append(l.dead, dead{e.recovered(key), e.orphans()})
	named[n] = nil
	return true
}

// spoken are the logs that others name, with the end that their own writer
// gave them, if it did.
type spoken map[Name]*Link

func (s spoken) has(n Name) bool {
	_, ok := s[n]
	return ok
}

func (s spoken) add(more []said) {
	for _, x := range more {
		if x.own || !s.has(x.File) {
			link := &x.Link
			if !x.own {
				link = nil
			}
			s[x.File] = link
		}
	}
}

// said is a log's word about another.
type said struct {
	Link
	own bool // the writer's of its own log
}

// settle makes what is found of a log durable before it is spoken of: its
// last lines may be in memory only.
func settle(cfg *Config, n Name) {
	f, err := cfg.FS.Open(filepath.Join(cfg.Dir, string(n)+layout.Log))
	if err == nil {
		err = f.Sync()
		f.Close()
	}
	if err != nil {
		cfg.warn(err.Error())
	}
}

// link chooses the predecessor, the newest, and whom else to name.
func (l *leftovers) link(cfg *Config, ended []Name, named spoken) {
	slices.Sort(ended)
	for i, n := range slices.Backward(ended) {
		newest := i == len(ended)-1
		if !newest && (named.has(n) || len(l.others) >= maxOthers) {
			continue
		}
		link := named[n]
		if link == nil {
			settle(cfg, n)
			e := examine(cfg, n)
			link = &e.link
		}
		if newest {
			l.previous = link
		} else {
			l.others = append(l.others, *link)
		}
	}
}

// summary is what the first and the last lines of a log say.
type summary struct {
	names  []said
	closed bool
	last   time.Time // of the last record, if closed
}

// tailWindow holds log.close and the last checkpoint.
const tailWindow = 64 << 10

func brief(cfg *Config, n Name) (b summary) {
	f, err := cfg.FS.Open(filepath.Join(cfg.Dir, string(n)+layout.Log))
	if err != nil {
		return b
	}
	defer f.Close()
	size, err := f.Size()
	if err != nil {
		return b
	}
	b.names = namedBy(io.NewSectionReader(f, 0, size))
	b.last, b.closed = endsClosed(f, size)
	return b
}

// namedBy reads log.open and the log.recovered that follow it.
func namedBy(r io.Reader) (names []said) {
	lines := NewLines(r)
	for {
		line, err := lines.Next()
		if err != nil {
			return names
		}
		links, own, ok := linksOf(line)
		if !ok {
			return names
		}
		for _, l := range links {
			names = append(names, said{l, own})
		}
	}
}

// LinksOf gives the logs that a line names, if it is one of those at a log's
// beginning that do: log.open, log.recovered.
func LinksOf(line []byte) (links []Link, ok bool) {
	links, _, ok = linksOf(line)
	return links, ok
}

func linksOf(line []byte) (links []Link, own, ok bool) {
	h, err := ParseHead(line)
	if err != nil || h.Event != KindLogOpen && h.Event != KindLogRecovered {
		return nil, false, false
	}
	var r struct {
		Data struct {
			Previous *Link
			Others   []Link
			Found    *Link
			Own      bool
			Receipt  bool
		}
	}
	if err := json.Unmarshal(line, &r); err != nil || r.Data.Receipt {
		return nil, false, false
	}
	links = r.Data.Others
	for _, l := range []*Link{r.Data.Previous, r.Data.Found} {
		if l != nil {
			links = append(links, *l)
		}
	}
	return links, r.Data.Own, true
}

// endsClosed says whether the last lines are log.close and its checkpoint,
// and when that was.
func endsClosed(f durable.File, size int64) (time.Time, bool) {
	window := make([]byte, min(size, tailWindow))
	if _, err := f.ReadAt(window, size-int64(len(window))); err != nil && err != io.EOF {
		return time.Time{}, false
	}
	lines := bytes.Split(window, []byte{'\n'})
	if len(lines) < 3 || len(lines[len(lines)-1]) > 0 {
		return time.Time{}, false
	}
	last, err1 := ParseHead(lines[len(lines)-2])
	before, err2 := ParseHead(lines[len(lines)-3])
	return last.Time, err1 == nil && err2 == nil && last.Event == KindCheckpoint && before.Event == KindLogClose
}

// examination is what a log that is not written any more really holds.
type examination struct {
	link    Link
	damage  Damage
	at      uint64
	tail    []byte
	torn    int64
	pending map[IntentRef]bool
}

// examine reads the log from its beginning to the first line that fails.
func examine(cfg *Config, n Name) (e examination) {
	e = examination{link: Link{File: n}, damage: DamageNone, pending: map[IntentRef]bool{}}
	f, err := cfg.FS.Open(filepath.Join(cfg.Dir, string(n)+layout.Log))
	if err != nil {
		e.damage = DamageShorter
		return e
	}
	defer f.Close()
	lines := NewLines(io.NewSectionReader(f, 0, math.MaxInt64))
	var chain seal.Chain
	for {
		line, err := lines.Next()
		if err != nil {
			e.ends(lines)
			break
		}
		if !e.take(line, &chain) {
			e.damage, e.at = DamageEdited, chain.Tree.Size()
			break
		}
		e.link.Size = lines.Offset()
	}
	e.link.Records, e.link.Root, e.link.Last = chain.Tree.Size(), Hash(chain.Tree.Root()), Hash(chain.Prev)
	e.compare(cfg)
	return e
}

func (e *examination) take(line []byte, chain *seal.Chain) bool {
	h, err := ParseHead(line)
	if err != nil || h.Seq != chain.Tree.Size() || h.Prev != Hash(chain.Prev) {
		return false
	}
	if h.Seq == 0 {
		e.link.Log = h.Log
	}
	if h.Log != e.link.Log {
		return false
	}
	e.track(h, line)
	chain.Add(line)
	return true
}

// track keeps the intents that have no outcome.
func (e *examination) track(h Head, line []byte) {
	switch h.Event {
	case KindCommandIntent:
		e.pending[IntentRef{h.Log, h.Seq, h.Session}] = true
	case KindCommandOutcome, KindLogOpen:
		var r struct {
			Data struct {
				Intent    uint64
				IntentLog LogID `json:"intent_log"`
				Status    OutcomeStatus
				Pending   []IntentRef
			}
		}
		if json.Unmarshal(line, &r) != nil {
			return
		}
		for _, ref := range r.Data.Pending {
			e.pending[ref] = true
		}
		if r.Data.IntentLog == "" {
			r.Data.IntentLog = h.Log
		}
		if h.Event == KindCommandOutcome && r.Data.Status != StillRunning {
			delete(e.pending, IntentRef{r.Data.IntentLog, r.Data.Intent, h.Session})
		}
	}
}

// ends notes what follows the last complete line.
func (e *examination) ends(lines *Lines) {
	if lines.TailSize() == 0 {
		return
	}
	e.tail, e.torn, e.damage = lines.Tail(), lines.TailSize(), DamageTorn
	if !lines.torn() {
		e.damage, e.at = DamageEdited, e.link.Records
	}
}

// compare takes the shipping cursor for a witness of how long the log was.
func (e *examination) compare(cfg *Config) {
	c, err := ReadCursor(cfg.FS, filepath.Join(cfg.Dir, string(e.link.File)+layout.Cursor))
	if err == nil && c.Seq > e.link.Records && e.damage != DamageEdited {
		e.damage, e.at = DamageShorter, e.link.Records
	}
}

func (e *examination) recovered(key *digestKey) LogRecovered[redact.Text] {
	r := LogRecovered[redact.Text]{
		Found: e.link, Damage: e.damage, TornBytes: e.torn, At: e.at, Orphans: len(e.pending),
	}
	if e.torn > 0 {
		r.TornDigest = key.digest(e.tail, 1)
	}
	return r
}

func (e *examination) orphans() (refs []IntentRef) {
	for ref := range e.pending {
		refs = append(refs, ref)
	}
	slices.SortFunc(refs, func(a, b IntentRef) int {
		if c := strings.Compare(string(a.Log), string(b.Log)); c != 0 {
			return c
		}
		return int(int64(a.Seq) - int64(b.Seq))
	})
	return refs
}

// ReadCursor reads a shipping cursor.
func ReadCursor(fsys durable.FS, path string) (c Cursor, err error) {
	f, err := fsys.Open(path)
	if err != nil {
		return c, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.NewSectionReader(f, 0, 4096))
	if err != nil {
		return c, err
	}
	return c, json.Unmarshal(b, &c)
}
