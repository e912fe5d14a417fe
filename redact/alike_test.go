package redact

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

// alike finds what a search of each form finds, whatever the forms have in common.
func TestAlikeFindsTheLongest(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		var a alike
		var texts []string
		for range 1 + rnd.IntN(12) {
			v := strings.Repeat("ab", rnd.IntN(40)) + strings.Repeat("x", rnd.IntN(2)) + strings.Repeat("ba", rnd.IntN(40)) + "z"
			a, texts = a.with(form{text: v}), append(texts, v)
		}
		text := texts[rnd.IntN(len(texts))]
		text = text[:rnd.IntN(len(text)+1)] + texts[rnd.IntN(len(texts))]
		want := ""
		for _, v := range texts {
			if len(v) > len(want) && strings.HasPrefix(text, v) {
				want = v
			}
		}
		if got, ok := a.beginning(text); got.text != want || ok != (want != "") {
			t.Fatalf("%q begins with %q, not %q", text, want, got.text)
		}
	}
}

// Many values that share a thousand bytes cost little more than one of them.
func TestWhatManyValuesShareIsComparedOnce(t *testing.T) {
	shared := strings.Repeat("abcabd", 170)
	one, many := newKnown(), newKnown()
	one.index(form{text: shared + "0000"})
	for n := range maxFromOutput {
		many.index(form{text: fmt.Sprintf("%s%04d", shared, n)})
	}
	text := strings.Repeat(shared[:600], 300)
	few, all := time.Hour, time.Hour
	for range 5 {
		few, all = min(few, findTime(one, text)), min(all, findTime(many, text))
	}
	if all > 20*few+time.Millisecond {
		t.Errorf("%v for %d values, %v for one", all, maxFromOutput, few)
	}
}

func findTime(k *known, text string) time.Duration {
	start := time.Now()
	k.find(text)
	return time.Since(start)
}
