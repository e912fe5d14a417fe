// Package demo is a throwaway SSH server on loopback: it gives the invoking
// user's own shell in a home of its own. `sallyport demo` and tests use it.
//
// Host key and client key are made for the one server and die with it; the
// client key is the only way in. The server listens on 127.0.0.1 alone and
// takes session channels alone: PTY, window-change, shell, exec, signal and
// the variables LANG and LC_*. Subsystems, forwarding, agents, X11 and
// everything else are refused.
//
// The shell runs as the invoking user, with the rights of that user: only its
// home is another. This is a server for a person's own machine and for tests,
// not for the network.
package demo
