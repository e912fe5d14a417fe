package redact

import "strings"

// Line is what an emulator shows, as text: one logical line, or several with '\n'
// between them, so that a key of many lines is seen whole ([Lines] joins them). Soft
// wraps are joined, and what was overwritten is gone. Text holds no escape sequences;
// the colours stand beside it and come back outside the masks.
type Line struct {
	Text string
	SGR  []SGR // in order of At
}

// SGR is a change of colour or style before the byte At of a Line's text.
type SGR struct {
	At  int
	Seq string // one or more whole sequences ESC [ … m; anything else is dropped
}

// Lines joins logical lines, in order, into one Line to be masked as a whole.
func Lines(lines ...Line) Line {
	var all Line
	var b strings.Builder
	for i, l := range lines {
		if i > 0 {
			b.WriteByte('\n')
		}
		for _, s := range l.SGR {
			all.SGR = append(all.SGR, SGR{b.Len() + s.At, s.Seq})
		}
		b.WriteString(l.Text)
	}
	all.Text = b.String()
	return all
}

// cells masks a Line and puts its styles back.
func (r *Redactor) cells(l Line) (Text, Findings) {
	masks := r.find(l.Text)
	var out strings.Builder
	var found Findings
	at := 0
	for i := 0; i <= len(masks); i++ {
		end := len(l.Text)
		if i < len(masks) {
			end = masks[i].start
		}
		l.SGR = styled(&out, l.Text, at, end, l.SGR)
		if i == len(masks) {
			break
		}
		found = append(found, r.write(&out, l.Text[end:masks[i].end], end, masks[i:i+1])...)
		at = masks[i].end
	}
	return Text{out.String()}, found
}

// styled writes text[at:end] with the styles up to its end, and gives the rest of them.
func styled(out *strings.Builder, text string, at, end int, sgr []SGR) []SGR {
	for len(sgr) > 0 && sgr[0].At <= end {
		if sgr[0].At > at {
			out.WriteString(text[at:sgr[0].At])
			at = sgr[0].At
		}
		writeStyles(out, sgr[0].Seq)
		sgr = sgr[1:]
	}
	out.WriteString(text[at:end])
	return sgr
}
