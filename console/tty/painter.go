package tty

import (
	"bytes"
	"io"
	"sync"
	"time"

	"github.com/charmbracelet/colorprofile"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
)

// FrameRate is the most frames a second that are written under load.
const FrameRate = 120

// burst is how many frames may follow each other at once after a quiet moment:
// an echo often comes in two parts.
const burst = 3

// wholeCost is for how many frames one counts in which most rows are new: of a
// flood of output 40 a second are enough to see, and the rest of the time is the
// output's.
const wholeCost = 3

// scrolledRows is from how many changed rows on the renderer looks for rows that
// only moved.
const scrolledRows = 4

// painter turns canvases into the least bytes that change the terminal.
// Everything but the writer's state is owned by the event loop.
type painter struct {
	canvas  *Canvas
	shown   []cell           // the canvas as the terminal has it
	buf     *uv.RenderBuffer // the same for the renderer
	r       *uv.TerminalRenderer
	pending bytes.Buffer
	pace    pace
	cursor  Cursor
	title   string
	sync    bool   // the terminal knows mode 2026
	forced  bool   // the next frame is written whole
	clip    string // for the clipboard, with the next frame
	bell    int
	rang    time.Time

	out writer
}

func newPainter(w io.Writer, env []string, profile colorprofile.Profile, cols, rows int) *painter {
	p := &painter{out: writer{w: w}, forced: true}
	p.r = uv.NewTerminalRenderer(&p.pending, env)
	p.r.SetColorProfile(profile)
	p.r.SetFullscreen(true)
	p.resize(cols, rows)
	return p
}

// resize is for every word of a new size, also the size that was: what stands on
// a terminal that had another one for a moment is not known.
func (p *painter) resize(cols, rows int) {
	if p.canvas != nil && p.canvas.w == cols && p.canvas.h == rows {
		p.force()
		return
	}
	p.canvas = NewCanvas(cols, rows)
	p.shown = make([]cell, len(p.canvas.cells))
	p.buf = uv.NewRenderBuffer(cols, rows)
	p.r.Resize(cols, rows)
	p.force()
}

// force has the next frame written whole, whatever the terminal shows.
func (p *painter) force() {
	p.r.Erase()
	p.r.SetPosition(-1, -1)
	p.forced = true
}

// copy has text put on the clipboard with the next frame.
func (p *painter) copy(text string) { p.clip = text }

// paint draws one frame and hands its bytes, if there are any, to the writer.
// It gives how much of the frames of a second that was.
func (p *painter) paint(app App) (cost float64) {
	touched := p.commit(p.draw(app))
	if touched == 0 && !p.forced && p.canvas.Cursor == p.cursor && p.canvas.Title == p.title && p.clip == "" && p.canvas.Bell == p.bell {
		return 1
	}
	p.compose(touched)
	p.forced = false
	p.out.hand(append([]byte(nil), p.pending.Bytes()...))
	p.pending.Reset()
	if touched > p.canvas.h/2 {
		return wholeCost
	}
	return 1
}

// draw has the App draw as little as it can and gives the rows that may have
// changed.
func (p *painter) draw(app App) (from, to int) {
	if a, ok := app.(Patcher); ok && !p.forced && !p.canvas.crowded() {
		if from, to, ok := a.Patch(p.canvas); ok {
			return max(from, 0), min(to, p.canvas.h)
		}
	}
	p.canvas.Clear()
	app.Draw(p.canvas)
	return 0, p.canvas.h
}

// commit gives the renderer the cells that changed and counts their rows.
func (p *painter) commit(from, to int) int {
	if p.canvas.anew {
		p.canvas.anew, p.forced = false, true
		p.r.Erase()
	}
	if p.forced {
		from, to = 0, p.canvas.h
	}
	touched := 0
	for y := from; y < to; y++ {
		now, was := p.canvas.row(y), p.shown[y*p.canvas.w:(y+1)*p.canvas.w]
		first, last := changed(was, now)
		if p.forced {
			first, last = 0, len(now)-1
		}
		if first < 0 {
			continue
		}
		copy(was, now)
		line := p.buf.Line(y)
		for x := first; x <= last; x++ {
			line[x] = p.canvas.cell(now[x])
		}
		p.buf.TouchLine(first, y, last-first+1)
		touched++
	}
	return touched
}

func changed(was, now []cell) (first, last int) {
	first = 0
	for first < len(now) && was[first] == now[first] {
		first++
	}
	if first == len(now) {
		return -1, -1
	}
	last = len(now) - 1
	for was[last] == now[last] {
		last--
	}
	return first, last
}

