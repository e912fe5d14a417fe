package shellmarks

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Verdict is an answer to the shell's report number Seq: the accept key that
// proves it comes from the console, and the secrets that hold from then on.
type Verdict struct {
	Shell    Shell
	Seq      string
	Blocking bool // the shell waits for the answer
	Now      Keys
	Next     Keys
}

func (v Verdict) token(word string, more ...string) []byte {
	t := word + ";" + v.Seq + ";" + v.Now.accept + ";" + v.Next.mark + ";" + v.Next.accept + ";"
	for _, m := range more {
		t += m + ";"
	}
	if v.Shell == Fish {
		t += "\x00"
	}
	if !v.Blocking {
		t = "\x18\x1ev" + t
	}
	return []byte(t)
}

// Deny tells a blocking shell that the line was refused; it stays editable.
func (v Verdict) Deny() []byte { return v.token("deny") }

// Accept is the wire of a line that the shell holds: one step.
type Accept struct{ Verdict }

// Step is the accept.
func (a Accept) Step(n int, _ string) []byte {
	if n != 0 {
		return nil
	}
	return a.token("allow")
}

// Nest is the wire of a line that starts a shell: the hook makes the line's
// first word run Line, once, which starts the same shell with the bootstrap
// inside. What the operator sees and the shell remembers is the judged line.
type Nest struct {
	Verdict
	Line string
}

// What expands to the loader in every hooked shell.
const (
	ForLoginShell = `"$__c_ldr"` // a text that any login shell evaluates
	ForSh         = `"$__c_ldx"` // a text for sh -c, which sudo does not change
)

// Step is the accept, with the line that runs in the judged one's place.
func (x Nest) Step(n int, _ string) []byte {
	if n != 0 {
		return nil
	}
	e := encode(x.Line)
	return x.token("frame", strconv.Itoa(len(e)), e)
}

// More is the wire of a line that is not a whole command yet: the shell reads
// on, and kills it if it turns out to be whole.
type More struct{ Verdict }

// Step is the permission to read on.
func (m More) Step(n int, _ string) []byte {
	if n != 0 {
		return nil
	}
	return m.token("more")
}

// Inject is the wire of a text that the shell does not hold yet: the first
// step puts it into the buffer, the second accepts it. The verdict is filled
// in when the shell has reported its buffer.
type Inject struct{ *Verdict }

// Step is the injection, then the accept.
func (i Inject) Step(n int, text string) []byte {
	switch {
	case n == 0:
		return put(i.Shell, 'i', text)
	case n == 1 && i.Seq != "":
		return i.token("allow")
	}
	return nil
}

// Insert puts text into the shell's buffer at the cursor. Nothing can come of
// it but an edited line.
func Insert(s Shell, text string) []byte { return put(s, 'p', text) }

// SetLine puts text in place of the shell's buffer; the shell reports it.
func SetLine(s Shell, text string) []byte { return put(s, 'i', text) }

// ClearLine empties the shell's buffer; the shell reports it as one with a text
// that the console put there, and there is none.
func ClearLine(s Shell) []byte { return put(s, 'i', "") }

// put is a private key, the length of the escaped text, and the text.
func put(s Shell, key byte, text string) []byte {
	e := encode(text)
	n := len(e)
	if s == Fish { // counts characters
		n = utf8.RuneCountInString(e)
	}
	p := []byte{0x18, QueryByte, key}
	p = append(p, strconv.Itoa(n)+";"+e+";"...)
	if s == Fish {
		p = append(p, 0)
	}
	return p
}

// Composed is the wire of a text composed here for a shell without editor
// hooks: the judged text, and a line feed.
type Composed struct{}

// Step is the text.
func (Composed) Step(n int, text string) []byte {
	if n != 0 || strings.Contains(text, "\r") {
		return nil
	}
	return []byte(text + "\n")
}
