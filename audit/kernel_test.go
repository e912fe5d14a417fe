package audit_test

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"sallyport/audit"
	"sallyport/audit/durable"
	"sallyport/audit/durable/durabletest"
	"sallyport/audit/verify"
	"sallyport/audit/verify/verifytest"
	"sallyport/redact"
)

// These ask the real kernel. They need root for mounts and are skipped, by
// name, without it.

func TestKilledAtRandomMoments(t *testing.T) {
	times := 20
	if nightly() {
		times = 200
	}
	where := auditDir(t)
	var all run
	for i := range times {
		r := killed(t, self(t, where, 10_000, 4), time.Duration(rand.IntN(60))*time.Millisecond)
		if err := verifyRound(where, r); err != nil {
			t.Fatalf("round %d: %v", i, err)
		}
		all.acknowledged = append(all.acknowledged, r.acknowledged...)
	}
	t.Logf("%d records acknowledged in %d lives", len(all.acknowledged), times)
	l, err := audit.Open(audit.Config{Dir: where})
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	n := held(t, durable.OS{}, where)
	acked := map[string]int{}
	for _, name := range all.acknowledged {
		acked[name]++
	}
	for name, want := range acked {
		if n[name] < want {
			t.Errorf("%s was acknowledged %d times and is there %d times", name, want, n[name])
		}
	}
	checkVerdicts(t, "after all", durable.OS{}, where)
	theirs := verifytest.Build(t, "./testdata/verifier").Verdicts(t, where)[where]
	for _, v := range theirs {
		if v != verify.Unanchored && v != verify.Recovered {
			t.Errorf("the second verifier says %q", v)
		}
	}
	if len(theirs) < times {
		t.Errorf("the second verifier saw %d logs of %d lives", len(theirs), times)
	}
}

// killed runs a console and kills it some time after it has its log.
func killed(t *testing.T, cmd *exec.Cmd, after time.Duration) run {
	t.Helper()
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	out := bufio.NewReader(pipe)
	if _, err := out.ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	kill := time.AfterFunc(after, func() { cmd.Process.Kill() })
	defer kill.Stop()
	rest, err := io.ReadAll(out)
	if err != nil {
		t.Fatal(err)
	}
	cmd.Wait()
	return heard(string(rest))
}

// verifyRound looks at the logs while the last of them is unclosed.
func verifyRound(where string, r run) error {
	rs, err := verify.Dirs(verify.Options{}, where)
	if err != nil && len(r.acknowledged) > 0 {
		return err
	}
	unclosed := 0
	for _, v := range rs {
		switch {
		case v.Good(), v.Verdict == verify.Recovered:
		case v.Verdict == verify.Unclosed || v.Verdict == verify.TornTail:
			unclosed++
		default:
			return errors.New(v.String())
		}
	}
	if unclosed > 1 {
		return fmt.Errorf("%d logs are unclosed: %v", unclosed, rs)
	}
	return nil
}

func TestASyncThatFailsInTheKernel(t *testing.T) {
	strace := durabletest.Need(t, "strace")
	for _, when := range []int{1, 2, 3, 9, 30} {
		where := auditDir(t)
		cmd := self(t, where, 20, 1, strace, "-f", "-qq", "-o", "/dev/null", "-e", "trace=fdatasync",
			"-e", fmt.Sprintf("inject=fdatasync:error=EIO:when=%d", when))
		out, err := cmd.Output()
		r := heard(string(out))
		// strace counts by thread: where the writer changed threads, more than
		// one sync failed, perhaps two in a row or the last.
		once := err == nil && len(r.refused) == 0
		if when == 1 {
			if len(r.acknowledged) > 0 {
				t.Errorf("the start-up probe failed and %d records were acknowledged", len(r.acknowledged))
			}
			continue
		}
		if once && len(r.acknowledged) != 40 {
			t.Errorf("sync %d: %d acknowledged: a new log takes over", when, len(r.acknowledged))
		}
		real(t, fmt.Sprintf("sync %d failed", when), where, r)
	}
}

