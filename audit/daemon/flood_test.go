package daemon

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	"sallyport/audit"
	"sallyport/audit/durable/durabletest"
	"sallyport/audit/wire"
	"sallyport/redact"
)

// The test binary is also another user's program: one that floods, or a daemon
// that systemd began.
const (
	floodSocket = "SALLYPORT_TEST_FLOOD"
	passedTo    = "SALLYPORT_TEST_PASSED"
)

func TestMain(m *testing.M) {
	if socket := os.Getenv(floodSocket); socket != "" {
		flood(socket)
	}
	if os.Getenv(passedTo) != "" {
		os.Exit(servePassed())
	}
	os.Exit(m.Run())
}

// flood does its worst until it is killed: records as fast as it can on as many
// connections as it gets, in the name of root; garbage, and halves of frames.
func flood(socket string) {
	var wg sync.WaitGroup
	for i := range 80 {
		wg.Go(func() {
			for {
				time.Sleep(time.Millisecond) // it floods the daemon, not this machine
				nc, err := net.Dial("unix", socket)
				if err != nil {
					continue
				}
				switch i % 4 {
				case 0:
					nc.Write([]byte("GET / HTTP/1.1\r\n\r\n"))
				case 1:
					nc.Write([]byte{0, 0, 1, 0, '{'})
				default:
					pour(nc, i)
				}
				nc.Close()
			}
		})
	}
	wg.Wait()
}

func pour(nc net.Conn, i int) {
	wire.Write(nc, wire.Hello{V: wire.Version, Actor: []byte(`{"user":"root","uid":0}`)})
	var w wire.Welcome
	if wire.Read(nc, &w) != nil || w.Error != "" {
		return
	}
	go func() {
		for b := make([]byte, 1<<10); ; {
			if _, err := nc.Read(b); err != nil {
				return
			}
		}
	}()
	one := []wire.Message{{Event: string(audit.KindInputEOF), Data: []byte(`{}`)}}
	for id := uint64(1); ; id++ {
		if wire.Write(nc, wire.Ask{ID: id, Session: fmt.Sprintf("flood-%d", i), Messages: one}) != nil {
			return
		}
	}
}

// TestAFloodOfOneUserHarmsNoOther: another user's console is answered as ever,
// the flood gets no more than its quota, and its records say whose they are.
func TestAFloodOfOneUserHarmsNoOther(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs: root")
	}
	const nobody = 65534
	r := start(t, Config{MaxConnections: 48, RecordsPerS: 50, Burst: 100})
	began := time.Now()
	startFlood(t, r, nobody)
	durabletest.WaitFor(t, "the flood", func() bool { return r.log.Status().Records > 100 })
	sc := r.dial(t).In("s1", audit.Target{Host: redact.Literal("h")})
	var waits []time.Duration
	for range 50 {
		t0 := time.Now()
		if _, err := sc.Append(t.Context(), intent(redact.Literal("df -h /var"))); err != nil {
			t.Fatal(err)
		}
		waits = append(waits, time.Since(t0))
	}
	took := time.Since(began)
	t.Logf("p99 of the other's console %v", p99(waits))
	if p99(waits) > 5*time.Second {
		t.Errorf("another user's console waited %v", p99(waits))
	}
	r.stop()
	floods := 0
	for _, rec := range r.records(t) {
		if rec.Event != audit.KindInputEOF {
			continue
		}
		floods++
		if rec.Actor.UID != nobody || rec.Actor.User == "root" {
			t.Fatalf("a record of the flood is by %+v", rec.Actor)
		}
	}
	if most := 100 + int(50*(took.Seconds()+5)); floods > most {
		t.Errorf("%d records of the flood in %v, its quota is %d", floods, took, most)
	}
	r.verified(t)
}

// startFlood runs the flood as uid, from where that user can reach the socket.
func startFlood(t *testing.T, r *running, uid uint32) {
	t.Helper()
	for _, d := range []string{filepath.Dir(r.socket), filepath.Dir(filepath.Dir(r.socket))} {
		if err := os.Chmod(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	cmd := as(t, uid, floodSocket+"="+r.socket)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
}

// as is this program run by another user.
func as(t *testing.T, uid uint32, env ...string) *exec.Cmd {
	t.Helper()
	dir, err := os.MkdirTemp("", "as")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(dir, "program")
	if err := errors.Join(os.WriteFile(program, b, 0o755), os.Chmod(dir, 0o755)); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program)
	cmd.Env = append(os.Environ(), env...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uid, Gid: uid}}
	return cmd
}
