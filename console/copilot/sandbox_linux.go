package copilot

import (
	"fmt"
	"io"
	"os"
	"syscall"

	"github.com/landlock-lsm/go-landlock/landlock"
	"golang.org/x/sys/unix"
)

// Access rights of Landlock, as linux/landlock.h numbers them.
const (
	mayExecute  = 1 << 0
	mayReadFile = 1 << 2
	mayReadDir  = 1 << 3
)

// ExecConfined turns this process into argv, confined by Landlock to its binary,
// libraries, the files that argv or read names, and the TCP ports of the URLs that
// argv names. It returns only if that fails. A kernel without Landlock confines
// nothing; that is said on errs.
//
// Landlock does not see UDP before its tenth version, nor Multipath TCP: a hostile
// program can still send to the network that way.
func ExecConfined(argv, read []string, errs io.Writer) error {
	path, c, err := confine(argv, read)
	if err != nil {
		return fmt.Errorf("cannot start the copilot: %w", err)
	}
	if !landlocked() {
		fmt.Fprintln(errs, "sallyport: this kernel has no Landlock: the copilot is not confined")
	}
	if err := c.enforce(); err != nil {
		return fmt.Errorf("cannot confine the copilot: %w", err)
	}
	if err := syscall.Exec(path, argv, os.Environ()); err != nil {
		return fmt.Errorf("cannot start the copilot: %w", err)
	}
	return nil
}

func (c confinement) enforce() error {
	runFiles, runDirs := split(c.run)
	readFiles, readDirs := split(c.read)
	rules := []landlock.Rule{
		landlock.PathAccess(mayExecute|mayReadFile, runFiles...),
		landlock.PathAccess(mayExecute|mayReadFile|mayReadDir, runDirs...),
		landlock.PathAccess(mayReadFile, readFiles...),
		landlock.PathAccess(mayReadFile|mayReadDir, readDirs...),
		landlock.RWFiles("/dev/null"),
	}
	for _, port := range c.connect {
		rules = append(rules, landlock.ConnectTCP(port))
	}
	if c.resolve {
		rules = append(rules, landlock.ConnectTCP(dns), landlock.ConnectSendUDP(dns), landlock.BindUDP(0))
	}
	return landlock.V11.BestEffort().Restrict(rules...)
}

const dns = 53

// split tells files from folders: a right to list is for folders only.
func split(paths []string) (files, dirs []string) {
	for _, p := range paths {
		if info, err := os.Stat(p); err == nil && info.IsDir() {
			dirs = append(dirs, p)
		} else {
			files = append(files, p)
		}
	}
	return files, dirs
}

// landlocked asks the kernel for its version of Landlock.
func landlocked() bool {
	const askVersion = 1
	v, _, _ := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, askVersion)
	return int(v) > 0
}
