package audit

import (
	"bytes"
	"errors"
	"strconv"
	"time"
)

// Head is the part of a line that the chain and the order rest on.
type Head struct {
	Time    time.Time
	Log     LogID
	Seq     uint64
	Prev    Hash
	Session SessionID
	Event   Kind
}

const timeLayout = "2006-01-02T15:04:05.000000000Z"

// appendHead begins a line.
func appendHead(b []byte, now time.Time, log LogID, seq uint64, prev Hash) []byte {
	b = append(b, `{"v":1,"ts":"`...)
	b = now.UTC().AppendFormat(b, timeLayout)
	b = append(b, `","log":"`...)
	b = append(b, log...)
	b = append(b, `","seq":`...)
	b = strconv.AppendUint(b, seq, 10)
	b = append(b, `,"prev":"`...)
	for _, c := range prev {
		b = append(b, hexDigits[c>>4], hexDigits[c&15])
	}
	return append(b, '"')
}

// ErrFormat says that a line does not begin as the format demands.
var ErrFormat = errors.New("not a record")

// ParseHead reads the head of a line: exactly the bytes that the format
// prescribes, in that order.
func ParseHead(line []byte) (h Head, err error) {
	p := parser{rest: line}
	p.skip(`{"v":1,"ts":"`)
	ts := p.until('"')
	p.skip(`,"log":"`)
	log := p.until('"')
	p.skip(`,"seq":`)
	seq := p.until(',')
	p.skip(`"prev":"`)
	prev := p.until('"')
	if p.has(`,"session":"`) {
		h.Session = SessionID(p.until('"'))
	}
	p.skip(`,"event":"`)
	event := p.until('"')
	if p.failed || !h.set(ts, log, seq, prev, event) || line[len(line)-1] != '}' {
		return Head{}, ErrFormat
	}
	return h, nil
}

func (h *Head) set(ts, log, seq, prev, event []byte) bool {
	t, ok := parseTime(ts)
	n, err := strconv.ParseUint(string(seq), 10, 64)
	if !ok || err != nil || !isHex(log, 32) || !unhex(h.Prev[:], prev) {
		return false
	}
	h.Time, h.Log, h.Seq, h.Event = t, LogID(log), n, kindOf(event)
	return true
}

// kindOf saves the copy for the events that there are.
func kindOf(b []byte) Kind {
	if k, ok := kinds[string(b)]; ok {
		return k
	}
	return Kind(b)
}

func parseTime(b []byte) (time.Time, bool) {
	if len(b) != len(timeLayout) {
		return time.Time{}, false
	}
	sep := b[4] == '-' && b[7] == '-' && b[10] == 'T' && b[13] == ':' && b[16] == ':' && b[19] == '.' && b[29] == 'Z'
	d := digits{ok: sep}
	month, day, hour, minute, second := d.of(b[5:7]), d.of(b[8:10]), d.of(b[11:13]), d.of(b[14:16]), d.of(b[17:19])
	t := time.Date(d.of(b[0:4]), time.Month(month), day, hour, minute, second, d.of(b[20:29]), time.UTC)
	return t, d.ok && hour < 24 && minute < 60 && second < 60 && int(t.Month()) == month && t.Day() == day
}

// digits reads numbers of fixed width.
type digits struct{ ok bool }

func (d *digits) of(b []byte) (n int) {
	for _, c := range b {
		if c < '0' || c > '9' {
			d.ok = false
		}
		n = n*10 + int(c-'0')
	}
	return n
}

func isHex(b []byte, n int) bool {
	if len(b) != n {
		return false
	}
	for _, c := range b {
		if unhexed[c] == notHex {
			return false
		}
	}
	return true
}

func unhex(dst, src []byte) bool {
	if len(src) != 2*len(dst) {
		return false
	}
	for i := range dst {
		hi, lo := unhexed[src[2*i]], unhexed[src[2*i+1]]
		if hi == notHex || lo == notHex {
			return false
		}
		dst[i] = hi<<4 | lo
	}
	return true
}

const notHex = 0xff

// unhexed gives the value of a lower-case hex digit.
var unhexed = func() (t [256]byte) {
	for i := range t {
		t[i] = notHex
	}
	for i := range hexDigits {
		t[hexDigits[i]] = byte(i)
	}
	return t
}()

// parser takes a line apart from the left.
type parser struct {
	rest   []byte
	failed bool
}

func (p *parser) has(s string) bool {
	if p.failed || len(p.rest) < len(s) || string(p.rest[:len(s)]) != s {
		return false
	}
	p.rest = p.rest[len(s):]
	return true
}

func (p *parser) skip(s string) {
	if !p.has(s) {
		p.failed = true
	}
}

func (p *parser) until(c byte) []byte {
	i := bytes.IndexByte(p.rest, c)
	if p.failed || i < 0 {
		p.failed = true
		return nil
	}
	got := p.rest[:i]
	p.rest = p.rest[i+1:]
	return got
}
