// Package x11 gives X11 clients on a host the operator's display, as ssh does
// with ForwardX11. The host never sees the display's key (the MIT-MAGIC-COOKIE-1
// of Xsecurity(7)): it gets one made up for the connection. A client that shows
// that one gets the real one put in its place (X11 protocol, section 8); of any
// other client no byte reaches the display.
//
// After that what passes through is not looked at: a client that was let in can
// do all that a local one can.
package x11
