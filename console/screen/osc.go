package screen

import (
	"encoding/base64"
	"net/url"
	"strings"

	"sallyport/console/keys"
	"sallyport/console/safetext"
)

// maxTitle is how much of a title or a directory is kept.
const maxTitle = 512

// osc handles an operating system command. Colours, notifications and everything else unknown are consumed: nothing is ever read back.
func (s *Screen) osc(payload []byte) {
	number, text, _ := strings.Cut(string(payload), ";")
	switch number {
	case "0", "2":
		s.title = shown(text)
	case "7":
		s.cwd = directory(text)
	case "8":
		s.hyperlink(text)
	case "52":
		s.clipboardWrite(text)
	case "1337":
		if dir, ok := strings.CutPrefix(text, "CurrentDir="); ok {
			s.cwd = shown(dir)
		}
	}
}

// shown makes the remote's text visible, and short.
func shown(text string) string {
	if len(text) > maxTitle {
		text = strings.ToValidUTF8(text[:maxTitle], "")
	}
	return safetext.Line(text)
}

// directory reads OSC 7: file://host/path.
func directory(text string) string {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "file" {
		return ""
	}
	return shown(u.Path)
}

// hyperlink handles OSC 8 ; params ; target. Only http and https targets in printable ASCII are kept.
func (s *Screen) hyperlink(text string) {
	_, target, _ := strings.Cut(text, ";")
	s.pen.style.Link = 0
	if acceptable(target) {
		s.pen.style.Link = s.linkID(target)
	}
	s.pen.id = s.styleID(s.pen.style)
}

func acceptable(target string) bool {
	if len(target) > maxLinkLen || strings.ContainsFunc(target, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return false
	}
	u, err := url.Parse(target)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != ""
}

// clipboardWrite handles OSC 52 ; selection ; base64. A query, whose text is ?, is no base64.
func (s *Screen) clipboardWrite(text string) {
	_, data, _ := strings.Cut(text, ";")
	if p, err := base64.StdEncoding.DecodeString(data); err == nil && len(p) > 0 {
		s.clipboard = keys.Clean(string(p))
	}
}

// Clipboard returns the text that the remote last asked to put on the clipboard, without controls, and forgets it; empty if there is none.
// It does nothing by itself: whether it goes anywhere is policy's to say.
func (s *Screen) Clipboard() string {
	text := s.clipboard
	s.clipboard = ""
	return text
}
