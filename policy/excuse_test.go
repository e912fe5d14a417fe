package policy_test

import (
	"strings"
	"testing"

	"sallyport/policy"
)

// plainFlags only make a command say more, less, or not ask: whoever adds one
// must not get past a rule by it.
var plainFlags = []string{" -v", " --verbose", " --quiet", " -y", " --yes", " --color=auto"}

// saysMore are those of them with which a program only says what it is or lists, or which take none.
var saysMore = map[string]bool{
	"setcap": true, "unzip": true, "fc": true, "screen": true, "sg": true, "make": true, "gmake": true, "nginx": true, "httpd": true, "named": true, "postfix": true, "squid": true, "haproxy": true, "varnishd": true,
}

func TestAFlagThatOnlyShowsLowersNothing(t *testing.T) {
	set, n := shipped(t), 0
	for _, row := range table(t, "testdata/kinds.tsv") {
		text := unescape(t, row[2])
		if scale[row[0]] < 2 || strings.ContainsAny(text, "|;&<>$`'\"\\\n()#{}*!") || strings.Contains(text, " -- ") || row[1] == "wrapper" {
			continue
		}
		program, _, _ := strings.Cut(text, " ")
		if saysMore[program] {
			continue
		}
		d := dialectOf(row[1])
		before := severity(set.Decide(policy.Request{Text: text, Dialect: d}))
		for _, flag := range plainFlags {
			if after := severity(set.Decide(policy.Request{Text: text + flag, Dialect: d})); after < before && after < scale[row[0]] {
				t.Errorf("%q falls from %d to %d with%s", text, before, after, flag)
			}
		}
		n++
	}
	if n < 1000 {
		t.Errorf("only %d rows were tried", n)
	}
}
