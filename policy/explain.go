package policy

import (
	"fmt"
	"strings"
)

// Explain writes a decision for a person: the text with the matched words
// underlined, every command found in it with its unwrap path, every rule, and
// what would satisfy the effect. The text is shown with its control
// characters made visible; who draws it on a terminal still passes it through
// its own filter.
func (d Decision) Explain(text string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %s  (%s)\n", d.Risk, d.Effect, d.By)
	d.explainText(&b, text)
	if !d.Analyzable {
		fmt.Fprintf(&b, "  cannot be analyzed: %s\n", d.Why)
	}
	if len(d.Text) > 0 {
		fmt.Fprintf(&b, "  the text holds: %s\n", strings.Join(d.Text, ", "))
	}
	d.explainFacts(&b)
	d.explainRules(&b)
	for _, e := range d.Exceptions {
		fmt.Fprintf(&b, "exception %s\n", e)
	}
	fmt.Fprintf(&b, "to send it: %s\n", satisfies[d.Effect])
	fmt.Fprintf(&b, "policy %s %s %.12s\n", d.Policy.ID, d.Policy.Version, d.Policy.Digest)
	return b.String()
}

var satisfies = map[Effect]string{
	Permit:  "nothing more than sending it",
	Confirm: "one key, y",
	Typed:   "type the target's name and the two digits that are shown",
	Second:  "another person's consent, which is not built yet: it is refused",
	Deny:    "nothing here; an exception of the organization's policy, or another command",
}

// explainText shows each line with marks under the words that rules matched.
func (d Decision) explainText(b *strings.Builder, text string) {
	marked := make([]bool, len(text)+1)
	for _, m := range d.Rules {
		for _, s := range m.Spans {
			for i := max(0, s[0]); i < s[1] && i < len(text); i++ {
				marked[i] = true
			}
		}
	}
	at := 0
	for _, line := range strings.SplitAfter(text, "\n") {
		shown, marks, any := "", "", false
		for i, r := range line {
			if r == '\n' {
				break
			}
			v := visible(r)
			shown += v
			c := " "
			if marked[at+i] {
				c, any = "~", true
			}
			marks += strings.Repeat(c, len([]rune(v)))
		}
		fmt.Fprintf(b, "  %s\n", shown)
		if any {
			fmt.Fprintf(b, "  %s\n", strings.TrimRight(marks, " "))
		}
		at += len(line)
	}
}

// visible writes what a terminal would hide or obey.
func visible(r rune) string {
	if r == '\t' {
		return "⇥"
	}
	if r < 0x20 || r >= 0x7f && r < 0xa0 || r != ' ' && hidden(r) {
		return fmt.Sprintf("‹U+%04X›", r)
	}
	return string(r)
}

func (d Decision) explainFacts(b *strings.Builder) {
	for i := range d.Facts {
		f := &d.Facts[i]
		path := ""
		if len(f.Via) > 0 {
			path = strings.Join(f.Via, " › ") + " › "
		}
		fmt.Fprintf(b, "  %s%s", path, words(f))
		if len(f.Constructs) > 0 {
			fmt.Fprintf(b, "   [%s]", strings.Join(f.Constructs, " "))
		}
		b.WriteByte('\n')
	}
}

// words writes a fact's words; an unknown one ends in ….
func words(f *Fact) string {
	name := f.Program
	if name == "" {
		name = "‹unknown program›"
	}
	out := []string{clip(name)}
	for _, a := range f.Args {
		t := clip(a.Text)
		if !a.Known {
			t += "…"
		}
		out = append(out, t)
	}
	return strings.Join(out, " ")
}

func clip(s string) string {
	var b strings.Builder
	for i, r := range s {
		if i > 80 {
			b.WriteString("…")
			break
		}
		b.WriteString(visible(r))
	}
	return b.String()
}

func (d Decision) explainRules(b *strings.Builder) {
	for _, m := range d.Rules {
		fmt.Fprintf(b, "%-6s %-7s %s  %s:%d", m.Risk, m.Effect, m.ID, m.File, m.Line)
		if m.Mode != "enforce" {
			fmt.Fprintf(b, "  (%s)", m.Mode)
		}
		fmt.Fprintf(b, "\n       %s\n", m.Message)
		if m.Alternative != "" {
			fmt.Fprintf(b, "       instead: %s\n", m.Alternative)
		}
	}
}
