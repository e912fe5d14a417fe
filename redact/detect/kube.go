package detect

import "strings"

// Layer 3: Kubernetes Secrets. Their data often stands before the line that says what
// they are, so that the values wait for it.

type kubeState struct {
	start  int // of a data block whose kind is not known yet, or -1
	indent int
	inside bool   // in a data block
	json   bool   // of JSON
	kind   string // of the document at hand, or ""
	wait   []Span
}

// kubeNext follows documents line by line.
func (s *Scanner) kubeNext(l *line) {
	t := l.text
	k := &s.kube
	trimmed := strings.TrimLeft(t, " \t")
	indent := len(t) - len(trimmed)
	if k.inside {
		s.inData(l, trimmed, indent)
	}
	switch {
	case trimmed == "":
		return
	case strings.HasPrefix(t, "---"), strings.HasPrefix(trimmed, "apiVersion:"), strings.HasPrefix(trimmed, "- apiVersion:"):
		if k.kind != "" || k.start >= 0 {
			s.endKube()
		}
		k.kind = ""
	case strings.HasPrefix(trimmed, "kind:"), strings.HasPrefix(trimmed, `"kind":`):
		s.sawKind(strings.Trim(trimmed[strings.IndexByte(trimmed, ':')+1:], " \t\",'"))
	case strings.HasPrefix(trimmed, "{") && strings.Contains(t, "ecret") && strings.Contains(t, "kind"), strings.Contains(t, `kind`) && strings.Contains(t, `:\"Secret\"`), strings.Contains(t, `:"Secret"`):
		l.kubeLine()
	}
	if !k.inside {
		s.dataBegins(l, trimmed, indent)
	}
}

func (s *Scanner) dataBegins(l *line, trimmed string, indent int) {
	switch strings.TrimRight(trimmed, " \t") {
	case "data:", "stringData:":
		s.kube.json = false
	case `"data": {`, `"stringData": {`:
		s.kube.json = true
	default:
		return
	}
	s.kube.inside, s.kube.indent = true, indent
	if s.kube.kind == "" && s.kube.start < 0 {
		s.kube.start = l.base
	}
}

func (s *Scanner) inData(l *line, trimmed string, indent int) {
	k := &s.kube
	if trimmed != "" && (indent <= k.indent || trimmed[0] == '}') || l.cmd >= 0 {
		k.inside = false
		return
	}
	if trimmed == "" || trimmed[0] == '#' {
		return
	}
	from := indent
	if colon := keyEnd(trimmed); colon > 0 {
		from = indent + colon + 1
	}
	v := l.readValue(from, skipBlanks(l.text, from), false)
	raw := l.text[v.start:v.end]
	if raw == "" || isMaskLike(raw) || strings.HasPrefix(raw, "{{") || strings.HasPrefix(raw, "$") || len(raw) <= 2 && strings.Trim(raw, "|>-+{[") == "" {
		return
	}
	sp := Span{Start: l.base + v.start, End: l.base + v.end, Kind: "kube-secret", Sure: true, rank: rankForm}
	if k.kind == "Secret" {
		s.found = append(s.found, sp)
	} else if k.kind == "" && len(k.wait) < 4096 {
		k.wait = append(k.wait, sp)
	}
}

// keyEnd gives the offset of the colon behind a YAML or JSON key, or -1.
func keyEnd(t string) int {
	i := 0
	for i < len(t) && (isKeyByte(t[i]) || t[i] == '"' || t[i] == '/') {
		i++
	}
	if i > 0 && i < len(t) && t[i] == ':' {
		return i
	}
	return -1
}

func (s *Scanner) sawKind(kind string) {
	k := &s.kube
	k.kind = kind
	if kind == "Secret" {
		s.found = append(s.found, k.wait...)
	}
	k.wait, k.start = k.wait[:0], -1
}

// endKube decides a block whose kind never came: it is masked if the command asked for
// secrets.
func (s *Scanner) endKube() {
	if s.kube.start >= 0 && s.out.secrets {
		s.found = append(s.found, s.kube.wait...)
	}
	s.kube = kubeState{start: -1, wait: s.kube.wait[:0]}
}

// kubeLine masks the data of a Secret that is written on one line, also as a string in
// another document.
func (l *line) kubeLine() {
	t := l.text
	if !strings.Contains(t, "Secret\"") && !strings.Contains(t, `Secret\"`) {
		return
	}
	for at := 0; ; {
		k := strings.Index(t[at:], "ata")
		if k < 0 {
			return
		}
		at += k + 3
		if head := t[max(0, at-12):at]; !strings.HasSuffix(head, `"data`) && !strings.HasSuffix(head, "stringData") {
			continue
		}
		i := skipClosers(t, at)
		sep, after := separator(t, i)
		i = skipBlanks(t, after)
		if sep != ':' || i >= len(t) || t[i] != '{' {
			continue
		}
		at = min(len(t), l.kubePairs(i+1))
	}
}

func (l *line) kubePairs(i int) int {
	t := l.text
	for i < len(t) {
		i = skipBlanks(t, i)
		if i >= len(t) || t[i] == '}' {
			return i
		}
		k := l.readValue(i, i, false)
		if !k.quoted || k.end <= k.start {
			return i + 1
		}
		j := skipClosers(t, k.end)
		sep, after := separator(t, j)
		if sep != ':' {
			return j
		}
		v := l.readValue(i, skipBlanks(t, after), false)
		if !v.quoted {
			return v.end + 1
		}
		if raw := t[v.start:v.end]; raw != "" && !isMaskLike(raw) && !strings.HasPrefix(raw, "{{") {
			l.add(Span{Start: v.start, End: v.end, Kind: "kube-secret", Sure: true, rank: rankForm})
		}
		i = skipClosers(t, v.end)
		if i >= len(t) || t[i] != ',' {
			return i
		}
		i++
	}
	return i
}
