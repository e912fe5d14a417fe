package ship

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"sallyport/audit"
	"sallyport/audit/seal"
)

// held is a receiver that holds what a test says.
type held map[audit.Hash]int

func (h held) Held(context.Context, audit.LogID) (map[audit.Hash]int, error) {
	out := map[audit.Hash]int{}
	for k, v := range h {
		out[k] = v
	}
	return out, nil
}

func TestReconcileSaysWhatIsNotThere(t *testing.T) {
	dir, bodies := logOf(t, 10)
	leaf := func(i int) audit.Hash { return audit.Hash(seal.Leaf([]byte(bodies[i]))) }
	all := func() held {
		h := held{}
		for i := range bodies {
			h[leaf(i)] = 1
		}
		return h
	}
	n := uint64(len(bodies))
	if _, err := Reconcile(t.Context(), nil, dir, all()); err != nil {
		t.Fatal(err)
	}
	before, err := Reconcile(t.Context(), nil, dir, held{})
	if err != nil || before[0].Waiting != n || !before[0].Good() {
		t.Errorf("nothing was shipped: %+v %v", before, err)
	}
	if err := shipper(t, Config{Dir: dir, Endpoint: Endpoint{URL: newCollector().start(t)}}).Once(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		change func(h held)
		want   Balance
		good   bool
	}{
		{"all of it", func(held) {}, Balance{Held: n}, true},
		{"one twice", func(h held) { h[leaf(3)] = 2 }, Balance{Held: n, Repeated: 1}, true},
		{"two not there", func(h held) { delete(h, leaf(4)); delete(h, leaf(7)) }, Balance{Held: n - 2, MissingAll: 2, Missing: []uint64{4, 7}}, false},
		{"one that is not ours", func(h held) { h[audit.Hash{1}] = 1 }, Balance{Held: n, Foreign: 1}, false},
	} {
		h := all()
		c.change(h)
		got, err := Reconcile(t.Context(), nil, dir, h)
		if err != nil || len(got) != 1 {
			t.Fatalf("%s: %v %v", c.name, got, err)
		}
		b := got[0]
		if b.Records != n || b.Held != c.want.Held || b.Repeated != c.want.Repeated || b.MissingAll != c.want.MissingAll ||
			b.Foreign != c.want.Foreign || !slices.Equal(b.Missing, c.want.Missing) || b.Good() != c.good {
			t.Errorf("%s: %+v", c.name, b)
		}
	}
}

func TestAnAnswerThatIsNoneIsAnError(t *testing.T) {
	for name, answer := range map[string]func(w http.ResponseWriter){
		"not JSON":    func(w http.ResponseWriter) { w.Write([]byte("<html>")) },
		"no hash":     func(w http.ResponseWriter) { w.Write([]byte(`{"log.record.uid":"x","n":"1"}`)) },
		"401":         func(w http.ResponseWriter) { w.WriteHeader(401) },
		"a redirect":  func(w http.ResponseWriter) { w.Header().Set("Location", "http://127.0.0.1:1/"); w.WriteHeader(307) },
		"a long line": func(w http.ResponseWriter) { w.Write([]byte(strings.Repeat("x", 1<<20))) },
	} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { answer(w) }))
		_, err := VictoriaLogs{Endpoint{URL: s.URL}}.Held(t.Context(), "00")
		s.Close()
		if err == nil || strings.Contains(err.Error(), "127.0.0.1") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := (VictoriaLogs{Endpoint{URL: "ftp://x"}}).Held(t.Context(), "00"); err == nil || errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestAnAnswerThatIsTooLongIsNotCutShort(t *testing.T) {
	var answer strings.Builder
	for i := range 3 {
		fmt.Fprintf(&answer, "{\"log.record.uid\":\"%064x\",\"n\":\"1\"}\n", i)
	}
	for most, good := range map[int]bool{2: false, 3: true} {
		held, err := heldIn(bufio.NewScanner(strings.NewReader(answer.String())), most)
		if (err == nil) != good || good && len(held) != 3 {
			t.Errorf("at most %d: %d, %v", most, len(held), err)
		}
	}
}
