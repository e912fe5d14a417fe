package screen

import (
	"regexp"
	"strings"
)

// Search returns the next occurrence of text after (or, with back, before) a place, going round at the ends. Letters match in either case,
// unless text holds a capital. Occurrences go across soft wraps.
func (s *Screen) Search(text string, from Point, back bool) (Selection, bool) {
	re := pattern(text)
	if re == nil {
		return Selection{}, false
	}
	lo, hi := s.Lines()
	from.Line = min(max(from.Line, lo), hi-1)
	start := s.spanAt(from.Line)
	if sel, ok := pick(s.matches(re, start), from, back, true); ok {
		return sel, true
	}
	for sp := s.neighbour(start, back); sp != start; sp = s.neighbour(sp, back) {
		if sel, ok := pick(s.matches(re, sp), from, back, false); ok {
			return sel, true
		}
	}
	return pick(s.matches(re, start), from, back, false)
}

// Matches returns all occurrences of text in the lines first … end-1, to be drawn.
func (s *Screen) Matches(text string, first, end int) []Selection {
	re := pattern(text)
	if re == nil {
		return nil
	}
	lo, hi := s.Lines()
	var out []Selection
	for n := max(first, lo); n < min(end, hi); {
		sp := s.spanAt(n)
		out = append(out, s.matches(re, sp)...)
		n = sp.end
	}
	return out
}

func pattern(text string) *regexp.Regexp {
	if text == "" {
		return nil
	}
	expr := regexp.QuoteMeta(text)
	if strings.ToLower(text) == text {
		expr = "(?i)" + expr
	}
	re, err := regexp.Compile(expr)
	if err != nil {
		return nil
	}
	return re
}

// neighbour returns the logical line after or before sp, round the ends.
func (s *Screen) neighbour(sp span, back bool) span {
	lo, hi := s.Lines()
	n := sp.end
	if back {
		n = sp.first - 1
	}
	switch {
	case n >= hi:
		n = lo
	case n < lo:
		n = hi - 1
	}
	return s.spanAt(n)
}

// matches returns the occurrences in one logical line, in order.
func (s *Screen) matches(re *regexp.Regexp, sp span) []Selection {
	found := re.FindAllStringIndex(s.spanText(sp), -1)
	if len(found) == 0 {
		return nil
	}
	out := make([]Selection, 0, len(found))
	w := walker{s: s, sp: sp, at: Point{Line: sp.first}}
	for _, m := range found {
		from := w.to(m[0])
		last := w.to(m[1] - 1)
		out = append(out, Selection{From: from, To: Point{Line: last.Line, Col: last.Col + 1}})
	}
	return out
}

// walker goes from byte offsets in a logical line's text to cells, forward only.
type walker struct {
	s      *Screen
	sp     span
	at     Point
	offset int
}

// to returns the cell that holds byte offset.
func (w *walker) to(offset int) Point {
	for w.at.Line < w.sp.end {
		cells := w.s.cellsOf(w.sp, w.at.Line)
		for w.at.Col < len(cells) {
			n := len(w.s.appendGlyph(nil, cells[w.at.Col]))
			if w.offset+n > offset {
				return w.at
			}
			w.offset += n
			w.at.Col++
		}
		w.at = Point{Line: w.at.Line + 1}
	}
	return w.at
}

// pick chooses the match next to a place: strictly beyond it if beyond is asked for, else the first in the direction of the search.
func pick(all []Selection, from Point, back, beyond bool) (Selection, bool) {
	for i := range all {
		m := all[i]
		if back {
			m = all[len(all)-1-i]
		}
		ok := from.Before(m.From)
		if back {
			ok = m.From.Before(from)
		}
		if ok || !beyond {
			return m, true
		}
	}
	return Selection{}, false
}
