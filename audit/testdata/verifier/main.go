// Command verifier is a second verifier of Sallyport's logs. It was written
// after the documentation of package audit, with the standard library alone,
// and reads everything into memory: it is here to agree with package
// audit/verify, or to show which of the two misreads the documentation.
//
//	go run main.go [-trust KEY] [-against FILE]... DIR...
package main

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"syscall"
	"time"
)

type hash = [32]byte

// record is a line that reads as one.
type record struct {
	raw   []byte
	time  time.Time
	log   string
	seq   uint64
	prev  string
	event string
	data  map[string]json.RawMessage
}

type link struct {
	Log, File  string
	Records    uint64
	Size       int64
	Root, Last string
}

type note struct {
	log       string
	size      uint64
	root      string
	before    string
	text      string
	signature []byte // with the key hash before it
}

type logFile struct {
	name    string // without .jsonl
	id      string
	lines   [][]byte
	tail    []byte
	records []*record // nil where a line is none
	live    bool
	broken  bool // no regular file, or not to be read
}

type says struct {
	link
	by     string
	event  string
	own    bool
	damage string
	torn   int64
}

// accuses says that damage was found, which counts whoever says so.
func (s says) accuses() bool { return s.damage == "edited" || s.damage == "shorter" }

// folder is what is asked about.
type folder struct {
	files   map[string]*logFile
	about   map[string][]says
	trust   []byte
	against []note

	verdicts map[string]string // "" while it is being found
	pruned   []link            // by logs that can be believed
	receipts []says            // likewise
}

var shape = regexp.MustCompile(`^\{"v":1,"ts":"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z)","log":"([0-9a-f]{32})","seq":(\d+),"prev":"([0-9a-f]{64})",(?:"session":"[^"]*",)?"event":"([^"]*)"`)

var events = strings.Fields(`log.open log.close log.recovered log.pruned checkpoint key.rotate
	policy.loaded policy.refused session.connecting session.connected session.auth_failed session.boot
	session.degraded session.error session.disconnected session.resized suggestion.received
	suggestion.edited suggestion.cleared suggestion.dismissed command.intent command.refused
	command.outcome input.line input.eof keys.open keys.close secret.entered channel.open
	break_glass.opened break_glass.closed mcp.call mcp.result mcp.offline mcp.online job.dispatch
	job.terminal file.get file.put recording.chunk ship.rejected ship.cursor_reset review.opened`)

func parse(line []byte) *record {
	m := shape.FindSubmatch(line)
	if m == nil || !json.Valid(line) || line[len(line)-1] != '}' {
		return nil
	}
	r := &record{raw: line, log: string(m[2]), prev: string(m[4]), event: string(m[5])}
	var err1, err2 error
	r.time, err1 = time.Parse(time.RFC3339Nano, string(m[1]))
	r.seq, err2 = strconv.ParseUint(string(m[3]), 10, 64)
	if err1 != nil || err2 != nil {
		return nil
	}
	var all struct{ Data map[string]json.RawMessage }
	json.Unmarshal(line, &all)
	r.data = all.Data
	return r
}

func (r *record) get(field string, into any) bool { return json.Unmarshal(r.data[field], into) == nil }

func (r *record) text(field string) (s string) {
	r.get(field, &s)
	return s
}

func (r *record) bytes(field string) []byte {
	b, _ := base64.StdEncoding.DecodeString(r.text(field))
	return b
}

