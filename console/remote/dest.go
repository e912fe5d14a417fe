package remote

import (
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"
)

// Dest is a destination as a person writes it. Port 0 and an empty User are
// not said.
type Dest struct {
	User string
	Host string
	Port int
}

// ParseDest reads [user@]host[:port], [user@][address]:port and a bare IPv6
// address. A name that begins with a hyphen could be taken for an option by
// ssh and is refused, as is every character that no host or account has.
func ParseDest(s string) (Dest, error) {
	d := Dest{Host: s}
	if i := strings.LastIndexByte(s, '@'); i >= 0 {
		d.User, d.Host = s[:i], s[i+1:]
		if d.User == "" {
			return Dest{}, destError(s, errors.New("the account before @ is empty"))
		}
	}
	if err := d.splitPort(); err != nil {
		return Dest{}, destError(s, err)
	}
	if err := validDest(d); err != nil {
		return Dest{}, destError(s, err)
	}
	return d, nil
}

func destError(s string, err error) error {
	return fail(StepConfig, "", ClassConfig, fmt.Errorf("destination %q: %w", s, err), "[user@]host[:port], or [address]:port")
}

// splitPort moves a port from Host to Port. Two colons and no bracket is an
// IPv6 address without a port.
func (d *Dest) splitPort() error {
	if strings.HasPrefix(d.Host, "[") {
		return d.splitBracket()
	}
	host, port, found := strings.Cut(d.Host, ":")
	if !found || strings.Contains(port, ":") {
		return nil
	}
	n, err := parsePort(port)
	d.Host, d.Port = host, n
	return err
}

func (d *Dest) splitBracket() error {
	host, rest, found := strings.Cut(d.Host[1:], "]")
	if !found {
		return errors.New("] is missing")
	}
	d.Host = host
	if rest == "" {
		return nil
	}
	port, found := strings.CutPrefix(rest, ":")
	if !found {
		return fmt.Errorf("%q after ]", rest)
	}
	n, err := parsePort(port)
	d.Port = n
	return err
}

func parsePort(s string) (int, error) {
	n, err := strconv.ParseUint(s, 10, 16)
	if err != nil || n == 0 {
		return 0, fmt.Errorf("port %q is not a number from 1 to 65535", s)
	}
	return int(n), nil
}

func validDest(d Dest) error {
	if err := validName("host", d.Host, hostChars); err != nil {
		return err
	}
	if d.User == "" {
		return nil
	}
	return validName("account", d.User, userChars)
}

const (
	alphanumeric = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	hostChars    = alphanumeric + "._-:%/+="
	userChars    = alphanumeric + "._-+@=,:~^%#!/ \\"
)

// validName refuses what a shell or ssh itself could read as something else.
// Letters beyond ASCII are refused too: a look-alike name is another host.
func validName(what, s, chars string) error {
	switch {
	case s == "":
		return fmt.Errorf("the %s is empty", what)
	case s[0] == '-':
		return fmt.Errorf("the %s begins with a hyphen: that is an option, not a name", what)
	case len(s) > 255:
		return fmt.Errorf("the %s has more than 255 characters", what)
	}
	for _, r := range s {
		if !strings.ContainsRune(chars, r) {
			return fmt.Errorf("the %s holds %q", what, r)
		}
	}
	return nil
}

// hostPort is the form that known-hosts checks take.
func hostPort(host string, port int) string { return net.JoinHostPort(host, strconv.Itoa(port)) }

// shownHost is a host for people: with the port when it is not 22.
func shownHost(host string, port int) string {
	if port == 22 || port == 0 {
		return host
	}
	return hostPort(host, port)
}
