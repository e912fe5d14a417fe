package sshdtest

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/pem"
	"fmt"
	mrand "math/rand/v2"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/knownhosts"
)

// Options say what the server is like. The zero value gives bash in a
// temporary home: the account's own files do not matter.
type Options struct {
	Shell        string            // a name or path: this shell, in Home
	Home         string            // the shell's home; empty: a temporary one
	Files        map[string]string // files put into Home first: name to content
	Env          map[string]string // more variables
	ForceCommand string            // what runs whatever the client asks for
	Latency      time.Duration     // added to a round trip
	HostKeys     []string          // key types of the server; empty: ed25519
	Config       []string          // lines of sshd_config that come first, and so count
	Accounts     []Account         // more accounts; needs root
	Private      map[string]string // files that stand over the machine's own, path to content; needs root
	Setup        string            // shell commands that run first, where the machine's mounts can be changed; needs root
}

// Server is a running server.
type Server struct {
	Addr       string // 127.0.0.1:port, the proxy's
	Port       int
	User       string // who runs the tests, and the only account
	Home       string // the shell's home; empty with a ForceCommand alone
	Dir        string // the server's files, removed at the end of the test
	KnownHosts string // path of a known-hosts file with the server's keys
	Identity   string // path of a private key that the server takes
	SSHConfig  string // path of an ssh configuration for every host name, for -F
	HostKey    ssh.PublicKey
	Proxy      *Proxy

	port int // sshd's own, behind the proxy
	cmd  *exec.Cmd
	log  string
}

// Start starts a server; it ends with the test.
func Start(t testing.TB, o Options) *Server {
	t.Helper()
	sshd := Need(t, "sshd")
	u, err := user.Current()
	if err != nil {
		t.Fatal(err)
	}
	s := &Server{User: u.Username, Dir: t.TempDir()}
	s.log = filepath.Join(s.Dir, "sshd.log")
	s.makeHome(t, o)
	s.makeKeys(t, o.HostKeys)
	port := freePort(t)
	s.port = port
	s.configure(t, o, port)
	s.run(t, o, sshd, port)
	s.Proxy = NewProxy(t, net.JoinHostPort("127.0.0.1", strconv.Itoa(port)), o.Latency)
	s.Addr, s.Port = s.Proxy.Addr, s.Proxy.Port
	s.writeClientFiles(t)
	return s
}

// Need gives the path of a program, or skips the test where it is absent.
func Need(t testing.TB, program string) string {
	t.Helper()
	for _, path := range []string{program, "/usr/sbin/" + program, "/usr/local/sbin/" + program} {
		if found, err := exec.LookPath(path); err == nil {
			return found
		}
	}
	if os.Getenv("SALLYPORT_NO_SKIP") != "" {
		t.Fatalf("needs: %s", program)
	}
	t.Skipf("needs: %s", program)
	return ""
}

func (s *Server) makeHome(t testing.TB, o Options) {
	t.Helper()
	if o.ForceCommand != "" && o.Shell == "" && o.Home == "" && o.Files == nil {
		return
	}
	s.Home = o.Home
	if s.Home == "" {
		s.Home = filepath.Join(s.Dir, "home")
		mkdir(t, s.Home)
	}
	// Without the folder fish reads every manual page in the background.
	mkdir(t, filepath.Join(s.Home, ".local/share/fish/generated_completions"))
	files := map[string]string{".zshrc": ""} // without one zsh asks questions
	for name, content := range o.Files {
		files[name] = content
	}
	for name, content := range files {
		path := filepath.Join(s.Home, name)
		mkdir(t, filepath.Dir(path))
		if _, err := os.Stat(path); err == nil && o.Files[name] == "" {
			continue
		}
		write(t, path, content, 0o600)
	}
}

func (s *Server) makeKeys(t testing.TB, types []string) {
	t.Helper()
	if len(types) == 0 {
		types = []string{"ed25519"}
	}
	for _, typ := range types {
		s.keygen(t, filepath.Join(s.Dir, "host_"+typ), typ)
	}
	s.Identity = s.keygen(t, filepath.Join(s.Dir, "id_ed25519"), "ed25519")
	pub, err := os.ReadFile(s.Identity + ".pub")
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(s.Dir, "authorized_keys"), string(pub), 0o600)
}