func lineHash(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// root is RFC 6962, 2.1, as it is written there.
func root(lines [][]byte) hash {
	switch n := len(lines); n {
	case 0:
		return sha256.Sum256(nil)
	case 1:
		return sha256.Sum256(append([]byte{0}, lines[0]...))
	default:
		k := 1
		for k*2 < n {
			k *= 2
		}
		l, r := root(lines[:k]), root(lines[k:])
		return sha256.Sum256(append(append([]byte{1}, l[:]...), r[:]...))
	}
}

// tree gives the roots of a growing log without hashing it from the start
// each time: complete subtrees are kept.
type tree struct {
	full []hash // one for each bit of n, largest first
	n    int
}

func (t *tree) add(line []byte) {
	h := sha256.Sum256(append([]byte{0}, line...))
	for i := t.n; i&1 == 1; i >>= 1 {
		last := len(t.full) - 1
		h = sha256.Sum256(append(append([]byte{1}, t.full[last][:]...), h[:]...))
		t.full = t.full[:last]
	}
	t.full = append(t.full, h)
	t.n++
}

func (t *tree) root() hash {
	if t.n == 0 {
		return sha256.Sum256(nil)
	}
	h := t.full[len(t.full)-1]
	for i := len(t.full) - 2; i >= 0; i-- {
		h = sha256.Sum256(append(append([]byte{1}, t.full[i][:]...), h[:]...))
	}
	return h
}

func parseNote(s string) (n note, ok bool) {
	text, rest, found := strings.Cut(s, "\n\n")
	lines := strings.Split(text, "\n")
	if !found || len(lines) != 4 {
		return n, false
	}
	n.text = text + "\n"
	n.log = lines[0]
	n.size, _ = strconv.ParseUint(lines[1], 10, 64)
	n.root, n.before = unbase(lines[2]), unbase(lines[3])
	sig, ok := strings.CutPrefix(rest, "— "+n.log+" ")
	n.signature, _ = base64.StdEncoding.DecodeString(strings.TrimSuffix(sig, "\n"))
	return n, ok && len(n.signature) == 4+ed25519.SignatureSize && strconv.FormatUint(n.size, 10) == lines[1] &&
		sig == base64.StdEncoding.EncodeToString(n.signature)+"\n"
}

// unbase gives hex, or "" for what is not the canonical base64 of 32 bytes.
func unbase(s string) string {
	b, err := base64.StdEncoding.DecodeString(s)
	if err != nil || len(b) != 32 || base64.StdEncoding.EncodeToString(b) != s {
		return ""
	}
	return hex.EncodeToString(b)
}

func (n note) signedBy(key []byte) bool {
	if len(key) != ed25519.PublicKeySize {
		return false
	}
	id := sha256.Sum256(append([]byte(n.log+"\n\x01"), key...))
	return bytes.Equal(id[:4], n.signature[:4]) && ed25519.Verify(key, []byte(n.text), n.signature[4:])
}

func load(path string) *logFile {
	f := &logFile{name: strings.TrimSuffix(filepath.Base(path), ".jsonl"), broken: true}
	if st, err := os.Lstat(path); err != nil || !st.Mode().IsRegular() {
		return f
	}
	h, err := os.Open(path)
	if err != nil {
		return f
	}
	defer h.Close()
	if syscall.Flock(int(h.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) != nil {
		f.live = true
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return f
	}
	f.broken = false
	parts := bytes.Split(b, []byte{'\n'})
	f.lines, f.tail = parts[:len(parts)-1], parts[len(parts)-1]
	for _, l := range f.lines {
		f.records = append(f.records, parse(l))
	}
	if len(f.records) > 0 && f.records[0] != nil && f.records[0].event == "log.open" {
		f.id = f.records[0].log
	}
	return f
}

// speak collects what a log says of others at its beginning.
func (f *logFile) speak(about map[string][]says) {
	for _, r := range f.records {
		receipt := false
		if r == nil || r.event != "log.open" && r.event != "log.recovered" || r.get("receipt", &receipt) && receipt {
			return
		}
		var links []link
		for _, k := range []string{"previous", "found"} {
			var l link
			if r.data[k] != nil && r.get(k, &l) {
				links = append(links, l)
			}
		}
		var others []link
		r.get("others", &others)
		s := says{by: f.name, event: r.event, damage: r.text("damage")}
		r.get("torn_bytes", &s.torn)
		r.get("own", &s.own)
		for _, l := range append(links, others...) {
			s.link = l
			about[l.File] = append(about[l.File], s)
		}
	}
}

// verdict is that on a log, found once.
func (d *folder) verdict(f *logFile) string {
	v, begun := d.verdicts[f.name]
	if begun {
		return v
	}
	d.verdicts[f.name] = ""
	if f.broken {
		d.verdicts[f.name] = "unreadable"
		return "unreadable"
	}
	var counts []says
	for _, s := range d.about[f.name] {
		if s.event != "log.recovered" || s.accuses() || believed(d.verdict(d.files[s.by])) {
			counts = append(counts, s)
		} else {
			s.event = "not believed" // what it saw of the log is compared still
			counts = append(counts, s)
		}
	}
	v = f.judge(counts, d.trust, d.against)
	d.verdicts[f.name] = v
	if believed(v) {
		f.tell(d)
	}
	return v
}

func believed(verdict string) bool {
	switch verdict {
	case "torn tail", "unclosed", "unsealed tail", "stale", "recovered":
		return true
	}
	return strings.HasPrefix(verdict, "ok")
}

// tell collects what the middle of a log says of others.
func (f *logFile) tell(d *folder) {
	for _, r := range f.records {
		if r == nil {
			return
		}
		receipt := false
		r.get("receipt", &receipt)
		switch {
		case r.event == "log.pruned":
			var pruned []link
			r.get("logs", &pruned)
			d.pruned = append(d.pruned, pruned...)
		case r.event == "log.recovered" && receipt:
			s := says{by: f.name, event: r.event, damage: r.text("damage")}
			if r.get("found", &s.link) {
				d.receipts = append(d.receipts, s)
			}
		}
	}
}

// judge is the list of verdicts in the documentation, from top to bottom.
func (f *logFile) judge(said []says, trust []byte, against []note) string {
	end := len(f.lines)
	for _, s := range said {
		if s.event == "log.recovered" && s.own && int(s.Records) < end {
			end = int(s.Records)
		}
	}
	w := walk{keys: [][]byte{}}
	for i, r := range f.records[:end] {
		if i == 0 && r != nil {
			w.log = r.log
		}
		want := strings.Repeat("0", 64)
		if i > 0 {
			want = lineHash(f.lines[i-1])
		}
		if r == nil || r.log != w.log || r.seq != uint64(i) || r.prev != want {
			return f.together(w.log)
		}
		if w.bad != "" {
			return w.bad
		}
		w.step(f, r)
	}
	if w.bad != "" {
		return w.bad
	}
	size := 0
	for _, l := range f.lines[:end] {
		size += len(l) + 1
	}
	if v := f.compare(w, end, said, against); v != "" {
		return v
	}
	if trust != nil && w.log != "" && !bytes.Equal(trust, w.host) {
		return "bad signature"
	}
	if f.live {
		if w.late(w.sealed, time.Now()) {
			return "stale"
		}
		return "ok (open)"
	}
	whole := size
	for _, l := range f.lines[end:] {
		whole += len(l) + 1
	}
	whole += len(f.tail)
	for _, s := range said {
		if s.event != "log.recovered" {
			continue
		}
		extra := int64(whole) - s.Size
		switch {
		case s.damage == "edited":
			return "edited"
		case s.damage == "shorter":
			return "missing"
		case extra > s.torn || extra != s.torn && !s.own:
			return "edited"
		}
		return "recovered"
	}
	switch {
	case whole > size:
		return "torn tail"
	case !w.closed:
		return "unclosed"
	case !w.finished:
		return "unsealed tail"
	case w.late(w.sealedBefore, w.sealed):
		return "stale"
	case trust != nil:
		return "ok"
	}
	return "ok (unanchored)"
}

// together says what was done to lines that do not follow each other.
func (f *logFile) together(log string) string {
	hashes := map[string]int{}
	byNumber := map[uint64]*record{}
	duplicate := false
	var highest uint64
	for i, r := range f.records {
		if r == nil || r.log != log && log != "" || bytes.IndexByte(f.lines[i], 0) >= 0 {
			return "edited"
		}
		if log == "" {
			log = r.log
		}
		h := lineHash(r.raw)
		if _, again := hashes[h]; again {
			duplicate = true
			continue
		}
		hashes[h] = i
		if byNumber[r.seq] != nil {
			return "edited"
		}
		byNumber[r.seq] = r
		highest = max(highest, r.seq)
	}
	for n, r := range byNumber {
		before := byNumber[n-1]
		switch {
		case n == 0 && r.prev != strings.Repeat("0", 64):
			return "edited"
		case n > 0 && before != nil && lineHash(before.raw) != r.prev:
			return "edited"
		case n > 0 && before == nil && byNumber[n+1] == nil && f.strays(r):
			return "edited"
		}
	}
	switch {
	case duplicate:
		return "duplicated"
	case highest+1 > uint64(len(byNumber)):
		return "missing"
	}
	return "reordered"
}

// strays says that a record with no neighbour by number stands among larger
// or smaller ones that it does not fit between.
func (f *logFile) strays(r *record) bool {
	for i, x := range f.records {
		if x != r {
			continue
		}
		return i > 0 && f.records[i-1].seq > r.seq || i+1 < len(f.records) && f.records[i+1].seq < r.seq
	}
	return false
}

// walk is the state of a log along its lines.
type walk struct {
	log          string
	tree         tree
	keys         [][]byte // by epoch
	host         []byte
	beat         time.Duration
	last         string
	sealed       time.Time
	sealedBefore time.Time
	closed       bool
	finished     bool
	bad          string
}

func (w *walk) late(from, to time.Time) bool { return w.beat > 0 && to.Sub(from) > 2*w.beat }

func known(event string) bool {
	for _, e := range events {
		if e == event {
			return true
		}
	}
	return false
}

func (w *walk) step(f *logFile, r *record) {
	switch {
	case !known(r.event), (r.seq == 0) != (r.event == "log.open"):
		w.bad = "edited"
	case w.finished, w.closed && r.event != "checkpoint":
		w.bad = "unsealed tail"
	case w.last == "checkpoint" && r.event != "key.rotate":
		w.bad = "wrong epoch"
	case r.event == "log.open":
		w.open(r)
	case r.event == "checkpoint":
		w.checkpoint(f, r)
	case r.event == "key.rotate":
		w.rotate(r)
	case r.event == "log.close":
		w.closed = true
	}
	w.last = r.event
	w.tree.add(r.raw)
}

func (w *walk) open(r *record) {
	key := r.bytes("key")
	if len(key) != ed25519.PublicKeySize {
		w.bad = "edited"
		return
	}
	w.keys = append(w.keys, key)
	w.sealed = r.time
	var limits struct {
		Heartbeat int64 `json:"heartbeat_s"`
	}
	r.get("limits", &limits)
	w.beat = time.Duration(limits.Heartbeat) * time.Second
	if r.text("anchor") != "host" {
		return
	}
	w.host = r.bytes("host_key")
	msg := "sallyport log.open v1\n" + r.log + "\n" + base64.StdEncoding.EncodeToString(key) + "\n"
	if len(w.host) != ed25519.PublicKeySize || !ed25519.Verify(w.host, []byte(msg), r.bytes("host_sig")) {
		w.bad = "bad signature"
	}
}

func (w *walk) checkpoint(f *logFile, r *record) {
	defer func() { w.sealedBefore, w.sealed = w.sealed, r.time }()
	n, ok := parseNote(r.text("note"))
	at := bytes.LastIndex(r.raw, []byte(`,"note":`)) + len(`,"note":`)
	if !ok || string(r.raw[at:]) != jsonString(r.text("note"))+"}}" {
		w.bad = "edited"
		return
	}
	epoch := len(w.keys) - 1
	if !n.signedBy(w.keys[epoch]) {
		w.bad = "bad signature"
		if n.signedByAny(f.allKeys()) {
			w.bad = "wrong epoch"
		}
		return
	}
	here := w.tree.root()
	before := sha256.Sum256(r.raw[:at])
	var said int
	r.get("epoch", &said)
	switch {
	case n.log != w.log, n.size != r.seq, n.root != hex.EncodeToString(here[:]), n.before != hex.EncodeToString(before[:]):
		w.bad = "edited"
	case said != epoch:
		w.bad = "wrong epoch"
	}
	w.finished = w.closed
}

func (n note) signedByAny(keys [][]byte) bool {
	for _, k := range keys {
		if n.signedBy(k) {
			return true
		}
	}
	return false
}

func (f *logFile) allKeys() (keys [][]byte) {
	for _, r := range f.records {
		if r != nil && (r.event == "log.open" || r.event == "key.rotate") {
			keys = append(keys, r.bytes("key"))
		}
	}
	return keys
}

func (w *walk) rotate(r *record) {
	var epoch int
	r.get("epoch", &epoch)
	key := r.bytes("key")
	msg := fmt.Sprintf("sallyport key.rotate v1\n%s\n%d\n%s\n", r.log, epoch, base64.StdEncoding.EncodeToString(key))
	switch {
	case w.last != "checkpoint", epoch != len(w.keys):
		w.bad = "wrong epoch"
	case len(key) != ed25519.PublicKeySize || !ed25519.Verify(w.keys[epoch-1], []byte(msg), r.bytes("sig")):
		w.bad = "bad signature"
	}
	w.keys = append(w.keys, key)
}

func jsonString(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '\n':
			b.WriteString(`\n`)
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < 0x20 || r >= 0x7f && r < 0xa0:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	return `"` + b.String() + `"`
}

func (f *logFile) compare(w walk, end int, said []says, against []note) string {
	for _, s := range said {
		if s.Records > uint64(end) {
			return "missing"
		}
		r, last, size := root(f.lines[:s.Records]), strings.Repeat("0", 64), int64(0)
		for _, l := range f.lines[:s.Records] {
			size += int64(len(l)) + 1
			last = lineHash(l)
		}
		if s.Root != hex.EncodeToString(r[:]) || s.Last != last || s.Size != size {
			return "forked"
		}
	}
	for _, n := range against {
		if n.log != w.log {
			continue
		}
		if n.size > uint64(end) {
			return "missing"
		}
		r := root(f.lines[:n.size])
		if !n.signedByAny(f.allKeys()) || n.root != hex.EncodeToString(r[:]) {
			return "forked"
		}
	}
	return ""
}

// recall is what the receipts of consoles make of the verdicts.
func (d *folder) recall() {
	for _, s := range d.receipts {
		for _, f := range d.files {
			if f.id != s.Log || f.id == "" || !believed(d.verdicts[f.name]) {
				continue
			}
			d.verdicts[f.name] = "missing"
			if s.damage == "edited" {
				d.verdicts[f.name] = "edited"
			}
		}
	}
}

// twins are files that hold one log again.
func (d *folder) twins() {
	byID := map[string][]*logFile{}
	for _, f := range d.files {
		if f.id != "" {
			byID[f.id] = append(byID[f.id], f)
		}
	}
	for id, fs := range byID {
		sort.Slice(fs, func(i, j int) bool {
			own1, own2 := strings.HasSuffix(fs[i].name, "-"+id[:8]), strings.HasSuffix(fs[j].name, "-"+id[:8])
			if own1 != own2 {
				return own1
			}
			return fs[i].name < fs[j].name
		})
		for _, f := range fs[1:] {
			switch v := d.verdicts[f.name]; {
			case !strings.HasPrefix(v, "ok") && v != "unclosed" && v != "torn tail":
			case len(f.lines) == len(fs[0].lines) && root(f.lines) != root(fs[0].lines):
				d.verdicts[f.name] = "forked"
			default:
				d.verdicts[f.name] = "duplicated"
			}
		}
	}
}

// gone gives the logs that are named, not there and not pruned.
func (d *folder) gone() (names []string) {
	pruned, ids := map[string]bool{}, map[string]bool{"": true}
	for _, l := range d.pruned {
		pruned[l.File], ids[l.Log] = true, true
	}
	for _, f := range d.files {
		ids[f.id] = true
	}
	for name, said := range d.about {
		if d.files[name] == nil && !pruned[name] && (said[0].Log == "" || !prunedID(d.pruned, said[0].Log)) {
			names = append(names, name)
		}
	}
	absent := func(id string) {
		if !ids[id] {
			ids[id] = true
			names = append(names, id)
		}
	}
	for _, n := range d.against {
		absent(n.log)
	}
	for _, s := range d.receipts {
		absent(s.Log)
	}
	sort.Strings(names)
	return names
}

func prunedID(pruned []link, id string) bool {
	for _, l := range pruned {
		if l.Log == id {
			return true
		}
	}
	return false
}

// key reads NAME+HASH+BASE64.
func key(s string) []byte {
	parts := strings.SplitN(strings.TrimSpace(s), "+", 3)
	if len(parts) != 3 {
		fail(fmt.Errorf("%q is no key", s))
	}
	b, err := base64.StdEncoding.DecodeString(parts[2])
	if err != nil || len(b) != 33 || b[0] != 1 {
		fail(fmt.Errorf("%q is no key", s))
	}
	id := sha256.Sum256(append([]byte(parts[0]+"\n"), b...))
	if fmt.Sprintf("%08x", binary.BigEndian.Uint32(id[:])) != parts[1] {
		fail(fmt.Errorf("%q has another hash", s))
	}
	return b[1:]
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(2)
}

// verifyDir prints a verdict for each log of a folder.
func verifyDir(dir string, trust []byte, against []note) (bad bool) {
	d := &folder{
		files: map[string]*logFile{}, about: map[string][]says{}, verdicts: map[string]string{},
		trust: trust, against: against,
	}
	paths, _ := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	for _, p := range paths {
		f := load(p)
		d.files[f.name] = f
		f.speak(d.about)
	}
	for _, f := range d.files {
		d.verdict(f)
	}
	d.recall()
	d.twins()
	show := func(name, verdict string) {
		fmt.Printf("%s\t%s\t%s\n", dir, name, verdict)
		bad = bad || !strings.HasPrefix(verdict, "ok")
	}
	for name := range d.files {
		show(name, d.verdicts[name])
	}
	for _, n := range d.gone() {
		show(n, "missing log")
	}
	return bad
}

func main() {
	var trust []byte
	var against []note
	flag.Func("trust", "key that must have signed each log's first", func(s string) error { trust = key(s); return nil })
	flag.Func("against", "file with a checkpoint", func(s string) error {
		b, err := os.ReadFile(s)
		if err != nil {
			return err
		}
		n, ok := parseNote(string(b))
		if !ok {
			return fmt.Errorf("no checkpoint")
		}
		against = append(against, n)
		return nil
	})
	flag.Parse()
	bad := false
	for _, dir := range flag.Args() {
		bad = verifyDir(dir, trust, against) || bad
	}
	if bad {
		os.Exit(1)
	}
}
