package console

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/pem"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/knownhosts"

	"sallyport/console/gate"
	"sallyport/console/remote"
	"sallyport/policies"
	"sallyport/policy"
)

// recordingPeer is an SSH server that writes down every channel that is opened,
// every request on it and every byte that is sent to it.
type recordingPeer struct {
	addr, known, identity string

	mu    sync.Mutex
	got   []string
	heard chan struct{} // something was received since

	opens  []string // channels that the host opens beside the first of the client's
	silent []string // channels and requests that are never answered
}

func (p *recordingPeer) note(format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.got = append(p.got, fmt.Sprintf(format, args...))
	select {
	case p.heard <- struct{}{}:
	default:
	}
}

func (p *recordingPeer) received() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]string(nil), p.got...)
}

func newRecordingPeer(t *testing.T) *recordingPeer {
	t.Helper()
	dir := t.TempDir()
	host := signer(t)
	cfg := &ssh.ServerConfig{PublicKeyCallback: func(ssh.ConnMetadata, ssh.PublicKey) (*ssh.Permissions, error) { return nil, nil }}
	cfg.AddHostKey(host)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &recordingPeer{heard: make(chan struct{}, 1), addr: l.Addr().String(), known: filepath.Join(dir, "known_hosts"), identity: filepath.Join(dir, "id")}
	line := knownhosts.Line([]string{knownhosts.Normalize(p.addr)}, host.PublicKey())
	if err := os.WriteFile(p.known, []byte(line+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	writeKey(t, p.identity)
	var work sync.WaitGroup
	work.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			work.Go(func() { p.serve(c, cfg) })
		}
	})
	t.Cleanup(func() { l.Close(); work.Wait() })
	return p
}

func (p *recordingPeer) serve(c net.Conn, cfg *ssh.ServerConfig) {
	defer c.Close()
	host, channels, requests, err := ssh.NewServerConn(c, cfg)
	if err != nil {
		return
	}
	go func() {
		for r := range requests {
			p.note("global %s", r.Type)
			if r.WantReply && !slices.Contains(p.silent, r.Type) {
				_ = r.Reply(false, nil)
			}
		}
	}()
	var once sync.Once
	for n := range channels {
		p.note("channel %s", n.ChannelType())
		once.Do(func() {
			for _, kind := range p.opens {
				go func() {
					_, _, err := host.OpenChannel(kind, nil)
					p.note("opened %s: %v", kind, err)
				}()
			}
		})
		if slices.Contains(p.silent, n.ChannelType()) {
			continue
		}
		ch, reqs, err := n.Accept()
		if err != nil {
			return
		}
		go func() {
			buf := make([]byte, 4096)
			for {
				n, err := ch.Read(buf)
				if n > 0 {
					p.note("data %q", buf[:n])
				}
				if err != nil {
					return
				}
			}
		}()
		go func() {
			for r := range reqs {
				p.note("request %s %q", r.Type, r.Payload)
				r.Reply(true, nil)
				if r.Type == "exec" {
					ch.Write([]byte("done\n"))
					ch.SendRequest("exit-status", false, []byte{0, 0, 0, 7})
					ch.Close()
				}
			}
		}()
	}
}

func signer(t *testing.T) ssh.Signer {
	t.Helper()
	_, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	s, err := ssh.NewSignerFromKey(key)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func writeKey(t *testing.T, path string) {
	t.Helper()
	_, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	block, err := ssh.MarshalPrivateKey(key, "")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, pem.EncodeToMemory(block), 0o600); err != nil {
		t.Fatal(err)
	}
}

// refuser is an operator who says no.
type refuser struct{}

func (refuser) Ask(context.Context, gate.Question) (gate.Answer, error) { return gate.Answer{}, nil }

func (p *recordingPeer) config(t *testing.T) Config {
	return Config{
		AuditDir: t.TempDir(),
		Policy:   policy.Config{Embedded: policies.FS(), Shipped: policies.Shipped, EmbeddedOnly: true},
		SSH: remote.Options{ConfigFile: "none", Identities: []string{p.identity}, Set: []string{
			"UserKnownHostsFile=" + p.known, "IdentitiesOnly=yes", "IdentityAgent=none",
		}},
		Asker:    refuser{},
		Prompter: func(string) remote.Prompter { return nil },
	}
}

func (p *recordingPeer) console(t *testing.T) *Console {
	t.Helper()
	c, err := New(p.config(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close(context.Background()) })
	return c
}

// TestOfARefusedRunNoByteArrives: what the policy denies or the operator refuses
// opens no channel at all.
func TestOfARefusedRunNoByteArrives(t *testing.T) {
	for _, c := range []struct {
		command string
		by      gate.Refused
	}{
		{"rm -rf /", gate.ByPolicy},
		{"find . -name '*.gz' -delete", gate.ByOperator},
		{"id\x03", gate.ByGate},
	} {
		t.Run(string(c.by), func(t *testing.T) {
			p := newRecordingPeer(t)
			var out bytes.Buffer
			_, err := p.console(t).Once(t.Context(), p.addr, c.command, &out, &out)
			refusal, ok := errors.AsType[*gate.Refusal](err)
			if !ok || refusal.By != c.by {
				t.Fatalf("got %v, want a refusal by %s", err, c.by)
			}
			if got := p.received(); len(got) != 0 {
				t.Errorf("the host received %q", got)
			}
		})
	}
}

// TestARunSendsItsTextAndNothingElse: one exec request with the judged text, and
// no standard input.
func TestARunSendsItsTextAndNothingElse(t *testing.T) {
	p := newRecordingPeer(t)
	var out bytes.Buffer
	exit, err := p.console(t).Once(t.Context(), p.addr, `echo 'a\b'`, &out, &out)
	if err != nil {
		t.Fatal(err)
	}
	if exit.Code != 7 || out.String() != "done\n" {
		t.Errorf("exit %d, output %q", exit.Code, out.String())
	}
	got := p.received()
	if len(got) != 2 || got[0] != "channel session" || !strings.Contains(got[1], `exec sh -c`) {
		t.Fatalf("the host received %q", got)
	}
	var payload struct{ Command string }
	_, quoted, _ := strings.Cut(got[1], "request exec ")
	var raw string
	if _, err := fmt.Sscanf(quoted, "%q", &raw); err != nil {
		t.Fatal(err)
	}
	if err := ssh.Unmarshal([]byte(raw), &payload); err != nil {
		t.Fatal(err)
	}
	if want := `exec sh -c 'echo '\''a'\\'b'\'''`; payload.Command != want {
		t.Errorf("sent %s, want %s", payload.Command, want)
	}
}
