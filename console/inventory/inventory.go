package inventory

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"golang.org/x/crypto/ssh"
)

// Files are where the organisation's keys are.
var Files = []string{"/etc/ssh/ssh_known_hosts", "/etc/ssh/ssh_known_hosts2"}

// entry is a line that can be read.
type entry struct {
	marker string // "", cert-authority, revoked
	hosts  []string
	key    ssh.PublicKey
}

// Name gives the name of the host that has shown key, or nothing. A
// certificate must have been checked: Name looks only at who signed it and for
// whom.
func Name(key ssh.PublicKey) string { return nameIn(Files, 0, key) }

// nameIn takes the uid that the files must belong to.
func nameIn(files []string, owner uint32, key ssh.PublicKey) string {
	var entries []entry
	for _, f := range files {
		if trusted(f, owner) == nil {
			entries = append(entries, readEntries(f)...)
		}
	}
	if cert, ok := key.(*ssh.Certificate); ok {
		return certified(entries, cert)
	}
	return listed(entries, key)
}

// trusted tells why a file that another could have written does not count.
func trusted(file string, owner uint32) error {
	for _, p := range []string{file, filepath.Dir(file)} {
		info, err := os.Stat(p)
		if err != nil {
			return err
		}
		st, ok := info.Sys().(*syscall.Stat_t)
		if !ok || st.Uid != owner || info.Mode().Perm()&0o022 != 0 {
			return fmt.Errorf("%s: others than root can write it", p)
		}
	}
	return nil
}

// readEntries passes over lines that it cannot read: they name nobody.
func readEntries(file string) []entry {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil
	}
	var out []entry
	for line := range bytes.Lines(data) {
		marker, hosts, key, _, _, err := ssh.ParseKnownHosts(line)
		if err == nil {
			out = append(out, entry{marker, hosts, key})
		}
	}
	return out
}

func (e entry) is(key ssh.PublicKey) bool { return bytes.Equal(e.key.Marshal(), key.Marshal()) }

// listed is the name on the one plain line that holds key.
func listed(entries []entry, key ssh.PublicKey) string {
	name, lines := "", 0
	for _, e := range entries {
		switch {
		case !e.is(key) || e.marker == "cert-authority":
		case e.marker == "revoked":
			return ""
		default:
			name, lines = e.name(), lines+1
		}
	}
	if lines != 1 {
		return ""
	}
	return name
}

// name is the line's first plain name, without brackets and port.
func (e entry) name() string {
	for _, h := range e.hosts {
		if h != "" && !strings.ContainsAny(h, "*?!|") {
			return bare(h)
		}
	}
	return ""
}

func bare(host string) string {
	if rest, ok := strings.CutPrefix(host, "["); ok {
		host, _, _ = strings.Cut(rest, "]")
	}
	return strings.ToLower(host)
}

// certified is the first principal that a line of the signing authority
// allows.
func certified(entries []entry, cert *ssh.Certificate) string {
	revoked := func(e entry) bool {
		return e.marker == "revoked" && (e.is(cert.SignatureKey) || e.is(cert.Key))
	}
	if cert.CertType != ssh.HostCert || slices.ContainsFunc(entries, revoked) {
		return ""
	}
	for _, e := range entries {
		if e.marker != "cert-authority" || !e.is(cert.SignatureKey) {
			continue
		}
		for _, p := range cert.ValidPrincipals {
			if p != "" && !strings.ContainsAny(p, "*?!|") && e.allows(strings.ToLower(p)) {
				return strings.ToLower(p)
			}
		}
	}
	return ""
}

// allows tells whether the line's patterns match name; a negated one that
// matches forbids it (sshd(8), SSH_KNOWN_HOSTS FILE FORMAT).
func (e entry) allows(name string) bool {
	allowed := false
	for _, h := range e.hosts {
		pattern, negated := strings.CutPrefix(h, "!")
		if !match(bare(pattern), name) {
			continue
		}
		if negated {
			return false
		}
		allowed = true
	}
	return allowed
}

// match is known hosts' own pattern: * is any text, ? one character.
func match(pattern, s string) bool {
	for i, c := range []byte(pattern) {
		switch {
		case c == '*':
			for j := range len(s) + 1 {
				if match(pattern[i+1:], s[j:]) {
					return true
				}
			}
			return false
		case s == "" || c != '?' && c != s[0]:
			return false
		}
		s = s[1:]
	}
	return s == ""
}
