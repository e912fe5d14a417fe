package copilot

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"

	"sallyport/audit"
	"sallyport/redact"
)

// fakeLinus is a server in memory. It speaks the protocol as bytes, so what it got is
// what would have been on the wire.
type fakeLinus struct {
	// answer gives the envelope of a call, or a value that is none. nil: {}.
	answer func(ctx context.Context, c got) (any, error)
	tools  []string // nil: all four

	mu    sync.Mutex
	down  error // connecting fails with it
	dials int
	calls []got
	live  []*fakeConn
}

// got is one call as it arrived.
type got struct {
	Tool string          `json:"name"`
	Raw  json.RawMessage `json:"arguments"`
	Meta map[string]any  `json:"_meta"`
}

func (g got) args(t *testing.T) map[string]any {
	t.Helper()
	var m map[string]any
	if err := json.Unmarshal(g.Raw, &m); err != nil {
		t.Fatal(err)
	}
	return m
}

func (f *fakeLinus) kind() string { return "stdio" }
func (f *fakeLinus) name() string { return "fake" }

func (f *fakeLinus) dial() (transport.Interface, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.dials++
	if f.down != nil {
		return nil, f.down
	}
	c := &fakeConn{server: f, gone: make(chan struct{})}
	f.live = append(f.live, c)
	return c, nil
}

// hangUp ends every connection. New ones fail with down, if it is not nil.
func (f *fakeLinus) hangUp(down error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.down = down
	for _, c := range f.live {
		c.end()
	}
	f.live = nil
}

func (f *fakeLinus) comeBack() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.down = nil
}

// of gives the calls of one tool so far.
func (f *fakeLinus) of(t tool) []got {
	f.mu.Lock()
	defer f.mu.Unlock()
	var out []got
	for _, c := range f.calls {
		if c.Tool == string(t) {
			out = append(out, c)
		}
	}
	return out
}

type fakeConn struct {
	server *fakeLinus
	once   sync.Once
	gone   chan struct{}
}

var errHungUp = errors.New("the peer hung up")

func (c *fakeConn) end()                                                            { c.once.Do(func() { close(c.gone) }) }
func (c *fakeConn) Start(context.Context) error                                     { return nil }
func (c *fakeConn) Close() error                                                    { c.end(); return nil }
func (c *fakeConn) GetSessionId() string                                            { return "" }
func (c *fakeConn) SetNotificationHandler(func(mcp.JSONRPCNotification))            {}
func (c *fakeConn) SendNotification(context.Context, mcp.JSONRPCNotification) error { return nil }

func (c *fakeConn) ended() <-chan error {
	lost := make(chan error, 1)
	go func() { <-c.gone; lost <- errHungUp }()
	return lost
}

func (c *fakeConn) SendRequest(ctx context.Context, r transport.JSONRPCRequest) (*transport.JSONRPCResponse, error) {
	params, err := json.Marshal(r.Params)
	if err != nil {
		return nil, err
	}
	type outcome struct {
		res any
		err error
	}
	done := make(chan outcome, 1)
	go func() {
		res, err := c.server.handle(ctx, r.Method, params)
		done <- outcome{res, err}
	}()
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-c.gone:
		return nil, errHungUp
	case o := <-done:
		return respond(r.ID, o.res, o.err)
	}
}

func respond(id mcp.RequestId, res any, err error) (*transport.JSONRPCResponse, error) {
	out := &transport.JSONRPCResponse{JSONRPC: mcp.JSONRPC_VERSION, ID: id}
	if err != nil {
		out.Error = &mcp.JSONRPCErrorDetails{Code: mcp.METHOD_NOT_FOUND, Message: err.Error()}
		return out, nil
	}
	out.Result, err = json.Marshal(res)
	return out, err
}

func (f *fakeLinus) handle(ctx context.Context, method string, params []byte) (any, error) {
	switch method {
	case "initialize":
		return map[string]any{
			"protocolVersion": "2025-06-18", "capabilities": map[string]any{"tools": map[string]any{}},
			"serverInfo": map[string]any{"name": "fake", "version": "7"},
		}, nil
	case "tools/list":
		return map[string]any{"tools": f.listed()}, nil
	case "tools/call":
		return f.called(ctx, params)
	default:
		return nil, fmt.Errorf("no method %s", method)
	}
}

func (f *fakeLinus) listed() []map[string]any {
	names := f.tools
	if names == nil {
		for _, t := range allTools {
			names = append(names, string(t))
		}
	}
	var out []map[string]any
	for _, n := range names {
		out = append(out, map[string]any{"name": n, "description": n, "inputSchema": map[string]any{"type": "object"}})
	}
	return out
}

