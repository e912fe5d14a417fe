package remote

import (
	"errors"
	"io"
	"sync"
	"time"

	"golang.org/x/crypto/ssh"

	"sallyport/console/gate"
)

// Shell is a channel with a PTY. It has one reader and any number of senders.
type Shell struct{ ch *channel }

// Send spends c and writes its bytes. It waits while the host's window is
// full, for as long as the connection lives.
func (sh *Shell) Send(c gate.Cleared) error { return sh.ch.send(c) }

// Resize spends c, a clearance of gate.Window.
func (sh *Shell) Resize(c gate.Cleared) error { return sh.ch.resize(c) }

// Read gives what the host sent; io.EOF at the end of the channel, whoever
// ended it.
func (sh *Shell) Read(p []byte) (int, error) { return sh.ch.stdout.Read(p) }

// Wait waits for the end of the channel. Read must go on meanwhile.
func (sh *Shell) Wait() (Exit, error) { return sh.ch.wait() }

// Done is closed at the end of the channel.
func (sh *Shell) Done() <-chan struct{} { return sh.ch.done }

// Close ends the channel. Behind the end of a shell's output comes how it
// exited: that is waited for, shortly.
func (sh *Shell) Close() error {
	select {
	case <-sh.ch.stdout.ended:
		select {
		case <-sh.ch.done:
		case <-time.After(exitWait):
		}
	default:
	}
	return sh.ch.Close()
}

// exitWait bounds how much later than its output a shell's exit may come.
const exitWait = 2 * time.Second

// Exec is a channel without a PTY that runs one command. It has one reader of
// each stream and any number of senders.
type Exec struct{ ch *channel }

// Send spends c and writes its bytes to the command's standard input.
func (e *Exec) Send(c gate.Cleared) error { return e.ch.send(c) }

// CloseInput sends end of file.
func (e *Exec) CloseInput() error { return e.ch.ch.CloseWrite() }

// Read gives standard output.
func (e *Exec) Read(p []byte) (int, error) { return e.ch.stdout.Read(p) }

// Stderr gives standard error. It must be read, as Read must: a stream that
// nobody reads stops the command when its window is full.
func (e *Exec) Stderr() io.Reader { return e.ch.stderr }

// Wait waits for the command's end. The streams must be read meanwhile.
func (e *Exec) Wait() (Exit, error) { return e.ch.wait() }

// Done is closed at the end of the channel.
func (e *Exec) Done() <-chan struct{} { return e.ch.done }

// Close ends the channel; the host decides what becomes of the command.
func (e *Exec) Close() error { return e.ch.Close() }

// Exit is how a remote command ended, as the host tells it.
type Exit struct {
	Code   int    // -1 when it did not exit by itself
	Signal string // TERM, KILL, …; empty otherwise
}

// ErrNoExit: the channel ended and the host did not say how.
var ErrNoExit = errors.New("ended without an exit status")

// channel is an open session channel and the slot that its bytes are cleared
// for.
type channel struct {
	host           string
	ch             ssh.Channel
	slot           *gate.Slot
	stdout, stderr stream // end with Close, whatever the host does

	writing sync.Mutex // held while bytes are written

	done chan struct{} // closed when the channel is over
	mu   sync.Mutex
	over bool
	exit Exit
	err  error
}

// serve starts to answer the host's requests on ch and to read what it sends.
// Its goroutines end when the host closes the channel, or with the connection.
func serve(host string, ch ssh.Channel, reqs <-chan *ssh.Request, s *gate.Slot) *channel {
	out := &channel{host: host, ch: ch, slot: s, done: make(chan struct{}), exit: Exit{Code: -1}, err: ErrNoExit}
	out.stdout = pump(ch)
	out.stderr = pump(ch.Stderr())
	go out.requests(reqs)
	return out
}

// stream is one of a channel's that can be closed on this side: the library's
// reads end only when the host wants.
type stream struct {
	pipe  *io.PipeReader
	ended chan struct{} // closed when the host has sent all
}

// pump holds no more than one read, so that the window still slows the host
// down.
func pump(from io.Reader) stream {
	r, w := io.Pipe()
	ended := make(chan struct{})
	go func() {
		_, err := io.Copy(w, from)
		close(ended)
		_ = w.CloseWithError(err)
	}()
	return stream{r, ended}
}

func (s stream) Read(p []byte) (int, error) {
	n, err := s.pipe.Read(p)
	if errors.Is(err, io.ErrClosedPipe) {
		err = io.EOF
	}
	return n, err
}

func (s stream) close() { _ = s.pipe.Close() }

// requests takes exit-status and exit-signal and refuses everything else.
func (ch *channel) requests(reqs <-chan *ssh.Request) {
	defer ch.end()
	for r := range reqs {
		switch r.Type {
		case "exit-status":
			ch.setStatus(r.Payload)
		case "exit-signal":
			ch.setSignal(r.Payload)
		}
		if r.WantReply {
			_ = r.Reply(false, nil)
		}
	}
}

func (ch *channel) setStatus(payload []byte) {
	var m struct{ Status uint32 }
	if ssh.Unmarshal(payload, &m) == nil {
		ch.set(Exit{Code: int(m.Status)}, nil)
	}
}

func (ch *channel) setSignal(payload []byte) {
	var m struct {
		Signal     string
		CoreDumped bool
		Message    string
		Language   string
	}
	if ssh.Unmarshal(payload, &m) == nil {
		ch.set(Exit{Code: -1, Signal: harmless(m.Signal)}, nil)
	}
}

// set keeps how the command ended; what comes after the end is ignored.
func (ch *channel) set(e Exit, err error) {
	ch.mu.Lock()
	defer ch.mu.Unlock()
	if !ch.over {
		ch.exit, ch.err = e, err
	}
}

func (ch *channel) end() {
	ch.mu.Lock()
	defer ch.mu.Unlock()
	if !ch.over {
		ch.over = true
		close(ch.done)
	}
}

func (ch *channel) wait() (Exit, error) {
	<-ch.done
	return ch.exit, ch.err
}

// Close ends the channel on this side at once and tells the host. A channel
// that is closed already is no error.
func (ch *channel) Close() error {
	err := ch.ch.Close()
	ch.end()
	ch.stdout.close()
	ch.stderr.close()
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	return nil
}

func (ch *channel) failed(err error) error {
	return fail(StepChannel, ch.host, ClassConnect, err, "")
}
