package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"filippo.io/age"

	"sallyport/audit"
	"sallyport/redact"
)

// sealedLog writes a log of one command with a masked password, sealed to an
// auditor, and the auditor's identity.
func sealedLog(t *testing.T, masked redact.Text, exact string) (dir, identity string) {
	t.Helper()
	auditor, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	dir = filepath.Join(t.TempDir(), "audit")
	identity = filepath.Join(t.TempDir(), "auditor.txt")
	if err := os.WriteFile(identity, []byte(auditor.String()+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	log, err := audit.Open(audit.Config{Dir: dir, Recipients: []string{auditor.Recipient().String()}})
	if err != nil {
		t.Fatal(err)
	}
	in := audit.Intent[redact.Text]{
		Command: masked, CommandDigest: audit.NewExact([]byte(exact), 1),
		Origin: "human", Risk: "medium", Effect: "permit", Analyzable: true, Rules: []audit.Rule[redact.Text]{},
	}
	if _, err := log.In("s1", audit.Target{}).Append(t.Context(), in); err != nil {
		t.Fatal(err)
	}
	if err := log.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	return dir, identity
}

func TestSealedCommandsAreJudgedAsTheyWereSent(t *testing.T) {
	dir, identity := sealedLog(t, redact.Literal("deploy --token <redacted:token#1> web"), "deploy --token made-up web && deploy --all")
	policy := filepath.Join(t.TempDir(), "p.toml")
	const rule = "schema = 1\n[policy]\nid = \"p\"\nversion = \"1\"\n[[rule]]\nid = \"p.all\"\neffect = \"deny\"\nmatch = { program = [\"deploy\"], flags = [\"all\"] }\nmessage = \"x\"\n"
	if err := os.WriteFile(policy, []byte(rule), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ identity, want, not string }{
		{"", "not re-judgeable", "→"},
		{identity, "high deny", "not re-judgeable\t"},
	} {
		var out bytes.Buffer
		if err := diffPolicies(&out, "shipped", policy, dir, c.identity); err != nil {
			t.Fatal(err)
		}
		if got := out.String(); !strings.Contains(got, c.want) || strings.Contains(got, c.not) || strings.Contains(got, "made-up") {
			t.Errorf("with identity %q:\n%s", c.identity, got)
		}
	}
	stranger, _ := age.GenerateX25519Identity()
	other := filepath.Join(t.TempDir(), "stranger.txt")
	if err := os.WriteFile(other, []byte(stranger.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := diffPolicies(&bytes.Buffer{}, "shipped", policy, dir, other); err == nil {
		t.Error("a stranger's identity opens it")
	}
	if err := os.RemoveAll(filepath.Join(dir, "sealed")); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := diffPolicies(&out, "shipped", policy, dir, identity); err != nil || !strings.Contains(out.String(), "not re-judgeable\t") {
		t.Errorf("without the sealed file: %v\n%s", err, out.String())
	}
}
