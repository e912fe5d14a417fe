package session_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"testing"
	"time"

	"sallyport/console/gate"
	"sallyport/console/keys"
	"sallyport/console/session"
	"sallyport/redact"
)

// Time to the prompt and from Enter to execution, beside plain ssh in the same
// run. The figures are logged; the limits hold on a machine that does little
// else, so they are checked at night.
func TestTimeBesidePlainSSH(t *testing.T) {
	if os.Getenv("SALLYPORT_NIGHTLY") == "" {
		t.Skip("nightly: measures time")
	}
	for _, shell := range []string{"bash", "zsh", "fish"} {
		t.Run(shell, func(t *testing.T) {
			began := newWatch()
			r := start(t, setup{shell: shell, alone: true, tweak: func(c *session.Config) { c.Observer = began }})
			var ours, theirs, enter []time.Duration
			r.state(session.Prompt)
			for range 5 {
				ours = append(ours, r.timeToPrompt())
				theirs = append(theirs, sshToPrompt(t, r))
			}
			for range 20 {
				r.state(session.Prompt)
				r.typed("true")
				r.quiet()
				from := time.Now()
				r.s.Key(keys.Press(keys.Enter, 0))
				enter = append(enter, began.next().Sub(from))
			}
			busy := busy()
			later := median(ours) - median(theirs)
			t.Logf("%s: to the prompt %v, plain ssh %v (%+v, %.1fx); Enter to execution %v (%.1f processes wait for each CPU)",
				shell, median(ours), median(theirs), later, float64(median(ours))/float64(median(theirs)), median(enter), busy)
			if limit := time.Duration(busy * float64(150*time.Millisecond)); later > limit {
				t.Errorf("%v slower to the prompt than plain ssh, %v allowed", later, limit)
			}
			if limit := time.Duration(busy * float64(10*time.Millisecond)); median(enter) > limit {
				t.Errorf("%v from Enter to execution, %v allowed", median(enter), limit)
			}
		})
	}
}

// busy is how many processes want each CPU, at least one: what is measured on a
// machine that does other things is allowed that much more.
func busy() float64 {
	b, err := os.ReadFile("/proc/loadavg")
	var load float64
	if err != nil || !scan(string(b), &load) {
		return 1
	}
	return max(1, load/float64(runtime.NumCPU()))
}

func scan(s string, f *float64) bool {
	n, err := fmt.Sscan(s, f)
	return n == 1 && err == nil
}

func median(d []time.Duration) time.Duration {
	slices.Sort(d)
	return d[len(d)/2].Round(100 * time.Microsecond)
}

// timeToPrompt opens a second session on the connection.
func (r *rig) timeToPrompt() time.Duration {
	kick := make(chan struct{}, 1)
	slot := gate.NewSlot(gate.SlotConfig{Session: "s-2", Recorder: r.log, Judge: func() gate.Judge { return r.judge }, Redactor: r.red})
	from := time.Now()
	s := session.New(session.Config{ID: "s-2", Gate: &gate.Gate{}, Slot: slot, Host: r, Redactor: r.red, OnChange: func() {
		select {
		case kick <- struct{}{}:
		default:
		}
	}})
	ctx, cancel := context.WithCancel(r.t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx) }()
	defer func() { cancel(); <-ended }()
	for s.View().State != session.Prompt {
		<-kick
	}
	return time.Since(from)
}

// sshToPrompt starts ssh on a master connection and waits for its prompt.
func sshToPrompt(t *testing.T, r *rig) time.Duration {
	t.Helper()
	need(t, "ssh")
	control := r.host.Dir + "/control"
	args := []string{"-tt", "-F", r.host.SSHConfig, "-o", "ControlPath=" + control, "-p", port(r.host.Addr), r.host.User + "@127.0.0.1"}
	if _, err := os.Stat(control); err != nil {
		if out, err := exec.Command("ssh", append([]string{"-MNf"}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		t.Cleanup(func() { _ = exec.Command("ssh", append([]string{"-O", "exit"}, args...)...).Run() })
	}
	c := exec.CommandContext(t.Context(), "ssh", args...)
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	in, _ := c.StdinPipe()
	from := time.Now()
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	var got []byte
	b := make([]byte, 4096)
	for !bytes.ContainsAny(got, "#$>%") {
		n, err := out.Read(b)
		got = append(got, b[:n]...)
		if err != nil {
			t.Fatal(err)
		}
	}
	d := time.Since(from)
	in.Close()
	_ = c.Process.Kill()
	_ = c.Wait()
	return d
}

// watch is told when commands start.
type watch struct {
	ch chan time.Time
}

func newWatch() *watch                              { return &watch{ch: make(chan time.Time, 64)} }
func (w *watch) Output(redact.Text)                 {}
func (w *watch) Started(session.Command)            { w.ch <- time.Now() }
func (w *watch) Ended(session.Command, redact.Text) {}
func (w *watch) next() time.Time                    { return <-w.ch }

// Completion of a composed line, from Tab to the completed word.
func TestTimeOfACompletion(t *testing.T) {
	if os.Getenv("SALLYPORT_NIGHTLY") == "" {
		t.Skip("nightly: measures time")
	}
	r := start(t, setup{shell: "dash", files: map[string]string{"passengers": ""}, alone: true})
	r.state(session.Prompt)
	r.until("the side channel is there", func() bool {
		r.typed("<C-u>ls passen<Tab>")
		r.quiet()
		return r.s.View().Compose.Lines[0] == "ls passengers "
	})
	var took []time.Duration
	for range 10 {
		r.typed("<C-u>ls passen")
		r.quiet()
		from := time.Now()
		r.typed("<Tab>")
		for r.s.View().Compose.Lines[0] != "ls passengers " {
			<-r.kick
		}
		took = append(took, time.Since(from))
	}
	busy := busy()
	t.Logf("a completion takes %v (%.1f processes wait for each CPU)", median(took), busy)
	if limit := time.Duration(busy * float64(100*time.Millisecond)); median(took) > limit {
		t.Errorf("%v, %v allowed", median(took), limit)
	}
}