func (f *fakeLinus) called(ctx context.Context, params []byte) (any, error) {
	var g got
	if err := json.Unmarshal(params, &g); err != nil {
		return nil, err
	}
	f.mu.Lock()
	f.calls = append(f.calls, g)
	f.mu.Unlock()
	var env any = map[string]any{}
	if f.answer != nil {
		got, err := f.answer(ctx, g)
		if err != nil {
			return nil, err
		}
		if got != nil {
			env = got
		}
	}
	if text, ok := env.(string); ok {
		return map[string]any{"content": []any{map[string]any{"type": "text", "text": text}}}, nil
	}
	return map[string]any{"content": []any{}, "structuredContent": env}, nil
}

// memory is a Recorder that keeps what it gets.
type memory struct {
	mu     sync.Mutex
	fail   error
	events []audit.Event
}

func (m *memory) Append(_ context.Context, ev ...audit.Event) ([]audit.Receipt, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.fail != nil {
		return nil, m.fail
	}
	m.events = append(m.events, ev...)
	return make([]audit.Receipt, len(ev)), nil
}

func (m *memory) kinds() []audit.Kind {
	m.mu.Lock()
	defer m.mu.Unlock()
	var out []audit.Kind
	for _, e := range m.events {
		out = append(out, e.Kind())
	}
	return out
}

// rig is a client that runs against a fakeLinus, with one session.
type rig struct {
	*fakeLinus
	client  *Client
	session *Session
	record  *memory
	now     Context
	sends   Sends
}

// newRig starts a client. Call it inside of a synctest bubble or not.
func newRig(t *testing.T, f *fakeLinus) *rig {
	t.Helper()
	r := &rig{fakeLinus: f, record: &memory{}, sends: SendTail, now: Context{
		Host: redact.Literal("root@web-1"), User: redact.Literal("root"), Connected: true,
		Tail: redact.Literal("root@web-1:~# \n"), Cwd: redact.Literal("/root"),
	}}
	r.client = newClient(Config{
		Redactor: redact.New(redact.Config{}), Recorder: r.record, OnChange: func() {}, Log: discard,
	}, f)
	id, err := redact.ID("s-1")
	if err != nil {
		t.Fatal(err)
	}
	r.session = r.client.Session(SessionConfig{
		ID: id, Context: func() Context { return r.now }, Sends: func() Sends { return r.sends },
	})
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); r.client.Run(ctx) }()
	t.Cleanup(func() { stop(); <-done })
	return r
}

// withLinus does something, in a bubble, with a session of a Linus that is there
// and has nothing to say.
func withLinus(t *testing.T, do func(*testing.T, *fakeLinus, *rig)) {
	synctest.Test(t, func(t *testing.T) {
		f := &fakeLinus{}
		r := newRig(t, f)
		synctest.Wait()
		do(t, f, r)
	})
}

// withSuggestion is withLinus, who has suggested df -h under the id a.
func withSuggestion(t *testing.T, do func(*testing.T, *fakeLinus, *rig)) {
	withLinus(t, func(t *testing.T, f *fakeLinus, r *rig) {
		f.answer = func(context.Context, got) (any, error) { return suggest("a", "df -h"), nil }
		r.session.Chat(redact.Literal("hello"))
		synctest.Wait()
		do(t, f, r)
	})
}

func (r *rig) chat() []Message { return r.session.State().Chat }

func (r *rig) ids() []string {
	var ids []string
	for _, s := range r.session.State().Suggestions {
		ids = append(ids, s.ID)
	}
	return ids
}

func (r *rig) said(from Author) []string {
	var out []string
	for _, m := range r.chat() {
		if m.From == from {
			out = append(out, string(m.Text))
		}
	}
	return out
}

func (r *rig) deliveries() []Delivery {
	var out []Delivery
	for _, m := range r.chat() {
		if m.From == Operator {
			out = append(out, m.Delivery)
		}
	}
	return out
}

func same[T comparable](t *testing.T, what string, got, want []T) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

// echo answers a chat message with itself.
func echo(_ context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	if message, ok := req.GetArguments()["message"].(string); ok {
		return mcp.NewToolResultJSON(map[string]any{"chat_response": map[string]any{"message": "you said " + message}})
	}
	return mcp.NewToolResultJSON(map[string]any{})
}

// waitOnline lets a bubble's time pass until the client is back.
func waitOnline(r *rig) {
	for range 100 {
		time.Sleep(time.Second)
		if r.session.State().Online {
			return
		}
	}
}
