package policy_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sallyport/policy"
)

// ruleWith is a file with one rule; more lines of it come first.
func ruleWith(lines string) string {
	return header + "[[rule]]\nid = \"r\"\n" + lines
}

// full is a file with one rule that is whole but for what lines say.
func full(lines string) string {
	return ruleWith("risk = \"high\"\nmessage = \"m\"\n" + lines)
}

// faults are all kinds of faults that a file can have, and where the mark
// must stand: at the first of these words.
var faults = []struct{ name, text, at string }{
	{"TOML: a bracket", "schema = 1\n[policy\n", ""},
	{"TOML: a text that does not end", "schema = 1\n[policy]\nid = \"x\n", ""},
	{"TOML: a key twice", "schema = 1\n[policy]\nid = \"x\"\nid = \"y\"\n", ""},
	{"TOML: no value", "schema = 1\n[policy]\nid =\n", ""},
	{"TOML: an unknown escape", full("match = { operand_regex = \"\\d\" }\n"), ""},
	{"an empty file", "", ""},
	{"schema missing", "[policy]\nid = \"x\"\nversion = \"1\"\n", ""},
	{"schema of another time", "schema = 9\n[policy]\nid = \"x\"\nversion = \"1\"\n", "schema"},
	{"no policy", "schema = 1\n", ""},
	{"policy without version", "schema = 1\n[policy]\nid = \"x\"\n", ""},
	{"policy that must be loaded", "schema = 1\n[policy]\nid = \"x\"\nversion = \"1\"\nrequire = [\"corp\"]\n", "corp"},
	{"unknown table", header + "[colour]\na = 1\n", "colour"},
	{"unknown key of a rule", full("match = { program = [\"rm\"] }\ncolour = \"red\"\n"), "colour"},
	{"unknown key of a match", full("match = { progam = [\"rm\"] }\n"), "progam"},
	{"unknown key of a table", header + "[session]\nidle = \"1m\"\n", "idle"},
	{"a text for a list", full("match = { program = \"rm\" }\n"), "program"},
	{"a number for a text", ruleWith("risk = 5\nmessage = \"m\"\nmatch = { program = [\"rm\"] }\n"), "risk"},
	{"a text for a table", full("when = \"now\"\nmatch = { program = [\"rm\"] }\n"), "when"},
	{"a text for a number", header + "[limits]\nbytes = \"many\"\n", "bytes"},
	{"rule id", header + "[[rule]]\nid = \"My Rule\"\nrisk = \"high\"\nmessage = \"m\"\nmatch = { program = [\"rm\"] }\n", "id"},
	{"rule id twice", full("match = { program = [\"rm\"] }\n[[rule]]\nid = \"r\"\nrisk = \"low\"\nmessage = \"m\"\nmatch = { program = [\"rm\"] }\n"), ""},
	{"no match", full(""), ""},
	{"no message", ruleWith("risk = \"high\"\nmatch = { program = [\"rm\"] }\n"), ""},
	{"mode", full("mode = \"off\"\nmatch = { program = [\"rm\"] }\n"), "off"},
	{"neither risk nor effect", ruleWith("message = \"m\"\nmatch = { program = [\"rm\"] }\n"), ""},
	{"risk", ruleWith("risk = \"huge\"\nmessage = \"m\"\nmatch = { program = [\"rm\"] }\n"), "huge"},
	{"effect", full("effect = \"forbid\"\nmatch = { program = [\"rm\"] }\n"), "forbid"},
	{"no table of effects", "schema = 1\n[policy]\nid = \"x\"\nversion = \"1\"\n[[rule]]\nid = \"r\"\nrisk = \"high\"\nmessage = \"m\"\nmatch = { program = [\"rm\"] }\n", ""},
	{"dialect", full("dialect = [\"latin\"]\nmatch = { program = [\"rm\"] }\n"), "latin"},
	{"window: both", full("when = { inside = \"Mon 08:00-09:00\", outside = \"Tue 08:00-09:00\" }\nmatch = { program = [\"rm\"] }\n"), "when"},
	{"window: zone", full("when = { zone = \"Mars\", inside = \"Mon 08:00-09:00\" }\nmatch = { program = [\"rm\"] }\n"), "when"},
	{"window: day", full("when = { inside = \"Someday 08:00-09:00\" }\nmatch = { program = [\"rm\"] }\n"), "when"},
	{"window: hours", full("when = { inside = \"Mon 8-9h\" }\nmatch = { program = [\"rm\"] }\n"), "when"},
	{"scope: no such group", full("scope = { hosts = [\"prd\"] }\nmatch = { program = [\"rm\"] }\n"), "prd"},
	{"scope: origin", full("scope = { origins = [\"robot\"] }\nmatch = { program = [\"rm\"] }\n"), "robot"},
	{"match: set", full("match = { program = [\"@x\"] }\n"), "@x"},
	{"match: some with !", full("match = { program = [\"!rm\", \"cp\"] }\n"), "cp"},
	{"match: glob among names", full("match = { program = [\"rm\", \"x{\"] }\n"), "x{"},
	{"match: subcommand", full("match = { subcommand = [\"@y\"] }\n"), "@y"},
	{"match: flag without a name", full("match = { flags = [\"=x\"] }\n"), "=x"},
	{"match: glob", full("match = { operands = [\"/a/{b\"] }\n"), "/a/{b"},
	{"match: written path", full("match = { writes = [\"/a/{b\"] }\n"), "/a/{b"},
	{"match: empty path", full("match = { writes = [\"\"] }\n"), ""},
	{"match: regular expression", full("match = { operand_regex = \"(\" }\n"), "("},
	{"match: look-ahead", full("match = { arg_regex = \"a(?=b)\" }\n"), "a(?=b)"},
	{"match: variable", full("match = { env = [\"@z\"] }\n"), "@z"},
	{"match: network", full("match = { network = 5 }\n"), "network"},
	{"match: allowed network", full("match = { network = { allow = [5] } }\n"), "allow"},
	{"match: construct", full("match = { construct = [\"evil\"] }\n"), "evil"},
	{"match: text", full("match = { text = [\"ugly\"] }\n"), "ugly"},
	{"match: unknown", full("match = { unknown = \"all\" }\n"), "all"},
	{"unless: glob", full("match = { program = [\"rm\"] }\nunless = { operands = [\"{\"] }\n"), "{"},
	{"example", full("match = { program = [\"rm\"] }\nexamples = [\"rm a\", \"ls\"]\n"), "ls"},
	{"counter-example", full("match = { program = [\"rm\"] }\ncounter_examples = [\"ls\", \"sudo rm x\"]\n"), "sudo rm x"},
	{"exception of somebody else", full("match = { program = [\"rm\"] }\n[[exception]]\nrule = \"r\"\nreason = \"x\"\nexpires = 2030-01-01T00:00:00Z\n"), ""},
	{"effects of nobody", header + "[effects.robot]\nlow = \"permit\"\nmedium = \"permit\"\nhigh = \"permit\"\n", "robot"},
	{"effects: risk", header + "[effects.agent]\nlow = \"permit\"\nmedium = \"permit\"\nhigh = \"permit\"\nhuge = \"deny\"\n", "huge"},
	{"effects: effect", header + "[effects.agent]\nlow = \"ask\"\nmedium = \"permit\"\nhigh = \"permit\"\n", "ask"},
	{"effects: rows missing", header + "[effects.agent]\nlow = \"permit\"\n", ""},
	{"unanalyzable: risk", header + "[unanalyzable]\nrisk = \"huge\"\n", "huge"},
	{"unanalyzable: effect", header + "[unanalyzable]\neffect = \"ask\"\n", "ask"},
	{"hosts: unknown key", header + "[hosts]\nunknown_key = \"shrug\"\n", "unknown_key"},
	{"hosts: no list", header + "[hosts]\nprod = 5\n", "prod"},
	{"hosts: address", header + "[hosts]\nprod = [\"10.0.0.0/99\"]\n", "prod"},
	{"interactive: other", header + "[interactive]\nother = \"ask\"\n", "ask"},
	{"interactive: start", header + "[interactive.start]\nvim = []\n", "vim"},
	{"evidence: group", header + "[evidence.minimum]\nprd = \"shell\"\n", "prd"},
	{"evidence: level", header + "[evidence.minimum]\n\"*\" = \"film\"\n", "film"},
	{"session: duration", header + "[session]\nidle_lock = \"soon\"\n", "soon"},
	{"recording: failure", header + "[recording]\non_failure = \"cry\"\n", "cry"},
	{"prompt", header + "[prompt]\nuser_code = \"maybe\"\n", "maybe"},
	{"consent", header + "[consent]\npresence = \"ring\"\n", "ring"},
	{"copilot: send", header + "[copilot]\nsend = \"all\"\n", "all"},
	{"copilot: hosts", header + "[copilot]\nhosts = [\"10.0.0.0/99\"]\n", "10.0.0.0/99"},
	{"agents: hosts", header + "[agents]\nhosts = [\"10.0.0.0/99\"]\n", "10.0.0.0/99"},
	{"network: allow", header + "[network]\nallow = [\"10.0.0.0/99\"]\n", "allow"},
}

