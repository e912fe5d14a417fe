package redact

import "strings"

// words masks each word within the line that they make together.
func (r *Redactor) words(words []string) []Text {
	var line strings.Builder
	at := make([][2]int, len(words))
	for i, w := range words {
		quote := ""
		if strings.ContainsAny(w, " \t\n;|&<>()$`\"") && !strings.Contains(w, "'") {
			quote = "'"
		}
		line.WriteString(quote)
		at[i] = [2]int{line.Len(), line.Len() + len(w)}
		line.WriteString(w + quote + " ")
	}
	masks := r.find(line.String())
	out := make([]Text, len(words))
	for i, span := range at {
		var b strings.Builder
		r.write(&b, words[i], span[0], within(masks, span[0], span[1]))
		out[i], _ = r.Text(b.String())
	}
	return out
}

// within gives the parts of masks that lie between start and end.
func within(masks []mask, start, end int) (part []mask) {
	for _, m := range masks {
		if m.start, m.end = max(m.start, start), min(m.end, end); m.start < m.end {
			part = append(part, m)
		}
	}
	return part
}
