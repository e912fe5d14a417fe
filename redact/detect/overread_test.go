package detect

import (
	"strings"
	"testing"
)

// What is behind a word that was read too often is still looked at.
func TestWhatStandsBehindALongWordIsSeen(t *testing.T) {
	const secret = "hK7wQz93mXb"
	for _, unit := range []string{"authorization:" + strings.Repeat("x", 36), "password:", "token=", "secret=a1b2c3d4&", "x" + strings.Repeat("y", 40) + "=1"} {
		for _, joint := range []string{"/", "&", "|", "+", "", ","} {
			for _, key := range []string{"password: ", "password=", "--password ", "password='", "https://u:"} {
				for _, n := range []int{10, 33, 40, 60, 200} {
					text := strings.Repeat(unit+joint, n) + key + secret
					switch {
					case strings.HasSuffix(key, "'"):
						text += "'"
					case strings.HasPrefix(key, "https"):
						text += "@h.example/"
					}
					if !hidden(text, secret) {
						t.Errorf("%d times %q, then %q", n, unit+joint, key)
					}
				}
			}
		}
	}
}

// What is behind more of a thing than is looked at is masked.
func TestWhatIsNotLookedAtIsMasked(t *testing.T) {
	const secret = "hK7wQz93mXb"
	for many, last := range map[string]string{
		"wifi.begin(\"a\", \"\"); ":        "wifi.begin(\"a\", \"" + secret + "\")",
		"imap_open(a, b, c); ":             "imap_open(\"a\", \"b\", \"" + secret + "\")",
		"echo a | passwd b ":               "echo " + secret + " | passwd x",
		"mysql a b ":                       "mysql -p" + secret,
		"{\"cmd\": [\"a\"]} argv=[\"a\"] ": "argv=[\"mysql\", \"-p" + secret + "\"]",
	} {
		for _, n := range []int{3, 70, 300, 1000} {
			if text := strings.Repeat(many, n) + last; !hidden(text, secret) {
				t.Errorf("%d times %q, then %q", n, many, last)
			}
		}
	}
}

// hidden tells whether no part of secret stands outside of the spans.
func hidden(text, secret string) bool {
	at := strings.Index(text, secret)
	for _, sp := range Scan(text) {
		if sp.Start <= at && sp.End >= at+len(secret) {
			return true
		}
	}
	return false
}
