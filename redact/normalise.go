package redact

import (
	"strings"
	"unicode/utf8"

	"sallyport/redact/detect"
)

// normaliser takes lines of a terminal's bytes and gives their text: without escape
// sequences and invisible characters, with what was overwritten gone, and with the raw
// offset of every byte. Its
// state goes on from line to line, as a sequence may. It reads sequences as the console's
// emulator does: an OSC ends at BEL or ESC \, bytes above 0x7f are never controls.
type normaliser struct {
	state normState
	width int // columns of the terminal; 0: unknown
	col   int // where the next line begins: what was let go of it stands before
}

type normState uint8

const (
	ground normState = iota
	inEscape
	inCSI
	inOSC
	inString
	oscEscape
	stringEscape
)

// plain tells whether a line holds no control but tabs and its own end, and nothing
// invisible, and whether it holds nothing but ASCII of one column each.
func plain(s string) (ok, ascii bool) {
	var all uint8
	for i := 0; i < len(s); i++ {
		all |= look[s[i]]
	}
	if all&(lookControl|lookHidden) == 0 {
		return true, all == 0
	}
	if all&lookControl != 0 {
		return false, false
	}
	for i := 0; i < len(s); i++ {
		if look[s[i]]&lookHidden != 0 && dropped(s[i:]) {
			return false, false
		}
	}
	return true, false
}

// What a byte may be the beginning of.
const (
	lookControl = 1 << iota // a control or a sequence
	lookHidden              // a character that is dropped
	lookWide                // one that has not one column: more than ASCII, a tab
)

var look = func() (t [256]uint8) {
	for c := range t {
		if c < 0x20 && c != '\t' || c == 0x7f {
			t[c] |= lookControl
		}
		if c == 0xc2 || detect.MayHide(byte(c)) {
			t[c] |= lookHidden
		}
		if c >= utf8.RuneSelf || c == '\t' {
			t[c] |= lookWide
		}
	}
	return t
}()

// dropped tells whether s begins with a C1 control or an invisible character: a terminal
// shows neither, so that they must not stand between the parts of a secret.
func dropped(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return r >= 0x80 && r < 0xa0 || detect.Invisible(r)
}

// normLine is what one raw line holds.
type normLine struct {
	main   view
	others []view // texts that were overwritten, or that no one sees: titles, links
	cols   int    // it ends in this column
}

// line normalises a raw line without its line end. One that has not ended goes on in
// the next call.
func (n *normaliser) line(raw string, ended bool) (l normLine) {
	begin := n.col
	n.col = 0
	if ok, ascii := plain(raw); ok && n.state == ground {
		l = normLine{main: view{text: raw}, cols: columns(raw, begin, ascii)}
		if !ended {
			n.stay(l.cols)
		}
		return l
	}
	if v, ok := n.coloured(raw); ok && begin == 0 && ended {
		return normLine{main: v, cols: columns(v.text, 0, false)}
	}
	e := editor{raw: raw, width: n.width, cells: make([]cell, begin, begin+len(raw)), col: begin}
	for i := 0; i < len(raw); {
		i = n.step(&e, i)
	}
	if !ended {
		n.stay(e.col)
	}
	return e.lines()
}

const maxColumns = 1000

// stay remembers the column, in the last row of a wrapped line.
func (n *normaliser) stay(col int) {
	w := n.width
	if w == 0 {
		w = wrapWide
	}
	if col > 0 {
		col = (col-1)%min(w, maxColumns) + 1
	}
	n.col = col
}

// step takes the byte, character or run at i.
func (n *normaliser) step(e *editor, i int) int {
	c := e.raw[i]
	switch n.state {
	case ground:
		return n.ground(e, i)
	case inOSC, inString:
		return n.inside(e, i)
	case oscEscape, stringEscape:
		n.state = inEscape
		if c == '\\' {
			n.state = ground
			return i + 1
		}
		return i
	}
	switch {
	case c == 0x1b:
		n.state = inEscape
		e.params = e.params[:0]
	case c == 0x18 || c == 0x1a:
		n.state = ground
	case c < 0x20:
		e.control(i)
	case c == 0x7f:
	case c >= 0x80:
		n.state = ground
		return i
	case n.state == inEscape:
		n.escape(e, c)
	case c >= 0x40:
		n.state = ground
		e.csi(c)
	default:
		e.params = append(e.params, c)
	}
	return i + 1
}

