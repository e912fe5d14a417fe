package policy

import (
	"errors"
	"fmt"
	"regexp"
	"sort"
	"strings"
	"time"

	"github.com/BurntSushi/toml"
)

// schemaVersion is the one version of the file format.
const schemaVersion = 1

// fileTOML is a policy file as it is written.
type fileTOML struct {
	Schema int
	Policy struct {
		ID, Version, Owner string
		Require            []string // ids that must be loaded as well
	}
	Effects      map[string]map[string]string
	Unanalyzable struct{ Risk, Effect string }
	Limits       struct{ Bytes, Depth, Nodes, Unwrap int }
	Hosts        map[string]any
	Sets         map[string][]string
	Rule         []ruleTOML
	Exception    []exceptionTOML

	Interactive *interactiveTOML
	Channels    *channelsTOML
	Files       *filesTOML
	Evidence    *struct{ Minimum map[string]string }
	Network     *struct{ Allow []string }
	Session     *struct {
		IdleLock    string `toml:"idle_lock"`
		MaxDuration string `toml:"max_duration"`
		Message     string
	}
	Recording *struct {
		OnFailure          string `toml:"on_failure"`
		Recipients         []string
		RecipientsRequired bool `toml:"recipients_required"`
	}
	Clipboard *struct{ Write *bool }
	Prompt    *struct {
		UserCode string `toml:"user_code"`
	}
	Secrets *struct{ Prompts []string }
	Consent *struct{ Presence string }
	Copilot *struct {
		Hosts []string
		Send  string
	}
	Agents *struct{ Hosts, Tools []string }
}

type ruleTOML struct {
	ID, Mode, Risk, Effect string
	Dialect                []string
	Scope                  struct{ Hosts, Accounts, Users, Origins []string }
	When                   struct{ Zone, Inside, Outside string }
	Match, Unless          *matchTOML
	Message, Alternative   string
	Examples               []string
	CounterExamples        []string `toml:"counter_examples"`
}

type matchTOML struct {
	Program      []string
	Subcommand   []string
	Verb         []string
	Flags        []string
	Beside       []string
	Operands     []string
	OperandRegex string `toml:"operand_regex"`
	ArgRegex     string `toml:"arg_regex"`
	Writes       []string
	Reads        []string
	Removes      []string
	Sends        []string
	Runs         []string
	Env          []string
	PipesTo      []string `toml:"pipes_to"`
	FedBy        []string `toml:"fed_by"`
	GoesTo       []string `toml:"goes_to"`
	Via          []string
	SQL          []string
	NoWhere      bool `toml:"no_where"`
	Network      any
	Construct    []string
	Text         []string
	Unknown      string
}

type exceptionTOML struct {
	Rule    string
	Scope   struct{ Hosts, Accounts, Users, Origins []string }
	Reason  string
	Expires time.Time
}

type interactiveTOML struct {
	Programs []string
	Start    map[string][]string
	Other    string
}

type channelsTOML struct {
	LocalForward  []string `toml:"local_forward"`
	RemoteForward []string `toml:"remote_forward"`
	AgentForward  bool     `toml:"agent_forward"`
	X11           bool
	Subsystems    []string
	Env           []string
}

type filesTOML struct {
	Read, Write, Deny []string
	MaxRead           int64 `toml:"max_read"`
	MaxWrite          int64 `toml:"max_write"`
}

// decode reads one file. Every key that the format does not know is a fault.
func decode(name string, data []byte) (*fileTOML, *source, error) {
	src := newSource(name, data)
	var f fileTOML
	meta, err := toml.Decode(string(data), &f)
	if err != nil {
		return nil, src, syntaxFault(src, err)
	}
	for _, key := range meta.Undecoded() {
		if strings.HasSuffix(key.String(), ".network.allow") {
			continue // of a table that is read by hand
		}
		return nil, src, unknownKey(src, key)
	}
	if f.Schema != schemaVersion {
		return nil, src, src.fault("schema", "", fmt.Sprintf("schema = %d is not one that this console reads", f.Schema),
			"write schema = 1 as the first line")
	}
	if f.Policy.ID == "" || f.Policy.Version == "" {
		return nil, src, src.fault("policy", "", "[policy] has no id or no version",
			`write [policy] with id = "name" and version = "2026.12.1"`)
	}
	return &f, src, nil
}

