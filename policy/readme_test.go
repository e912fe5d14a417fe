package policy_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"sallyport/policies"
	"sallyport/policy"
)

const readmeHeading = "## How to write a policy file"

// readmeSection is the section of the README that explains policy files.
func readmeSection(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, ok := strings.Cut(string(data), readmeHeading)
	if !ok {
		t.Fatalf("README.md has no %q", readmeHeading)
	}
	section, _, _ = strings.Cut(section, "\n## ")
	return section
}

// block gives the first fenced block of a kind.
func block(t *testing.T, section, kind string) string {
	t.Helper()
	_, rest, ok := strings.Cut(section, "```"+kind+"\n")
	if !ok {
		t.Fatalf("no ```%s block", kind)
	}
	text, _, _ := strings.Cut(rest, "```")
	return text
}

var explainLine = regexp.MustCompile(`^\$ sallyport policy explain --policy \S+ --host (\S+)(?: --origin (\w+))? -- (?:"(.*)"|'(.*)')$`)

// TestReadmePolicyFileWorksAsWritten loads the README's file and asks what
// its commands ask.
func TestReadmePolicyFileWorksAsWritten(t *testing.T) {
	section := readmeSection(t)
	file := filepath.Join(t.TempDir(), "acme.toml")
	if err := os.WriteFile(file, []byte(block(t, section, "toml")), 0o600); err != nil {
		t.Fatal(err)
	}
	set, _, err := policy.Load(policy.Config{Embedded: policies.FS(), Shipped: policies.Shipped, EmbeddedOnly: true, Files: []string{file}})
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(block(t, section, "console"), "\n")
	asked := 0
	for i, l := range lines {
		m := explainLine.FindStringSubmatch(l)
		if m == nil {
			continue
		}
		r := policy.Request{Text: m[3] + m[4], Origin: policy.Origin(m[2]), Targets: []policy.Target{{Asked: m[1], HostName: m[1], Address: "192.0.2.1"}}}
		got, _, _ := strings.Cut(set.Decide(r).Explain(r.Text), "\n")
		if got != lines[i+1] {
			t.Errorf("%s\ngives %q, not %q", l, got, lines[i+1])
		}
		asked++
	}
	if asked < 3 {
		t.Errorf("%d commands found", asked)
	}
}

// TestReadmeErrorIsOurs makes the mistake that the README shows.
func TestReadmeErrorIsOurs(t *testing.T) {
	section := readmeSection(t)
	shown := strings.TrimSpace(block(t, section, "text"))
	text := strings.Replace(block(t, section, "toml"), "scope = ", "scop = ", 1)
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "acme.toml"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	_, _, err := policy.Load(policy.Config{Files: []string{filepath.Join(dir, "acme.toml")}})
	if err == nil {
		t.Fatal("it loads")
	}
	got := regexp.MustCompile(`:\d+:`).ReplaceAllString(strings.TrimPrefix(err.Error(), dir+"/"), ":N:")
	want := regexp.MustCompile(`:\d+:`).ReplaceAllString(shown, ":N:")
	if got != want {
		t.Errorf("%s\nis not the README's\n%s", got, want)
	}
}
