package audit

import (
	"encoding/json"
	"time"

	"sallyport/redact"
)

// ActorOf says who works the console.
type ActorOf[T Words] struct {
	User     T   `json:"user"`
	UID      int `json:"uid"`
	From     T   `json:"from,omitzero"`      // SSH_CONNECTION: the login they came from
	SudoUser T   `json:"sudo_user,omitzero"` // SUDO_USER
	TTY      T   `json:"tty,omitzero"`

	// What the kernel said of the peer; set by the daemon only.
	PID          int       `json:"pid,omitempty"`
	LoginUID     *int      `json:"login_uid,omitempty"`
	AuditSession *int      `json:"audit_session,omitempty"`
	Started      time.Time `json:"started,omitzero"`
	Executable   Hash      `json:"executable,omitzero"`
	Claimed      bool      `json:"claimed,omitempty"` // user, from, sudo_user and tty are what the peer said
}

// Actor is an [ActorOf] to be written.
type Actor = ActorOf[redact.Text]

// TargetOf says which host a record is about.
type TargetOf[T Words] struct {
	Host        T           `json:"host"` // as asked
	Address     Address     `json:"address,omitempty"`
	Port        int         `json:"port,omitempty"`
	Account     T           `json:"account,omitzero"`
	Fingerprint Fingerprint `json:"fingerprint,omitempty"`
}

// Target is a [TargetOf] to be written.
type Target = TargetOf[redact.Text]

// Record is a line of a log as it is read back.
type Record struct {
	V       int               `json:"v"`
	Time    time.Time         `json:"ts"`
	Log     LogID             `json:"log"`
	Seq     uint64            `json:"seq"`
	Prev    Hash              `json:"prev"`
	Session SessionID         `json:"session,omitempty"`
	Event   Kind              `json:"event"`
	Actor   *ActorOf[string]  `json:"actor,omitempty"`
	Target  *TargetOf[string] `json:"target,omitempty"`
	Trace   TraceParent       `json:"trace,omitempty"`
	Data    json.RawMessage   `json:"data"`
	Cut     []Cut             `json:"cut,omitempty"`
	Sealed  *Sealed           `json:"sealed,omitempty"`
}

// Sealed is where sealed/ holds the exact bytes of a record, in the file that
// SealedFile of package layout names.
type Sealed struct {
	Offset int64 `json:"offset"`
	Bytes  int64 `json:"bytes"`
	Digest Hash  `json:"digest"`
	Part   int   `json:"part,omitempty"`
}

// Cut says that a field of data was too long for a record.
type Cut struct {
	Field  string `json:"field"` // its path in data: names and indexes with dots
	Bytes  *int64 `json:"bytes,omitempty"`
	Digest Digest `json:"digest"`
}

// Decode gives the event's own fields: Decode[Intent[string]](r).
func Decode[E any](r Record) (e E, err error) {
	err = json.Unmarshal(r.Data, &e)
	return e, err
}
