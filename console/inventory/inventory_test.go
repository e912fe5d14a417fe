package inventory

import (
	"crypto/ed25519"
	"crypto/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/crypto/ssh"
)

func signer(t *testing.T) ssh.Signer {
	t.Helper()
	_, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	s, err := ssh.NewSignerFromKey(private)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func certificate(t *testing.T, ca ssh.Signer, typ uint32, principals ...string) *ssh.Certificate {
	t.Helper()
	c := &ssh.Certificate{Key: signer(t).PublicKey(), CertType: typ, ValidPrincipals: principals, ValidBefore: ssh.CertTimeInfinity}
	if len(principals) == 0 { // nobody signs such a one; it may come all the same
		c.SignatureKey = ca.PublicKey()
		return c
	}
	if err := c.SignCert(rand.Reader, ca); err != nil {
		t.Fatal(err)
	}
	return c
}

func line(k ssh.PublicKey) string { return strings.TrimSpace(string(ssh.MarshalAuthorizedKey(k))) }

func write(t *testing.T, lines ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "ssh_known_hosts")
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestName(t *testing.T) {
	host, another, ca := signer(t).PublicKey(), signer(t).PublicKey(), signer(t)
	authority := line(ca.PublicKey())
	cert := func(principals ...string) ssh.PublicKey { return certificate(t, ca, ssh.HostCert, principals...) }
	one := cert("web")
	tests := []struct {
		name  string
		lines []string
		key   ssh.PublicKey
		want  string
	}{
		{"plain", []string{"web " + line(host)}, host, "web"},
		{"with port and address", []string{"[Web.example.com]:2222,10.0.0.1 " + line(host)}, host, "web.example.com"},
		{"another key", []string{"web " + line(another)}, host, ""},
		{"two lines hold it: either host could be meant", []string{"web " + line(host), "lab " + line(host)}, host, ""},
		{"revoked", []string{"web " + line(host), "@revoked * " + line(host)}, host, ""},
		{"pattern", []string{"*.example.com " + line(host)}, host, ""},
		{"a name after a pattern", []string{"*.example.com,web " + line(host)}, host, "web"},
		{"hashed", []string{"|1|c2FsdHNhbHRzYWx0c2FsdHNhbA==|aGFzaGhhc2hoYXNoaGFzaGhhc2g= " + line(host)}, host, ""},
		{"the authority's own key", []string{"@cert-authority * " + line(host)}, host, ""},
		{"unreadable lines", []string{"# c", "garbage", "web " + line(host)}, host, "web"},
		{"certificate", []string{"@cert-authority * " + authority}, cert("web"), "web"},
		{"pattern of the authority", []string{"@cert-authority *.prod,!bad.prod " + authority}, cert("lab", "bad.prod", "WEB.prod"), "web.prod"},
		{"principal outside the authority's pattern", []string{"@cert-authority *.lab " + authority}, cert("web.prod"), ""},
		{"principal that is a pattern", []string{"@cert-authority * " + authority}, cert("*"), ""},
		{"no principal", []string{"@cert-authority * " + authority}, cert(), ""},
		{"another authority", []string{"@cert-authority * " + line(another)}, cert("web"), ""},
		{"the authority is only a host", []string{"web " + authority}, cert("web"), ""},
		{"the authority is revoked", []string{"@cert-authority * " + authority, "@revoked * " + authority}, cert("web"), ""},
		{"the certified key is revoked", []string{"@cert-authority * " + authority, "@revoked * " + line(one.(*ssh.Certificate).Key)}, one, ""},
		{"a user's certificate", []string{"@cert-authority * " + authority}, certificate(t, ca, ssh.UserCert, "web"), ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := nameIn([]string{write(t, tt.lines...), "/nonexistent"}, uint32(os.Getuid()), tt.key); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestOnlyRootsFilesCount(t *testing.T) {
	host := signer(t).PublicKey()
	me := uint32(os.Getuid())
	path := write(t, "web "+line(host))
	if got := nameIn([]string{path}, me+1, host); got != "" {
		t.Errorf("another's file: %q", got)
	}
	for _, p := range []string{path, filepath.Dir(path)} {
		info, err := os.Stat(p)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(p, info.Mode().Perm()|0o020); err != nil {
			t.Fatal(err)
		}
		if got := nameIn([]string{path}, me, host); got != "" {
			t.Errorf("%s can be written by a group: %q", p, got)
		}
		if err := os.Chmod(p, info.Mode().Perm()); err != nil {
			t.Fatal(err)
		}
	}
	if got := nameIn([]string{path}, me, host); got != "web" {
		t.Errorf("got %q", got)
	}
}

func TestMatch(t *testing.T) {
	tests := []struct {
		pattern, s string
		want       bool
	}{
		{"", "", true},
		{"", "a", false},
		{"a", "", false},
		{"*", "", true},
		{"*", "abc", true},
		{"?", "a", true},
		{"?", "", false},
		{"a*c", "abbc", true},
		{"a*c", "abb", false},
		{"*.prod", "web.prod", true},
		{"*.prod", "prod", false},
		{"a**b", "ab", true},
		{"a?c", "abc", true},
	}
	for _, tt := range tests {
		if got := match(tt.pattern, tt.s); got != tt.want {
			t.Errorf("%q, %q: got %v", tt.pattern, tt.s, got)
		}
	}
}
