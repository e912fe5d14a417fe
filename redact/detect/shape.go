package detect

import "regexp/syntax"

// shape is what can be told of an expression's matches without looking for one: nearly
// all places where a literal stands are turned down by it.
type shape struct {
	min   int  // bytes of the shortest match
	blank bool // a match may hold a blank
}

func shapeOfPattern(pattern string) shape {
	re, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return shape{blank: true}
	}
	return shapeOfTree(re.Simplify())
}

func shapeOfTree(re *syntax.Regexp) (s shape) {
	switch re.Op {
	case syntax.OpLiteral:
		s.min = len(re.Rune)
		s.blank = hasBlank(pairs(re.Rune))
	case syntax.OpCharClass:
		s.min, s.blank = 1, hasBlank(re.Rune)
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		s.min, s.blank = 1, true
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			x := shapeOfTree(sub)
			s.min, s.blank = s.min+x.min, s.blank || x.blank
		}
	case syntax.OpAlternate:
		s.min = maxToken
		for _, sub := range re.Sub {
			x := shapeOfTree(sub)
			s.min, s.blank = min(s.min, x.min), s.blank || x.blank
		}
	case syntax.OpCapture, syntax.OpPlus:
		return shapeOfTree(re.Sub[0])
	case syntax.OpStar, syntax.OpQuest:
		s.blank = shapeOfTree(re.Sub[0]).blank
	}
	return s
}

// pairs gives single characters as the ranges of a class.
func pairs(runes []rune) (ranges []rune) {
	for _, r := range runes {
		ranges = append(ranges, r, r)
	}
	return ranges
}

func hasBlank(ranges []rune) bool {
	for i := 0; i+1 < len(ranges); i += 2 {
		if ranges[i] <= ' ' && ' ' <= ranges[i+1] || ranges[i] <= '\t' && '\t' <= ranges[i+1] {
			return true
		}
	}
	return false
}

// fits tells whether a match may begin at start.
func (s shape) fits(t string, start int) bool {
	if start+s.min > len(t) {
		return false
	}
	if s.blank {
		return true
	}
	for i := start; i < start+s.min; i++ {
		if isSpace(t[i]) {
			return false
		}
	}
	return true
}
