package command

// Most lines are one command of plain words. They are split here, without the
// parser: a test holds that both give the same facts.

// plainBytes are those that mean themselves in every word of every shell.
var plainBytes = func() (set [256]bool) {
	for c := 'a'; c <= 'z'; c++ {
		set[c], set[c-'a'+'A'] = true, true
	}
	for _, c := range "0123456789-_./:,@%+" {
		set[c] = true
	}
	return set
}()

// notPlain are first words that begin something else than a command.
var notPlain = setOf(`if then elif else fi for while until do done case esac in select function time coproc repeat foreach end nocorrect
declare typeset export readonly local nameref let integer float always begin`)

// maxPlain bounds a line that is split here.
const maxPlain = 4096

// plainLine splits a line of plain words at its blanks.
func plainLine(text string, offset int) ([]Word, bool) {
	if len(text) > maxPlain {
		return nil, false
	}
	n := 1
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == ' ':
			n++
		case !plainBytes[c]:
			return nil, false
		}
	}
	words := make([]Word, 0, n)
	for i := 0; i < len(text); {
		if text[i] == ' ' {
			i++
			continue
		}
		start := i
		for i < len(text) && text[i] != ' ' {
			i++
		}
		words = append(words, Word{Text: text[start:i], Known: true, Start: offset + start, End: offset + i})
	}
	if len(words) == 0 || notPlain[words[0].Text] {
		return nil, false
	}
	return words, true
}

// plainCommand judges a line that plainLine has split.
func (w *walker) plainCommand(words []Word) {
	if !w.spend(len(words)) {
		return
	}
	w.simple(simple{words: words, start: words[0].Start, end: words[len(words)-1].End})
}
