package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"
	"golang.org/x/term"

	"sallyport/audit/recording"
	"sallyport/console/safetext"
	"sallyport/console/screen"
)

func newAuditReplay() *cobra.Command {
	var speed, idle float64
	var from uint64
	var identity string
	c := &cobra.Command{
		Use:   "replay SESSION",
		Short: "play a session's recording in the terminal",
		Long: "Replay draws what the operator saw, as far as the log bears it out. Space pauses,\n" +
			"n goes on to the next command, + and - change the speed, q ends.",
		Args: oneSession,
	}
	named := auditDirs(c)
	f := c.Flags()
	f.Float64Var(&speed, "speed", 1, "`TIMES` as fast")
	f.Float64Var(&idle, "idle", 2, "longest wait between two outputs, in `SECONDS`")
	f.Uint64Var(&from, "from", 0, "begin at the command of the record with this `SEQ`")
	f.StringVar(&identity, "identity", "", "`FILE` with an auditor's age identity, for an encrypted recording")
	c.RunE = func(c *cobra.Command, args []string) error {
		if speed <= 0 || idle < 0 {
			return failWith(exitUsage, errors.New("--speed must be above 0 and --idle not below"), "")
		}
		dirs := logDirs(*named)
		logs, err := openLogs(dirs)
		if err != nil {
			return err
		}
		cast, source, err := castOf(dirs, args[0], identity)
		if err != nil {
			return err
		}
		look(c, logs, dirs)
		defer source.Close()
		defer source.warn(c.ErrOrStderr())
		r := &replay{playback: newPlayback(cast), out: bufio.NewWriter(c.OutOrStdout()), speed: speed, idle: idle, from: from, unvouched: source.none, cut: source.cut}
		r.cols, r.lines = terminalSize(c.OutOrStdout())
		return r.run(c.Context(), c.InOrStdin())
	}
	return c
}

// replay plays a recording with the keys of a reviewer.
type replay struct {
	*playback
	out    *bufio.Writer
	keys   <-chan byte
	speed  float64
	idle   float64
	from   uint64 // skip to the marker of this record
	skip   bool   // to the next marker
	paused bool
	mark   string

	cols, lines int  // of the reviewer's terminal; 0: none
	unvouched   bool // no log names the recording
	cut         bool // its end is not there
}

func (r *replay) run(ctx context.Context, in io.Reader) error {
	restore := r.takeKeys(in)
	defer restore()
	fmt.Fprint(r.out, "\x1b[2J")
	r.skip = r.from > 0
	before := time.Duration(0)
	for {
		e, err := r.next()
		if err == io.EOF || errors.Is(err, recording.ErrTruncated) {
			r.draw()
			fmt.Fprintf(r.out, "\r\n%s\r\n", r.endOf(err))
			return r.out.Flush()
		}
		if err != nil {
			return failWith(exitLog, err, "")
		}
		if r.marked(e) && r.skip {
			r.skip = false
			r.draw()
		}
		if !r.skip && !r.wait(ctx, e.At-before) {
			return r.out.Flush()
		}
		before = e.At
		if !r.skip {
			r.draw()
		}
	}
}

func (r *replay) endOf(err error) string {
	if err == io.EOF && !r.cut {
		return "end of the recording"
	}
	return "the recording ends here, in the middle"
}

// marked notes a command's marker, and says whether it is one that was asked
// for.
func (r *replay) marked(e recording.Event) bool {
	if e.Code != "m" {
		return false
	}
	r.mark = e.Data
	seq, _, _ := strings.Cut(e.Data, " ")
	n, err := strconv.ParseUint(seq, 10, 64)
	return err == nil && n >= r.from
}

// wait is the time between two outputs; keys come in meanwhile.
func (r *replay) wait(ctx context.Context, d time.Duration) bool {
	d = min(d, time.Duration(r.idle*float64(time.Second)))
	timer := time.NewTimer(time.Duration(float64(d) / r.speed))
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return false
		case k, ok := <-r.keys:
			if !ok {
				r.keys = nil
				continue
			}
			if k == 'q' || k == 3 {
				return false
			}
			if r.press(k); r.skip {
				return true
			}
		case <-timer.C:
			if !r.paused {
				return true
			}
			timer.Reset(100 * time.Millisecond)
		}
	}
}

func (r *replay) press(k byte) {
	switch k {
	case ' ':
		r.paused = !r.paused
	case 'n':
		r.skip, r.from, r.paused = true, 0, false
	case '+':
		r.speed = min(64, r.speed*2)
	case '-':
		r.speed = max(1.0/16, r.speed/2)
	}
	r.draw()
}

// takeKeys reads keys one by one if there is a terminal.
func (r *replay) takeKeys(in io.Reader) (restore func()) {
	f, ok := in.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return func() {}
	}
	old, err := term.MakeRaw(int(f.Fd()))
	if err != nil {
		return func() {}
	}
	keys := make(chan byte)
	r.keys = keys
	go func() { // ends with the program: a read of a terminal cannot be called off
		defer close(keys)
		b := make([]byte, 1)
		for {
			if _, err := f.Read(b); err != nil {
				return
			}
			keys <- b[0]
		}
	}()
	return func() { term.Restore(int(f.Fd()), old) }
}

// draw paints the terminal that was recorded, in colour and harmless, and a
// line about where we are.
func (r *replay) draw() {
	fmt.Fprint(r.out, "\x1b[H")
	first, rows, cols := r.window()
	for y := first; y < first+rows; y++ {
		fmt.Fprint(r.out, "\x1b[2K") // not afterwards: at the margin that takes the last character
		drawRow(r.out, r.screen, y, cols)
		fmt.Fprint(r.out, "\x1b[0m\r\n")
	}
	state := ""
	if r.paused {
		state = "  paused"
	}
	if r.unvouched {
		state += "  NOT VOUCHED FOR"
	}
	status := fmt.Sprintf(" %s  %gx%s  %s ", r.at.Round(time.Second), r.speed, state, safetext.Line(r.mark))
	fmt.Fprintf(r.out, "\x1b[7m%s\x1b[0m\x1b[K", ansi.Truncate(status, cols, "…"))
	r.out.Flush()
}

// window is what of the recorded terminal fits into the reviewer's, above the
// line about where we are: the rows around the cursor.
func (r *replay) window() (first, rows, cols int) {
	cols, rows = r.screen.Size()
	if r.lines > 1 && rows > r.lines-1 {
		visible := r.lines - 1
		first, rows = min(max(0, r.screen.Cursor().Y-visible+1), rows-visible), visible
	}
	if r.cols > 0 {
		cols = min(cols, r.cols)
	}
	return first, rows, cols
}

func drawRow(out io.Writer, s *screen.Screen, y, cols int) {
	last := ""
	for x := range cols {
		c := s.Cell(x, y)
		if sgr := s.Style(c.Style()).SGR(); sgr != last {
			fmt.Fprint(out, sgr)
			last = sgr
		}
		glyph := s.Glyph(c) // nothing for the second half of a wide one
		if x == cols-1 && ansi.StringWidth(glyph) > 1 {
			glyph = " "
		}
		fmt.Fprint(out, glyph)
	}
}
