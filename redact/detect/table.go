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

const maxTable = 200

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

// isTitleLine: two to eight words, each with a capital, two blanks or more between them.
func isTitleLine(t string) bool {
	f, at := fields(t, 9)
	if len(f) < 2 || len(f) > 8 {
		return false
	}
	for i, w := range f {
		if !isUpper(w[0]) || !isWord(w) || i > 0 && at[i]-at[i-1]-len(f[i-1]) < 2 {
			return false
		}
	}
	return true
}

func isCSVHead(t string) bool {
	return strings.Trim(t, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-,\" ") == "" && !strings.Contains(t, ", ")
}

func (s *Scanner) blankHead(t string) {
	var cols []column
	f, at := fields(t, 16)
	for i, name := range f {
		if class := classify(strings.ToLower(name)); class > keyWeak {
			cols = append(cols, column{index: i, from: at[i], key: name, class: class})
		}
	}
	if len(cols) > 0 && len(f) > 1 {
		s.table = tableState{sep: " ", cols: cols, left: maxTable}
	}
}
