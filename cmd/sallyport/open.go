package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"sallyport/audit"
	"sallyport/audit/ship"
	"sallyport/console"
	"sallyport/console/config"
	"sallyport/console/copilot"
	"sallyport/console/gate"
	"sallyport/console/remote"
	"sallyport/console/tty"
	"sallyport/console/tui"
)

// openOptions are the flags of every command that connects.
type openOptions struct {
	ssh       remote.Options
	policies  []string
	embedded  bool
	auditDir  string
	copilot   string
	noCopilot bool
	ascii     bool
	leader    string
}

func (o *openOptions) register(c *cobra.Command) {
	f := c.Flags()
	f.IntVarP(&o.ssh.Port, "port", "p", 0, "`port` of the host")
	f.StringVarP(&o.ssh.User, "login", "l", "", "`account` on the host")
	f.StringArrayVarP(&o.ssh.Identities, "identity", "i", nil, "private key `file`")
	f.StringVarP(&o.ssh.Jump, "jump", "J", "", "reach the host through these, comma separated")
	f.StringVarP(&o.ssh.ConfigFile, "ssh-config", "F", "", "OpenSSH configuration `file`; none reads no configuration")
	f.StringArrayVarP(&o.ssh.Set, "option", "o", nil, "OpenSSH option, as `Name=value` (a subset)")
	f.StringArrayVar(&o.policies, "policy", nil, "one more policy `file`; it can only tighten")
	f.BoolVar(&o.embedded, "embedded-only", false, "leave out the machine's and your policy files (for tests)")
	f.StringVar(&o.auditDir, "audit-dir", "", "`folder` of the log")
	f.StringVar(&o.copilot, "copilot", "", "`command line` of the copilot")
	f.BoolVar(&o.noCopilot, "no-copilot", false, "no copilot")
}

func (o *openOptions) registerScreen(c *cobra.Command) {
	c.Flags().BoolVar(&o.ascii, "ascii", false, "draw without Unicode")
	c.Flags().StringVar(&o.leader, "leader", "", "`key` that begins the console's own keys (C-])")
}

// check refuses what could only fail later, when the screen is drawn.
func (o *openOptions) check() error {
	err := o.ssh.Check()
	if err == nil {
		return nil
	}
	var link *remote.Error
	hint := "sallyport --help"
	if errors.As(err, &link) && link.Hint != "" {
		hint = link.Hint
	}
	return failWith(exitUsage, err, hint)
}

// settings are the configuration in force, these flags included.
func (o *openOptions) settings(stderr io.Writer) (*config.Loaded, error) {
	var flags []config.Flag
	add := func(name, key, value string) {
		if value != "" {
			flags = append(flags, config.Flag{Name: name, Key: key, Value: value})
		}
	}
	add("--audit-dir", "audit.dir", o.auditDir)
	add("--copilot", "copilot.command", o.copilot)
	add("--leader", "tui.leader", o.leader)
	if o.noCopilot {
		add("--no-copilot", "copilot.off", strconv.FormatBool(true))
	}
	if o.ascii {
		add("--ascii", "tui.ascii", strconv.FormatBool(true))
	}
	return loadConfig(stderr, flags)
}

// console makes the console that these flags and the configuration describe.
func (o *openOptions) console(cfg *config.Loaded, stderr io.Writer, asker gate.Asker, prompter func(string) remote.Prompter) (*console.Console, error) {
	c := console.Config{
		AuditDir: auditDir(cfg),
		Policy:   policyConfig(o.policies, o.embedded),
		SSH:      o.ssh,
		Asker:    asker,
		Prompter: prompter,
		Version:  version(),
		Warn:     func(msg string) { warn(stderr, msg) },
	}
	if c.SSH.ConfigFile == "" {
		c.SSH.ConfigFile = cfg.SSH.Config
	}
	if err := logConfig(&c, cfg); err != nil {
		return nil, err
	}
	c.Daemon = audit.DialConfig{Socket: cfg.Audit.Socket, PeerUID: int(cfg.Audit.PeerUID)}
	c.Timeout, c.Devices, c.ViKeys = cfg.SSH.Timeout, cfg.SSH.Devices, cfg.SSH.ViKeys
	c.Scrollback = int(cfg.TUI.Scrollback)
	c.Alive = remote.KeepAlive{Interval: cfg.SSH.AliveInterval, Count: int(cfg.SSH.AliveCount)}
	if cfg.Policy.Require != "" {
		c.Policy.Require = []string{cfg.Policy.Require}
	}
	if c.Daemon.Socket == "" { // else the daemon ships, and may alone read its credentials
		c.Ship = collector(cfg, c.Warn)
	}
	c.Telemetry = telemetryConfig(cfg, c.Warn)
	c.ReloadGrace = cfg.Policy.ReloadGrace
	c.Copilot = copilotConfig(cfg)
	con, err := console.New(c)
	if err != nil {
		code, hint := explain(err)
		return nil, failWith(code, err, hint)
	}
	return con, nil
}

// logConfig is how the configuration wants the console's own log.
func logConfig(c *console.Config, cfg *config.Loaded) (err error) {
	c.Audit.MaxBytes, c.Audit.MaxAge = cfg.Audit.LogBytes, cfg.Audit.LogAge
	c.Audit.Recipients = cfg.Recording.Recipients
	c.BreakGlass = cfg.Audit.BreakGlass
	if c.Audit.HostKey, err = hostKeyFrom(cfg.Audit.HostKey); err != nil {
		return failWith(exitConfig, fmt.Errorf("audit.host_key: %w", err), "sallyport audit keygen makes a host key")
	}
	return nil
}

