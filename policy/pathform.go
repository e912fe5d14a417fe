package policy

import (
	"path"
	"strings"

	"sallyport/policy/command"
)

// The ways in which a word can be read as a path.

// anyWord reports whether a word, as written, cleaned or joined to a folder,
// matches one of the patterns. A word of which nothing is known matches **.
// Of a word that is a pattern itself any name counts that it could become;
// read asks for likely names alone.
func anyWord(globs *globSet, s *subject, w *command.Word, read bool) bool {
	if globs.anything || w.Text == "" {
		return globs.anything
	}
	forms := s.forms(w)
	_, bare := folderOf(forms[0])
	for _, form := range forms {
		if w.Glob && strings.ContainsAny(form, "*?[") {
			all := bare || !strings.Contains(form, "/") && strings.Trim(form, "*?") == ""
			if read && globs.meetsName(form, all) || !read && globs.meets(form, all) {
				return true
			}
		} else if globs.match(form) {
			return true
		}
	}
	return false
}

// forms are the ways one operand can be read as a path: as written and
// cleaned, joined to each folder that the line or the console knows, and
// with the account's home for ~.
func (s *subject) forms(w *command.Word) []string {
	if f, ok := s.paths[w.Text]; ok {
		return f
	}
	c := cleanPath(w.Text)
	forms := []string{c}
	if s.home != "" && (c == "~" || strings.HasPrefix(c, "~/")) {
		forms = append(forms, s.home+c[1:])
	}
	if relative(c) {
		for _, dir := range s.cwds {
			forms = append(forms, path.Clean(dir+"/"+c))
		}
	}
	if top, ok := climbed(w.Text, c); ok {
		forms = append(forms, top)
	}
	if climbs := strings.LastIndex(w.Text, "/../"); climbs > 0 && isAbsolute(w.Text) {
		forms = append(forms, cleanPath(w.Text[climbs+3:])) // where a part of the path is a link
	}
	if contents, ok := folderOf(c); w.Glob && ok {
		forms = append(forms, contents)
	}
	if s.paths == nil {
		s.paths = map[string][]string{}
	}
	s.paths[w.Text] = forms
	return forms
}

// climbed gives where a path leads that climbs out of a home, or further than
// most folders are deep.
func climbed(text, c string) (string, bool) {
	if rest, ok := strings.CutPrefix(text, "~/"); ok && strings.Contains(rest, "..") {
		p := path.Clean("/home/x/" + rest)
		return p, !strings.HasPrefix(p, "/home/x/") && p != "/home/x"
	}
	n := 0
	for strings.HasPrefix(c, "../") {
		c = c[3:]
		n++
	}
	if c == ".." {
		c, n = "", n+1
	}
	return path.Clean("/" + c), n >= 4
}

func isAbsolute(p string) bool { return strings.HasPrefix(p, "/") || strings.HasPrefix(p, "~") }

func relative(p string) bool {
	return p != "" && p[0] != '/' && p[0] != '~' && p[0] != '-' && !strings.Contains(p, "://")
}

// folderOf gives /x of /x/* and of /x/.*: everything in it is the folder.
func folderOf(p string) (string, bool) {
	dir, base := path.Split(p)
	if strings.Trim(base, "*?.[]!^") != "" || base == "" || dir == "" {
		return "", false
	}
	if dir == "/" {
		return "/", true
	}
	return strings.TrimSuffix(dir, "/"), true
}
