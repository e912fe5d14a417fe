package copilot

import (
	"strings"
	"testing"

	"sallyport/redact"
)

// BenchmarkUpdate is what a session's reader pays for each piece of output.
func BenchmarkUpdate(b *testing.B) {
	c := newClient(Config{Redactor: redact.New(redact.Config{}), OnChange: func() {}, Log: discard}, nil)
	s := c.Session(SessionConfig{Sends: func() Sends { return SendTail }})
	out, _ := c.cfg.Redactor.Text(strings.Repeat("Nov 30 03:11:02 web-1 kernel: some ordinary line of a log /var/log/thing.log\n", 420))
	b.SetBytes(int64(out.Len()))
	for b.Loop() {
		s.Update(out)
	}
}
