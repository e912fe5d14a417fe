package console

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"sallyport/console/remote"
	"sallyport/policies"
	"sallyport/policy"
)

// ends fails the test when f does not return.
func ends(t *testing.T, what string, f func()) {
	t.Helper()
	done := make(chan struct{})
	go func() { defer close(done); f() }()
	select {
	case <-done:
	case <-time.After(20 * time.Second):
		t.Fatalf("%s does not end", what)
	}
}

// silentHost is a console on a host that answers nothing but its shell.
func silentHost(t *testing.T, config ...string) (*recordingPeer, *Host, string) {
	t.Helper()
	p := newRecordingPeer(t)
	p.silent = []string{"direct-tcpip", "tcpip-forward"}
	conf, org, dir := filepath.Join(t.TempDir(), "config"), t.TempDir(), t.TempDir()
	write(t, conf, "Host *\n  UserKnownHostsFile "+p.known+"\n  IdentityFile "+p.identity+"\n  IdentitiesOnly yes\n  IdentityAgent none\n  "+strings.Join(config, "\n  ")+"\n")
	write(t, filepath.Join(org, "org.toml"), "schema = 1\n[policy]\nid = \"org\"\nversion = \"1\"\n[channels]\nlocal_forward = [\"*\"]\nremote_forward = [\"*\"]\n")
	c, err := New(Config{
		AuditDir: dir, SSH: remote.Options{ConfigFile: conf}, Asker: refuser{}, Prompter: func(string) remote.Prompter { return nil },
		Policy: policy.Config{Embedded: policies.FS(), Shipped: policies.Shipped, OrgDir: org, OrgOwner: os.Getuid()},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ends(t, "the console", func() { _ = c.Close(context.Background()) }) })
	h, err := c.Open("someone@" + p.addr)
	if err != nil {
		t.Fatal(err)
	}
	if err := h.Ready(t.Context()); err != nil {
		t.Fatal(err)
	}
	return p, h, dir
}

// dialing connects to a port of this machine until something listens there.
func dialing(t *testing.T, port int) net.Conn {
	t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); <-tick.C {
		if c, err := net.Dial("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port))); err == nil {
			return c
		}
	}
	t.Fatalf("nobody listens on port %d", port)
	return nil
}

// However a host keeps silent, what is forwarded ends with the session, and no
// channel is recorded behind the record of the end.
func TestTheEndWaitsForNoAnswerOfTheHost(t *testing.T) {
	ports := freePorts(t, 2)
	p, h, dir := silentHost(t,
		fmt.Sprintf("LocalForward %d db:5432", ports[0]), fmt.Sprintf("DynamicForward %d", ports[1]), "RemoteForward 9000 db:5432")
	asks, greets := dialing(t, ports[0]), dialing(t, ports[1])
	defer asks.Close()
	defer greets.Close() // and says nothing
	p.await(t, "channel direct-tcpip")
	p.await(t, "global tcpip-forward")
	ends(t, "the session", h.end)
	var last string
	for line := range strings.Lines(everything(t, dir)) {
		var r struct{ Event string }
		if json.Unmarshal([]byte(line), &r) == nil && (r.Event == "channel.open" || r.Event == "session.disconnected") {
			last = r.Event
		}
	}
	if last != "session.disconnected" {
		t.Errorf("the last record is %q", last)
	}
}

// Connections that come in while a session ends hold nothing up.
func TestASessionEndsWhileConnectionsComeIn(t *testing.T) {
	for range 5 {
		port := freePorts(t, 1)[0]
		_, h, _ := silentHost(t, fmt.Sprintf("DynamicForward %d", port))
		dialing(t, port).Close()
		flood, stop := context.WithCancel(t.Context())
		var clients sync.WaitGroup
		for range 4 {
			clients.Go(func() {
				for flood.Err() == nil {
					if c, err := net.Dial("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port))); err == nil {
						c.Close()
					}
				}
			})
		}
		ends(t, "the session", h.end)
		stop()
		clients.Wait()
	}
}

// A policy that does not allow a way any more counts for the next connection.
func TestThePolicyOfTheMomentJudgesEachForwardedConnection(t *testing.T) {
	port, echo := freePorts(t, 1)[0], echoes(t)
	to := fmt.Sprintf("127.0.0.1:%d", echo)
	f := startForwards(t, fmt.Sprintf("local_forward = [%q]\n", to), nil, fmt.Sprintf("LocalForward %d %s", port, to))
	roundTrip(t, f.dial(port))
	write(t, filepath.Join(f.org, "org.toml"), "schema = 1\n[policy]\nid = \"org\"\nversion = \"2\"\n[channels]\nlocal_forward = []\n")
	if err := f.c.Reload(); err != nil {
		t.Fatal(err)
	}
	c := f.dial(port)
	if n, err := c.Read(make([]byte, 1)); n != 0 || err == nil {
		t.Errorf("it is connected still: %d, %v", n, err)
	}
}

// What a host opens in a loop fills no log.
func TestAHostOpensNoMoreThanItsPace(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	p := newPace(at)
	let, told := 0, 0
	for range 10 * paceBurst {
		ok, first := p.take(at)
		if ok {
			let++
		}
		if first {
			told++
		}
	}
	if let != paceBurst || told != 1 {
		t.Errorf("%d let, %d told", let, told)
	}
	for _, tt := range []struct {
		later time.Duration
		want  bool
	}{{paceTime / 2, false}, {paceTime, true}, {paceTime, false}, {3 * paceTime, true}, {3 * paceTime, true}, {3 * paceTime, false}} {
		if ok, first := p.take(at.Add(tt.later)); ok != tt.want || first {
			t.Errorf("after %v: %v, %v", tt.later, ok, first)
		}
	}
	if ok, _ := p.take(at.Add(24 * time.Hour)); !ok || p.left != paceBurst-1 {
		t.Errorf("after a day %d are left", p.left)
	}
}
