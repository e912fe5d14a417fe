package session

import (
	"slices"
	"time"
)

// markTime is how long a shell that exec changed may stand at its line editor
// before its mark counts as lost: it is another one (exec bash --norc), or does
// not say what it said (exec 2>/dev/null).
const markTime = 3 * time.Second

// unmarked asks a shell that waits at the terminal, and whose mark was lost, for
// its line, as after a ^C: an answer proves the prompt. Where none comes the
// operator chooses. A shell that reads a key without exec, as read -k does, is
// not asked: it would take the query for the key.
func (l *loop) unmarked() bool {
	exec := func(c policyFact) bool { return c.Program == "exec" }
	switch {
	case l.active == nil || !slices.ContainsFunc(l.active.facts, exec):
		return false
	case !l.top().integrated() || l.cfg.Clock().Sub(l.sightSince) < markTime:
		return false
	}
	l.interrupted()
	return true
}
