package copilot

import (
	"math/rand/v2"
	"slices"
	"strings"
	"unicode/utf8"
)

// tokens remembers which words a host printed and which the operator wrote, so that
// a suggestion can be marked where it uses what only the host has said: that is how
// an injected command arrives. Words are kept as hashes, in bounded memory.
type tokens struct {
	seed    uint64
	printed generations
	written generations
	open    word // the word at the end of the output so far
}

const (
	minToken      = 8       // characters; shorter words say nothing
	maxGeneration = 1 << 15 // words
)

func newTokens() *tokens {
	t := &tokens{seed: rand.Uint64()}
	t.open = word{hash: t.seed}
	return t
}

// output takes what the host printed. It is called for all output, so it is one pass
// without allocation.
func (t *tokens) output(s string) {
	w := t.open
	for i := range len(s) {
		if c := s[i]; !separator[c] {
			w.add(c)
			continue
		}
		if w.runes >= minToken {
			t.printed.add(w.hash)
		}
		w = word{hash: t.seed}
	}
	t.open = w
}

// operator takes what the operator wrote: it is not injected, wherever it is printed.
func (t *tokens) operator(s string) {
	for _, w := range words(s) {
		t.written.add(t.hash(w))
	}
}

// injected gives the words of a command that the host printed and the operator did
// not write.
func (t *tokens) injected(command string) []string {
	var out []string
	for _, w := range words(command) {
		h := t.hash(w)
		if (t.printed.has(h) || t.open.hash == h) && !t.written.has(h) && !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	return out
}

func (t *tokens) hash(s string) uint64 {
	w := word{hash: t.seed}
	for i := range len(s) {
		w.add(s[i])
	}
	return w.hash
}

// word is a word that is being read: its FNV-1a hash and its length in characters.
type word struct {
	hash  uint64
	runes int
}

const fnvPrime = 1099511628211

func (w *word) add(c byte) {
	w.hash = (w.hash ^ uint64(c)) * fnvPrime
	if utf8.RuneStart(c) {
		w.runes++
	}
}

// generations is a set that forgets the oldest half when it is full.
type generations [2]map[uint64]struct{}

func (g *generations) add(h uint64) {
	if _, ok := g[0][h]; ok {
		return
	}
	if g[0] == nil || len(g[0]) >= maxGeneration {
		g[1], g[0] = g[0], g[1]
		clear(g[0])
	}
	if g[0] == nil {
		g[0] = make(map[uint64]struct{})
	}
	g[0][h] = struct{}{}
}

func (g *generations) has(h uint64) bool {
	_, a := g[0][h]
	_, b := g[1][h]
	return a || b
}

// words gives the words of at least minToken characters.
func words(s string) []string {
	out := strings.FieldsFunc(s, func(r rune) bool { return r < 0x80 && separator[r] })
	return slices.DeleteFunc(out, func(w string) bool { return utf8.RuneCountInString(w) < minToken })
}

// separator tells what stands between words in output and in a shell line alike.
var separator = func() (set [256]bool) {
	for c := range ' ' + 1 {
		set[c] = true
	}
	for _, c := range []byte("'\"`|&;<>(){}[]=,$\x7f") {
		set[c] = true
	}
	return set
}()
