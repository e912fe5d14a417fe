package tui

import (
	"context"
	"errors"
	"fmt"

	"sallyport/console/tty"
)

// ErrTooSmall means that the terminal cannot even show what the console needs.
var ErrTooSmall = errors.New("the terminal is too small")

// Run shows the console on the operator's terminal until it is closed. The
// error is tty.ErrNoTerminal where there is none, ErrTooSmall where it is
// smaller than LeastWidth by LeastHeight, and Open's where there is no console.
func Run(ctx context.Context, d Deps) error {
	o := d.Options
	t, err := tty.Open(tty.Options{In: o.In, Out: o.Out, Env: o.Env, Profile: o.Profile, Mouse: !o.NoMouse, OnHangup: o.OnHangup})
	if err != nil {
		return err
	}
	if cols, rows, err := t.Size(); err == nil && (cols < LeastWidth || rows < LeastHeight) {
		return fmt.Errorf("%w: it has %d columns and %d rows, the console needs %d and %d: make the window larger",
			ErrTooSmall, cols, rows, NeedWidth, NeedHeight)
	}
	if d.Console != nil {
		return t.Run(ctx, newScreen(ctx, d, t))
	}
	first := newOpening(ctx, d, t)
	err = t.Run(ctx, first)
	if first.err != nil {
		return first.err
	}
	return err
}

// newScreen is the Model of a console on a terminal.
func newScreen(ctx context.Context, d Deps, t *tty.Terminal) *Model {
	m := newModel(ctx, d, t.Profile())
	m.greet = true
	d.Console.OnChange(t.Wake)
	d.Dialogs.onChange(t.Wake)
	return m
}
