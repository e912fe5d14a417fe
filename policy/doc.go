// Package policy decides what may be sent: given a command, who it comes from
// and where it goes, what is its risk and what must happen before it leaves.
package policy
