package main

import (
	"os"
	"path/filepath"

	"github.com/rogpeppe/go-internal/testscript"

	"sallyport/console/remote/sshdtest"
)

// scriptHost is the real sshd of a script.
type scriptHost struct{ *sshdtest.Server }

func cmdHost(ts *testscript.TestScript, _ bool, args []string) {
	s := stateOf(ts)
	shell := "bash"
	if len(args) > 0 {
		shell = args[0]
	}
	s.host = &scriptHost{sshdtest.Start(s.t, sshdtest.Options{Shell: shell, Files: scriptFiles(ts)})}
	ts.Setenv("SSH_CONFIG", s.host.SSHConfig)
	ts.Setenv("HOST", s.host.Addr)
	ts.Setenv("HOSTHOME", s.host.Home)
}

// scriptFiles are the files that the script put into its folder "host".
func scriptFiles(ts *testscript.TestScript) map[string]string {
	files := map[string]string{}
	names, _ := filepath.Glob(ts.MkAbs("host/*"))
	dotted, _ := filepath.Glob(ts.MkAbs("host/.[a-z]*"))
	for _, n := range append(names, dotted...) {
		b, err := os.ReadFile(n)
		ts.Check(err)
		files[filepath.Base(n)] = string(b)
	}
	return files
}

// cmdCut breaks the network to the host; with "!" it is made whole again.
func cmdCut(ts *testscript.TestScript, neg bool, _ []string) {
	h := stateOf(ts).host
	if h == nil {
		ts.Fatalf("no host: call host first")
	}
	if neg {
		h.Proxy.Thaw()
		return
	}
	h.Proxy.Cut()
}
