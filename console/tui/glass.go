package tui

import (
	"context"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"sallyport/console/keys"
	"sallyport/console/tty"
)

// reasonField asks why commands should leave although the log cannot be
// written.
type reasonField struct{ edit edit }

// noGlass says why there is no glass to break.
func noGlass(m *Model) string {
	g, ok := m.console.(glassBreaker)
	switch {
	case m.log.Refusing == "":
		return "the log works"
	case !ok || !g.CanBreakGlass():
		return "your organisation does not allow it, or no collector takes the records instead"
	}
	return ""
}

func (m *Model) askReason() tea.Cmd {
	m.modal = &reasonField{}
	return nil
}

func (f *reasonField) paste(_ *Model, text string) { f.edit.insert(firstLine(text)) }

func (f *reasonField) key(m *Model, k keys.Event) tea.Cmd {
	switch k.String() {
	case "Escape", "C-c":
		m.modal = nil
	case "Enter":
		if strings.TrimSpace(f.edit.String()) == "" {
			return nil
		}
		m.modal = nil
		return m.breakGlass(f.edit.String())
	default:
		f.edit.key(k)
	}
	return nil
}

// glassWait is longer than the second sink may take.
const glassWait = 15 * time.Second

func (m *Model) breakGlass(reason string) tea.Cmd {
	g, ok := m.console.(glassBreaker)
	if !ok {
		return nil
	}
	return m.await("Asking the collector to take the records", glassWait, func(ctx context.Context) tea.Msg {
		return told{"break the glass: ", g.BreakGlass(ctx, reason)}
	})
}

func (f *reasonField) draw(m *Model, c *tty.Canvas) {
	r := m.frameBox(c, 72, 7, "Break the glass", "Enter breaks it   Esc closes")
	text := "The collector must take each record before the command leaves. Your reason is recorded first."
	drawLines(c, r, wrap(line{{text, m.theme.text}}, r.Dx(), ""))
	m.drawField(c, r.Min.X, r.Min.Y+3, r.Dx(), line{{"Reason  › ", m.theme.dim}}, &f.edit)
}
