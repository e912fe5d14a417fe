package session

import (
	"path"
	"strings"

	"sallyport/console/gate"
	"sallyport/console/shellmarks"
	"sallyport/policy"
	"sallyport/policy/command"
)

// Options of ssh that a shell may be started with: those without an argument,
// and those with one. The others hide where it goes, or keep the bootstrap out.
const (
	sshFlags = "46AaCgKkqtvXxYy"
	sshTakes = "bciJlmop"
)

// Options of ssh with which it opens no shell that has a terminal.
const sshNoShell = "NfWOGVQsTn"

// sshSettings are the settings of -o that change neither what runs nor where.
// Case does not count.
var sshSettings = map[string]bool{
	"addkeystoagent": true, "addressfamily": true, "batchmode": true, "casignaturealgorithms": true, "certificatefile": true,
	"checkhostip": true, "ciphers": true, "compression": true, "connectionattempts": true, "connecttimeout": true, "globalknownhostsfile": true,
	"gssapiauthentication": true, "hashknownhosts": true, "hostbasedauthentication": true, "hostkeyalgorithms": true, "hostkeyalias": true,
	"identitiesonly": true, "identityagent": true, "identityfile": true, "ipqos": true, "kbdinteractiveauthentication": true,
	"kexalgorithms": true, "loglevel": true, "macs": true, "numberofpasswordprompts": true, "passwordauthentication": true, "port": true,
	"preferredauthentications": true, "pubkeyacceptedalgorithms": true, "pubkeyauthentication": true, "rekeylimit": true,
	"serveralivecountmax": true, "serveraliveinterval": true, "stricthostkeychecking": true, "tcpkeepalive": true,
	"updatehostkeys": true, "user": true, "userknownhostsfile": true, "verifyhostkeydns": true, "visualhostkey": true,
}

// sshNoShellSettings are those with which ssh runs something else than a shell.
var sshNoShellSettings = map[string]bool{
	"forkafterauthentication": true, "remotecommand": true, "sessiontype": true, "stdinnull": true, "requesttty": true,
}

// sshLine is what a line of ssh asks for.
type sshLine struct {
	host, user string
	shell      bool   // it opens a shell with a terminal
	odd        string // the first option with which that shell cannot be judged
}

// readSSH reads the words behind ssh as it does itself: the first user counts,
// and options may stand behind the host.
func readSSH(w []string) sshLine {
	l := sshLine{shell: true}
	for i := 0; i < len(w); i++ {
		a := w[i]
		switch {
		case len(a) > 1 && a[0] == '-' && a != "--":
			i += l.options(a[1:], w[i+1:])
		case l.host != "" || a[0] == '-':
			l.shell = false // a command, or a line that is none of ssh's
		default:
			l.host = a
			if at := strings.LastIndexByte(a, '@'); at >= 0 {
				l.is(a[:at])
				l.host = a[at+1:]
			}
		}
	}
	l.shell = l.shell && l.host != ""
	return l
}

// options reads one word of options, and tells whether the next word is the
// argument of its last one.
func (l *sshLine) options(letters string, rest []string) (taken int) {
	for i, o := range letters {
		if strings.ContainsRune(sshNoShell, o) {
			l.shell = false
		}
		if !strings.ContainsRune(command.SSHArguments, o) {
			l.notes("-"+string(o), strings.ContainsRune(sshFlags, o))
			continue
		}
		arg := letters[i+1:]
		if arg == "" {
			if len(rest) == 0 {
				l.shell = false
				return 0
			}
			arg, taken = rest[0], 1
		}
		l.argument(o, arg)
		return taken
	}
	return 0
}

func (l *sshLine) argument(o rune, arg string) {
	switch o {
	case 'l':
		l.is(arg)
	case 'o':
		l.setting(arg)
	default:
		l.notes("-"+string(o), strings.ContainsRune(sshTakes, o))
	}
}

func (l *sshLine) setting(arg string) {
	name, value, ok := strings.Cut(arg, "=")
	key := strings.ToLower(name)
	if key == "user" {
		l.is(value)
	}
	if sshNoShellSettings[key] {
		l.shell = false
	}
	l.notes("-o "+name, ok && sshSettings[key])
}

func (l *sshLine) is(user string) {
	if l.user == "" {
		l.user = user
	}
}

func (l *sshLine) notes(option string, harmless bool) {
	if !harmless && l.odd == "" {
		l.odd = option
	}
}

func nestSSH(w []string) (*nest, bool) {
	l := readSSH(w[1:])
	if !l.shell || l.odd != "" {
		return nil, false
	}
	// No escape character: a tilde is a tilde, and opens no forwarding.
	line := w[0] + " -tt -e none " + strings.Join(w[1:], " ") + " " + shellmarks.ForLoginShell
	return &nest{line: line, login: true, blind: true, target: func(t policy.Target) policy.Target {
		user := l.user
		if user == "" {
			user = t.Account
		}
		return policy.Target{Asked: l.host, HostName: l.host, Account: user}
	}}, true
}

// deadEnd refuses a line that would log in to a shell that gets no keys, before
// it does.
func (l *loop) deadEnd(text string) *gate.Refusal {
	w, ok := words(text)
	if !ok || path.Base(w[0]) != "ssh" {
		return nil
	}
	if allowed, _, _ := l.rules().Interactive("ssh"); allowed {
		return nil
	}
	s := readSSH(w[1:])
	if !s.shell || s.odd == "" {
		return nil
	}
	return &gate.Refusal{
		By: gate.ByGate, Reason: "with " + s.odd + " the shell on " + s.host + " could not be judged, and would get no keys",
		Remedy: "leave " + s.odd + " out, write it in ~/.ssh/config there, or give the command to run",
	}
}
