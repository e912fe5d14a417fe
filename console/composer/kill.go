package composer

// maxKills is how many kills yank-pop goes through.
const maxKills = 16

// ring holds what was killed, the newest last.
type ring struct {
	kills []string
	at    int // the one that was yanked last
	from  int // where it was put
}

// add keeps a kill; join adds it to the newest, before it when it was killed backwards.
func (r *ring) add(text string, backwards, join bool) {
	n := len(r.kills)
	switch {
	case join && n > 0 && backwards:
		r.kills[n-1] = text + r.kills[n-1]
	case join && n > 0:
		r.kills[n-1] += text
	default:
		r.kills = append(r.kills, text)
		if len(r.kills) > maxKills {
			r.kills = r.kills[1:]
		}
	}
}

func yank(e *Editor) Action {
	r := &e.killed
	if len(r.kills) == 0 {
		return Bell
	}
	r.at, r.from = len(r.kills)-1, e.cursor
	return e.insert(r.kills[r.at], false)
}

// yankPop puts the kill before in place of what was just yanked.
func yankPop(e *Editor) Action {
	r := &e.killed
	if (e.last != "C-y" && e.last != "M-y") || r.from > e.cursor {
		return Bell
	}
	r.at = (r.at + len(r.kills) - 1) % len(r.kills)
	e.Replace(r.from, e.cursor, r.kills[r.at])
	return Changed
}
