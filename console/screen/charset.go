package screen

// charsets are the four designated character sets and which of them is in use.
type charsets struct {
	g      [4]byte // 'B' ASCII, '0' DEC special graphics, 'A' United Kingdom; 0 is 'B'
	gl     uint8   // which one is in use
	single uint8   // SS2, SS3: for one character; 0 none
}

// designate handles ESC ( ) * + with a final byte.
func (c *charsets) designate(inter, final byte) {
	i := inter - '('
	if i > 3 {
		return
	}
	if final != '0' && final != 'A' {
		final = 'B'
	}
	c.g[i] = final
}

func (c *charsets) plain() bool {
	return c.single == 0 && (c.g[c.gl] == 0 || c.g[c.gl] == 'B')
}

// translate returns what an ASCII character stands for.
func (c *charsets) translate(r rune) rune {
	set := c.g[c.gl]
	if c.single != 0 {
		set, c.single = c.g[c.single], 0
	}
	switch {
	case set == '0' && r >= 0x5f && r <= 0x7e:
		return decGraphics[r-0x5f]
	case set == 'A' && r == '#':
		return '£'
	}
	return r
}

// decGraphics is the DEC special graphics set from 0x5f (VT220 Programmer Reference, table 2-4).
var decGraphics = [...]rune{
	' ', '◆', '▒', '␉', '␌', '␍', '␊', '°', '±', '␤', '␋', '┘', '┐', '┌', '└', '┼',
	'⎺', '⎻', '─', '⎼', '⎽', '├', '┤', '┴', '┬', '│', '≤', '≥', 'π', '≠', '£', '·',
}
