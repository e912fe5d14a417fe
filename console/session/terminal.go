package session

import (
	"path"
	"slices"
	"strings"
	"time"

	"sallyport/console/probe"
	"sallyport/policy"
)

// probeTimeout is how long the side channel may take before it counts as
// broken.
const probeTimeout = 5 * time.Second

// inFront tells whether the process is in the terminal's foreground group. A
// host whose ps cannot say does not contradict.
func inFront(t probe.Terminal, pid int) bool {
	if len(t.Foreground) == 0 {
		return true
	}
	for _, p := range t.Foreground {
		if p.PID == pid {
			return true
		}
	}
	return false
}

// idleInFront tells whether the process has the terminal and does nothing else
// than to read it. A host that does not say what it does is believed to be idle.
func idleInFront(t probe.Terminal, pid int) bool {
	for _, p := range t.Foreground {
		if p.PID == pid {
			return !strings.HasPrefix(p.State, "R") && !waitsForChild(p.Waits)
		}
	}
	return inFront(t, pid)
}

// program names the program in the foreground.
func program(t probe.Terminal) string { return nameOf(front(t)) }

// front is the newest of the foreground group that waits for the terminal, as a
// pager does behind what formats for it, or where the host says that of none the
// newest. The zero process where the host does not say.
func front(t probe.Terminal) probe.Process {
	for _, p := range slices.Backward(t.Foreground) {
		if waitsForTerminal(p.Waits) {
			return p
		}
	}
	if len(t.Foreground) == 0 {
		return probe.Process{}
	}
	return t.Foreground[len(t.Foreground)-1]
}

func nameOf(p probe.Process) string {
	args := strings.Fields(p.Args)
	if len(args) == 0 {
		return "an unknown program"
	}
	return path.Base(strings.TrimPrefix(args[0], "-"))
}

// reader names the program that a line is for. In a pipe, cat | sh or
// sh | tee log, that is the one that runs it, wherever it stands: unless the
// host says that it only waits for a program of its own.
func reader(t probe.Terminal) string {
	if !t.Canonical {
		return program(t)
	}
	who := program(t)
	for _, p := range slices.Backward(t.Foreground) {
		name := nameOf(p)
		if waitsForChild(p.Waits) || starters[name] && len(t.Foreground) > 1 {
			continue
		}
		switch d := dialectOf(name); {
		case d == policy.Unknown:
			who = name
		case d != policy.Text:
			return name
		}
	}
	return who
}

// starters run another program and wait for it.
var starters = map[string]bool{
	"sudo": true, "su": true, "doas": true, "env": true, "nice": true, "ionice": true, "nohup": true, "timeout": true, "stdbuf": true, "time": true,
	"setsid": true, "unshare": true, "nsenter": true, "chroot": true, "systemd-run": true, "runuser": true, "pkexec": true,
}

// waitsForChild knows the kernel functions that a shell sleeps in while what
// it started runs.
func waitsForChild(wchan string) bool {
	return wchan == "do_wait" || wchan == "wait" || strings.Contains(wchan, "sigsuspend")
}
