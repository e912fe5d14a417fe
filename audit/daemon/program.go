package daemon

import (
	"crypto/sha256"
	"io"
	"os"
	"sync"

	"golang.org/x/sys/unix"

	"sallyport/audit"
)

const (
	maxExecutable = 512 << 20 // of a program's bytes that are digested
	maxPrograms   = 1024      // whose digests are kept
)

// programs digests each program once. A user's programs are read one at a
// time, so that nobody keeps the machine busy with a thousand large ones.
type programs struct {
	mu      sync.Mutex
	known   map[program]audit.Hash
	reading map[uint32]*sync.Mutex // by uid
}

// program is a file's content, as far as the kernel tells it apart.
type program struct {
	dev, ino uint64
	size     int64
	changed  unix.Timespec
}

func newPrograms() *programs {
	return &programs{known: map[program]audit.Hash{}, reading: map[uint32]*sync.Mutex{}}
}

// digest gives the digest of the program at path, zero if it cannot be read.
func (p *programs) digest(uid uint32, path string) (h audit.Hash) {
	f, err := os.Open(path)
	if err != nil {
		return h
	}
	defer f.Close()
	var st unix.Stat_t
	if err := unix.Fstat(int(f.Fd()), &st); err != nil {
		return h
	}
	turn := p.turn(uid)
	turn.Lock()
	defer turn.Unlock()
	what := program{st.Dev, st.Ino, st.Size, st.Ctim}
	if known, ok := p.lookup(what); ok {
		return known
	}
	sum := sha256.New()
	if _, err := io.Copy(sum, io.LimitReader(f, maxExecutable)); err != nil {
		return h
	}
	copy(h[:], sum.Sum(nil))
	p.keep(what, h)
	return h
}

func (p *programs) turn(uid uint32) *sync.Mutex {
	p.mu.Lock()
	defer p.mu.Unlock()
	m := p.reading[uid]
	if m == nil {
		m = &sync.Mutex{}
		p.reading[uid] = m
	}
	return m
}

func (p *programs) lookup(what program) (audit.Hash, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	h, ok := p.known[what]
	return h, ok
}

func (p *programs) keep(what program, h audit.Hash) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.known) >= maxPrograms {
		clear(p.known)
	}
	p.known[what] = h
}
