package daemon

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"sallyport/audit"
	"sallyport/audit/durable/durabletest"
)

// TestSystemdTakesTheUnits: systemd has nothing to say against them, and rates
// the service's sandbox as OK.
func TestSystemdTakesTheUnits(t *testing.T) {
	analyze := durabletest.Need(t, "systemd-analyze")
	program, err := os.Executable() // systemd looks whether there is one
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	var units []string
	for _, name := range []string{"sallyport-auditd.service", "sallyport-auditd.socket"} {
		b, err := os.ReadFile(filepath.Join("systemd", name))
		if err != nil {
			t.Fatal(err)
		}
		text := strings.ReplaceAll(string(b), "/usr/bin/sallyport", program)
		units = append(units, filepath.Join(dir, name))
		if err := os.WriteFile(units[len(units)-1], []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := exec.Command(analyze, append([]string{"verify", "--man=no"}, units...)...).CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("systemd-analyze verify: %v\n%s", err, out)
	}
	if out, err := exec.Command(analyze, "security", "--offline=true", "--threshold=30", units[0]).CombinedOutput(); err != nil {
		t.Errorf("systemd-analyze security: %v\n%s", err, out)
	}
}

// TestReadyTellsSystemd that the daemon serves, once, and does nothing without
// systemd.
func TestReadyTellsSystemd(t *testing.T) {
	t.Setenv("NOTIFY_SOCKET", "")
	if err := Ready(); err != nil {
		t.Error(err)
	}
	path := filepath.Join(t.TempDir(), "notify")
	l, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: path, Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	t.Setenv("NOTIFY_SOCKET", path)
	if err := Ready(); err != nil {
		t.Fatal(err)
	}
	b := make([]byte, 64)
	if err := l.SetReadDeadline(time.Now().Add(10 * time.Second)); err != nil {
		t.Fatal(err)
	}
	if n, err := l.Read(b); err != nil || string(b[:n]) != "READY=1" {
		t.Errorf("%q %v", b[:n], err)
	}
}

// servePassed is a daemon to which its parent, as systemd does, passes a
// listening socket. It takes one connection.
func servePassed() int {
	os.Setenv("LISTEN_PID", strconv.Itoa(os.Getpid()))
	l, err := Listen("")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	fmt.Println("serving")
	if _, err := l.Accept(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// TestOfAPassedSocketTheKernelNamesTheDaemon: systemd listens as root before the
// daemon is there; a console must see the daemon's user all the same, or it
// would refuse it.
func TestOfAPassedSocketTheKernelNamesTheDaemon(t *testing.T) {
	durabletest.NeedRoot(t)
	const nobody = 65534
	path := filepath.Join(t.TempDir(), "s")
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	f, err := l.File()
	if err != nil {
		t.Fatal(err)
	}
	cmd := as(t, nobody, passedTo+"=1", "LISTEN_FDS=1")
	cmd.ExtraFiles = []*os.File{f} // it is 3 there
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Wait()
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || line != "serving\n" {
		t.Fatalf("%q %v", line, err)
	}
	nc, err := net.Dial("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	if peer, err := audit.PeerOf(nc); err != nil || peer.Uid != nobody {
		t.Errorf("%+v %v, want uid %d", peer, err, nobody)
	}
}
