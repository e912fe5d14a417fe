package copilot

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"

	"sallyport/audit"
)

// dialer makes a transport that was not started yet.
type dialer interface {
	dial() (transport.Interface, error)
	kind() string // "stdio" or "http"
	name() string // what the pins are kept under
}

// link is a connection on which the handshake has succeeded.
type link struct {
	mcp     *client.Client
	kind    string
	server  mcp.Implementation
	tools   map[tool]bool
	hashes  map[string]string // of each tool
	hash    audit.Hash        // of all of them
	changes []string          // tools that differ from what was pinned

	pinProblem error        // why the tools could not be compared
	lost       <-chan error // gives the reason when the peer goes; nil where that shows only in calls
}

// connectTimeout bounds the handshake.
const connectTimeout = 20 * time.Second

// version is what the console calls itself; the protocol wants one.
const version = "1"

// connect makes a link within connectTimeout.
func connect(ctx context.Context, d dialer) (*link, error) {
	tr, err := d.dial()
	if err != nil {
		return nil, err
	}
	l := &link{mcp: client.NewClient(tr), kind: d.kind()}
	ctx, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	if err := l.shakeHands(ctx, tr); err != nil {
		l.close()
		return nil, late(err, connectTimeout)
	}
	return l, nil
}

// late says how long was waited, when that is the reason.
func late(err error, waited time.Duration) error {
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("no answer within %v: %w", waited, context.DeadlineExceeded)
	}
	return err
}

func (l *link) shakeHands(ctx context.Context, tr transport.Interface) error {
	// A child outlives the handshake, so it is not started under ctx.
	if err := l.mcp.Start(context.WithoutCancel(ctx)); err != nil {
		return err
	}
	if s, ok := tr.(interface{ ended() <-chan error }); ok {
		l.lost = s.ended()
	}
	var hello mcp.InitializeRequest
	hello.Params.ClientInfo = mcp.Implementation{Name: "sallyport", Version: version}
	welcome, err := l.mcp.Initialize(ctx, hello)
	if err != nil {
		return err
	}
	l.server = mcp.Implementation{Name: cutLine(welcome.ServerInfo.Name, maxServer), Version: cutLine(welcome.ServerInfo.Version, maxServer)}
	return l.learnTools(ctx)
}

// What a server may list.
const (
	maxPages    = 20
	maxTools    = 256
	maxToolName = 128
	maxServer   = 128 // of its name and version
)

func (l *link) learnTools(ctx context.Context) error {
	var listed []mcp.Tool
	var ask mcp.ListToolsRequest
	for range maxPages {
		got, err := l.mcp.ListToolsByPage(ctx, ask)
		if err != nil {
			return err
		}
		listed = append(listed, got.Tools...)
		if len(listed) > maxTools {
			return fmt.Errorf("the server lists more than %d tools: it is no Linus", maxTools)
		}
		if ask.Params.Cursor = got.NextCursor; ask.Params.Cursor == "" {
			break
		}
	}
	l.hashes, l.hash = hashTools(listed)
	l.tools = map[tool]bool{}
	for _, t := range listed {
		if len(t.Name) > maxToolName {
			return fmt.Errorf("the server has a tool whose name is longer than %d bytes: it is no Linus", maxToolName)
		}
		l.tools[tool(t.Name)] = true
	}
	if !l.tools[toolChat] {
		return fmt.Errorf("the server has no tool %s: it is no Linus", toolChat)
	}
	return nil
}

// errFailed is a call that the server itself answered with an error.
var errFailed = errors.New("the copilot answered with an error")

// call calls one tool and gives the envelope's bytes.
func (l *link) call(ctx context.Context, a arguments, m *meta) ([]byte, error) {
	var req mcp.CallToolRequest
	req.Params.Name = string(a.tool())
	req.Params.Arguments = a
	req.Params.Meta = m.mcp()
	res, err := l.mcp.CallTool(ctx, req)
	if err != nil {
		return nil, err
	}
	raw, err := envelopeBytes(res)
	if err != nil {
		return nil, err
	}
	if res.IsError {
		return raw, fmt.Errorf("%w: %s", errFailed, shown(raw))
	}
	return raw, nil
}

// envelopeBytes takes the envelope from a result: structured content, else the first
// text. A result without either is an empty envelope.
func envelopeBytes(res *mcp.CallToolResult) ([]byte, error) {
	if len(res.RawStructuredContent) > 0 && string(res.RawStructuredContent) != "null" {
		return res.RawStructuredContent, nil
	}
	if res.StructuredContent != nil {
		return json.Marshal(res.StructuredContent)
	}
	for _, c := range res.Content {
		if t, ok := c.(mcp.TextContent); ok {
			return []byte(t.Text), nil
		}
	}
	return []byte(`{}`), nil
}

func (l *link) close() { l.mcp.Close() }
