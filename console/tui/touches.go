package tui

import (
	"path"
	"slices"
	"strings"

	"sallyport/console/safetext"
	"sallyport/policy"
	"sallyport/policy/command"
)

// accessWords are what is said of an access, the worst first. Reading is not
// said: almost everything reads.
var accessWords = []struct {
	access command.Access
	word   string
}{
	{command.Removes, "removes"},
	{command.Writes, "writes"},
	{command.Runs, "runs"},
	{command.Sends, "sends"},
	{command.Connects, "connects to"},
}

const maxTouches = 6

// touches says what a line would act on besides its own programs, as far as the
// console can tell.
func (m *Model) touches(d policy.Decision) line {
	var said []string
	for _, a := range accessWords {
		for _, f := range d.Facts {
			for _, u := range f.Uses {
				if u.Access&a.access != 0 && u.Text != "" && path.Base(u.Text) != f.Program {
					said = append(said, a.word+" "+safetext.Line(u.Text))
				}
			}
		}
	}
	said = unique(said)
	if len(said) == 0 {
		return nil
	}
	if more := len(said) - maxTouches; more > 0 {
		said = append(said[:maxTouches], "and "+plural(more, "more", "more"))
	}
	return line{{strings.Join(said, ", "), m.theme.text}}
}

func unique(in []string) []string {
	var out []string
	for _, s := range in {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}
