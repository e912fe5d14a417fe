package mcpserver

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"sallyport/console/copilot"
	"sallyport/console/runbook"
)

// answers is an answerer that keeps what it is asked.
type answers struct {
	asked []runbook.Call
	env   copilot.Envelope
	err   error
}

func (a *answers) Answer(_ context.Context, c runbook.Call) (copilot.Envelope, error) {
	a.asked = append(a.asked, c)
	return a.env, a.err
}

const hello = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","clientInfo":{"name":"t","version":"1"},"capabilities":{}}}`

// ask sends one request after the handshake and gives the reply to it. The
// input ends when that is there: a client that left needs none.
func ask(t *testing.T, a runbook.Answerer, method, params string) map[string]any {
	t.Helper()
	in, requests := io.Pipe()
	replies, out := io.Pipe()
	served := make(chan error, 1)
	var errs bytes.Buffer
	go func() {
		served <- ServeStdio(t.Context(), New(a, "1"), in, out, &errs)
		out.Close()
	}()
	go fmt.Fprintf(requests, hello+"\n"+`{"jsonrpc":"2.0","id":1,"method":%q,"params":%s}`+"\n", method, params)
	var found map[string]any
	for lines := bufio.NewScanner(replies); lines.Scan(); {
		var reply map[string]any
		if err := json.Unmarshal(lines.Bytes(), &reply); err != nil {
			t.Fatalf("%v: %s", err, lines.Text())
		}
		if reply["id"] == 1.0 {
			found = reply
			requests.Close()
		}
	}
	if err := <-served; err != nil || found == nil {
		t.Fatalf("no reply: %v %s", err, errs.String())
	}
	return found
}

func TestToolsHandOverWhatTheyAreGiven(t *testing.T) {
	three := 3
	for _, c := range []struct {
		params string
		want   runbook.Call
	}{
		{
			`{"name":"linus_chat","arguments":{"session_id":"s","message":"m","context":{"ssh_host":"u@h","ssh_user":"u","connected":true,"terminal_tail":"t","cwd":"/","last_command":"l","last_exit_code":3}}}`,
			runbook.Call{Kind: runbook.Chat, Session: "s", Message: "m", Final: true, Context: runbook.Context{
				Host: "u@h", User: "u", Connected: true, TerminalTail: "t", Cwd: "/", LastCommand: "l", LastExit: &three,
			}},
		},
		{
			`{"name":"linus_terminal_update","arguments":{"session_id":"s","new_output":"o","terminal_tail":"t","context":{}}}`,
			runbook.Call{Kind: runbook.Update, Session: "s", NewOutput: "o", TerminalTail: "t", Final: true},
		},
		{
			`{"name":"linus_command_executed","arguments":{"session_id":"s","command":"c","source":"suggested","suggestion_id":"i","was_edited":true,"output":"o","exit_code":3,"context":{}},"_meta":{"command_id":"1","final":true}}`,
			runbook.Call{Kind: runbook.Executed, Session: "s", Command: "c", Source: "suggested", Suggestion: "i", Edited: true, Output: "o", Exit: &three, Final: true},
		},
		{
			`{"name":"linus_command_executed","arguments":{"session_id":"s","command":"c","source":"user_typed","output":"","exit_code":null,"context":{}},"_meta":{"final":false}}`,
			runbook.Call{Kind: runbook.Executed, Session: "s", Command: "c", Source: "user_typed"},
		},
		{
			`{"name":"linus_session_state","arguments":{"session_id":"s","event":"connected","context":{},"from_a_newer_console":1}}`,
			runbook.Call{Kind: runbook.State, Session: "s", Event: "connected", Final: true},
		},
	} {
		a := &answers{}
		reply := ask(t, a, "tools/call", c.params)
		if len(a.asked) != 1 {
			t.Errorf("%s: %v", c.params, reply)
			continue
		}
		got, _ := json.Marshal(a.asked[0])
		want, _ := json.Marshal(c.want)
		if string(got) != string(want) || a.asked[0].Kind != c.want.Kind || a.asked[0].Final != c.want.Final {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

func TestAnAnswerIsStructuredAndTheSameAsText(t *testing.T) {
	a := &answers{env: copilot.Envelope{Chat: &copilot.ChatResponse{Message: "hi <there>"}}}
	result := ask(t, a, "tools/call", `{"name":"linus_chat","arguments":{"session_id":"s","message":"m","context":{}}}`)["result"].(map[string]any)
	structured, _ := json.Marshal(result["structuredContent"])
	text := result["content"].([]any)[0].(map[string]any)["text"].(string)
	for _, raw := range []string{string(structured), text} {
		env, err := copilot.Parse([]byte(raw))
		if err != nil || env.Chat == nil || env.Chat.Message != "hi <there>" {
			t.Errorf("%s: %v", raw, err)
		}
	}
}

func TestAnAnswererThatFailsIsAToolError(t *testing.T) {
	a := &answers{err: errors.New("out of ideas")}
	reply := ask(t, a, "tools/call", `{"name":"linus_chat","arguments":{"session_id":"s","message":"m","context":{}}}`)
	if raw := fmt.Sprint(reply["result"]); !strings.Contains(raw, "isError:true") || !strings.Contains(raw, "out of ideas") {
		t.Error(raw)
	}
	if reply := ask(t, a, "tools/call", `{"name":"linus_chat","arguments":{"session_id":5}}`); !strings.Contains(fmt.Sprint(reply), "session_id") {
		t.Errorf("arguments of the wrong type: %v", reply)
	}
}

func TestTheFourToolsAreListedWithTheirInputs(t *testing.T) {
	raw, err := json.Marshal(ask(t, &answers{}, "tools/list", `{}`)["result"])
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`"name":"linus_chat"`, `"name":"linus_terminal_update"`, `"name":"linus_command_executed"`, `"name":"linus_session_state"`,
		`"readOnlyHint":true`, `"required":["session_id","message","context"]`,
	} {
		if !strings.Contains(string(raw), want) {
			t.Errorf("%s is not in %s", want, raw)
		}
	}
}
