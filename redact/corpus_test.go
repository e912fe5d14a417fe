package redact_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sallyport/redact"
	"sallyport/redact/measure"
)

// corpus gives the cases of testdata and, where it is, of the shared corpus.
func corpus(t testing.TB) []measure.Case {
	t.Helper()
	dir := os.Getenv("SALLYPORT_CORPUS")
	if dir == "" {
		dir = filepath.Join("..", "..", "shared", "corpus")
	}
	var all []measure.Case
	for _, name := range []string{filepath.Join("testdata", "cases.jsonl"), filepath.Join("testdata", "fresh.jsonl"), filepath.Join("testdata", "kinds.jsonl"), filepath.Join(dir, "redact.jsonl")} {
		f, err := os.Open(name)
		if os.IsNotExist(err) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		cases, err := measure.Read(f)
		f.Close()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		all = append(all, cases...)
	}
	return all
}

func TestRecallAndPrecision(t *testing.T) {
	cases := corpus(t)
	var notes strings.Builder
	groups := measure.Run(cases, func(text string) redact.Findings {
		_, found := redact.New(redact.Config{}).Text(text)
		return found
	}, &notes)
	measure.Print(&notes, groups)
	want := map[string]float64{"terminal": .98, "vendor samples": .95}
	for group, min := range want {
		if s := groups[group]; s != nil && s.Recall() < min {
			t.Errorf("%s: recall %.4f, want %.2f", group, s.Recall(), min)
		}
	}
	if p := measure.Total(groups).Precision(); p < .985 {
		t.Errorf("precision %.4f, want .985", p)
	}
	if s := groups["negative"]; s != nil && s.Hit*200 > s.Negatives {
		t.Errorf("%d of %d negative rows hit, want 1 in 200", s.Hit, s.Negatives)
	}
	t.Log("\n" + notes.String())
}
