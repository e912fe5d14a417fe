package command

import "strings"

// salvage reads text that the parser refused as words between separators.
// The line is unanalyzable all the same; this only finds what can make the
// answer stricter.
func (w *walker) salvage(text string) {
	if w.rough {
		return
	}
	w.rough = true
	defer func() { w.rough = false }()
	w.aside(func() {
		w.fixed, w.span0 = true, w.whole(text)
		n := 0
		for _, piece := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(";|&\n(){}`", r) }) {
			if n++; n > 64 {
				return
			}
			w.salvagePiece(piece)
		}
	})
}

func (w *walker) whole(text string) [2]int {
	if w.fixed {
		return w.span0
	}
	return [2]int{w.offset, w.offset + len(text)}
}

var salvageKeywords = setOf("if then else elif fi do done while until for in case esac begin end and or not ! time repeat 3 select function always")

func (w *walker) salvagePiece(piece string) {
	var words []Word
	for _, f := range strings.Fields(piece) {
		f = strings.Trim(f, `"'`)
		f = strings.TrimPrefix(f, "e:'")
		if len(words) == 0 && (salvageKeywords[f] || f == "" || f == "$" || f == "*" || strings.HasPrefix(f, "e:")) {
			continue
		}
		known := !strings.ContainsAny(f, "$`")
		words = append(words, Word{Text: f, Known: known, Dynamic: !known, Start: w.span0[0], End: w.span0[1]})
	}
	if len(words) > 0 && words[0].Known {
		w.simple(simple{words: words, start: w.span0[0], end: w.span0[1]})
	}
}

// words reads a network device's command line: one command a line, blanks
// between words, nothing expanded; "do" in front runs another mode's command.
func (w *walker) words(text string) {
	at := 0
	for _, line := range strings.SplitAfter(text, "\n") {
		w.wordsLine(strings.TrimRight(line, "\r\n"), at)
		at += len(line)
	}
}

func (w *walker) wordsLine(line string, at int) {
	var words []Word
	for i := 0; i < len(line); {
		for i < len(line) && (line[i] == ' ' || line[i] == '\t') {
			i++
		}
		start := i
		var b strings.Builder
		for i < len(line) && line[i] != ' ' && line[i] != '\t' {
			if line[i] == '"' || line[i] == '\'' {
				q := line[i]
				for i++; i < len(line) && line[i] != q; i++ {
					b.WriteByte(line[i])
				}
				if i == len(line) {
					w.fail("a quote that is not closed")
				}
				i = min(i+1, len(line))
				continue
			}
			b.WriteByte(line[i])
			i++
		}
		if i > start {
			words = append(words, Word{Text: b.String(), Known: true, Start: w.offset + at + start, End: w.offset + at + i})
		}
	}
	if len(words) == 0 || strings.HasPrefix(words[0].Text, "!") {
		return
	}
	if words[0].Text == "do" && len(words) > 1 {
		words = words[1:]
	}
	f := Fact{Program: strings.ToLower(words[0].Text), Name: words[0], Args: words[1:], Start: words[0].Start, End: words[len(words)-1].End}
	f.construct("device")
	w.emit(f)
}
