package detect

import "strings"

// Layer 2: SQL that sets a password.

// sqlAt masks the quoted string behind IDENTIFIED BY, PASSWORD and their like.
func (l *line) sqlAt(pos, end int) {
	t := l.text
	if strings.HasSuffix(t[pos:end], "'") {
		l.sqlString(strings.LastIndexAny(t[:end], "'"))
		return
	}
	if strings.EqualFold(t[pos:end], "identified") {
		low := strings.ToLower(t[end:min(len(t), end+80)])
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
	if strings.HasPrefix(strings.ToLower(t[i:]), "password ") {
		i = skipBlanks(t, i+len("password "))
	}
	if strings.HasPrefix(strings.ToLower(t[i:]), "values ") {
		i = skipBlanks(t, i+len("values "))
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
