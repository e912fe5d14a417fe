package daemon

import (
	"bytes"
	"fmt"
	"os"
	"os/user"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"sallyport/audit"
	"sallyport/redact"
)

type cred = unix.Ucred

// actorOf puts what the kernel says of a peer before what it claims.
func (s *Server) actorOf(p *cred, claimed audit.Actor) audit.Actor {
	a := audit.Actor{
		User: userName(p.Uid), UID: int(p.Uid), PID: int(p.Pid),
		From: claimed.From, SudoUser: claimed.SudoUser, TTY: claimed.TTY, Claimed: true,
	}
	proc := fmt.Sprintf("/proc/%d/", p.Pid)
	a.LoginUID, a.AuditSession = id(proc+"loginuid"), id(proc+"sessionid")
	a.Started = started(proc + "stat")
	a.Executable = s.programs.digest(p.Uid, proc+"exe")
	return a
}

func userName(uid uint32) redact.Text {
	name := strconv.Itoa(int(uid))
	if u, err := user.LookupId(name); err == nil {
		name = u.Username
	}
	t, err := redact.ID(name)
	if err != nil {
		return redact.Literal("unknown")
	}
	return t
}

// id reads a number of /proc; 4294967295 stands for none.
func id(path string) *int {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	n, err := strconv.ParseUint(strings.TrimSpace(string(b)), 10, 32)
	if err != nil || n == 1<<32-1 {
		return nil
	}
	v := int(n)
	return &v
}

// ticks is USER_HZ, which is 100 on every Linux that Go runs on.
const ticks = 100

// started reads a process's start (proc_pid_stat(5), field 22, ticks since
// boot).
func started(path string) time.Time {
	b, err := os.ReadFile(path)
	if err != nil {
		return time.Time{}
	}
	fields := strings.Fields(string(b[bytes.LastIndexByte(b, ')')+1:]))
	if len(fields) < 20 {
		return time.Time{}
	}
	n, err := strconv.ParseInt(fields[19], 10, 64)
	var boot unix.Timespec
	if err != nil || unix.ClockGettime(unix.CLOCK_BOOTTIME, &boot) != nil {
		return time.Time{}
	}
	up := time.Duration(boot.Nano())
	return time.Now().Add(time.Duration(n)*time.Second/ticks - up).Truncate(time.Second)
}
