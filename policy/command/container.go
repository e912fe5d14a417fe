package command

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// Containers and clusters: what runs in another root.

// container is docker, podman and their like: exec and run start a command.
func (x *invocation) container() {
	n := leading("docker", x.args)
	if n >= len(x.args) {
		return
	}
	sub, rest := x.args[n].Text, x.args[n+1:]
	if sub == "container" || sub == "compose" || sub == "image" {
		if sub == "compose" {
			rest = rest[leadingOf("docker compose", rest):]
		}
		if len(rest) == 0 {
			return
		}
		sub, rest = rest[0].Text, rest[1:]
	}
	x.containerCommand(sub, rest)
}

func (x *invocation) compose() {
	n := leading("docker-compose", x.args)
	if n < len(x.args) {
		x.containerCommand(x.args[n].Text, x.args[n+1:])
	}
}

func (x *invocation) containerCommand(sub string, rest []Word) {
	switch sub {
	case "unshare":
		x.run(rest)
		return
	case "exec":
		n := leadingOf("docker exec", rest)
		o := readAs("docker exec", rest[:n])
		x.workdir = o.values("w", "workdir")
		rest = rest[n:]
	case "run", "create":
		n := leadingOf("docker run", rest)
		o := readAs("docker run", rest[:n])
		x.workdir, x.mounts = o.values("w", "workdir"), hostMounts(o)
		for _, e := range o.values("entrypoint") {
			if n < len(rest) {
				x.run(append([]Word{e}, rest[n+1:]...))
				return
			}
		}
		rest = rest[n:]
	default:
		return
	}
	if len(rest) > 1 {
		x.inside(rest[1:])
	}
}

// inside runs words in another root: paths and variables of this line do not
// count there.
func (x *invocation) inside(words []Word) {
	cwds, env := x.cwds, x.env
	x.cwds, x.env = nil, nil
	for _, d := range x.workdir {
		if d.Known {
			x.cwds = []string{clean(d.Text)}
		}
	}
	x.run(x.unmounted(words))
	x.cwds, x.env = cwds, env
}

// hostMounts are the folders of a container that are folders of this host:
// name inside → name here.
func hostMounts(o Options) map[string]string {
	mounts := map[string]string{}
	for _, v := range o.values("v", "volume") {
		if from, to, ok := strings.Cut(v.Text, ":"); ok && strings.HasPrefix(from, "/") {
			to, _, _ = strings.Cut(to, ":")
			mounts[clean(to)] = clean(from)
		}
	}
	for _, v := range o.values("mount") {
		from, to := "", ""
		for _, f := range strings.Split(v.Text, ",") {
			name, value, _ := strings.Cut(f, "=")
			switch name {
			case "src", "source":
				from = value
			case "dst", "target", "destination":
				to = value
			}
		}
		if strings.HasPrefix(from, "/") && to != "" {
			mounts[clean(to)] = clean(from)
		}
	}
	return mounts
}

// unmounted puts the host's names of mounted folders in place of the
// container's.
func (x *invocation) unmounted(words []Word) []Word {
	if len(x.mounts) == 0 {
		return words
	}
	out := append([]Word(nil), words...)
	inner := deepestFirst(x.mounts)
	for i := range out {
		for _, to := range inner {
			if out[i].Text == to || strings.HasPrefix(out[i].Text, strings.TrimSuffix(to, "/")+"/") {
				out[i].Text = clean(x.mounts[to] + "/" + strings.TrimPrefix(out[i].Text, to))
				break
			}
		}
	}
	return out
}

// deepestFirst gives the names inside so that a mount inside another comes
// before it.
func deepestFirst(mounts map[string]string) []string {
	return slices.SortedFunc(maps.Keys(mounts), func(a, b string) int {
		return cmp.Or(len(b)-len(a), strings.Compare(a, b))
	})
}

func leadingOf(name string, args []Word) int {
	s := specs[name]
	for i := 0; i < len(args); i++ {
		t := args[i].Text
		if t == "--" {
			return i + 1
		}
		if len(t) < 2 || t[0] != '-' {
			return i
		}
		if s.takesNext(t) {
			i++
		}
	}
	return len(args)
}

// kubectl exec, run and debug start what stands behind --; exec also what
// follows the pod.
func (x *invocation) kubectl() {
	n := leading("kubectl", x.args)
	if n >= len(x.args) {
		return
	}
	sub := x.args[n].Text
	if sub != "exec" && sub != "run" && sub != "debug" && sub != "rsh" && sub != "attach" {
		return
	}
	rest := x.args[n+1:]
	for i, a := range rest {
		if a.Text != "--" {
			continue
		}
		words := rest[i+1:]
		if before := readOptions("kubectl", rest[:i]).Operands; len(before) > 1 && sub == "exec" {
			words = append(before[1:len(before):len(before)], words...)
		}
		x.inside(words)
		return
	}
	o := readOptions("kubectl", rest)
	if pod := leading("kubectl", rest); (sub == "rsh" || sub == "exec") && len(rest) > pod+1 {
		if words := rest[pod+1:]; !strings.HasPrefix(words[0].Text, "-") {
			x.inside(words)
			return
		}
	}
	if sub == "exec" && len(o.Operands) > 1 {
		x.inside(o.Operands[1:])
		return
	}
	if sub == "rsh" || sub == "attach" && o.has("i", "t", "it", "ti", "stdin") || sub == "debug" {
		x.mark("interactive_shell")
	}
}

// behind runs the words after the first n operands and an optional --.
func behind(sub string, skip int) func(*invocation) {
	return func(x *invocation) {
		n := leading(x.program, x.args)
		rest := x.args[n:]
		for _, want := range strings.Fields(sub) {
			if len(rest) == 0 || !slices.Contains(strings.Split(want, "|"), rest[0].Text) {
				return
			}
			rest = rest[1:]
		}
		for i := 0; i < skip && len(rest) > 0; i++ {
			for len(rest) > 0 && strings.HasPrefix(rest[0].Text, "-") && rest[0].Text != "--" {
				rest = rest[1:]
			}
			if len(rest) > 0 {
				rest = rest[1:]
			}
		}
		for len(rest) > 0 && strings.HasPrefix(rest[0].Text, "-") {
			if rest[0].Text == "--" {
				rest = rest[1:]
				break
			}
			rest = rest[1:]
		}
		if len(rest) == 0 {
			x.mark("interactive_shell")
			return
		}
		x.inside(rest)
	}
}
