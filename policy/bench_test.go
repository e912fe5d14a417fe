package policy_test

import (
	"strings"
	"syscall"
	"testing"
	"time"

	"sallyport/policies"
	"sallyport/policy"
)

func shipped(tb testing.TB) *policy.Set {
	tb.Helper()
	set, _, err := policy.Load(policy.Config{Embedded: policies.FS(), Shipped: policies.Shipped, EmbeddedOnly: true})
	if err != nil {
		tb.Fatal(err)
	}
	return set
}

var typical = []string{
	"ls -la /var/log", "git status", "systemctl status nginx", "sudo journalctl -u app -n 100",
	"kubectl -n prod get pods -o wide", "tail -f /var/log/app.log | grep ERROR", "rm -rf /tmp/build",
	"docker run -d -p 80:80 nginx", "sudo apt-get install -y htop", "psql -c 'SELECT 1'",
}

func BenchmarkDecide(b *testing.B) {
	set := shipped(b)
	for _, text := range typical {
		b.Run(strings.ReplaceAll(text, "/", "_"), func(b *testing.B) {
			r := policy.Request{Text: text}
			b.ReportAllocs()
			for b.Loop() {
				set.Decide(r)
			}
		})
	}
}

// BenchmarkTypical judges lines as people type them. lines/cpu-s is how many of them a second
// of the processor's time is enough for.
func BenchmarkTypical(b *testing.B) {
	set := shipped(b)
	start := processorTime(b)
	for i := 0; b.Loop(); i++ {
		set.Decide(policy.Request{Text: typical[i%len(typical)]})
	}
	b.ReportMetric(float64(b.N)/(processorTime(b)-start).Seconds(), "lines/cpu-s")
}

func processorTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func BenchmarkWorst(b *testing.B) {
	set := shipped(b)
	for name, text := range worst() {
		b.Run(name, func(b *testing.B) {
			r := policy.Request{Text: text}
			for b.Loop() {
				set.Decide(r)
			}
		})
	}
}

// worst are inputs made to be slow; those beyond a limit must be refused
// quickly, those inside one must still be answered in time.
func worst() map[string]string {
	return map[string]string{
		"nesting 20000":         strings.Repeat("(", 20000) + "ls" + strings.Repeat(")", 20000),
		"substitution 20000":    strings.Repeat("$(", 20000) + "ls" + strings.Repeat(")", 20000),
		"braces 20000":          strings.Repeat("{ ", 20000) + "ls" + strings.Repeat("; }", 20000),
		"1 MB":                  "echo " + strings.Repeat("a", 1<<20),
		"1 MB of words":         strings.Repeat("ls ", 1<<20/3),
		"10000 pipes":           strings.Repeat("ls|", 10000) + "ls",
		"nesting inside":        strings.Repeat("(", 60) + "ls" + strings.Repeat(")", 60),
		"pipes inside":          strings.Repeat("ls|", 900) + "ls",
		"words inside":          "rm " + strings.Repeat("/a/b/c ", 1900),
		"braces inside":         "rm {a,b}{a,b}{a,b}{a,b}{a,b}{a,b}",
		"brace product":         "rm " + strings.Repeat("{a,b,c,d}", 8),
		"brace sequence":        "rm {1..999999}",
		"values":                "x=a; x=b; x=c; x=d; rm " + strings.Repeat("$x", 50),
		"globs":                 "rm " + strings.Repeat("/*a*b*c*d*e*f*g", 60),
		"backquotes":            strings.Repeat("`", 15000),
		"quotes":                strings.Repeat("'", 16001),
		"arithmetic":            "echo $((" + strings.Repeat("-", 10000) + "1))",
		"bangs":                 "[[ " + strings.Repeat("! ", 7000) + "a ]]",
		"lists inside":          strings.Repeat("rm -rf x;", 600),
		"wrappers":              strings.Repeat("sudo ", 1000) + "ls",
		"sh -c":                 "sh -c 'sh -c \"sh -c ls\"'",
		"functions":             strings.Repeat("f(){ g; };", 300),
		"function calls itself": "f(){ f; f; f; f; }; f",
		"functions call others": "a(){ b;b;b;b;b;b; }; b(){ c;c;c;c;c;c; }; c(){ d;d;d;d;d;d; }; d(){ ls;ls;ls; }; a;a;a;a;a;a",
		"heredocs":              strings.Repeat("cat <<E\nx\nE\n", 300),
		"xargs of xargs":        "echo " + strings.Repeat("a ", 500) + "| xargs -I{} xargs -I{} xargs rm {}",
		"parallel values":       "parallel rm {} ::: " + strings.Repeat("a ", 1500),
		"sql":                   "psql -c '" + strings.Repeat("select (", 1500) + "'",
		"python literals":       "python -c 'import os; os.system(" + strings.Repeat("\"rm x\",", 1500) + ")'",
		"guesses":               "echo '" + strings.Repeat("rm x;", 1500) + "' | tac | " + strings.Repeat("sh | ", 200) + "sh",
		"guesses of strings":    "awk 'BEGIN{" + strings.Repeat("print \"rm -rf x y\";", 400) + "}' | sh",
		"guesses evaluated":     strings.Repeat("eval \"$(tac f 'rm x y')\";", 300),
		"files filled":          strings.Repeat("tee a <<< 'rm x'; sh a;", 300),
		"unterminated":          strings.Repeat("a 'b\" ", 2000),
		"unicode":               strings.Repeat("é", 8000),
		"ifs":                   "a=" + strings.Repeat("x ", 3000) + "; rm $a",
		"tail of unknown":       "foo " + strings.Repeat("rm ", 1900),
		"find exec":             "find . " + strings.Repeat("-exec rm {} ; ", 400),
		"powershell":            "pwsh -c '" + strings.Repeat("iex $x;", 1500) + "'",
		"powershell brackets":   "pwsh -c '" + strings.Repeat("((", 60) + strings.Repeat("$a(b).c", 1500) + "'",
		"powershell methods":    "pwsh -c '" + strings.Repeat("[a]::b(\"c d\")|", 900) + "'",
		"long names":            "tar " + strings.Repeat("--ex ", 1500),
		"dots":                  "rm " + strings.Repeat("../", 5000),
	}
}
