package console

import (
	"os"
	"os/user"
	"strconv"

	"sallyport/audit"
	"sallyport/redact"
)

// self is who and what this console is, for the log's own first records.
type self struct {
	actor         audit.Actor
	version, host redact.Text
}

// introduce finds that out while the policy is read: the detectors, which are
// made once, take about as long.
func introduce(version string) <-chan self {
	out := make(chan self, 1)
	go func() {
		r := redact.New(redact.Config{})
		s := self{actor: actor(r), host: machine(r)}
		s.version, _ = r.Text(version)
		out <- s
	}()
	return out
}

// actor is who works this console, as the operating system and the login that
// started it say.
func actor(r *redact.Redactor) audit.Actor {
	text := func(s string) redact.Text {
		t, _ := r.Text(s)
		return t
	}
	return audit.Actor{
		User:     text(account()),
		UID:      os.Getuid(),
		From:     text(os.Getenv("SSH_CONNECTION")),
		SudoUser: text(os.Getenv("SUDO_USER")),
		TTY:      text(os.Getenv("SSH_TTY")),
	}
}

// account is the operator's name by the kernel's uid, never by the environment.
func account() string {
	uid := strconv.Itoa(os.Getuid())
	if u, err := user.LookupId(uid); err == nil {
		return u.Username
	}
	return uid
}

func machine(r *redact.Redactor) redact.Text {
	name, err := os.Hostname()
	if err != nil {
		name = "unknown"
	}
	t, _ := r.Text(name)
	return t
}
