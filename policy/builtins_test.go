package policy_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"sallyport/policy"
)

var shellDialects = map[string]policy.Dialect{"bash": policy.Bash, "zsh": policy.Zsh, "fish": policy.Fish}

// TestEveryBuiltinIsInTheTable asks the shells for their builtins: one that
// testdata/builtins.tsv does not name is one that nobody has looked at.
func TestEveryBuiltinIsInTheTable(t *testing.T) {
	known := map[string]bool{}
	for _, row := range builtinRows(t) {
		known[row[0]+" "+row[1]] = true
	}
	lists := map[string][]string{
		"bash": {"--norc", "-c", "compgen -b"},
		"zsh":  {"-fc", "print -l ${(k)builtins}"},
		"fish": {"-N", "-c", "builtin -n"},
	}
	for shell, args := range lists {
		t.Run(shell, func(t *testing.T) {
			if _, err := exec.LookPath(shell); err != nil {
				t.Skip("needs: " + shell)
			}
			out, err := exec.Command(shell, args...).Output()
			if err != nil {
				t.Fatal(err)
			}
			for name := range strings.FieldsSeq(string(out)) {
				if !known[shell+" "+name] {
					t.Errorf("%s has a builtin %q that the table does not know: say what it runs, binds or reads", shell, name)
				}
			}
		})
	}
}

// TestBuiltinsThatRunBindOrReadAreJudged holds the line of each that is not
// plain.
func TestBuiltinsThatRunBindOrReadAreJudged(t *testing.T) {
	set := shipped(t)
	kinds := []string{"plain", "runs", "keeps", "binds", "evaluates", "reads", "writes"}
	for _, row := range builtinRows(t) {
		if !slices.Contains(kinds, row[2]) {
			t.Errorf("%q is no kind", row[2])
		}
		if row[4] == "" {
			if row[2] != "plain" || row[3] != "" {
				t.Errorf("%s %s is %s, and no line shows it", row[0], row[1], row[2])
			}
			continue
		}
		if _, ok := scale[row[3]]; !ok {
			t.Errorf("%s %s: %q is no label", row[0], row[1], row[3])
		}
		line := unescape(t, row[4])
		d := set.Decide(policy.Request{Text: line, Dialect: shellDialects[row[0]]})
		if severity(d) < scale[row[3]] {
			t.Errorf("%s: %q is %s %s, not %s", row[0], line, d.Risk, d.Effect, row[3])
		}
	}
}

func builtinRows(t *testing.T) [][]string {
	t.Helper()
	rows := table(t, "testdata/builtins.tsv")
	for _, row := range rows {
		if len(row) != 5 {
			t.Fatalf("builtins.tsv: %d columns in %q", len(row), row)
		}
	}
	return rows
}
