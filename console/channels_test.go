package console

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"sallyport/console/remote"
	"sallyport/policies"
	"sallyport/policy"
)

// What the ssh configuration asks for beside a shell leaves only where the
// policy's [channels] lists it, and is recorded either way.
func TestChannelsAreDeniedUnlessThePolicyAllowsThem(t *testing.T) {
	t.Setenv("LC_MADE_UP", "yes")
	t.Setenv("SECRET_MADE_UP", "hunter-of-2")
	t.Setenv("OTHER_MADE_UP", "x")
	for _, allow := range []bool{false, true} {
		p := newRecordingPeer(t)
		conf := filepath.Join(t.TempDir(), "config")
		write(t, conf, strings.Join([]string{
			"Host *", "  UserKnownHostsFile " + p.known, "  IdentityFile " + p.identity, "  IdentitiesOnly yes", "  IdentityAgent none",
			"  SendEnv LC_MADE_UP SECRET_MADE_UP OTHER_MADE_UP", "  ForwardAgent yes", "  ForwardX11 yes", "  ForwardX11Trusted no", "  LocalForward 18080 db:5432", "  RemoteForward 18081 db:5432", "",
		}, "\n"))
		rules := policy.Config{Embedded: policies.FS(), Shipped: policies.Shipped, EmbeddedOnly: true}
		if !allow {
			strict := filepath.Join(t.TempDir(), "strict.toml")
			write(t, strict, "schema = 1\n[policy]\nid = \"strict\"\nversion = \"1\"\n[channels]\nenv = []\n")
			rules.Files = []string{strict}
		}
		dir := t.TempDir()
		c, err := New(Config{
			AuditDir: dir, Policy: rules, SSH: remote.Options{ConfigFile: conf}, Asker: refuser{},
			Prompter: func(string) remote.Prompter { return nil },
		})
		if err != nil {
			t.Fatal(err)
		}
		h, err := c.Open("someone@" + p.addr)
		if err != nil {
			t.Fatal(err)
		}
		if err := h.Ready(t.Context()); err != nil {
			t.Fatal(err)
		}
		p.await(t, "request exec")
		c.Close(t.Context())
		got := strings.Join(p.received(), "\n")
		if strings.Contains(got, "LC_MADE_UP") != allow || strings.Contains(got, "SECRET") {
			t.Errorf("allowed %v: the host received\n%s", allow, got)
		}
		for _, never := range []string{"auth-agent-req", "x11-req", "direct-tcpip", "tcpip-forward", "subsystem"} {
			if strings.Contains(got, never) {
				t.Errorf("the host received %s", never)
			}
		}
		opened, refused := channelRecords(t, dir)
		want := []string{
			"agent_forward  human deny", "env OTHER_MADE_UP SECRET_MADE_UP human deny", "local_forward localhost:18080 → db:5432 human deny",
			"remote_forward localhost:18081 → db:5432 human deny", "x11 untrusted X11 is not built; set ForwardX11Trusted yes human deny",
		}
		if allow {
			want = append(want, "env LC_MADE_UP=yes human permit")
		} else {
			want[1] = "env LC_MADE_UP OTHER_MADE_UP SECRET_MADE_UP human deny"
		}
		slices.Sort(want)
		if !slices.Equal(slices.Compact(opened), want) || refused != 0 {
			t.Errorf("allowed %v: recorded %q and %d refused commands, want %q", allow, opened, refused, want)
		}
		if logged := everything(t, dir); strings.Contains(logged, "hunter-of-2") {
			t.Error("the value of a variable that stayed here is in the log")
		}
	}
}

// everything is all that is in an audit folder's logs.
func everything(t *testing.T, dir string) string {
	t.Helper()
	var all strings.Builder
	files, _ := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(b)
	}
	return all.String()
}

// What a host opens that nobody asked for is refused and recorded, also where
// the policy allows such things.
func TestWhatAHostOpensUnaskedIsRefusedAndRecorded(t *testing.T) {
	p := newRecordingPeer(t)
	p.opens = []string{"forwarded-tcpip", "auth-agent@openssh.com", "x11", "tun@openssh.com"}
	conf, org, dir := filepath.Join(t.TempDir(), "config"), t.TempDir(), t.TempDir()
	write(t, conf, "Host *\n  UserKnownHostsFile "+p.known+"\n  IdentityFile "+p.identity+"\n  IdentitiesOnly yes\n  IdentityAgent none\n")
	write(t, filepath.Join(org, "org.toml"), "schema = 1\n[policy]\nid = \"org\"\nversion = \"1\"\n[channels]\nagent_forward = true\nx11 = true\nremote_forward = [\"*\"]\n")
	c, err := New(Config{
		AuditDir: dir, SSH: remote.Options{ConfigFile: conf}, Asker: refuser{}, Prompter: func(string) remote.Prompter { return nil },
		Policy: policy.Config{Embedded: policies.FS(), Shipped: policies.Shipped, OrgDir: org, OrgOwner: os.Getuid()},
	})
	if err != nil {
		t.Fatal(err)
	}
	h, err := c.Open("someone@" + p.addr)
	if err != nil {
		t.Fatal(err)
	}
	if err := h.Ready(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, kind := range p.opens {
		p.await(t, "opened "+kind+": ssh: rejected: administratively prohibited")
	}
	c.Close(t.Context())
	opened, _ := channelRecords(t, dir)
	for _, kind := range p.opens {
		if !slices.Contains(opened, "channel "+kind+"  host deny") {
			t.Errorf("%s is not recorded: %q", kind, opened)
		}
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func (p *recordingPeer) await(t *testing.T, what string) {
	t.Helper()
	deadline := time.After(30 * time.Second)
	for !slices.ContainsFunc(p.received(), func(s string) bool { return strings.Contains(s, what) }) {
		select {
		case <-p.heard:
		case <-deadline:
			t.Fatalf("the host never received %s: %q", what, p.received())
		}
	}
}

// channelRecords gives the channels that were recorded with their effects, and
// how many were refused.
func channelRecords(t *testing.T, dir string) (opened []string, refused int) {
	t.Helper()
	for line := range strings.Lines(everything(t, dir)) {
		var r struct {
			Event string
			Data  struct{ Channel, Detail, Origin, Effect, Class string }
		}
		if json.Unmarshal([]byte(line), &r) != nil {
			continue
		}
		switch {
		case r.Event == "channel.open":
			opened = append(opened, strings.Join([]string{r.Data.Channel, r.Data.Detail, r.Data.Origin, r.Data.Effect}, " "))
		case r.Event == "command.refused" && r.Data.Class == "channel":
			refused++
		}
	}
	slices.Sort(opened)
	return opened, refused
}
