package demo

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/pem"
	"errors"
	"fmt"
	"net"
	"os"
	"os/user"
	"path/filepath"
	"sync"
	"time"

	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/knownhosts"
)

// Config says what the server is like. The zero value is the invoking user's
// shell in an empty home.
type Config struct {
	Shell string   // a path; empty: $SHELL, else the account's, else /bin/sh
	Home  string   // an existing folder; empty: one of the server's own, removed by Close
	Env   []string // more variables for the shell, NAME=value
	// Host is the name that the known-hosts file gives the server besides its
	// address.
	Host string
}

// Server is a running server.
type Server struct {
	Addr       string // 127.0.0.1:port
	Port       int
	User       string // the only account
	Home       string // the shell's home
	Shell      string // its path
	KnownHosts string // path of a known-hosts file with the server's key
	Identity   string // path of the private key that the server takes
	HostKey    ssh.PublicKey

	cfg      Config
	dir      string
	ownsHome bool
	listener net.Listener
	server   *ssh.ServerConfig

	work  sync.WaitGroup
	mu    sync.Mutex
	conns map[net.Conn]bool
	over  bool
}

// Start starts a server; it ends with Close, or with ctx.
func Start(ctx context.Context, cfg Config) (*Server, error) {
	dir, err := os.MkdirTemp("", "sallyport-demo-")
	if err != nil {
		return nil, err
	}
	s := &Server{cfg: cfg, dir: dir, conns: map[net.Conn]bool{}}
	if err := s.set(cfg); err != nil {
		_ = os.RemoveAll(dir)
		return nil, fmt.Errorf("demo server: %w", err)
	}
	s.work.Add(1)
	go s.accept()
	context.AfterFunc(ctx, func() { _ = s.Close() })
	return s, nil
}

func (s *Server) set(cfg Config) error {
	u, err := user.Current()
	if err != nil {
		return err
	}
	s.User = u.Username
	if s.Shell, err = findShell(cfg.Shell, u.Username); err != nil {
		return err
	}
	if err := s.makeHome(); err != nil {
		return err
	}
	if s.listener, err = net.Listen("tcp4", "127.0.0.1:0"); err != nil {
		return err
	}
	s.Addr = s.listener.Addr().String()
	s.Port = s.listener.Addr().(*net.TCPAddr).Port
	return s.makeKeys()
}

// makeHome gives the shell a home, with what keeps zsh and fish from their first-start
// dialog.
func (s *Server) makeHome() error {
	if s.Home = s.cfg.Home; s.Home != "" {
		return nil
	}
	s.Home, s.ownsHome = filepath.Join(s.dir, "home"), true
	if err := os.Mkdir(s.Home, 0o700); err != nil {
		return err
	}
	// Without the folder fish reads every manual page in the background.
	if err := os.MkdirAll(filepath.Join(s.Home, ".local/share/fish/generated_completions"), 0o700); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(s.Home, ".zshrc"), nil, 0o600)
}

func (s *Server) makeKeys() error {
	host, _, err := newKey()
	if err != nil {
		return err
	}
	client, block, err := newKey()
	if err != nil {
		return err
	}
	s.HostKey = host.PublicKey()
	s.Identity = filepath.Join(s.dir, "id_ed25519")
	if err := os.WriteFile(s.Identity, pem.EncodeToMemory(block), 0o600); err != nil {
		return err
	}
	s.server = serverConfig(s.User, client.PublicKey(), host)
	return s.writeKnownHosts()
}

func newKey() (ssh.Signer, *pem.Block, error) {
	_, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return nil, nil, err
	}
	block, err := ssh.MarshalPrivateKey(private, "sallyport demo")
	if err != nil {
		return nil, nil, err
	}
	signer, err := ssh.NewSignerFromKey(private)
	return signer, block, err
}

// serverConfig takes user with key and nothing else.
func serverConfig(user string, key ssh.PublicKey, host ssh.Signer) *ssh.ServerConfig {
	want := string(key.Marshal())
	c := &ssh.ServerConfig{
		ServerVersion: "SSH-2.0-SallyportDemo",
		PublicKeyCallback: func(m ssh.ConnMetadata, k ssh.PublicKey) (*ssh.Permissions, error) {
			if m.User() != user || string(k.Marshal()) != want {
				return nil, errors.New("not this server's key")
			}
			return nil, nil
		},
	}
	c.AddHostKey(host)
	return c
}

func (s *Server) writeKnownHosts() error {
	names := []string{s.Addr}
	if s.cfg.Host != "" {
		names = append(names, net.JoinHostPort(s.cfg.Host, fmt.Sprint(s.Port)))
	}
	s.KnownHosts = filepath.Join(s.dir, "known_hosts")
	return os.WriteFile(s.KnownHosts, []byte(knownhosts.Line(names, s.HostKey)+"\n"), 0o600)
}

// accept serves until the listener is closed.
func (s *Server) accept() {
	defer s.work.Done()
	for {
		conn, err := s.listener.Accept()
		if err != nil {
			return
		}
		if !s.add(conn) {
			_ = conn.Close()
			return
		}
		s.work.Add(1)
		go s.serve(conn)
	}
}

func (s *Server) add(conn net.Conn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.over {
		s.conns[conn] = true
	}
	return !s.over
}

func (s *Server) remove(conn net.Conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.conns, conn)
}

// handshakeTime bounds the time until a client has authenticated.
const handshakeTime = 2 * time.Minute

// serve serves one connection; its end is the end of its commands.
func (s *Server) serve(conn net.Conn) {
	defer s.work.Done()
	defer s.remove(conn)
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(handshakeTime))
	sc, chans, reqs, err := ssh.NewServerConn(conn, s.server)
	if err != nil {
		return
	}
	_ = conn.SetDeadline(time.Time{})
	go ssh.DiscardRequests(reqs)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var sessions sync.WaitGroup
	defer sessions.Wait()
	defer cancel()
	for n := range chans {
		if n.ChannelType() != "session" {
			_ = n.Reject(ssh.Prohibited, "sessions only")
			continue
		}
		ch, reqs, err := n.Accept()
		if err != nil {
			continue
		}
		sess := &session{server: s, conn: sc, ch: ch}
		sessions.Go(func() { sess.serve(ctx, reqs) })
	}
}

// Drop ends every connection as a lost network would; the server goes on.
func (s *Server) Drop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for conn := range s.conns {
		_ = conn.Close()
	}
}

// Close ends the server, its connections and their commands, and removes what
// it made. It waits until they have ended.
func (s *Server) Close() error {
	s.mu.Lock()
	s.over = true
	s.mu.Unlock()
	_ = s.listener.Close()
	s.Drop()
	s.work.Wait()
	return os.RemoveAll(s.dir)
}
