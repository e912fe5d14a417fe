package copilot

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"sallyport/audit"
	"sallyport/redact"
)

var discard = slog.New(slog.DiscardHandler)

// suggest is an envelope with commands, by id.
func suggest(pairs ...string) map[string]any {
	var cs []any
	for i := 0; i+1 < len(pairs); i += 2 {
		cs = append(cs, map[string]any{"id": pairs[i], "command": pairs[i+1], "risk": "low"})
	}
	return map[string]any{"suggested_commands": map[string]any{"commands": cs}}
}

func reply(message string) map[string]any {
	return map[string]any{"chat_response": map[string]any{"message": message}}
}

func text(t *testing.T, s string) redact.Text {
	t.Helper()
	out, _ := redact.New(redact.Config{}).Text(s)
	return out
}

func TestChatIsSentAtOnceWithWhatIsKnown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fakeLinus{answer: func(context.Context, got) (any, error) { return reply("hello"), nil }}
		r := newRig(t, f)
		three := 3
		r.now.LastCommand, r.now.LastExit = redact.Literal("df -h"), &three
		synctest.Wait()
		if err := r.session.Chat(redact.Literal("what is wrong")); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		calls := f.of(toolChat)
		if len(calls) != 1 {
			t.Fatalf("%d calls", len(calls))
		}
		args := calls[0].args(t)
		if args["session_id"] != "s-1" || args["message"] != "what is wrong" {
			t.Errorf("arguments are %s", calls[0].Raw)
		}
		want := map[string]any{
			"ssh_host": "root@web-1", "ssh_user": "root", "connected": true, "terminal_tail": "root@web-1:~#",
			"cwd": "/root", "last_command": "df -h", "last_exit_code": 3.0,
		}
		if got := fmt.Sprint(args["context"]); got != fmt.Sprint(want) {
			t.Errorf("context is %v, want %v", got, want)
		}
		same(t, "Linus", r.said(Linus), []string{"hello"})
		same(t, "own messages", r.deliveries(), []Delivery{Sent})
	})
}

func TestWhatIsUnknownIsLeftOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fakeLinus{}
		r := newRig(t, f)
		r.now = Context{}
		synctest.Wait()
		r.session.Chat(redact.Literal("hello"))
		synctest.Wait()
		if got := string(f.of(toolChat)[0].Raw); got != `{"session_id":"s-1","message":"hello","context":{"connected":false}}` {
			t.Error(got)
		}
	})
}

// TestOutputGoesOutAtMostOnceASecond sends a hundred bits of output in two seconds.
func TestOutputGoesOutAtMostOnceASecond(t *testing.T) {
	withLinus(t, func(t *testing.T, f *fakeLinus, r *rig) {
		for i := range 100 {
			r.session.Update(text(t, fmt.Sprintf("line %d\n", i)))
			time.Sleep(20 * time.Millisecond)
		}
		time.Sleep(5 * time.Second)
		calls := f.of(toolUpdate)
		if len(calls) < 2 || len(calls) > 3 {
			t.Errorf("%d updates in two seconds", len(calls))
		}
		var all strings.Builder
		for _, c := range calls {
			all.WriteString(c.args(t)["new_output"].(string))
		}
		if n := strings.Count(all.String(), "line "); n != 100 {
			t.Errorf("%d of 100 lines arrived", n)
		}
		if got := fmt.Sprint(calls[0].args(t)["context"]); got != "map[cwd:/root ssh_host:root@web-1 ssh_user:root]" {
			t.Errorf("context of an update is %s", got)
		}
	})
}

func TestNothingNewIsNotSent(t *testing.T) {
	withLinus(t, func(t *testing.T, f *fakeLinus, r *rig) {
		r.session.Update(redact.Text{})
		time.Sleep(3 * time.Second)
		if n := len(f.of(toolUpdate)); n != 0 {
			t.Errorf("%d empty updates", n)
		}
	})
}

func TestACommandIsToldOfWhenItEnds(t *testing.T) {
	withLinus(t, func(t *testing.T, f *fakeLinus, r *rig) {
		zero := 0
		c := Command{Seq: 9, Line: redact.Literal("ls"), Source: Suggested, Suggestion: redact.Literal("cmd_1"), Edited: true}
		r.session.Started(c)
		c.Output, c.Exit = redact.Literal("a\nb\n"), &zero
		r.session.Ended(c)
		synctest.Wait()
		calls := f.of(toolExecuted)
		if len(calls) != 1 {
			t.Fatalf("%d calls", len(calls))
		}
		want := `{"session_id":"s-1","command":"ls","source":"suggested","suggestion_id":"cmd_1","was_edited":true,` +
			`"output":"a\nb\n","exit_code":0,"context":{"ssh_host":"root@web-1","ssh_user":"root","cwd":"/root"}}`
		if string(calls[0].Raw) != want {
			t.Errorf("got  %s\nwant %s", calls[0].Raw, want)
		}
		if fmt.Sprint(calls[0].Meta) != "map[command_id:9 final:true]" {
			t.Errorf("_meta is %v", calls[0].Meta)
		}
	})
}

