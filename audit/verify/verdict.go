package verify

import (
	"fmt"

	"sallyport/audit"
)

// Verdict is the word for a log.
type Verdict string

// The verdicts.
const (
	OK           Verdict = "ok"
	Unanchored   Verdict = "ok (unanchored)"
	Open         Verdict = "ok (open)"
	Recovered    Verdict = "recovered"
	MissingLog   Verdict = "missing log"
	Edited       Verdict = "edited"
	Missing      Verdict = "missing"
	Reordered    Verdict = "reordered"
	Duplicated   Verdict = "duplicated"
	TornTail     Verdict = "torn tail"
	Unclosed     Verdict = "unclosed"
	UnsealedTail Verdict = "unsealed tail"
	Stale        Verdict = "stale"
	Forked       Verdict = "forked"
	BadSignature Verdict = "bad signature"
	WrongEpoch   Verdict = "wrong epoch"

	// Foreign is the verdict on a file of recordings/ or sealed/ that no log names,
	// or that is no regular file.
	Foreign Verdict = "foreign"

	// Unreadable is no verdict on the log: it could not be read, or is no
	// regular file.
	Unreadable Verdict = "unreadable"
)

// Result is the verdict on one log, and what it rests on.
type Result struct {
	File    string      `json:"file"`
	Log     audit.LogID `json:"log,omitempty"`
	Verdict Verdict     `json:"verdict"`
	// At is the first record that is wrong or not there, by its number.
	At *uint64 `json:"at,omitempty"`
	// Detail says it in words.
	Detail  string `json:"detail,omitempty"`
	Records uint64 `json:"records"`
	// Unsealed is how many records no checkpoint covers yet.
	Unsealed uint64 `json:"unsealed"`
	// Anchor is "none", or "host" with the key that signed the log's first one.
	Anchor  audit.Anchor    `json:"anchor,omitempty"`
	HostKey audit.PublicKey `json:"host_key,omitempty"`
	Root    audit.Hash      `json:"root"`
}

// Good says that nothing is wrong with the log.
func (r Result) Good() bool {
	return r.Verdict == OK || r.Verdict == Unanchored || r.Verdict == Open
}

// Word is the verdict as a person reads it.
func (r Result) Word() string {
	if r.Verdict == Open {
		return fmt.Sprintf("ok (open, %d unsealed)", r.Unsealed)
	}
	return string(r.Verdict)
}

// String is the verdict on a line: the file, the word, and what there is to say.
func (r Result) String() string {
	s := fmt.Sprintf("%s: %s", r.File, r.Word())
	if r.At != nil {
		s += fmt.Sprintf(" at record %d", *r.At)
	}
	if r.Detail != "" {
		s += ": " + r.Detail
	}
	return s
}

// problem is a finding that decides the verdict.
type problem struct {
	verdict Verdict
	at      uint64
	placed  bool
	detail  string
}

func at(v Verdict, seq uint64, format string, args ...any) *problem {
	return &problem{v, seq, true, fmt.Sprintf(format, args...)}
}

func overall(v Verdict, format string, args ...any) *problem {
	return &problem{verdict: v, detail: fmt.Sprintf(format, args...)}
}

func (p *problem) judge(r *Result) {
	r.Verdict, r.Detail = p.verdict, p.detail
	if p.placed {
		n := p.at
		r.At = &n
	}
}
