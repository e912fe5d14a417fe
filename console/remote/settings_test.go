package remote

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// need skips a test where a program is absent, or fails it.
func need(t testing.TB, program string) string {
	t.Helper()
	path, err := exec.LookPath(program)
	if err == nil {
		return path
	}
	if os.Getenv("SALLYPORT_NO_SKIP") != "" {
		t.Fatalf("needs: %s", program)
	}
	t.Skipf("needs: %s", program)
	return ""
}

func writeFile(t testing.TB, path, text string) string {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
		t.Fatal(err)
	}
	return path
}

// configurations are read by OpenSSH and by the parser; both must say the same.
var configurations = []struct {
	name, text, host string
	o                Options
	want             func(*settings) any // what this case is about
	is               any
}{
	{"empty", "", "host", Options{}, func(s *settings) any { return []any{s.hostName, s.port, s.user} }, []any{"host", 22, localUser()}},
	{"host block", "Host web\n HostName 10.0.0.1\n User ada\n Port 2222\n", "web", Options{}, func(s *settings) any { return []any{s.hostName, s.port, s.user} }, []any{"10.0.0.1", 2222, "ada"}},
	{"other host", "Host web\n User ada\nHost *\n User eve\n", "db", Options{}, func(s *settings) any { return s.user }, "eve"},
	{"first value wins", "Host w*\n User ada\nHost web\n User eve\n", "web", Options{}, func(s *settings) any { return s.user }, "ada"},
	{"negated", "Host * !web\n User eve\nHost *\n User ada\n", "web", Options{}, func(s *settings) any { return s.user }, "ada"},
	{"token in HostName", "Host *\n HostName %h.example.com\n", "web", Options{}, func(s *settings) any { return s.hostName }, "web.example.com"},
	{"flags come first", "Host *\n User eve\n Port 1\n", "web", Options{User: "ada", Port: 2}, func(s *settings) any { return []any{s.user, s.port} }, []any{"ada", 2}},
	{"-o comes first", "Host *\n User eve\n", "web", Options{Set: []string{"User=ada", "User=third"}}, func(s *settings) any { return s.user }, "ada"},
	{"-p before -o", "", "web", Options{Port: 2, Set: []string{"Port=3"}}, func(s *settings) any { return s.port }, 2},
	{"identity files add up", "Host *\n IdentityFile ~/one\nHost web\n IdentityFile %d/two\n", "web", Options{}, func(s *settings) any { return s.identityFiles }, []string{homeDir() + "/one", homeDir() + "/two"}},
	{"no identity file", "Host *\n IdentityFile none\n", "web", Options{}, func(s *settings) any { return len(s.identityFiles) }, 0},
	{"quoted path", "Host *\n IdentityFile \"/key dir/one\"\n", "web", Options{}, func(s *settings) any { return s.identityFiles }, []string{"/key dir/one"}},
	{"equals sign", "Host=web\n Port=2222\n User = ada\n", "web", Options{}, func(s *settings) any { return []any{s.port, s.user} }, []any{2222, "ada"}},
	{"case of options", "HOST web\n hostNAME h\n PORT 5\n", "web", Options{}, func(s *settings) any { return []any{s.hostName, s.port} }, []any{"h", 5}},
	{"comments", "# one\nHost web # no comment in ssh before 8.7\n  # two\n  Port 7\n", "web", Options{}, func(s *settings) any { return s.port }, 7},
	{"known hosts files", "Host *\n UserKnownHostsFile ~/a /b\n", "web", Options{}, func(s *settings) any { return s.userKnownHosts }, []string{homeDir() + "/a", "/b"}},
	{"no known hosts file", "Host *\n UserKnownHostsFile none\n", "web", Options{}, func(s *settings) any { return s.userKnownHosts }, []string(nil)},
	{"tokens in known hosts files", "Host *\n UserKnownHostsFile /kh/%h-%p-%r-%n\n User ada\n HostName h\n Port 9\n", "web", Options{}, func(s *settings) any { return s.userKnownHosts }, []string{"/kh/h-9-ada-web"}},
	{"alias of the host key", "Host *\n HostKeyAlias farm\n", "web", Options{}, func(s *settings) any { return s.hostKeyAlias }, "farm"},
	{"alive", "Host *\n ServerAliveInterval 7\n ServerAliveCountMax 2\n", "web", Options{}, func(s *settings) any { return []any{s.aliveInterval, s.aliveCount} }, []any{7 * time.Second, 2}},
	{"time format", "Host *\n ServerAliveInterval 2m\n ConnectTimeout 1m30s\n", "web", Options{}, func(s *settings) any { return []any{s.aliveInterval, s.connectTimeout} }, []any{2 * time.Minute, 90 * time.Second}},
	{"jump", "Host web\n ProxyJump ada@gate:2200,inner\n", "web", Options{}, func(s *settings) any { return s.proxyJump }, "ada@gate:2200,inner"},
	{"jump by flag", "Host web\n ProxyJump gate\n", "web", Options{Jump: "other"}, func(s *settings) any { return s.proxyJump }, "other"},
	{"jump none", "Host web\n ProxyJump none\nHost *\n ProxyJump gate\n", "web", Options{}, func(s *settings) any { return s.proxyJump }, ""},
	{"certificate", "Host *\n CertificateFile /c/%h-cert.pub\n", "web", Options{}, func(s *settings) any { return s.certificateFiles }, []string{"/c/web-cert.pub"}},
	{"only these identities", "Host *\n IdentitiesOnly yes\n IdentityAgent none\n", "web", Options{}, func(s *settings) any { return []any{s.identitiesOnly, s.identityAgent} }, []any{true, "none"}},
	{"ways to authenticate", "Host *\n PasswordAuthentication no\n KbdInteractiveAuthentication no\n PubkeyAuthentication no\n NumberOfPasswordPrompts 1\n PreferredAuthentications password,publickey\n", "web", Options{}, func(s *settings) any {
		return []any{s.password, s.kbdInteractive, s.publickey, s.passwordPrompts, strings.Join(s.preferred, "+")}
	}, []any{false, false, false, 1, "password+publickey"}},
	{"old name", "Host *\n ChallengeResponseAuthentication no\n", "web", Options{}, func(s *settings) any { return s.kbdInteractive }, false},
	{"strict", "Host *\n StrictHostKeyChecking yes\n", "web", Options{}, func(s *settings) any { return s.strictHostKeys }, true},
	{"looser than strict is not available", "Host *\n StrictHostKeyChecking no\n", "web", Options{}, func(s *settings) any { return s.strictHostKeys }, false},
	{"hash", "Host *\n HashKnownHosts yes\n", "web", Options{}, func(s *settings) any { return s.hashKnownHosts }, true},
	{"batch", "Host *\n BatchMode yes\n ServerAliveInterval 9\n", "web", Options{}, func(s *settings) any { return s.batch }, true},
	{"variable", "Host *\n IdentityFile ${SALLYPORT_TEST_DIR}/key\n", "web", Options{}, func(s *settings) any { return s.identityFiles }, []string{"/from/env/key"}},
	{"match all", "Match all\n User ada\n", "web", Options{}, func(s *settings) any { return s.user }, "ada"},
	{"include", "Include INCLUDED\nHost *\n User eve\n", "web", Options{}, func(s *settings) any { return s.user }, "included"},
}

