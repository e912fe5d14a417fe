package audit

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// Lines reads a log line by line, and keeps what follows the last complete
// line apart: a line is complete with its newline.
type Lines struct {
	r      *bufio.Reader
	offset int64
	tail   []byte
	long   []byte
}

// NewLines reads from r.
func NewLines(r io.Reader) *Lines {
	return &Lines{r: bufio.NewReaderSize(r, maxRecord+1)}
}

// Next gives the next complete line without its newline; it is valid until
// the next call. io.EOF comes after the last one. A line longer than a record
// may be is given in pieces that no record begins with.
func (l *Lines) Next() ([]byte, error) {
	b, err := l.r.ReadSlice('\n')
	switch {
	case err == nil:
		l.offset += int64(len(b))
		return b[:len(b)-1], nil
	case errors.Is(err, bufio.ErrBufferFull):
		return l.overlong(b)
	case err == io.EOF:
		l.tail = append(l.tail[:0], b...)
	}
	return nil, err
}

// overlong reads on to the end of a line that is no record: it is given cut,
// so that it fails, or kept as the tail if it never ends.
func (l *Lines) overlong(b []byte) ([]byte, error) {
	l.long = append(l.long[:0], b...)
	n := int64(len(b))
	for {
		b, err := l.r.ReadSlice('\n')
		n += int64(len(b))
		switch {
		case err == nil:
			l.offset += n
			return l.long[:maxRecord], nil
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err == io.EOF:
			l.tail = l.long
			l.offset += n - int64(len(l.long))
		}
		return nil, err
	}
}

// Offset is where the next line begins.
func (l *Lines) Offset() int64 { return l.offset }

// Tail is what follows the last complete line, at the end.
func (l *Lines) Tail() []byte { return l.tail }

// torn says whether a tail looks like what a crash leaves: one incomplete
// line, or NULs up to the end.
func torn(tail []byte) bool {
	return len(bytes.TrimRight(tail, "\x00")) <= maxRecord
}
