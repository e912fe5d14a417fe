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
// error is tty.ErrNoTerminal where there is none, and ErrTooSmall where it is
// smaller than LeastWidth by LeastHeight.
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
	m := newModel(ctx, d, t.Profile())
	m.greet = true
	d.Console.OnChange(t.Wake)
	d.Dialogs.onChange(t.Wake)
	return t.Run(ctx, m)
}
