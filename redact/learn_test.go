package redact

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
)

// What a target prints is remembered up to a bound, in values and in lines of keys, so
// that a hostile host can fill neither the memory nor the time of a search.
func TestLinesLearnedFromOutputAreBounded(t *testing.T) {
	r := New(Config{}).Target("web9")
	for n := range 60 {
		var lines []string
		for i := range maxKeyLines {
			lines = append(lines, fmt.Sprintf("a%dB%dcD7eF9gH1iJ%dkL", n, i, n*i))
		}
		r.learnKey(fmt.Sprint("key ", n), lines)
	}
	k := r.mem.targets["web9"]
	if k.lines > maxLinesFromOutput || k.lines < maxLinesFromOutput/2 {
		t.Errorf("%d lines of keys are remembered, want about %d", k.lines, maxLinesFromOutput)
	}
	r.learnFound("Zk3mQ9xT2vB7wL5n", "token")
	if len(r.mem.find("web9", "see Zk3mQ9xT2vB7wL5n")) == 0 {
		t.Error("after many lines of keys no other value is learned")
	}
}

// However many values of a target begin alike, each is found, the longest where one
// begins with another.
func TestValuesThatBeginAlikeAreAllFound(t *testing.T) {
	r := New(Config{}).Target("web9")
	value := func(n int) string { return fmt.Sprintf("Prod-%d&x%d", n, n*n) }
	for n := range maxFromOutput {
		r.learnFound(value(n), "token")
	}
	for n := range maxFromOutput {
		v := value(n)
		if got := r.mem.find("web9", "see "+v+" and "+url.QueryEscape(v)); len(got) != 2 || got[0].value != v || got[1].value != v || got[0].end != len("see ")+len(v) {
			t.Fatalf("%s: %+v", v, got)
		}
	}
}

func TestAlike(t *testing.T) {
	texts := []string{"abcd", "abcde", "abcdef", "abcdx", "abcdxy", "abce", "abcdeg", "abcdefgh"}
	var a alike
	for _, text := range append(texts, texts...) {
		a = a.with(form{text: text})
	}
	if len(a) != len(texts) {
		t.Errorf("%d forms", len(a))
	}
	for text, want := range map[string]string{
		"abcd": "abcd", "abcd ": "abcd", "abcdef": "abcdef", "abcdefg": "abcdef", "abcdefghi": "abcdefgh", "abcdxz": "abcdx",
		"abcez": "abce", "abcf": "", "abc": "", "abcdeg": "abcdeg", "abcdez": "abcde", "": "", "zzzz": "",
	} {
		if f, ok := a.beginning(text); f.text != want || ok != (want != "") {
			t.Errorf("%q begins with %q, want %q", text, f.text, want)
		}
	}
	for text, want := range map[string]bool{"abc": true, "abcdefg": true, "abcdefghi": false, "abcdxz": false, "b": false} {
		if a.begunBy(text) != want {
			t.Errorf("begun by %q: %v", text, !want)
		}
	}
}

// BenchmarkValuesThatBeginAlike is a host that prints what makes the search slow: many
// values, each but for its end the beginning of the text that follows.
func BenchmarkValuesThatBeginAlike(b *testing.B) {
	r := New(Config{}).Target("web9")
	for n := range maxFromOutput {
		r.learnFound(strings.Repeat("Zk3m", 4+n/2)+fmt.Sprint("!", n), "token")
	}
	text := strings.Repeat("Zk3m", 16<<10)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		r.mem.find("web9", text)
	}
}
