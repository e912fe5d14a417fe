package tui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"sallyport/console/keys"
	"sallyport/console/tty"
	"sallyport/policy"
)

// Model is the state of the screen. Owned by the event loop.
type Model struct {
	ctx     context.Context // of Run, for commands: tea.Cmd takes none
	console Console
	dialogs *Dialogs
	opts    Options
	now     func() time.Time
	after   func(time.Duration, tea.Msg) tea.Cmd
	profile colorprofile.Profile
	light   bool
	theme   theme
	leader  keys.Event

	w, h  int
	lay   layout
	tabs  []*tab
	front int // index of the tab in front

	panels  bool // stand beside the shell where there is room
	open    area // the panel opened over the shell where there is not
	focus   area
	leading bool  // the leader was pressed
	modal   modal // help, palette, …; nil: none
	note    note

	log      LogStatus
	policy   policy.Identity
	lastKey  time.Time  // of the last key or paste, also those that were not taken
	answered keys.Event // the key that answered something last; held down, it answers nothing more
	burst    burst
	pending  *pending
	frame    time.Time // of the last frame
	tick     time.Time // when the next tick is due; zero: none is
	tickID   int
	quitting bool
	bell     int  // changes when the operator's bell is to ring
	greet    bool // say once which key is the console's
	stale    bool // more than the shell's screen may look different since the last frame
}

// area is what has the focus.
type area uint8

const (
	shellArea area = iota
	intentArea
	suggestArea
	chatArea
)

// modal is something that takes all keys until it is closed.
type modal interface {
	key(m *Model, k keys.Event) tea.Cmd
	paste(m *Model, text string)
	draw(m *Model, c *tty.Canvas)
}

// note is a message that stays for a moment.
type note struct {
	text  string
	bad   bool
	mild  bool // a program that takes the screen takes its rows too
	until time.Time
}

const noteTime = 6 * time.Second

func newModel(ctx context.Context, d Deps, p colorprofile.Profile) *Model {
	m := &Model{ctx: ctx, console: d.Console, dialogs: d.Dialogs, opts: d.Options, now: d.Options.Clock, after: after, profile: p, panels: true}
	if m.now == nil {
		m.now = time.Now
	}
	m.light = d.Options.Theme == ThemeLight
	m.theme = newTheme(p, m.light)
	m.leader = parseLeader(d.Options.Leader)
	return m
}

// after sends a message when some time has passed.
func after(d time.Duration, msg tea.Msg) tea.Cmd {
	return tea.Tick(d, func(time.Time) tea.Msg { return msg })
}

// parseLeader takes the default where the configuration names no key; package
// config has said so already.
func parseLeader(name string) keys.Event {
	if k, err := keys.Parse(name); name != "" && err == nil {
		return k
	}
	return keys.Event{Rune: ']', Mod: keys.Ctrl}
}

// Init starts nothing.
func (m *Model) Init() tea.Cmd { return nil }

// Update routes a message and says whether the screen may look different.
func (m *Model) Update(msg tea.Msg) (bool, tea.Cmd) {
	switch msg := msg.(type) {
	case tty.FrameMsg:
		return true, m.onFrame(msg.At)
	case tty.DrawnMsg:
		m.onDrawn(msg.At, m.stale)
		m.stale = false
		return false, nil
	}
	redraw, cmd := m.route(msg)
	m.stale = m.stale || redraw
	return redraw, cmd
}

func (m *Model) route(msg tea.Msg) (bool, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.w, m.h = msg.Width, msg.Height
		return true, nil
	case tea.KeyPressMsg:
		return m.onKey(event(tea.Key(msg)))
	case tea.PasteMsg:
		return m.onPaste(msg.Content)
	case tea.MouseMsg:
		return m.onMouse(msg)
	case tea.FocusMsg:
		return false, m.onFocus(true)
	case tea.BlurMsg:
		return false, m.onFocus(false)
	case tea.BackgroundColorMsg:
		return m.onBackground(!msg.IsDark()), nil
	case tickMsg:
		return m.onTick(msg), nil
	case result:
		return true, msg.apply(m)
	}
	return false, nil
}

// result is the answer of a command; it carries the number of its question.
type result interface{ apply(*Model) tea.Cmd }

func (m *Model) onBackground(light bool) bool {
	if m.opts.Theme != ThemeAuto || light == m.light {
		return false
	}
	m.light = light
	m.theme = newTheme(m.profile, light)
	return true
}

// tab in front; nil when no host is open.
func (m *Model) tab() *tab {
	if m.front < len(m.tabs) {
		return m.tabs[m.front]
	}
	return nil
}

func (m *Model) say(text string) { m.note = note{text: text, until: m.now().Add(noteTime)} }
func (m *Model) complain(text string) {
	m.note = note{text: text, bad: true, until: m.now().Add(noteTime)}
}

// tickMsg comes when something on the screen depends on the time.
type tickMsg struct{ id int }

func (m *Model) onTick(t tickMsg) bool {
	if t.id != m.tickID {
		return false
	}
	m.tick = time.Time{}
	return true
}

// wakeAt has a frame drawn at the given time, if none is due before.
func (m *Model) wakeAt(at time.Time) tea.Cmd {
	if at.IsZero() || (!m.tick.IsZero() && !at.Before(m.tick)) {
		return nil
	}
	m.tick = at
	m.tickID++
	id := m.tickID
	return m.after(at.Sub(m.now()), tickMsg{id})
}