func TestATypedCommandHasNoSuggestion(t *testing.T) {
	withLinus(t, func(t *testing.T, f *fakeLinus, r *rig) {
		r.session.Ended(Command{Seq: 1, Line: redact.Literal("ls"), Source: UserTyped})
		synctest.Wait()
		args := f.of(toolExecuted)[0].args(t)
		for _, field := range []string{"suggestion_id", "was_edited"} {
			if v, ok := args[field]; ok {
				t.Errorf("%s is %v", field, v)
			}
		}
		if v, ok := args["exit_code"]; !ok || v != nil {
			t.Errorf("an unknown exit code is %v, %v", v, ok)
		}
	})
}

func TestALongCommandIsToldOfAfterFiveSecondsAndOnceMoreAtItsEnd(t *testing.T) {
	withLinus(t, func(t *testing.T, f *fakeLinus, r *rig) {
		c := Command{Seq: 4, Line: redact.Literal("make"), Source: UserTyped}
		r.session.Started(c)
		r.session.Update(redact.Literal("compiling\n"))
		time.Sleep(4900 * time.Millisecond)
		if n := len(f.of(toolExecuted)); n != 0 {
			t.Errorf("told of after 4.9 s")
		}
		time.Sleep(20 * time.Second)
		two := 2
		c.Output, c.Exit = redact.Literal("compiling\nfailed\n"), &two
		r.session.Ended(c)
		synctest.Wait()
		calls := f.of(toolExecuted)
		if len(calls) != 2 {
			t.Fatalf("%d calls", len(calls))
		}
		first, last := calls[0].args(t), calls[1].args(t)
		if first["output"] != "compiling\n" || first["exit_code"] != nil || calls[0].Meta["final"] != false {
			t.Errorf("first: %s %v", calls[0].Raw, calls[0].Meta)
		}
		if last["exit_code"] != 2.0 || calls[1].Meta["final"] != true || calls[1].Meta["command_id"] != "4" {
			t.Errorf("last: %s %v", calls[1].Raw, calls[1].Meta)
		}
	})
}

func TestMuchOutputIsCutInTheMiddle(t *testing.T) {
	withLinus(t, func(t *testing.T, f *fakeLinus, r *rig) {
		r.session.Update(redact.Literal("the first line\n"))
		for range 2000 {
			r.session.Update(text(t, strings.Repeat("x", 999)+"\n"))
		}
		r.session.Update(redact.Literal("the last line\n"))
		time.Sleep(2 * time.Second)
		out := f.of(toolUpdate)[0].args(t)["new_output"].(string)
		if len(out) > MaxOutput {
			t.Errorf("%d bytes", len(out))
		}
		if !strings.HasPrefix(out, "the first line\n") || !strings.HasSuffix(out, "the last line\n") {
			t.Error("head or tail is missing")
		}
		if n := strings.Count(out, "\n--- snip ---\n"); n != 1 {
			t.Errorf("%d marks", n)
		}
	})
}

func TestPolicySaysWhatGoesOut(t *testing.T) {
	for _, c := range []struct {
		sends                         Sends
		chat, update, executed, state int
		tail                          bool
	}{
		{SendTail, 1, 1, 1, 1, true},
		{SendChat, 1, 0, 0, 1, false},
		{SendNone, 0, 0, 0, 0, false},
		{"", 0, 0, 0, 0, false},
		{"everything", 0, 0, 0, 0, false},
	} {
		t.Run(string(c.sends), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := &fakeLinus{}
				r := newRig(t, f)
				r.sends = c.sends
				r.now.LastCommand = redact.Literal("cat /etc/motd")
				synctest.Wait()
				r.session.Event(Connected)
				err := r.session.Chat(redact.Literal("hello"))
				if (err == nil) != (c.chat == 1) {
					t.Errorf("Chat gives %v", err)
				}
				r.session.Update(redact.Literal("output\n"))
				r.session.Ended(Command{Seq: 1, Line: redact.Literal("ls")})
				time.Sleep(3 * time.Second)
				counts := []int{len(f.of(toolChat)), len(f.of(toolUpdate)), len(f.of(toolExecuted)), len(f.of(toolState))}
				same(t, "calls", counts, []int{c.chat, c.update, c.executed, c.state})
				for _, g := range f.of(toolChat) {
					raw := string(g.Raw)
					if strings.Contains(raw, "terminal_tail") != c.tail || strings.Contains(raw, "motd") != c.tail {
						t.Errorf("chat carries %s", raw)
					}
				}
			})
		})
	}
}

