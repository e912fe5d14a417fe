package console

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"sallyport/audit"
	"sallyport/audit/ship"
	"sallyport/console/copilot"
	"sallyport/console/gate"
	"sallyport/console/remote"
	"sallyport/console/telemetry"
	"sallyport/policy"
	"sallyport/redact"
)

// Config says what a console works with. AuditDir, Asker and Prompter are
// needed.
type Config struct {
	AuditDir  string
	Audit     audit.Config     // limits and keys; Dir, Actor and Version are set by New
	Daemon    audit.DialConfig // Socket set: the daemon keeps the log, and AuditDir the recordings
	Ship      *ship.Config     // where the log is shipped to; nil: nowhere
	Telemetry telemetry.Config // what the console sends of itself; zero: nothing
	// BreakGlass lets the operator go on, for a reason, while the log cannot be
	// written and Ship's collector takes each record first.
	BreakGlass bool
	Policy     policy.Config
	Copilot    copilot.Config // zero: no copilot
	SSH        remote.Options
	Timeout    time.Duration    // of each step of a connection; 0: as package remote says
	Alive      remote.KeepAlive // likewise
	Devices    []string         // "sw-*=ios": which hosts are network devices of which kind
	ViKeys     bool             // lines composed on this side take vi's keys
	Scrollback int              // rows kept above each screen; 0: the screen's default

	Asker    gate.Asker
	Prompter func(hostID string) remote.Prompter

	Version     string
	ReloadGrace time.Duration    // DefaultReloadGrace if 0
	Now         func() time.Time // time.Now if nil
	Warn        func(string)     // hears what was put right; may be nil
}

// Console is one operator's console. It is safe for concurrent use.
type Console struct {
	cfg       Config
	log       *audit.Log
	redactor  *redact.Redactor
	rules     atomic.Pointer[policy.Set]
	shipper   *ship.Shipper         // nil: no collector
	telemetry *telemetry.Telemetry  // nil: off
	second    *ship.Shipper         // takes records under broken glass; nil: there is no breaking it
	stale     atomic.Pointer[stale] // the files in force do not load any more
	gate      gate.Gate
	copilot   *copilot.Client
	changed   atomic.Pointer[func()]

	suggested chan struct{} // Linus' state changed

	ctx  context.Context
	stop context.CancelFunc
	work sync.WaitGroup

	mu    sync.Mutex
	hosts []*Host
}

// PolicyError says that the policy does not load; nothing was started.
type PolicyError struct{ Err error }

// Error is the policy's own, with file and line.
func (e *PolicyError) Error() string { return e.Err.Error() }

// Unwrap gives the loader's error, which has file and line.
func (e *PolicyError) Unwrap() error { return e.Err }

// CopilotError says that the copilot's configuration is invalid; nothing was
// started.
type CopilotError struct{ Err error }

// Error says that it is the copilot's.
func (e *CopilotError) Error() string { return "copilot: " + e.Err.Error() }

// Unwrap gives the cause.
func (e *CopilotError) Unwrap() error { return e.Err }

// LogError says that the log cannot be opened; nothing was started.
type LogError struct {
	Dir string
	Err error
}

// Error names the folder.
func (e *LogError) Error() string {
	return fmt.Sprintf("the log in %s cannot be written: %v", e.Dir, e.Err)
}

// Unwrap gives the cause.
func (e *LogError) Unwrap() error { return e.Err }

// New makes a console that is ready to connect. The error is a *PolicyError or
// a *LogError.
func New(cfg Config) (_ *Console, err error) {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	self := introduce(cfg.Version)
	rules, warnings, err := policy.Load(cfg.Policy)
	if err != nil {
		return nil, &PolicyError{err}
	}
	c := &Console{cfg: cfg}
	c.rules.Store(rules)
	if err := c.auditors(); err != nil {
		return nil, &PolicyError{err}
	}
	c.gate.Now = cfg.Now
	c.startTelemetry()
	defer func() {
		if err != nil {
			c.stopTelemetry(context.Background())
		}
	}()
	if err := c.openLog(<-self); err != nil {
		return nil, &LogError{cfg.AuditDir, err}
	}
	if err := c.recordPolicy(rules, warnings); err != nil {
		return nil, &LogError{cfg.AuditDir, errors.Join(err, c.log.Close(context.Background()))}
	}
	c.ctx, c.stop = context.WithCancel(context.Background())
	if err := c.startCopilot(); err != nil {
		return nil, errors.Join(err, c.log.Close(context.Background()))
	}
	return c, nil
}

