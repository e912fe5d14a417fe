package command

import "strings"

// Bounds of the look at text beyond a limit.
const (
	maxScanned = 1 << 16 // at each end
	maxPieces  = 64
	maxWords   = 128
)

// beyond looks at text that is over a limit. It stays unanalyzable; padding,
// repetition or wrappers must only not hide a command that is denied. Pieces
// that begin with such a command, or with a program that runs another, are
// read as plain words, each once.
func (w *walker) beyond(text string) {
	all := len(text)
	if all > 2*maxScanned {
		text = text[:maxScanned] + "\n" + text[all-maxScanned:]
	}
	w.rough = true
	w.aside(func() {
		w.fixed, w.span0, w.via = true, [2]int{0, all}, nil
		seen := map[string]bool{}
		for piece := range strings.FieldsFuncSeq(text, separates) {
			words := w.bareWords(piece)
			if len(words) == 0 {
				continue
			}
			key := joined(words).Text
			if len(seen) >= maxPieces || seen[key] {
				continue
			}
			seen[key] = true
			w.nodes, w.depth = 0, 0
			w.simple(simple{words: words, start: w.span0[0], end: w.span0[1]})
		}
	})
	w.rough = false
}

// separates reports what stands between commands. It is asked for every
// character of a text of any length, as is parts.
func separates(r rune) bool {
	switch r {
	case ';', '|', '&', '\n', '(', ')', '`':
		return true
	}
	return false
}

// parts reports what stands between words.
func parts(r rune) bool {
	switch r {
	case ' ', '\t', '{', '}', ',', '"', '\'':
		return true
	}
	return false
}

// bareWords gives the denied command of a piece without what runs it, and
// without words that are repeated.
func (w *walker) bareWords(piece string) []Word {
	if startsNothing(piece) {
		return nil
	}
	fields := strings.FieldsFunc(piece, parts)
	for len(fields) > 0 && (salvageKeywords[fields[0]] || fields[0] == "$" || strings.Contains(fields[0], "=")) {
		fields = fields[1:]
	}
	if len(fields) == 0 {
		return nil
	}
	var words []Word
	seen := map[string]bool{}
	for i, f := range fields {
		if len(words) == 0 {
			if i > maxWords || i > 0 && !runsWords(fields[0]) {
				return nil
			}
			if !destructive(programOf(Word{Text: f, Known: true}), make([]Word, min(2, len(fields)-i-1))) || shellNames[f] {
				continue
			}
		}
		if !seen[f] {
			seen[f] = true
			known := !strings.Contains(f, "$")
			words = append(words, Word{Text: f, Known: known, Dynamic: !known, Start: w.span0[0], End: w.span0[1]})
		}
	}
	if len(words) > 2*maxWords {
		words = append(words[:maxWords:maxWords], words[len(words)-maxWords:]...)
	}
	return words
}

// startsNothing tells from the first words that bareWords will give none, so
// that the others need not be taken apart.
func startsNothing(piece string) bool {
	for field := range strings.FieldsFuncSeq(piece, parts) {
		if salvageKeywords[field] || field == "$" || strings.Contains(field, "=") {
			continue
		}
		return !runsWords(field) && !destructive(programOf(Word{Text: field, Known: true}), make([]Word, 2))
	}
	return true
}

// runsWords reports a program that runs what its words say.
func runsWords(name string) bool {
	name = programOf(Word{Text: name, Known: true})
	_, wraps := wrappers[name]
	return wraps || shellNames[name] || name == "eval" || name == "ssh" || name == "xargs" || name == "su"
}
