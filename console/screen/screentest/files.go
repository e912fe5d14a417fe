// Package screentest has what programs show in tests that compare terminals.
package screentest

import (
	"fmt"
	"strings"
)

// Files are texts for pagers, editors and man, by name: code, colours with a
// needle to search for, a manual page.
func Files() map[string]string {
	var code, colours strings.Builder
	for i := range 120 {
		fmt.Fprintf(&code, "\tline %d := \"some text\" // %s\n", i, strings.Repeat("comment ", i%7))
		fmt.Fprintf(&colours, "\x1b[3%dmline %d\x1b[0m \x1b[1mbold\x1b[0m \x1b[38;5;%dmindexed\x1b[0m %s\n", i%8, i, i, strings.Repeat("word ", i%25))
	}
	colours.WriteString("the needle\nafter\n")
	return map[string]string{"code.go": code.String(), "colours.txt": colours.String(), "page.1": manual}
}

var manual = ".TH PAGE 1\n.SH NAME\npage \\- a page\n.SH SYNOPSIS\n.B page\n[\\fIoption\\fR]\n.SH DESCRIPTION\n" +
	strings.Repeat("This \\fBpage\\fR has text that is \\fIunderlined\\fR here and there, and goes on for some lines.\n.PP\n", 30)
