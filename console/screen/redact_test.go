package screen_test

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sallyport/console/screen"
	"sallyport/redact"
)

// redaction is a row of the corpus: what a program prints, and the secrets in it as a reader sees them.
type redaction struct {
	Text    string   `json:"text"`
	Kind    string   `json:"kind"`
	Logical []string `json:"logical"`
}

// own are rows like the corpus', made up for this test.
var own = []redaction{
	{Kind: "colour inside", Text: "export GITHUB_TOKEN=gh\x1b[01;31m\x1b[Kp_at9ag498dyT5bl5GhcqrGi0qx020" + "vorwNIvV\x1b[0m", Logical: []string{"ghp_at9ag498dyT5bl5GhcqrGi0qx020" + "vorwNIvV"}},
	{Kind: "typed and corrected", Text: "# export DB_PASSWORD=Grax\b \bnite2033@", Logical: []string{"Granite2033@"}},
	{Kind: "wrapped at the margin", Text: strings.Repeat("x", 60) + " --password bKMhFaBAX0QclMU37dPHvBKwtEJSNA", Logical: []string{"bKMhFaBAX0QclMU37dPHvBKwtEJSNA"}},
	{Kind: "wrapped by readline", Text: strings.Repeat("x", 50) + " --password bKMhFaBAX0QclMU37d \rPHvBKwtEJSNA", Logical: []string{"bKMhFaBAX0QclMU37dPHvBKwtEJSNA"}},
	{Kind: "overwritten", Text: "password: wrongword\rpassword: Granite2033@", Logical: []string{"Granite2033@"}},
	{Kind: "put together by cursor movement", Text: "password=\x1b[12Gnite2033@\x1b[10GGra", Logical: []string{"nite2033@"}},
}

func redactions(t *testing.T) []redaction {
	t.Helper()
	rows := own
	dir := os.Getenv("SALLYPORT_CORPUS")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared", "corpus")
	}
	f, err := os.Open(filepath.Join(dir, "redact.jsonl"))
	if err != nil {
		return rows
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var r redaction
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		if len(r.Logical) > 0 {
			rows = append(rows, r)
		}
	}
	return rows
}

// TestRedactionOfTheScreen prints each row on a screen and redacts the logical lines: of no secret four clear characters in a row are left.
func TestRedactionOfTheScreen(t *testing.T) {
	rows := redactions(t)
	missed := 0
	for _, row := range rows {
		s := screen.New(80, 24, screen.Options{})
		s.Write([]byte(strings.ReplaceAll(row.Text, "\n", "\r\n")))
		first, end := s.Lines()
		text, _ := redact.New(redact.Config{}).Cells(redact.Lines(s.Logical(first, end)...))
		if left := remains(text.String(), row.Logical); left != "" {
			missed++
			t.Logf("%s: %q is left in %q", row.Kind, left, strings.TrimRight(text.String(), "\n"))
		}
	}
	if recall := 1 - float64(missed)/float64(len(rows)); recall < 0.98 {
		t.Errorf("recall %.3f of %d rows, want .98", recall, len(rows))
	}
}

// remains returns four characters of a secret that text still holds.
func remains(text string, secrets []string) string {
	text = plain(text)
	for _, secret := range secrets {
		for i := 0; i+4 <= len(secret); i++ {
			if part := secret[i : i+4]; strings.Contains(text, part) {
				return part
			}
		}
	}
	return ""
}

// plain returns text without sequences, read by the screen's own tokenizer.
func plain(text string) string {
	var tok screen.Tokenizer
	var b strings.Builder
	for p := []byte(text); len(p) > 0; {
		t, n := tok.Next(p)
		p = p[n:]
		if t != nil && t.Kind == screen.Text {
			b.Write(t.Bytes)
		}
	}
	return b.String()
}
