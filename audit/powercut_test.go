package audit_test

import (
	"errors"
	"io/fs"
	"sync/atomic"

	"sallyport/audit/durable"
)

var errPower = errors.New("no power")

// powerCut lets so many steps through and none after them.
type powerCut struct {
	durable.FS
	left int64
	done atomic.Int64
}

func (p *powerCut) on() error {
	if p.done.Add(1) > p.left {
		return errPower
	}
	return nil
}

func (p *powerCut) Create(path string) (durable.File, error) {
	return p.file(func() (durable.File, error) { return p.FS.Create(path) })
}

func (p *powerCut) Open(path string) (durable.File, error) {
	return p.file(func() (durable.File, error) { return p.FS.Open(path) })
}

func (p *powerCut) Reserve(path string, n int64) (durable.File, error) {
	return p.file(func() (durable.File, error) { return p.FS.Reserve(path, n) })
}

func (p *powerCut) file(open func() (durable.File, error)) (durable.File, error) {
	if err := p.on(); err != nil {
		return nil, err
	}
	f, err := open()
	if err != nil {
		return nil, err
	}
	return &cutFile{f, p}, nil
}

func (p *powerCut) ReadDir(path string) ([]fs.DirEntry, error) {
	if err := p.on(); err != nil {
		return nil, err
	}
	return p.FS.ReadDir(path)
}

func (p *powerCut) SyncDir(path string) error {
	if err := p.on(); err != nil {
		return err
	}
	return p.FS.SyncDir(path)
}

func (p *powerCut) Remove(path string) error {
	if err := p.on(); err != nil {
		return err
	}
	return p.FS.Remove(path)
}

func (p *powerCut) Release(path string) error {
	if err := p.on(); err != nil {
		return err
	}
	return p.FS.Release(path)
}

type cutFile struct {
	durable.File
	p *powerCut
}

// Write gets half of it there when the power goes meanwhile.
func (c *cutFile) Write(b []byte) (int, error) {
	if err := c.p.on(); err != nil {
		if c.p.done.Load() == c.p.left+1 {
			c.File.Write(b[:len(b)/2])
		}
		return 0, err
	}
	return c.File.Write(b)
}

func (c *cutFile) Sync() error {
	if err := c.p.on(); err != nil {
		return err
	}
	return c.File.Sync()
}

func (c *cutFile) Check(n int64) error {
	if err := c.p.on(); err != nil {
		return err
	}
	return c.File.Check(n)
}
