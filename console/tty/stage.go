package tty

import (
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

// stage is the tea.Model: it hands messages to the App and decides when a
// frame is drawn. Owned by the event loop.
type stage struct {
	app     App
	painter *painter
	now     func() time.Time
	begun   func() // a frame begins: what changes from here on asks for another
	send    func(tea.Msg)
	dirty   bool
	timer   *time.Timer // set while a frame waits for its turn
	err     error
}

type (
	wakeMsg    struct{}
	dueMsg     struct{}
	redrawMsg  struct{}
	writtenMsg struct{ err error }
	crashMsg   struct{ err error }
	clipMsg    struct{ text string }
)

// Clipboard puts text on the clipboard of the operator's terminal, where that
// allows it (OSC 52).
func Clipboard(text string) tea.Cmd { return func() tea.Msg { return clipMsg{text} } }

func (s *stage) Init() tea.Cmd  { return guard(s.app.Init()) }
func (s *stage) View() tea.View { return tea.View{} }

// Update ends the program in order where the App panics: Bubble Tea would leave
// its reader behind.
func (s *stage) Update(msg tea.Msg) (model tea.Model, cmd tea.Cmd) {
	if s.err != nil {
		return s, tea.Quit
	}
	defer func() {
		if r := recover(); r != nil {
			model, cmd = s, s.fail(crash(r))
		}
	}()
	cmd = s.route(msg)
	if s.dirty {
		cmd = join(cmd, s.frame())
	}
	return s, cmd
}

func (s *stage) route(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case wakeMsg:
		s.dirty = true
		return nil
	case dueMsg:
		s.timer = nil
		return nil
	case writtenMsg:
		return s.fail(msg.err)
	case crashMsg:
		return s.fail(msg.err)
	case clipMsg:
		s.painter.copy(msg.text)
		s.dirty = true
		return nil
	case redrawMsg:
		s.painter.force()
		s.dirty = true
		return nil
	case tea.WindowSizeMsg:
		s.painter.resize(msg.Width, msg.Height)
	case tea.ModeReportMsg:
		if msg.Mode == ansi.ModeSynchronizedOutput {
			s.painter.sync = msg.Value == ansi.ModeReset || msg.Value == ansi.ModeSet
		}
		return nil
	}
	return s.pass(msg)
}

func (s *stage) pass(msg tea.Msg) tea.Cmd {
	redraw, cmd := s.app.Update(msg)
	s.dirty = s.dirty || redraw
	return guard(cmd)
}

func (s *stage) fail(err error) tea.Cmd {
	if err == nil {
		return nil
	}
	s.err = err
	return tea.Quit
}

// frame draws now, or sees to it that it is drawn as soon as it may be.
func (s *stage) frame() tea.Cmd {
	if s.timer != nil || !s.painter.out.idle() {
		return nil
	}
	now := s.now()
	ok, wait := s.painter.pace.take(now)
	if !ok {
		s.timer = time.AfterFunc(wait, func() { s.send(dueMsg{}) })
		return nil
	}
	s.begun()
	s.dirty = false
	cmd := s.pass(FrameMsg{now})
	s.dirty = false // what FrameMsg changed is in this frame
	s.painter.pace.spend(s.painter.paint(s.app))
	return join(cmd, s.pass(DrawnMsg{now}))
}

// end is the error of the whole run.
func (s *stage) end(err error) error {
	switch {
	case s.err != nil:
		return s.err
	case errors.Is(err, tea.ErrProgramKilled), errors.Is(err, tea.ErrInterrupted):
		return nil
	}
	return err
}

func join(a, b tea.Cmd) tea.Cmd {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	return tea.Batch(a, b)
}

// guard has a panic in a command end the program in order.
func guard(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() (msg tea.Msg) {
		defer func() {
			if r := recover(); r != nil {
				msg = crashMsg{crash(r)}
			}
		}()
		msg = cmd()
		if batch, ok := msg.(tea.BatchMsg); ok {
			for i := range batch {
				batch[i] = guard(batch[i])
			}
		}
		return msg
	}
}
