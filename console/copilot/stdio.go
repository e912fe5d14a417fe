package copilot

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"

	"sallyport/console/safetext"
)

// stdio is MCP over the standard input and output of a child, one JSON object a
// line. It trusts the child with nothing: a line has a bound, a line that is not JSON
// ends the connection at once and fails all calls, a write has a deadline, and what
// nobody asked for is counted.
type stdio struct {
	child *process

	pending map[string]chan *transport.JSONRPCResponse
	mu      sync.Mutex
	cause   error         // why it ended; set before done is closed
	done    chan struct{} // closed when no more replies will come
	writing chan struct{} // holds one token: who has it may write
	answers chan []byte   // to requests of the child, to be written
	workers sync.WaitGroup
	unasked unasked // owned by the reader
}

const (
	maxAnswers   = 16              // that wait; a child that asks more gets none
	writeTimeout = 5 * time.Second // for one message to a child that does not read
	garbageShown = 80              // bytes of a bad line in the reason
)

// errUnsent says that the peer has not got the request: it may be sent again.
var errUnsent = errors.New("not sent")

var errClosed = errors.New("connection to the copilot was closed")

func newStdio(p *process) *stdio {
	s := &stdio{
		child:   p,
		pending: map[string]chan *transport.JSONRPCResponse{},
		done:    make(chan struct{}),
		writing: make(chan struct{}, 1),
		answers: make(chan []byte, maxAnswers),
	}
	s.writing <- struct{}{}
	return s
}

// Start starts the child. It lives until Close, not until ctx ends.
func (s *stdio) Start(context.Context) error {
	if err := s.child.start(); err != nil {
		return err
	}
	s.workers.Go(s.read)
	s.workers.Go(s.writeAnswers)
	return nil
}

// Close ends the child and all its processes, and fails what still waits.
func (s *stdio) Close() error {
	s.fail(errClosed)
	s.child.end()
	s.workers.Wait()
	return nil
}

func (s *stdio) GetSessionId() string { return "" }

// SetNotificationHandler does nothing: Linus has nothing to say without being asked.
func (s *stdio) SetNotificationHandler(func(mcp.JSONRPCNotification)) {}

// SendRequest implements transport.Interface.
func (s *stdio) SendRequest(ctx context.Context, r transport.JSONRPCRequest) (*transport.JSONRPCResponse, error) {
	frame, err := json.Marshal(r)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errUnsent, err)
	}
	reply := make(chan *transport.JSONRPCResponse, 1)
	key := r.ID.String()
	s.expect(key, reply)
	defer s.forget(key)
	if err := s.write(ctx, frame); err != nil {
		return nil, err
	}
	return s.await(ctx, reply)
}

func (s *stdio) await(ctx context.Context, reply <-chan *transport.JSONRPCResponse) (*transport.JSONRPCResponse, error) {
	select {
	case r := <-reply:
		return r, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-s.done:
	}
	select { // it may have come just before the end
	case r := <-reply:
		return r, nil
	default:
		return nil, s.reason()
	}
}

// SendNotification implements transport.Interface.
func (s *stdio) SendNotification(ctx context.Context, n mcp.JSONRPCNotification) error {
	frame, err := json.Marshal(n)
	if err != nil {
		return err
	}
	return s.write(ctx, frame)
}

// write sends one line. A line that was not written whole is not one that the child
// can act on, so the error is an errUnsent; but nothing can follow it.
func (s *stdio) write(ctx context.Context, frame []byte) error {
	select {
	case <-s.writing:
	case <-s.done:
		return fmt.Errorf("%w: %w", errUnsent, s.reason())
	case <-ctx.Done():
		return fmt.Errorf("%w: %w", errUnsent, ctx.Err())
	}
	defer func() { s.writing <- struct{}{} }()
	if err := s.child.write(append(frame, '\n'), writeTimeout); err != nil {
		s.fail(unreadBy(err))
		return fmt.Errorf("%w: %w", errUnsent, s.reason())
	}
	return nil
}

func unreadBy(err error) error {
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return fmt.Errorf("the copilot does not read its input (waited %v)", writeTimeout)
	}
	return fmt.Errorf("cannot write to the copilot: %w", err)
}

// read takes lines until the child ends or does something that it must not.
func (s *stdio) read() {
	in := bufio.NewReaderSize(s.child.stdout, 64<<10)
	for {
		line, err := readLine(in, MaxReply)
		if err == nil {
			err = s.take(line)
		}
		if err != nil {
			s.fail(s.why(err))
			return
		}
	}
}

