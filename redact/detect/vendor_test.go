package detect

import (
	"strings"
	"testing"
)

func TestVendorTableExamples(t *testing.T) {
	vendors := shared().vendors
	if len(vendors) < 150 {
		t.Errorf("%d entries, want 150 or more", len(vendors))
	}
	seen := map[string]bool{}
	for _, v := range vendors {
		if seen[v.ID] {
			t.Errorf("%s: twice", v.ID)
		}
		seen[v.ID] = true
		if v.Source == "" || v.Licence == "" || v.Kind == "" {
			t.Errorf("%s: source, licence and kind must be given", v.ID)
		}
		token := strings.Join(v.Example, "")
		if !maskedBy(t, "see "+token+" here", v.Kind) {
			t.Errorf("%s: its own example is not found: %v", v.ID, Scan("see "+token+" here"))
		}
	}
}

// maskedBy: a span of the kind was found.
func maskedBy(t *testing.T, text, kind string) bool {
	t.Helper()
	for _, s := range Scan(text) {
		if s.Kind == kind {
			return true
		}
	}
	return false
}