func (n *normaliser) escape(e *editor, c byte) {
	e.params = e.params[:0]
	switch {
	case c < 0x30: // intermediate
	case c == '[':
		n.state = inCSI
	case c == ']':
		n.state = inOSC
		e.hide()
	case c == 'P' || c == 'X' || c == '^' || c == '_':
		n.state = inString
		e.hide()
	default:
		n.state = ground
	}
}

// inside takes a byte of the payload of an OSC or another string.
func (n *normaliser) inside(e *editor, i int) int {
	c := e.raw[i]
	switch {
	case c == 0x1b:
		n.state += oscEscape - inOSC
	case c == 0x18 || c == 0x1a || c == 0x07 && n.state == inOSC:
		n.state = ground
	case c >= 0x80 && look[c]&lookHidden != 0 && dropped(e.raw[i:]):
		_, size := utf8.DecodeRuneInString(e.raw[i:])
		return i + size
	case c >= 0x20:
		e.hidden = append(e.hidden, c)
		e.hiddenAt = append(e.hiddenAt, int32(i))
	}
	return i + 1
}

func (n *normaliser) ground(e *editor, i int) int {
	c := e.raw[i]
	switch {
	case c == 0x1b:
		n.state = inEscape
		e.params = e.params[:0]
		return i + 1
	case c < 0x20 && c != '\t':
		e.control(i)
		return i + 1
	case c == 0x7f:
		return i + 1
	}
	size := 1
	if c >= 0x80 {
		_, size = utf8.DecodeRuneInString(e.raw[i:])
		if look[c]&lookHidden != 0 && dropped(e.raw[i:]) {
			return i + size
		}
	}
	e.print(i, size)
	return i + size
}

// editor is one line of a terminal.
type editor struct {
	raw      string
	width    int
	cells    []cell
	col      int
	row      int // of the rows that the margin makes
	params   []byte
	edited   bool // something was overwritten
	all      []cell
	hidden   []byte
	hiddenAt []int32
}

type cell struct{ at, size int32 }

func (e *editor) print(i, size int) {
	wide, _ := widthAt(e.raw, i, e.col)
	if wide == 0 {
		e.onto(i, size)
		return
	}
	c := cell{int32(i), int32(size)}
	e.all = append(e.all, c)
	if e.width > 0 && e.col+min(wide, 2) > (e.row+1)*e.width {
		e.col = max(e.col, (e.row+1)*e.width) // a wide character leaves the last column free
		e.row++
	}
	e.pad(e.col, i)
	switch {
	case e.col == len(e.cells):
		e.cells = append(e.cells, c)
	case e.raw[i] != '\t': // a tab goes over what is there
		e.cells[e.col] = c
		e.edited = true
		for k := e.col + 1; k < min(e.col+wide, len(e.cells)); k++ {
			e.cells[k].size = 0
		}
	}
	e.col += wide
	e.pad(e.col, i)
}

// onto puts a character without a column of its own into the cell before it.
func (e *editor) onto(i, size int) {
	e.all = append(e.all, cell{int32(i), int32(size)})
	if e.col == 0 || e.col > len(e.cells) {
		return
	}
	for k := e.col - 1; k >= 0; k-- {
		if c := &e.cells[k]; c.size > 0 {
			if c.at+c.size == int32(i) {
				c.size += int32(size)
			}
			return
		}
	}
}

// pad fills up to a column with cells that hold nothing.
func (e *editor) pad(upto, i int) {
	for len(e.cells) < upto {
		e.cells = append(e.cells, cell{int32(i), 0})
	}
}

const minColumns = 40

func (e *editor) control(i int) {
	switch e.raw[i] {
	case '\b':
		e.col = max(e.rowStart(), e.col-1)
		e.back(i)
	case '\r':
		if e.width == 0 && e.wrapsAt(i) {
			e.cells = e.cells[:len(e.cells)-1]
			e.all = e.all[:len(e.all)-1]
			e.col--
			return
		}
		if e.row > 0 {
			e.afterMargin()
		} else {
			e.back(i)
		}
		e.col = e.rowStart()
	}
}