// why says why there is nothing more to read.
func (s *stdio) why(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, os.ErrClosed) {
		return s.child.obituary()
	}
	return err
}

// readLine gives the next line without its end. It holds at most limit bytes.
func readLine(in *bufio.Reader, limit int) ([]byte, error) {
	var line []byte
	for {
		part, err := in.ReadSlice('\n')
		if len(line)+len(part) > limit+1 {
			return nil, fmt.Errorf("the copilot sent a line of more than %d bytes", limit)
		}
		line = append(line, part...)
		if err == nil {
			return bytes.TrimRight(line, "\r\n"), nil
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return nil, err
		}
	}
}

// routed is a line as far as it must be known to route it.
type routed struct {
	ID     *mcp.RequestId `json:"id"`
	Method string         `json:"method"`
}

// take routes one line. An error ends the connection.
func (s *stdio) take(line []byte) error {
	if len(line) == 0 {
		return s.unasked.count()
	}
	var m routed
	if err := json.Unmarshal(line, &m); err != nil {
		return fmt.Errorf("the copilot sent something that is not JSON-RPC: %s", shown(line))
	}
	switch {
	case m.Method != "" && m.ID != nil:
		s.refuse(*m.ID, m.Method)
		return s.unasked.count()
	case m.Method != "":
		return s.unasked.count()
	}
	return s.deliver(line)
}

func shown(line []byte) string {
	cut := line[:min(len(line), garbageShown)]
	return safetext.Line(string(bytes.ToValidUTF8(cut, []byte("?"))))
}

// deliver gives a reply to the call that waits for it. A reply to no call is dropped:
// that call has timed out.
func (s *stdio) deliver(line []byte) error {
	var r transport.JSONRPCResponse
	if err := json.Unmarshal(line, &r); err != nil {
		return fmt.Errorf("the copilot sent something that is not JSON-RPC: %s", shown(line))
	}
	s.mu.Lock()
	reply, ok := s.pending[r.ID.String()]
	delete(s.pending, r.ID.String())
	s.mu.Unlock()
	if !ok {
		return s.unasked.count()
	}
	reply <- &r
	return nil
}

// refuse answers a request of the child: a ping with a pong, everything else with
// "no such method". The reader does not wait until it is written.
func (s *stdio) refuse(id mcp.RequestId, method string) {
	answer := transport.JSONRPCResponse{JSONRPC: mcp.JSONRPC_VERSION, ID: id, Result: json.RawMessage(`{}`)}
	if method != string(mcp.MethodPing) {
		answer.Result = nil
		answer.Error = &mcp.JSONRPCErrorDetails{Code: mcp.METHOD_NOT_FOUND, Message: "the console answers no requests"}
	}
	frame, err := json.Marshal(answer)
	if err != nil {
		return
	}
	select {
	case s.answers <- frame:
	default:
	}
}

// writeAnswers writes them until the connection ends.
func (s *stdio) writeAnswers() {
	for {
		select {
		case frame := <-s.answers:
			_ = s.write(context.Background(), frame) // if that fails the connection has ended
		case <-s.done:
			return
		}
	}
}

func (s *stdio) expect(key string, reply chan *transport.JSONRPCResponse) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pending[key] = reply
}

func (s *stdio) forget(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.pending, key)
}

// fail ends the connection for the first reason that is given.
func (s *stdio) fail(cause error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cause == nil {
		s.cause = cause
		close(s.done)
	}
}

func (s *stdio) reason() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.cause
}

// unasked counts lines that are no reply. A child that floods is ended.
type unasked struct {
	lines int
	since time.Time
}

const (
	maxUnasked    = 1000
	unaskedWindow = 10 * time.Second
)

func (u *unasked) count() error {
	if now := time.Now(); now.Sub(u.since) > unaskedWindow {
		u.lines, u.since = 0, now
	}
	if u.lines++; u.lines > maxUnasked {
		return fmt.Errorf("the copilot sent more than %d lines in %v that nobody asked for", maxUnasked, unaskedWindow)
	}
	return nil
}

// ended gives a channel that gets the reason when the connection has ended.
func (s *stdio) ended() <-chan error {
	lost := make(chan error, 1)
	go func() {
		<-s.done
		lost <- s.reason()
	}()
	return lost
}
