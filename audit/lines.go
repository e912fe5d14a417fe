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
	cut    int64 // bytes of a line beyond what a record may have
}

const readAhead = 32 << 10

// NewLines reads from r.
func NewLines(r io.Reader) *Lines {
	return &Lines{r: bufio.NewReaderSize(r, readAhead)}
}

// Next gives the next complete line without its newline; it is valid until
// the next call. io.EOF comes after the last one. Of a line longer than a
// record may be, only the beginning is given: it is no record.
func (l *Lines) Next() ([]byte, error) {
	b, err := l.r.ReadSlice('\n')
	if err == nil {
		l.offset += int64(len(b))
		return b[:len(b)-1], nil
	}
	l.long, l.cut = l.long[:0], 0
	for errors.Is(err, bufio.ErrBufferFull) {
		l.keep(b)
		b, err = l.r.ReadSlice('\n')
	}
	l.keep(b)
	if err != nil {
		l.tail = l.long
		return nil, err
	}
	l.offset += int64(len(l.long)) + l.cut
	return bytes.TrimSuffix(l.long, []byte{'\n'}), nil
}

func (l *Lines) keep(b []byte) {
	n := min(len(b), max(0, maxRecord+1-len(l.long)))
	l.long = append(l.long, b[:n]...)
	l.cut += int64(len(b) - n)
}

// Offset is where the next line begins.
func (l *Lines) Offset() int64 { return l.offset }

// Tail is the beginning of what follows the last complete line, at the end;
// TailSize is how long that is.
func (l *Lines) Tail() []byte { return l.tail }

// TailSize is the number of bytes that follow the last complete line.
func (l *Lines) TailSize() int64 {
	if l.tail == nil {
		return 0
	}
	return int64(len(l.long)) + l.cut
}

// torn says whether a tail looks like what a crash leaves: an incomplete
// line, NULs up to the end.
func (l *Lines) torn() bool { return len(bytes.TrimRight(l.tail, "\x00")) <= maxRecord }
