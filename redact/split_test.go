package redact_test

import (
	"os"
	"testing"

	"sallyport/redact"
)

// stream gives what a stream makes of chunks, joined.
func stream(chunks ...[]byte) string {
	s := redact.New(redact.Config{}).Target("db1").Stream()
	out := ""
	for _, c := range chunks {
		out += s.Write(c).String()
	}
	return out + s.Flush().String()
}

func bytewise(text string) [][]byte {
	var chunks [][]byte
	for i := range len(text) {
		chunks = append(chunks, []byte{text[i]})
	}
	return chunks
}

func TestEverySplitGivesTheSame(t *testing.T) {
	cases := corpus(t)
	for n, c := range cases {
		text := []byte(c.Text)
		want := stream(text)
		if got := stream(bytewise(c.Text)...); got != want {
			t.Fatalf("case %d, byte by byte:\n%q\nwant\n%q", n+1, got, want)
		}
		step := 1
		if os.Getenv("SALLYPORT_NIGHTLY") == "" {
			step = 1 + len(text)/12
		}
		for k := 1 + n%step; k < len(text); k += step {
			if got := stream(text[:k], text[k:]); got != want {
				t.Fatalf("case %d, cut at %d:\n%q\nwant\n%q", n+1, k, got, want)
			}
		}
	}
}

func TestStreamAndTextAgree(t *testing.T) {
	for n, c := range corpus(t) {
		whole, _ := redact.New(redact.Config{}).Text(c.Text)
		s := redact.New(redact.Config{}).Stream()
		got := s.Write([]byte(c.Text)).String() + s.Flush().String()
		if got != whole.String() {
			t.Errorf("case %d: stream %q\ntext %q", n+1, got, whole)
		}
	}
}

func TestMaskingTwiceChangesNothing(t *testing.T) {
	for n, c := range corpus(t) {
		once, _ := redact.New(redact.Config{}).Text(c.Text)
		twice, found := redact.New(redact.Config{}).Text(once.String())
		if twice != once {
			t.Errorf("case %d: %v\nonce  %.300q\ntwice %.300q", n+1, found, once, twice)
		}
	}
}
