// Package daemon keeps the log of a machine in a process and under a user of
// its own, so that the operator who is recorded cannot change the record.
// Consoles reach it over a unix socket ([audit.Dial] is their end) and get an
// acknowledgement when their records are on disk; all that wait share a sync.
//
// Who speaks is asked of the kernel, never taken from the message: uid and
// pid of the peer, and from /proc its start time, the digest of its
// executable, its login uid and audit session. What it says of itself (user,
// terminal, where it logged in from) is recorded with claimed: true.
//
// Messages are read strictly by event and redacted again. A session belongs
// to the connection that opened it, and after that has ended to its user; an
// outcome belongs to an intent of that session. The log's own events are
// refused, and so is a session that somebody else has. A console that goes
// away leaves an outcome "unobserved" for each intent it had no word on.
//
// One client harms no other: connections and bytes are bounded per uid, what
// comes too fast is read more slowly, a frame must come whole within a time,
// and garbage ends the connection.
//
// What it cannot do: an operator who can run other programs under their own
// user can connect too, and add records in their own name. They cannot change
// or remove any.
package daemon
