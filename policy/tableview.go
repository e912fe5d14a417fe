package policy

import (
	"strings"

	"sallyport/policy/command"
)

// What the joined tables say to those who ask.

// Interactive says whether program may own the screen, the words to start it
// with (for vi: vi -Z), and what happens with one that is not listed.
func (s *Set) Interactive(program string) (allowed bool, start []string, other Effect) {
	return s.tables.interactive.allows(program), s.tables.start[program].words, s.tables.other
}

// PromptsForSecret says whether one of facts is a program of [secrets]
// prompts: only then may what is typed without echo be a secret.
func (s *Set) PromptsForSecret(facts []Fact) bool {
	for i := range facts {
		if s.tables.secrets.allows(facts[i].Program) || facts[i].Program == "read" && silentRead(&facts[i]) {
			return true
		}
	}
	return false
}

func silentRead(f *Fact) bool {
	for _, a := range f.Args {
		if strings.HasPrefix(a.Text, "-") && !strings.HasPrefix(a.Text, "--") && strings.Contains(a.Text, "s") {
			return true
		}
	}
	return false
}

// Channel judges a channel: kind is local_forward, remote_forward,
// agent_forward, x11, subsystem or env; detail its address or name. All are
// denied unless a file allows them.
func (s *Set) Channel(kind, detail string) Effect {
	allowed := false
	switch kind {
	case "agent_forward":
		allowed = allTrue(s.tables.agentForward)
	case "x11":
		allowed = allTrue(s.tables.x11)
	case "subsystems":
		allowed = s.tables.channels["subsystem"].allows(detail)
	default:
		a, ok := s.tables.channels[kind]
		allowed = ok && a.allows(detail)
	}
	if allowed {
		return Permit
	}
	return Deny
}

// File judges a remote file by its resolved path: op is read or write. The
// string says why.
func (s *Set) File(op, path string) (Effect, string) {
	p := cleanPath(path)
	if anyGlob(s.tables.deny, p) {
		return Deny, "the path is in [files] deny"
	}
	list := &s.tables.read
	if op != "read" {
		list = &s.tables.write
	}
	if !list.allows(p) {
		return Deny, "the path is not in [files] " + op
	}
	if op == "read" {
		return Permit, ""
	}
	return Confirm, "a file is written"
}

// FileLimit is the most bytes that op may move; 0 is no limit.
func (s *Set) FileLimit(op string) int64 {
	if op == "read" {
		return s.tables.maxRead
	}
	return s.tables.maxWrite
}

// EvidenceMinimum is shell, composed, screen or none: the strictest of all
// groups that any of the targets is in.
func (s *Set) EvidenceMinimum(targets []Target) string {
	level := 0
	for _, row := range s.tables.evidence {
		for i := range targets {
			if row.group.pattern.target(&targets[i]) {
				level = max(level, row.level)
			}
		}
	}
	return evidences[level]
}

// Session is the [session] table.
func (s *Set) Session() SessionTable { return s.tables.session }

// Recording is the [recording] table.
func (s *Set) Recording() RecordingTable { return s.tables.recording }

// CopilotSend says what of the targets' output a copilot may get: none, chat
// or tail.
func (s *Set) CopilotSend(targets []Target) string {
	for _, groups := range s.tables.copilotHosts {
		for i := range targets {
			if !inGroups(groups, &targets[i]) {
				return "none"
			}
		}
	}
	return sends[s.tables.copilotSend]
}

func inGroups(groups []hostGroup, t *Target) bool {
	for _, g := range groups {
		if g.pattern.target(t) {
			return true
		}
	}
	return false
}

// HostGroups are the [hosts] names that any of the targets belongs to.
func (s *Set) HostGroups(targets []Target) []string {
	var out []string
	for _, g := range s.tables.groups {
		for i := range targets {
			if g.pattern.target(&targets[i]) {
				out = append(out, g.name)
				break
			}
		}
	}
	return unique(out)
}

// UnknownKey is what happens at a host key that nobody knows: ask or refuse.
func (s *Set) UnknownKey() string { return unknownKeys[s.tables.unknownKey] }

// UserCode is what happens where the operator's own code is bound to keys:
// allow, ask or deny.
func (s *Set) UserCode() string { return userCodes[s.tables.userCode] }

// ClipboardWrite says whether the remote may set the operator's clipboard.
func (s *Set) ClipboardWrite() bool { return allTrue(s.tables.clipboard) }

// Presence is the [consent] presence: "" or "fido2".
func (s *Set) Presence() string { return s.tables.presence }

// AgentAllowed says whether an agent may use tool on all of the targets.
func (s *Set) AgentAllowed(tool string, targets []Target) bool {
	if !s.tables.agentTools.allows(tool) || len(s.tables.agentHosts) == 0 {
		return false
	}
	for _, groups := range s.tables.agentHosts {
		for i := range targets {
			if !inGroups(groups, &targets[i]) {
				return false
			}
		}
	}
	return true
}

// Limits are the caps in force.
func (s *Set) Limits() command.Limits { return s.limits }
