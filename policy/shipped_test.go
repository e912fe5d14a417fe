package policy_test

import (
	"bufio"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sallyport/policies"
	"sallyport/policy"
)

// corpus opens a file of the shared corpus; where it is not, the test is
// skipped: the package's own cases are in testdata.
func corpus(t *testing.T, name string) [][]string {
	t.Helper()
	dir := os.Getenv("SALLYPORT_CORPUS")
	if dir == "" {
		dir = "../../shared/corpus"
	}
	path := filepath.Join(dir, name)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("corpus: %s is not there (set SALLYPORT_CORPUS)", path)
	}
	return table(t, path)
}

// table reads a file of tab-separated rows behind a header.
func table(t *testing.T, path string) [][]string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var rows [][]string
	scan := bufio.NewScanner(f)
	scan.Buffer(nil, 1<<20)
	for n := 0; scan.Scan(); n++ {
		if n > 0 && !strings.HasPrefix(scan.Text(), "#") {
			rows = append(rows, strings.Split(scan.Text(), "\t"))
		}
	}
	return rows
}

func unescape(t *testing.T, s string) string {
	t.Helper()
	text, err := policy.Unescape(s)
	if err != nil {
		t.Fatalf("%q: %v", s, err)
	}
	return text
}

// disputed are the commands whose label we do not accept, with the reason.
func disputed(t *testing.T) map[string]bool {
	t.Helper()
	out := map[string]bool{}
	for _, row := range table(t, "testdata/disputed.tsv") {
		if len(row) < 2 || row[1] == "" {
			t.Errorf("disputed without a reason: %q", row)
			continue
		}
		out[unescape(t, row[0])] = true
	}
	return out
}

var scale = map[string]int{"low": 0, "medium": 1, "high": 2, "deny": 3}

func severity(d policy.Decision) int {
	if d.Effect == policy.Deny {
		return 3
	}
	return int(d.Risk)
}

func dialectOf(category string) policy.Dialect {
	switch {
	case strings.HasPrefix(category, "zsh"):
		return policy.Zsh
	case strings.HasPrefix(category, "fish"):
		return policy.Fish
	}
	return policy.Bash
}

// measure judges labelled rows: label → how many fell below it, above low,
// or were denied though medium.
func measure(t *testing.T, rows [][]string, skip map[string]bool) (total, below map[string]int, raised, denied int) {
	t.Helper()
	set := shipped(t)
	total, below = map[string]int{}, map[string]int{}
	for _, row := range rows {
		text := unescape(t, row[2])
		if skip[text] {
			continue
		}
		label := row[0]
		d := set.Decide(policy.Request{Text: text, Dialect: dialectOf(row[1])})
		got := severity(d)
		total[label]++
		if got < scale[label] {
			below[label]++
			t.Logf("below %s: %q", label, text)
		}
		if label == "low" && got > 0 {
			raised++
			t.Logf("raised: %q", text)
		}
		if label == "medium" && got == 3 {
			denied++
			t.Logf("denied: %q", text)
		}
	}
	return total, below, raised, denied
}

// holdsOurs is checkMeasures for tables of our own: what must be denied or
// asked never falls below. A row that is known to, stands in disputed.tsv.
func holdsOurs(t *testing.T, name string) {
	rows := table(t, name)
	for _, row := range rows {
		if len(row) < 3 || scale[row[0]] == 0 && row[0] != "low" {
			t.Errorf("%s: no label or no command: %q", name, row)
		}
	}
	below := checkMeasures(t, rows)
	if n := below["deny"] + below["high"]; n > 0 {
		t.Errorf("%d rows of %s that must be denied or asked fell below", n, name)
	}
}

func atMost(t *testing.T, what string, n, total int, percent float64) {
	t.Helper()
	if float64(n) > percent/100*float64(total) {
		t.Errorf("%s: %d of %d, more than %.1f %%", what, n, total, percent)
	}
}

// checkMeasures returns how many rows of each label fell below it.
func checkMeasures(t *testing.T, rows [][]string) map[string]int {
	t.Helper()
	total, below, raised, denied := measure(t, rows, disputed(t))
	atMost(t, "deny rows below deny", below["deny"], total["deny"], 0.5)
	atMost(t, "high rows below high", below["high"], total["high"], 0.5)
	atMost(t, "medium rows below medium", below["medium"], total["medium"], 2)
	atMost(t, "medium rows denied", denied, total["medium"], 1)
	atMost(t, "low rows raised", raised, total["low"], 1)
	t.Logf("%v", total)
	return below
}

func TestShippedRulesOnTheCorpus(t *testing.T) { checkMeasures(t, corpus(t, "policy.tsv")) }

func TestShippedRulesOnOurOwnCases(t *testing.T) { holdsOurs(t, "testdata/cases.tsv") }

// Rows of every kind of the corpus, written without looking at the rules.
func TestShippedRulesOnOtherRowsOfTheSameKinds(t *testing.T) {
	holdsOurs(t, "testdata/kinds.tsv")
}

func TestOrdinaryDayIsQuiet(t *testing.T) {
	set := shipped(t)
	var no, asksNo, yes, asksYes int
	for _, row := range corpus(t, "day.tsv") {
		d := set.Decide(policy.Request{Text: unescape(t, row[1])})
		ask := d.Effect != policy.Permit
		if row[0] == "yes" {
			yes++
			if ask {
				asksYes++
			}
			continue
		}
		no++
		if ask {
			asksNo++
			t.Logf("asks: %q", row[1])
		}
	}
	atMost(t, "ordinary commands that ask", asksNo, no, 1)
	atMost(t, "others that do not", yes-asksYes, yes, 5)
}

func TestShippedRulesAreManyAndComplete(t *testing.T) {
	set := shipped(t)
	if n := set.Rules(); n < 200 {
		t.Errorf("%d rules, not 200", n)
	}
	for _, w := range set.Lint(time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)) {
		t.Log(w)
		if strings.Contains(w.Message, "no examples") || strings.Contains(w.Message, "alternative") {
			t.Error(w)
		}
	}
}

func TestExamplePoliciesLoadOverTheShippedOnes(t *testing.T) {
	for _, name := range []string{"production.toml", "lab.toml"} {
		data, err := policies.FS().Open(name)
		if err != nil {
			t.Fatal(err)
		}
		data.Close()
		dir := orgFolder(t, map[string]string{name: read(t, name)})
		set, _, err := policy.Load(policy.Config{Embedded: policies.FS(), Shipped: policies.Shipped, OrgDir: dir, OrgOwner: os.Getuid()})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		t.Log(set.Identity())
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "policies", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// orgFolder makes an organization's folder that nobody else can write.
func orgFolder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "policy.d")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
