package copilot

import (
	"fmt"
	"strings"
	"testing"
)

// blocksOf names the blocks that came through.
func blocksOf(env Envelope) string {
	var out []string
	for name, there := range map[string]bool{
		"chat": env.Chat != nil, "clear": env.Clear != nil, "commands": env.Commands != nil, "intent": env.Intent != nil,
	} {
		if there {
			out = append(out, name)
		}
	}
	// in a fixed order
	s := ""
	for _, n := range []string{"clear", "commands", "intent", "chat"} {
		if strings.Contains(strings.Join(out, " "), n) {
			s += n + " "
		}
	}
	return strings.TrimSpace(s)
}

// TestBlocksAreJudgedOneByOne: what is wrong with a block drops that block.
func TestBlocksAreJudgedOneByOne(t *testing.T) {
	const chat = `"chat_response":{"message":"hi"}`
	steps := func(n int) string {
		return strings.TrimSuffix(strings.Repeat(`{"status":"done","text":"x"},`, n), ",")
	}
	for _, c := range []struct {
		name, in, used string
		drops          string // "block: part of the reason", or "" for none
	}{
		{"nothing", `{}`, "", ""},
		{"all four", `{"chat_response":{"message":"a","mentions":["c"]},"intent_update":{"summary":"s","confidence":0.5,"steps":[{"status":"current","text":"t"}]},"suggested_commands":{"commands":[{"id":"c","command":"ls","description":"d","risk":"low"}]},"clear_suggestions":{"ids":["x"],"all":false}}`, "clear commands intent chat", ""},
		{"unknown block", `{"weather":{"sunny":true},` + chat + `}`, "chat", ""},
		{"unknown field", `{"chat_response":{"message":"hi","mood":7}}`, "chat", ""},
		{"null block", `{"intent_update":null,` + chat + `}`, "chat", ""},
		{"null optional fields", `{"chat_response":{"message":"hi","mentions":null},"intent_update":{"summary":"s","confidence":null,"steps":null}}`, "intent chat", ""},
		{"empty commands", `{"suggested_commands":{"commands":[]}}`, "commands", ""},
		{"clear all", `{"clear_suggestions":{"all":true}}`, "clear", ""},

		{"block of the wrong type", `{"intent_update":"soon",` + chat + `}`, "chat", "intent_update: got string, want"},
		{"message of the wrong type", `{"chat_response":{"message":5},"clear_suggestions":{"all":true}}`, "clear", "chat_response: message: got number, want string"},
		{"no message", `{"chat_response":{}}`, "", "chat_response: missing property 'message'"},
		{"confidence above 1", `{"intent_update":{"summary":"s","confidence":1.01,"steps":[]},` + chat + `}`, "chat", "intent_update: confidence: maximum"},
		{"confidence below 0", `{"intent_update":{"summary":"s","confidence":-0.1,"steps":[]}}`, "", "intent_update: confidence: minimum"},
		{"confidence is a word", `{"intent_update":{"summary":"s","confidence":"high","steps":[]}}`, "", "intent_update: confidence: got string"},
		{"unknown status", `{"intent_update":{"summary":"s","confidence":1,"steps":[{"status":"ongoing","text":"t"}]},` + chat + `}`, "chat", "intent_update: steps.0.status: value must be one of"},
		{"no status", `{"intent_update":{"summary":"s","steps":[{"text":"t"}]}}`, "", "intent_update: steps.0: missing property 'status'"},
		{"100 steps", `{"intent_update":{"summary":"s","steps":[` + steps(100) + `]}}`, "intent", ""},
		{"101 steps", `{"intent_update":{"summary":"s","steps":[` + steps(101) + `]}}`, "", "intent_update: steps: maxItems"},
		{"no id", `{"suggested_commands":{"commands":[{"command":"ls","risk":"low"}]},` + chat + `}`, "chat", "suggested_commands: commands.0: missing property 'id'"},
		{"empty id", `{"suggested_commands":{"commands":[{"id":"","command":"ls"}]}}`, "", "suggested_commands: commands.0.id"},
		{"id twice", `{"suggested_commands":{"commands":[{"id":"a","command":"ls"},{"id":"a","command":"id"}]},` + chat + `}`, "chat", "suggested_commands: commands.1: id \"a\" occurs twice"},
		{"an agent's id", `{"suggested_commands":{"commands":[{"id":"agent:7","command":"ls"}]}}`, "", "kept for agents"},
		{"no command", `{"suggested_commands":{"commands":[{"id":"a"}]}}`, "", "missing property 'command'"},
		{"blank command", `{"suggested_commands":{"commands":[{"id":"a","command":" \t"}]}}`, "", "is empty"},
		{"no risk", `{"suggested_commands":{"commands":[{"id":"a","command":"ls"}]}}`, "commands", ""},
		{"risk of the wrong type", `{"suggested_commands":{"commands":[{"id":"a","command":"ls","risk":1}]}}`, "", "risk: got number"},
		{"command of 16 KiB", `{"suggested_commands":{"commands":[{"id":"a","command":"` + strings.Repeat("x", MaxCommand) + `"}]}}`, "commands", ""},
		{"command over 16 KiB", `{"suggested_commands":{"commands":[{"id":"a","command":"` + strings.Repeat("x", MaxCommand+1) + `"}]}}`, "", "maxLength"},
		{"command over 16 KiB in bytes alone", `{"suggested_commands":{"commands":[{"id":"a","command":"` + strings.Repeat("ä", MaxCommand*2/3) + `"}]}}`, "", "bytes, more than 16384"},
		{"description over 1 KiB", `{"suggested_commands":{"commands":[{"id":"a","command":"ls","description":"` + strings.Repeat("x", MaxDescription+1) + `"}]}}`, "", "description: maxLength"},
		{"message over 64 KiB", `{"chat_response":{"message":"` + strings.Repeat("x", MaxMessage+1) + `"}}`, "", "message: maxLength"},
		{"ids of the wrong type", `{"clear_suggestions":{"ids":"all"},` + chat + `}`, "chat", "clear_suggestions: ids: got string"},
		{"hostile reason", `{"intent_update":{"summary":"s","steps":[{"status":"\u001b[2J\u202e","text":"t"}]}}`, "", "intent_update: steps.0.status"},
	} {
		env, drops, err := parse([]byte(c.in))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got := blocksOf(env); got != c.used {
			t.Errorf("%s: used %q, want %q", c.name, got, c.used)
		}
		var got []string
		for _, d := range drops {
			got = append(got, d.Block+": "+d.Reason)
			if strings.ContainsAny(d.Reason, "\x1b\u202e\n") || len(d.Reason) > maxReason+3 {
				t.Errorf("%s: reason %q", c.name, d.Reason)
			}
		}
		if c.drops == "" && len(got) > 0 || c.drops != "" && (len(got) != 1 || !strings.Contains(got[0], strings.Split(c.drops, ": ")[len(strings.Split(c.drops, ": "))-1])) {
			t.Errorf("%s: dropped %q, want %q", c.name, got, c.drops)
		}
	}
}

