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

func TestShapeOfAPattern(t *testing.T) {
	for pattern, want := range map[string]shape{
		`sk-[a-z]{20,}`:                {min: 23},
		`(?:ab|cde)_x?[0-9]+`:          {min: 4},
		`(?i)token: (?P<secret>\w{8})`: {min: 15, blank: true},
		`a.b`:                          {min: 3, blank: true},
		`a[^b]*`:                       {min: 1, blank: true},
		`a\b`:                          {min: 1},
	} {
		if got := shapeOfPattern(pattern); got != want {
			t.Errorf("%s: %+v, want %+v", pattern, got, want)
		}
	}
	for _, v := range shared().vendors {
		for _, m := range v.re.FindAllString(strings.Join(v.Example, ""), 1) {
			if !v.shape.fits(m, 0) {
				t.Errorf("%s: %+v does not fit %q", v.ID, v.shape, m)
			}
		}
	}
}
