package keys

import (
	"strings"
	"unicode/utf8"
)

// The frame of a bracketed paste.
const (
	pasteStart = "\x1b[200~"
	pasteEnd   = "\x1b[201~"
)

// Clean returns pasted text without anything that could act as a control: ESC and every other C0 control but newline and tab, DEL,
// the C1 controls (U+0080 … U+009F), and the bytes of invalid UTF-8. CR LF and CR become newlines. A whole ESC [ 2 0 1 ~ goes, not only
// its ESC. No removal can bring another control together, since no control of more than one rune is left to find.
func Clean(text string) string {
	for strings.Contains(text, pasteEnd) || strings.Contains(text, pasteStart) {
		text = strings.NewReplacer(pasteEnd, "", pasteStart, "").Replace(text)
	}
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text)
	return cleanTyped(text)
}

// cleanTyped removes controls and invalid UTF-8.
func cleanTyped(text string) string {
	return strings.Map(func(r rune) rune {
		if r == utf8.RuneError || (isControl(r) && r != '\n' && r != '\t') {
			return -1
		}
		return r
	}, text)
}

func isControl(r rune) bool { return r < 0x20 || (r >= 0x7f && r <= 0x9f) }

// Paste returns the bytes of a paste: the clean text, framed when the remote asked for it. A terminal sends CR for a newline.
func Paste(text string, bracketed bool) []byte {
	text = strings.ReplaceAll(Clean(text), "\n", "\r")
	if !bracketed {
		return []byte(text)
	}
	return []byte(pasteStart + text + pasteEnd)
}
