// Package wire is what a console and the log's daemon say to each other over
// a unix stream socket: frames of four bytes of length (big endian) and one
// JSON object.
//
// The console says [Hello], the daemon [Welcome]. Then the console asks with
// numbers of its own ([Ask]) and the daemon answers each of them ([Answer]),
// in whatever order. Anything else ends the connection.
package wire

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
)

// Version of the conversation.
const Version = 1

// MaxFrame bounds a frame.
const MaxFrame = 4 << 20

// Receipt names a durable record.
type Receipt struct {
	Log  string `json:"log"`
	Seq  uint64 `json:"seq"`
	Leaf string `json:"leaf"`
}

// Hello begins a connection. What the console says of itself is recorded as
// claimed.
type Hello struct {
	V     int             `json:"v"`
	Actor json.RawMessage `json:"actor"`
	Last  *Receipt        `json:"last,omitempty"` // the last that this console got
}

// Welcome answers it.
type Welcome struct {
	V      int    `json:"v"`
	Log    string `json:"log"`
	Path   string `json:"path"`
	Anchor string `json:"anchor"`
	Key    []byte `json:"key"`    // digest key of this connection
	KeyID  string `json:"key_id"` // and its name in digests
	Error  string `json:"error,omitempty"`
}

// Message is an event on its way.
type Message struct {
	Event  string          `json:"event"`
	Data   json.RawMessage `json:"data"`
	Exacts []Exact         `json:"exacts,omitempty"` // in the order of the event's fields
}

// Exact are exact bytes on their way to who digests and seals them.
type Exact struct {
	Bytes    []byte `json:"bytes"`
	Findings int    `json:"findings"`
}

// Ask is for records to be made durable: all of them, or none.
type Ask struct {
	ID       uint64          `json:"id"`
	Session  string          `json:"session,omitempty"`
	Target   json.RawMessage `json:"target,omitempty"`
	Trace    string          `json:"trace,omitempty"`
	Messages []Message       `json:"messages"`
}

// Answer says where they are, or why they are not.
type Answer struct {
	ID       uint64    `json:"id"`
	Receipts []Receipt `json:"receipts,omitempty"`
	Error    string    `json:"error,omitempty"`
	// Refused says that the log cannot be written, with its numbers.
	Refused *Refused `json:"refused,omitempty"`
}

// Refused are the numbers of a disk.
type Refused struct {
	Path        string `json:"path"`
	Free, Total int64
}

// Write sends a frame.
func Write(w io.Writer, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	if len(b) > MaxFrame {
		return fmt.Errorf("a frame of %d bytes", len(b))
	}
	_, err = w.Write(append(binary.BigEndian.AppendUint32(nil, uint32(len(b))), b...))
	return err
}

// Read receives a frame.
func Read(r io.Reader, v any) error {
	var head [4]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return err
	}
	n := binary.BigEndian.Uint32(head[:])
	if n > MaxFrame {
		return fmt.Errorf("a frame of %d bytes", n)
	}
	b := make([]byte, n)
	if _, err := io.ReadFull(r, b); err != nil {
		return err
	}
	return json.Unmarshal(b, v)
}
