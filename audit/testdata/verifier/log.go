package main

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
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

	session string
	data    map[string]json.RawMessage
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

	followed int    // lines up to the first that something is wrong with
	whole    bool   // there is none
	closed   string // reason of log.close
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

var shape = regexp.MustCompile(`^\{"v":1,"ts":"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z)","log":"([0-9a-f]{32})","seq":(\d+),"prev":"([0-9a-f]{64})",(?:"session":"([^"]*)",)?"event":"([^"]*)"`)

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
	r := &record{raw: line, log: string(m[2]), prev: string(m[4]), session: string(m[5]), event: string(m[6])}
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

func known(event string) bool {
	for _, e := range events {
		if e == event {
			return true
		}
	}
	return false
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
