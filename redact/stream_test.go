package redact_test

import (
	"encoding/base64"
	"math/rand/v2"
	"net/url"
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"

	"sallyport/redact"
)

func TestStreamHoldsTheUnfinishedLine(t *testing.T) {
	s := redact.New(redact.Config{}).Stream()
	if got := s.Write([]byte("one\ntwo pass")).String(); got != "one\n" {
		t.Errorf("%q", got)
	}
	if got := s.Write([]byte("word=hunter22\n")).String(); got != "two password=<redacted:password#1>\n" {
		t.Errorf("%q", got)
	}
}

func TestExpireLetsAPromptGoAndKeepsSecrets(t *testing.T) {
	const secret = "ghp_at9ag498dyT5bl5GhcqrGi0qx020vorwNIvV"
	tests := []struct {
		name        string
		first, then string
		shown, not  string
	}{
		{"prompt", "root@h:~# ", "ls\n", "root@h:~# ls\n", ""},
		{"word", "compiling", " done\n", "compiling done\n", ""},
		{"password behind its prompt", "Password: ", "hunter22\n", "Password: ", "hunt"},
		{"half a value", "token=hunt", "er22\nnext\n", "next\n", "hunt"},
		{"half a token", "see " + secret[:12], secret[12:] + "\n", "see ", secret[:8]},
		{"half a token, later", "see " + secret[:12], secret[12:] + "\n", "see ", secret[20:28]},
		{"escape cut in two", "a \x1b[3", "1mred\n", "\x1b[31mred\n", ""},
		{"open key", "-----BEGIN PRIVATE KEY-----\nQUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVoxMjM0\n", "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVoxMjM0\n-----END PRIVATE KEY-----\nafter\n", "after\n", "QUJD"},
		{"data of unknown kind", "apiVersion: v1\ndata:\n  password: c2VjcmV0LXZhbHVl\n", "kind: Secret\n", "kind: Secret\n", "c2Vj"},
	}
	for _, tt := range tests {
		s := redact.New(redact.Config{}).Stream()
		held := s.Write([]byte(tt.first)).String()
		expired := s.Expire().String()
		rest := s.Write([]byte(tt.then)).String() + s.Flush().String()
		all := held + expired + rest
		if !strings.Contains(all, tt.shown) || tt.not != "" && strings.Contains(all, tt.not) {
			t.Errorf("%s: %q, then %q, then %q", tt.name, held, expired, rest)
		}
		if !strings.HasPrefix(tt.first, "a \x1b") && len(held+expired) == 0 {
			t.Errorf("%s: nothing was let go", tt.name)
		}
	}
}

func TestNoSequenceIsLeftWithoutItsEnd(t *testing.T) {
	s := redact.New(redact.Config{}).Stream()
	s.Write([]byte("a\x1b\xef"))
	if got := s.Expire().String(); got != "a" {
		t.Errorf("given out while what ends the sequence is cut: %q", got)
	}
	for _, broken := range []string{"\x1b", "\x1b[", "\x1b[1;3", "\x1b("} {
		got, _ := redact.New(redact.Config{}).Text("password='" + broken + "éà-hunter22'")
		if got.String() != "password='<redacted:password#1>'" {
			t.Errorf("%q in front of a secret: %q", broken, got)
		}
	}
}

func TestExpireKeepsALearnedValueThatComesSlowly(t *testing.T) {
	r := redact.New(redact.Config{})
	r.Learn([]byte("correct horse battery"))
	s := r.Stream()
	all := ""
	for _, c := range "my correct horse battery staple\n" {
		all += s.Write([]byte(string(c))).String() + s.Expire().String()
	}
	all += s.Flush().String()
	if showsPart(all, "correct horse battery") {
		t.Errorf("%q", all)
	}
}

func TestOverflowMasksTheOpenRegion(t *testing.T) {
	s := redact.New(redact.Config{}).Stream()
	var in, out strings.Builder
	in.WriteString("-----BEGIN PRIVATE KEY-----\n")
	for in.Len() < 300<<10 {
		in.WriteString("QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVoxMjM0QUJDREVGR0hJSktMTU5PUFFS\n")
	}
	in.WriteString("-----END PRIVATE KEY-----\nafter\n")
	text := in.String()
	for at := 0; at < len(text); at += 1000 {
		out.WriteString(s.Write([]byte(text[at:min(len(text), at+1000)])).String())
		if at > 100<<10 && out.Len() == 0 {
			t.Fatal("nothing was given after 100 KiB")
		}
	}
	out.WriteString(s.Flush().String())
	if strings.Contains(out.String(), "QUJD") || !strings.HasSuffix(out.String(), "after\n") {
		t.Errorf("%.300q … %q", out.String(), out.String()[max(0, out.Len()-80):])
	}
}

func TestLineWithoutAnEndIsCut(t *testing.T) {
	long := strings.Repeat(`{"id": 1, "name": "x"},`, 20000)
	if got := stream([]byte(long + "\n")); got != long+"\n" {
		t.Error("a long line of JSON is changed")
	}
	word := strings.Repeat("Ab3", 50000)
	if got := stream([]byte(word + " end\n")); strings.Contains(got, "Ab3Ab3Ab3Ab3") && len(got) > 70<<10 {
		t.Errorf("%d bytes of a word without end are shown", len(got))
	}
}

