package policy

// A SourceFile is one file in force.
type SourceFile struct {
	Name    string
	ID      string
	Version string
	Owner   string
	Layer   string // shipped, org, user or flag
	Digest  [32]byte
}

var layerNames = [...]string{"shipped", "org", "user", "flag"}

// Files are the files in force, in the order of their layers.
func (s *Set) Files() []SourceFile { return append([]SourceFile(nil), s.files...) }
