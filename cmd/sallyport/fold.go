package main

import (
	"bytes"
	"io"
	"os"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"golang.org/x/term"
)

// folded breaks long lines at a terminal's width, and sets what follows in by so
// many columns. What goes into a file or a pipe stays a line a record.
func folded(out io.Writer, indent int) io.Writer {
	cols, _ := terminalSize(out)
	if cols == 0 || cols < 2*indent {
		return out
	}
	return &folder{out, cols, indent}
}

// terminalSize is that of the terminal that out is, or nothing.
func terminalSize(out io.Writer) (cols, lines int) {
	if f, ok := out.(*os.File); ok {
		cols, lines, _ = term.GetSize(int(f.Fd()))
	}
	return cols, lines
}

// folder is written to in whole lines.
type folder struct {
	out          io.Writer
	cols, indent int
}

func (f *folder) Write(p []byte) (int, error) {
	var b bytes.Buffer
	for line := range strings.Lines(string(p)) {
		for i, part := range fold(strings.TrimSuffix(line, "\n"), f.cols, f.indent) {
			if i > 0 {
				b.WriteString(strings.Repeat(" ", f.indent))
			}
			b.WriteString(part + "\n")
		}
	}
	if _, err := f.out.Write(b.Bytes()); err != nil {
		return 0, err
	}
	return len(p), nil
}

// fold gives the parts of a line: the first has so many columns, the others less the
// indent. Words stay whole where they are not longer than that.
func fold(line string, cols, indent int) (parts []string) {
	for room := cols; ansi.StringWidth(line) > room; room = cols - indent {
		part := ansi.Truncate(line, room, "")
		if at := strings.LastIndexByte(part, ' '); at > room/3 && len(strings.TrimSpace(part[:at])) > 0 && len(part) < len(line) && line[len(part)] != ' ' {
			part = part[:at]
		}
		if part == "" { // a terminal too narrow for a character
			break
		}
		parts = append(parts, strings.TrimRight(part, " "))
		line = strings.TrimLeft(line[len(part):], " ")
	}
	return append(parts, line)
}
