// Package gate is the only way out: nothing leaves for a host without a
// Cleared, and only this package can make one.
//
// # Order of a decision
//
// Submit takes exact text and does, in this order and never another:
//
//  1. checks that no policy can relax: a redactor's placeholder in text that
//     a machine wrote, invalid UTF-8, control characters other than newline
//     and tab, a learned secret;
//  2. asks the policy;
//  3. asks the operator, if the effect wants it, one question a session at a
//     time;
//  4. asks the policy again, with the time of the answer: another digest or
//     another effect voids the consent;
//  5. appends the intent record and waits until it is durable;
//  6. returns a Cleared bound to this slot and its epoch.
//
// Any failure on the way is a Refusal that says who refused, why, and what to
// do; nothing has left then. A refusal by anything but a failing log is itself
// recorded.
//
// # What a Cleared is worth
//
// It is spent once, in the slot it was made for, and only in the epoch it was
// made in: Enter starts a new epoch whenever the prompt, the field or the
// program in front changes. A second wire step (the accept that follows an
// injected text) comes from Next, and only when the shell's own answer equals
// the judged text. At an integrated prompt no clearance holds a carriage
// return or a line feed, whatever made it.
//
// # What this package does not promise
//
// It judges that a program which owns the screen was started, not what is
// typed in it. It believes the state that a shell reports only as far as the
// policy treats it: an unknown state makes every reading count. It cannot
// know what a remote does with bytes that were sent.
package gate
