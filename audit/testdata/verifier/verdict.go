package main

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strings"
	"time"
)

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
		f.followed = i
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
		f.followed = i + 1
	}
	if w.bad != "" {
		return w.bad
	}
	f.whole = true
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
		w.closed, f.closed = true, r.text("reason")
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
