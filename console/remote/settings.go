package remote

import (
	"context"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"os/user"
	"slices"
	"strconv"
	"strings"
	"time"
)

// settings is what the ssh configuration says about one host.
type settings struct {
	asked    string // as the person wrote it, without account and port
	hostName string
	user     string
	port     int

	identityFiles    []string
	certificateFiles []string
	identitiesOnly   bool
	identityAgent    string
	forwardAgent     string // another agent for the host, as ForwardAgent names it

	proxyJump     string
	addressFamily string
	bindAddress   string

	userKnownHosts   []string
	globalKnownHosts []string
	hostKeyAlias     string
	hashKnownHosts   bool
	strictHostKeys   bool // unknown keys are refused without a question
	revokedHostKeys  string

	aliveInterval  time.Duration
	aliveCount     int
	connectTimeout time.Duration

	publickey       bool
	password        bool
	kbdInteractive  bool
	preferred       []string
	passwordPrompts int
	batch           bool

	wants []Want
}

// words are an ssh configuration's answers for one host: lower-case option to
// its values in order.
type words map[string][]string

func (w words) first(name string) string {
	if v := w[name]; len(v) > 0 {
		return v[0]
	}
	return ""
}

func settableNames() []string { return slices.Sorted(maps.Values(settable)) }

// resolve reads the ssh configuration for d.
func resolve(ctx context.Context, d Dest, o Options) (*settings, error) {
	set, err := o.check()
	if err != nil {
		return nil, err
	}
	o = o.over(d)
	w, err := readConfiguration(ctx, d.Host, o, set)
	if err != nil {
		return nil, err
	}
	return w.settings(d.Host)
}

// over puts what the destination itself says above the flags, as ssh does.
func (o Options) over(d Dest) Options {
	if d.User != "" {
		o.User = d.User
	}
	if d.Port != 0 {
		o.Port = d.Port
	}
	return o
}

func readConfiguration(ctx context.Context, host string, o Options, set []option) (words, error) {
	if ssh, err := exec.LookPath("ssh"); err == nil {
		return askSSH(ctx, ssh, host, o, set)
	}
	return readFiles(host, o, set)
}

func (w words) settings(asked string) (*settings, error) {
	s := &settings{asked: asked, hostName: w.first("hostname"), user: w.first("user")}
	if s.hostName == "" {
		s.hostName = asked
	}
	if err := s.setPlace(w); err != nil {
		return nil, err
	}
	s.setTrust(w)
	s.setAuth(w)
	s.setTime(w)
	s.wants = w.wants()
	return s, s.expand(w)
}

func (s *settings) setPlace(w words) error {
	port, err := parsePort(orElse(w.first("port"), "22"))
	if err != nil {
		return settingError(s.asked, "Port", err)
	}
	s.port = port
	if s.user == "" {
		s.user = localUser()
	}
	if c := w.first("proxycommand"); c != "" && c != "none" {
		return settingError(s.asked, "ProxyCommand", fmt.Errorf("no program is run to reach a host"))
	}
	s.proxyJump = noNone(w.first("proxyjump"))
	if f := strings.ToLower(w.first("addressfamily")); f != "any" {
		s.addressFamily = f
	}
	s.bindAddress = noNone(w.first("bindaddress"))
	return nil
}

func (s *settings) setTrust(w words) {
	s.userKnownHosts = fields(w.first("userknownhostsfile"))
	s.globalKnownHosts = fields(w.first("globalknownhostsfile"))
	s.hostKeyAlias = noNone(w.first("hostkeyalias"))
	s.hashKnownHosts = yes(w.first("hashknownhosts"))
	s.revokedHostKeys = noNone(w.first("revokedhostkeys"))
	strict := strings.ToLower(w.first("stricthostkeychecking"))
	s.strictHostKeys = strict == "yes" || strict == "true"
}

func (s *settings) setAuth(w words) {
	s.identityFiles = withoutNone(w["identityfile"])
	s.certificateFiles = withoutNone(w["certificatefile"])
	s.identitiesOnly = yes(w.first("identitiesonly"))
	s.identityAgent = w.first("identityagent")
	if a := noNone(w.first("forwardagent")); !yes(a) && !no(a) {
		s.forwardAgent = a
	}
	s.publickey = !no(w.first("pubkeyauthentication"))
	s.password = !no(w.first("passwordauthentication"))
	s.kbdInteractive = !no(orElse(w.first("kbdinteractiveauthentication"), w.first("challengeresponseauthentication")))
	s.batch = yes(w.first("batchmode"))
	s.passwordPrompts = number(w.first("numberofpasswordprompts"), 3)
	if p := w.first("preferredauthentications"); p != "" {
		s.preferred = strings.Split(p, ",")
	}
}

func (s *settings) setTime(w words) {
	s.aliveInterval = seconds(w.first("serveraliveinterval"))
	s.aliveCount = number(w.first("serveralivecountmax"), 3)
	s.connectTimeout = seconds(w.first("connecttimeout"))
}

// label is the host's name in messages.
func (s *settings) label() string { return shownHost(s.asked, s.port) }

func settingError(host, option string, err error) error {
	return fail(StepConfig, host, ClassConfig, fmt.Errorf("%s in the ssh configuration: %w", option, err), settingHint(option))
}

func settingHint(option string) string {
	if option == "ProxyCommand" {
		return "ProxyJump in ~/.ssh/config, or -J; or -F with a file that has no ProxyCommand for this host"
	}
	return "ssh -G shows what is configured for this host"
}

func localUser() string {
	if u, err := user.Current(); err == nil {
		return u.Username
	}
	return os.Getenv("USER")
}

func homeDir() string {
	if u, err := user.Current(); err == nil && u.HomeDir != "" {
		return u.HomeDir
	}
	return os.Getenv("HOME")
}

func yes(s string) bool { s = strings.ToLower(s); return s == "yes" || s == "true" }
func no(s string) bool  { s = strings.ToLower(s); return s == "no" || s == "false" }

func noNone(s string) string {
	if strings.EqualFold(s, "none") {
		return ""
	}
	return s
}

func withoutNone(list []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(v string) bool { return noNone(v) == "" })
}

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

func number(s string, other int) int {
	if n, err := strconv.Atoi(s); err == nil && n >= 0 {
		return n
	}
	return other
}

// seconds reads ssh's time format: 90, 1m30s, 2h, 1d, 1w.
func seconds(s string) time.Duration {
	units := map[byte]time.Duration{'s': time.Second, 'm': time.Minute, 'h': time.Hour, 'd': 24 * time.Hour, 'w': 7 * 24 * time.Hour}
	var total, n time.Duration
	digits := false
	for i := range len(s) {
		c := s[i] | 0x20
		switch {
		case s[i] >= '0' && s[i] <= '9':
			n, digits = n*10+time.Duration(s[i]-'0'), true
		case digits && units[c] != 0:
			total, n, digits = total+n*units[c], 0, false
		default:
			return 0
		}
		if n > 1e7 || total < 0 {
			return 0
		}
	}
	return total + n*time.Second
}
