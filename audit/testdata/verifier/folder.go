package main

import (
	"fmt"
	"path/filepath"
	"sort"
	"strings"
)

// folder is what is asked about.
type folder struct {
	files   map[string]*logFile
	about   map[string][]says
	trust   []byte
	against []note

	verdicts map[string]string // "" while it is being found
	pruned   []link            // by logs that can be believed
	receipts []says            // likewise
}

// verdict is that on a log, found once.
func (d *folder) verdict(f *logFile) string {
	v, begun := d.verdicts[f.name]
	if begun {
		return v
	}
	d.verdicts[f.name] = ""
	if f.broken {
		d.verdicts[f.name] = "unreadable"
		return "unreadable"
	}
	var counts []says
	for _, s := range d.about[f.name] {
		if s.event != "log.recovered" || s.accuses() || believed(d.verdict(d.files[s.by])) {
			counts = append(counts, s)
		} else {
			s.event = "not believed" // what it saw of the log is compared still
			counts = append(counts, s)
		}
	}
	v = f.judge(counts, d.trust, d.against)
	d.verdicts[f.name] = v
	if believed(v) {
		f.tell(d)
	}
	return v
}

func believed(verdict string) bool {
	switch verdict {
	case "torn tail", "unclosed", "unsealed tail", "stale", "recovered":
		return true
	}
	return strings.HasPrefix(verdict, "ok")
}

// tell collects what the middle of a log says of others.
func (f *logFile) tell(d *folder) {
	for _, r := range f.records {
		if r == nil {
			return
		}
		receipt := false
		r.get("receipt", &receipt)
		switch {
		case r.event == "log.pruned":
			var pruned []link
			r.get("logs", &pruned)
			d.pruned = append(d.pruned, pruned...)
		case r.event == "log.recovered" && receipt:
			s := says{by: f.name, event: r.event, damage: r.text("damage")}
			if r.get("found", &s.link) {
				d.receipts = append(d.receipts, s)
			}
		}
	}
}

// recall is what the receipts of consoles make of the verdicts.
func (d *folder) recall() {
	for _, s := range d.receipts {
		for _, f := range d.files {
			if f.id != s.Log || f.id == "" || !believed(d.verdicts[f.name]) {
				continue
			}
			d.verdicts[f.name] = "missing"
			if s.damage == "edited" {
				d.verdicts[f.name] = "edited"
			}
		}
	}
}

// twins are files that hold one log again.
func (d *folder) twins() {
	byID := map[string][]*logFile{}
	for _, f := range d.files {
		if f.id != "" {
			byID[f.id] = append(byID[f.id], f)
		}
	}
	for id, fs := range byID {
		sort.Slice(fs, func(i, j int) bool {
			own1, own2 := strings.HasSuffix(fs[i].name, "-"+id[:8]), strings.HasSuffix(fs[j].name, "-"+id[:8])
			if own1 != own2 {
				return own1
			}
			return fs[i].name < fs[j].name
		})
		for _, f := range fs[1:] {
			switch v := d.verdicts[f.name]; {
			case !strings.HasPrefix(v, "ok") && v != "unclosed" && v != "torn tail":
			case len(f.lines) == len(fs[0].lines) && root(f.lines) != root(fs[0].lines):
				d.verdicts[f.name] = "forked"
			default:
				d.verdicts[f.name] = "duplicated"
			}
		}
	}
}

// gone gives the logs that are named, not there and not pruned.
func (d *folder) gone() (names []string) {
	pruned, ids := map[string]bool{}, map[string]bool{"": true}
	for _, l := range d.pruned {
		pruned[l.File], ids[l.Log] = true, true
	}
	for _, f := range d.files {
		ids[f.id] = true
	}
	for name, said := range d.about {
		if d.files[name] == nil && !pruned[name] && (said[0].Log == "" || !prunedID(d.pruned, said[0].Log)) {
			names = append(names, name)
		}
	}
	absent := func(id string) {
		if !ids[id] {
			ids[id] = true
			names = append(names, id)
		}
	}
	for _, n := range d.against {
		absent(n.log)
	}
	for _, s := range d.receipts {
		absent(s.Log)
	}
	sort.Strings(names)
	return names
}

func prunedID(pruned []link, id string) bool {
	for _, l := range pruned {
		if l.Log == id {
			return true
		}
	}
	return false
}

// verifyDir prints a verdict for each log of a folder.
func verifyDir(dir string, trust []byte, against []note) (bad bool) {
	d := &folder{
		files: map[string]*logFile{}, about: map[string][]says{}, verdicts: map[string]string{},
		trust: trust, against: against,
	}
	paths, _ := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	for _, p := range paths {
		f := load(p)
		d.files[f.name] = f
		f.speak(d.about)
	}
	for _, f := range d.files {
		d.verdict(f)
	}
	d.recall()
	d.twins()
	show := func(name, verdict string) {
		fmt.Printf("%s\t%s\t%s\n", dir, name, verdict)
		bad = bad || !strings.HasPrefix(verdict, "ok")
	}
	for name := range d.files {
		show(name, d.verdicts[name])
	}
	for _, n := range d.gone() {
		show(n, "missing log")
	}
	for file, verdict := range d.beside(dir) {
		show(file, verdict)
	}
	return bad
}