func (p *painter) compose(touched int) {
	guard := touched > 1 || p.forced
	p.open(guard)
	p.r.SetScrollOptim(touched >= scrolledRows)
	p.r.Render(p.buf)
	want := p.canvas.Cursor
	if want.Visible {
		p.r.MoveTo(want.X, want.Y)
	}
	p.finish(want, guard)
	_ = p.r.Flush()
}

// open hides what happens between two whole frames: with synchronized output
// where the terminal has it, else by hiding the cursor. A frame that is written
// whole begins without margins: those of the frame before may have met a terminal
// that had another size by then.
func (p *painter) open(guard bool) {
	if p.forced {
		_, _ = p.r.WriteString(ansi.SetTopBottomMargins(0, 0))
	}
	switch {
	case guard && p.sync:
		_, _ = p.r.WriteString(ansi.SetModeSynchronizedOutput)
	case guard && p.cursor.Visible:
		_, _ = p.r.WriteString(ansi.HideCursor)
		p.cursor.Visible = false
	}
}

func (p *painter) finish(want Cursor, guard bool) {
	if want.Shape != p.cursor.Shape {
		_, _ = p.r.WriteString(ansi.SetCursorStyle(int(want.Shape)))
	}
	if want.Visible != p.cursor.Visible || p.forced {
		_, _ = p.r.WriteString(cursorMode(want.Visible))
	}
	if p.canvas.Title != p.title {
		_, _ = p.r.WriteString(ansi.SetWindowTitle(p.canvas.Title))
	}
	p.ring()
	if p.clip != "" {
		_, _ = p.r.WriteString(ansi.SetSystemClipboard(p.clip))
		p.clip = ""
	}
	if guard && p.sync {
		_, _ = p.r.WriteString(ansi.ResetModeSynchronizedOutput)
	}
	p.cursor, p.title = want, p.canvas.Title
}

const bellPause = time.Second

func (p *painter) ring() {
	if p.canvas.Bell == p.bell {
		return
	}
	p.bell = p.canvas.Bell
	if now := time.Now(); now.Sub(p.rang) >= bellPause {
		p.rang = now
		_, _ = p.r.WriteString("\a")
	}
}

func cursorMode(visible bool) string {
	if visible {
		return ansi.ShowCursor
	}
	return ansi.HideCursor
}

// pace is a bucket of frames: full after a quiet moment, FrameRate a second
// under load.
type pace struct {
	left float64
	at   time.Time
}

// take reports whether a frame may be drawn now, and if not, after how long.
func (p *pace) take(now time.Time) (ok bool, wait time.Duration) {
	if p.at.IsZero() {
		p.left = burst
	}
	p.left = min(burst, p.left+now.Sub(p.at).Seconds()*FrameRate)
	p.at = now
	if p.left >= 1 {
		return true, 0
	}
	return false, time.Duration((1 - p.left) / FrameRate * float64(time.Second))
}

func (p *pace) spend(cost float64) { p.left -= cost }

// directBytes is how small a frame saves the way over the writer's goroutine,
// such as the echo of a key.
const directBytes = 1 << 10

// writer writes frames on a goroutine of its own, one at a time.
type writer struct {
	w      io.Writer
	direct func([]byte) int // writes what w takes at once and says how much; nil: nothing
	frames chan []byte

	mu     sync.Mutex
	busy   bool
	wanted bool // a frame was asked for while busy
	err    error
}

// run writes what is handed over until the channel is closed. ready is called,
// from this goroutine, when a frame was wanted meanwhile or writing failed.
func (w *writer) run(ready func(error)) {
	for b := range w.frames {
		_, err := w.w.Write(b)
		w.mu.Lock()
		tell := w.wanted || err != nil
		w.busy, w.wanted, w.err = false, false, err
		w.mu.Unlock()
		if tell {
			ready(err)
		}
	}
}

// idle reports whether a frame can be handed over; if not, ready will be called.
func (w *writer) idle() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.wanted = w.busy
	return !w.busy
}

// hand has a frame written, at once where the terminal takes it.
func (w *writer) hand(b []byte) {
	if len(b) <= directBytes && w.direct != nil {
		b = b[w.direct(b):]
	}
	if len(b) == 0 {
		return
	}
	w.mu.Lock()
	w.busy = true
	w.mu.Unlock()
	w.frames <- b
}
