package remote_test

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/crypto/ssh"
	xknownhosts "golang.org/x/crypto/ssh/knownhosts"

	"sallyport/console/remote"
	"sallyport/console/remote/sshdtest"
)

// port is s's address as known hosts write it.
func bracketed(s *sshdtest.Server) string { return "[127.0.0.1]:" + strconv.Itoa(s.Port) }

func other(t *testing.T, typ string) ssh.PublicKey {
	t.Helper()
	k, _, _, _, err := ssh.ParseAuthorizedKey([]byte(read(t, keygen(t, "-N", "", "-t", typ)+".pub")))
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func hostKeyOf(t *testing.T, s *sshdtest.Server, typ string) ssh.PublicKey {
	t.Helper()
	k, _, _, _, err := ssh.ParseAuthorizedKey([]byte(read(t, filepath.Join(s.Dir, "host_"+typ+".pub"))))
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func TestKnownHostKey(t *testing.T) {
	t.Parallel()
	s := sshdtest.Start(t, sshdtest.Options{HostKeys: []string{"ed25519", "ecdsa", "rsa"}})
	ed, rsa := keyLine(hostKeyOf(t, s, "ed25519")), keyLine(hostKeyOf(t, s, "rsa"))
	tests := []struct {
		name, line string
		want       string // which key is shown
		set        []string
	}{
		{name: "with its port", line: bracketed(s) + " " + ed, want: "ed25519"},
		{name: "only its RSA key is on file: that is asked for", line: bracketed(s) + " " + rsa, want: "rsa"},
		{name: "only its ECDSA key", line: bracketed(s) + " " + keyLine(hostKeyOf(t, s, "ecdsa")), want: "ecdsa"},
		{name: "hashed name", line: xknownhosts.HashHostname(bracketed(s)) + " " + ed, want: "ed25519"},
		{name: "hashed, only RSA", line: xknownhosts.HashHostname(bracketed(s)) + " " + rsa, want: "rsa"},
		{name: "without its port, as OpenSSH takes it", line: "127.0.0.1 " + ed, want: "ed25519"},
		{name: "wildcard", line: "127.0.0.* " + ed, want: "ed25519"},
		{name: "several names", line: "a,b," + bracketed(s) + " " + ed, want: "ed25519"},
		{name: "after a line of another host", line: "x " + keyLine(other(t, "ed25519")) + "\n" + bracketed(s) + " " + ed, want: "ed25519"},
		{name: "alias", line: "farm " + ed, want: "ed25519", set: []string{"HostKeyAlias=farm"}},
		{name: "alias, only RSA", line: "farm " + rsa, want: "rsa", set: []string{"HostKeyAlias=farm"}},
		{name: "comment and blank lines", line: "# c\n\n" + bracketed(s) + " " + ed + " a comment", want: "ed25519"},
		{name: "another key revoked", line: "@revoked * " + keyLine(other(t, "ed25519")) + "\n" + bracketed(s) + " " + ed, want: "ed25519"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := &person{}
			c := connect(t, p.to(s, append(tt.set, "UserKnownHostsFile="+knownHosts(t, tt.line))...))
			if len(p.asked) > 0 {
				t.Errorf("asked %+v", p.asked)
			}
			if want := ssh.FingerprintSHA256(hostKeyOf(t, s, tt.want)); c.Fingerprint() != want || !c.Target().Verified {
				t.Errorf("got %+v, want %s", c.Target(), want)
			}
		})
	}
}

func TestUnknownHostKeyIsAskedAbout(t *testing.T) {
	t.Parallel()
	s := sshdtest.Start(t, sshdtest.Options{})
	fingerprint := ssh.FingerprintSHA256(s.HostKey)
	lines := map[string]string{
		"no file":                    "",
		"other hosts":                "elsewhere " + keyLine(s.HostKey),
		"the same name, other port":  "[127.0.0.1]:1 " + keyLine(other(t, "ed25519")),
		"the bare name, another key": "127.0.0.1 " + keyLine(other(t, "ed25519")),
		"an authority for it, but it has no certificate": "@cert-authority * " + keyLine(other(t, "ed25519")),
		"its own key as an authority proves nothing":     "@cert-authority " + bracketed(s) + " " + keyLine(s.HostKey),
		"its own key as a wildcard authority":            "@cert-authority * " + keyLine(s.HostKey),
	}
	for name, line := range lines {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "dir", "known_hosts")
			if line != "" {
				path = knownHosts(t, line)
			}
			p := &person{hostKey: remote.Once}
			c := connect(t, p.to(s, "UserKnownHostsFile="+path))
			if len(p.asked) != 1 {
				t.Fatalf("asked %d times", len(p.asked))
			}
			q := p.asked[0]
			if q.Host != s.Addr || q.Address != "127.0.0.1" || q.Type != "ED25519" || q.Fingerprint != fingerprint || q.File != path {
				t.Errorf("got %+v", q)
			}
			want := s.Addr + " (127.0.0.1) is not in known_hosts. It shows ED25519 " + fingerprint + " Compare it with what your admin gave you."
			if q.Text() != want {
				t.Errorf("got  %s\nwant %s", q.Text(), want)
			}
			if c.Fingerprint() != fingerprint {
				t.Errorf("got %s", c.Fingerprint())
			}
			if line == "" {
				if _, err := os.Stat(path); !os.IsNotExist(err) {
					t.Error("once: but it was written down")
				}
			}
		})
	}
}

