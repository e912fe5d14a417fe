package tui

import (
	"slices"

	"sallyport/console/copilot"
)

// panelCache keeps the lines of the panels, which are wrapped from text that
// seldom changes. It is filled before a frame; Draw only reads it.
type panelCache struct {
	key     panelKey
	intent  []line
	suggest [][]line
	chat    []line
}

// panelKey is everything that those lines are made from.
type panelKey struct {
	width    int
	state    uint64 // of Linus
	verdicts uint64
	selected string
	light    bool
}

func (m *Model) keyOf(t *tab, width int) panelKey {
	return panelKey{width, t.aiVersion, t.judgedVersion, t.selected, m.light}
}

// fillPanels makes the lines anew if anything they are made from has changed.
func (m *Model) fillPanels(t *tab) {
	if t.host.Copilot() == nil {
		return
	}
	defer m.clampPanels(t)
	width := m.panelWidth()
	key := m.keyOf(t, width)
	if t.cache.key == key {
		return
	}
	c := panelCache{key: key, intent: m.makeIntent(t, width), chat: m.makeChat(t, width)}
	for i := range t.ai.Suggestions {
		c.suggest = append(c.suggest, m.makeSuggestion(t, i, width))
	}
	if t.chat.up > 0 && t.cache.key.width == width { // what is read stays where it is
		t.chat.up = max(t.chat.up+len(c.chat)-len(t.cache.chat), 1)
	}
	t.cache = c
}

// clampPanels keeps what was scrolled within what there is.
func (m *Model) clampPanels(t *tab) {
	if t.chat.up == 0 && t.intentTop == 0 {
		return
	}
	for _, p := range m.panelAreas(t) {
		switch p.area {
		case chatArea:
			t.chat.up = min(t.chat.up, max(len(t.cache.chat)-m.panelRows(p.r), 0))
		case intentArea:
			t.intentTop = min(t.intentTop, max(len(t.cache.intent)-m.panelRows(p.r), 0))
		}
	}
}

// panelWidth is the width of text in a panel.
func (m *Model) panelWidth() int {
	switch {
	case m.lay.beside:
		return m.lay.panel.Dx() - 2
	case m.lay.overlay.Min.X > 0:
		return m.lay.overlay.Dx() - 3
	}
	return m.lay.overlay.Dx() - 2
}

func (m *Model) intentLines(t *tab, width int) []line {
	if t.cache.key == m.keyOf(t, width) {
		return t.cache.intent
	}
	return m.makeIntent(t, width)
}

func (m *Model) chatLines(t *tab, width int) []line {
	if t.cache.key == m.keyOf(t, width) {
		return t.cache.chat
	}
	return m.makeChat(t, width)
}

func (m *Model) suggestionLines(t *tab, i, width int) []line {
	if t.cache.key == m.keyOf(t, width) {
		return t.cache.suggest[i]
	}
	return m.makeSuggestion(t, i, width)
}

// sameState tells whether two states look the same in the panels.
func sameState(a, b copilot.State) bool {
	return a.Configured == b.Configured && a.Online == b.Online && a.Reason == b.Reason && sameIntent(a.Intent, b.Intent) &&
		slices.EqualFunc(a.Suggestions, b.Suggestions, sameSuggestion) &&
		slices.EqualFunc(a.Chat, b.Chat, sameMessage)
}

func sameIntent(a, b copilot.Intent) bool {
	return a.At.Equal(b.At) && a.Summary == b.Summary && slices.Equal(a.Steps, b.Steps)
}

func sameSuggestion(a, b copilot.Suggestion) bool {
	return a.ID == b.ID && a.Seq == b.Seq && a.Command == b.Command && a.Description == b.Description &&
		a.Claimed == b.Claimed && a.Unclaimed == b.Unclaimed && a.Hidden == b.Hidden && a.Mentioned == b.Mentioned &&
		a.Sent == b.Sent && a.Withdrawn == b.Withdrawn && (a.Newer == nil) == (b.Newer == nil) && len(a.Injected) == len(b.Injected)
}

func sameMessage(a, b copilot.Message) bool {
	return a.Number == b.Number && a.From == b.From && a.Text == b.Text && a.Delivery == b.Delivery && a.Reason == b.Reason
}
