package sshdtest

import (
	"os"
	"os/exec"
	"os/signal"
	"syscall"
)

// startWithSignals starts cmd with SIGINT and SIGHUP at their defaults, also
// when this program was started with them ignored, as background jobs of
// scripts are: the shells of its sessions could not get them back.
func startWithSignals(cmd *exec.Cmd) error {
	var ignored []os.Signal
	for _, s := range []os.Signal{syscall.SIGINT, syscall.SIGHUP} {
		if signal.Ignored(s) {
			ignored = append(ignored, s)
		}
	}
	if len(ignored) > 0 {
		c := make(chan os.Signal, 1) // what the program takes, a child gets the default of
		signal.Notify(c, ignored...)
		defer signal.Stop(c)
	}
	return cmd.Start()
}