func TestRememberedHostKey(t *testing.T) {
	t.Parallel()
	s := sshdtest.Start(t, sshdtest.Options{})
	for _, hashed := range []string{"no", "yes"} {
		for name, before := range map[string]string{"new file": "", "file without a last newline": "# mine"} {
			t.Run(name+", hashed "+hashed, func(t *testing.T) {
				path := filepath.Join(t.TempDir(), "new", "known_hosts")
				if before != "" {
					path = file(t, "known_hosts", before)
				}
				p := &person{hostKey: remote.Remember}
				connect(t, p.to(s, "UserKnownHostsFile="+path, "HashKnownHosts="+hashed))
				got := read(t, path)
				if strings.Contains(got, "127.0.0.1") == (hashed == "yes") {
					t.Errorf("got %q", got)
				}
				if before != "" && !strings.HasPrefix(got, before+"\n") {
					t.Errorf("what stood there is gone: %q", got)
				}
				connect(t, p.to(s, "UserKnownHostsFile="+path, "HashKnownHosts="+hashed))
				if len(p.asked) != 1 {
					t.Errorf("asked %d times, want once", len(p.asked))
				}
			})
		}
	}
}

func TestUnknownHostKeyRefused(t *testing.T) {
	t.Parallel()
	s := sshdtest.Start(t, sshdtest.Options{})
	none := filepath.Join(t.TempDir(), "none")
	t.Run("the operator leaves", func(t *testing.T) {
		p := &person{}
		e := refused(t, p.to(s, "UserKnownHostsFile="+none), remote.StepHostKey, remote.ClassHostKey, "left by the operator")
		if !errors.Is(e, remote.ErrLeft) || !errors.Is(e, remote.ErrHostKeyUnknown) {
			t.Errorf("got %v", e)
		}
	})
	t.Run("policy", func(t *testing.T) {
		p := &person{hostKey: remote.Once}
		cfg := p.to(s, "UserKnownHostsFile="+none)
		cfg.RefuseUnknown = true
		refused(t, cfg, remote.StepHostKey, remote.ClassHostKey, "SHA256:", "unknown keys are refused")
		if len(p.asked) > 0 {
			t.Error("asked")
		}
	})
	t.Run("configuration", func(t *testing.T) {
		p := &person{hostKey: remote.Once}
		refused(t, p.to(s, "UserKnownHostsFile="+none, "StrictHostKeyChecking=yes"), remote.StepHostKey, remote.ClassHostKey, "unknown keys are refused")
	})
	t.Run("nobody is there", func(t *testing.T) {
		cfg := (&person{}).to(s, "UserKnownHostsFile="+none)
		cfg.Prompter = nil
		refused(t, cfg, remote.StepHostKey, remote.ClassHostKey, "nobody can be asked", "SHA256:")
	})
	t.Run("it cannot be remembered", func(t *testing.T) {
		p := &person{hostKey: remote.Remember}
		refused(t, p.to(s, "UserKnownHostsFile=/proc/nobody-can-write-here/known_hosts"), remote.StepHostKey, remote.ClassHostKey, "remember the key")
	})
}

