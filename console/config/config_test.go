package config

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// files writes an organisation's and an operator's configuration; an empty
// text is a file that is not there.
func files(t *testing.T, org, user string) Sources {
	t.Helper()
	dir := t.TempDir()
	s := Sources{Org: filepath.Join(dir, "org.toml"), User: filepath.Join(dir, "user.toml")}
	for path, text := range map[string]string{s.Org: org, s.User: user} {
		if text == "" {
			continue
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return s
}

func loadAsOwner(t *testing.T, s Sources) (*Loaded, error) {
	t.Helper()
	return load(s, uint32(os.Getuid()))
}

func TestLaterLayersCount(t *testing.T) {
	s := files(t, "[audit]\ndir = \"/org\"\nlog_age = \"30d\"\n[tui]\nascii = true\n", "\n# mine\n[tui]\nleader = \"C-a\"\nascii = false\n\n[copilot]\nenv = [\n  \"ONE\",\n  \"TWO\",\n]\n")
	s.Flags = []Flag{{"--audit-dir", "audit.dir", "/flag"}, {"--alive-count", "ssh.alive_count", "7"}, {"--timeout", "ssh.timeout", "3s"}}
	l, err := loadAsOwner(t, s)
	if err != nil {
		t.Fatal(err)
	}
	if l.Audit.Dir != "/flag" || l.Audit.LogAge != 30*24*time.Hour || l.TUI.ASCII || l.TUI.Leader != "C-a" ||
		len(l.Copilot.Env) != 2 || l.SSH.AliveCount != 7 || l.SSH.Timeout != 3*time.Second {
		t.Errorf("got %+v", l.Config)
	}
	for key, want := range map[string]string{
		"audit.dir": "--audit-dir", "audit.log_age": s.Org + ":3", "tui.ascii": s.User + ":5",
		"copilot.env": s.User + ":8", "tui.theme": "default",
	} {
		if got := l.Origin(key).String(); got != want {
			t.Errorf("%s comes from %s, want %s", key, got, want)
		}
	}
}

func TestTheOrganisationsWordOnTheLog(t *testing.T) {
	key := "age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p" // age's own example
	s := files(t, "[audit]\nhost_key = \"/etc/sallyport/audit.key\"\nbreak_glass = true\n[recording]\nrecipients = [\""+key+"\"]\n", "")
	l, err := loadAsOwner(t, s)
	if err != nil {
		t.Fatal(err)
	}
	if l.Audit.HostKey != "/etc/sallyport/audit.key" || !l.Audit.BreakGlass || len(l.Recording.Recipients) != 1 || l.Recording.Recipients[0] != key {
		t.Errorf("got %+v", l.Config)
	}
	for _, user := range []string{
		"[audit]\nbreak_glass = true\n", "[audit]\nhost_key = \"/home/me/key\"\n", "[recording]\nrecipients = []\n",
	} {
		if _, err := loadAsOwner(t, files(t, "", user)); err == nil || !strings.Contains(err.Error(), "organisation") {
			t.Errorf("an operator sets %q: %v", user, err)
		}
	}
	for _, org := range []string{
		"[recording]\nrecipients = [\"ssh-ed25519 AAAA\"]\n",
		"[audit]\nsocket = \"/run/a.sock\"\nbreak_glass = true\n",
		"[audit]\nsocket = \"/run/a.sock\"\nhost_key = \"/etc/k\"\n",
	} {
		if _, err := loadAsOwner(t, files(t, org, "")); err == nil {
			t.Errorf("%q is taken", org)
		}
	}
}

func TestLocked(t *testing.T) {
	org := "locked = [\"audit\", \"copilot.url\"]\n[audit]\ndir = \"/org\"\n"
	s := files(t, org, "[audit]\ndir = \"/mine\"\nlog_bytes = 5\n[copilot]\nurl = \"https://evil.example/mcp\"\ntoken_file = \"/t\"\n")
	l, err := loadAsOwner(t, s)
	if err != nil {
		t.Fatal(err)
	}
	if l.Audit.Dir != "/org" || l.Audit.LogBytes != 0 || l.Copilot.URL != "" || l.Copilot.TokenFile != "/t" {
		t.Errorf("got %+v", l.Config)
	}
	if len(l.Warnings) != 3 || !strings.Contains(l.Warnings[0], "user.toml:2: audit.dir is locked") {
		t.Errorf("warnings: %q", l.Warnings)
	}
	s.Flags = []Flag{{"--audit-dir", "audit.dir", "/flag"}}
	if _, err := loadAsOwner(t, s); err == nil || !strings.Contains(err.Error(), "--audit-dir: audit.dir is locked") {
		t.Errorf("got %v", err)
	}
}

func TestMistakesHaveFileAndLine(t *testing.T) {
	tests := []struct{ name, org, user, want string }{
		{"unknown key", "", "[audit]\ndir = \"x\"\ndirr = \"y\"\n", "user.toml:3: there is no key audit.dirr"},
		{"unknown table", "", "\n\n[nothing]\nx = 1\n", "user.toml:3: there is no key nothing"},
		{"unknown key above the tables", "", "x = 1\n", "user.toml:1: there is no key x"},
		{"dotted", "", "tui.leader = \"C-a\"\ntui.colour = 1\n", "user.toml:2: there is no key tui.colour"},
		{"inline table", "", "tui = { leader = \"x\", wrong = 1 }\n", "user.toml:1: there is no key tui.wrong"},
		{"a table where a value is", "", "[tui.leader]\nx = 1\n", "user.toml:1: there is no key tui.leader"},
		{"a value where a table is", "", "audit = 1\n", "user.toml:1: there is no key audit"},
		{"array of tables", "", "[[audit]]\ndir = \"x\"\n", "user.toml:1: there is no key audit"},
		{"after a text of several lines", "", "[copilot]\ncommand = \"\"\"\n[audit]\nnope = 1\n\"\"\"\nnope = 2\n", "user.toml:6: there is no key copilot.nope"},
		{"wrong type", "", "[tui]\nascii = \"yes\"\n", "user.toml:2: tui.ascii: yes is not true or false"},
		{"wrong type in a list", "", "[copilot]\nenv = [\"A\", 1]\n", "user.toml:2: copilot.env: 1 is not a string"},
		{"no time", "", "[ssh]\ntimeout = \"soon\"\n", "user.toml:2: ssh.timeout: \"soon\" is not a time"},
		{"number for a time", "", "[ssh]\ntimeout = 5\n", "user.toml:2: ssh.timeout: 5 is not a time"},
		{"device", "", "[ssh]\ndevices = [\"sw-*=cisco\"]\n", "user.toml:2: ssh.devices: \"sw-*=cisco\" is not pattern=kind with ios, eos, junos, vrp or generic"},
		{"negative", "", "[ssh]\nalive_count = -1\n", "user.toml:2: ssh.alive_count: it cannot be negative"},
		{"theme", "", "[tui]\ntheme = \"pink\"\n", "user.toml:2: tui.theme: \"pink\" is not"},
		{"syntax", "", "[audit]\ndir = \n", "user.toml:2: "},
		{"twice", "", "[audit]\ndir = \"a\"\ndir = \"b\"\n", "user.toml:3: "},
		{"the organisation's key", "", "[policy]\nrequire = \"acme\"\n", "user.toml:2: policy.require is the organisation's to set"},
		{"the operator locks", "", "locked = [\"audit\"]\n", "user.toml:1: only the organisation's file can lock"},
		{"locked names nothing", "locked = [\"audti\"]\n", "", "org.toml:1: locked: there is no key audti"},
		{"locked is no list", "locked = \"audit\"\n", "", "org.toml:1: locked: audit is not a list of strings"},
		{"two copilots", "", "[copilot]\ncommand = \"linus\"\nurl = \"https://h/mcp\"\n", "user.toml:3: copilot.url: copilot.command is set too"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := loadAsOwner(t, files(t, tt.org, tt.user))
			var e *Error
			if !errors.As(err, &e) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %s", err, tt.want)
			}
		})
	}
}

