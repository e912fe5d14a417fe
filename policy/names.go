package policy

import (
	"fmt"
	"strings"

	"sallyport/policy/command"
)

// A nameSet is a list of names or patterns, perhaps negated as a whole.
type nameSet struct {
	exact map[string]bool
	globs []glob
	sets  []func(string) bool
	not   bool
}

func (n *nameSet) holds(s string) bool {
	return n.contains(s) != n.not
}

func (n *nameSet) contains(s string) bool {
	if n.exact[s] {
		return true
	}
	for i := range n.globs {
		if n.globs[i].match(s) {
			return true
		}
	}
	for _, f := range n.sets {
		if f(s) {
			return true
		}
	}
	return false
}

func (n *nameSet) any(list []string) bool {
	for _, s := range list {
		if s != "" && n.holds(s) {
			return true
		}
	}
	return false
}

// sets of programs that every file can name.
var builtinSets = map[string]map[string]bool{
	"shells":       setOf(command.Shells),
	"interpreters": setOf("python perl ruby node nodejs php lua luajit tclsh wish expect deno bun groovy julia Rscript guile osascript pypy irb ipython erl elixir scala jshell jrunscript"),
	"editors":      setOf("vi vim nvim view nano pico emacs ed ex joe micro mcedit kak hx emacsclient red rvim sudoedit"),
	"pagers":       setOf("less pager more most man pg zless zmore bat"),
	"downloaders":  setOf(command.Downloaders),
	"privilege":    setOf("sudo doas su pkexec runuser dzdo run0 gosu su-exec sudo-rs setpriv"),
}

func setOf(words string) map[string]bool {
	m := map[string]bool{}
	for _, s := range strings.Fields(words) {
		m[s] = true
	}
	return m
}

// names compiles a list. "!x" negates: then every entry must be negated.
// "@set" is a named set; "a|b" is two names.
func names(list []string, sets map[string][]string) (*nameSet, error) {
	n := &nameSet{exact: map[string]bool{}}
	for i, entry := range list {
		rest, not := strings.CutPrefix(entry, "!")
		if i == 0 {
			n.not = not
		} else if not != n.not {
			return nil, &entryFault{entry, fmt.Sprintf("%q: either all names have ! or none has", entry), `write ["!a|b"]: none of these`}
		}
		for _, name := range strings.Split(rest, "|") {
			if err := n.add(name, sets, 0); err != nil {
				return nil, err
			}
		}
	}
	return n, nil
}

func (n *nameSet) add(name string, sets map[string][]string, depth int) error {
	set, ok := strings.CutPrefix(name, "@")
	switch {
	case ok && set == "readers":
		n.sets = append(n.sets, command.Reader)
	case ok && set == "tools":
		n.sets = append(n.sets, command.Tool)
	case ok && set == "known":
		n.sets = append(n.sets, command.Knows)
	case ok && builtinSets[set] != nil:
		m := builtinSets[set]
		n.sets = append(n.sets, func(s string) bool { return m[s] })
	case ok && sets[set] != nil && depth < 4:
		for _, s := range sets[set] {
			if err := n.add(s, sets, depth+1); err != nil {
				return err
			}
		}
	case ok:
		return &entryFault{
			name, fmt.Sprintf("unknown set %q", name),
			"name a list of this file's [sets], or @shells, @interpreters, @editors, @pagers, @downloaders, @privilege, @readers, @tools or @known",
		}
	case strings.ContainsAny(name, "*?[{"):
		g, err := parseGlob(name)
		if err != nil {
			return err
		}
		n.globs = append(n.globs, g)
	default:
		n.exact[name] = true
	}
	return nil
}

// literalNames gives the programs that the set can be indexed by; false if
// it holds patterns or is negated.
func (n *nameSet) literalNames(sets map[string][]string, list []string) ([]string, bool) {
	if n == nil || n.not || len(n.globs) > 0 {
		return nil, false
	}
	var out []string
	for s := range n.exact {
		out = append(out, s)
	}
	for _, entry := range list {
		for _, name := range strings.Split(entry, "|") {
			set, ok := strings.CutPrefix(name, "@")
			if !ok {
				continue
			}
			m, builtin := builtinSets[set]
			if !builtin {
				if sets[set] == nil {
					return nil, false
				}
				continue // its members are in exact, or in a builtin set of their own
			}
			for s := range m {
				out = append(out, s)
			}
		}
	}
	return out, true
}
