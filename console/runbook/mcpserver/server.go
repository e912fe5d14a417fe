// Package mcpserver shows an answerer to the console as an MCP server: the four
// tools of Linus, over standard input and output or streamable HTTP.
//
// A tool's answer is one envelope, as structured content and, for clients of older
// protocols, as the same JSON in text. An answerer that fails gives a tool error, not
// a broken connection. Nothing is kept here; sessions are the answerer's.
package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"sallyport/console/runbook"
)

// Name is what the server calls itself.
const Name = "linus"

// New makes the server. The version is what it tells clients.
func New(a runbook.Answerer, version string) *server.MCPServer {
	s := server.NewMCPServer(Name, version, server.WithToolCapabilities(false), server.WithRecovery())
	for _, t := range tools {
		s.AddTool(t.describe(), handler(a, t.kind))
	}
	return s
}

// ServeStdio serves s, a line a message, until in ends or ctx does.
func ServeStdio(ctx context.Context, s *server.MCPServer, in io.Reader, out, errs io.Writer) error {
	stdio := server.NewStdioServer(s)
	stdio.SetErrorLogger(log.New(errs, Name+": ", 0))
	return stdio.Listen(ctx, in, out)
}

// tool is one of the four.
type tool struct {
	kind  runbook.Kind
	says  string
	input func() (*jsonschema.Schema, error)
}

var tools = []tool{
	{runbook.Chat, "The operator says something to Linus.", schemaOf[chatInput]},
	{runbook.Update, "New output in a session, gathered over a second.", schemaOf[updateInput]},
	{runbook.Executed, "A command was run in a session. _meta.final is false while it still runs.", schemaOf[executedInput]},
	{runbook.State, "A session was connected, ended or failed.", schemaOf[stateInput]},
}

func schemaOf[T any]() (*jsonschema.Schema, error) {
	return jsonschema.For[T](&jsonschema.ForOptions{})
}

// describe gives the tool as the protocol shows it.
func (t tool) describe() mcp.Tool {
	s, err := t.input()
	if err != nil {
		panic("mcpserver: schema of " + string(t.kind) + ": " + err.Error())
	}
	s.AdditionalProperties = nil // a newer console may say more
	raw, err := json.Marshal(s)
	if err != nil {
		panic("mcpserver: schema of " + string(t.kind) + ": " + err.Error())
	}
	d := mcp.NewToolWithRawSchema(string(t.kind), t.says, raw)
	readOnly := true
	d.Annotations.ReadOnlyHint = &readOnly
	return d
}

func handler(a runbook.Answerer, kind runbook.Kind) server.ToolHandlerFunc {
	return func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		call, err := decode(kind, req)
		if err != nil {
			return mcp.NewToolResultError(err.Error()), nil
		}
		env, err := a.Answer(ctx, call)
		if err != nil {
			return mcp.NewToolResultError(err.Error()), nil
		}
		return mcp.NewToolResultJSON(env)
	}
}

func decode(kind runbook.Kind, req mcp.CallToolRequest) (runbook.Call, error) {
	c := runbook.Call{}
	raw, err := json.Marshal(req.GetRawArguments())
	if err != nil {
		return c, err
	}
	if err := json.Unmarshal(raw, &c); err != nil {
		return c, fmt.Errorf("arguments of %s: %w", kind, err)
	}
	c.Kind, c.Final = kind, true
	if m := req.Params.Meta; m != nil {
		if final, ok := m.AdditionalFields["final"].(bool); ok {
			c.Final = final
		}
	}
	return c, nil
}
