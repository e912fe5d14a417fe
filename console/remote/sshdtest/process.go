package sshdtest

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// process is a process as it was seen: a pid alone may mean another later.
type process struct {
	pid     int
	parent  int
	started string
	dead    bool // nobody has waited for it yet
}

// descendants lists the processes below pid. Where there is no /proc it lists
// none: sessions end with their connections anyway.
func descendants(pid int) []process {
	all := processes()
	var out []process
	below := map[int]bool{pid: true}
	for grew := true; grew; {
		grew = false
		for _, p := range all {
			if below[p.parent] && !below[p.pid] {
				below[p.pid], grew = true, true
				out = append(out, p)
			}
		}
	}
	return out
}

// inside lists the processes that have dir in their environment: what a session
// left behind that ended before its server, such as a shell that writes its
// history yet.
func inside(dir string) []process {
	var out []process
	for _, p := range processes() {
		env, err := os.ReadFile("/proc/" + strconv.Itoa(p.pid) + "/environ")
		if err == nil && p.pid != os.Getpid() && strings.Contains(string(env), dir+"/") {
			out = append(out, p)
		}
	}
	return out
}

func processes() []process {
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	var out []process
	for _, path := range stats {
		if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(path))); err == nil {
			if p, ok := readProcess(pid); ok {
				out = append(out, p)
			}
		}
	}
	return out
}

// readProcess reads proc_pid_stat(5): after the name in parentheses come the
// state, the parent and, as the twentieth field, the start time.
func readProcess(pid int) (process, bool) {
	b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return process{}, false
	}
	s := string(b)
	f := strings.Fields(s[strings.LastIndexByte(s, ')')+1:])
	if len(f) < 20 {
		return process{}, false
	}
	parent, err := strconv.Atoi(f[1])
	return process{pid, parent, f[19], f[0] == "Z"}, err == nil
}

// kill ends p if it is still the process that was seen.
func (p process) kill() {
	if now, ok := readProcess(p.pid); ok && now.started == p.started {
		_ = syscall.Kill(p.pid, syscall.SIGKILL)
	}
}

// awaitEnd waits until p can write nothing more.
func (p process) awaitEnd() {
	for deadline := time.Now().Add(5 * time.Second); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		if now, ok := readProcess(p.pid); !ok || now.dead || now.started != p.started {
			return
		}
	}
}
