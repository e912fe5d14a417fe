package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"sallyport/audit/seal"
	"sallyport/console"
	"sallyport/console/copilot"
	"sallyport/console/demo"
	"sallyport/console/gate"
	"sallyport/console/remote"
	"sallyport/console/tui"
)

type demoOptions struct {
	headless bool
	shell    string
	open     openOptions // of its flags those of the screen, the log and the policy
}

func newDemoCommand() *cobra.Command {
	var o demoOptions
	c := &cobra.Command{
		Use:   "demo",
		Short: "the console on a throwaway host with the built-in copilot",
		Long: `demo starts an SSH server on loopback that gives you your own shell in a temporary home, opens the
console on it, and runs the built-in copilot beside it. With --headless it plays one story through the
same code, prints each step, and verifies the log that the story left.`,
		Args: usage(cobra.NoArgs),
		RunE: func(c *cobra.Command, _ []string) error {
			return runDemo(c.Context(), o, c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	c.Flags().BoolVar(&o.headless, "headless", false, "play one story and print it; no terminal is needed")
	c.Flags().StringVar(&o.open.auditDir, "audit-dir", "", "keep the log in this `folder` (temporary otherwise)")
	c.Flags().StringArrayVar(&o.open.policies, "policy", nil, "one more policy `file`; it can only tighten")
	o.open.registerScreen(c)
	c.Flags().StringVar(&o.shell, "shell", "", "`path` of the shell that the throwaway host gives (yours otherwise)")
	return c
}

func runDemo(ctx context.Context, o demoOptions, out, stderr io.Writer) error {
	if o.headless {
		return playStory(ctx, o, out)
	}
	cfg, err := o.open.settings(stderr)
	if err != nil {
		return err
	}
	s, err := setStage(ctx, o)
	if err != nil {
		return err
	}
	defer s.close()
	dialogs := tui.NewDialogs()
	open := func() (*console.Console, error) {
		con, err := s.open(dialogs, dialogs.Prompter)
		if err != nil {
			return nil, err
		}
		if _, err := con.Open(s.dest()); err != nil {
			return nil, errors.Join(err, con.Close(context.WithoutCancel(ctx)))
		}
		return con, nil
	}
	err = show(ctx, demoHost, open, dialogs, screenOptions(cfg))
	fmt.Fprintf(out, "log: %s\n", s.auditDir)
	return err
}

// stage is what a demo needs around the console: a host, a copilot that can be
// watched, a place for the log.
type stage struct {
	server     *demo.Server
	dir        string // transcript and keys; removed at the end
	policies   []string
	auditDir   string
	hostKey    seal.HostKey
	transcript string // every byte that Linus received
	pidFile    string // of Linus
}

const demoHost = "demo-host"

func setStage(ctx context.Context, o demoOptions) (*stage, error) {
	dir, err := os.MkdirTemp("", "sallyport-demo-")
	if err != nil {
		return nil, err
	}
	s := &stage{dir: dir, auditDir: o.open.auditDir, policies: o.open.policies}
	s.transcript, s.pidFile = filepath.Join(dir, "linus.received"), filepath.Join(dir, "linus.pid")
	if s.auditDir == "" {
		if s.auditDir, err = os.MkdirTemp("", "sallyport-log-"); err != nil {
			return nil, errors.Join(err, os.RemoveAll(dir))
		}
	}
	if s.hostKey, err = seal.NewHostKey(demoHost); err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	if s.server, err = demo.Start(ctx, demo.Config{Shell: o.shell, Host: demoHost}); err != nil {
		err = fmt.Errorf("start the throwaway host: %w", err)
		if o.shell != "" {
			err = failWith(exitUsage, err, "sallyport demo, which takes your own shell")
		}
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	return s, nil
}

// close ends the host and removes everything but the log.
func (s *stage) close() {
	s.server.Close()
	os.RemoveAll(s.dir)
}

func (s *stage) dest() string { return s.server.User + "@" + demoHost }

// open makes a console that reaches the throwaway host under its own name.
func (s *stage) open(asker gate.Asker, prompter func(string) remote.Prompter) (*console.Console, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cfg := console.Config{
		AuditDir: s.auditDir,
		Policy:   policyConfig(s.policies, true),
		Copilot:  copilot.Config{Command: quoteWords(self, "__linus", "--pid-file", s.pidFile, "--", "--transcript", s.transcript)},
		SSH:      s.ssh(),
		Asker:    asker,
		Prompter: prompter,
		Version:  version(),
	}
	cfg.Audit.HostKey = s.hostKey
	con, err := console.New(cfg)
	if err != nil {
		code, hint := explain(err)
		return nil, failWith(code, err, hint)
	}
	return con, nil
}

func (s *stage) ssh() remote.Options {
	return remote.Options{
		ConfigFile: "none",
		Identities: []string{s.server.Identity},
		Port:       s.server.Port,
		Set: []string{
			"HostName=127.0.0.1",
			"UserKnownHostsFile=" + s.server.KnownHosts,
			"IdentitiesOnly=yes",
			"IdentityAgent=none",
		},
	}
}

// quoteWords joins words so that a shell-like splitter gives them back.
func quoteWords(words ...string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
	}
	return strings.Join(quoted, " ")
}