func TestEverySyncFailsFromOneOn(t *testing.T) {
	strace := durabletest.Need(t, "strace")
	where := auditDir(t)
	cmd := self(t, where, 20, 1, strace, "-f", "-qq", "-o", "/dev/null", "-e", "trace=fdatasync",
		"-e", "inject=fdatasync:error=EIO:when=12+")
	out, _ := cmd.Output()
	r := heard(string(out))
	if len(r.acknowledged) == 0 || len(r.refused) == 0 {
		t.Errorf("%d acknowledged, %d refused", len(r.acknowledged), len(r.refused))
	}
	real(t, "all syncs failed", where, r)
}

// ownMounts runs the test again in a mount namespace of its own, and says
// whether this is it: what else starts on the machine meanwhile copies the
// machine's mounts and would keep a file system alive that was unmounted here.
func ownMounts(t *testing.T) bool {
	t.Helper()
	const inside = "SALLYPORT_TEST_MOUNTS"
	if os.Getenv(inside) == t.Name() {
		return true
	}
	durabletest.NeedRoot(t)
	cmd := durabletest.Again(t, []string{inside + "=" + t.Name()}, durabletest.Need(t, "unshare"), "-m", "--propagation", "private")
	cmd.Args = append(cmd.Args, "-test.run=^"+t.Name()+"$", "-test.v")
	out, err := cmd.CombinedOutput()
	switch {
	case bytes.HasPrefix(out, []byte("unshare:")):
		t.Skipf("needs: a mount namespace (%s)", bytes.TrimSpace(out))
	case err != nil:
		t.Errorf("%v\n%s", err, out)
	case bytes.Contains(out, []byte("--- SKIP")):
		_, why, _ := bytes.Cut(out, []byte("needs: "))
		why, _, _ = bytes.Cut(why, []byte{'\n'})
		t.Skipf("needs: %s", why)
	default:
		t.Logf("%s", out)
	}
	return false
}

func mount(t *testing.T, args ...string) string {
	t.Helper()
	durabletest.Need(t, "mount")
	at := filepath.Join(t.TempDir(), "mnt")
	if err := os.Mkdir(at, 0o700); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("mount", append(args, at)...).CombinedOutput(); err != nil {
		t.Skipf("needs: mount (%s)", strings.TrimSpace(string(out)))
	}
	t.Cleanup(func() { unix.Unmount(at, unix.MNT_DETACH) })
	return at
}

func TestASmallTmpfsFillsAndIsFreed(t *testing.T) {
	if !ownMounts(t) {
		return
	}
	at := mount(t, "-t", "tmpfs", "-o", "size=64k", "tmpfs")
	ballast := filepath.Join(at, "ballast")
	if err := os.WriteFile(ballast, make([]byte, 24<<10), 0o600); err != nil {
		t.Fatal(err)
	}
	where := filepath.Join(at, "audit")
	l, sc := openLog(t, audit.Config{Dir: where})
	var r run
	fillUp(t, sc, &r)
	var full *audit.Unwritable
	if err := l.Status().Refusing; !errors.As(err, &full) || !errors.Is(err, unix.ENOSPC) || full.Total != 64<<10 {
		t.Errorf("refusing: %v", err)
	}
	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	durabletest.WaitFor(t, "new log after space returned", func() bool { return l.Status().Refusing == nil })
	if _, ok := r.append(t.Context(), sc, "run-again", audit.Intent[redact.Text]{Command: words("run-again")}); !ok {
		t.Error("refused although there is space")
	}
	if err := l.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	checkKeptIn(t, "tmpfs", durable.OS{}, where, r)
}

// loop makes an ext4 in a file.
func loop(t *testing.T) (image, at string) {
	t.Helper()
	mkfs := durabletest.Need(t, "mkfs.ext4")
	image = filepath.Join(t.TempDir(), "image")
	if err := errors.Join(os.WriteFile(image, nil, 0o600), os.Truncate(image, 32<<20)); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(mkfs, "-q", image).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return image, mount(t, "-o", "loop,errors=remount-ro", image)
}

