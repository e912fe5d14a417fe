package audit

import "time"

// LogOpen is record 0 of every log.
type LogOpen[T Words] struct {
	Format   int    `json:"format"` // 1
	Version  T      `json:"version,omitzero"`
	Host     T      `json:"host,omitzero"` // the machine of the writer
	PID      int    `json:"pid"`
	Limits   Limits `json:"limits"`
	Previous *Link  `json:"previous,omitempty"` // the log before
	Others   []Link `json:"others,omitempty"`   // more logs that ended and that no log names yet
	// Pending are the intents of earlier logs of this writer that have no
	// outcome yet.
	Pending []IntentRef `json:"pending,omitempty"`
	Anchor  Anchor      `json:"anchor"`
	Key     PublicKey   `json:"key"` // of epoch 0
	// HostKey signed Key where Anchor is host.
	HostKey    PublicKey  `json:"host_key,omitzero"`
	HostSig    Signature  `json:"host_sig,omitzero"`
	DigestKey  KeyID      `json:"digest_key"`
	Recipients []T        `json:"recipients,omitempty"`
	SealedKey  Ciphertext `json:"sealed_key,omitzero"` // the digest key, encrypted to Recipients
}

func (LogOpen[T]) event(T) {}

// Kind is log.open.
func (LogOpen[T]) Kind() Kind { return KindLogOpen }

// IntentRef names an intent in an earlier log.
type IntentRef struct {
	Log     LogID     `json:"log"`
	Seq     uint64    `json:"seq"`
	Session SessionID `json:"session,omitempty"`
}

// Limits are the bounds under which the log's writer runs.
type Limits struct {
	Bytes           int64 `json:"bytes"`
	AgeSeconds      int64 `json:"age_s"`
	CheckpointEvery int   `json:"checkpoint_every"`
	HeartbeatS      int64 `json:"heartbeat_s"`
}

// Link names a log by what it held.
type Link struct {
	Log     LogID  `json:"log,omitempty"` // empty where not even log.open was whole
	File    Name   `json:"file"`
	Records uint64 `json:"records"` // lines that verify
	Size    int64  `json:"size"`    // bytes of those lines
	Root    Hash   `json:"root"`
	Last    Hash   `json:"last"` // SHA-256 of the last line
}

// LogClose is the last record but for the checkpoint that seals it.
type LogClose[T Words] struct {
	Reason  CloseReason `json:"reason"`
	Records uint64      `json:"records"` // before this one
}

func (LogClose[T]) event(T) {}

// Kind is log.close.
func (LogClose[T]) Kind() Kind { return KindLogClose }

// LogRecovered says what the writer found of a log that was left behind.
type LogRecovered[T Words] struct {
	Found  Link   `json:"found"`
	Damage Damage `json:"damage"`
	// TornBytes follow the last complete line; TornDigest is of them.
	TornBytes  int64  `json:"torn_bytes"`
	TornDigest Digest `json:"torn_digest,omitzero"`
	At         uint64 `json:"at,omitempty"`  // line of the damage, from 0
	Own        bool   `json:"own,omitempty"` // ended by this writer itself, after a failed write: what follows Found was not acknowledged
	// Receipt: At is what the record's actor had a receipt of.
	Receipt bool `json:"receipt,omitempty"`
	Detail  T    `json:"detail,omitzero"`
	Orphans int  `json:"orphans"` // intents without outcome
}

func (LogRecovered[T]) event(T) {}

// Kind is log.recovered.
func (LogRecovered[T]) Kind() Kind { return KindLogRecovered }

// LogPruned says that whole logs were removed, before it happens.
type LogPruned[T Words] struct {
	Before time.Time `json:"before"`
	Logs   []Link    `json:"logs"`
}

func (LogPruned[T]) event(T) {}

// Kind is log.pruned.
func (LogPruned[T]) Kind() Kind { return KindLogPruned }

