package gate

import (
	"encoding/binary"
	"regexp"
	"strings"
	"unicode/utf8"

	"sallyport/console/shellmarks"
)

// Control is one of a closed set of things that leave without being judged,
// because nothing in them was written by a person, a machine or a remote. The
// functions below are its only makers.
type Control struct {
	kind Kind
	p    []byte
}

// constant has no name outside: only untyped constants convert to it.
type constant string

// BootWith is a bootstrap text; shellmarks holds all there are.
func BootWith(s shellmarks.Script) Control { return Control{Boot, []byte(s.Text())} }

// BootKeys hands a frame's secrets to the installed hook, which reads them
// with echo off.
func BootKeys(k shellmarks.Keys) Control { return Control{Boot, k.Line()} }

// PlainShell is the boot of a channel that gets the account's own shell and
// no script.
func PlainShell() Control { return Control{Boot, []byte{}} }

// QueryKey makes an integrated shell report its buffer.
func QueryKey(s shellmarks.Shell) Control { return Control{Ask, s.Query()} }

// Deny answers a shell that blocks on a question that was refused.
func Deny(v shellmarks.Verdict) Control { return Control{Ask, v.Deny()} }

// The signals that always pass.
const (
	SignalEOF       byte = 0x04
	SignalInterrupt byte = 0x03
	SignalQuit      byte = 0x1c
	SignalStop      byte = 0x1a
	SignalEscape    byte = 0x1e // of a network device; never at an integrated shell
)

// Press is a signal key; any other byte gives a Control that is refused.
func Press(b byte) Control {
	switch b {
	case SignalEOF, SignalInterrupt, SignalQuit, SignalStop, SignalEscape:
		return Control{Signal, []byte{b}}
	}
	return Control{}
}

// Window is a new size, as two big-endian 32-bit numbers: columns, rows.
func Window(cols, rows int) Control {
	p := binary.BigEndian.AppendUint32(nil, uint32(cols))
	return Control{Resize, binary.BigEndian.AppendUint32(p, uint32(rows))}
}

// ProbeWith is a constant command for a side channel.
func ProbeWith(command constant) Control { return Control{Probe, []byte(command)} }

// ProbeData is what a probe's command reads on its standard input. It never
// meets a shell: fields are separated by NUL, so none may hold one.
func ProbeData(fields ...string) Control {
	var p []byte
	for _, f := range fields {
		p = append(p, f...)
		p = append(p, 0)
	}
	return Control{Probe, p}
}

// Insert puts pasted text into the buffer of an integrated shell. The text
// travels escaped, so that nothing in it is a key; it is judged when the line
// is.
func Insert(s shellmarks.Shell, text string) Control {
	if !s.Integrated() || !utf8.ValidString(text) || strings.ContainsFunc(text, forbiddenControl) {
		return Control{}
	}
	return Control{Edit, shellmarks.Insert(s, text)}
}

// SetLine puts a text in place of what an integrated shell's buffer holds. It
// is judged when the line is.
func SetLine(s shellmarks.Shell, text string) Control {
	if !s.Integrated() || !utf8.ValidString(text) || strings.ContainsFunc(text, forbiddenControl) {
		return Control{}
	}
	return Control{Edit, shellmarks.SetLine(s, text)}
}

// ClearLine empties the buffer of an integrated shell, which reports it.
func ClearLine(s shellmarks.Shell) Control {
	if !s.Integrated() {
		return Control{}
	}
	return Control{Edit, shellmarks.ClearLine(s)}
}

// replyShape are the answers that the screen gives: status, cursor, device
// attributes, modes. None can hold text of the remote.
var replyShape = regexp.MustCompile(`^(\x1b\[(0n|\d{1,4};\d{1,4}R|\?62;22c|\??\d{1,4};[0-4]\$y)){1,32}$`)

// TerminalReply is the screen's answer to a query, in a fixed form.
func TerminalReply(p []byte) Control {
	if len(p) > 1024 || !replyShape.Match(p) {
		return Control{}
	}
	return Control{Reply, p}
}