const ext4Shutdown = 0x8004587d // EXT4_IOC_SHUTDOWN, linux/fs/ext4/ext4.h

func TestExt4IsShutDownUnderTheLog(t *testing.T) {
	if !ownMounts(t) {
		return
	}
	image, at := loop(t)
	where := filepath.Join(at, "audit")
	cmd := self(t, where, 100_000, 4)
	var out heldOutput
	cmd.Stdout = &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	durabletest.WaitFor(t, "log", func() bool {
		paths, _ := filepath.Glob(filepath.Join(where, "*.jsonl"))
		st, err := os.Stat(filepath.Join(where, filepath.Base(strings.Join(paths, ""))))
		return len(paths) > 0 && (len(paths) > 1 || err == nil && st.Size() > 100<<10)
	})
	// What is acknowledged while the file system is being shut down rests on
	// the word of a kernel that is dropping pages; what was before must be there.
	before := heard(out.String())
	if err := shutdown(at); err != nil {
		cmd.Process.Kill()
		cmd.Wait()
		t.Skipf("needs: EXT4_IOC_SHUTDOWN (%v)", err)
	}
	kill := time.AfterFunc(500*time.Millisecond, func() { cmd.Process.Kill() })
	cmd.Wait()
	kill.Stop()
	r := heard(out.String())
	if err := unix.Unmount(at, 0); err != nil {
		t.Fatal(err)
	}
	again := mount(t, "-o", "loop", image)
	t.Logf("%d acknowledged before the shutdown, %d by its end, %d refused", len(before.acknowledged), len(r.acknowledged), len(r.refused))
	r.acknowledged = before.acknowledged
	real(t, "after the shutdown", filepath.Join(again, "audit"), r)
}

// heldOutput is what a child printed, read while it still prints.
type heldOutput struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (h *heldOutput) Write(p []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.buf.Write(p)
}

func (h *heldOutput) String() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.buf.String()
}

func shutdown(at string) error {
	f, err := os.Open(at)
	if err != nil {
		return err
	}
	defer f.Close()
	return unix.IoctlSetPointerInt(int(f.Fd()), ext4Shutdown, 2) // EXT4_GOING_FLAGS_NOLOGFLUSH
}

func TestExt4TurnsReadOnlyUnderTheLog(t *testing.T) {
	if !ownMounts(t) {
		return
	}
	_, at := loop(t)
	where := filepath.Join(at, "audit")
	l, sc := openLog(t, audit.Config{Dir: where})
	var r run
	r.command(t.Context(), sc, "run-before")
	if err := triggerError(at); err != nil {
		l.Close(t.Context())
		t.Skipf("needs: /sys/fs/ext4/…/trigger_fs_error (%v)", err)
	}
	r.command(t.Context(), sc, "run-after")
	if len(r.refused) != 1 || l.Status().Refusing == nil {
		t.Errorf("refused %q, status %v", r.refused, l.Status().Refusing)
	}
	l.Close(t.Context())
	n := held(t, durable.OS{}, where)
	for _, name := range r.acknowledged {
		if n[name] != 1 {
			t.Errorf("%s is there %d times", name, n[name])
		}
	}
}

func triggerError(at string) error {
	var st unix.Stat_t
	if err := unix.Stat(at, &st); err != nil {
		return err
	}
	dev := fmt.Sprintf("/sys/dev/block/%d:%d", unix.Major(uint64(st.Dev)), unix.Minor(uint64(st.Dev)))
	name, err := os.Readlink(dev)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join("/sys/fs/ext4", filepath.Base(name), "trigger_fs_error"), []byte("test"), 0o200)
}

