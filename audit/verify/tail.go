package verify

import (
	"encoding/json"
	"io"

	"sallyport/audit"
	"sallyport/audit/durable"
)

// unfit looks closer at the lines that no checkpoint covers: nobody signed
// them, so that they must at least be JSON.
func unfit(s *scan, f durable.File) *problem {
	if s.sealedTo >= s.size {
		return nil
	}
	seq := s.sealedSize
	lines := audit.NewLines(io.NewSectionReader(f, s.sealedTo, s.size-s.sealedTo))
	for {
		line, err := lines.Next()
		if err != nil {
			return nil
		}
		if !json.Valid(line) {
			return at(Edited, seq, "the record is not JSON")
		}
		seq++
	}
}
