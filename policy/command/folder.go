package command

import (
	"path"
	"strings"
)

// Folders that the line may be in.

// chdir notes a change of folder. The old folders stay: cd can fail.
func (w *walker) chdir(dir Word) {
	if !dir.Known || dir.Glob {
		w.fresh = nil
		return
	}
	var next []string
	if len(w.cwds) == 0 || isAbs(dir.Text) {
		next = []string{clean(dir.Text)}
	} else {
		for _, c := range w.cwds {
			next = union(next, []string{clean(c + "/" + dir.Text)})
		}
	}
	for _, v := range w.env["CDPATH"] {
		if v.known && !isAbs(dir.Text) {
			next = union(next, []string{clean(v.text + "/" + dir.Text)})
		}
	}
	w.fresh = next
	w.cwds = union(next, w.cwds)
}

func isAbs(p string) bool { return strings.HasPrefix(p, "/") || strings.HasPrefix(p, "~") }

func clean(p string) string {
	if p == "" {
		return ""
	}
	return path.Clean(p)
}

// maxFolders bounds the folders that one line can be in.
const maxFolders = 4

func union(a, b []string) []string {
	out := a[:len(a):len(a)]
	for _, s := range b {
		found := false
		for _, o := range out {
			found = found || o == s
		}
		if !found && len(out) < maxFolders {
			out = append(out, s)
		}
	}
	return out
}
