package redact_test

import (
	"fmt"
	"strings"
	"testing"

	"sallyport/redact"
)

// How slowly a text comes must not matter: what was given out at a pause keeps its place
// in the line, and what comes behind it is judged with it. The caller's clock is the call
// of Expire, so that every pause can be tried.

const pausedToken = "ghp_at9ag498dyT5bl5GhcqrGi0qx020vorwNIvV"

// paused gives what a stream makes of the text with pauses at some of its bytes.
func paused(width int, prompt, text string, pauseAt func(int) bool) string {
	s := redact.New(redact.Config{}).Target("db1").Stream()
	s.Columns(width)
	var all strings.Builder
	all.WriteString(s.Write([]byte(prompt)).String() + s.Mark().String())
	for i := range len(text) {
		all.WriteString(s.Write([]byte{text[i]}).String())
		if pauseAt(i) {
			all.WriteString(s.Expire().String())
		}
	}
	all.WriteString(s.Flush().String())
	return all.String()
}

// everyPause tries a pause at each byte, at all, and at every third.
func everyPause(text string, try func(name string, pauseAt func(int) bool)) {
	for k := range len(text) {
		try(fmt.Sprintf("pause at %d", k), func(i int) bool { return i == k })
	}
	try("a pause at each byte", func(int) bool { return true })
	try("a pause at each third byte", func(i int) bool { return i%3 == 0 })
}

// TestPausesAtTheMarginOfALineEditor: what bash, zsh and fish write where a typed line
// reaches the margin, paused anywhere. It was seen in a session's recording that such a
// line's second row showed the end of a token whose beginning was masked.
func TestPausesAtTheMarginOfALineEditor(t *testing.T) {
	const prompt = "root@vm:~# "
	const secret = pausedToken
	for _, head := range []string{"env DB_PASSWORD=Harborthunder58 GITHUB_TOKEN=", "curl -H 'Authorization: Bearer ", "git clone https://deploy:"} {
		for before := 0; before < 60; before += 7 {
			line := strings.Repeat("x", before) + " " + head + secret + "'@host/ tail"
			for name, typed := range lineEditors(prompt, line, 80) {
				everyPause(typed, func(pause string, pauseAt func(int) bool) {
					got := paused(80, prompt, typed+"next line\r\n", pauseAt)
					if part := shownPart(got, secret[4:]); part != "" {
						t.Fatalf("%s, %q behind %d, %s: %q in %q", name, head, before, pause, part, got)
					}
					if !strings.Contains(redact.Printable(got), "next line") {
						t.Fatalf("%s, %s: %q", name, pause, got)
					}
				})
			}
		}
	}
}

// lineEditors gives what comes back when a line is typed behind a prompt on a terminal
// of so many columns.
func lineEditors(prompt, line string, width int) map[string]string {
	n := width - len(prompt)
	return map[string]string{
		"the terminal wraps": line + "\r\n",
		"bash":               wrapped(line, n, width, func(string) string { return " \r" }) + "\r\n",
		"zsh":                wrapped(line, n, width, func(after string) string { return after[:1] + "\r" }) + "\r\n",
		"fish":               wrapped(line, n, width, func(string) string { return "\r\n\r" }) + "\r\n",
		"drawn again":        line[:n] + " \r" + line[n:] + "\r\x1b[K\r\x1b[A\x1b[K\r" + prompt + line[:n] + " \r" + line[n:] + "\r\n",
	}
}

func wrapped(line string, room, width int, wrap func(after string) string) (out string) {
	for len(line) > room {
		out += line[:room] + wrap(line[room:])
		line, room = line[room:], width
	}
	return out + line
}

// shownPart gives four characters of a secret that are shown in a row, as they stand or
// across line ends and sequences.
func shownPart(text, secret string) string {
	text += "\x00" + strings.ReplaceAll(strings.ReplaceAll(redact.Printable(text), "\n", ""), " ", "")
	for i := 0; i+4 <= len(secret); i++ {
		if part := secret[i : i+4]; strings.Contains(text, part) {
			return part
		}
	}
	return ""
}

// TestPausesInsideARegion: what decides comes after the pause; nothing that was open is
// shown, and what follows it is.
func TestPausesInsideARegion(t *testing.T) {
	const body = "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVoxMjM0"
	for name, text := range map[string]string{
		"key":             "-----BEGIN PRIVATE KEY-----\n" + body + "\n" + body + "\n-----END PRIVATE KEY-----\nafter\n",
		"secret":          "apiVersion: v1\ndata:\n  password: " + body + "\nkind: Secret\n---\nafter\n",
		"hard wrap":       strings.Repeat("word ", 12) + "token=" + body[:14] + "\n" + body[14:] + "\nafter\n",
		"token wrapped":   strings.Repeat("word ", 12) + pausedToken[:20] + "\n" + pausedToken[20:] + "\nafter\n",
		"colours":         "password=\x1b[31m" + body[:9] + "\x1b[1;32m" + body[9:] + "\x1b[0m\nafter\n",
		"progress":        "10%\r20% token=" + body + "\r30%\nafter\n",
		"key, then value": "password:\n  " + body + "\nafter\n",
	} {
		secret := body
		if strings.Contains(text, pausedToken[:20]) {
			secret = pausedToken[4:]
		}
		want := stream([]byte(text))
		everyPause(text, func(pause string, pauseAt func(int) bool) {
			got := paused(80, "", text, pauseAt)
			if part := shownPart(got, secret); part != "" || !strings.HasSuffix(got, "after\n") {
				t.Fatalf("%s, %s: %q in %q, without a pause %q", name, pause, part, got, want)
			}
		})
	}
}

// TestPausesChangeNothingThatIsNoSecret: prose, prompts and tables come whole.
func TestPausesChangeNothingThatIsNoSecret(t *testing.T) {
	for _, text := range []string{
		"root@h:~# ls -la /var/log\nsyslog auth.log\n",
		"compiling 12 of 90 files\r\x1b[Kcompiling 13 of 90 files\r\n",
		"NAME   STATUS\nweb    Running\n",
		strings.Repeat("word ", 40) + "\n",
	} {
		everyPause(text, func(pause string, pauseAt func(int) bool) {
			if strings.Contains(pause, "third") || strings.Contains(pause, "each") {
				return // a pause inside "13" or "auth.log" may mask a word that could grow
			}
			if got := paused(80, "", text, pauseAt); !strings.Contains(got, "<redacted:") && got != text {
				t.Errorf("%s: %q became %q", pause, text, got)
			}
		})
	}
}
