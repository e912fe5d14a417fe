package command

import "strings"

// find runs what stands behind -exec, deletes, and writes with -fprint. The
// words of the inner command are taken out of find's own.
func (x *invocation) find() {
	var own, paths []Word
	leading := true
	for i := 0; i < len(x.args); i++ {
		t := x.args[i].Text
		if strings.HasPrefix(t, "-") || t == "(" || t == "!" || t == "\\(" {
			leading = leading && (t == "-L" || t == "-H" || t == "-P" || t == "-D" || strings.HasPrefix(t, "-O"))
		}
		if findTests[t] && i+1 < len(x.args) && strings.HasPrefix(x.args[i+1].Text, "-") {
			own = append(own, x.args[i])
			i++ // its value, whatever it looks like
			continue
		}
		switch t {
		case "-exec", "-execdir", "-ok", "-okdir":
			own = append(own, x.args[i])
			end := i + 1
			for end < len(x.args) && x.args[end].Text != ";" && x.args[end].Text != "+" {
				end++
			}
			x.found(x.args[i+1:end], x.named(paths, i))
			i = end
			continue
		case "-fprint", "-fprint0", "-fls", "-fprintf":
			if i+1 < len(x.args) {
				x.use(x.args[i+1], Writes)
			}
		case "-delete":
			for _, p := range orDot(paths) {
				p.Known, p.Dynamic = false, true
				x.use(p, Removes)
			}
		}
		if leading && !strings.HasPrefix(t, "-") {
			paths = append(paths, x.args[i])
		}
		own = append(own, x.args[i])
	}
	for _, p := range orDot(paths) {
		x.use(p, Reads)
	}
	x.fact().Args = own
}

// named adds the files that -name asks for below the paths where find looks.
func (x *invocation) named(paths []Word, end int) []Word {
	out := orDot(paths)
	for i := 0; i+1 < end; i++ {
		if t := x.args[i].Text; t != "-name" && t != "-iname" && t != "-path" {
			continue
		}
		name := x.args[i+1]
		if !name.Known || len(strings.Trim(name.Text, "*?.[]/")) < 3 || strings.Contains(name.Text, "/") {
			continue
		}
		for _, p := range orDot(paths)[:min(len(orDot(paths)), maxValues)] {
			p.Text = strings.TrimSuffix(p.Text, "/") + "/" + name.Text
			p.Glob = strings.ContainsAny(name.Text, "*?[")
			out = append(out[:len(out):len(out)], p)
		}
	}
	return out
}

func orDot(paths []Word) []Word {
	if len(paths) == 0 {
		return []Word{{Text: ".", Known: true}}
	}
	return paths
}

func (x *invocation) found(words, paths []Word) {
	if len(words) == 0 {
		return
	}
	var values []Word
	for _, p := range orDot(paths) {
		p.Known, p.Dynamic = false, true
		values = append(values, p)
	}
	words = place(words, "{}", values)
	x.runFed(words)
}
