// Package runes classifies characters that can hide or disguise what a text
// says: control and bidirectional characters, invisible ones, spaces that are
// none to a shell, and letters and marks that look like ASCII.
//
// The tables follow Unicode 15: UAX #9 (bidirectional controls), UTS #39
// (confusables, the part that looks like ASCII), and the general category Cf.
// What is not here is ordinary: emoji, and letters of one script.
package runes

import "unicode"

// A Class is what is unusual about a character.
type Class uint8

// The classes.
const (
	Plain      Class = iota
	Control          // C0 but newline and tab, DEL, C1
	Bidi             // changes the order in which text is shown
	Invisible        // takes no place: zero width, tags, fillers, soft hyphen
	Space            // a space that a shell does not split at
	Confusable       // a letter or mark that looks like an ASCII one
	Private          // private use: looks like whatever the font says
)

// Of gives the class of r by itself. Joiners and variation selectors are
// Invisible: whether they stand where writing needs them is for Joins to say.
func Of(r rune) Class {
	switch {
	case r == '\n' || r == '\t' || r >= 0x20 && r < 0x7f:
		return Plain
	case r < 0x20 || r >= 0x7f && r < 0xa0:
		return Control
	case r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 || r == 0x200e || r == 0x200f || r == 0x061c:
		return Bidi
	case invisible(r):
		return Invisible
	case r == 0xa0 || r == 0x1680 || r >= 0x2000 && r <= 0x200a || r == 0x2028 || r == 0x2029 || r == 0x202f || r == 0x205f || r == 0x3000 || r == 0x0085:
		return Space
	case r >= 0xe000 && r <= 0xf8ff || r >= 0xf0000:
		return Private
	case Skeleton(r) != r:
		return Confusable
	}
	return Plain
}

func invisible(r rune) bool {
	switch {
	case r == 0xad || r == 0x034f || r == 0x115f || r == 0x1160 || r == 0x17b4 || r == 0x17b5 || r == 0x180e || r == 0x3164 || r == 0xffa0 || r == 0xfeff || r == 0x2800:
		return true
	case r >= 0x180b && r <= 0x180f, r >= 0x200b && r <= 0x200d, r >= 0x2060 && r <= 0x2065, r >= 0x206a && r <= 0x206f, r >= 0xfe00 && r <= 0xfe0f, r >= 0xfff0 && r <= 0xfffb, r >= 0xe0000 && r <= 0xe0fff, r >= 0x1bca0 && r <= 0x1bca3, r >= 0x1d173 && r <= 0x1d17a:
		return true
	}
	return unicode.Is(unicode.Cf, r)
}

// Joins reports whether an invisible r is ordinary writing between prev and
// next: a joiner between emoji or between letters of a script that joins, a
// variation selector behind an emoji.
func Joins(prev, r, next rune) bool {
	switch {
	case r == 0x200d && emoji(prev) && emoji(next):
		return true
	case (r == 0x200d || r == 0x200c) && joiningScript(prev) && joiningScript(next):
		return true
	case r == 0xfe0f || r == 0xfe0e:
		return emoji(prev)
	}
	return false
}

func emoji(r rune) bool {
	return r >= 0x1f000 && r <= 0x1faff || r >= 0x2190 && r <= 0x2bff || r == 0xfe0f || r == 0x00a9 || r == 0x00ae || r >= 0x3030 && r <= 0x303d || r == 0x3297 || r == 0x3299
}

func joiningScript(r rune) bool {
	return unicode.In(r, unicode.Arabic, unicode.Devanagari, unicode.Bengali, unicode.Tamil, unicode.Telugu, unicode.Kannada, unicode.Malayalam, unicode.Gujarati, unicode.Gurmukhi, unicode.Oriya, unicode.Sinhala, unicode.Khmer, unicode.Myanmar, unicode.Syriac, unicode.Mongolian)
}

// Skeleton gives the ASCII character that r looks like, or r itself.
func Skeleton(r rune) rune {
	switch {
	case r < 0x80:
		return r
	case r >= 0xff01 && r <= 0xff5e: // fullwidth forms
		return r - 0xff01 + '!'
	case r >= 0x1d400 && r <= 0x1d7ff: // mathematical letters and digits
		return mathematical(r)
	case r >= 0x24b6 && r <= 0x24cf:
		return 'A' + r - 0x24b6
	case r >= 0x24d0 && r <= 0x24e9:
		return 'a' + r - 0x24d0
	}
	if s, ok := skeletons[r]; ok {
		return s
	}
	return r
}

func mathematical(r rune) rune {
	if r >= 0x1d7ce {
		return '0' + (r-0x1d7ce)%10
	}
	if r < 0x1d6a4 {
		n := (r - 0x1d400) % 52
		if n < 26 {
			return 'A' + n
		}
		return 'a' + n - 26
	}
	return 'x'
}

// skeletons are letters and marks outside ASCII that most fonts draw like an
// ASCII character (UTS #39, confusables.txt).
var skeletons = table(
	"аaеeоoрpсcуyхxѕsіiјjһhԁdԛqԝwӏlᴠvгrмmтtкkпnвbнhьbзzԍgґrєeуyүyԑeҽeЅSІIЈJАAВBЕEКKМMНHОOРPСCТTХXҮYԌGԚQԜWѴVѵvӀI",
	"αaοoρpνvτtυuιiκkγyηnχxωwεeσoςcΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧXϲcϹCϳjߋoᎪAᏟCᎬEᎻHᎫJᏞLᎷMᏢPᎡRᏚSᎢTᏙVᎳWᏃZ",
	"օoսuցgһhոnհhլlզqԁdｍmıiɑaɡgɩiʋvʏyʀrɢgʜhʟlɴnʙbꜱsᴀaᴄcᴅdᴇeᴊjᴋkᴍmᴏoᴘpᴛtᴜuᴡwᴢzɪiℓlℯeℊgℴoⅰiⅼlⅽcⅾdⅿmⅹxⅤVⅩXⅬLⅭCⅮDⅯMⅠI℮e",
	"‐-‑-‒-–-—-―-−-⁃-˗-﹣-－-➖-ー-·.․.‧.。.｡.•.／/∕/⁄/╱/⧸/⟋/〳/∖\\⧵\\＼\\﹨\\⟍\\｜|∣|⏐|❘|❙|│|┃|ǀ|；;;;︔;؛;：:ː:∶:꞉:׃:܃:︓:｀`‵`ˋ`＇'’'‘'ʼ'′'＂\"“\"”\"″\"＆&＄$﹩$＜<‹<˂<＞>›>˃>（(）)❨(❩)｛{｝}❴{❵}［[］]＊*∗*⁎*﹡*※*！!ǃ!？?＝=꞊=゠=＃#﹟#～~∼~˜~％%٪%＋+˖+᛭+，,‚,٫,",
)

func table(pairs ...string) map[rune]rune {
	m := map[rune]rune{}
	for _, p := range pairs {
		r := []rune(p)
		for i := 0; i+1 < len(r); i += 2 {
			if r[i] >= 0x80 {
				m[r[i]] = r[i+1]
			}
		}
	}
	return m
}
