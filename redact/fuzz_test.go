package redact_test

import (
	"encoding/base64"
	"math/rand/v2"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"sallyport/redact"
)

// secretBytes are in no text around the secret, so that any four of them in a row are the
// secret's.
const secretBytes = "QXZVKW579"

// without takes the secret's bytes out of a text that a fuzzer made.
func without(s string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(secretBytes, r) {
			return 'x'
		}
		return r
	}, s)
}

// FuzzSplit plants a learned secret in any text, in any form, with colours inside, and
// gives it to a stream in any pieces, with pauses and without.
func FuzzSplit(f *testing.F) {
	for i, c := range corpus(f) {
		if i%15 == 0 && len(c.Text) < 2000 {
			f.Add(c.Text, c.Text, uint64(i))
		}
	}
	f.Add("see ", " and \x1b[1mso\x1b[0m on\r\n", uint64(1))
	f.Add(strings.Repeat("日", 39), "\b\b\b\bxy\rz\x1b[K\n", uint64(2))
	f.Add("\x1b]0;", "\x1b\\tail", uint64(3))
	f.Add("-----BEGIN PRIVATE KEY-----\n", "\n-----END", uint64(4))
	f.Add("("+strings.Repeat(")", 60), " | passwd\n", uint64(6))
	f.Add("apiVersion: v1\ndata:\n  a: ", "\nkind: Secret\n", uint64(5))
	f.Fuzz(func(t *testing.T, before, after string, seed uint64) {
		if len(before)+len(after) > 4<<10 {
			return
		}
		rnd := rand.New(rand.NewPCG(seed, 9))
		secret := randomOf(rnd, secretBytes, 8+rnd.IntN(24))
		form := []string{secret, url.QueryEscape(secret + "&"), base64.StdEncoding.EncodeToString([]byte(secret))}[rnd.IntN(3)]
		text := without(before) + "\x18" + coloured(rnd, form) + without(after)
		checkSplits(t, text, secret, rnd)
	})
}

// coloured puts changes of colour between the characters of s.
func coloured(rnd *rand.Rand, s string) string {
	var b strings.Builder
	for i := range len(s) {
		if rnd.IntN(6) == 0 {
			b.WriteString([]string{"\x1b[31m", "\x1b[0m", "\x1b[1;38;5;9m", "\u200b"}[rnd.IntN(4)])
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

func checkSplits(t *testing.T, text, secret string, rnd *rand.Rand) {
	t.Helper()
	width := []int{0, 20, 80}[rnd.IntN(3)]
	run := func(size func() int, pause func() bool) string {
		r := redact.New(redact.Config{})
		r.Learn([]byte(secret))
		s := r.Target("h").Stream()
		s.Columns(width)
		all := ""
		for at := 0; at < len(text); {
			n := min(size(), len(text)-at)
			out := s.Write([]byte(text[at : at+n])).String()
			at += n
			if pause() {
				out += s.Expire().String()
			}
			checkWhole(t, text, out)
			all += out
		}
		return all + s.Flush().String()
	}
	never := func() bool { return false }
	want := run(func() int { return len(text) }, never)
	for name, got := range map[string]string{
		"byte by byte":    run(func() int { return 1 }, never),
		"in pieces":       run(func() int { return 1 + rnd.IntN(20) }, never),
		"with pauses":     run(func() int { return 1 + rnd.IntN(9) }, func() bool { return rnd.IntN(3) == 0 }),
		"a pause at each": run(func() int { return 1 }, func() bool { return true }),
		"unsplit":         want,
	} {
		if !strings.Contains(name, "pause") && got != want {
			t.Fatalf("%s: %q\nunsplit: %q", name, got, want)
		}
		checkHides(t, name, got, secret)
	}
}

// checkHides: no four characters of the secret in a row, as they stand or as they are read.
func checkHides(t *testing.T, name, got, secret string) {
	t.Helper()
	for _, text := range []string{got, redact.Printable(got)} {
		for i := 0; i+4 <= len(secret); i++ {
			if strings.Contains(text, secret[i:i+4]) {
				t.Fatalf("%s: %q of %q is shown: %q", name, secret[i:i+4], secret, text)
			}
		}
	}
}

var cutSequence = regexp.MustCompile(`\x1b(\[[0-9;:<=>?]*[ -/]*)?$`)

// checkWhole: what is given out at a time cuts no character and no sequence.
func checkWhole(t *testing.T, text, out string) {
	t.Helper()
	if utf8.ValidString(text) && !utf8.ValidString(out) {
		t.Fatalf("a character is cut: %q", out)
	}
	if cutSequence.MatchString(out) && !strings.Contains(text, "\x1b\x1b") && !strings.Contains(text, "\x1b\n") {
		t.Fatalf("a sequence is cut: %q", out)
	}
}