func TestStreamNeedsLittleMemory(t *testing.T) {
	redact.New(redact.Config{}).Text("warm up")
	var before, after runtime.MemStats
	const n = 20
	var streams []*redact.Stream
	r := redact.New(redact.Config{})
	log := terminalLog(1 << 20)
	runtime.GC()
	runtime.ReadMemStats(&before)
	for range n {
		s := r.Target("h").Stream()
		for at := 0; at < len(log); at += 4096 {
			s.Write(log[at:min(len(log), at+4096)])
		}
		s.Write([]byte("-----BEGIN PRIVATE KEY-----\n" + strings.Repeat("QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVoxMjM0\n", 1500)))
		streams = append(streams, s)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if per := (int64(after.HeapAlloc) - int64(before.HeapAlloc)) / n; per > 1<<20 {
		t.Errorf("%d bytes a stream", per)
	}
	runtime.KeepAlive(streams)
}

// checkStream holds the promises for one text, learned secret and way to cut it.
func checkStream(t *testing.T, text, secret string, seed uint64) {
	t.Helper()
	newStream := func() *redact.Stream {
		r := redact.New(redact.Config{})
		r.Learn([]byte(secret))
		return r.Target("h").Stream()
	}
	s := newStream()
	want := s.Write([]byte(text)).String() + s.Flush().String()
	rnd := rand.New(rand.NewPCG(seed, 1))
	s = newStream()
	got := ""
	for at := 0; at < len(text); {
		n := 1 + rnd.IntN(1+rnd.IntN(40))
		n = min(n, len(text)-at)
		got += s.Write([]byte(text[at : at+n])).String()
		at += n
	}
	if got += s.Flush().String(); got != want {
		t.Fatalf("cut: %q\nwhole: %q", got, want)
	}
	if utf8.ValidString(text) && !utf8.ValidString(want) {
		t.Fatalf("a character was cut: %q became %q", text, want)
	}
	checkExpire(t, newStream(), text, secret, rnd)
}

// checkExpire cuts and expires anywhere: no emission shows the secret's parts.
func checkExpire(t *testing.T, s *redact.Stream, text, secret string, rnd *rand.Rand) {
	t.Helper()
	secret = strings.TrimSpace(secret)
	all := ""
	for at := 0; at < len(text); {
		n := min(1+rnd.IntN(8), len(text)-at)
		out := s.Write([]byte(text[at : at+n])).String()
		if rnd.IntN(3) == 0 {
			out += s.Expire().String()
		}
		all += out
		at += n
	}
	all += s.Flush().String()
	if len(secret) >= 6 && redact.Printable(text) == text && !strings.ContainsAny(secret, "\r\n") && strings.Contains(all, secret) && !strings.Contains("<redacted:", secret) {
		t.Fatalf("with pauses the secret %q is shown whole: %q", secret, all)
	}
	if utf8.ValidString(text) && !utf8.ValidString(all) {
		t.Fatalf("with pauses a character was cut: %q became %q", text, all)
	}
}

func FuzzStream(f *testing.F) {
	for i, c := range corpus(f) {
		if i%20 == 0 && len(c.Text) < 2000 {
			secret := "hunter22"
			if len(c.Secrets) > 0 {
				secret = c.Secrets[0]
			}
			f.Add(c.Text, secret, uint64(i))
		}
	}
	f.Add("a\x1b]0;x\x1b\\b\x1b[1;31mc\r\nü\b\b日本", "secret", uint64(3))
	f.Add("("+strings.Repeat(")", 60)+" | passwd\n", "abcdef", uint64(6))
	f.Add("password=\x1b[31mabc\x1b[0m\n<redacted:password#1>", "abcdef", uint64(4))
	f.Fuzz(func(t *testing.T, text, secret string, seed uint64) {
		if len(text) > 8<<10 || len(secret) > 200 {
			return
		}
		checkStream(t, text, secret, seed)
		once, _ := redact.New(redact.Config{}).Text(text)
		if twice, _ := redact.New(redact.Config{}).Text(once.String()); twice != once && redact.Printable(text) == text {
			t.Fatalf("once %q\ntwice %q", once, twice)
		}
	})
}

// However the bytes come and wherever they pause, four characters in a row of a learned
// secret are never given out.
func TestPausesNeverShowALearnedSecret(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		secret := randomOf(rnd, "QXZqxzJVW579!%=", 8+rnd.IntN(20))
		for _, form := range []string{secret, url.QueryEscape(secret), base64.StdEncoding.EncodeToString([]byte("ab" + secret + "cd"))} {
			r := redact.New(redact.Config{})
			r.Learn([]byte(secret))
			s := r.Stream()
			text := "some words " + form + " and more\r\nthe same: \x1b[1m" + form[:5] + "\x1b[31m" + form[5:] + "\x1b[0m.\n"
			all := ""
			for at := 0; at < len(text); {
				n := min(1+rnd.IntN(6), len(text)-at)
				all += s.Write([]byte(text[at : at+n])).String()
				if rnd.IntN(4) == 0 {
					all += s.Expire().String()
				}
				at += n
			}
			all += s.Flush().String()
			if showsPart(strings.ReplaceAll(redact.Printable(all), "<redacted:", ""), form[4:len(form)-4]) {
				t.Fatalf("secret %q as %q: %q", secret, form, all)
			}
		}
	}
}

