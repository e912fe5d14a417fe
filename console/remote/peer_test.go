package remote_test

import (
	"crypto/ed25519"
	"crypto/rand"
	"net"
	"sync"
	"testing"

	"golang.org/x/crypto/ssh"

	"sallyport/console/remote"
)

// peer is an SSH server in the test's hands, for what sshd does not do.
type peer struct {
	addr  string
	key   ssh.PublicKey
	known string // known-hosts file

	config  *ssh.ServerConfig
	serve   func(*ssh.ServerConn, <-chan ssh.NewChannel, <-chan *ssh.Request)
	work    sync.WaitGroup
	mu      sync.Mutex
	conns   []net.Conn
	authErr error
}

// startPeer serves connections with config; serve may be nil.
func startPeer(t *testing.T, config *ssh.ServerConfig, serve func(*ssh.ServerConn, <-chan ssh.NewChannel, <-chan *ssh.Request)) *peer {
	t.Helper()
	_, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	signer, err := ssh.NewSignerFromKey(private)
	if err != nil {
		t.Fatal(err)
	}
	config.AddHostKey(signer)
	l := listen(t)
	p := &peer{addr: l.Addr().String(), key: signer.PublicKey(), config: config, serve: serve}
	p.known = knownHosts(t, bracket(l)+" "+keyLine(p.key))
	p.work.Go(func() { p.accept(l) })
	t.Cleanup(func() {
		l.Close()
		p.cut()
		p.work.Wait()
	})
	return p
}

func listen(t *testing.T) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

func bracket(l net.Listener) string {
	_, port, _ := net.SplitHostPort(l.Addr().String())
	return "[127.0.0.1]:" + port
}

func (p *peer) accept(l net.Listener) {
	for {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		p.mu.Lock()
		p.conns = append(p.conns, conn)
		p.mu.Unlock()
		p.work.Go(func() { p.handle(conn) })
	}
}

func (p *peer) handle(conn net.Conn) {
	defer conn.Close()
	sc, chans, reqs, err := ssh.NewServerConn(conn, p.config)
	if err != nil {
		p.mu.Lock()
		p.authErr = err
		p.mu.Unlock()
		return
	}
	if p.serve != nil {
		p.serve(sc, chans, reqs)
		return
	}
	go ssh.DiscardRequests(reqs)
	for n := range chans {
		_ = n.Reject(ssh.Prohibited, "nothing here")
	}
}

func (p *peer) cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range p.conns {
		_ = c.Close()
	}
}

// by is the configuration to connect to p.
func (p *peer) by(who *person, set ...string) remote.Config {
	cfg := remote.Config{Dest: "ada@" + p.addr, Learn: who.learn, Options: remote.Options{
		ConfigFile: "none",
		Set:        append([]string{"UserKnownHostsFile=" + p.known, "IdentityAgent=none", "IdentityFile=none"}, set...),
	}}
	if who != nil {
		cfg.Prompter = who
	}
	return cfg
}
