package redact

import (
	"math/rand/v2"
	"testing"
)

// TestEndsAreThoseOfTheWhole compares what Ends gives with HeadTail of everything.
func TestEndsAreThoseOfTheWhole(t *testing.T) {
	mark := Literal("\n…\n")
	rnd := rand.New(rand.NewPCG(1, 2))
	pieces := []Text{Literal("x"), Literal("line\n"), Literal("日本語のログ\n"), Literal("password ‹redacted:password#1f2e› set\n"), Literal("‹redacted:token#"), Literal("99aa›"), {}}
	for range 3000 {
		e := Ends{Max: 40 + rnd.IntN(200)}
		var all []Text
		for range rnd.IntN(300) {
			p := pieces[rnd.IntN(len(pieces))]
			e.Add(p)
			all = append(all, p)
		}
		whole := Join(all...)
		if got, want := e.Text(mark), whole.HeadTail(e.Max, mark); got != want {
			t.Fatalf("of %d bytes at most %d: %q, want %q", whole.Len(), e.Max, got, want)
		}
		if e.Empty() != whole.Empty() {
			t.Fatalf("Empty is %v of %q", e.Empty(), whole)
		}
	}
}

// TestEndsStaySmall adds much more than is kept, in pieces of a byte.
func TestEndsStaySmall(t *testing.T) {
	e := Ends{Max: 1 << 12}
	for range 1 << 16 {
		e.Add(Literal("x"))
	}
	if n := len(e.head) + len(e.tail); n > 1<<12+maxParts+1 {
		t.Errorf("%d parts", n)
	}
	if n := e.headSize + e.tailSize; n > 3<<12 {
		t.Errorf("%d bytes are kept", n)
	}
}

// TestEndsWithoutRoomHoldNothing: of the zero value, as of one without room.
func TestEndsWithoutRoomHoldNothing(t *testing.T) {
	for _, most := range []int{0, -1} {
		e := Ends{Max: most}
		for range 3 {
			e.Add(Literal("some"))
		}
		if !e.Empty() || !e.Text(Literal("…")).Empty() {
			t.Errorf("room for %d: %q", most, e.Text(Literal("…")))
		}
	}
}
