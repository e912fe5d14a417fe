package policy_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sallyport/policies"
	"sallyport/policy"
)

// layered loads an organization's folder and files of the operator over the
// shipped ones.
func layered(t *testing.T, org string, own ...string) (*policy.Set, error) {
	t.Helper()
	c := policy.Config{Embedded: policies.FS(), Shipped: policies.Shipped, OrgOwner: os.Getuid()}
	if org != "" {
		c.OrgDir = orgFolder(t, map[string]string{"org.toml": strings.ReplaceAll(header, `id = "t"`, `id = "org"`) + org})
	}
	for i, text := range own {
		name := filepath.Join(t.TempDir(), fmt.Sprintf("own%d.toml", i))
		if err := os.WriteFile(name, []byte(strings.ReplaceAll(header, `id = "t"`, fmt.Sprintf(`id = "own%d"`, i))+text), 0o600); err != nil {
			t.Fatal(err)
		}
		c.Files = append(c.Files, name)
	}
	set, _, err := policy.Load(c)
	return set, err
}

func TestNetworkAllowIsJoinedAcrossLayers(t *testing.T) {
	const ask = "curl -s https://api.example.com/x"
	risk := func(org string, own ...string) policy.Risk {
		set, err := layered(t, org, own...)
		if err != nil {
			t.Fatal(err)
		}
		return set.Decide(policy.Request{Text: ask}).Risk
	}
	for _, c := range []struct {
		name, org string
		own       []string
		want      policy.Risk
	}{
		{"nobody allows", "", nil, policy.Medium},
		{"the organization allows", "[network]\nallow = [\"*.example.com\"]\n", nil, policy.Low},
		{"the operator alone allows nothing", "", []string{"[network]\nallow = [\"*.example.com\"]\n"}, policy.Medium},
		{"the operator narrows", "[network]\nallow = [\"*.example.com\"]\n", []string{"[network]\nallow = [\"other.example.com\"]\n"}, policy.Medium},
		{"both allow", "[network]\nallow = [\"*.example.com\"]\n", []string{"[network]\nallow = [\"api.example.com\"]\n"}, policy.Low},
	} {
		if got := risk(c.org, c.own...); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

func TestHowAProgramIsStartedIsTheOrganizationsWord(t *testing.T) {
	set, err := layered(t, "[interactive.start]\nvim = [\"rvim\"]\ntop = [\"top\", \"-s\"]\n", "[interactive.start]\nhtop = [\"htop\", \"--readonly\"]\n")
	if err != nil {
		t.Fatal(err)
	}
	for program, want := range map[string]string{"vim": "rvim", "vi": "vi -Z", "top": "top -s", "htop": "htop --readonly"} {
		if _, start, _ := set.Interactive(program); strings.Join(start, " ") != want {
			t.Errorf("%s: %q", program, start)
		}
	}
	for _, own := range []string{"[interactive.start]\nvim = [\"vim\"]\n", "[interactive.start]\nless = []\n"} {
		if _, err := layered(t, "", own); err == nil {
			t.Errorf("%q loads", own)
		}
	}
	if _, err := layered(t, "", "[interactive.start]\nvim = [\"vim\", \"-Z\"]\n"); err != nil {
		t.Errorf("the same words: %v", err)
	}
}

func TestOtherTablesOfLowerLayersOnlyTighten(t *testing.T) {
	set, err := layered(t, "[recording]\non_failure = \"refuse_sends\"\n[copilot]\nhosts = [\"lab*\"]\n[prompt]\nuser_code = \"deny\"\n[clipboard]\nwrite = true\n",
		"[recording]\non_failure = \"note\"\n[copilot]\nhosts = [\"*\"]\n[prompt]\nuser_code = \"allow\"\n[clipboard]\nwrite = true\n[hosts]\nunknown_key = \"refuse\"\n")
	if err != nil {
		t.Fatal(err)
	}
	if got := set.Recording().OnFailure; got != "refuse_sends" {
		t.Errorf("on_failure: %s", got)
	}
	if got := set.CopilotSend([]policy.Target{{Asked: "prod1"}}); got != "none" {
		t.Errorf("the copilot gets %s of a host that the organization leaves out", got)
	}
	if set.CopilotSend([]policy.Target{{Asked: "lab1"}}) != "tail" {
		t.Error("the copilot gets nothing of lab1")
	}
	if set.UserCode() != "deny" || !set.ClipboardWrite() || set.UnknownKey() != "refuse" {
		t.Errorf("%s %v %s", set.UserCode(), set.ClipboardWrite(), set.UnknownKey())
	}
	for _, word := range []string{"end", "refuse_sends", "note"} {
		set, err := layered(t, "[recording]\non_failure = \""+word+"\"\n")
		if err != nil || set.Recording().OnFailure != word {
			t.Errorf("%s: %v", word, err)
		}
	}
	if _, err := layered(t, "[recording]\non_failure = \"stop\"\n"); err == nil || !strings.Contains(err.Error(), "refuse_sends") {
		t.Errorf("an unknown word: %v", err)
	}
}

func TestASerialIsKeptForTheNextLoad(t *testing.T) {
	dir := orgFolder(t, map[string]string{"a.toml": specRule})
	put := func(serial uint64) {
		m, err := policy.Manifest(dir, serial)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "MANIFEST"), m, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	put(12)
	c := policy.Config{OrgDir: dir, OrgOwner: os.Getuid()}
	set, _, err := policy.Load(c)
	if err != nil || set.Serial() != 12 {
		t.Fatalf("serial %d: %v", set.Serial(), err)
	}
	c.MinSerial = set.Serial()
	put(11)
	if _, _, err := policy.Load(c); err == nil {
		t.Error("an older policy was put back")
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if _, _, err := policy.Load(c); err == nil {
		t.Error("the organization's folder is gone, and it loads")
	}
}
