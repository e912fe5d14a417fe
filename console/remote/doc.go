// Package remote is the console's SSH client: it connects, authenticates,
// checks the host's key and carries the bytes of channels.
//
// # One way out
//
// Every byte that an operator, a suggestion or an agent causes to be sent on a
// channel is taken out of a gate.Cleared, which only package gate can make:
// the command of an exec request, what is written to a channel, a window size,
// an environment variable, where a forwarding goes to. wire.go is the only file
// that writes, beside agentforward.go, which answers a forwarded agent's
// requests; a test lists the exported functions and fails when one more can
// write.
//
// What this package sends by itself is the transport: the key exchange,
// authentication, keep-alive requests, the opening of session channels, the
// request for a PTY, end of file, and, for ProxyJump, direct-tcpip channels
// from a jump host to the next one. None of these carries text of anybody.
// What passes through a forwarding that was cleared is a program's, and is not
// looked at.
//
// # What is refused
//
// Nothing is forwarded by itself. What the configuration asks for is in
// Conn.Wants; each port, the agent and X11 need a clearance to be asked for,
// and another for each channel. Ports are listened at on loopback addresses
// alone. Any other channel that a server opens, and each global request that
// it makes, is rejected and told to Config.Refused. A forwarded agent lists
// its keys and signs; it can be changed by no host. Tunnels there are none.
//
// # Host keys
//
// Known-hosts files decide, as OpenSSH reads them: plain, hashed and wildcard
// names, [host]:port, @cert-authority, @revoked. The client asks the server for
// the key types that are on file. An unknown key is put to the operator with
// its fingerprint; another key than the one on file ends the connection, with
// file and line, and nobody is asked. StrictHostKeyChecking can make this
// stricter, never looser.
//
// # Configuration
//
// The operator's OpenSSH configuration is read by `ssh -G`, so that Host,
// Match, Include and tokens mean what they mean to ssh; where no ssh is
// installed a parser of our own is used that knows no Match. ProxyCommand,
// KnownHostsCommand, LocalCommand and PKCS#11 providers are never run.
//
// # Time
//
// Every step has a bound. While a person is asked something the bound does not
// run; while the network is waited for it does. A peer that stops answering is
// noticed by keep-alive and ends the connection with ErrDead.
//
// # What is not promised
//
// A secret that a person typed is overwritten after use where this package
// holds it; copies inside the SSH library and the runtime are not. Nothing
// here judges what is sent: that is the gate.
package remote
