package copilot

import (
	"hash/maphash"
	"slices"
	"strings"
	"unicode/utf8"
)

// tokens remembers which words a host printed and which the operator wrote, so that
// a suggestion can be marked where it uses what only the host has said: that is how
// an injected command arrives. Words are kept as hashes, in bounded memory.
type tokens struct {
	seed    maphash.Seed
	printed [2]map[uint64]struct{} // current and previous generation
	written [2]map[uint64]struct{}
	open    string // the end of the output so far, while it may go on
}

const (
	minToken      = 8       // characters; shorter words say nothing
	maxToken      = 512     // bytes; of a longer one the head counts
	maxGeneration = 1 << 15 // words
)

func newTokens() *tokens { return &tokens{seed: maphash.MakeSeed()} }

// output takes what the host printed.
func (t *tokens) output(s string) {
	s = t.open + s
	end := strings.LastIndexFunc(s, separates)
	t.open = s[end+1:]
	if len(t.open) > maxToken {
		t.open = t.open[:maxToken]
	}
	t.add(&t.printed, s[:end+1])
}

// operator takes what the operator wrote: it is not injected, wherever it is printed.
func (t *tokens) operator(s string) { t.add(&t.written, s) }

// injected gives the words of a command that the host printed and the operator did
// not write.
func (t *tokens) injected(command string) []string {
	var out []string
	for _, w := range words(command) {
		h := t.hash(w)
		if (has(t.printed, h) || w == t.open) && !has(t.written, h) && !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	return out
}

func (t *tokens) add(set *[2]map[uint64]struct{}, s string) {
	for _, w := range words(s) {
		if set[0] == nil || len(set[0]) >= maxGeneration {
			set[1], set[0] = set[0], make(map[uint64]struct{})
		}
		set[0][t.hash(w)] = struct{}{}
	}
}

func (t *tokens) hash(w string) uint64 { return maphash.String(t.seed, w) }

func has(set [2]map[uint64]struct{}, h uint64) bool {
	_, a := set[0][h]
	_, b := set[1][h]
	return a || b
}

// words gives the words of at least minToken characters.
func words(s string) []string {
	out := strings.FieldsFunc(s, separates)
	return slices.DeleteFunc(out, func(w string) bool { return utf8.RuneCountInString(w) < minToken })
}

// separates tells what stands between words in output and in a shell line alike.
func separates(r rune) bool {
	return r <= ' ' || r == 0x7f || strings.ContainsRune("'\"`|&;<>(){}[]=,$", r)
}
