package audit

import (
	"maps"
	"slices"

	"sallyport/redact"
)

// Words is what people and machines wrote: redacted when a record is
// written, plain when it is read back. Intent[redact.Text] is an [Event];
// readers get Intent[string].
type Words interface{ redact.Text | string }

// Event is one event of the list in the package documentation. The interface
// is sealed: the structs of this package are all there are, and every one of
// them that holds words holds them as [redact.Text].
type Event interface {
	event(redact.Text)
	// Kind is the event's name in the record.
	Kind() Kind
}

// Kind names an event.
type Kind string

// The events. The first group is written by the log itself and refused from
// callers.
const (
	KindLogOpen      Kind = "log.open"
	KindLogClose     Kind = "log.close"
	KindLogRecovered Kind = "log.recovered"
	KindLogPruned    Kind = "log.pruned"
	KindCheckpoint   Kind = "checkpoint"
	KindKeyRotate    Kind = "key.rotate"

	KindPolicyLoaded  Kind = "policy.loaded"
	KindPolicyRefused Kind = "policy.refused"

	KindSessionConnecting   Kind = "session.connecting"
	KindSessionConnected    Kind = "session.connected"
	KindSessionAuthFailed   Kind = "session.auth_failed"
	KindSessionBoot         Kind = "session.boot"
	KindSessionDegraded     Kind = "session.degraded"
	KindSessionError        Kind = "session.error"
	KindSessionDisconnected Kind = "session.disconnected"
	KindSessionResized      Kind = "session.resized"

	KindSuggestionReceived  Kind = "suggestion.received"
	KindSuggestionEdited    Kind = "suggestion.edited"
	KindSuggestionCleared   Kind = "suggestion.cleared"
	KindSuggestionDismissed Kind = "suggestion.dismissed"

	KindCommandIntent  Kind = "command.intent"
	KindCommandRefused Kind = "command.refused"
	KindCommandOutcome Kind = "command.outcome"

	KindInputLine     Kind = "input.line"
	KindInputEOF      Kind = "input.eof"
	KindKeysOpen      Kind = "keys.open"
	KindKeysClose     Kind = "keys.close"
	KindSecretEntered Kind = "secret.entered"
	KindChannelOpen   Kind = "channel.open"

	KindBreakGlassOpened Kind = "break_glass.opened"
	KindBreakGlassClosed Kind = "break_glass.closed"

	KindMCPCall     Kind = "mcp.call"
	KindMCPResult   Kind = "mcp.result"
	KindMCPOffline  Kind = "mcp.offline"
	KindMCPOnline   Kind = "mcp.online"
	KindJobDispatch Kind = "job.dispatch"
	KindJobTerminal Kind = "job.terminal"

	KindFileGet Kind = "file.get"
	KindFilePut Kind = "file.put"

	KindRecordingChunk Kind = "recording.chunk"

	KindShipRejected    Kind = "ship.rejected"
	KindShipCursorReset Kind = "ship.cursor_reset"

	KindReviewOpened Kind = "review.opened"
)

// kinds are all events there are.
var kinds = kindMap(
	KindLogOpen,
	KindLogClose,
	KindLogRecovered,
	KindLogPruned,
	KindCheckpoint,
	KindKeyRotate,
	KindPolicyLoaded,
	KindPolicyRefused,
	KindSessionConnecting,
	KindSessionConnected,
	KindSessionAuthFailed,
	KindSessionBoot,
	KindSessionDegraded,
	KindSessionError,
	KindSessionDisconnected,
	KindSessionResized,
	KindSuggestionReceived,
	KindSuggestionEdited,
	KindSuggestionCleared,
	KindSuggestionDismissed,
	KindCommandIntent,
	KindCommandRefused,
	KindCommandOutcome,
	KindInputLine,
	KindInputEOF,
	KindKeysOpen,
	KindKeysClose,
	KindSecretEntered,
	KindChannelOpen,
	KindBreakGlassOpened,
	KindBreakGlassClosed,
	KindMCPCall,
	KindMCPResult,
	KindMCPOffline,
	KindMCPOnline,
	KindJobDispatch,
	KindJobTerminal,
	KindFileGet,
	KindFilePut,
	KindRecordingChunk,
	KindShipRejected,
	KindShipCursorReset,
	KindReviewOpened,
)

// Known says that k is one of the events that there are.
func (k Kind) Known() bool {
	_, ok := kinds[string(k)]
	return ok
}

// Kinds are the events that there are, by name.
func Kinds() []Kind { return slices.Sorted(maps.Values(kinds)) }

func kindMap(all ...Kind) map[string]Kind {
	m := make(map[string]Kind, len(all))
	for _, k := range all {
		m[string(k)] = k
	}
	return m
}
