package policy

import (
	"fmt"
	"time"
)

// An exception takes one rule away for the hosts whose key the organization
// itself vouches for. It expires.
type exception struct {
	rule    string
	hosts   []hostGroup
	users   []glob
	origins []Origin
	account []glob
	reason  string
	expires time.Time
	file    string
	line    int
}

// holds: only by inventory name, verified key, known user and a known time
// before the end. What is not known does not excuse.
func (e *exception) holds(r *Request) bool {
	if r.At.IsZero() || !r.At.Before(e.expires) || len(r.Targets) == 0 {
		return false
	}
	if len(e.users) > 0 && (r.User == "" || !anyGlob(e.users, r.User)) {
		return false
	}
	if len(e.origins) > 0 && !hasOrigin(e.origins, r.Origin) {
		return false
	}
	for i := range r.Targets {
		if !e.target(&r.Targets[i]) {
			return false
		}
	}
	return true
}

// target: every frame of the stack must be excused.
func (e *exception) target(t *Target) bool {
	if t.Inventory == "" || !t.Verified {
		return false
	}
	if len(e.account) > 0 && (t.Account == "" || !anyGlob(e.account, t.Account)) {
		return false
	}
	if len(e.hosts) == 0 {
		return true
	}
	named := Target{Inventory: t.Inventory, Address: "unknown"}
	for _, g := range e.hosts {
		if g.pattern.target(&named) {
			return true
		}
	}
	return false
}

func (c *compiler) exceptions(org bool) ([]exception, error) {
	var out []exception
	for i := range c.file.Exception {
		t := &c.file.Exception[i]
		key := fmt.Sprintf("exception[%d]", i)
		if !org {
			return nil, c.src.fault(key, "", "an exception outside the organization's folder", "move it to /etc/sallyport/policy.d, or take it out")
		}
		if t.Rule == "" || t.Reason == "" || t.Expires.IsZero() {
			return nil, c.src.fault(key, "", "an exception needs rule, reason and expires", `write rule = "id", reason = "CHG-4711", expires = 2026-12-31T00:00:00Z`)
		}
		s, err := c.scope(key+".scope", t.Scope.Hosts, t.Scope.Accounts, t.Scope.Users, t.Scope.Origins)
		if err != nil {
			return nil, err
		}
		out = append(out, exception{
			rule: t.Rule, hosts: s.hosts, users: s.users, origins: s.origins, account: s.accounts,
			reason: t.Reason, expires: t.Expires, file: c.src.name, line: c.src.line(key),
		})
	}
	return out, nil
}
