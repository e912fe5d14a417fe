// Package console is one operator with many sessions: it wires the policy, the
// log, the redactor, the copilot and the connections together. It has no user
// interface and no protocol of its own.
//
// # Order
//
// New loads the policy, opens the log and records which policy judges, in this
// order; nothing connects before all three worked. Open begins a connection and
// returns; the Host says how far it is. Close ends the sessions, the copilot and
// the log, each with its record.
//
// # What flows where
//
//	operator ─► Host.Session ─► gate ─► remote
//	remote ─► session ─► screen, journal ─► Host's watcher ─► copilot
//
// The watcher is the only way from a session to the copilot. It is given
// redact.Text and asks the policy, for every call, how much of this host's
// session may go out at all.
package console
