package main

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"sallyport/console/runbook/linus"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"sallyport": main,
		"linus": func() {
			os.Exit(linus.Main(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
		},
	})
}

// TestScript runs the product as its users do: one script a guarantee.
//
// Beside testscript's own commands there are:
//
//	host [SHELL]      starts a real sshd on loopback for this script; sets $HOST (an alias in the ssh
//	                  configuration $SSH_CONFIG) and $HOSTHOME, the folder it starts in
//	console ARGS      starts sallyport ARGS on a terminal of $COLUMNS x $LINES
//	tmux ARGS         the same inside a real tmux
//	keys NAME…        presses keys: a name of package keys, or 'text' in quotes
//	expect RE         waits until the terminal shows RE
//	settle            waits until the terminal has been the same for half a second
//	screen FILE       writes what the terminal shows to FILE, for cmp; what differs from run to run is 0 or x
//	gone [CODE]       waits for the end of the console and compares its exit code
//	cut, thaw         breaks the network to the host, and makes it whole again
func TestScript(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup:               setUpScript,
		UpdateScripts:       os.Getenv("UPDATE_SCRIPTS") != "",
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"host":    cmdHost,
			"console": cmdConsole,
			"tmux":    cmdTmux,
			"keys":    cmdKeys,
			"expect":  cmdExpect,
			"settle":  cmdSettle,
			"screen":  cmdScreen,
			"gone":    cmdGone,
			"cut":     cmdCut,
			"resize":  cmdResize,
		},
	})
}

func setUpScript(e *testscript.Env) error {
	home := filepath.Join(e.WorkDir, "home")
	if err := os.MkdirAll(home, 0o700); err != nil {
		return err
	}
	verdicts, err := filepath.Abs("../../audit/verify/testdata/verdicts")
	if err != nil {
		return err
	}
	for k, v := range map[string]string{
		"VERDICTS":        verdicts, // a log for each verdict
		"HOME":            home,
		"XDG_CONFIG_HOME": filepath.Join(home, ".config"),
		"XDG_STATE_HOME":  filepath.Join(home, ".local/state"),
		"TERM":            "xterm-256color",
		"COLORTERM":       "truecolor",
		"LANG":            "C.UTF-8",
		"COLUMNS":         "120",
		"LINES":           "36",
		"SSH_AUTH_SOCK":   "",
	} {
		e.Setenv(k, v)
	}
	e.Values[scriptKey{}] = &scriptState{t: e.T().(testing.TB)}
	return nil
}

// scriptState is what a script has running.
type scriptState struct {
	t       testing.TB
	host    *scriptHost
	console display
}

type scriptKey struct{}

func stateOf(ts *testscript.TestScript) *scriptState {
	return ts.Value(scriptKey{}).(*scriptState)
}