func TestChangedHostKeyNamesTheLine(t *testing.T) {
	t.Parallel()
	s := sshdtest.Start(t, sshdtest.Options{HostKeys: []string{"ed25519"}})
	changed := keyLine(other(t, "ed25519"))
	tests := []struct {
		name, text string
		line       string
	}{
		{"same type", "# one\n\n" + bracketed(s) + " " + changed, "line 3 of "},
		{"hashed", "# one\n" + xknownhosts.HashHostname(bracketed(s)) + " " + changed, "line 2 of "},
		{"wildcard", "127.0.0.* " + changed, "line 1 of "},
		{"a type that the host has no longer", "# one\n" + bracketed(s) + " " + keyLine(other(t, "rsa")), "line 2 of "},
		{"two types on file, one still shown", bracketed(s) + " " + keyLine(other(t, "rsa")) + "\n" + bracketed(s) + " " + changed, "line 2 of "},
		{"an authority does not excuse it", "@cert-authority * " + keyLine(other(t, "ed25519")) + "\n" + bracketed(s) + " " + changed, "line 2 of "},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path := knownHosts(t, tt.text)
			p := &person{hostKey: remote.Remember}
			e := refused(t, p.to(s, "UserKnownHostsFile="+path), remote.StepHostKey, remote.ClassHostKey,
				tt.line+path, "Someone may be in between. Nothing was sent", "remove that line only if the change was announced")
			if !errors.Is(e, remote.ErrHostKeyChanged) || len(p.asked) > 0 {
				t.Errorf("got %v, asked %v", e, p.asked)
			}
			if got := read(t, path); got != tt.text+"\n" {
				t.Errorf("the file was written: %q", got)
			}
		})
	}
}

func TestRevokedHostKey(t *testing.T) {
	t.Parallel()
	s := sshdtest.Start(t, sshdtest.Options{})
	path := knownHosts(t, bracketed(s)+" "+keyLine(s.HostKey), "@revoked * "+keyLine(s.HostKey))
	p := &person{hostKey: remote.Once}
	e := refused(t, p.to(s, "UserKnownHostsFile="+path), remote.StepHostKey, remote.ClassHostKey, "@revoked on line 2 of "+path)
	if !errors.Is(e, remote.ErrHostKeyRevoked) || len(p.asked) > 0 {
		t.Errorf("got %v", e)
	}
	list := file(t, "revoked", "# keys\n"+keyLine(s.HostKey)+"\n")
	cfg := p.to(s, "UserKnownHostsFile="+knownHosts(t, bracketed(s)+" "+keyLine(s.HostKey)))
	cfg.Options.ConfigFile = file(t, "config", "RevokedHostKeys "+list+"\n"+read(t, s.SSHConfig))
	refused(t, cfg, remote.StepHostKey, remote.ClassHostKey, "listed in RevokedHostKeys")
}

func TestUnreadableMarkIsAnError(t *testing.T) {
	t.Parallel()
	s := sshdtest.Start(t, sshdtest.Options{})
	good := bracketed(s) + " " + keyLine(s.HostKey)
	for _, bad := range []string{"@revoked * ssh-ed25519 AAAA", "@revokd * " + keyLine(s.HostKey), "@revoked", "@cert-authority * nonsense"} {
		path := knownHosts(t, good, bad)
		refused(t, (&person{}).to(s, "UserKnownHostsFile="+path), remote.StepConfig, remote.ClassConfig, "line 2 of "+path)
	}
	// A plain line that cannot be read is passed over, as OpenSSH does: it can
	// only make a host unknown.
	connect(t, (&person{}).to(s, "UserKnownHostsFile="+knownHosts(t, "garbage here", good)))
}

