package safetext

import (
	"unicode"

	"sallyport/policy/runes"
)

// disguised reports for each rune of text whether it looks like an ASCII character and stands where that would be believed: a letter in a
// word that has ASCII letters too, or any other sign.
func disguised(text []rune) []bool {
	out := make([]bool, len(text))
	for from := 0; from < len(text); {
		to := from
		ascii := false
		for to < len(text) && wordRune(text[to]) {
			ascii = ascii || text[to] < 0x80 && unicode.IsLetter(text[to])
			to++
		}
		for i := from; i < to; i++ {
			out[i] = ascii && runes.Of(text[i]) == runes.Confusable
		}
		if to < len(text) {
			out[to] = runes.Of(text[to]) == runes.Confusable
			to++
		}
		from = to
	}
	return out
}

func wordRune(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.M, r)
}
