package command

import "testing"

// Every expression compiles: what is wrong with one shows here, and not when a
// line first asks for it.
func TestEveryExpressionCompiles(t *testing.T) {
	if len(expressions) == 0 {
		t.Fatal("none is known")
	}
	for _, e := range expressions {
		e.compiled()
	}
}
