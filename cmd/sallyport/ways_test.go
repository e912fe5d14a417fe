package main

import (
	"slices"
	"testing"
)

// What the table of entry paths in package gate calls not built has no command
// either.
func TestWaysThatAreNotBuiltHaveNoCommand(t *testing.T) {
	for _, c := range newRootCommand().Commands() {
		if slices.Contains([]string{"login", "get", "put", "mcp"}, c.Name()) {
			t.Errorf("%s is built: say in package gate's table who may use it, what judges it and what records it", c.Name())
		}
	}
}
