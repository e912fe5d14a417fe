package remote

import (
	"os"
	"path"
	"slices"
	"strings"
)

// Want is something beside a shell that the ssh configuration asks for. This
// package gives none of it by itself.
type Want struct {
	Kind   string // env, agent_forward, x11, local_forward, remote_forward
	Detail string // NAME=value of env, the addresses of a forwarding
}

// wants reads what ssh would ask the host for beside the shell.
func (w words) wants() []Want {
	var out []Want
	for _, v := range environment(w["sendenv"], w["setenv"], os.Environ()) {
		out = append(out, Want{"env", v})
	}
	if a := noNone(w.first("forwardagent")); a != "" && !no(a) {
		out = append(out, Want{Kind: "agent_forward"})
	}
	if yes(w.first("forwardx11")) {
		out = append(out, Want{Kind: "x11"})
	}
	for name, kind := range map[string]string{"localforward": "local_forward", "dynamicforward": "local_forward", "remoteforward": "remote_forward"} {
		for _, v := range withoutNone(w[name]) {
			out = append(out, Want{kind, v})
		}
	}
	slices.SortStableFunc(out, func(a, b Want) int { return strings.Compare(a.Kind, b.Kind) })
	return out
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
	for _, v := range have {
		name, value, _ := strings.Cut(v, "=")
		if slices.ContainsFunc(send, func(patterns string) bool { return chosen(patterns, name) }) {
			add(name, value)
		}
	}
	return out
}

func chosen(patterns, name string) bool {
	return slices.ContainsFunc(strings.Fields(patterns), func(p string) bool {
		ok, err := path.Match(p, name)
		return ok && err == nil
	})
}
