package rivals

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/open-policy-agent/opa/v1/rego"
	"github.com/open-policy-agent/opa/v1/storage/inmem"

	"sallyport/policy"
)

// policyRules is how many program rules both sides judge with.
const policyRules = 100

// rivalCommands are judged by both: most match no rule, one in four does.
var rivalCommands = []string{"ls -la /var/log", "program7 -f /srv/app/x", "git status", "kubectl -n prod get pods -o wide"}

// ourRules are the rules of rivalData as a policy file: a program with a flag
// in any spelling, on a path below one of two folders.
func ourRules() string {
	var b strings.Builder
	b.WriteString("schema = 1\n[policy]\nid = \"bench\"\nversion = \"1\"\n")
	for _, o := range policy.Origins {
		fmt.Fprintf(&b, "[effects.%s]\nlow = \"permit\"\nmedium = \"confirm\"\nhigh = \"typed\"\n", o)
	}
	for i := range policyRules {
		fmt.Fprintf(&b, "[[rule]]\nid = \"r%d\"\nrisk = \"high\"\nmatch = { program = [\"program%d\", \"other%d\"], flags = [\"f|force\"], operands = [\"/srv/**\", \"/etc/**\"] }\nmessage = \"x\"\n", i, i, i)
	}
	return b.String()
}

// rivalData are the rules as OPA takes rules that people write: data that one
// policy goes through.
func rivalData() map[string]any {
	var rules []any
	for i := range policyRules {
		rules = append(rules, map[string]any{
			"id":       fmt.Sprintf("r%d", i),
			"programs": []any{fmt.Sprintf("program%d", i), fmt.Sprintf("other%d", i)},
			"letters":  []any{"f"}, "names": []any{"force"},
			"operands": []any{"/srv/**", "/etc/**"},
		})
	}
	return map[string]any{"rules": rules}
}

const rivalPolicy = `package bench

import rego.v1

default risk := "low"

risk := "high" if count(matched) > 0

matched contains rule.id if {
	some rule in data.rules
	input.program in rule.programs
	some arg in input.args
	flag(arg, rule)
	some operand in input.args
	some pattern in rule.operands
	glob.match(pattern, ["/"], operand)
}

flag(arg, rule) if {
	startswith(arg, "-")
	not startswith(arg, "--")
	some letter in rule.letters
	contains(arg, letter)
}

flag(arg, rule) if {
	startswith(arg, "--")
	some name in rule.names
	startswith(concat("", ["--", name]), split(arg, "=")[0])
}
`

// rivalRuleEach is the other way to write them: one Rego rule for each, with
// its programs spelled out, which OPA's index of rules finds without looking
// at the others. Written by a program: nobody keeps a hundred of these by hand.
func rivalRuleEach() string {
	var s strings.Builder
	head, flags, _ := strings.Cut(rivalPolicy, "matched contains rule.id if {")
	_, flags, _ = strings.Cut(flags, "\n}\n")
	s.WriteString(head)
	for i := range policyRules {
		for _, program := range []string{fmt.Sprintf("program%d", i), fmt.Sprintf("other%d", i)} {
			fmt.Fprintf(&s, `matched contains "r%d" if {
	input.program == %q
	some arg in input.args
	flag(arg, {"letters": ["f"], "names": ["force"]})
	some operand in input.args
	some pattern in ["/srv/**", "/etc/**"]
	glob.match(pattern, ["/"], operand)
}
`, i, program)
		}
	}
	s.WriteString(flags)
	return s.String()
}

// BenchmarkPolicy reads and judges a command: ours from its text; OPA from
// words that are already split, which is less work. OPA judges twice: with the
// rules as data that one policy goes through, as its documentation writes
// rules that many people add to, and with one Rego rule for each.
func BenchmarkPolicy(b *testing.B) {
	b.Run("sallyport", func(b *testing.B) {
		file := filepath.Join(b.TempDir(), "bench.toml")
		if err := os.WriteFile(file, []byte(ourRules()), 0o600); err != nil {
			b.Fatal(err)
		}
		set, _, err := policy.Load(policy.Config{Files: []string{file}})
		if err != nil {
			b.Fatal(err)
		}
		b.ReportAllocs()
		defer processor(b)()
		for i := 0; b.Loop(); i++ {
			set.Decide(policy.Request{Text: rivalCommands[i%len(rivalCommands)]})
		}
	})
	b.Run("opa-rules-as-data", func(b *testing.B) { benchmarkOPA(b, rivalPolicy) })
	b.Run("opa-rule-each", func(b *testing.B) { benchmarkOPA(b, rivalRuleEach()) })
}

func benchmarkOPA(b *testing.B, module string) {
	ctx := context.Background()
	query, err := rego.New(rego.Query("data.bench.risk"), rego.Module("bench.rego", module), rego.Store(inmem.NewFromObject(rivalData()))).PrepareForEval(ctx)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	defer processor(b)()
	for i := 0; b.Loop(); i++ {
		words := strings.Fields(rivalCommands[i%len(rivalCommands)])
		input := map[string]any{"program": words[0], "args": words[1:]}
		if _, err := query.Eval(ctx, rego.EvalInput(input)); err != nil {
			b.Fatal(err)
		}
	}
}

// processor reports processor time an operation: a busy machine does not
// move it.
func processor(b *testing.B) func() {
	start := processorTime(b)
	return func() {
		b.ReportMetric(float64(processorTime(b)-start)/float64(b.N), "cpu-ns/op")
	}
}

func processorTime(b *testing.B) int64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return u.Utime.Nano() + u.Stime.Nano()
}
