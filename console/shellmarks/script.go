package shellmarks

// Script is a text that this package holds. There is no other maker.
type Script struct{ text string }

// Text is what leaves.
func (s Script) Text() string { return s.text }
