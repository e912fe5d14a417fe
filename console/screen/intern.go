package screen

// Bounds of the tables that cells point into. When one is full, what no cell uses is dropped; when that does not help, cells get
// something simpler: a style without colours, a cluster's first character, no link.
const (
	maxStyles   = 1<<16 - 1
	maxClusters = 1 << 16
	maxLinks    = 4096
	maxLinkLen  = 2048
)

// styles interns styles; StyleID 0 is the default.
type styles struct {
	list  []Style
	index map[Style]StyleID
}

func (t *styles) reset() {
	t.list = append(t.list[:0], Style{})
	t.index = make(map[Style]StyleID)
}

func (t *styles) get(id StyleID) Style {
	if int(id) < len(t.list) {
		return t.list[id]
	}
	return Style{}
}

// add returns the ID of st; false when the table is full.
func (t *styles) add(st Style) (StyleID, bool) {
	if st == (Style{}) {
		return 0, true
	}
	if id, ok := t.index[st]; ok {
		return id, true
	}
	if len(t.list) >= maxStyles {
		return 0, false
	}
	id := StyleID(len(t.list))
	t.list = append(t.list, st)
	t.index[st] = id
	return id, true
}

// clusters interns grapheme clusters of more than one rune.
type clusters struct {
	list  []string
	index map[string]uint32
}

func (t *clusters) reset() {
	t.list = t.list[:0]
	t.index = make(map[string]uint32)
}

func (t *clusters) text(glyph uint32) string {
	if i := int(glyph - clusterBase); i < len(t.list) {
		return t.list[i]
	}
	return " "
}

func (t *clusters) add(text string) (uint32, bool) {
	if g, ok := t.index[text]; ok {
		return g, true
	}
	if len(t.list) >= maxClusters {
		return 0, false
	}
	g := clusterBase + uint32(len(t.list))
	t.list = append(t.list, text)
	t.index[text] = g
	return g, true
}

// links interns the targets of hyperlinks; 0 is none.
type links struct {
	list  []string
	index map[string]uint16
}

func (t *links) reset() {
	t.list = append(t.list[:0], "")
	t.index = make(map[string]uint16)
}

func (t *links) target(i uint16) string {
	if int(i) < len(t.list) {
		return t.list[i]
	}
	return ""
}

func (t *links) add(uri string) uint16 {
	if i, ok := t.index[uri]; ok {
		return i
	}
	if len(t.list) >= maxLinks {
		return 0
	}
	i := uint16(len(t.list))
	t.list = append(t.list, uri)
	t.index[uri] = i
	return i
}

// recent remembers the IDs of styles that were asked for lately: programs go to and fro between a few.
type recent [64]struct {
	style Style
	id    StyleID
}

func (r *recent) slot(st *Style) int {
	h := uint32(st.FG)*0x9e3779b1 ^ uint32(st.BG)*0x85ebca6b ^ uint32(st.Attr)*0xc2b2ae35 ^ uint32(st.Underline)<<20 ^ uint32(st.Link)
	return int((h ^ h>>15) % uint32(len(r)))
}

// styleID interns a style.
func (s *Screen) styleID(st Style) StyleID {
	slot := &s.recent[s.recent.slot(&st)]
	if slot.style != st {
		slot.id = s.newStyleID(st)
		slot.style = s.styles.get(slot.id) // not st: links may have got other numbers
	}
	return slot.id
}

// patience is how many new styles or clusters are made simpler, after a collection that made little room, before the next one.
const patience = 1 << 14

// newStyleID interns a style in the table, making room if there is none.
func (s *Screen) newStyleID(st Style) StyleID {
	if id, ok := s.styles.add(st); ok {
		return id
	}
	target := s.links.target(st.Link)
	s.makeSpace()
	if st.Link != 0 {
		st.Link = s.links.add(target)
	}
	if len(s.styles.list) > maxStyles/4*3 {
		st = Style{Attr: st.Attr, Underline: min(st.Underline, Single)}
	}
	id, _ := s.styles.add(st)
	return id
}

// linkID interns the target of a hyperlink; 0 when there are too many.
func (s *Screen) linkID(target string) uint16 {
	if i := s.links.add(target); i != 0 {
		return i
	}
	s.makeSpace()
	return s.links.add(target)
}

// clusterID interns a cluster whose first rune is base.
func (s *Screen) clusterID(text string, base rune) uint32 {
	if g, ok := s.clusters.add(text); ok {
		return g
	}
	s.makeSpace()
	if len(s.clusters.list) > maxClusters/4*3 {
		return uint32(base)
	}
	g, _ := s.clusters.add(text)
	return g
}

// makeSpace collects, unless that was tried lately in vain.
func (s *Screen) makeSpace() {
	if s.wait > 0 {
		s.wait--
		return
	}
	s.collect()
	if len(s.styles.list) > maxStyles/4*3 || len(s.clusters.list) > maxClusters/4*3 || len(s.links.list) > maxLinks/4*3 {
		s.wait = patience
	}
}

// collect drops the styles, clusters and links that no cell uses, and gives those that remain new numbers. Its cost, a walk over all
// cells, is paid by the thousands of different styles or clusters that it takes to make it run.
func (s *Screen) collect() {
	old := struct {
		styles   []Style
		clusters []string
		links    []string
	}{s.styles.list, s.clusters.list, s.links.list}
	s.styles, s.clusters, s.links, s.recent = styles{}, clusters{}, links{}, recent{}
	s.styles.reset()
	s.clusters.reset()
	s.links.reset()
	again := func(st Style) StyleID {
		if st.Link != 0 {
			st.Link = s.links.add(old.links[st.Link])
		}
		id, _ := s.styles.add(st)
		return id
	}
	for r := range s.allRows() {
		for i := range r.cells {
			c := &r.cells[i]
			if c.style != 0 {
				c.style = again(old.styles[c.style])
			}
			if c.glyph >= clusterBase {
				c.glyph, _ = s.clusters.add(old.clusters[c.glyph-clusterBase])
			}
		}
	}
	for _, p := range []*pen{&s.pen, &s.aside, &s.main.saved.pen, &s.alt.saved.pen} {
		p.id = again(p.style)
		p.style = s.styles.get(p.id)
	}
}

// allRows yields every row that holds cells.
func (s *Screen) allRows() func(yield func(*row) bool) {
	return func(yield func(*row) bool) {
		for _, rows := range [][]*row{s.past.rows, s.main.rows, s.alt.rows} {
			for _, r := range rows {
				if !yield(r) {
					return
				}
			}
		}
	}
}
