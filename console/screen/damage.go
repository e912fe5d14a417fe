package screen

// damage is the rows of the grid that may look different from what a reader has seen.
type damage struct{ from, to int }

func (d *damage) add(from, to int) {
	if d.from == d.to {
		d.from, d.to = from, to
		return
	}
	d.from, d.to = min(d.from, from), max(d.to, to)
}

// all marks every row, whatever the size.
func (d *damage) all() { d.from, d.to = 0, maxRows }

// Damage returns the rows of the grid, from up to and not including to, that may look different since the last call. It serves one reader.
func (s *Screen) Damage() (from, to int) {
	d := s.damage
	s.damage = damage{}
	return min(d.from, s.rows), min(d.to, s.rows)
}

// note adds what a token did when the cursor stood in row y before. What moves rows has marked them itself.
func (s *Screen) note(t *Token, y int) {
	switch t.Kind {
	case Text:
		s.damage.add(min(y, s.grid.y), max(y, s.grid.y)+1)
	case Escape:
		if !movesOnly(t) {
			s.damage.all()
		}
	case CSI:
		s.noteCSI(t, y)
	}
}

func (s *Screen) noteCSI(t *Token, y int) {
	switch {
	case t.Private == '?' && t.Inter == 0 && t.Params() == 1 && shownByCursor(t.Param(0, 0)):
	case t.Private != 0 || t.Inter != 0:
		s.damage.all()
	case t.Final == 'J' && t.Param(0, 0) == 0:
		s.damage.add(y, s.rows)
	default:
		s.noteFinal(t.Final, y)
	}
}

func (s *Screen) noteFinal(final byte, y int) {
	switch final {
	case 'A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'I', 'Z', '`', 'a', 'd', 'e', 'f', 'm', 'n', 'c', 's', 'u', 'r', 'g':
	case 'K', 'P', 'X', '@':
		s.damage.add(y, y+1)
	default:
		s.damage.all()
	}
}

// movesOnly tells whether an escape sequence changes no cell by itself: it scrolls, moves the cursor, or sets something for later.
func movesOnly(t *Token) bool {
	switch t.Inter {
	case 0:
		return t.Final != 'c'
	case '(', ')', '*', '+':
		return true
	}
	return false
}

// shownByCursor tells which private modes change the cursor, keys or pastes, and no row.
func shownByCursor(mode int) bool {
	switch mode {
	case 1, 12, 25, 2004, 1000, 1002, 1003, 1004, 1006, 2026:
		return true
	}
	return false
}
