package remote

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/skeema/knownhosts"
	"golang.org/x/crypto/ssh"
	xknownhosts "golang.org/x/crypto/ssh/knownhosts"
)

// place is a line of a known-hosts file.
type place struct {
	file string
	line int
}

func (p place) String() string { return fmt.Sprintf("line %d of %s", p.line, p.file) }

// knownHosts is what the known-hosts files say.
type knownHosts struct {
	db        *knownhosts.HostKeyDB
	authority map[place]bool // lines marked @cert-authority
	revoked   map[string]bool
}

// openKnownHosts reads those of files that exist. A marked line that cannot
// be read is an error: an unread @revoked would let a stolen key pass.
func openKnownHosts(files []string, revoked string) (*knownHosts, error) {
	k := &knownHosts{authority: map[place]bool{}, revoked: map[string]bool{}}
	var there []string
	for _, f := range files {
		switch err := k.readMarks(f); {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return nil, err
		default:
			there = append(there, f)
		}
	}
	db, err := knownhosts.NewDB(there...)
	if err != nil {
		return nil, err
	}
	k.db = db
	return k, k.readRevoked(revoked)
}

func (k *knownHosts) readMarks(file string) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	sc := bufio.NewScanner(f)
	for n := 1; sc.Scan(); n++ {
		line := strings.TrimSpace(sc.Text())
		if !strings.HasPrefix(line, "@") {
			continue
		}
		marker, _, _, _, _, err := ssh.ParseKnownHosts([]byte(line))
		if err == nil && marker != "cert-authority" && marker != "revoked" {
			err = fmt.Errorf("unknown marker @%s", harmless(marker))
		}
		if err != nil {
			return fmt.Errorf("line %d of %s: %w", n, file, err)
		}
		k.authority[place{file, n}] = marker == "cert-authority"
	}
	return sc.Err()
}

// readRevoked reads RevokedHostKeys: a list of public keys. OpenSSH's binary
// form is not read, and so refused.
func (k *knownHosts) readRevoked(file string) error {
	if file == "" {
		return nil
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("RevokedHostKeys: %w", err)
	}
	for i, line := range strings.Split(string(data), "\n") {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		key, _, _, _, err := ssh.ParseAuthorizedKey([]byte(line))
		if err != nil {
			return fmt.Errorf("RevokedHostKeys: line %d of %s: %w", i+1, file, err)
		}
		k.revoked[string(key.Marshal())] = true
	}
	return nil
}

// verdict is what known hosts say about a key that a host showed.
type verdict uint8

const (
	unknown verdict = iota
	known
	changed
	revoked
	refused // a certificate that is not good for this host, or unreadable
)

// finding is a verdict and its reason.
type finding struct {
	verdict verdict
	at      place
	typ     string // key type on file, for changed
	err     error
}

// check judges the key that name (host:port) shows. As OpenSSH does, it takes
// a key of the bare name for a host at another port, if it is the same key.
func (k *knownHosts) check(name string, remote net.Addr, key ssh.PublicKey) finding {
	if k.isRevoked(key) {
		return finding{verdict: revoked, err: errors.New("listed in RevokedHostKeys")}
	}
	f := k.checkName(name, remote, key)
	host, port, err := net.SplitHostPort(name)
	if f.verdict != unknown || err != nil || port == "22" {
		return f
	}
	if bare := k.checkName(net.JoinHostPort(host, "22"), remote, key); bare.verdict == known {
		return bare
	}
	return f
}

func (k *knownHosts) isRevoked(key ssh.PublicKey) bool {
	if cert, ok := key.(*ssh.Certificate); ok {
		return k.revoked[string(cert.Key.Marshal())] || k.revoked[string(cert.SignatureKey.Marshal())]
	}
	return k.revoked[string(key.Marshal())]
}

func (k *knownHosts) checkName(name string, remote net.Addr, key ssh.PublicKey) finding {
	err := k.db.HostKeyCallback()(name, remote, key)
	var mismatch *xknownhosts.KeyError
	var gone *xknownhosts.RevokedError
	switch {
	case err == nil && k.isAuthority(name, key):
		return finding{verdict: unknown}
	case err == nil:
		return finding{verdict: known}
	case errors.As(err, &gone):
		return finding{verdict: revoked, at: place{gone.Revoked.Filename, gone.Revoked.Line}, err: err}
	case errors.As(err, &mismatch):
		return k.mismatch(mismatch.Want, key)
	}
	return finding{verdict: refused, err: err}
}

