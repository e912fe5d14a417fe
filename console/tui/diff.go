package tui

import "sallyport/console/tty"

// wordDiff shows an edit word by word: what was added as [+ …], what was taken
// out as [- …].
func (m *Model) wordDiff(old, now string) line {
	a, b := words(old), words(now)
	if len(a)*len(b) > 1<<20 {
		return line{{"too much to compare", m.theme.dim}}
	}
	common := lcs(a, b)
	var out line
	i, j := 0, 0
	flush := func(to, toNow int) {
		out = append(out, m.change("[- ", a[i:to], m.theme.removed)...)
		out = append(out, m.change("[+ ", b[j:toNow], m.theme.added)...)
		i, j = to, toNow
	}
	for _, c := range common {
		flush(c[0], c[1])
		out = append(out, m.exact(trimWord(a[i]), m.theme.dim)...)
		out = append(out, span{" ", m.theme.dim})
		i, j = i+1, j+1
	}
	flush(len(a), len(b))
	return out
}

func (m *Model) change(mark string, ws []string, st tty.Style) line {
	if len(ws) == 0 {
		return nil
	}
	out := line{{mark, st}}
	for i, w := range ws {
		if i > 0 {
			out = append(out, span{" ", st})
		}
		out = append(out, m.exact(trimWord(w), st)...)
	}
	return append(out, span{"]", st}, span{" ", st})
}

func trimWord(w string) string {
	for len(w) > 1 && w[len(w)-1] == ' ' {
		w = w[:len(w)-1]
	}
	return w
}

// lcs gives the pairs of places of a longest common subsequence.
func lcs(a, b []string) [][2]int {
	n := make([][]int, len(a)+1)
	for i := range n {
		n[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if trimWord(a[i]) == trimWord(b[j]) {
				n[i][j] = n[i+1][j+1] + 1
			} else {
				n[i][j] = max(n[i+1][j], n[i][j+1])
			}
		}
	}
	var out [][2]int
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case trimWord(a[i]) == trimWord(b[j]):
			out = append(out, [2]int{i, j})
			i, j = i+1, j+1
		case n[i+1][j] >= n[i][j+1]:
			i++
		default:
			j++
		}
	}
	return out
}
