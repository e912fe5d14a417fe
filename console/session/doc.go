// Package session keeps the state of one remote shell and its journal of
// commands. It is the only reader of the shell's channel: it takes marks out
// of what the remote prints, splits the output there, and feeds the screen,
// the recording and the redactor with the rest. It turns keys into requests;
// package gate decides what leaves.
//
// # States
//
//	Boot → Prompt ⇄ Continuation;  Prompt/Continuation → Query → (Confirm) → Granted → Running (→ Field | Keys) → Prompt
//	any → Interrupt · silence → Waiting → Degraded · EOF → Dead
//
// One goroutine, started by Run, owns the state. Key, Paste, Send and the
// other methods put a request into its queue and return; View and Journal
// give copies.
package session