func TestEveryFaultSaysWhereItIsAndWhatToWrite(t *testing.T) {
	for _, c := range faults {
		t.Run(c.name, func(t *testing.T) {
			_, _, err := tryLoad(t, c.text)
			checkFault(t, err, c.text, c.at)
		})
	}
}

// checkFault holds an error to the form that every one has: file, line,
// column, the line itself with a mark below it, and the remedy.
func checkFault(t *testing.T, err error, text, at string) {
	t.Helper()
	var e *policy.FileError
	if !errors.As(err, &e) {
		t.Fatalf("no fault of a file: %v", err)
	}
	lines := strings.Split(text, "\n")
	switch {
	case e.File == "" || e.What == "" || e.Remedy == "":
		t.Errorf("it leaves something out: %+v", e)
	case e.Line < 1 || e.Line > len(lines) || e.Column < 1 || e.Column > len(lines[e.Line-1])+1:
		t.Errorf("no place: %v", err)
	case e.Source != lines[e.Line-1]:
		t.Errorf("not the line itself: %q", e.Source)
	case !strings.HasPrefix(e.Source[e.Column-1:], at):
		t.Errorf("the mark stands at %q, not at %q", e.Source[e.Column-1:], at)
	case strings.HasPrefix(e.What, "toml:"):
		t.Errorf("the words of the decoder: %v", err)
	}
}

