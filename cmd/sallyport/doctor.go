package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"sallyport/audit"
	"sallyport/audit/ship"
	"sallyport/audit/verify"
	"sallyport/console/config"
	"sallyport/console/copilot"
	"sallyport/console/safetext"
	"sallyport/policy"
	"sallyport/redact"
)

func newDoctorCommand() *cobra.Command {
	var o openOptions
	c := &cobra.Command{
		Use:   "doctor",
		Short: "try everything once and say what is wrong",
		Long: `doctor loads the configuration and the policy, writes a log and verifies it, reaches the collector and
the copilot if there are any, and looks at the terminal. It connects to no host. The exit code is 0
when nothing is wrong.`,
		Args: usage(cobra.NoArgs),
		RunE: func(c *cobra.Command, _ []string) error {
			return runDoctor(c.Context(), o, c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	o.register(c)
	return c
}

// finding is what one check says.
type finding struct {
	what, says, try string
	wrong           bool
}

func runDoctor(ctx context.Context, o openOptions, stdout, stderr io.Writer) error {
	cfg, err := o.settings(stderr)
	if err != nil {
		return triesConfig(ctx, o, stdout, err)
	}
	wrong := 0
	for _, try := range []func(context.Context, openOptions, *config.Loaded) finding{
		triesPolicy, triesLog, triesCollector, triesCopilot, triesTerminal,
	} {
		if f := try(ctx, o, cfg); f.print(stdout) {
			wrong++
		}
	}
	if wrong > 0 {
		return failWith(exitFailure, fmt.Errorf("%d of these are wrong", wrong), "")
	}
	return nil
}

// print prints the finding and tells whether something is wrong.
func (f finding) print(stdout io.Writer) bool {
	mark := "ok   "
	if f.wrong {
		mark = "WRONG"
	}
	fmt.Fprintf(stdout, "%s  %-10s %s\n", mark, f.what, safetext.Block(f.says))
	if f.try != "" {
		fmt.Fprintf(stdout, "                  try: %s\n", safetext.Block(f.try))
	}
	return f.wrong
}

// triesConfig says what is wrong with a configuration that does not load, and of
// the rest what does not depend on it.
func triesConfig(ctx context.Context, o openOptions, stdout io.Writer, err error) error {
	f := finding{what: "config", says: err.Error(), wrong: true}
	var e *exitError
	if errors.As(err, &e) {
		f.try = e.hint
	}
	wrong := 0
	for _, f := range []finding{f, triesPolicy(ctx, o, nil), triesTerminal(ctx, o, nil)} {
		if f.print(stdout) {
			wrong++
		}
	}
	return failWith(exitConfig, fmt.Errorf("%d of these are wrong; the log, the collector and the copilot were not tried", wrong), "")
}

func triesPolicy(_ context.Context, o openOptions, _ *config.Loaded) finding {
	set, warnings, err := policy.Load(policyConfig(o.policies, o.embedded))
	if err != nil {
		return finding{what: "policy", says: err.Error(), try: "sallyport policy check", wrong: true}
	}
	id := set.Identity()
	f := finding{what: "policy", says: fmt.Sprintf("%d rules of %d files load, digest %.12s", set.Rules(), len(set.Files()), id.Digest)}
	if len(warnings) > 0 {
		f.try = fmt.Sprintf("sallyport policy check, which has %d warnings", len(warnings))
	}
	return f
}

// triesLog writes a log where the console would, and verifies a copy of the
// same elsewhere: the real folder keeps no trace of the check but a closed log.
func triesLog(ctx context.Context, _ openOptions, cfg *config.Loaded) finding {
	if cfg.Audit.Socket != "" {
		return triesDaemon(ctx, cfg)
	}
	dir := auditDir(cfg)
	log, err := audit.Open(audit.Config{Dir: dir, Actor: currentActor(), Version: redact.Literal("doctor")})
	if err != nil {
		return finding{what: "log", says: fmt.Sprintf("%s cannot be written: %v", dir, err), try: "another folder with --audit-dir, or room on the disk", wrong: true}
	}
	path := log.Status().Path
	if err := log.Close(ctx); err != nil {
		return finding{what: "log", says: err.Error(), wrong: true}
	}
	results, err := verify.Dirs(verify.Options{}, path)
	if err != nil || len(results) == 0 || !results[0].Good() {
		return finding{what: "log", says: fmt.Sprintf("%s was written and does not verify: %v %v", path, results, err), wrong: true}
	}
	return finding{what: "log", says: fmt.Sprintf("%s takes records, keys sign, the log verifies: %s", dir, results[0].Word())}
}

func triesDaemon(ctx context.Context, cfg *config.Loaded) finding {
	log, err := audit.Dial(ctx, audit.DialConfig{Socket: cfg.Audit.Socket, PeerUID: int(cfg.Audit.PeerUID), Actor: currentActor()})
	if err != nil {
		return finding{what: "log", says: fmt.Sprintf("the daemon at %s: %v", cfg.Audit.Socket, err), try: "systemctl status sallyport-auditd", wrong: true}
	}
	defer log.Close(ctx)
	return finding{what: "log", says: "the daemon at " + cfg.Audit.Socket + " answers"}
}

const doctorWait = 5 * time.Second

func triesCollector(ctx context.Context, _ openOptions, cfg *config.Loaded) finding {
	c, err := (&collectorOptions{}).config(cfg, func(string) {})
	switch {
	case errors.Is(err, ship.ErrNoEndpoint):
		return finding{what: "collector", says: "none is configured ([collector] url, or OTEL_EXPORTER_OTLP_ENDPOINT)"}
	case cfg.Audit.Socket != "":
		return finding{what: "collector", says: "the daemon ships to it, with credentials of its own"}
	case err != nil:
		return finding{what: "collector", says: err.Error(), wrong: true}
	}
	c.Dir = auditDir(cfg)
	s, err := ship.New(c)
	if err != nil {
		return finding{what: "collector", says: err.Error(), wrong: true}
	}
	defer s.Close()
	ctx, cancel := context.WithTimeout(ctx, doctorWait)
	defer cancel()
	if err := s.Probe(ctx); err != nil {
		return finding{what: "collector", says: err.Error(), try: "sallyport audit ship --probe", wrong: true}
	}
	return finding{what: "collector", says: "took a diagnostics record"}
}

func triesCopilot(ctx context.Context, _ openOptions, cfg *config.Loaded) finding {
	c := copilotConfig(cfg)
	if c.Command == "" && c.URL == "" {
		return finding{what: "copilot", says: "none is configured ([copilot] command or url)"}
	}
	changed := make(chan struct{}, 1)
	c.OnChange = func() {
		select {
		case changed <- struct{}{}:
		default:
		}
	}
	client, err := copilot.New(c)
	if err != nil {
		return finding{what: "copilot", says: err.Error(), wrong: true}
	}
	ctx, cancel := context.WithTimeout(ctx, doctorWait)
	defer cancel()
	done := make(chan struct{})
	go func() { defer close(done); client.Run(ctx) }()
	defer func() { cancel(); <-done }()
	return awaitCopilot(ctx, client, changed)
}

func awaitCopilot(ctx context.Context, client *copilot.Client, changed <-chan struct{}) finding {
	s := client.Session(copilot.SessionConfig{ID: redact.Literal("doctor")})
	defer s.Close()
	for {
		st := s.State()
		if st.Online {
			return finding{what: "copilot", says: st.Server + " answers"}
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return finding{what: "copilot", says: fmt.Sprintf("no answer in %v: %s", doctorWait, st.Reason), try: "run its command by hand", wrong: true}
		}
	}
}

func triesTerminal(_ context.Context, _ openOptions, _ *config.Loaded) finding {
	cols, rows, err := term.GetSize(int(os.Stdout.Fd()))
	switch {
	case err != nil:
		return finding{what: "terminal", says: "standard output is none: the screen cannot be drawn, `sallyport run` works"}
	case cols < 60 || rows < 15:
		return finding{what: "terminal", says: fmt.Sprintf("%dx%d is small", cols, rows), try: "at least 80x24", wrong: true}
	case os.Getenv("TERM") == "" || os.Getenv("TERM") == "dumb":
		return finding{what: "terminal", says: "TERM=" + os.Getenv("TERM"), try: "TERM=xterm-256color", wrong: true}
	}
	return finding{what: "terminal", says: fmt.Sprintf("%dx%d, TERM=%s", cols, rows, os.Getenv("TERM"))}
}

// auditDir is where the console's log is.
func auditDir(cfg *config.Loaded) string {
	if cfg.Audit.Dir != "" {
		return cfg.Audit.Dir
	}
	return filepath.Join(stateDir(), "audit")
}