func TestBothReadersOfTheConfigurationAgree(t *testing.T) {
	ssh := need(t, "ssh")
	t.Setenv("SALLYPORT_TEST_DIR", "/from/env")
	for _, tt := range configurations {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			included := writeFile(t, filepath.Join(dir, "included"), "Host web\n User included\n")
			o := tt.o
			o.ConfigFile = writeFile(t, filepath.Join(dir, "config"), strings.ReplaceAll(tt.text, "INCLUDED", included))
			set, err := o.check()
			if err != nil {
				t.Fatal(err)
			}
			asked, err := askSSH(t.Context(), ssh, tt.host, o, set)
			if err != nil {
				t.Fatal(err)
			}
			read, err := readFiles(tt.host, o, set)
			if err != nil {
				t.Fatal(err)
			}
			for reader, w := range map[string]words{"ssh -G": asked, "parser": read} {
				s, err := w.settings(tt.host)
				if err != nil {
					t.Fatalf("%s: %v", reader, err)
				}
				if diff := cmp.Diff(tt.is, tt.want(s)); diff != "" {
					t.Errorf("%s (-want +got):\n%s", reader, diff)
				}
			}
			sameSettings(t, asked, read, tt.host)
		})
	}
}

// sameSettings compares everything that both readers say.
func sameSettings(t *testing.T, asked, read words, host string) {
	t.Helper()
	a, err1 := asked.settings(host)
	b, err2 := read.settings(host)
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	if len(read["identityfile"]) == len(defaults["identityfile"]) { // versions of ssh differ in these
		a.identityFiles, b.identityFiles = nil, nil
	}
	if diff := cmp.Diff(a, b, cmp.AllowUnexported(settings{})); diff != "" {
		t.Errorf("-ssh +parser:\n%s", diff)
	}
}

func TestConfigurationRefused(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"ProxyCommand", "Host *\n ProxyCommand nc %h %p\n", "ProxyCommand"},
		{"unset variable", "Host *\n IdentityFile ${SALLYPORT_NO_SUCH}/key\n", "SALLYPORT_NO_SUCH"},
		{"unknown token", "Host *\n UserKnownHostsFile /x/%Z\n", "%Z"},
		{"port", "Host *\n Port none\n", "ort"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o := Options{ConfigFile: writeFile(t, filepath.Join(t.TempDir(), "config"), tt.text)}
			_, err := resolve(t.Context(), Dest{Host: "host"}, o)
			var e *Error
			if !errors.As(err, &e) || e.Class != ClassConfig || e.Hint == "" || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v", err)
			}
			w, err := readFiles("host", o, nil)
			if err == nil {
				_, err = w.settings("host")
			}
			if !errors.As(err, &e) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("parser: got %v", err)
			}
		})
	}
}

func TestConfigurationSyntaxNamesFileAndLine(t *testing.T) {
	need(t, "ssh")
	path := writeFile(t, filepath.Join(t.TempDir(), "config"), "Host *\n  NoSuchOption yes\n")
	_, err := resolve(t.Context(), Dest{Host: "host"}, Options{ConfigFile: path})
	if err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("got %v", err)
	}
	if _, err := resolve(t.Context(), Dest{Host: "host"}, Options{ConfigFile: "/nonexistent/config"}); err == nil {
		t.Error("a configuration that is not there was read")
	}
}

func TestSeconds(t *testing.T) {
	tests := map[string]time.Duration{
		"": 0, "0": 0, "15": 15 * time.Second, "90s": 90 * time.Second, "1m30": 90 * time.Second, "1h": time.Hour,
		"1D": 24 * time.Hour, "none": 0, "-1": 0, "s": 0, "99999999999999999999": 0,
	}
	for in, want := range tests {
		if got := seconds(in); got != want {
			t.Errorf("%q: got %v, want %v", in, got, want)
		}
	}
}
