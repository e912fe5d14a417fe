package session

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"sallyport/console/composer"
	"sallyport/console/gate"
	"sallyport/console/screen"
	"sallyport/console/shellmarks"
)

// loop is what the goroutine of Run owns. Everything that happens, a key, a
// chunk of output, a verdict, a timer, comes to it as one call at a time.
type loop struct {
	s   *Session
	cfg Config
	ctx context.Context

	state   State
	ch      Channel
	channel int // number of the channel; what an older one still says is not heard
	chunks  chan chunk
	split   *screen.Splitter
	frames  []*frame
	boot    bootStage

	bootWait bootWait

	held       []held
	ask        query
	prompts    uint64 // number of prompts seen; what a consent is bound to
	lastEdit   byte   // last byte that went to the line editor
	pasted     bool   // a paste went into the buffer since the prompt
	active     *running
	cmd        *Command // the accepted command: granted or running
	compose    *composing
	editLine   *composer.Editor
	linePasted bool // a paste went into it
	field      *field
	keys       *openKeys
	probe      prober
	why        string // degraded: why lines are composed here
	alarms     int
	alarm      string
	refused    *gate.Refusal
	dropped    int // characters that went with what was refused
	cwd        string
	exit       *int
	promptRow  screen.RowID // where the last prompt stands
	asking     bool         // whether keys may go to a program is being decided
	nest       *nest        // the approved line that starts a shell; LOADER is awaited once
	failed     error        // no channel could be opened any more
	sight      sight
	sightAt    int64 // what had been printed then
	sightSince time.Time
	asked      string // program that was asked about keys
	waiting    time.Time
	userCode   []string
	letCode    string   // the list of such code that was let stay
	device     *device  // nil: no network device
	learnt     learnt   // a plain shell's prompts
	tainted    []string // what a command did that can run later text unseen

	shown   shown
	timers  map[string]*timer // only the newest of a name counts
	workers sync.WaitGroup
	records recorder
	out     output
}

type chunk struct {
	channel int
	p       []byte
	err     error
}

type timer struct {
	n    int // how often it was set or stopped
	fire *time.Timer
}

func newLoop(ctx context.Context, s *Session) *loop {
	l := &loop{s: s, cfg: s.cfg, ctx: ctx, chunks: make(chan chunk), timers: map[string]*timer{}}
	l.out.stream = s.cfg.Redactor.Stream()
	l.out.stream.Columns(s.cfg.Cols)
	l.device = devices[s.cfg.Device]
	l.records.start(l)
	return l
}

func (l *loop) run() error {
	if err := l.open(); err != nil {
		return err
	}
	for {
		select {
		case <-l.ctx.Done():
			return l.ctx.Err()
		case <-l.s.queue.wake:
			for _, f := range l.s.queue.take() {
				f(l)
			}
		case c := <-l.chunks:
			if err := l.feed(c); err != nil {
				return l.dead(err)
			}
		}
		if l.failed != nil {
			return l.failed
		}
		l.publish()
	}
}

// dead says how the channel ended: nil for the shell's own end.
func (l *loop) dead(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// end closes what Run opened and waits for it.
func (l *loop) end(err error) {
	l.closing(err)
	l.set(Dead)
	if l.ch != nil {
		l.ch.Close()
	}
	l.probe.close()
	l.cfg.Slot.Enter(gate.State{Phase: gate.Closed})
	l.emit(l.out.stream.Flush())
	l.settle()
	l.probe.close() // opened meanwhile
	for _, err := range l.records.stop() {
		l.recordLost(err)
	}
	l.s.mu.Lock()
	l.s.view.Error = err
	l.s.mu.Unlock()
	l.publish()
}

// settle takes what workers, and others, have still to say: what was cleared and
// came too late to be sent has its record closed. Nothing is taken after that.
func (l *loop) settle() {
	for {
		l.workers.Wait()
		work := l.s.queue.last()
		if work == nil {
			return
		}
		for _, f := range work {
			f(l)
		}
	}
}

// readBytes is how much is read, and worked on, at once.
const readBytes = 64 << 10

// read is the only reader of a channel. It ends with the channel or ctx. It has
// two buffers: the loop is done with one when it takes the other.
func (l *loop) read(ch Channel, number int) {
	defer l.workers.Done()
	var buffers [2][readBytes]byte
	for i := 0; ; i ^= 1 {
		p := buffers[i][:]
		n, err := ch.Read(p)
		select {
		case l.chunks <- chunk{number, p[:n], err}:
		case <-l.ctx.Done():
			return
		}
		if err != nil {
			return
		}
	}
}

func (l *loop) feed(c chunk) error {
	if c.channel != l.channel {
		return nil
	}
	for piece := range l.split.Split(c.p) {
		if piece.Mark != nil {
			l.mark(piece.Mark)
		} else {
			l.output(piece.Bytes)
		}
	}
	if c.err != nil {
		return l.lost(c.err)
	}
	return nil
}

// lost is the end of the channel. A bootstrap that never answered gets a plain
// shell on a fresh channel; anything else ends the session.
func (l *loop) lost(err error) error {
	if l.state == Boot && l.boot.fallback() {
		l.plain("the host ended the bootstrap")
		return nil
	}
	return err
}

func (l *loop) set(st State) { l.state = st }

// after calls f in the loop when d has passed, unless stop(name) or a newer
// timer of that name came first.
func (l *loop) after(name string, d time.Duration, f func()) {
	l.stop(name)
	t := l.timers[name]
	n := t.n
	t.fire = time.AfterFunc(d, func() {
		l.s.queue.post(func(l *loop) {
			if t.n == n && l.ctx.Err() == nil {
				f()
			}
		})
	})
}

func (l *loop) stop(name string) {
	t := l.timers[name]
	if t == nil {
		t = &timer{}
		l.timers[name] = t
	}
	t.n++
	if t.fire != nil {
		t.fire.Stop()
	}
}

// start runs f beside the loop; what it returns runs in the loop.
func (l *loop) start(f func() func()) {
	l.workers.Add(1)
	go func() {
		defer l.workers.Done()
		then := f()
		l.s.queue.post(func(*loop) { then() })
	}()
}

// send puts a clearance on the wire. A channel that cannot be written has
// ended; its reader says so.
func (l *loop) send(c gate.Cleared, err error) bool {
	if err == nil {
		err = l.ch.Send(c)
	}
	if err != nil {
		l.note(err)
		return false
	}
	return true
}

// note keeps a refusal for the view.
func (l *loop) note(err error) {
	var ref *gate.Refusal
	if errors.As(err, &ref) {
		l.refused = ref
	}
}

func (l *loop) control(c gate.Control) bool {
	return l.send(l.cfg.Gate.Control(l.cfg.Slot, c))
}

func (l *loop) top() *frame {
	if len(l.frames) == 0 {
		return nil
	}
	return l.frames[len(l.frames)-1]
}

func (l *loop) shell() shellmarks.Shell {
	if f := l.top(); f != nil {
		return f.shell
	}
	return shellmarks.Unknown
}
