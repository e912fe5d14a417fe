package gate

// Kind is what leaves. Each kind has one judge and one record.
type Kind uint8

// The kinds. Line to Channel go through Submit; the others have a method of
// their own.
const (
	Line    Kind = iota + 1 // a command at a prompt
	Input                   // a line for a program that reads lines
	Secret                  // what is typed where the remote does not echo
	Edit                    // keys to a verified line editor
	Keys                    // keys to a program that owns the screen
	Signal                  // ^C ^Z ^\ ^D
	Reply                   // fixed-form answers to terminal queries
	Boot                    // the bootstrap and what follows it
	Probe                   // constant commands on side channels
	File                    // read, upload, download
	Channel                 // forwarding, agent, X11, env, subsystem
	Run                     // one command on a channel of its own
	Resize                  // the window's size
	Ask                     // the query that makes a shell report its buffer
	Code                    // the account's own code on keys, completion and prompts: nothing leaves by it
)

var kindNames = [...]string{"none", "line", "input", "secret", "edit", "keys", "signal", "reply", "boot", "probe", "file", "channel", "run", "resize", "query", "code"}

func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "unknown"
}

// Evidence says how surely the console knows that the judged bytes are the
// bytes that run.
type Evidence string

// From the strongest to none.
const (
	EvidenceShell    Evidence = "shell"    // the shell compared its buffer
	EvidenceComposed Evidence = "composed" // composed here, the echo compared
	EvidenceScreen   Evidence = "screen"   // read off the screen
	EvidenceNone     Evidence = "none"
)

// Below tells whether e is weaker than want.
func (e Evidence) Below(want Evidence) bool { return e.rank() < want.rank() }

func (e Evidence) rank() int {
	switch e {
	case EvidenceShell:
		return 3
	case EvidenceComposed:
		return 2
	case EvidenceScreen:
		return 1
	}
	return 0
}

// Phase is what the remote end of a slot is doing, as far as the console
// verified it.
type Phase uint8

// The phases. Only at Prompt and Continuation may editing keys pass; only in
// Field a line of input or a secret; only in Raw keys of a program.
const (
	Closed Phase = iota
	Booting
	AtPrompt
	AtContinuation
	Busy  // something runs, keys are held
	Field // a program reads a line
	Raw   // a program owns the screen
	SideChannel
)