// The manifest of the organization's folder is told of in the same form.
func TestEveryFaultOfAManifestSaysWhereItIs(t *testing.T) {
	for _, c := range []struct {
		name, at string
		change   func(dir, manifest string) string
		serial   uint64
	}{
		{"version", "sallyport", func(_, m string) string { return strings.Replace(m, "policy 1", "policy 7", 1) }, 0},
		{"serial", "serial", func(_, m string) string { return strings.Replace(m, "serial 3", "serial x", 1) }, 0},
		{"older", "serial", func(_, m string) string { return m }, 4},
		{"line", "nonsense", func(_, m string) string { return m + "nonsense\n" }, 0},
		{"sum", "a.toml", func(dir, m string) string {
			os.WriteFile(filepath.Join(dir, "a.toml"), []byte(specRule+"\n"), 0o600)
			return m
		}, 0},
		{"file not named", "sallyport", func(dir, m string) string {
			os.WriteFile(filepath.Join(dir, "b.toml"), []byte(header), 0o600)
			return m
		}, 0},
		{"file that is gone", "a.toml", func(dir, m string) string {
			os.Remove(filepath.Join(dir, "a.toml"))
			return m
		}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			os.Chmod(dir, 0o700)
			os.WriteFile(filepath.Join(dir, "a.toml"), []byte(specRule), 0o600)
			whole, err := policy.Manifest(dir, 3)
			if err != nil {
				t.Fatal(err)
			}
			text := c.change(dir, string(whole))
			if err := os.WriteFile(filepath.Join(dir, "MANIFEST"), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			_, _, err = policy.Load(policy.Config{OrgDir: dir, OrgOwner: os.Getuid(), MinSerial: c.serial})
			checkFault(t, err, text, c.at)
		})
	}
}
