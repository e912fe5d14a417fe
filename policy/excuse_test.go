package policy_test

import (
	"slices"
	"strings"
	"testing"

	"sallyport/policy"
)

// plainFlags only make a command say more, less, or not ask: whoever adds one
// must not get past a rule by it.
var plainFlags = []string{"-v", "--verbose", "--quiet", "-y", "--yes", "--color=auto"}

// other are flags that mean something else to a program: that it only says what it is, lists or
// checks, or that the next word is their value.
var other = map[string]string{
	"pwsh": "-v", "node": "-v", "screen": "-v", "setcap": "-v", "unzip": "-v", "command": "-v", "usermod": "-v", "psql": "-v",
	"curl": "-y", "killall": "-y", "tcpdump": "-y",
}

// refuses are programs that do nothing at all where they do not know the first word.
var refuses = map[string]bool{
	"declare": true, "fc": true, "find": true, "getopts": true, "history": true, "read": true, "sched": true, "setenv": true, "sg": true, "tar": true, "zle": true,
}

func TestAFlagThatOnlyShowsLowersNothing(t *testing.T) {
	set, n := shipped(t), 0
	for _, row := range table(t, "testdata/kinds.tsv") {
		text := unescape(t, row[2])
		if scale[row[0]] < 2 || strings.ContainsAny(text, "|;&<>$`'\"\\\n()#{}*!") || strings.Contains(text, " -- ") || row[1] == "wrapper" {
			continue
		}
		program, rest, _ := strings.Cut(text, " ")
		d := dialectOf(row[1])
		before := severity(set.Decide(policy.Request{Text: text, Dialect: d}))
		for _, flag := range plainFlags {
			if slices.Contains(strings.Fields(other[program]), flag) {
				continue
			}
			places := []string{text + " " + flag, program + " " + flag + " " + rest}
			if refuses[program] && (rest == "" || !strings.Contains(rest, " ")) {
				continue
			}
			if refuses[program] {
				places = places[:1]
			}
			for _, flagged := range places {
				if after := severity(set.Decide(policy.Request{Text: flagged, Dialect: d})); after < before && after < scale[row[0]] {
					t.Errorf("%q falls from %d to %d: %q", text, before, after, flagged)
				}
			}
		}
		n++
	}
	if n < 1000 {
		t.Errorf("only %d rows were tried", n)
	}
}