// Checkpoint is a signed statement about all lines before it.
type Checkpoint[T Words] struct {
	Reason CheckpointReason `json:"reason"`
	Epoch  uint64           `json:"epoch"`
	Cursor *Cursor          `json:"cursor,omitempty"` // how far shipping has got
	Note   Note             `json:"note"`             // the last field: it signs what is before it
}

func (Checkpoint[T]) event(T) {}

// Kind is checkpoint.
func (Checkpoint[T]) Kind() Kind { return KindCheckpoint }

// Cursor is a position in a log: the next record to ship and the leaf hash
// of the one before.
type Cursor struct {
	Seq  uint64 `json:"seq"`
	Leaf Hash   `json:"leaf"`
}

// KeyRotate ends an epoch: Sig is the old key's over the new one.
type KeyRotate[T Words] struct {
	Epoch uint64    `json:"epoch"` // that begins
	Key   PublicKey `json:"key"`
	Sig   Signature `json:"sig"`
}

func (KeyRotate[T]) event(T) {}

// Kind is key.rotate.
func (KeyRotate[T]) Kind() Kind { return KindKeyRotate }

// BreakGlassOpened lets commands leave while the log cannot be written; a
// second sink holds it first.
type BreakGlassOpened[T Words] struct {
	Reason T `json:"reason"` // as typed by the operator
	Cause  T `json:"cause"`  // why the log does not work
	Sink   T `json:"sink"`   // who acknowledges instead
}

func (BreakGlassOpened[T]) event(T) {}

// Kind is break_glass.opened.
func (BreakGlassOpened[T]) Kind() Kind { return KindBreakGlassOpened }

// BreakGlassClosed ends it.
type BreakGlassClosed[T Words] struct {
	Records uint64 `json:"records"` // that only the second sink holds
}

func (BreakGlassClosed[T]) event(T) {}

// Kind is break_glass.closed.
func (BreakGlassClosed[T]) Kind() Kind { return KindBreakGlassClosed }

// RecordingChunk chains a piece of a recording to the log.
type RecordingChunk[T Words] struct {
	File   T     `json:"file"`
	Index  int   `json:"index"`
	Offset int64 `json:"offset"`
	Bytes  int64 `json:"bytes"`
	Digest Hash  `json:"digest"`
	Final  bool  `json:"final,omitempty"`
	Error  T     `json:"error,omitzero"` // the recording could not be written
}

func (RecordingChunk[T]) event(T) {}

// Kind is recording.chunk.
func (RecordingChunk[T]) Kind() Kind { return KindRecordingChunk }

// ShipRejected names a record that a collector would not take.
type ShipRejected[T Words] struct {
	Seq    uint64 `json:"rejected_seq"`
	Log    LogID  `json:"rejected_log"`
	Leaf   Hash   `json:"leaf"`
	Code   int    `json:"code"`
	Reason T      `json:"reason,omitzero"`
}

func (ShipRejected[T]) event(T) {}

// Kind is ship.rejected.
func (ShipRejected[T]) Kind() Kind { return KindShipRejected }

// ShipCursorReset says that the cursor did not match the log.
type ShipCursorReset[T Words] struct {
	Log    LogID  `json:"cursor_log"`
	From   Cursor `json:"from"`
	To     Cursor `json:"to"`
	Reason T      `json:"reason"`
}

func (ShipCursorReset[T]) event(T) {}

// Kind is ship.cursor_reset.
func (ShipCursorReset[T]) Kind() Kind { return KindShipCursorReset }

// ReviewOpened records a reviewer's own read.
type ReviewOpened[T Words] struct {
	Command T   `json:"command"` // show, search, export …
	Query   T   `json:"query,omitzero"`
	Logs    int `json:"logs"`
}

func (ReviewOpened[T]) event(T) {}

// Kind is review.opened.
func (ReviewOpened[T]) Kind() Kind { return KindReviewOpened }
