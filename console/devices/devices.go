// Package devices says which hosts are network devices of which kind, as the
// configuration's ssh.devices lists them: "sw-*=ios" each. A pattern is that
// of path.Match, without regard to case as host names have none; the first one
// that fits counts.
package devices

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// Kinds are the kinds of device. Package session has a profile for each.
var Kinds = []string{"ios", "eos", "junos", "vrp", "generic"}

// Check tells what is wrong with an entry.
func Check(entry string) error {
	pattern, kind, ok := strings.Cut(entry, "=")
	if !ok || pattern == "" || !slices.Contains(Kinds, kind) {
		last := len(Kinds) - 1
		return fmt.Errorf("%q is not pattern=kind with %s or %s", entry, strings.Join(Kinds[:last], ", "), Kinds[last])
	}
	if _, err := path.Match(pattern, ""); err != nil {
		return fmt.Errorf("%q: %w", entry, err)
	}
	return nil
}

// Kind is the kind of a host that has these names; empty: it is no device.
func Kind(entries []string, names ...string) string {
	for _, e := range entries {
		pattern, kind, _ := strings.Cut(e, "=")
		for _, n := range names {
			if ok, err := path.Match(strings.ToLower(pattern), strings.ToLower(n)); ok && err == nil {
				return kind
			}
		}
	}
	return ""
}
