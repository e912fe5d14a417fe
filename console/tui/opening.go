package tui

import (
	"context"
	"image"
	"slices"

	tea "charm.land/bubbletea/v2"

	"sallyport/console/keys"
	"sallyport/console/safetext"
	"sallyport/console/tty"
)

// opening is what is on the screen while the console is made: which host, and
// what is waited for. Then it is the Model, and what was typed meanwhile is
// given to it. Owned by the event loop.
type opening struct {
	open  func() (Console, error)
	begin func(Console) *Model
	ascii bool
	name  string
	theme theme

	early []tea.Msg // sizes and answers of the terminal
	keys  []tea.Msg // and what was typed and pasted before there was a shell
	model *Model    // nil: not yet
	shown bool      // the model was drawn
	err   error     // why there is no console
}

func newOpening(ctx context.Context, d Deps, t *tty.Terminal) *opening {
	o := d.Options
	return &opening{
		open: d.Open, ascii: o.ASCII, name: safetext.Line(d.Name), theme: newTheme(t.Profile(), o.Theme == ThemeLight),
		begin: func(c Console) *Model {
			d.Console = c
			return newScreen(ctx, d, t)
		},
	}
}

type openedMsg struct {
	console Console
	err     error
}

// Init makes the console.
func (o *opening) Init() tea.Cmd {
	return func() tea.Msg {
		c, err := o.open()
		return openedMsg{c, err}
	}
}

// Update keeps what is typed until the Model has been drawn, before whose first
// frame it knows no host, and until its shell is there.
func (o *opening) Update(msg tea.Msg) (bool, tea.Cmd) {
	switch msg := msg.(type) {
	case openedMsg:
		return o.opened(msg)
	case tea.KeyPressMsg:
		if o.model == nil && event(tea.Key(msg)) == (keys.Event{Rune: 'c', Mod: keys.Ctrl}) {
			return false, tea.Quit
		}
		return o.typed(msg)
	case tea.PasteMsg, tea.MouseMsg:
		return o.typed(msg)
	case tty.FrameMsg:
		if o.model == nil {
			return false, nil
		}
	case tty.DrawnMsg:
		return o.drawn(msg)
	}
	if o.model == nil {
		o.early = append(o.early, msg)
		return true, nil
	}
	return o.model.Update(msg)
}

// typed keeps what is typed before there is a shell to type into; from the first
// frame on, Escape and ^C are the screen's, and so is what answers a question.
func (o *opening) typed(msg tea.Msg) (bool, tea.Cmd) {
	if !o.shown || len(o.keys) > 0 && !forScreen(msg) && o.model.ahead() == later {
		if _, mouse := msg.(tea.MouseMsg); !mouse && len(o.keys) < maxAhead { // nothing was there to point at
			o.keys = append(o.keys, msg)
		}
		return false, nil
	}
	return o.model.Update(msg)
}

// maxAhead bounds what is typed ahead.
const maxAhead = 4096

func forScreen(msg tea.Msg) bool {
	k, ok := msg.(tea.KeyPressMsg)
	return ok && slices.Contains([]string{"Escape", "C-c"}, event(tea.Key(k)).String())
}

func (o *opening) drawn(msg tty.DrawnMsg) (bool, tea.Cmd) {
	if o.model == nil {
		return false, nil
	}
	redraw, cmd := o.model.Update(msg)
	o.shown = true
	more, cmds := o.deliver()
	return redraw || more, tea.Batch(cmd, cmds)
}

// deliver gives the shell what was typed ahead, once it holds keys. What else
// would get them, a question, a password's field, a host that is gone, does not.
func (o *opening) deliver() (bool, tea.Cmd) {
	if len(o.keys) == 0 {
		return false, nil
	}
	when := o.model.ahead()
	if when == later {
		return false, nil
	}
	ahead := o.keys
	o.keys = nil
	if when == never {
		o.model.complain("What was typed ahead was dropped: there was no shell to type it into.")
		o.model.stale = true
		return true, nil
	}
	return o.replay(ahead)
}

func (o *opening) opened(msg openedMsg) (bool, tea.Cmd) {
	if o.err = msg.err; o.err != nil {
		return false, tea.Quit
	}
	o.model = o.begin(msg.console)
	_, cmds := o.replay(o.early)
	o.early = nil
	return true, tea.Batch(o.model.Init(), cmds)
}

func (o *opening) replay(msgs []tea.Msg) (redraw bool, cmd tea.Cmd) {
	var cmds []tea.Cmd
	for _, m := range msgs {
		again, cmd := o.model.Update(m)
		redraw = redraw || again
		cmds = append(cmds, cmd)
	}
	return redraw, tea.Batch(cmds...)
}

// Draw draws where the Model will have the same.
func (o *opening) Draw(c *tty.Canvas) {
	if o.model != nil {
		o.model.Draw(c)
		return
	}
	w, h := c.Size()
	c.Title = "sallyport " + o.name
	line{{o.name, o.theme.bold}}.draw(c, 1, 0, max(w-2, 0))
	drawLines(c, image.Rect(min(1, w), min(2, h), w, h), wrap(line{{"Reading the policy, opening the log.", o.theme.dim}}, w-2, ""))
	if o.ascii {
		foldASCII(c)
	}
}

// Patch is the Model's.
func (o *opening) Patch(c *tty.Canvas) (from, to int, ok bool) {
	if o.model == nil {
		return 0, 0, false
	}
	return o.model.Patch(c)
}
