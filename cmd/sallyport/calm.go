package main

import (
	"fmt"
	"io"
	"os"

	"golang.org/x/term"

	"sallyport/console/safetext"
	"sallyport/console/screen"
)

// calm writes a host's output to the operator's terminal: text, line ends, tabs
// and colours pass; titles, clipboard, queries, cursor movement and everything
// else that could act on the terminal do not, and what is invisible is shown.
type calm struct {
	to     io.Writer
	tokens screen.Tokenizer
	styled bool
}

// calmly gives w itself unless it is a terminal: what goes to a file or a pipe
// is the host's bytes, unchanged.
func calmly(w io.Writer) io.Writer {
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		return &calm{to: w}
	}
	return w
}

func (c *calm) Write(p []byte) (int, error) {
	var out []byte
	for rest := p; len(rest) > 0; {
		tok, n := c.tokens.Next(rest)
		if tok != nil {
			out = c.take(out, tok)
		}
		rest = rest[n:]
	}
	if _, err := c.to.Write(out); err != nil {
		return 0, err
	}
	return len(p), nil
}

func (c *calm) take(out []byte, tok *screen.Token) []byte {
	switch {
	case tok.Kind == screen.Text:
		return append(out, safetext.Line(string(tok.Bytes))...)
	case tok.Kind == screen.Control && (tok.Final == '\n' || tok.Final == '\r' || tok.Final == '\t'):
		return append(out, tok.Final)
	case tok.Kind == screen.CSI && tok.Final == 'm' && tok.Private == 0 && tok.Inter == 0:
		c.styled = true
		return c.style(out, tok)
	}
	return out
}

// conceal is the SGR parameter that hides text.
const conceal = 8

func (c *calm) style(out []byte, tok *screen.Token) []byte {
	out = append(out, "\x1b["...)
	for i := range tok.Params() {
		if i > 0 {
			sep := byte(';')
			if tok.Sub(i) {
				sep = ':'
			}
			out = append(out, sep)
		}
		if n := tok.Param(i, 0); n != conceal || tok.Params() > 1 {
			out = fmt.Append(out, n)
		}
	}
	return append(out, 'm')
}

// end takes the host's colours off.
func end(w io.Writer) {
	if c, ok := w.(*calm); ok && c.styled {
		io.WriteString(c.to, "\x1b[0m")
	}
}
