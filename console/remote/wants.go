package remote

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
)

// Want is something beside a shell that the ssh configuration asks for. This
// package gives none of it by itself.
type Want struct {
	Kind   string // env, agent_forward, x11, local_forward, remote_forward
	Detail string // NAME=value of env; of a forwarding where it goes to, host:port, or empty: each connection says
	Listen string // of a forwarding: the loopback address and port that is listened at, here or on the host
	Err    error  // why it cannot be given whatever the policy says; nil: it can
}

// wants reads what ssh would ask the host for beside the shell.
func (w words) wants() []Want {
	var out []Want
	for _, v := range environment(w["sendenv"], w["setenv"], os.Environ()) {
		out = append(out, Want{Kind: "env", Detail: v})
	}
	if a := noNone(w.first("forwardagent")); a != "" && !no(a) {
		out = append(out, Want{Kind: "agent_forward"})
	}
	if yes(w.first("forwardx11")) {
		x := Want{Kind: "x11"}
		if !yes(w.first("forwardx11trusted")) {
			x.Err = errUntrusted
		}
		out = append(out, x)
	}
	if !yes(w.first("clearallforwardings")) {
		out = append(out, w.forwardings()...)
	}
	slices.SortStableFunc(out, func(a, b Want) int { return strings.Compare(a.Kind, b.Kind) })
	return out
}

// forwardings are the ports, as LocalForward, DynamicForward and RemoteForward
// name them.
func (w words) forwardings() []Want {
	var out []Want
	for _, f := range []struct{ name, kind string }{
		{"localforward", "local_forward"}, {"dynamicforward", "local_forward"}, {"remoteforward", "remote_forward"},
	} {
		for _, v := range withoutNone(w[f.name]) {
			out = append(out, forwarding(f.kind, f.name == "dynamicforward", v))
		}
	}
	return out
}

var (
	errUntrusted   = errors.New("untrusted X11 is not built; set ForwardX11Trusted yes")
	errForwardForm = errors.New("a forwarding is [address:]port host:port; sockets in the file system are not forwarded")
	errForwardWide = errors.New("a forwarding listens on a loopback address and at no other")
)

// forwarding reads one. A remote one without a destination would let the host
// connect from here to anywhere.
func forwarding(kind string, dynamic bool, v string) Want {
	f := fields(v)
	want := Want{Kind: kind, Detail: v}
	if len(f) == 0 || dynamic != (len(f) == 1) {
		want.Err = errForwardForm
		return want
	}
	host, port, err := address(f[0])
	if err != nil {
		want.Err = err
		return want
	}
	if !loopback(host) {
		want.Err = errForwardWide
	}
	want.Listen = net.JoinHostPort(orElse(host, "localhost"), port)
	if dynamic {
		want.Detail = ""
		return want
	}
	toHost, toPort, err := address(f[1])
	if err != nil || toHost == "" || toPort == "0" {
		want.Err = errForwardForm
		return want
	}
	want.Detail = net.JoinHostPort(toHost, toPort)
	return want
}

// address reads port, host:port and [host]:port.
func address(s string) (host, port string, err error) {
	port = s
	if i := strings.LastIndexByte(s, ':'); i >= 0 {
		host, port = strings.Trim(s[:i], "[]"), s[i+1:]
	}
	n, err := strconv.ParseUint(port, 10, 16)
	if err != nil || strings.ContainsAny(host, "/ \t") {
		return "", "", errForwardForm
	}
	return host, strconv.FormatUint(n, 10), nil
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "" || strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}

// maxEnv bounds the variables that are sent.
const maxEnv = 64

// environment gives the variables that SendEnv's patterns choose, and those
// that SetEnv sets; of a name the first counts.
func environment(send, set, have []string) []string {
	var out []string
	add := func(name, value string) {
		has := slices.ContainsFunc(out, func(v string) bool { return strings.HasPrefix(v, name+"=") })
		if !has && name != "" && len(out) < maxEnv && !strings.ContainsAny(value, "\x00\n\r") {
			out = append(out, name+"="+value)
		}
	}
	for _, v := range set {
		for _, one := range fields(v) {
			name, value, _ := strings.Cut(one, "=")
			add(name, value)
		}
	}
	patterns := sendPatterns(send)
	for _, v := range have {
		name, value, _ := strings.Cut(v, "=")
		if slices.ContainsFunc(patterns, func(p string) bool { return matches(p, name) }) {
			add(name, value)
		}
	}
	return out
}

// sendPatterns are SendEnv's, in order. One that begins with - takes back what
// came before it and that it matches, as ssh_config(5) says: -LC_* takes back
// LC_TIME, and LC_* itself.
func sendPatterns(send []string) []string {
	var out []string
	for _, v := range send {
		for p := range strings.FieldsSeq(v) {
			if back, ok := strings.CutPrefix(p, "-"); ok {
				out = slices.DeleteFunc(out, func(have string) bool { return matches(back, have) })
			} else {
				out = append(out, p)
			}
		}
	}
	return out
}

func matches(pattern, name string) bool {
	ok, err := path.Match(pattern, name)
	return ok && err == nil
}

// bind is how a cleared place to listen at on the host reads.
func bind(at string) (host string, port uint32, err error) {
	host, p, err := net.SplitHostPort(at)
	if err != nil || !loopback(host) {
		return "", 0, errForwardWide
	}
	n, err := strconv.ParseUint(p, 10, 16)
	if err != nil || n == 0 {
		return "", 0, fmt.Errorf("port %q: %w", p, errForwardForm)
	}
	return host, uint32(n), nil
}
