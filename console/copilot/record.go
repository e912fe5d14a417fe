package copilot

import (
	"context"

	"sallyport/audit"
)

// Recorder keeps the record: an audit.Log or an audit.Scope.
type Recorder interface {
	Append(ctx context.Context, events ...audit.Event) ([]audit.Receipt, error)
}