func TestTheLogIsRemovedOrReplacedWhileOpen(t *testing.T) {
	for _, c := range []struct {
		name string
		do   func(path string) error
		want verify.Verdict // on the log that was there before
	}{
		{"removed", os.Remove, verify.MissingLog},
		{"replaced by a copy", func(path string) error {
			b, err := os.ReadFile(path)
			return errors.Join(err, os.Remove(path), os.WriteFile(path, b, 0o600))
		}, verify.Recovered},
		{"replaced by nothing", func(path string) error {
			return errors.Join(os.Remove(path), os.WriteFile(path, nil, 0o600))
		}, verify.Missing},
		{"cut", func(path string) error { return os.Truncate(path, 700) }, verify.Missing},
		{"appended to", func(path string) error {
			f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
			if err != nil {
				return err
			}
			_, err = f.WriteString("{}\n")
			return errors.Join(err, f.Close())
		}, verify.Recovered},
	} {
		where := auditDir(t)
		l, err := audit.Open(audit.Config{Dir: where})
		if err != nil {
			t.Fatal(err)
		}
		sc := l.In("s1", audit.Target{Host: redact.Literal("prod-web-03")})
		var r run
		r.command(t.Context(), sc, "run-before")
		if err := c.do(l.Status().Path); err != nil {
			t.Fatal(err)
		}
		r.command(t.Context(), sc, "run-after")
		if len(r.refused) > 0 {
			t.Errorf("%s: refused %q: a new log takes over", c.name, r.refused)
		}
		if err := l.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		rs, err := verify.Dirs(verify.Options{}, where)
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, v := range rs {
			found = found || v.Verdict == c.want
		}
		if !found {
			t.Errorf("%s: no verdict %q: %v", c.name, c.want, rs)
		}
	}
}

// With chattr +a on the folder and on each log, nothing can be taken away and
// the writer does its work, also the next one.
func TestALogInAnAppendOnlyFolder(t *testing.T) {
	durabletest.NeedRoot(t)
	chattr := durabletest.Need(t, "chattr")
	where := auditDir(t)
	if err := os.Mkdir(where, 0o700); err != nil {
		t.Fatal(err)
	}
	flag := func(path string) {
		if out, err := exec.Command(chattr, "+a", path).CombinedOutput(); err != nil {
			t.Skipf("needs: a file system with chattr +a (%s)", out)
		}
		t.Cleanup(func() { exec.Command(chattr, "-a", path).Run() })
	}
	flag(where)
	var r run
	for i := range 2 {
		l, err := audit.Open(audit.Config{Dir: where, MaxBytes: 8 << 10, Warn: func(m string) { t.Errorf("warned: %s", m) }})
		if err != nil {
			t.Fatal(err)
		}
		flag(l.Status().Path)
		for n := range 20 {
			r.command(t.Context(), l.In("s1", audit.Target{Host: redact.Literal("h")}), fmt.Sprintf("run-%d-%d", i, n))
		}
		if err := l.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if len(r.refused) > 0 {
		t.Errorf("refused %q", r.refused)
	}
	checkKeptIn(t, "append-only", durable.OS{}, where, r)
	paths, _ := filepath.Glob(filepath.Join(where, "*.reserve"))
	for _, p := range paths {
		if st, err := os.Stat(p); err != nil || st.Size() > 0 {
			t.Errorf("%s holds %d bytes, %v", p, st.Size(), err)
		}
	}
}

func TestTwoConsolesKeepTwoLogs(t *testing.T) {
	where := auditDir(t)
	var logs []*audit.Log
	for range 2 {
		l, err := audit.Open(audit.Config{Dir: where})
		if err != nil {
			t.Fatal(err)
		}
		logs = append(logs, l)
	}
	rs, err := verify.Dirs(verify.Options{}, where)
	if err != nil || len(rs) != 2 || rs[0].Verdict != verify.Open || rs[1].Verdict != verify.Open {
		t.Errorf("%v %v", rs, err)
	}
	for _, l := range logs {
		if err := l.Close(t.Context()); err != nil {
			t.Error(err)
		}
	}
	checkVerdicts(t, "both closed", durable.OS{}, where)
}
