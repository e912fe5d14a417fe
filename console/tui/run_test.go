package tui

import (
	"context"
	"errors"
	"testing"

	"github.com/creack/pty"
)

func TestATerminalThatIsTooSmall(t *testing.T) {
	master, slave, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer master.Close()
	defer slave.Close()
	if err := pty.Setsize(master, &pty.Winsize{Cols: 39, Rows: 10}); err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, dialogs: NewDialogs()}
	err = Run(context.Background(), Deps{Console: w, Dialogs: w.dialogs, Options: Options{In: slave, Out: slave, Env: []string{"TERM=xterm"}}})
	if !errors.Is(err, ErrTooSmall) {
		t.Errorf("err = %v", err)
	}
}
