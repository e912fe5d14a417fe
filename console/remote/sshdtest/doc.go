// Package sshdtest gives tests a real OpenSSH server on loopback, with
// throwaway keys, a home of its own and any shell.
//
// sshd takes an account's shell and home from the passwd file, which a test
// must not touch. Here a ForceCommand stands in between: it sets SHELL and
// HOME, and then replaces itself by the shell, started as sshd would have
// started it: as a login shell, or with -c and the command that the client
// asked for. What the shell sees differs from an account with that shell in
// one thing: the variable _ is set. It works as root and as any other user,
// needs no PAM and no name service, and leaves nothing behind.
//
// Clients come through a proxy of the fixture, which can delay what passes,
// stop passing it as a dead network does, and cut connections.
//
// Where something that it needs is missing, a test is skipped, or fails if
// SALLYPORT_NO_SKIP is set.
package sshdtest
