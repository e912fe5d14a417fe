package command

import "strings"

// Who sees the environment, and who is started without it.

// processes is ps: e among the letters without a dash shows the environment
// of every process.
func (x *invocation) processes() {
	for i, a := range x.args {
		if i > 0 && psValue(x.args[i-1].Text) {
			continue
		}
		if strings.Contains(a.Text, "e") && strings.Trim(a.Text, psLetters+psValued) == "" {
			x.mark("prints_environment")
			return
		}
	}
}

// psLetters are those that ps takes without a dash, but for those with a
// value.
const psLetters = "aTxrgfjlsuvXZcCeEhnSwWmHL"

// psValued are the letters without a dash that take the next word.
const psValued = "oOUptk"

// psValue reports an option of ps whose value is the next word.
func psValue(t string) bool {
	if t != "" && strings.Trim(t, psLetters+psValued) == "" {
		return strings.IndexByte(psValued, t[len(t)-1]) >= 0
	}
	return len(t) > 1 && t[0] == '-' && (strings.HasPrefix(t, "--") || strings.IndexByte("CGgUupstOo", t[len(t)-1]) >= 0)
}

// cleared marks what runs from fact first on as started without what this
// shell gives to programs: env -i, exec -c. The last of the assignments in
// front of the command may give back what keeps pagers from starting programs.
func (x *invocation) cleared(first int, front []Word) {
	given := ""
	for _, w := range front {
		if v, ok := strings.CutPrefix(w.Text, "LESSSECURE="); ok {
			given = v
		}
	}
	if given == "1" {
		return
	}
	for i := first; i < len(x.facts); i++ {
		x.facts[i].construct("clean_environment")
	}
}
