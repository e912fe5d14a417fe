package redact

// Finding is one masked value: what kind, which number, and where it was.
type Finding struct {
	Kind   string // as in the placeholder: "password", "aws-key", …
	Number int    // the same for the same value in one console
	Start  int    // byte offsets into the input, escapes inside the value included
	End    int
	MAC    string // hex HMAC-SHA-256 cut to 64 bits, or "" (no key, or a value easy to guess)
}

// Findings are in order of their place and do not overlap.
type Findings []Finding