func TestWhatIsNoEnvelope(t *testing.T) {
	for _, in := range []string{"", "null", "[]", "5", `"text"`, "{", "certainly! {}", `{"chat_response":{"message":"x"}} trailing`} {
		if env, _, err := parse([]byte(in)); err == nil {
			t.Errorf("%q is read as %+v", in, env)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"chat_response":{"message":"a"},"suggested_commands":{"commands":[{"id":"c","command":"ls"}]}}`))
	f.Add([]byte(`{"intent_update":{"summary":"s","confidence":0.5,"steps":[{"status":"done","text":"t"}]},"clear_suggestions":{"all":true}}`))
	f.Fuzz(func(t *testing.T, in []byte) {
		env, drops, err := parse(in)
		if err != nil && (env != Envelope{} || drops != nil) {
			t.Error("an error comes with blocks")
		}
		b := &board{}
		n := uint64(0)
		b.apply(env, stamp{call: 1, seq: func() uint64 { n++; return n }, seen: func(string) []string { return nil }})
		if len(b.cards) > MaxLive {
			t.Errorf("%d suggestions", len(b.cards))
		}
		for _, c := range b.cards {
			if c.ID == "" || c.Command == "" || len(c.Command) > MaxCommand {
				t.Errorf("suggestion %+v", c.Suggestion)
			}
		}
		_ = fmt.Sprint(b.suggestions())
	})
}