// collector is where the log is shipped to, or nil.
func collector(cfg *config.Loaded, warn func(string)) *ship.Config {
	c, err := (&collectorOptions{}).config(cfg, warn)
	if err != nil {
		if !errors.Is(err, ship.ErrNoEndpoint) {
			warn(err.Error())
		}
		return nil
	}
	return &c
}

func warn(w io.Writer, msg string) { io.WriteString(w, "sallyport: "+msg+"\n") }

// stateDir is where the console keeps what outlives a run.
func stateDir() string {
	if d := os.Getenv("XDG_STATE_HOME"); filepath.IsAbs(d) {
		return filepath.Join(d, "sallyport")
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return filepath.Join(os.TempDir(), "sallyport-"+strconv.Itoa(os.Getuid()))
	}
	return filepath.Join(home, ".local", "state", "sallyport")
}

// copilotConfig is which copilot is asked. Without a setting it is linus, if it
// is installed beside this program.
func copilotConfig(cfg *config.Loaded) copilot.Config {
	if cfg.Copilot.Off {
		return copilot.Config{}
	}
	c := copilot.Config{
		Command:   cfg.Copilot.Command,
		URL:       cfg.Copilot.URL,
		TokenFile: cfg.Copilot.TokenFile,
		Env:       cfg.Copilot.Env,
		PinFile:   filepath.Join(stateDir(), "copilot-tools.json"),
		Stderr:    filepath.Join(stateDir(), "copilot.log"),
		Sandbox:   sandbox(),
	}
	if c.Command == "" && c.URL == "" {
		c.Command = besideThis("linus")
	}
	if err := os.MkdirAll(stateDir(), 0o700); err != nil { // then it runs without a memory of its tools
		c.PinFile, c.Stderr = "", ""
	}
	return c
}

// sandbox are the words before a copilot's command that confine it.
func sandbox() []string {
	self, err := os.Executable()
	if err != nil {
		return nil
	}
	return []string{self, "__sandbox", "--"}
}

// besideThis is a command line for a program in this one's folder, or empty.
func besideThis(name string) string {
	self, err := os.Executable()
	if err != nil {
		return ""
	}
	path := filepath.Join(filepath.Dir(self), name)
	if info, err := os.Stat(path); err != nil || info.IsDir() {
		return ""
	}
	return quoteWords(path)
}

// runOpen shows the console on the operator's terminal until it is closed.
func runOpen(ctx context.Context, o openOptions, dests []string, stderr io.Writer) error {
	keepHeapSmall(heapRoomAtFirst)
	for _, d := range dests {
		if _, err := remote.ParseDest(d); err != nil {
			return failWith(exitUsage, err, "sallyport [user@]host[:port]")
		}
	}
	if err := o.check(); err != nil {
		return err
	}
	cfg, err := o.settings(stderr)
	if err != nil {
		return err
	}
	dialogs := tui.NewDialogs()
	held := &heldBack{to: stderr}
	defer held.hold()()
	open := func() (*console.Console, error) { return o.openAll(ctx, cfg, held, dialogs, dests) }
	return show(ctx, strings.Join(dests, "  "), open, dialogs, screenOptions(cfg))
}

// openAll makes the console and begins to connect to each destination.
func (o *openOptions) openAll(ctx context.Context, cfg *config.Loaded, held io.Writer, dialogs *tui.Dialogs, dests []string) (*console.Console, error) {
	con, err := o.console(cfg, held, dialogs, dialogs.Prompter)
	if err != nil {
		return nil, err
	}
	keepHeapSmall(heapRoom)
	for _, d := range dests {
		if _, err := con.Open(d); err != nil {
			return nil, errors.Join(err, con.Close(ctx))
		}
	}
	return con, nil
}

func screenOptions(cfg *config.Loaded) tui.Options {
	o := tui.Options{Leader: cfg.TUI.Leader, ASCII: drawsASCII(cfg), NoMouse: !cfg.TUI.Mouse}
	if cfg.TUI.Theme != "auto" {
		o.Theme = tui.Theme(cfg.TUI.Theme)
	}
	return o
}

// drawsASCII is as the configuration says, or else as the locale does.
func drawsASCII(cfg *config.Loaded) bool {
	if cfg.Origin("tui.ascii").File == "default" {
		return plainLocale(os.Getenv)
	}
	return cfg.TUI.ASCII
}

// plainLocale tells whether the environment says that the terminal knows ASCII
// alone. Where it says nothing, it may know more.
func plainLocale(getenv func(string) string) bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := getenv(name); v != "" {
			return v == "C" || v == "POSIX"
		}
	}
	return false
}

// show runs the screen, on which the console is opened, and then ends the
// console. Why there is none is said before what is wrong with the terminal.
func show(ctx context.Context, name string, open func() (*console.Console, error), dialogs *tui.Dialogs, o tui.Options) error {
	open = sync.OnceValues(open)
	err := tui.Run(ctx, tui.Deps{Name: name, Dialogs: dialogs, Options: o, Open: func() (tui.Console, error) {
		con, err := open()
		return newScreenConsole(con), err
	}})
	con, oerr := open()
	if oerr != nil {
		return oerr
	}
	switch {
	case errors.Is(err, tty.ErrNoTerminal):
		err = failWith(exitUsage, err, "sallyport run HOST -- COMMAND, which needs no terminal")
	case errors.Is(err, tty.ErrDumb):
		err = failWith(exitUsage, err, "TERM=xterm-256color, if it does draw one; sallyport run HOST -- COMMAND needs none")
	}
	if cerr := con.Close(context.WithoutCancel(ctx)); err == nil && cerr != nil {
		err = failWith(exitLog, cerr, "sallyport audit verify")
	}
	return err
}
