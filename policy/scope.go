package policy

import (
	"fmt"
	"net/netip"
	"strings"
	"time"
	_ "time/tzdata" // zones come with the program: the host may have none
)

// A scope says for whom and where a rule holds. The zero value is everywhere.
type scope struct {
	hosts    []hostGroup
	accounts []glob
	users    []glob
	origins  []Origin
}

// A hostGroup is one entry of [hosts], or a pattern written in a scope.
type hostGroup struct {
	name    string
	pattern *networkPattern
}

func (c *compiler) scope(key string, hosts, accounts, users, origins []string) (scope, error) {
	var s scope
	for _, h := range hosts {
		g, err := c.hostGroup(h)
		if err != nil {
			return s, c.src.fault(key, h, err.Error(), "name a group of this file's [hosts], or write a host pattern or CIDR")
		}
		s.hosts = append(s.hosts, g)
	}
	var err error
	if s.accounts, err = c.globs(key, accounts); err != nil {
		return s, err
	}
	if s.users, err = c.globs(key, users); err != nil {
		return s, err
	}
	for _, o := range origins {
		origin, err := ParseOrigin(o)
		if err != nil {
			return s, c.src.fault(key, o, err.Error(), "write one of these")
		}
		s.origins = append(s.origins, origin)
	}
	return s, nil
}

func (c *compiler) hostGroup(name string) (hostGroup, error) {
	v, ok := c.file.Hosts[name]
	if !ok {
		if !strings.ContainsAny(name, ".*:/[") {
			return hostGroup{}, fmt.Errorf("no group %q in [hosts]", name)
		}
		p, err := hostPatterns([]string{name})
		return hostGroup{name: name, pattern: p}, err
	}
	list, err := stringList(v)
	if err != nil {
		return hostGroup{}, fmt.Errorf("[hosts] %s: %w", name, err)
	}
	p, err := hostPatterns(list)
	return hostGroup{name: name, pattern: p}, err
}

func stringList(v any) ([]string, error) {
	list, ok := v.([]any)
	if !ok {
		return nil, fmt.Errorf("not a list of strings")
	}
	var out []string
	for _, x := range list {
		s, ok := x.(string)
		if !ok {
			return nil, fmt.Errorf("not a list of strings")
		}
		out = append(out, s)
	}
	return out, nil
}

// holds reports whether the rule is for this request.
func (s *scope) holds(r *Request) bool {
	if len(s.origins) > 0 && !hasOrigin(s.origins, r.Origin) {
		return false
	}
	if len(s.users) > 0 && r.User != "" && !anyGlob(s.users, r.User) {
		return false
	}
	if len(s.accounts) > 0 && !s.accountHolds(r.Targets) {
		return false
	}
	return len(s.hosts) == 0 || s.hostHolds(r.Targets)
}

func hasOrigin(list []Origin, o Origin) bool {
	for _, x := range list {
		if x == o {
			return true
		}
	}
	return false
}

func anyGlob(globs []glob, s string) bool {
	for i := range globs {
		if globs[i].match(s) {
			return true
		}
	}
	return false
}

// accountHolds: any frame of the stack; an account that nobody knows counts
// as each.
func (s *scope) accountHolds(targets []Target) bool {
	for i := range targets {
		if targets[i].Account == "" || anyGlob(s.accounts, targets[i].Account) {
			return true
		}
	}
	return false
}

func (s *scope) hostHolds(targets []Target) bool {
	for i := range targets {
		for _, g := range s.hosts {
			if g.pattern.target(&targets[i]) {
				return true
			}
		}
	}
	return false
}

// target reports whether any name of a target matches. Behind a jump host
// the address is not known: then every CIDR matches.
func (p *networkPattern) target(t *Target) bool {
	for _, name := range []string{t.Asked, t.HostName, t.Address, t.Fingerprint, t.Inventory, t.Container} {
		if name == "" {
			continue
		}
		for i := range p.hosts {
			if p.hosts[i].match(name) || p.hosts[i].match(strings.ToLower(name)) {
				return true
			}
		}
	}
	if len(p.prefix) == 0 {
		return false
	}
	addr, err := netip.ParseAddr(t.Address)
	if err != nil {
		return t.Address == ""
	}
	for _, pre := range p.prefix {
		if pre.Contains(addr.Unmap()) {
			return true
		}
	}
	return false
}

// A window is a weekly span of time in one zone.
type window struct {
	zone    *time.Location
	days    [7]bool // by time.Weekday
	from    int     // minutes of the day
	to      int
	outside bool
}

func parseWindow(zone, inside, outside string) (*window, error) {
	if zone == "" && inside == "" && outside == "" {
		return nil, nil
	}
	if (inside == "") == (outside == "") {
		return nil, fmt.Errorf("a window has either inside or outside")
	}
	w := &window{outside: outside != ""}
	if zone == "" {
		zone = "UTC"
	}
	loc, err := time.LoadLocation(zone)
	if err != nil {
		return nil, fmt.Errorf("unknown time zone %q", zone)
	}
	w.zone = loc
	return w, w.parse(inside + outside)
}

// parse reads "Mon-Fri 08:00-18:00" or "Sat,Sun 00:00-24:00".
func (w *window) parse(s string) error {
	fields := strings.Fields(s)
	if len(fields) != 2 {
		return fmt.Errorf("window %q is not days and hours", s)
	}
	for _, part := range strings.Split(fields[0], ",") {
		from, to, ranged := strings.Cut(part, "-")
		if !ranged {
			to = from
		}
		a, okA := weekday(from)
		b, okB := weekday(to)
		if !okA || !okB {
			return fmt.Errorf("unknown day in %q", part)
		}
		for d := a; ; d = (d + 1) % 7 {
			w.days[d] = true
			if d == b {
				break
			}
		}
	}
	from, to, ok := strings.Cut(fields[1], "-")
	a, okA := minutes(from)
	b, okB := minutes(to)
	if !ok || !okA || !okB {
		return fmt.Errorf("hours %q are not like 08:00-18:00", fields[1])
	}
	w.from, w.to = a, b
	return nil
}

func weekday(s string) (int, bool) {
	for i, d := range []string{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"} {
		if strings.EqualFold(s, d) {
			return i, true
		}
	}
	return 0, false
}

func minutes(s string) (int, bool) {
	var h, m int
	if n, err := fmt.Sscanf(s, "%d:%d", &h, &m); n != 2 || err != nil || h < 0 || h > 24 || m < 0 || m > 59 {
		return 0, false
	}
	return h*60 + m, true
}

// holds reports whether the rule is in force at t. A time that nobody gave
// counts as each.
func (w *window) holds(t time.Time) bool {
	if w == nil || t.IsZero() {
		return true
	}
	return w.contains(t.In(w.zone)) != w.outside
}

// contains handles windows over midnight: the day is the one it began on.
func (w *window) contains(t time.Time) bool {
	now := t.Hour()*60 + t.Minute()
	day := int(t.Weekday())
	if w.from <= w.to {
		return w.days[day] && now >= w.from && now < w.to
	}
	return w.days[day] && now >= w.from || w.days[(day+6)%7] && now < w.to
}