func TestOrganisationsFileIsRoots(t *testing.T) {
	s := files(t, "[audit]\ndir = \"/org\"\n", "")
	if _, err := load(s, uint32(os.Getuid())+1); err == nil || !strings.Contains(err.Error(), "does not belong to root") {
		t.Errorf("another owner: %v", err)
	}
	if err := os.Chmod(s.Org, 0o664); err != nil {
		t.Fatal(err)
	}
	if _, err := loadAsOwner(t, s); err == nil || !strings.Contains(err.Error(), "others than root can write it") {
		t.Errorf("writable file: %v", err)
	}
	if err := errors.Join(os.Chmod(s.Org, 0o644), os.Chmod(filepath.Dir(s.Org), 0o777)); err != nil {
		t.Fatal(err)
	}
	if _, err := loadAsOwner(t, s); err == nil || !strings.Contains(err.Error(), "others than root can write it") {
		t.Errorf("writable folder: %v", err)
	}
}

func TestUnreadable(t *testing.T) {
	s := files(t, "", "")
	if err := os.Mkdir(s.User, 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := loadAsOwner(t, s); err == nil || !strings.Contains(err.Error(), "user.toml: ") {
		t.Errorf("got %v", err)
	}
}

func TestSettingsHideAccounts(t *testing.T) {
	secret := "hunter" + "2hunter2"
	for _, url := range []string{"https://op:" + secret + "@h.example/mcp", "https://h.example/mcp?token=" + secret, secret} {
		l, err := loadAsOwner(t, files(t, "", "[copilot]\nurl = \""+url+"\"\n"))
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range l.Settings() {
			if strings.Contains(s.TOML(), secret) {
				t.Errorf("%s = %s", s.Key, s.TOML())
			}
		}
	}
}
