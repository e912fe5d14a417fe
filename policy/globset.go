package policy

import "strings"

// A globSet is a list of patterns that is asked as one: literals and whole
// folders by lookup, the others one by one.
type globSet struct {
	anything bool // holds **
	exact    map[string]bool
	folders  map[string]bool // X of X/**
	depth    int             // the most slashes in a folder
	rest     []glob
	globs    []glob // all of them, for operands that are patterns themselves
}

func newGlobSet(globs []glob) globSet {
	s := globSet{globs: globs, exact: map[string]bool{}, folders: map[string]bool{}}
	for i := range globs {
		s.add(&globs[i])
	}
	return s
}

func (s *globSet) add(g *glob) {
	switch {
	case g.but != nil:
		s.rest = append(s.rest, *g)
	case g.source == "**":
		s.anything = true
	case g.alts != nil:
		for i := range g.alts {
			s.add(&g.alts[i])
		}
	case g.exact != "":
		s.exact[g.exact] = true
	case g.prefix != "":
		s.folders[g.prefix] = true
		s.depth = max(s.depth, strings.Count(g.prefix, "/"))
	default:
		s.rest = append(s.rest, *g)
	}
}

func (s *globSet) empty() bool { return len(s.globs) == 0 }

// match reports whether the whole of text matches one of the patterns.
func (s *globSet) match(text string) bool {
	if s.anything || s.exact[text] || s.inFolder(text) {
		return true
	}
	for i := range s.rest {
		if s.rest[i].match(text) {
			return true
		}
	}
	return false
}

// inFolder looks up every folder that text is in.
func (s *globSet) inFolder(text string) bool {
	if len(s.folders) == 0 {
		return false
	}
	slashes := 0
	for i := 0; i < len(text); i++ {
		if text[i] != '/' {
			continue
		}
		if slashes > s.depth {
			return false
		}
		if i > 0 && s.folders[text[:i]] {
			return true
		}
		slashes++
	}
	return s.folders[text]
}

// meets reports whether some text matches both one of the patterns and the
// operand pattern form. Where the operand is everything in a folder (bare),
// patterns that look at the last component alone would always meet it: they
// do not count.
func (s *globSet) meets(form string, bare bool) bool {
	q, err := tokenize(form)
	if err != nil || s.anything {
		return true
	}
	lead := form[:strings.IndexAny(form+"*", "*?[")]
	for i := range s.globs {
		g := &s.globs[i]
		if bare && strings.HasPrefix(g.source, "**/") {
			continue
		}
		if g.couldMeet(lead) && g.meets(q) {
			return true
		}
	}
	return false
}

// couldMeet compares what stands before the first wildcard of both.
func (g *glob) couldMeet(lead string) bool {
	own := g.source[:strings.IndexAny(g.source+"*", "*?[{!")]
	if g.prefix != "" {
		own = g.prefix
	}
	n := min(len(own), len(lead))
	return own[:n] == lead[:n]
}
