package detect

import "strings"

// Layer 2: SQL that sets a password.

// sqlAt masks the quoted string behind IDENTIFIED BY, PASSWORD and their like.
func (l *line) sqlAt(pos, end int) {
	t := l.text
	if strings.EqualFold(strings.TrimSpace(t[pos:end]), "values") {
		l.insert(pos, end)
		return
	}
	if strings.EqualFold(t[pos:end], "select ") {
		l.selectsSecret(end)
		return
	}
	if mark := strings.ToLower(t[pos:end]); (strings.HasPrefix(mark, "md5") || strings.HasPrefix(mark, "sha")) && !strings.Contains(strings.ToLower(t[max(0, pos-40):pos]), "pass") {
		return
	}
	if strings.HasSuffix(t[pos:end], "'") {
		l.sqlString(strings.LastIndexAny(t[:end], "'"))
		return
	}
	if strings.EqualFold(t[pos:end], "identified") {
		low := strings.ToLower(t[end:min(len(t), end+80)])
		if !strings.HasPrefix(low, " by ") && !strings.HasPrefix(low, " with ") && !strings.HasPrefix(low, " via ") {
			return
		}
		if k := strings.Index(strings.ToLower(t[end:min(len(t), end+200)]), " replace "); k > 0 { // Oracle: the old one
			l.sqlOperand(end + k + len(" replace "))
		}
		if k := strings.Index(low, " by "); k >= 0 {
			l.sqlOperand(end + k + 4)
		} else if k := strings.Index(low, " as "); k >= 0 {
			l.sqlOperand(end + k + 4)
		}
		return
	}
	if k := strings.Index(strings.ToLower(t[end:min(len(t), end+200)]), "password"); strings.EqualFold(t[pos:end], "user mapping") && k >= 0 {
		end += k + len("password")
	}
	l.sqlOperand(end)
}

func (l *line) sqlOperand(i int) {
	t := l.text
	i = skipBlanks(t, i)
	for _, w := range [...]string{"password ", "values "} {
		if len(t)-i >= len(w) && strings.EqualFold(t[i:i+len(w)], w) {
			i = skipBlanks(t, i+len(w))
		}
	}
	if i >= len(t) {
		return
	}
	if t[i] == '\'' || t[i] == '"' || t[i] == '\\' && i+1 < len(t) {
		l.sqlString(i + b2i(t[i] == '\\'))
		return
	}
	if w, end := credentialAt(t, i); strongEnough(w) { // Oracle: IDENTIFIED BY tiger99
		l.add(Span{Start: i, End: end, Kind: "password", Sure: true, rank: rankCommand})
	}
}

func (l *line) sqlString(q int) {
	t := l.text
	if q < 0 || q >= len(t) || t[q] != '\'' && t[q] != '"' {
		return
	}
	end := q + 1
	for end < len(t) && end-q < 1024 {
		if t[end] == t[q] {
			if end+1 < len(t) && t[end+1] == t[q] {
				end += 2
				continue
			}
			break
		}
		end++
	}
	if end < len(t) && end > q && t[end-1] == '\\' {
		end--
	}
	v := t[q+1 : min(end, len(t))]
	if v == "" || isMaskLike(v) || isReference(v, true) {
		return
	}
	l.add(Span{Start: q + 1, End: end, Kind: "password", Sure: true, rank: rankCommand})
}

// insert masks the values of secret columns: INSERT INTO t (name, password) VALUES ('a', 'b').
func (l *line) insert(pos, end int) {
	t := l.text
	from := max(0, pos-1024)
	shut, open := strings.LastIndexByte(t[from:pos], ')'), strings.LastIndexByte(t[from:pos], '(')
	if shut < 0 || open < 0 {
		return
	}
	shut, open = shut+from, open+from
	i := skipBlanks(t, end)
	if shut < open || i >= len(t) || t[i] != '(' {
		return
	}
	values := sqlValues(t, i+1)
	table := strings.TrimSuffix(strings.Trim(lastWordOf(t[max(0, open-128):open]), "`\"[]"), "s")
	for n, col := range strings.Split(t[open+1:shut], ",") {
		name := strings.Trim(col, " \t`\"[]'")
		if n < len(values) && (classify(name) > keyWeak || (name == "key" || name == "value" || name == "hash") && classify(table) > keyWeak) {
			l.sqlString(values[n])
		}
	}
}

// sqlValues gives the offsets of the values in a list that begins at i.
func sqlValues(t string, i int) (at []int) {
	for i < len(t) && len(at) < 64 {
		i = skipBlanks(t, i)
		at = append(at, i)
		for i < len(t) && t[i] != ',' && t[i] != ')' {
			if t[i] == '\'' {
				if end := closingQuote(t, i, 0, false); end > 0 {
					i = end
				}
			}
			i++
		}
		if i >= len(t) || t[i] == ')' {
			break
		}
		i++
	}
	return at
}

func lastWordOf(t string) string {
	t = strings.TrimRight(t, " \t")
	return t[strings.LastIndexAny(t, " \t.")+1:]
}

// selectsSecret: SELECT name, password FROM users; the rows that follow hold it, one
// column to a row or with | between.
func (l *line) selectsSecret(i int) {
	t := l.text
	k := strings.Index(strings.ToLower(t[i:min(len(t), i+200)]), " from ")
	if k < 0 || strings.ContainsAny(t[i:i+k], "'\"$") || strings.HasSuffix(strings.TrimRight(t, " \t"), ",") {
		return
	}
	names := strings.Split(t[i:i+k], ",")
	var cols []column
	for n, name := range names {
		name = strings.TrimSpace(name)
		name = name[strings.LastIndexByte(name, '.')+1:]
		class := classify(name)
		if class <= keyWeak {
			continue
		}
		if len(names) > 1 {
			cols = append(cols, column{index: n, key: name, class: class})
		} else if l.cmd >= 0 {
			l.s.next = want{key: name, class: keyPassword, sep: '!', fresh: true}
		}
	}
	if len(cols) > 0 {
		l.s.table = tableState{sep: "|", cols: cols, left: 16}
	}
}
