package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

func TestLinesAreFoldedBetweenWords(t *testing.T) {
	for _, c := range []struct {
		line string
		want []string
	}{
		{"short", []string{"short"}},
		{"exactly twenty cols.", []string{"exactly twenty cols."}},
		{"a line that is longer than twenty", []string{"a line that is", "longer than", "twenty"}},
		{"nospacesatallinthislongword0123456789", []string{"nospacesatallinthisl", "ongword0123456", "789"}},
		{"    indented and a long rest of it", []string{"    indented and a", "long rest of", "it"}},
		{"宽宽宽宽宽宽宽宽宽宽宽宽", []string{"宽宽宽宽宽宽宽宽宽宽", "宽宽"}},
		{"", []string{""}},
	} {
		if got := fold(c.line, 20, 6); !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, want %q", c.line, got, c.want)
		}
	}
	for n := range 200 { // nothing but spaces is lost, nothing is too wide
		line := strings.Repeat("word and "+strings.Repeat("x", n%40)+" ", 5)
		parts := fold(line, 40, 8)
		for i, p := range parts {
			if w := ansi.StringWidth(p); w > 40 || i > 0 && w > 32 {
				t.Errorf("%d columns: %q", w, p)
			}
		}
		if flat := strings.ReplaceAll; flat(strings.Join(parts, ""), " ", "") != flat(line, " ", "") {
			t.Errorf("%q became %q", line, parts)
		}
	}
}
