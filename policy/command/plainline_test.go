package command

import (
	"bufio"
	"os"
	"reflect"
	"strings"
	"testing"
)

// TestPlainLinesAreReadAsTheParserReadsThem compares both readings of every
// plain line of our own cases.
func TestPlainLinesAreReadAsTheParserReadsThem(t *testing.T) {
	lines := []string{"ls", " ls  -la ", "git -C a status", "a.b/c:d,e@f%g+h", "1 2 3", "x -- y", "%1", "fg %2", "./x ../y"}
	for _, name := range []string{"../testdata/cases.tsv", "../testdata/kinds.tsv"} {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		for s := bufio.NewScanner(f); s.Scan(); {
			if row := strings.Split(s.Text(), "\t"); len(row) > 2 && !strings.Contains(row[2], "\\") {
				lines = append(lines, row[2])
			}
		}
	}
	n := 0
	for _, text := range lines {
		words, ok := plainLine(text, 0)
		if !ok {
			continue
		}
		n++
		for _, d := range []Dialect{Bash, POSIX, Mksh, Zsh} {
			fast := &walker{src: text, dialect: d, lim: DefaultLimits}
			fast.plainCommand(words)
			slow := &walker{src: text, dialect: d, lim: DefaultLimits}
			f, err := parse(text, d)
			if err != nil {
				t.Fatalf("%q: %v", text, err)
			}
			slow.stmts(f.Stmts)
			if !reflect.DeepEqual(fast.line(), slow.line()) {
				t.Errorf("%q:\n%+v\n%+v", text, fast.line(), slow.line())
			}
		}
	}
	if n < 200 {
		t.Errorf("%d plain lines", n)
	}
}
