package console

import (
	"context"
	"errors"
	"net"
	"time"

	"golang.org/x/crypto/ssh"

	"sallyport/console/gate"
	"sallyport/console/remote"
	"sallyport/console/socks"
)

// listenHere listens for programs on this machine, which are connected from the
// host to where the configuration says, or where each of them says.
func (f *forwarder) listenHere(w remote.Want) {
	if _, _, err := f.cleared(use{w, listed(w), asked, false, asItIs{}}); err != nil {
		return
	}
	l, err := net.Listen("tcp", w.Listen)
	if err != nil {
		f.c.warn("not forwarded: " + err.Error())
		return
	}
	context.AfterFunc(f.ctx, func() { _ = l.Close() })
	f.start(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			f.connected(conn, w)
		}
	})
}

// connected serves one connection, if there is a place for it.
func (f *forwarder) connected(conn net.Conn, w remote.Want) {
	select {
	case f.free <- struct{}{}:
	default:
		_ = conn.Close()
		return
	}
	begun := f.start(func() {
		defer func() { <-f.free }()
		defer conn.Close()
		defer context.AfterFunc(f.ctx, func() { _ = conn.Close() })()
		f.goThere(conn, w)
	})
	if !begun {
		_ = conn.Close()
	}
}

// goThere connects a program by way of the host. A SOCKS client hears how that
// went when it is known.
func (f *forwarder) goThere(conn net.Conn, w remote.Want) {
	to, answer := w.Detail, func(error) {}
	if to == "" {
		var err error
		_ = conn.SetDeadline(time.Now().Add(forwardTime))
		if to, err = socks.ReadRequest(conn); err != nil {
			return
		}
		_ = conn.SetDeadline(time.Time{})
		answer = func(err error) { _, _ = conn.Write(socksReply(err).Bytes()) }
	}
	slot, cleared, err := f.cleared(use{w, to, used, false, asItIs{}})
	if err != nil {
		answer(err)
		return
	}
	err = f.a.conn.Forward(f.ctx, slot, cleared, conn, answer)
	if err != nil && f.ctx.Err() == nil {
		f.c.warn("forward to " + to + ": " + err.Error())
	}
}

// socksReply says that the connection is made, or why it is not: the rules, here
// or the host's, or whoever was to be reached.
func socksReply(err error) socks.Reply {
	var ref *gate.Refusal
	var open *ssh.OpenChannelError
	switch {
	case err == nil:
		return socks.Succeeded
	case errors.As(err, &ref), errors.As(err, &open) && open.Reason == ssh.Prohibited:
		return socks.NotAllowed
	case errors.As(err, &open) && open.Reason == ssh.ConnectionFailed:
		return socks.Refused
	}
	return socks.Failed
}