// afterMargin forgets the one character that a line editor wrote to get into this row.
func (e *editor) afterMargin() {
	if e.col == e.rowStart()+1 && len(e.all) > 0 {
		e.all = e.all[:len(e.all)-1]
	}
}

// rowStart is where the cursor's row begins: the margin of a known width makes rows.
func (e *editor) rowStart() int { return e.row * e.width }

// back notes that the cursor went back: what was written so far was a line of its own.
func (e *editor) back(i int) {
	if n := len(e.all); n > 0 && e.all[n-1].size > 0 {
		e.all = append(e.all, cell{int32(i), lineBreak})
	}
}

const lineBreak = -1 // the size of a cell

// wrapsAt: a line editor at the right margin writes a blank, or the next character
// already, and returns, so that the terminal goes to the next row; the text goes on.
func (e *editor) wrapsAt(i int) bool {
	n := len(e.cells)
	if e.col != n || n <= minColumns || i+1 >= len(e.raw) || e.raw[i+1] <= ' ' || e.cells[n-1].size != 1 || int(e.cells[n-1].at) != i-1 {
		return false
	}
	return e.raw[i-1] == ' ' || e.raw[i-1] == e.raw[i+1] && n%wrapWide == 1
}

// csi follows the sequences that move in a line or erase.
func (e *editor) csi(final byte) {
	p := 0
	for _, c := range e.params {
		if c < '0' || c > '9' {
			break
		}
		p = min(p*10+int(c-'0'), 4096)
	}
	switch final {
	case 'A':
		for range min(max(1, p), e.row) {
			e.row--
			e.col = max(0, e.col-e.width)
		}
	case 'C':
		e.col = min(e.col+max(1, p), len(e.cells))
	case 'D':
		e.col = max(e.rowStart(), e.col-max(1, p))
	case 'G':
		e.col = min(e.rowStart()+max(0, p-1), len(e.cells))
	case 'K':
		e.erase(p)
	case 'P':
		if e.col < len(e.cells) {
			e.edited = true
			e.cells = append(e.cells[:e.col], e.cells[min(len(e.cells), e.col+max(1, p)):]...)
		}
	}
}

func (e *editor) erase(p int) {
	if p == 0 && e.col < len(e.cells) {
		e.cells, e.edited = e.cells[:e.col], true
	}
	if p == 2 && len(e.cells) > 0 {
		e.cells, e.edited = e.cells[:0], true
	}
}

// hide begins the payload of a string.
func (e *editor) hide() {
	if len(e.hidden) > 0 {
		e.hidden = append(e.hidden, '\n')
		e.hiddenAt = append(e.hiddenAt, e.hiddenAt[len(e.hiddenAt)-1])
	}
}

func (e *editor) lines() normLine {
	l := normLine{main: e.view(e.cells), cols: len(e.cells)}
	if e.edited {
		l.others = append(l.others, e.view(e.all))
	}
	if len(e.hidden) > 0 {
		var v viewMaker
		for i := range e.hidden {
			v.add(string(e.hidden[i:i+1]), e.hiddenAt[i])
		}
		l.others = append(l.others, v.view())
	}
	return l
}

func (e *editor) view(cells []cell) view {
	var v viewMaker
	for _, c := range cells {
		if c.size == lineBreak {
			v.add("\n", c.at)
			continue
		}
		v.add(e.raw[c.at:c.at+c.size], c.at)
	}
	return v.view()
}

// Printable gives the text that a terminal's bytes show, line by line, without escape
// sequences, without what was overwritten, and without invisible characters, those
// included that a terminal keeps in the cell of another (joiners, variation selectors).
func Printable(raw string) string {
	var n normaliser
	var out strings.Builder
	for raw != "" {
		line, rest, found := strings.Cut(raw, "\n")
		out.WriteString(n.line(strings.TrimRight(line, "\r"), true).main.text)
		if found {
			out.WriteByte('\n')
		}
		raw = rest
	}
	return out.String()
}
