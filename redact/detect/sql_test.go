package detect

import (
	"strings"
	"testing"
)

// However often secrets are selected, what is remembered is the last selection.
func TestSelectedColumnsDoNotPileUp(t *testing.T) {
	s := NewScanner()
	for range 1000 {
		s.PushAll("select name, password from users")
	}
	s.PushAll(strings.Repeat("select id, password, token from users; ", 1000))
	if n := len(s.table.cols); n > 2 {
		t.Errorf("%d columns are remembered", n)
	}
	s.PushAll("ann|Zq7!mv29Lp|x")
	if len(s.found) == 0 {
		t.Error("a row behind them is not masked")
	}
}
