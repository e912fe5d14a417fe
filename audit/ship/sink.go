package ship

import (
	"bytes"
	"context"
	"errors"

	"sallyport/audit"
	"sallyport/redact"
)

var _ audit.Sink = (*Shipper)(nil)

// Name makes a Shipper the second sink of a log: where records go while the
// operator has broken the glass.
func (s *Shipper) Name() redact.Text { return redact.Literal("collector") }

// Accept implements [audit.Sink]: it returns when the collector has taken
// every line, and tries again until ctx ends.
func (s *Shipper) Accept(ctx context.Context, _ audit.LogID, lines []byte) error {
	var batch []line
	for raw := range bytes.SplitSeq(bytes.TrimSuffix(lines, []byte{'\n'}), []byte{'\n'}) {
		h, err := audit.ParseHead(raw)
		if err != nil {
			return err
		}
		batch = append(batch, lineOf(raw, h.Seq, 0))
	}
	wait := s.cfg.Backoff
	for {
		rejected, f := s.client.send(ctx, s.request(batch))
		switch {
		case f == nil && rejected == 0:
			return nil
		case f == nil:
			return &failure{reason: "it rejected a record"}
		case !f.retry:
			return f
		}
		if err := pause(ctx, max(f.after, jitter(wait))); err != nil {
			return errors.Join(f, err)
		}
		wait *= 2
	}
}
