package detect

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestAutomatonFindsEveryWord compares it with the plain way to look.
func TestAutomatonFindsEveryWord(t *testing.T) {
	words := []string{"a", "ab", "bab", "bc", "bca", "c", "caa", "token", "ken", "$1$"}
	a := newAutomaton(words, nil)
	if n := states(words); n != len(a.out) {
		t.Errorf("%d states were foreseen, there are %d", n, len(a.out))
	}
	rnd := rand.New(rand.NewPCG(3, 5))
	for range 2000 {
		var b strings.Builder
		for range rnd.IntN(30) {
			b.WriteByte("aAbBcC$1tokenX\xff"[rnd.IntN(15)])
		}
		text := b.String()
		var want []hit
		for end := 1; end <= len(text); end++ {
			for id, w := range words {
				if strings.HasSuffix(strings.ToLower(text[:end]), w) {
					want = append(want, hit{int32(end), int32(id)})
				}
			}
		}
		got := a.find(text, nil)
		slices.SortFunc(got, func(x, y hit) int {
			return int(x.end-y.end)*1000 + int(x.word-y.word)
		})
		if !slices.Equal(got, want) {
			t.Fatalf("%q: %v, want %v", text, got, want)
		}
	}
}

func BenchmarkAutomaton(b *testing.B) {
	line := "Jan  6 10:11:12 web-03 sshd[1234]: Accepted publickey for deploy from 10.0.3.4 port 50022 ssh2: ED25519 SHA256:abcdefghijklmnopqrstuvwxyz0123456789abcdefg"
	auto := shared().auto
	var hits []hit
	b.SetBytes(int64(len(line)))
	for b.Loop() {
		hits = auto.find(line, hits[:0])
	}
}
