package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strconv"
)

// piece is what a record says of a file beside its log.
type piece struct {
	file     string // recordings/… or sealed/…
	from, to int64
	digest   string
	final    bool
}

// beside is the last part of the chapter on verdicts: it gives those on the files
// of recordings/ and sealed/, by name.
func (d *folder) beside(dir string) map[string]string {
	out := map[string]string{}
	for _, name := range d.names() {
		for _, p := range d.files[name].pieces() {
			if _, judged := out[p.file]; !judged && exists(filepath.Join(dir, filepath.Dir(p.file))) && filepath.IsLocal(p.file) {
				if v := p.judge(dir); v != "" {
					out[p.file] = v
				}
			}
		}
	}
	for _, name := range d.names() {
		if !d.files[name].whole {
			return out
		}
	}
	for _, in := range []string{"recordings", "sealed"} {
		entries, _ := os.ReadDir(filepath.Join(dir, in))
		for _, e := range entries {
			file := in + "/" + e.Name()
			if _, judged := out[file]; judged {
				continue
			}
			if v := d.unnamed(dir, in, e); v != "" {
				out[file] = v
			}
		}
	}
	return out
}

func (d *folder) names() (names []string) {
	for n := range d.files {
		names = append(names, n)
	}
	sort.Strings(names)
	return names
}

func exists(path string) bool {
	_, err := os.ReadDir(path)
	return err == nil
}

func (f *logFile) pieces() (out []piece) {
	for _, r := range f.records[:f.followed] {
		var whole struct {
			Session string
			Sealed  *struct {
				Offset, Bytes int64
				Digest        string
				Part          int
			}
			Data struct {
				File          string
				Offset, Bytes int64
				Digest        string
				Final         bool
			}
		}
		json.Unmarshal(r.raw, &whole)
		if c := whole.Data; r.event == "recording.chunk" && (c.Bytes > 0 || c.Final) {
			out = append(out, piece{c.File, c.Offset, c.Offset + c.Bytes, c.Digest, c.Final})
		}
		if s := whole.Sealed; s != nil {
			name := whole.Session
			if name == "" {
				name = r.log
			}
			if s.Part > 0 {
				name += "." + strconv.Itoa(s.Part)
			}
			out = append(out, piece{"sealed/" + name + ".age", s.Offset, s.Offset + s.Bytes, s.Digest, false})
		}
	}
	return out
}

func (p piece) judge(dir string) string {
	b, err := os.ReadFile(filepath.Join(dir, p.file))
	switch {
	case err != nil || int64(len(b)) < p.to:
		return "missing"
	case lineHash(b[p.from:p.to]) != p.digest:
		return "edited"
	case p.final && int64(len(b)) > p.to:
		return "edited"
	}
	return ""
}

var shapes = map[string]*regexp.Regexp{
	"recordings": regexp.MustCompile(`^(.+)\.cast(?:\.age)?$`),
	"sealed":     regexp.MustCompile(`^(.+?)(?:\.[1-9][0-9]*)?\.age$`),
}

// unnamed judges a file for what no record names of it.
func (d *folder) unnamed(dir, in string, e os.DirEntry) string {
	st, err := os.Lstat(filepath.Join(dir, in, e.Name()))
	if err != nil {
		return ""
	}
	if !st.Mode().IsRegular() {
		return "foreign"
	}
	if in == "sealed" && st.Size() == 0 && regexp.MustCompile(`^probe-[0-9a-f]+$`).MatchString(e.Name()) {
		return ""
	}
	m := shapes[in].FindStringSubmatch(e.Name())
	if m == nil {
		return "foreign"
	}
	known, over, open, failed, final := false, false, false, false, false
	covered := make([]bool, st.Size())
	for _, n := range d.names() {
		f := d.files[n]
		here := false
		for _, r := range f.records[:f.followed] {
			mine := r.session == m[1] || in == "sealed" && r.session == "" && r.log == m[1]
			here = here || mine
			over = over || mine && r.event == "session.disconnected"
			switch step := r.text("step"); {
			case !mine:
			case r.event == "session.error":
				failed = failed || in == "recordings" && step == "recording" || in == "sealed" && step == "sealed"
			case r.event == "recording.chunk":
				failed = failed || in == "recordings" && r.text("error") != ""
			}
		}
		if !here {
			continue
		}
		known = true
		over, open = over || f.closed == "done", open || f.closed == ""
		for _, p := range f.pieces() {
			if p.file == in+"/"+e.Name() {
				final = final || p.final
				for i := p.from; i < p.to && i < st.Size(); i++ {
					covered[i] = true
				}
			}
		}
	}
	switch all := !slices.Contains(covered, false); {
	case !known && len(d.pruned) > 0:
		return ""
	case !known:
		return "foreign"
	case all, len(d.pruned) > 0, !final && !(over && !failed && !open):
		return ""
	}
	return "edited"
}
