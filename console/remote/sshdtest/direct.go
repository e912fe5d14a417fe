package sshdtest

import (
	"net"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/crypto/ssh/knownhosts"
)

// Direct gives the path of an ssh configuration that leaves the proxy out, for
// measuring.
func (s *Server) Direct(t testing.TB) string {
	t.Helper()
	known := filepath.Join(s.Dir, "known_hosts_direct")
	write(t, known, knownhosts.Line([]string{net.JoinHostPort("127.0.0.1", strconv.Itoa(s.port))}, s.HostKey)+"\n", 0o600)
	path := filepath.Join(s.Dir, "ssh_config_direct")
	write(t, path, strings.Join([]string{
		"Host *",
		"  HostName 127.0.0.1", "  Port " + strconv.Itoa(s.port), "  User " + s.User,
		"  IdentityFile " + s.Identity, "  IdentitiesOnly yes", "  IdentityAgent none",
		"  UserKnownHostsFile " + known, "  GlobalKnownHostsFile none", "",
	}, "\n"), 0o600)
	return path
}
