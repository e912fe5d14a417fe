package console

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"sallyport/audit"
	"sallyport/console/gate"
	"sallyport/policy"
	"sallyport/redact"
)

// DefaultReloadGrace is how long the old policy serves when the new one does
// not load.
const DefaultReloadGrace = 15 * time.Minute

// policyEvery is how often the policy's files are looked at.
const policyEvery = 2 * time.Second

// Reload reads the policy's files again, whole. If they do not load, the set
// in force serves for the grace period and then everything is refused. Either
// way there is a record. Open questions and unspent clearances are void, since
// they are bound to the digest.
func (c *Console) Reload() error {
	cfg := c.cfg.Policy
	cfg.MinSerial = max(cfg.MinSerial, c.rules.Load().Serial())
	set, warnings, err := policy.Load(cfg)
	if err == nil {
		err = c.recordPolicy(set, warnings)
	}
	if err != nil {
		c.refusePolicy(err)
		return &PolicyError{err}
	}
	c.rules.Store(set)
	c.stale.Store(nil)
	c.notify()
	return nil
}

// refusePolicy starts the grace period, if it does not run yet.
func (c *Console) refusePolicy(err error) {
	grace := c.cfg.ReloadGrace
	if grace == 0 {
		grace = DefaultReloadGrace
	}
	c.stale.CompareAndSwap(nil, &stale{why: err, until: c.cfg.Now().Add(grace)})
	c.append(c.log.In("", audit.Target{}), c.policyRefused(err))
	c.warn(fmt.Sprintf("the new policy does not load, the old one serves for %v more: %v", grace, err))
}

func (c *Console) policyRefused(err error) audit.PolicyRefused[redact.Text] {
	ev := audit.PolicyRefused[redact.Text]{Reason: c.text(err.Error())}
	var f *policy.FileError
	if errors.As(err, &f) {
		ev.File, ev.Line, ev.Column = c.text(f.File), f.Line, f.Column
	}
	return ev
}

// stale is a policy whose files changed and do not load any more.
type stale struct {
	why   error
	until time.Time
}

// judge is the policy of this moment.
func (c *Console) judge() gate.Judge {
	if s := c.stale.Load(); s != nil && !c.cfg.Now().Before(s.until) {
		return noPolicy{s.why}
	}
	return c.rules.Load()
}

// noPolicy denies everything.
type noPolicy struct{ why error }

func (n noPolicy) Decide(r policy.Request) policy.Decision {
	return policy.Decision{
		Risk: policy.High, Effect: policy.Deny, Claimed: r.Claimed, Origin: r.Origin, Dialect: r.Dialect,
		Why: n.why.Error(), By: "policy.reload",
	}
}

func (noPolicy) Digest() [32]byte { return [32]byte{} }

// watchPolicy reloads whenever a policy file changes.
func (c *Console) watchPolicy(ctx context.Context) {
	tick := time.NewTicker(policyEvery)
	defer tick.Stop()
	seen := c.policyFiles()
	for {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		if now := c.policyFiles(); now != seen {
			seen = now
			c.Reload()
		}
	}
}

// policyFiles is a text that changes when a policy file does.
func (c *Console) policyFiles() string {
	p := c.cfg.Policy
	names := append([]string(nil), p.Files...)
	if !p.EmbeddedOnly {
		for _, dir := range []string{p.OrgDir, p.UserDir} {
			found, _ := filepath.Glob(filepath.Join(dir, "*"))
			names = append(names, found...)
		}
	}
	var seen []byte
	for _, n := range names {
		info, err := os.Stat(n)
		if err != nil {
			seen = fmt.Appendf(seen, "%s gone\n", n)
			continue
		}
		seen = fmt.Appendf(seen, "%s %d %d %v\n", n, info.Size(), info.ModTime().UnixNano(), info.Mode())
	}
	return string(seen)
}