func syntaxFault(src *source, err error) error {
	var p toml.ParseError
	if errors.As(err, &p) {
		e := &FileError{File: src.name, Line: p.Position.Line, Column: max(1, p.Position.Col), What: p.Message, Remedy: "correct the TOML at this place: KEY = VALUE, a text in quotes, a list in [ ], a table in { } on one line"}
		if e.What == "" {
			e.What = strings.TrimPrefix(err.Error(), "toml: ")
		}
		e.place(src)
		if p.Usage != "" {
			e.Remedy = firstLine(p.Usage)
		}
		return e
	}
	return typeFault(src, strings.TrimPrefix(err.Error(), "toml: "))
}

// place takes the line out of the file, and keeps the mark within it: the
// decoder points behind a line's end, at the line that it did not expect.
func (e *FileError) place(src *source) {
	e.Line = min(max(1, e.Line), len(src.lines))
	for e.Line > 1 && src.lines[e.Line-1] == "" {
		e.Line--
		e.Column = len(src.lines[e.Line-1]) + 1
	}
	e.Source = src.lines[e.Line-1]
	e.Column = min(e.Column, len(e.Source)+1)
}

func firstLine(s string) string {
	s = strings.TrimSpace(s)
	if i := strings.IndexByte(s, '\n'); i >= 0 {
		return s[:i]
	}
	return s
}

// unknownKey finds the place of a key that the format does not have.
func unknownKey(src *source, key toml.Key) error {
	name := key[len(key)-1]
	e := &FileError{File: src.name, What: fmt.Sprintf("unknown key %q", key.String()), Remedy: suggestion(key[:len(key)-1].String(), name)}
	asKey := regexp.MustCompile(`(?:^|[{,\s\[.])"?(` + regexp.QuoteMeta(name) + `)"?\s*[=\].]`)
	for i, l := range src.lines {
		if m := asKey.FindStringSubmatchIndex(l); m != nil && !strings.HasPrefix(strings.TrimSpace(l), "#") {
			e.Line, e.Column, e.Source = i+1, m[2]+1, l
			break
		}
	}
	return e
}

var knownKeys = map[string][]string{
	"":           {"schema", "policy", "effects", "unanalyzable", "limits", "hosts", "sets", "rule", "exception", "interactive", "channels", "files", "evidence", "network", "session", "recording", "clipboard", "prompt", "secrets", "consent", "copilot", "agents"},
	"policy":     {"id", "version", "owner", "require"},
	"rule":       {"id", "mode", "risk", "effect", "dialect", "scope", "when", "match", "unless", "message", "alternative", "examples", "counter_examples"},
	"rule.scope": {"hosts", "accounts", "users", "origins"}, "exception.scope": {"hosts", "accounts", "users", "origins"},
	"rule.when": {"zone", "inside", "outside"},
	"rule.match": {
		"program", "subcommand", "verb", "flags", "operands", "operand_regex", "arg_regex", "writes", "reads", "removes", "sends", "runs", "env", "pipes_to", "fed_by", "goes_to", "via",
		"sql", "no_where", "network", "construct", "text", "unknown",
	},
	"rule.unless": {"program", "subcommand", "verb", "flags", "beside", "operands", "operand_regex", "arg_regex", "writes", "reads", "via", "env", "sql", "construct"},
	"exception":   {"rule", "scope", "reason", "expires"}, "limits": {"bytes", "depth", "nodes", "unwrap"}, "unanalyzable": {"risk", "effect"},
	"interactive": {"programs", "start", "other"}, "channels": {"local_forward", "remote_forward", "agent_forward", "x11", "subsystems", "env"},
	"files": {"read", "write", "deny", "max_read", "max_write"}, "session": {"idle_lock", "max_duration", "message"}, "recording": {"on_failure", "recipients", "recipients_required"},
	"copilot": {"hosts", "send"}, "agents": {"hosts", "tools"}, "clipboard": {"write"}, "prompt": {"user_code"}, "secrets": {"prompts"}, "consent": {"presence"}, "evidence": {"minimum"}, "network": {"allow"},
}

// suggestion names the nearest known key.
func suggestion(table, name string) string {
	keys := append([]string(nil), knownKeys[table]...)
	if len(keys) == 0 {
		return "take the key out: the format does not have it"
	}
	sort.Slice(keys, func(i, j int) bool { return distance(name, keys[i]) < distance(name, keys[j]) })
	if distance(name, keys[0]) <= 2 {
		return fmt.Sprintf("did you mean %q?", keys[0])
	}
	sort.Strings(keys)
	return fmt.Sprintf("keys here: %s", strings.Join(keys, ", "))
}

// distance is the edit distance of two short words.
func distance(a, b string) int {
	prev := make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		cur := make([]int, len(b)+1)
		cur[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			cur[j] = min(prev[j]+1, cur[j-1]+1, prev[j-1]+cost)
		}
		prev = cur
	}
	return prev[len(b)]
}
