package rivals

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/open-policy-agent/opa/v1/rego"

	"sallyport/policy"
)

// policyRules is how many program rules both sides judge with.
const policyRules = 100

// rivalCommands are judged by both: most match no rule, one in four does.
var rivalCommands = []string{"ls -la /var/log", "program7 -f /srv/app", "git status", "kubectl -n prod get pods -o wide"}

// ourRules are the same rules as rivalRules: a program with a flag is high.
func ourRules() string {
	var b strings.Builder
	b.WriteString("schema = 1\n[policy]\nid = \"bench\"\nversion = \"1\"\n")
	for _, o := range policy.Origins {
		fmt.Fprintf(&b, "[effects.%s]\nlow = \"permit\"\nmedium = \"confirm\"\nhigh = \"typed\"\n", o)
	}
	for i := range policyRules {
		fmt.Fprintf(&b, "[[rule]]\nid = \"r%d\"\nrisk = \"high\"\nmatch = { program = [\"program%d\"], flags = [\"f|force\"] }\nmessage = \"x\"\n", i, i)
	}
	return b.String()
}

func rivalRules() string {
	var b strings.Builder
	b.WriteString("package bench\n\nimport rego.v1\n\ndefault risk := \"low\"\nrisk := \"high\" if count(matched) > 0\n\n")
	for i := range policyRules {
		fmt.Fprintf(&b, "matched contains \"r%d\" if {\n\tinput.program == \"program%d\"\n\tsome a in input.args\n\ta in {\"-f\", \"--force\"}\n}\n\n", i, i)
	}
	return b.String()
}

// BenchmarkPolicy reads and judges a command: ours from its text; OPA from
// words that are already split, which is less work.
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
		for i := 0; b.Loop(); i++ {
			set.Decide(policy.Request{Text: rivalCommands[i%len(rivalCommands)]})
		}
	})
	b.Run("opa", func(b *testing.B) {
		ctx := context.Background()
		query, err := rego.New(rego.Query("data.bench.risk"), rego.Module("bench.rego", rivalRules())).PrepareForEval(ctx)
		if err != nil {
			b.Fatal(err)
		}
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			words := strings.Fields(rivalCommands[i%len(rivalCommands)])
			input := map[string]any{"program": words[0], "args": words[1:]}
			if _, err := query.Eval(ctx, rego.EvalInput(input)); err != nil {
				b.Fatal(err)
			}
		}
	})
}