func TestThreeUnreadableRepliesInARowEndTheConnection(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := 0
		f := &fakeLinus{}
		f.answer = func(context.Context, got) (any, error) {
			if n++; n == 3 {
				return reply("fine"), nil
			}
			return "certainly! here is the JSON you asked for", nil
		}
		r := newRig(t, f)
		synctest.Wait()
		ask := func() { r.session.Chat(redact.Literal("hello")); synctest.Wait() }
		ask()
		ask()
		ask() // readable
		ask()
		ask()
		if !r.session.State().Online {
			t.Error("away before three in a row")
		}
		f.mu.Lock()
		f.down = errors.New("down")
		f.mu.Unlock()
		ask()
		if st := r.session.State(); st.Online || !strings.Contains(st.Reason, "unreadable replies in a row") && !strings.Contains(st.Reason, "down") {
			t.Errorf("after three: %+v", st)
		}
		if got := r.said(Notice); len(got) != 5 || !strings.HasPrefix(got[0], "Linus sent something unreadable") {
			t.Errorf("notices: %q", got)
		}
	})
}

// TestALateReplyNeverOverwritesNewerState answers the first call after the second.
func TestALateReplyNeverOverwritesNewerState(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		intent := func(s string) map[string]any { return map[string]any{"summary": s, "steps": []any{}} }
		release := make(chan struct{})
		f := &fakeLinus{}
		f.answer = func(ctx context.Context, g got) (any, error) {
			if g.Tool == string(toolChat) {
				<-release
				env := suggest("a", "old a", "c", "new c")
				env["intent_update"] = intent("old")
				env["clear_suggestions"] = map[string]any{"all": true}
				env["chat_response"] = map[string]any{"message": "late but said"}
				return env, nil
			}
			env := suggest("a", "new a", "b", "new b")
			env["intent_update"] = intent("new")
			return env, nil
		}
		r := newRig(t, f)
		synctest.Wait()
		r.session.Chat(redact.Literal("slow question"))
		synctest.Wait()
		r.session.Event(Connected)
		synctest.Wait()
		close(release)
		synctest.Wait()
		st := r.session.State()
		if st.Intent.Summary != "new" {
			t.Errorf("intent is %q", st.Intent.Summary)
		}
		same(t, "suggestions", r.ids(), []string{"a", "b", "c"})
		if st.Suggestions[0].Command != "new a" {
			t.Errorf("a is %q", st.Suggestions[0].Command)
		}
		same(t, "Linus", r.said(Linus), []string{"late but said"})
	})
}

// TestTheAnswerToAQuestionCounts: an event and a question are under way together, and
// the answer to the event arrives last.
func TestTheAnswerToAQuestionCounts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fakeLinus{}
		f.answer = func(_ context.Context, g got) (any, error) {
			summary := "an answer to the question"
			if g.Tool == string(toolState) {
				time.Sleep(time.Second)
				summary = "watching"
			}
			return map[string]any{"intent_update": map[string]any{"summary": summary}}, nil
		}
		r := newRig(t, f)
		synctest.Wait()
		r.session.client.mu.Lock() // both become due before either is sent
		r.session.last = Connected
		r.session.report(report{event: Connected})
		l := r.session.say(Operator, "why", time.Now())
		l.words = redact.Literal("why")
		r.client.enqueue(r.session, l)
		r.session.client.mu.Unlock()
		r.client.wake()
		time.Sleep(2 * time.Second)
		if got := r.session.State().Intent.Summary; got != "an answer to the question" {
			t.Errorf("intent is %q", got)
		}
	})
}

func TestEveryCallIsRecordedBeforeAndAfter(t *testing.T) {
	withSuggestion(t, func(t *testing.T, f *fakeLinus, r *rig) {
		r.session.Edited("a", redact.Literal("df -h /"))
		r.session.Dismiss("a")
		synctest.Wait()
		f.hangUp(errors.New("down"))
		synctest.Wait()
		want := []audit.Kind{
			audit.KindMCPOnline, audit.KindMCPCall, audit.KindMCPResult, audit.KindSuggestionReceived,
			audit.KindSuggestionEdited, audit.KindSuggestionDismissed, audit.KindMCPOffline,
		}
		if got := r.record.kinds(); fmt.Sprint(got[:min(len(got), len(want))]) != fmt.Sprint(want) {
			t.Errorf("recorded %v\nwant     %v", got, want)
		}
	})
}

