package probe

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// terminalScript prints the settings of the terminal $2, then a line for each
// process on it. Only Linux' ps knows a column's width.
const terminalScript = `printf "%s\0" "$(stty -a <"$2" 2>&1)"; ` +
	`{ ps -o pid=,pgid=,tpgid=,stat=,wchan:32=,user=,args= -t "${2#/dev/}" 2>/dev/null || ` +
	`ps -o pid=,pgid=,tpgid=,stat=,wchan=,user=,args= -t "${2#/dev/}" 2>/dev/null; } | ` +
	`while IFS= read -r l; do printf "%s\0" "$l"; done`

// Terminal is what a terminal is set to and what is in front of it, as the
// host tells it.
type Terminal struct {
	Echo       bool
	Canonical  bool // a line at a time
	Signals    bool // ^C, ^Z and ^\ are signals
	Foreground []Process
}

// Process is one of the foreground group's.
type Process struct {
	PID   int
	State string // ps' code: S sleeps, R runs, T is stopped …
	Waits string // the kernel function it sleeps in; "-" where the host does not say
	User  string
	Args  string // command line; hostile text
}

// Terminal reads the terminal tty, a path below /dev. Foreground is empty
// where the host's ps cannot say.
func (p *Probe) Terminal(ctx context.Context, tty string) (Terminal, error) {
	if err := checkTTY(tty); err != nil {
		return Terminal{}, err
	}
	fields, err := p.ask(ctx, "terminal", tty, "-")
	if err != nil {
		return Terminal{}, err
	}
	if len(fields) == 0 {
		return Terminal{}, ErrUnanswered
	}
	t, err := parseSettings(fields[0])
	if err != nil {
		return Terminal{}, err
	}
	for _, line := range fields[1:] {
		if proc, front := parseProcess(line); front {
			t.Foreground = append(t.Foreground, proc)
		}
	}
	return t, nil
}

// checkTTY takes the names that terminals have: whoever claimed this one must
// not choose another file to be opened.
func checkTTY(tty string) error {
	rest, ok := strings.CutPrefix(tty, "/dev/")
	if !ok || rest == "" || len(rest) > 32 {
		return fmt.Errorf("%q is not a terminal", tty)
	}
	name, ok := strings.CutPrefix(rest, "pts/")
	for _, r := range name {
		digit, letter := r >= '0' && r <= '9', r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		if !digit && (ok || !letter) {
			return fmt.Errorf("%q is not a terminal", tty)
		}
	}
	if name == "" || !ok && !strings.HasPrefix(name, "tty") {
		return fmt.Errorf("%q is not a terminal", tty)
	}
	return nil
}

// parseSettings reads what `stty -a` prints: words, "-" before what is off.
func parseSettings(s string) (Terminal, error) {
	on := map[string]bool{}
	seen := map[string]bool{}
	for _, w := range strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || r == '\n' || r == ';' || r == '\t' }) {
		name := strings.TrimPrefix(w, "-")
		seen[name], on[name] = true, name == w
	}
	for _, name := range []string{"echo", "icanon", "isig"} {
		if !seen[name] {
			return Terminal{}, fmt.Errorf("%w: stty tells no %s", ErrUnanswered, name)
		}
	}
	return Terminal{Echo: on["echo"], Canonical: on["icanon"], Signals: on["isig"]}, nil
}

// parseProcess reads a line of ps; front is whether the process belongs to the
// group in front.
func parseProcess(line string) (p Process, front bool) {
	f, args := split(line, 6)
	if f == nil {
		return Process{}, false
	}
	pid, err1 := strconv.Atoi(f[0])
	group, err2 := strconv.Atoi(f[1])
	inFront, err3 := strconv.Atoi(f[2])
	if errors.Join(err1, err2, err3) != nil {
		return Process{}, false
	}
	return Process{PID: pid, State: f[3], Waits: f[4], User: f[5], Args: args}, group == inFront
}

// split takes n blank-separated words off line and gives the rest as it is.
func split(line string, n int) ([]string, string) {
	var words []string
	for range n {
		line = strings.TrimLeft(line, " ")
		w, rest, found := strings.Cut(line, " ")
		if !found {
			return nil, ""
		}
		words, line = append(words, w), rest
	}
	return words, strings.TrimLeft(line, " ")
}
