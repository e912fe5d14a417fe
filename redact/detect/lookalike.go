package detect

import "unicode/utf8"

// Layer 1 for names that are written to be read and not to be found: with letters of
// other scripts that look like Latin ones, in full width, or with blanks between.

// lookalikes are pairs of a letter and the Latin one that it looks like.
const lookalikes = "аaеeоoрpсcуyхxкkіiѕsјjһhԁdԝwԛqтtпnгrАAВBЕEКKМMНHОOРPСCТTУYХXЅSІIЈJ" +
	"οoρpαaνvιiκkτtυuωwεeσoΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧXıiɑaɡgſs"

var latinOf = func() map[rune]byte {
	m := map[rune]byte{}
	letters := []rune(lookalikes)
	for i := 0; i < len(letters); i += 2 {
		m[letters[i]] = byte(letters[i+1])
	}
	return m
}()

// latin gives the ASCII character that r looks like; wide is one of a script that has
// nothing but these.
func latin(r rune) (c byte, wide bool) {
	switch {
	case r >= 0xff01 && r <= 0xff5e: // full width
		return byte(r - 0xfee0), true
	case r >= 0x1d400 && r < 0x1d6a4: // bold, italic, script …
		n := byte((r - 0x1d400) % 52)
		return n + 'A' + b2(n >= 26)*('a'-'A'-26), true
	}
	return latinOf[r], false
}

func b2(b bool) byte { return byte(b2i(b)) }

// lookalike folds such letters and looks again, if one stands in a word with ASCII.
func (l *line) lookalike() {
	if l.s.depth >= maxDepth || !holdsLookalike(l.text) {
		return
	}
	t := l.text
	text, at := make([]byte, 0, len(t)), make([]int, 0, len(t)+1)
	mixed := false
	for i := 0; i < len(t); {
		r, n := utf8.DecodeRuneInString(t[i:])
		c, wide := latin(r)
		if r >= utf8.RuneSelf && c != 0 {
			mixed = mixed || wide || i > 0 && isAlpha(t[i-1]) || i+n < len(t) && isAlpha(t[i+n])
			text, at = append(text, c), append(at, i)
		} else {
			for k := range n {
				text, at = append(text, t[i+k]), append(at, i+k)
			}
		}
		i += n
	}
	if mixed {
		l.nested(string(text), append(at, len(t)))
	}
}

// leads are the first bytes of what latin knows.
var leads = func() (t [256]bool) {
	for r := range latinOf {
		t[utf8Lead(r)] = true
	}
	t[utf8Lead(0xff01)], t[utf8Lead(0x1d400)] = true, true
	return t
}()

func holdsLookalike(t string) bool {
	i := 0
	for ; i+8 <= len(t); i += 8 {
		if (t[i]|t[i+1]|t[i+2]|t[i+3]|t[i+4]|t[i+5]|t[i+6]|t[i+7])&0x80 != 0 {
			break
		}
	}
	for ; i < len(t); i++ {
		if leads[t[i]] {
			return true
		}
	}
	return false
}

// spaced reads p a s s w o r d = V, of which a part was found at pos, without its blanks.
func (l *line) spaced(pos int) {
	t := l.text
	if l.wideKey || l.s.depth >= maxDepth {
		return
	}
	l.wideKey = true
	for pos > 1 && t[pos-1] == ' ' && isAlpha(t[pos-2]) && (pos == 2 || t[pos-3] == ' ') {
		pos -= 2
	}
	var text []byte
	var at []int
	take := func(i int) { text, at = append(text, t[i]), append(at, i) }
	i := apart(t, pos, take)
	i = skipBlanks(t, i)
	sep, after := separator(t, i)
	if sep != ':' && sep != '=' {
		return
	}
	take(i)
	v := skipBlanks(t, after)
	if n := len(text); apart(t, v, take) < v+7 {
		text, at = text[:n], at[:n]
		for v < len(t) && len(text) < maxValue {
			take(v)
			v++
		}
	}
	l.nested(string(text), append(at, at[len(at)-1]+1))
}

// apart takes the characters from i on that stand each by itself, a blank between, and
// gives the offset behind them.
func apart(t string, i int, take func(int)) int {
	for i < len(t) && !isSpace(t[i]) && (i+1 == len(t) || t[i+1] == ' ') {
		if t[i] == '=' || t[i] == ':' {
			return i
		}
		take(i)
		i += 2
	}
	return min(i, len(t))
}
