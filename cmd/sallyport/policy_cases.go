package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"sallyport/policy"
)

func newPolicyTestCommand() *cobra.Command {
	var p policyFlags
	var day bool
	var disputed string
	c := &cobra.Command{
		Use:   "test CASES.tsv",
		Short: "judge labelled commands and count misses and false alarms",
		Args:  usage(cobra.ExactArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			set, _, err := loadPolicy(p)
			if err != nil {
				return err
			}
			cases, err := readCases(args[0], disputed, day)
			if err != nil {
				return failWith(exitFailure, err, "one case a line: verdict TAB category TAB command TAB source")
			}
			if day {
				return testDay(c, set, cases)
			}
			return testCases(c, set, cases)
		},
	}
	p.register(c)
	c.Flags().BoolVar(&day, "day", false, "cases are asks TAB command: would a person be asked")
	c.Flags().StringVar(&disputed, "disputed", "", "a `FILE` of commands whose label is wrong: command TAB reason")
	return c
}

type policyCase struct {
	line                       int
	verdict, category, command string
	dialect                    policy.Dialect
}

func readCases(path, disputed string, day bool) ([]policyCase, error) {
	skip, err := readDisputed(disputed)
	if err != nil {
		return nil, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var out []policyCase
	some := false // disputed ones count
	scan := bufio.NewScanner(f)
	scan.Buffer(make([]byte, 64<<10), 8<<20)
	for n := 1; scan.Scan(); n++ {
		fields := strings.Split(scan.Text(), "\t")
		if n == 1 && (fields[0] == "verdict" || fields[0] == "asks") {
			continue
		}
		c, err := parseCase(fields, day)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, n, err)
		}
		c.line, some = n, true
		if !skip[c.command] {
			out = append(out, c)
		}
	}
	if err := scan.Err(); err != nil || some {
		return out, err
	}
	return nil, fmt.Errorf("%s: no cases: nothing was tested", path)
}

func parseCase(fields []string, day bool) (policyCase, error) {
	want := 3
	if day {
		want = 2
	}
	if len(fields) < want {
		return policyCase{}, fmt.Errorf("%d fields, not %d", len(fields), want)
	}
	c := policyCase{verdict: fields[0], command: fields[want-1]}
	if !day {
		c.category = fields[1]
	}
	switch {
	case strings.HasPrefix(c.category, "zsh"):
		c.dialect = policy.Zsh
	case strings.HasPrefix(c.category, "fish"):
		c.dialect = policy.Fish
	}
	text, err := policy.Unescape(c.command)
	c.command = text
	return c, err
}

// readDisputed reads the commands whose label is not accepted.
func readDisputed(path string) (map[string]bool, error) {
	out := map[string]bool{}
	if path == "" {
		return out, nil
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	for _, l := range strings.Split(string(data), "\n") {
		if text, _, ok := strings.Cut(l, "\t"); ok && !strings.HasPrefix(l, "#") {
			if text, err = policy.Unescape(text); err != nil {
				return nil, err
			}
			out[text] = true
		}
	}
	return out, nil
}

// severity puts a decision on the scale of the labels.
func severity(d policy.Decision) string {
	if d.Effect == policy.Deny {
		return "deny"
	}
	return d.Risk.String()
}

var severities = []string{"low", "medium", "high", "deny"}

func rank(s string) int {
	for i, x := range severities {
		if x == s {
			return i
		}
	}
	return -1
}

// testCases prints misses, false alarms and the confusion table; any miss or
// false alarm is exit code 1.
func testCases(c *cobra.Command, set *policy.Set, cases []policyCase) error {
	out := bufio.NewWriter(c.OutOrStdout())
	defer out.Flush()
	var table [4][4]int
	wrong := 0
	for _, tc := range cases {
		want := rank(tc.verdict)
		if want < 0 {
			return failWith(exitFailure, fmt.Errorf("line %d: unknown verdict %q", tc.line, tc.verdict), "write low, medium, high or deny")
		}
		d := set.Decide(policy.Request{Text: tc.command, Dialect: tc.dialect})
		got := rank(severity(d))
		table[want][got]++
		switch {
		case got < want:
			fmt.Fprintf(out, "miss\t%d\t%s\t%s\t%s\t%q\n", tc.line, tc.verdict, severity(d), tc.category, tc.command)
			wrong++
		case want == 0 && got > 0, want == 1 && got == 3:
			fmt.Fprintf(out, "alarm\t%d\t%s\t%s\t%s\t%q\t%s\n", tc.line, tc.verdict, severity(d), tc.category, tc.command, ruleIDs(d))
			wrong++
		}
	}
	printConfusion(out, table)
	if wrong > 0 {
		return exitWith(exitFailure)
	}
	return nil
}

func ruleIDs(d policy.Decision) string {
	var ids []string
	for _, m := range d.Rules {
		ids = append(ids, m.ID)
	}
	if !d.Analyzable {
		ids = append(ids, d.Why)
	}
	return strings.Join(ids, " ")
}

func printConfusion(out *bufio.Writer, table [4][4]int) {
	fmt.Fprintf(out, "%-8s %7s %7s %7s %7s   at least the label\n", "label", "low", "medium", "high", "deny")
	for i, row := range table {
		total, enough := 0, 0
		for j, n := range row {
			total += n
			if j >= i {
				enough += n
			}
		}
		if total == 0 {
			continue
		}
		fmt.Fprintf(out, "%-8s %7d %7d %7d %7d   %.2f %% of %d\n", severities[i], row[0], row[1], row[2], row[3], 100*float64(enough)/float64(total), total)
	}
	fmt.Fprintf(out, "low raised: %.2f %%   medium denied: %.2f %%\n", percent(table[0][1]+table[0][2]+table[0][3], table[0]), percent(table[1][3], table[1]))
}

func percent(n int, row [4]int) float64 {
	total := row[0] + row[1] + row[2] + row[3]
	if total == 0 {
		return 0
	}
	return 100 * float64(n) / float64(total)
}

// testDay prints which ordinary commands would ask, and which others would
// not.
func testDay(c *cobra.Command, set *policy.Set, cases []policyCase) error {
	out := bufio.NewWriter(c.OutOrStdout())
	defer out.Flush()
	var silent, no, asked, yes int
	seen := map[string]bool{}
	distinct, asks := 0, 0
	for _, tc := range cases {
		d := set.Decide(policy.Request{Text: tc.command})
		ask := d.Effect != policy.Permit
		if !seen[tc.command] {
			seen[tc.command] = true
			distinct++
			if ask {
				asks++
			}
		}
		if tc.verdict == "yes" {
			yes++
			if ask {
				asked++
			} else {
				fmt.Fprintf(out, "silent\t%d\t%q\n", tc.line, tc.command)
			}
			continue
		}
		no++
		if !ask {
			silent++
		} else {
			fmt.Fprintf(out, "asks\t%d\t%q\t%s\n", tc.line, tc.command, ruleIDs(d))
		}
	}
	fmt.Fprintf(out, "ordinary commands silent: %.2f %% of %d\nothers asked: %.2f %% of %d\nrate of asking over distinct commands: %.2f %% of %d\n",
		100*float64(silent)/float64(max(1, no)), no, 100*float64(asked)/float64(max(1, yes)), yes, 100*float64(asks)/float64(max(1, distinct)), distinct)
	if silent < no || asked < yes {
		return exitWith(exitFailure)
	}
	return nil
}
