package tty

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/term"
)

func listen() chan os.Signal {
	got := make(chan os.Signal, 8)
	signal.Notify(got, syscall.SIGWINCH, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGINT,
		syscall.SIGQUIT, syscall.SIGTSTP, syscall.SIGCONT,
		syscall.SIGSEGV, syscall.SIGBUS, syscall.SIGABRT, syscall.SIGFPE, syscall.SIGILL, syscall.SIGTRAP, syscall.SIGSYS, // sent by somebody
		syscall.SIGUSR1, syscall.SIGUSR2, syscall.SIGALRM, syscall.SIGXCPU)
	return got
}

// signals forwards size changes, ends the program in order when it is told to
// end, and gives the terminal back while the process is stopped.
func (t *Terminal) signals(ctx context.Context, got chan os.Signal, p *tea.Program) {
	defer signal.Stop(got)
	for {
		select {
		case <-ctx.Done():
			return
		case sig := <-got:
			t.signal(sig, p)
		}
	}
}

func (t *Terminal) signal(sig os.Signal, p *tea.Program) {
	switch sig {
	case syscall.SIGWINCH:
		t.size(p)
	case syscall.SIGTSTP:
		t.leave()
		_ = syscall.Kill(os.Getpid(), syscall.SIGSTOP)
	case syscall.SIGCONT:
		t.resume(p)
	case syscall.SIGHUP:
		t.hangup(p)
	default:
		p.Send(crashMsg{&SignalError{sig}})
	}
}

// hangup is a request of somebody's, unless the terminal is gone.
func (t *Terminal) hangup(p *tea.Program) {
	if _, err := term.GetState(t.opts.Out.Fd()); err == nil && t.opts.OnHangup != nil {
		t.opts.OnHangup()
		return
	}
	p.Send(crashMsg{&SignalError{syscall.SIGHUP}})
}

// SignalError says which signal ended the program.
type SignalError struct{ Signal os.Signal }

func (e *SignalError) Error() string { return fmt.Sprintf("ended by signal: %v", e.Signal) }

func (t *Terminal) size(p *tea.Program) {
	cols, rows, err := term.GetSize(t.opts.Out.Fd())
	if err == nil && cols > 0 && rows > 0 {
		p.Send(tea.WindowSizeMsg{Width: cols, Height: rows})
	}
}

// resume sets the modes again: whoever had the terminal meanwhile may have
// changed them, also when the stop was not of our making (SIGSTOP).
func (t *Terminal) resume(p *tea.Program) {
	t.leave()
	if err := t.enter(); err != nil {
		p.Send(crashMsg{err})
		return
	}
	t.size(p)
	p.Send(redrawMsg{})
}
