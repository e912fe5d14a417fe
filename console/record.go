package console

import (
	"context"
	"errors"
	"time"

	"sallyport/audit"
	"sallyport/console/remote"
	"sallyport/policy"
	"sallyport/redact"
)

func (c *Console) text(s string) redact.Text {
	t, _ := c.redactor.Text(s)
	return t
}

// recordPolicy says which policy judges from here on.
func (c *Console) recordPolicy(s *policy.Set, warnings []policy.Warning) error {
	id := s.Identity()
	ev := audit.PolicyLoaded[redact.Text]{
		Policy: audit.Policy[redact.Text]{ID: c.text(id.ID), Version: c.text(id.Version), Digest: s.Digest()},
		Owner:  c.text(id.Owner),
		Rules:  s.Rules(),
	}
	for _, f := range s.Files() {
		ev.Files = append(ev.Files, audit.File[redact.Text]{Path: c.text(f.Name), Digest: f.Digest})
	}
	for _, w := range warnings {
		ev.Warnings = append(ev.Warnings, c.text(w.String()))
		c.warn(w.String())
	}
	_, err := c.log.Append(context.Background(), ev)
	return err
}

// target is where a session goes, for the record.
func (c *Console) target(t policy.Target) audit.Target {
	return audit.Target{
		Host:        c.text(t.Asked),
		Address:     audit.Address(t.Address),
		Port:        t.Port,
		Account:     c.text(t.Account),
		Fingerprint: audit.Fingerprint(t.Fingerprint),
	}
}

// recordFailure says why a connection did not come about or was lost.
func (c *Console) recordFailure(scope *audit.Scope, err error) {
	var e *remote.Error
	if errors.As(err, &e) && e.Class == remote.ClassAuth {
		c.append(scope, audit.SessionAuthFailed[redact.Text]{Reason: c.text(err.Error())})
		return
	}
	ev := audit.SessionError[redact.Text]{Reason: c.text(err.Error())}
	if e != nil {
		ev.Step = c.text(e.Step)
	}
	c.append(scope, ev)
}

// append records what has happened already: a failure is shown by Log, and the
// log refuses new sends by itself.
func (c *Console) append(scope *audit.Scope, ev audit.Event) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	if _, err := scope.Append(ctx, ev); err != nil {
		c.warn("outcome record lost: " + err.Error())
	}
	c.notify()
}