func TestWhatCannotBeRecordedIsNotSent(t *testing.T) {
	withLinus(t, func(t *testing.T, f *fakeLinus, r *rig) {
		r.record.mu.Lock()
		r.record.fail = errors.New("no space")
		r.record.mu.Unlock()
		r.session.Chat(redact.Literal("hello"))
		time.Sleep(time.Minute)
		if n := len(f.of(toolChat)); n != 0 {
			t.Errorf("%d calls without a record", n)
		}
		same(t, "deliveries", r.deliveries(), []Delivery{Queued})
		r.record.mu.Lock()
		r.record.fail = nil
		r.record.mu.Unlock()
		time.Sleep(time.Minute)
		same(t, "deliveries", r.deliveries(), []Delivery{Sent})
	})
}

func TestLinusIsToldOfOpenSessionsWhenItIsBack(t *testing.T) {
	withLinus(t, func(t *testing.T, f *fakeLinus, r *rig) {
		r.session.Event(Connected)
		synctest.Wait()
		f.hangUp(nil)
		time.Sleep(time.Minute)
		if n := len(f.of(toolState)); n != 2 {
			t.Errorf("told %d times", n)
		}
		r.session.Event(Disconnected)
		synctest.Wait()
		f.hangUp(nil)
		time.Sleep(time.Minute)
		if n := len(f.of(toolState)); n != 3 {
			t.Errorf("told %d times of a session that has ended", n)
		}
	})
}

func TestAClosedSessionSaysItsLastWord(t *testing.T) {
	withLinus(t, func(t *testing.T, f *fakeLinus, r *rig) {
		r.session.Event(Connected)
		r.session.Event(Disconnected)
		r.session.Close()
		synctest.Wait()
		var events []string
		for _, c := range f.of(toolState) {
			events = append(events, c.args(t)["event"].(string))
		}
		same(t, "events", events, []string{"connected", "disconnected"})
		if n := len(r.client.sessions); n != 0 {
			t.Errorf("%d sessions are kept", n)
		}
		r.session.Event(Connected)
		r.session.Update(redact.Literal("x\n"))
		time.Sleep(3 * time.Second)
		if n := len(f.of(toolState)) + len(f.of(toolUpdate)); n != 2 {
			t.Errorf("a closed session is told of: %d calls", n)
		}
	})
}

func TestAServerWithoutTheToolsIsNotCalledForThem(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fakeLinus{tools: []string{"linus_chat"}}
		r := newRig(t, f)
		synctest.Wait()
		r.session.Event(Connected)
		r.session.Update(redact.Literal("x\n"))
		time.Sleep(3 * time.Second)
		if n := len(f.calls); n != 0 {
			t.Errorf("%d calls", n)
		}
	})
}

func TestAServerThatIsNoLinusIsAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, &fakeLinus{tools: []string{"weather"}})
		synctest.Wait()
		if st := r.session.State(); st.Online || !strings.Contains(st.Reason, "linus_chat") {
			t.Errorf("%+v", st)
		}
	})
}

func TestWithoutACopilotEverythingSaysSo(t *testing.T) {
	c, err := New(Config{})
	if err != nil {
		t.Fatal(err)
	}
	s := c.Session(SessionConfig{Sends: func() Sends { return SendTail }})
	if st := s.State(); st.Configured || st.Online {
		t.Errorf("%+v", st)
	}
	if err := s.Chat(redact.Literal("hello")); !errors.Is(err, ErrNone) {
		t.Error(err)
	}
	s.Update(redact.Literal("x"))
	s.Event(Connected)
	ctx, stop := context.WithCancel(t.Context())
	stop()
	c.Run(ctx)
}

func TestConfigurationThatCannotBeUsed(t *testing.T) {
	for _, c := range []struct {
		cfg  Config
		says string
	}{
		{Config{Command: "linus", URL: "https://x"}, "both command and url"},
		{Config{Command: "linus 'open"}, "command"},
		{Config{Command: "  "}, "empty"},
		{Config{URL: "ftp://x/y"}, "https"},
		{Config{URL: "http://10.1.2.3/mcp"}, "use https"},
		{Config{URL: "https://u:p@x/mcp"}, "token_file"},
		{Config{URL: "https://x", TokenFile: "a", TokenEnv: "B"}, "both token_file and token_env"},
		{Config{URL: "::"}, "not a URL"},
	} {
		if _, err := New(c.cfg); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%+v: %v, want %q", c.cfg, err, c.says)
		}
	}
}
