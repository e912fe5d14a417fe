package audit

import (
	"time"

	"sallyport/audit/durable"
	"sallyport/audit/seal"
	"sallyport/redact"
)

// Config says where a log is kept and under which limits. Dir is needed; the
// zero values of the rest are the defaults.
type Config struct {
	// Dir is the folder of the logs; it is made, 0700, if it is not there. One
	// that others may use and that holds anything but logs is refused.
	Dir string
	// Actor is who works the console; it stands in every record.
	Actor Actor
	// Version is the program's, Host the machine's name.
	Version, Host redact.Text

	// MaxBytes closes a log (256 MiB; at least 4096), MaxAge too (30 days).
	MaxBytes int64
	MaxAge   time.Duration
	// CheckpointEvery is how many records a checkpoint may be away (1024),
	// Heartbeat how long (60 s).
	CheckpointEvery int
	Heartbeat       time.Duration

	// Recipients are age public keys of the auditors: exact texts and the
	// digest key are sealed to them.
	Recipients []string
	// HostKey anchors the log's first key; without it the log is unanchored.
	HostKey seal.HostKey
	// RequireAnchor refuses to open without HostKey.
	RequireAnchor bool

	// Second acknowledges records while the log cannot be written and the
	// operator broke the glass; nil: there is no breaking it.
	Second Sink

	// FS is the file work; nil is the real one.
	FS durable.FS
	// Now is the clock; nil is the real one.
	Now func() time.Time
	// Warn hears of things that were put right, such as a loose mode. It may
	// be nil.
	Warn func(msg string)
	// Synced hears how long each commit took. It must not block. It may be
	// nil.
	Synced func(time.Duration)
}

// When a log closes, where Config does not say.
const (
	DefaultMaxBytes = 256 << 20
	DefaultMaxAge   = 30 * 24 * time.Hour
)

const (
	minLogBytes = 4096

	defaultCheckpointEvery = 1024
	defaultHeartbeat       = time.Minute
)

func (c Config) withDefaults() Config {
	if c.MaxBytes == 0 {
		c.MaxBytes = DefaultMaxBytes
	}
	if c.MaxBytes < minLogBytes {
		c.warn("log_bytes is below 4096 and was raised to it")
		c.MaxBytes = minLogBytes
	}
	if c.MaxAge <= 0 {
		c.MaxAge = DefaultMaxAge
	}
	if c.CheckpointEvery <= 0 {
		c.CheckpointEvery = defaultCheckpointEvery
	}
	if c.Heartbeat <= 0 {
		c.Heartbeat = defaultHeartbeat
	}
	if c.FS == nil {
		c.FS = durable.OS{}
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	return c
}

func (c Config) warn(msg string) {
	if c.Warn != nil {
		c.Warn(msg)
	}
}
