package rivals

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	ahocorasick "github.com/BobuSumisu/aho-corasick"
	"github.com/BurntSushi/toml"
)

// BenchmarkTrieLog is only the search, with the module that gitleaks uses, for a part of
// the words that the redactor looks for (the vendors' literals), in a log that is in lower
// case already: compare it with the whole of BenchmarkRedactLog.
func BenchmarkTrieLog(b *testing.B) {
	log := []byte(strings.ToLower(terminalLog(logSize)))
	trie := ahocorasick.NewTrieBuilder().AddStrings(vendorLiterals(b)).Build()
	found := 0
	measure(b, len(log), func() {
		for at := 0; at < len(log); at += 32 << 10 {
			trie.Walk(log[at:min(len(log), at+32<<10)], func(end, n, pattern int64) bool {
				found++
				return true
			})
		}
	})
	b.ReportMetric(float64(found)/float64(b.N), "words")
}

func vendorLiterals(b *testing.B) (words []string) {
	names, err := filepath.Glob("../../redact/detect/data/vendors-*.toml")
	if err != nil || len(names) == 0 {
		b.Fatal("no vendor tables: ", err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			b.Fatal(err)
		}
		var file struct{ Token []struct{ Literals []string } }
		if err := toml.Unmarshal(text, &file); err != nil {
			b.Fatal(err)
		}
		for _, t := range file.Token {
			for _, w := range t.Literals {
				words = append(words, strings.ToLower(w))
			}
		}
	}
	return words
}