func (s *Server) keygen(t testing.TB, path, typ string) string {
	t.Helper()
	if typ == "ed25519" {
		Keypair(t, path)
		return path
	}
	args := []string{"-q", "-N", "", "-C", "test", "-t", typ, "-f", path}
	if typ == "rsa" {
		args = append(args, "-b", "2048") // quicker to make
	}
	Keygen(t, args...)
	return path
}

// Keypair writes an Ed25519 key to path, as ssh-keygen would and quicker.
func Keypair(t testing.TB, path string) {
	t.Helper()
	_, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	block, err := ssh.MarshalPrivateKey(private, "test")
	if err != nil {
		t.Fatal(err)
	}
	signer, err := ssh.NewSignerFromKey(private)
	if err != nil {
		t.Fatal(err)
	}
	write(t, path, string(pem.EncodeToMemory(block)), 0o600)
	write(t, path+".pub", string(ssh.MarshalAuthorizedKey(signer.PublicKey())), 0o644)
}

// Keygen runs ssh-keygen.
func Keygen(t testing.TB, args ...string) {
	t.Helper()
	out, err := exec.Command(Need(t, "ssh-keygen"), args...).CombinedOutput()
	if err != nil {
		t.Fatalf("ssh-keygen %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

// configure writes sshd_config: of an option's lines the first counts, so
// those of the test come first.
func (s *Server) configure(t testing.TB, o Options, port int) {
	t.Helper()
	lines := slices.Clone(o.Config)
	lines = append(lines,
		"ListenAddress 127.0.0.1:"+strconv.Itoa(port),
		"PidFile none", "UsePAM no", "StrictModes no", "LogLevel VERBOSE", "UseDNS no",
		"PermitRootLogin yes", "PasswordAuthentication no", "KbdInteractiveAuthentication no",
		"AuthorizedKeysFile "+filepath.Join(s.Dir, "authorized_keys"),
		"PrintMotd no", "PrintLastLog no", "AcceptEnv LANG LC_*", "MaxStartups 100", "MaxSessions 100",
	)
	keys, _ := filepath.Glob(filepath.Join(s.Dir, "host_*"))
	for _, k := range keys {
		if !strings.HasSuffix(k, ".pub") {
			lines = append(lines, "HostKey "+k)
		}
	}
	lines = append(lines, s.command(t, o)...)
	write(t, filepath.Join(s.Dir, "sshd_config"), strings.Join(lines, "\n")+"\n", 0o600)
}

// command gives the lines that decide what runs. SetEnv's first line counts,
// so there is one.
func (s *Server) command(t testing.TB, o Options) []string {
	t.Helper()
	var env []string
	for name, value := range o.Env {
		env = append(env, name+"="+strconv.Quote(value))
	}
	var lines []string
	switch {
	case o.ForceCommand != "":
		lines = append(lines, "ForceCommand "+o.ForceCommand)
	case s.Home != "":
		lines = append(lines, "ForceCommand "+s.writeShell(t, o.Shell))
	}
	env = append(env, "SHLVL=1") // keeps the account's bash from its .bashrc
	return append(lines, "SetEnv "+strings.Join(env, " "))
}

// writeShell writes the program that becomes the shell. The account's own
// shell may lack exec -a; bash has it.
func (s *Server) writeShell(t testing.TB, shell string) string {
	t.Helper()
	if shell == "" {
		shell = "bash"
	}
	path, err := filepath.Abs(Need(t, shell))
	if err != nil {
		t.Fatal(err)
	}
	script := filepath.Join(s.Dir, "shell")
	write(t, script, fmt.Sprintf(becomeShell, Need(t, "bash"), s.Home, path, filepath.Base(path)), 0o700)
	return script
}

const becomeShell = `#!%s -p
export HOME=%s SHELL=%s
cd "$HOME"
unset SHLVL OLDPWD PWD
if [ -n "${SSH_ORIGINAL_COMMAND+set}" ]; then
	command=$SSH_ORIGINAL_COMMAND
	unset SSH_ORIGINAL_COMMAND
	exec "$SHELL" -c "$command"
fi
exec -a -%s "$SHELL"
`

func (s *Server) run(t testing.TB, o Options, sshd string, port int) {
	t.Helper()
	if os.Getuid() == 0 {
		_ = os.MkdirAll("/run/sshd", 0o755) // sshd's own; a root sshd wants it
	}
	log, err := os.Create(s.log)
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	argv := []string{sshd, "-D", "-e", "-f", filepath.Join(s.Dir, "sshd_config")}
	if o.private() {
		argv = s.inNamespace(t, o, argv)
	}
	s.cmd = exec.Command(argv[0], argv[1:]...)
	s.cmd.Stderr = log
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := startWithSignals(s.cmd); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.stop)
	s.awaitListening(t, port)
}

// awaitListening waits until sshd answers, or says why it does not.
func (s *Server) awaitListening(t testing.TB, port int) {
	t.Helper()
	deadline := time.Now().Add(time.Minute)
	for {
		conn, err := net.DialTimeout("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)), time.Second)
		if err == nil {
			conn.Close()
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("sshd does not answer: %v\n%s", err, s.Log())
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// stop ends sshd and what its sessions left running, by pid, and waits for it:
// the folder is removed then.
func (s *Server) stop() {
	left := descendants(s.cmd.Process.Pid)
	_ = s.cmd.Process.Signal(syscall.SIGTERM)
	_ = s.cmd.Wait()
	left = append(left, inside(s.Dir)...)
	for _, p := range left {
		p.kill()
	}
	for _, p := range left {
		p.awaitEnd()
	}
}

// Log is what sshd has logged so far.
func (s *Server) Log() string {
	b, _ := os.ReadFile(s.log)
	return string(b)
}

func (s *Server) writeClientFiles(t testing.TB) {
	t.Helper()
	pubs, _ := filepath.Glob(filepath.Join(s.Dir, "host_*.pub"))
	var lines []string
	for _, p := range pubs {
		s.HostKey = readPublic(t, p)
		lines = append(lines, knownhosts.Line([]string{s.Addr}, s.HostKey))
	}
	s.KnownHosts = filepath.Join(s.Dir, "known_hosts")
	write(t, s.KnownHosts, strings.Join(lines, "\n")+"\n", 0o600)
	s.SSHConfig = filepath.Join(s.Dir, "ssh_config")
	write(t, s.SSHConfig, strings.Join([]string{
		"Host *",
		"  HostName 127.0.0.1", "  Port " + strconv.Itoa(s.Port), "  User " + s.User,
		"  IdentityFile " + s.Identity, "  IdentitiesOnly yes", "  IdentityAgent none",
		"  UserKnownHostsFile " + s.KnownHosts, "  GlobalKnownHostsFile none", "",
	}, "\n"), 0o600)
}

func readPublic(t testing.TB, path string) ssh.PublicKey {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	key, _, _, _, err := ssh.ParseAuthorizedKey(b)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// reserve keeps a port for this test among all that run on the machine: between
// the look at it and sshd's start another would take it for free as well.
func reserve(t testing.TB, port int) bool {
	t.Helper()
	f, err := os.OpenFile(filepath.Join(os.TempDir(), "sshdtest-"+strconv.Itoa(port)), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return false
	}
	if syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) != nil || !stands(f) {
		_ = f.Close()
		return false
	}
	t.Cleanup(func() {
		_ = os.Remove(f.Name())
		_ = f.Close()
	})
	return true
}

// stands tells whether an open file is still the one of its name: who had it
// before may have removed it since it was opened.
func stands(f *os.File) bool {
	ours, err := f.Stat()
	now, gone := os.Stat(f.Name())
	return err == nil && gone == nil && os.SameFile(ours, now)
}

// freePort gives a port below the range that the kernel hands out by itself:
// nothing else takes it before sshd does.
func freePort(t testing.TB) int {
	t.Helper()
	for range 100 {
		port := 20000 + mrand.IntN(12000)
		if !reserve(t, port) {
			continue
		}
		l, err := net.Listen("tcp4", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
		if err != nil {
			continue
		}
		l.Close()
		return port
	}
	t.Fatal("no free port between 20000 and 32000")
	return 0
}

func mkdir(t testing.TB, path string) {
	t.Helper()
	if err := os.MkdirAll(path, 0o700); err != nil {
		t.Fatal(err)
	}
}

func write(t testing.TB, path, content string, mode os.FileMode) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), mode); err != nil {
		t.Fatal(err)
	}
}
