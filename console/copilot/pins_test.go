package copilot

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"sallyport/audit"
)

func TestToolsArePinnedOnFirstUse(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pins.json")
	first := map[string]string{"linus_chat": "1", "linus_session_state": "2"}
	for _, c := range []struct {
		name, server string
		tools        map[string]string
		want         string
	}{
		{"first use", "a", first, ""},
		{"the same", "a", first, ""},
		{"another server", "b", map[string]string{"linus_chat": "9"}, ""},
		{"changed, gone and new", "a", map[string]string{"linus_chat": "7", "linus_new": "3"}, "linus_chat linus_new linus_session_state"},
		{"told once", "a", map[string]string{"linus_chat": "7", "linus_new": "3"}, ""},
	} {
		p := &pins{path: path} // as after a restart
		got, err := p.compare(c.server, c.tools)
		if err != nil || strings.Join(got, " ") != c.want {
			t.Errorf("%s: %q, %v", c.name, got, err)
		}
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}

func TestDamagedPinsAreSaid(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pins.json")
	if err := os.WriteFile(path, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	p := &pins{path: path}
	if _, err := p.compare("a", nil); err == nil || !strings.Contains(err.Error(), path) {
		t.Error(err)
	}
}

func TestAToolsHashCoversWhatItSays(t *testing.T) {
	tool := func(name, description, schema string) mcp.Tool {
		return mcp.NewToolWithRawSchema(name, description, json.RawMessage(schema))
	}
	base := hashTool(tool("a", "b", `{"type":"object"}`))
	for what, other := range map[string]mcp.Tool{
		"name": tool("x", "b", `{"type":"object"}`), "description": tool("a", "x", `{"type":"object"}`),
		"schema": tool("a", "b", `{"type":"object","required":["x"]}`),
	} {
		if hashTool(other) == base {
			t.Errorf("another %s has the same hash", what)
		}
	}
	_, one := hashTools([]mcp.Tool{tool("a", "", "{}"), tool("b", "", "{}")})
	_, two := hashTools([]mcp.Tool{tool("b", "", "{}"), tool("a", "", "{}")})
	if one != two {
		t.Error("the order of the tools matters")
	}
}

// TestChangedToolsAreShownAndRecorded reconnects to a server that shows other tools.
func TestChangedToolsAreShownAndRecorded(t *testing.T) {
	withLinus(t, func(t *testing.T, f *fakeLinus, r *rig) {
		f.mu.Lock()
		f.tools = []string{"linus_chat", "linus_shell"}
		f.mu.Unlock()
		f.hangUp(nil)
		waitOnline(r)
		said := r.said(Notice)
		if len(said) != 1 || !strings.Contains(said[0], "linus_shell") {
			t.Errorf("said %q", said)
		}
		var changed []bool
		r.record.mu.Lock()
		for _, e := range r.record.events {
			if raw, err := json.Marshal(e); err == nil && e.Kind() == audit.KindMCPOnline {
				changed = append(changed, strings.Contains(string(raw), `"changed":true`))
			}
		}
		r.record.mu.Unlock()
		same(t, "recorded changes", changed, []bool{false, true})
	})
}

// TestASessionThatOpensLaterIsToldToo: a console connects to Linus before any host.
func TestASessionThatOpensLaterIsToldToo(t *testing.T) {
	withLinus(t, func(t *testing.T, f *fakeLinus, r *rig) {
		f.mu.Lock()
		f.tools = []string{"linus_chat"}
		for i := range 20 {
			f.tools = append(f.tools, fmt.Sprint("tool_", i))
		}
		f.mu.Unlock()
		f.hangUp(nil)
		waitOnline(r)
		chat := r.client.Session(SessionConfig{}).State().Chat
		if len(chat) != 1 || !strings.Contains(string(chat[0].Text), "and 15 more") {
			t.Errorf("said %+v", chat)
		}
	})
}

func TestAServerThatListsTooMuch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fakeLinus{tools: []string{"linus_chat"}}
		for i := range maxTools {
			f.tools = append(f.tools, fmt.Sprint("tool_", i))
		}
		r := newRig(t, f)
		synctest.Wait()
		if st := r.session.State(); st.Online || !strings.Contains(st.Reason, "more than 256 tools") {
			t.Errorf("%+v", st)
		}
	})
}

// addTools gives a server the four tools.
func addTools(s *server.MCPServer) {
	for _, name := range allTools {
		s.AddTool(mcp.NewTool(string(name)), echo)
	}
}
