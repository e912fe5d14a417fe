package detect

import "strings"

// Layer 1 in tables: a column whose head is a secret's key.

type tableState struct {
	sep  string // between cells
	cols []column
	left int // lines that the table may still have
}

type column struct {
	index, from int
	key         string
	class       keyClass
}

const maxTable = 200 // rows without a secret, until the table is over

// tableNext masks the cells of secret columns and looks for heads of tables.
func (s *Scanner) tableNext(l *line) {
	t := l.text
	if s.table.left > 0 {
		s.table.left--
		if s.tableRow(l) {
			return
		}
	}
	if len(t) < 8 || len(t) > 2048 || len(l.hits) == 0 {
		return
	}
	switch {
	case strings.IndexByte(t, '|') >= 0:
		s.pipeHead(t, "|")
	case strings.Contains(t, "│"):
		s.pipeHead(t, "│")
	case strings.Contains(t, "  ") && (isHeadLine(t) || isTitleLine(t)):
		s.blankHead(t)
	case strings.Count(t, ",") >= 1 && isCSVHead(t):
		s.csvHead(t, ",")
	case strings.IndexByte(t, ';') > 0 && isCSVHead(strings.ReplaceAll(t, ";", ",")):
		s.csvHead(t, ";")
	case strings.IndexByte(t, '\t') > 0 && isCSVHead(strings.ReplaceAll(t, "\t", ",")):
		s.csvHead(t, "\t")
	}
}

func (s *Scanner) tableRow(l *line) bool {
	t := l.text
	trimmed := strings.TrimSpace(t)
	if trimmed == "" || l.cmd >= 0 {
		s.table = tableState{}
		return false
	}
	if strings.Trim(trimmed, "+-=| ─┼│╪═├┤┌┐└┘┬┴╞╡") == "" {
		return true
	}
	if s.table.sep != " " && !strings.Contains(t, s.table.sep) {
		s.table = tableState{}
		return false
	}
	for _, c := range s.table.cols {
		from, to := cellAt(t, s.table.sep, c)
		if v := t[from:to]; v != "" && cellSecret(c, v) {
			l.add(Span{Start: from, End: to, Kind: kindOfKey(c.key), Sure: strongEnough(v), rank: rankKey})
			s.table.left = max(s.table.left, maxTable)
		}
	}
	return false
}

func cellSecret(c column, v string) bool {
	if judge(v, true) == valueNone || looksLikeHost(v) && c.class != keyPassword || strings.Count(v, " ") > 2 {
		return false
	}
	if isDigits(v) && len(v) < 4 || looksLikePath(v) {
		return false
	}
	if strings.IndexByte("`'<(", v[0]) >= 0 {
		return false
	}
	return c.class == keyPassword && len(v) > 2 && shapeOf(v) >= valueMixed || strongEnough(v)
}

// cellAt gives the cell of a column, without the blanks and quotes around it.
func cellAt(t, sep string, c column) (int, int) {
	from, to := 0, len(t)
	if sep == " " {
		from = min(c.from, len(t))
		for from > 0 && from < len(t) && !isSpace(t[from-1]) {
			from--
		}
		to = from
		for to < len(t) && !(isSpace(t[to]) && (to+1 >= len(t) || isSpace(t[to+1]))) {
			to++
		}
	} else {
		for n := 0; n < c.index; n++ {
			k := strings.Index(t[from:], sep)
			if k < 0 {
				return 0, 0
			}
			from += k + len(sep)
		}
		if k := strings.Index(t[from:], sep); k >= 0 {
			to = from + k
		}
	}
	for from < to && (isSpace(t[from]) || t[from] == '"') {
		from++
	}
	for to > from && (isSpace(t[to-1]) || t[to-1] == '"') {
		to--
	}
	return from, to
}

// pipeHead takes | name | password |, but not a line that is itself key | value.
func (s *Scanner) pipeHead(t, sep string) {
	cells := strings.Split(t, sep)
	s.setHead(sep, cells, func(c string) bool { return len(strings.Fields(c)) == 1 })
}

func (s *Scanner) csvHead(t, sep string) {
	s.setHead(sep, strings.Split(t, sep), func(string) bool { return true })
}

func (s *Scanner) setHead(sep string, cells []string, ok func(string) bool) {
	var cols []column
	for i, c := range cells {
		name := strings.Trim(c, " \t\"")
		if name == "" {
			continue
		}
		if !isName(strings.ReplaceAll(name, " ", "_")) || !ok(c) {
			return
		}
		if class := classify(name); class > keyWeak {
			cols = append(cols, column{index: i, key: name, class: class})
		}
	}
	if len(cols) > 0 && len(cells) > 1 {
		s.table = tableState{sep: sep, cols: cols, left: maxTable}
	}
}

// isHeadLine: words in capitals, two blanks or more between some of them.
func isHeadLine(t string) bool {
	c := countClasses(t)
	return c.upper > 4 && c.lower == 0
}

// isTitleLine: two to eight words, all with a capital or none, two blanks or more
// between them.
func isTitleLine(t string) bool {
	words := 0
	small := t != "" && isLower(t[0])
	for i := skipBlanks(t, 0); i < len(t); words++ {
		j := i
		for j < len(t) && (isAlpha(t[j]) || small && t[j] == '_') {
			j++
		}
		next := skipBlanks(t, j)
		if j == i || isUpper(t[i]) == small || next == j && j < len(t) || next-j == 1 && next < len(t) || !small && !isWord(t[i:j]) {
			return false
		}
		i = next
	}
	return words >= 2 && words <= 8
}

func isCSVHead(t string) bool {
	return strings.Trim(t, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-,\" ") == "" && !strings.Contains(t, ", ")
}

// blankHead takes a head whose cells stand two blanks apart, or one where none has more
// than one word.
func (s *Scanner) blankHead(t string) {
	var cols []column
	cells := headCells(t)
	for i, c := range cells {
		if class := classify(strings.ToLower(strings.ReplaceAll(c.key, " ", "_"))); class > keyWeak {
			c.index, c.class = i, class
			cols = append(cols, c)
		}
	}
	if len(cols) > 0 && len(cells) > 1 {
		s.table = tableState{sep: " ", cols: cols, left: maxTable}
	}
}

// headCells: ACCESS KEY and SECRET KEY are cells of two words, if both words together
// are a key's name; else each word is a cell.
func headCells(t string) (cells []column) {
	f, at := fields(t, 16)
	for i := 0; i < len(f); i++ {
		if i+1 < len(f) && isWord(f[i]) && isWord(f[i+1]) && at[i+1] == at[i]+len(f[i])+1 && (i+2 == len(f) || at[i+2] > at[i+1]+len(f[i+1])+1) {
			cells = append(cells, column{from: at[i], key: f[i] + " " + f[i+1]})
			i++
			continue
		}
		cells = append(cells, column{from: at[i], key: f[i]})
	}
	return cells
}

// tokenList is a table of names and values in rows, of which one is a token: its id
// stands in a row above.
type tokenList struct{ left int }

const maxTokenList = 12

// tokenRow masks the value in "│ value │ UUID │".
func (l *line) tokenRow(end int) {
	t := l.text
	if l.s.listed.left == 0 {
		return
	}
	for i := end; i < len(t) && i < end+200; i++ {
		if isHex(t[i]) && isUUID(t[i:min(len(t), i+36)]) {
			l.add(Span{Start: i, End: i + 36, Kind: "token", Sure: true, rank: rankForm})
			l.s.listed.left = 0
			return
		}
	}
}