// certified starts a server whose host key an authority has signed.
func certified(t *testing.T, principal string, more ...string) (s *sshdtest.Server, authority ssh.PublicKey) {
	t.Helper()
	ca := keygen(t, "-N", "", "-t", "ed25519")
	host := keygen(t, "-N", "", "-t", "ed25519")
	sshdtest.Keygen(t, append([]string{"-q", "-s", ca, "-I", "host id", "-h", "-n", principal}, append(more, host+".pub")...)...)
	s = sshdtest.Start(t, sshdtest.Options{Config: []string{"HostKey " + host, "HostCertificate " + host + "-cert.pub"}})
	k, _, _, _, err := ssh.ParseAuthorizedKey([]byte(read(t, ca+".pub")))
	if err != nil {
		t.Fatal(err)
	}
	return s, k
}

func TestHostCertificate(t *testing.T) {
	t.Parallel()
	t.Run("signed by the authority on file", func(t *testing.T) {
		s, ca := certified(t, "127.0.0.1")
		for _, names := range []string{"*", bracketed(s), "127.0.0.*"} {
			p := &person{}
			connect(t, p.to(s, "UserKnownHostsFile="+knownHosts(t, "@cert-authority "+names+" "+keyLine(ca))))
			if len(p.asked) > 0 {
				t.Errorf("%s: asked %v", names, p.asked)
			}
		}
	})
	t.Run("an authority for other hosts", func(t *testing.T) {
		s, ca := certified(t, "127.0.0.1")
		p := &person{hostKey: remote.Once}
		connect(t, p.to(s, "UserKnownHostsFile="+knownHosts(t, "@cert-authority *.example.com "+keyLine(ca))))
		if len(p.asked) != 1 {
			t.Errorf("asked %d times, want once: for the plain key", len(p.asked))
		}
	})
	t.Run("for another host", func(t *testing.T) {
		s, ca := certified(t, "elsewhere")
		refused(t, (&person{hostKey: remote.Once}).to(s, "UserKnownHostsFile="+knownHosts(t, "@cert-authority * "+keyLine(ca))),
			remote.StepHostKey, remote.ClassHostKey, "certificate is not good here")
	})
	t.Run("expired", func(t *testing.T) {
		s, ca := certified(t, "127.0.0.1", "-V", "20200101:20200102")
		refused(t, (&person{hostKey: remote.Once}).to(s, "UserKnownHostsFile="+knownHosts(t, "@cert-authority * "+keyLine(ca))),
			remote.StepHostKey, remote.ClassHostKey, "certificate", "clock")
	})
	t.Run("the authority is revoked", func(t *testing.T) {
		s, ca := certified(t, "127.0.0.1")
		refused(t, (&person{hostKey: remote.Once}).to(s, "UserKnownHostsFile="+knownHosts(t, "@cert-authority * "+keyLine(ca), "@revoked * "+keyLine(ca))),
			remote.StepHostKey, remote.ClassHostKey)
	})
	t.Run("another authority", func(t *testing.T) {
		s, _ := certified(t, "127.0.0.1")
		p := &person{hostKey: remote.Leave}
		refused(t, p.to(s, "UserKnownHostsFile="+knownHosts(t, "@cert-authority * "+keyLine(other(t, "ed25519")))),
			remote.StepHostKey, remote.ClassHostKey)
	})
}

func TestReconnectWantsTheSameKey(t *testing.T) {
	t.Parallel()
	s := sshdtest.Start(t, sshdtest.Options{})
	p := &person{}
	cfg := p.to(s, "UserKnownHostsFile="+filepath.Join(t.TempDir(), "none"))
	cfg.Resume = ssh.FingerprintSHA256(s.HostKey)
	connect(t, cfg)
	if len(p.asked) > 0 {
		t.Error("a key that was trusted once is asked about again")
	}
	cfg = p.to(s)
	cfg.Resume = ssh.FingerprintSHA256(other(t, "ed25519"))
	if e := refused(t, cfg, remote.StepHostKey, remote.ClassHostKey, "before the connection was lost"); !errors.Is(e, remote.ErrHostKeyChanged) {
		t.Errorf("got %v", e)
	}
}
