package tui

import (
	tea "charm.land/bubbletea/v2"

	"sallyport/console/keys"
	"sallyport/console/screen"
	"sallyport/console/tty"
)

// clipboardRules is a Console whose policy may let the remote ask for the
// operator's clipboard (OSC 52). Without it, and by default, it may not.
type clipboardRules interface{ ClipboardWrite() bool }

// clipboardQuestion asks whether the remote's text may go there.
type clipboardQuestion struct{ text string }

// takeClipboard looks what the remote wants on the clipboard. While one text is
// asked about, and after one was refused, others are dropped.
func (t *tab) takeClipboard(m *Model, s *screen.Screen) {
	text := s.Clipboard()
	rules, ok := m.console.(clipboardRules)
	if text == "" || t.noClipboard || t.local != nil || !ok || !rules.ClipboardWrite() {
		return
	}
	t.local, m.stale = &question{ask: clipboardQuestion{text}}, true
}

// clipboardKey answers. The question is the tab's own: nobody waits for it.
func (t *tab) clipboardKey(q clipboardQuestion, k keys.Event) tea.Cmd {
	name := k.String()
	if name != "y" && name != "n" && name != "Escape" {
		return nil
	}
	t.local.replied, t.local = true, nil
	if name == "y" {
		return tty.Clipboard(q.text)
	}
	t.noClipboard = true
	return nil
}

func (m *Model) clipboardPage(t *tab, q clipboardQuestion, width int) page {
	p := page{edge: m.theme.warn}
	key := m.theme.accent
	if !t.dialog.ready {
		key = m.theme.dim
	}
	add := func(l line) { p.text = append(p.text, wrap(l, width, "  ")...) }
	add(line{{"▲ CLIPBOARD   ", m.theme.warn}, {t.shownName(), m.nameStyle(t)}})
	add(line{{"A program there wants to put this on your clipboard. Whatever you paste next may be this.", m.theme.dim}})
	p.text = append(p.text, nil)
	p.text = append(p.text, m.exactRows(q.text, m.theme.bold, "  ", width)...)
	p.before = line{{"y", key}, {"  put it there      ", m.theme.text}, {"n", key}, {"  no, nor later in this session", m.theme.text}}
	p.foot = m.answerFoot(t.dialog)
	return p
}
