package shellmarks

// Verdict is an answer to the shell's report number Seq: the accept key that
// proves it comes from the console, and the secrets that hold from then on.
type Verdict struct {
	Shell    Shell
	Seq      string
	Blocking bool // the shell waits for the answer
	Now      Keys
	Next     Keys
}

func (v Verdict) token(word string) string {
	t := word + ";" + v.Seq + ";" + v.Now.accept + ";" + v.Next.mark + ";" + v.Next.accept + ";"
	if v.Shell == Fish {
		t += "\x00"
	}
	return t
}

// Deny tells a blocking shell that the line was refused; it stays editable.
func (v Verdict) Deny() []byte { return []byte(v.token("deny")) }

// Accept is the wire of a line that the shell holds: one step.
type Accept struct{ Verdict }

// Step is the accept.
func (a Accept) Step(n int, _ string) []byte {
	if n != 0 {
		return nil
	}
	return a.bytes()
}

func (v Verdict) bytes() []byte {
	if v.Blocking {
		return []byte(v.token("allow"))
	}
	return []byte("\x18\x1ev" + v.token("allow"))
}

// Inject is the wire of a text that the shell does not hold yet: the first
// step puts it into the buffer, the second accepts it. Seq and Next of the
// verdict are set when the shell has reported the buffer.
type Inject struct{ *Verdict }

// Step is the injection, then the accept.
func (i Inject) Step(n int, text string) []byte {
	switch {
	case n == 0:
		return i.inject(text)
	case n == 1 && i.Seq != "":
		return i.bytes()
	}
	return nil
}

func (i Inject) inject(text string) []byte { return nil }
