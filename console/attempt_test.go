package console

import (
	"path/filepath"
	"sync/atomic"
	"testing"

	"sallyport/audit"
	"sallyport/redact"
)

// session.disconnected says how many were refused: those that the record holds.
func TestRefusalsAreCountedAsTheyAreRecorded(t *testing.T) {
	log, err := audit.Open(audit.Config{Dir: filepath.Join(t.TempDir(), "audit")})
	if err != nil {
		t.Fatal(err)
	}
	var n atomic.Int64
	c := counting{log.In("s1", audit.Target{}), &n}
	for range 3 {
		if _, err := c.Append(t.Context(), audit.SessionResized[redact.Text]{Cols: 80}, audit.Refused[redact.Text]{Reason: redact.Literal("no")}); err != nil {
			t.Fatal(err)
		}
	}
	if err := log.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Append(t.Context(), audit.Refused[redact.Text]{}); err == nil || n.Load() != 3 {
		t.Errorf("%d are counted, 3 recorded", n.Load())
	}
}
