package redact

import (
	"strings"
)

func (r *Redactor) mask(s string, command bool) (Text, Findings) {
	var out strings.Builder
	var found Findings
	for i := 0; i < len(s); {
		v := r.mem.at(s[i:])
		if v == "" {
			out.WriteByte(s[i])
			i++
			continue
		}
		f := Finding{Kind: "learned", Number: r.mem.number(v), Start: i, End: i + len(v)}
		out.WriteString(placeholder(f.Kind, f.Number))
		found = append(found, f)
		i = f.End
	}
	return Text{out.String()}, found
}

// at gives the longest learned secret that s begins with.
func (m *memory) at(s string) (longest string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for v := range m.secrets {
		if len(v) > len(longest) && strings.HasPrefix(s, v) {
			longest = v
		}
	}
	return longest
}
