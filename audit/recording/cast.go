package recording

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"
	"unicode/utf8"
)

// header writes the first line of an asciicast.
func (r *Recorder) header() {
	term := r.cfg.Term
	if term == "" {
		term = "xterm-256color"
	}
	h := Header{Version: 2, Width: r.cfg.Cols, Height: r.cfg.Rows, Timestamp: r.began.Unix(), Env: map[string]string{"TERM": term}}
	r.mu.Lock()
	defer r.mu.Unlock()
	b, err := json.Marshal(h)
	if err == nil {
		r.waiting.Write(append(b, '\n'))
	}
}

// event appends a line. The caller holds mu.
func (r *Recorder) event(code, data string) {
	if data == "" || r.err != nil {
		return
	}
	for r.waiting.Len() > maxWaiting && r.err == nil && !r.closed {
		r.room.Wait()
	}
	fmt.Fprintf(&r.waiting, "[%.6f, %q, ", r.cfg.Now().Sub(r.began).Seconds(), code)
	e := json.NewEncoder(&r.waiting)
	e.SetEscapeHTML(false)
	_ = e.Encode(data)                      // a string always has a form
	r.waiting.Truncate(r.waiting.Len() - 1) // its line end
	r.waiting.WriteString("]\n")
}

// nudge wakes the goroutine when a chunk is due. The caller holds mu.
func (r *Recorder) nudge() {
	if r.waiting.Len() < chunkBytes {
		return
	}
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

// whole keeps the beginning of a character back until its end comes.
func (r *Recorder) whole(p []byte) string {
	p = append(r.partial, p...)
	keep := 0
	for n := 1; n < utf8.UTFMax && n <= len(p); n++ {
		if c := p[len(p)-n]; utf8.RuneStart(c) {
			if !utf8.FullRune(p[len(p)-n:]) {
				keep = n
			}
			break
		}
	}
	s := string(p[:len(p)-keep])
	r.partial = append([]byte(nil), p[len(p)-keep:]...)
	return s
}

// Header is the first line of an asciicast.
type Header struct {
	Version   int               `json:"version"`             // 2
	Width     int               `json:"width"`               // columns
	Height    int               `json:"height"`              // rows
	Timestamp int64             `json:"timestamp,omitempty"` // of the beginning, in seconds (Unix)
	Env       map[string]string `json:"env,omitempty"`       // TERM
}

// Event is a line of an asciicast. By its code the data is output ("o"), input
// ("i"), a marker ("m": the seq of a command's record, a space, the command) or
// a new size ("r": 80x24).
type Event struct {
	At   time.Duration // since the beginning
	Code string
	Data string
}

// Cast reads a recording.
type Cast struct {
	Header Header
	lines  *bufio.Reader
}

// ErrTruncated says that the recording has no end: its console died.
var ErrTruncated = errors.New("the recording ends in the middle")

// Read begins to read an asciicast; of an encrypted recording, what Open gives.
func Read(r io.Reader) (*Cast, error) {
	c := &Cast{lines: bufio.NewReader(r)}
	line, err := c.lines.ReadBytes('\n')
	if err != nil && err != io.EOF {
		return nil, cut(err)
	}
	if err := json.Unmarshal(line, &c.Header); err != nil || c.Header.Version != 2 {
		return nil, errors.New("not an asciicast of version 2")
	}
	return c, nil
}

// Next gives the next event, and io.EOF after the last; ErrTruncated where the
// file ends in the middle of one.
func (c *Cast) Next() (e Event, err error) {
	line, err := c.lines.ReadBytes('\n')
	if len(line) == 0 && err != nil {
		return e, cut(err)
	}
	var fields []json.RawMessage
	var at float64
	if json.Unmarshal(line, &fields) != nil || len(fields) != 3 {
		return e, ErrTruncated
	}
	err = errors.Join(json.Unmarshal(fields[0], &at), json.Unmarshal(fields[1], &e.Code), json.Unmarshal(fields[2], &e.Data))
	e.At = time.Duration(at * float64(time.Second))
	return e, err
}

func cut(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return ErrTruncated
	}
	return err
}
