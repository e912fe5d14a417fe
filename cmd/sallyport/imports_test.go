package main

import (
	"os/exec"
	"strings"
	"testing"
)

// TestImportRules holds the house together: who may import whom. The reason
// stands beside each rule, because the first thing that a person asks of a rule
// that is in the way is why.
func TestImportRules(t *testing.T) {
	rules := []struct {
		from    string   // a package and everything below it
		allowed []string // what of ours it may import, besides itself
		why     string
	}{
		{"sallyport/redact", nil, "the redactor is a leaf: it can be lifted out and used alone"},
		{"sallyport/policy", nil, "the policy is a leaf, and pure"},
		{"sallyport/policies", nil, "the shipped files are data"},
		{"sallyport/audit", []string{"sallyport/redact"}, "a record holds nothing that was not redacted"},
		{"sallyport/console/gate", []string{"sallyport/audit", "sallyport/policy", "sallyport/redact", "sallyport/console/shellmarks"}, "the gate knows no host and no screen"},
		{"sallyport/console/screen", []string{"sallyport/redact", "sallyport/policy/runes", "sallyport/console/keys", "sallyport/console/safetext"}, "the emulator knows bytes, not hosts"},
		{"sallyport/console/socks", nil, "a protocol's reader knows bytes"},
		{"sallyport/console/x11", nil, "a protocol's reader knows bytes"},
		{"sallyport/console/copilot", []string{"sallyport/audit", "sallyport/policy", "sallyport/redact", "sallyport/console/safetext"}, "the copilot has no way to a host"},
	}
	imports := ownImports(t)
	for _, r := range rules {
		for pkg, imported := range imports {
			if !within(pkg, r.from) {
				continue
			}
			for _, i := range imported {
				if !within(i, r.from) && !anyWithin(i, r.allowed) {
					t.Errorf("%s imports %s: %s", pkg, i, r.why)
				}
			}
		}
	}
}

// TestConsoleHasNoInterface: the console is used by the screen and by agents,
// never the other way round; and nothing but the gate's own way leads to a host.
func TestConsoleHasNoInterface(t *testing.T) {
	imports := ownImports(t)
	forbidden := []struct{ pkg, imported, why string }{
		{"sallyport/console", "sallyport/console/tui", "the console has no user interface"},
		{"sallyport/console", "sallyport/console/tty", "the console has no user interface"},
		{"sallyport/console/tui", "sallyport/console", "the screen declares what it needs"},
		{"sallyport/console/remote", "sallyport/console/session", "data flows one way"},
		{"sallyport/console/session", "sallyport/console/tui", "data flows one way"},
		{"sallyport/console/gate", "sallyport/console/remote", "the gate clears, it does not send"},
	}
	for _, f := range forbidden {
		for _, i := range imports[f.pkg] {
			if i == f.imported {
				t.Errorf("%s imports %s: %s", f.pkg, f.imported, f.why)
			}
		}
	}
}

// ownImports gives, for each package of the module, what of the module it
// imports outside of tests.
func ownImports(t *testing.T) map[string][]string {
	t.Helper()
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}}{{range .Imports}} {{.}}{{end}}`, "sallyport/...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	imports := map[string][]string{}
	for line := range strings.Lines(string(out)) {
		words := strings.Fields(line)
		for _, w := range words[1:] {
			if within(w, "sallyport") {
				imports[words[0]] = append(imports[words[0]], w)
			}
		}
	}
	if len(imports) < 10 {
		t.Fatalf("go list found %d packages", len(imports))
	}
	return imports
}

func within(pkg, root string) bool { return pkg == root || strings.HasPrefix(pkg, root+"/") }

func anyWithin(pkg string, roots []string) bool {
	for _, r := range roots {
		if within(pkg, r) {
			return true
		}
	}
	return false
}