// openLog opens the log and makes the redactor that goes with its digest key.
func (c *Console) openLog(self self) error {
	a := c.cfg.Audit
	a.Dir = c.cfg.AuditDir
	a.Actor, a.Version, a.Host = self.actor, self.version, self.host
	a.Warn = c.warn
	a.Synced = c.telemetry.Synced
	a.Recipients = c.recipients()
	if err := c.secondSink(&a); err != nil {
		return err
	}
	log, err := c.logOf(a)
	if err != nil {
		return err
	}
	c.log = log
	c.redactor = redact.New(redact.Config{DigestKey: log.DigestKey(), Found: c.telemetry.Redacted})
	return nil
}

// logOf opens the log, or reaches the daemon that keeps it.
func (c *Console) logOf(a audit.Config) (*audit.Log, error) {
	if c.cfg.Daemon.Socket == "" {
		return audit.Open(a)
	}
	d := c.cfg.Daemon
	d.Actor = a.Actor
	return audit.Dial(context.Background(), d)
}

// HasCopilot tells whether a copilot is configured.
func (c *Console) HasCopilot() bool { return c.cfg.Copilot.Command != "" || c.cfg.Copilot.URL != "" }

func (c *Console) startCopilot() error {
	cfg := c.cfg.Copilot
	cfg.Redactor = c.redactor
	cfg.Recorder = c.log
	cfg.OnChange = c.copilotChanged
	client, err := copilot.New(cfg)
	if err != nil {
		return &CopilotError{err}
	}
	c.copilot = client
	c.suggested = make(chan struct{}, 1)
	c.work.Go(func() { c.copilot.Run(c.ctx) })
	c.work.Go(c.passSuggestions)
	c.work.Go(func() { c.watchPolicy(c.ctx) })
	c.startShipping()
	return nil
}

// copilotChanged is called by the client with its lock held.
func (c *Console) copilotChanged() {
	select {
	case c.suggested <- struct{}{}:
	default:
	}
	c.notify()
}

// passSuggestions tells each session what Linus suggested to it.
func (c *Console) passSuggestions() {
	for {
		select {
		case <-c.suggested:
		case <-c.ctx.Done():
			return
		}
		for _, h := range c.Hosts() {
			h.learn()
		}
	}
}

func (c *Console) warn(msg string) {
	if c.cfg.Warn != nil {
		c.cfg.Warn(msg)
	}
}

// OnChange sets who is told, from any goroutine and without blocking, that
// something which can be seen has changed.
func (c *Console) OnChange(f func()) {
	c.changed.Store(&f)
}

func (c *Console) notify() {
	if f := c.changed.Load(); f != nil {
		(*f)()
	}
}

// Log is the state of the log.
func (c *Console) Log() audit.Status { return c.log.Status() }

// Rules are the policy in force.
func (c *Console) Rules() *policy.Set { return c.rules.Load() }

// Hosts are the connections in the order in which they were opened.
func (c *Console) Hosts() []*Host {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]*Host(nil), c.hosts...)
}

func (c *Console) forget(h *Host) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, o := range c.hosts {
		if o == h {
			c.hosts = append(c.hosts[:i:i], c.hosts[i+1:]...)
			return
		}
	}
}

// Close ends every session, the copilot and the log, and waits for them.
func (c *Console) Close(ctx context.Context) error {
	for _, h := range c.Hosts() {
		h.end()
	}
	c.stop()
	c.work.Wait()
	err := c.log.Close(ctx)
	if c.second != nil {
		c.second.Close()
	}
	c.shipRest(ctx)
	c.stopTelemetry(ctx)
	return err
}
