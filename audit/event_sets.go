package audit

import "sallyport/redact"

type (
	intent  = Intent[redact.Text]
	outcome = Outcome[redact.Text]
)

// own are the events that only the log writes.
func own(ev Event) bool {
	switch ev.Kind() {
	case KindLogOpen, KindLogClose, KindLogRecovered, KindLogPruned, KindCheckpoint, KindKeyRotate:
		return true
	}
	return false
}

// before says that the record comes before something that leaves for a host:
// while the disk is full these are refused, so that what is reserved is left
// for how things ended.
func before(ev Event) bool {
	switch e := ev.(type) {
	case FileGet[redact.Text]:
		return e.Intent == nil
	case FilePut[redact.Text]:
		return e.Intent == nil
	case BreakGlassOpened[redact.Text]:
		return false
	}
	switch ev.Kind() {
	case KindCommandIntent, KindInputLine, KindInputEOF, KindKeysOpen, KindSecretEntered, KindChannelOpen,
		KindSessionConnecting, KindSessionBoot, KindMCPCall, KindJobDispatch, KindSuggestionReceived:
		return true
	}
	return false
}

// final says that nothing more is to come of the command: the console knows
// how it ended.
func (s OutcomeStatus) final() bool { return s != StillRunning && s != Unobserved }