// TestInvisibleCharactersHideNothing: who reads the text, or copies it, sees a token
// whole, whatever takes no place between its parts.
func TestInvisibleCharactersHideNothing(t *testing.T) {
	const secret = "ghp_at9ag498dyT5bl5GhcqrGi0qx020vorwNIvV"
	for _, hidden := range []string{
		"\u200b", "\u200c", "\u200d", "\u200e", "\u202e", "\u2060", "\u2066", "\ufeff", "\u00ad", "\u034f", "\u061c", "\u115f", "\u180e",
		"\u2028", "\u2064", "\u3164", "\ufe0f", "\uffa0", "\ufff9", "\U0001d173", "\U000e0041", "\U000e0101", "\u0085", "\u200b\x1b[31m\u200b",
	} {
		split := secret[:9] + hidden + secret[9:20] + hidden + secret[20:]
		raw := "see " + split + " and password" + hidden + "=hunt" + hidden + "er2222 é" + hidden + "\n"
		r := redact.New(redact.Config{})
		r.Text("see " + secret + " and password=hunter2222")
		got, found := r.Text(raw)
		want := "see <redacted:github-token#1> and password" + hidden + "=<redacted:password#2> é" + hidden + "\n"
		if strings.Contains(hidden, "\x1b") {
			want = strings.Replace(strings.Replace(want, "#1>", "#1>\x1b[31m\x1b[31m", 1), "#2>", "#2>\x1b[31m", 1)
		}
		if got.String() != want {
			t.Errorf("%q:\n%q\nwant\n%q", hidden, got, want)
		}
		if len(found) != 2 || raw[found[0].Start:found[0].End] != split {
			t.Errorf("%q: %+v", hidden, found)
		}
		if cut := stream(bytewise(raw)...); cut != stream([]byte(raw)) {
			t.Errorf("%q: byte by byte %q", hidden, cut)
		}
	}
}

func TestInvisibleCharactersInWhatIsEncoded(t *testing.T) {
	const split = "ghp_at9ag49\u200b8dyT5bl5Ghcq\u202erGi0qx020vorwNIvV"
	for _, text := range []string{
		base64.StdEncoding.EncodeToString([]byte("token " + split)),
		`"note": "ghp_at9ag49\u200b8dyT5bl5Ghcq\u202erGi0qx020vorwNIvV"`,
		"\x1b]0;" + split + "\a",
	} {
		if got, _ := redact.New(redact.Config{}).Text(text); strings.Contains(got.String(), "5bl5") || strings.Contains(got.String(), "NWJsN") {
			t.Errorf("%q: %q", text, got)
		}
	}
	r := redact.New(redact.Config{})
	r.Learn([]byte("pä\u200dss wörter"))
	if got, _ := r.Text("it is pä\u200dss wörter here, päss wörter there"); got.String() != "it is <redacted:password#1> here, <redacted:password#1> there" {
		t.Errorf("%q", got)
	}
}

// TestMarginOfALineEditorHidesNothing: what line editors write where a line reaches the
// margin, as bash 5.2 and zsh 5.9 do behind a prompt that was let go.
func TestMarginOfALineEditorHidesNothing(t *testing.T) {
	const token = "ghp_at9ag498dyT5bl5GhcqrGi0qx020vorwNIvV"
	const prompt = "root@vm:~# "
	for _, width := range []int{60, 80, 100} {
		line := strings.Repeat("x ", (width-len(prompt)-10)/2) + token + " tail"
		n := width - len(prompt)
		for name, typed := range map[string]string{
			"next character twice": line[:n+1] + "\r" + line[n:] + "\r\n",
			"blank":                line[:n] + " \r" + line[n:] + "\r\n",
			"new line":             line[:n] + "\r\n\r" + line[n:] + "\r\n",
			"written again":        line[:n+1] + "\r" + line[n:] + "\r\x1b[K\r\x1b[A\x1b[K\r" + prompt + line[:n+1] + "\r" + line[n:] + "\r\n",
		} {
			for _, pause := range []bool{false, true} {
				s := redact.New(redact.Config{}).Stream()
				s.Columns(width)
				got := s.Write([]byte(prompt)).String()
				if pause {
					got += s.Expire().String()
				} else {
					got += s.Mark().String()
				}
				got += s.Write([]byte(typed+"next line\r\n")).String() + s.Flush().String()
				if showsPart(got, token) || !strings.Contains(got, " tail") || !strings.Contains(got, "next line") {
					t.Errorf("%s at %d, pause %v: %q", name, width, pause, got)
				}
			}
		}
	}
}
