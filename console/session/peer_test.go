package session_test

import (
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/pem"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/creack/pty"
	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/knownhosts"

	"sallyport/console/remote/sshdtest"
)

// peer is an SSH server that runs a real shell and keeps every byte that a
// client sent to it.
type peer struct {
	t      *testing.T
	addr   string
	config string // ssh configuration for a client
	shell  string
	home   string
	force  string // runs whatever the client asks for

	mu    sync.Mutex
	got   []byte
	tty   *os.File
	stale []byte            // what answers the next queries in place of the shell
	lies  int               // how many
	lost  []byte            // what the shell does not get, once
	other *strings.Replacer // of what the shell is sent; nil: nothing

	shells sync.WaitGroup
}

func newPeer(t *testing.T, shell string) *peer {
	t.Helper()
	p := &peer{t: t, shell: shell, home: t.TempDir()}
	host, user := newKey(t), newKey(t)
	conf := &ssh.ServerConfig{PublicKeyCallback: func(ssh.ConnMetadata, ssh.PublicKey) (*ssh.Permissions, error) { return nil, nil }}
	conf.AddHostKey(host.signer)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close(); p.shells.Wait() })
	// Without the folder fish reads every manual page in the background.
	if err := os.MkdirAll(filepath.Join(p.home, ".local/share/fish/generated_completions"), 0o700); err != nil {
		t.Fatal(err)
	}
	p.addr = l.Addr().String()
	if slow(t) {
		p.addr = sshdtest.NewProxy(t, p.addr, roundTrip).Addr
	}
	dir := t.TempDir()
	id, known := filepath.Join(dir, "id"), filepath.Join(dir, "known_hosts")
	p.config = filepath.Join(dir, "config")
	p.write(id, string(user.pem))
	p.write(known, knownhosts.Line([]string{p.addr}, host.signer.PublicKey())+"\n")
	p.write(p.config, fmt.Sprintf("Host *\nIdentityFile %s\nIdentitiesOnly yes\nUserKnownHostsFile %s\nGlobalKnownHostsFile /dev/null\n", id, known))
	go p.accept(l, conf)
	return p
}

func (p *peer) write(path, text string) {
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		p.t.Fatal(err)
	}
}

type key struct {
	signer ssh.Signer
	pem    []byte
}

func newKey(t *testing.T) key {
	t.Helper()
	_, priv, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	s, err := ssh.NewSignerFromKey(priv)
	if err != nil {
		t.Fatal(err)
	}
	block, err := ssh.MarshalPrivateKey(priv, "")
	if err != nil {
		t.Fatal(err)
	}
	return key{s, pem.EncodeToMemory(block)}
}

func (p *peer) accept(l net.Listener, conf *ssh.ServerConfig) {
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		go p.serve(c, conf)
	}
}

func (p *peer) serve(c net.Conn, conf *ssh.ServerConfig) {
	_, chans, reqs, err := ssh.NewServerConn(c, conf)
	if err != nil {
		return
	}
	go ssh.DiscardRequests(reqs)
	for nc := range chans {
		ch, reqs, err := nc.Accept()
		if err != nil {
			return
		}
		go p.session(ch, reqs)
	}
}

func (p *peer) session(ch ssh.Channel, reqs <-chan *ssh.Request) {
	terminal := false
	for r := range reqs {
		switch r.Type {
		case "pty-req":
			terminal = true
		case "exec", "shell":
			var run struct{ Command string }
			_ = ssh.Unmarshal(r.Payload, &run)
			start := p.run
			if !terminal {
				start = p.command
			}
			p.shells.Go(func() { start(ch, run.Command) })
		}
		if r.WantReply {
			_ = r.Reply(true, nil)
		}
	}
}

func (p *peer) sh(command string) *exec.Cmd {
	cmd := exec.Command("/bin/sh", "-c", command)
	cmd.Env = []string{"SHELL=" + p.shell, "HOME=" + p.home, "PATH=/usr/bin:/bin", "TERM=xterm-256color", "LANG=C.UTF-8"}
	cmd.Dir = p.home
	return cmd
}

// command runs something without a terminal, as the side channel wants.
func (p *peer) command(ch ssh.Channel, command string) {
	defer ch.Close()
	cmd := p.sh(command)
	in, err := cmd.StdinPipe()
	if err != nil {
		return
	}
	cmd.Stdout, cmd.Stderr = ch, ch.Stderr()
	go func() {
		_, _ = io.Copy(in, ch)
		_ = in.Close()
	}()
	_ = cmd.Run()
}

// run gives the client a shell on a PTY and keeps what it sends. It ends with
// the shell; a client that is gone ends it.
func (p *peer) run(ch ssh.Channel, command string) {
	defer ch.Close()
	if p.force != "" {
		command = p.force
	}
	cmd := p.sh(command)
	f, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 30, Cols: 100})
	if err != nil {
		return
	}
	defer f.Close()
	p.mu.Lock()
	p.tty = f
	p.mu.Unlock()
	go func() {
		b := make([]byte, 64<<10)
		for {
			n, err := ch.Read(b)
			if _, werr := f.Write(p.heard(ch, b[:n])); err != nil || werr != nil {
				_ = cmd.Process.Kill() // the leader of the terminal's session: the rest is hung up
				return
			}
		}
	}()
	_, _ = io.Copy(ch, f)
	_ = cmd.Wait()
}

// heard keeps what the client sent and gives what the shell shall read of it.
func (p *peer) heard(ch io.Writer, b []byte) []byte {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.got = append(p.got, b...)
	if len(p.lost) > 0 && bytes.Equal(b, p.lost) {
		p.lost = nil
		return nil
	}
	if p.lies > 0 && bytes.Equal(b, []byte{0x1e}) {
		p.lies--
		_, _ = ch.Write(p.stale)
		return nil
	}
	if p.other != nil {
		return []byte(p.other.Replace(string(b)))
	}
	return bytes.Clone(b)
}

// lie answers the next n queries with a report, in place of the shell.
func (p *peer) lie(n int, report string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.lies, p.stale = n, []byte(report)
}

// swallow keeps the next write of just this byte from the shell.
func (p *peer) swallow(b byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.lost = []byte{b}
}

// sent is what arrived since from.
func (p *peer) sent(from int) []byte {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]byte(nil), p.got[from:]...)
}

func (p *peer) len() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.got)
}

// push puts bytes into the terminal as if they had raced ahead of everything.
func (p *peer) push(text string) {
	p.mu.Lock()
	tty := p.tty
	p.mu.Unlock()
	if _, err := tty.WriteString(text); err != nil {
		p.t.Error(err)
	}
}
