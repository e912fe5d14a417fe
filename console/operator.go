package console

import (
	"os"
	"os/user"
	"strconv"

	"sallyport/audit"
	"sallyport/redact"
)

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