// isAuthority tells whether key, shown as a plain host key, is on file for
// name only as an authority: that proves nothing about the host.
func (k *knownHosts) isAuthority(name string, key ssh.PublicKey) bool {
	if _, ok := key.(*ssh.Certificate); ok {
		return false
	}
	same := func(p knownhosts.PublicKey) bool { return slices.Equal(p.Marshal(), key.Marshal()) }
	keys := k.db.HostKeys(name)
	return slices.ContainsFunc(keys, same) &&
		!slices.ContainsFunc(keys, func(p knownhosts.PublicKey) bool { return same(p) && !p.Cert })
}

// mismatch leaves the authorities out: a host without a certificate is
// unknown to them, not changed.
func (k *knownHosts) mismatch(want []xknownhosts.KnownKey, key ssh.PublicKey) finding {
	f := finding{verdict: unknown}
	for _, w := range want {
		at := place{w.Filename, w.Line}
		if k.authority[at] {
			continue
		}
		if f.verdict == unknown || (w.Key.Type() == key.Type() && f.typ != key.Type()) {
			f = finding{verdict: changed, at: at, typ: w.Key.Type()}
		}
	}
	return f
}

// lines gives the plain keys on file for name.
func (k *knownHosts) lines(name string) []xknownhosts.KnownKey {
	var mismatch *xknownhosts.KeyError
	err := k.db.HostKeyCallback()(name, &net.TCPAddr{IP: net.IPv4zero}, noKey{})
	if !errors.As(err, &mismatch) {
		return nil
	}
	return slices.DeleteFunc(mismatch.Want, func(w xknownhosts.KnownKey) bool {
		return k.authority[place{w.Filename, w.Line}]
	})
}

// noKey is a key that no host has: asking for it gives all that are on file.
type noKey struct{}

func (noKey) Type() string                        { return "none" }
func (noKey) Marshal() []byte                     { return nil }
func (noKey) Verify([]byte, *ssh.Signature) error { return errors.New("no key") }

// algorithms are the host key algorithms to ask for: where plain keys are on
// file, only theirs, so that a host with several keys shows one that can be
// compared; else every plain one, after the certificates of the authorities.
func (k *knownHosts) algorithms(name string) []string {
	supported := ssh.SupportedAlgorithms().HostKeys
	onFile := slices.DeleteFunc(k.db.HostKeyAlgorithms(name), func(a string) bool { return !slices.Contains(supported, a) })
	if len(k.lines(name)) > 0 && len(onFile) > 0 {
		return onFile
	}
	if host, _, err := net.SplitHostPort(name); err == nil && len(onFile) == 0 {
		onFile = k.db.HostKeyAlgorithms(net.JoinHostPort(host, "22"))
	}
	return mergeAlgorithms(onFile, supported)
}

// mergeAlgorithms puts first before the plain ones of all. A certificate is
// asked for only where an authority is on file: no other could be checked.
func mergeAlgorithms(first, all []string) []string {
	var out []string
	for _, a := range first {
		if slices.Contains(all, a) {
			out = append(out, a)
		}
	}
	for _, a := range all {
		if !strings.Contains(a, "-cert-") && !slices.Contains(out, a) {
			out = append(out, a)
		}
	}
	return out
}

// remember appends a line for name to file, hashed if the configuration wants
// names hashed, and makes it durable.
func remember(file, name string, key ssh.PublicKey, hashed bool) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(file, os.O_RDWR|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	shown := knownhosts.Normalize(name)
	if hashed {
		shown = xknownhosts.HashHostname(shown)
	}
	line := shown + " " + strings.TrimSpace(string(ssh.MarshalAuthorizedKey(key))) + "\n"
	if endsOpen(f) {
		line = "\n" + line
	}
	if _, err := f.WriteString(line); err != nil {
		return err
	}
	return f.Sync()
}

// endsOpen tells whether f's last line has no end.
func endsOpen(f *os.File) bool {
	info, err := f.Stat()
	if err != nil || info.Size() == 0 {
		return false
	}
	last := make([]byte, 1)
	_, err = f.ReadAt(last, info.Size()-1)
	return err == nil && last[0] != '\n'
}
