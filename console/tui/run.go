package tui

import (
	"context"

	"sallyport/console/tty"
)

// Run shows the console on the operator's terminal until it is closed. The
// error is tty.ErrNoTerminal where there is none.
func Run(ctx context.Context, d Deps) error {
	o := d.Options
	t, err := tty.Open(tty.Options{In: o.In, Out: o.Out, Env: o.Env, Profile: o.Profile, Mouse: !o.NoMouse, OnHangup: o.OnHangup})
	if err != nil {
		return err
	}
	m := newModel(ctx, d, t.Profile())
	m.greet = true
	d.Console.OnChange(t.Wake)
	d.Dialogs.onChange(t.Wake)
	return t.Run(ctx, m)
}
