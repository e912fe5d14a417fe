package verify

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"sallyport/audit"
	"sallyport/audit/layout"
)

// statement is what one log says of another.
type statement struct {
	audit.Link
	by        *logFile                    // not its name: two folders can hold one of that name
	recovered *audit.LogRecovered[string] // said in a log.recovered
}

// hear reads what the beginning of a log says of others.
func (v *verifier) hear(log *logFile) error {
	f, err := v.FS.Open(log.path)
	if err != nil {
		return err
	}
	defer f.Close()
	lines := audit.NewLines(io.NewSectionReader(f, 0, math.MaxInt64))
	for {
		line, err := lines.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		links, ok := audit.LinksOf(line)
		if !ok {
			return nil
		}
		v.note(log, line, links)
	}
}

func (v *verifier) note(by *logFile, line []byte, links []audit.Link) {
	h, _ := audit.ParseHead(line)
	if h.Event == audit.KindLogOpen {
		by.id = h.Log
	}
	for _, l := range links {
		s := statement{Link: l, by: by}
		if h.Event == audit.KindLogRecovered {
			s.recovered = recoveredOf(line)
		}
		v.statements[l.File] = append(v.statements[l.File], s)
	}
}

func recoveredOf(line []byte) *audit.LogRecovered[string] {
	var r struct{ Data audit.LogRecovered[string] }
	if json.Unmarshal(line, &r) != nil {
		return nil
	}
	return &r.Data
}

// ends are the log.recovered about a log that count: all that tell of damage;
// of those that tell of none, or of a torn tail, the ones in logs that can be
// believed.
func (v *verifier) ends(n audit.Name) (out []statement) {
	for _, s := range v.statements[n] {
		if s.recovered != nil && (accuses(s.recovered.Damage) || v.believed(s.by)) {
			out = append(out, s)
		}
	}
	return out
}

func accuses(d audit.Damage) bool { return d == audit.DamageEdited || d == audit.DamageShorter }

// believed says that a log's word can excuse another: its own records are
// there, in order and as they were signed.
func (v *verifier) believed(f *logFile) bool {
	if f.state == judging { // they excuse each other
		return false
	}
	switch v.judge(f); f.result.Verdict {
	case OK, Unanchored, Open, Recovered, TornTail, Unclosed, UnsealedTail, Stale:
		return true
	}
	return false
}

// recall holds the logs against the receipts that consoles had.
func (v *verifier) recall() {
	for _, s := range v.receipts {
		for _, f := range v.files {
			if f.id != s.Log || s.Log == "" || f.state != judged || !v.believed(f) {
				continue
			}
			verdict := Missing
			if s.recovered.Damage == audit.DamageEdited {
				verdict = Edited
			}
			at(verdict, s.recovered.At, "%s: a console had a receipt that this log does not bear out", s.by.name).judge(&f.result)
		}
	}
}

// twins are files of a folder that hold one log again: the one under the
// log's own name counts.
func (v *verifier) twins() {
	first := map[string]*logFile{}
	for _, f := range v.files {
		if f.id == "" || f.aside {
			continue
		}
		key := dirOf(f.path) + string(f.id)
		have := first[key]
		if have == nil {
			first[key] = f
			continue
		}
		if f.ownName() && !have.ownName() {
			first[key], have, f = f, f, have
		}
		f.repeats(have)
	}
}

func dirOf(path string) string { return path[:strings.LastIndexByte(path, '/')+1] }

// ownName says that the file's name is made from its log's id.
func (f *logFile) ownName() bool { return strings.HasSuffix(string(f.name), "-"+string(f.id[:8])) }

func (f *logFile) repeats(of *logFile) {
	if !f.result.Good() && f.result.Verdict != Unclosed && f.result.Verdict != TornTail {
		return
	}
	p := overall(Duplicated, "%s holds this log too", of.name)
	if f.result.Records == of.result.Records && f.result.Root != of.result.Root {
		p = overall(Forked, "%s holds another log with the same id", of.name)
	}
	p.judge(&f.result)
}

// notThere are logs that others name, that are not there, and of which no
// log says that they were pruned.
func (v *verifier) notThere() (out []Result) {
	for n, said := range v.statements {
		if v.byName[n] == nil && !v.wasPruned(n, said[0].Log) && v.asked(said) {
			out = append(out, Result{
				File: string(n) + layout.Log, Log: said[0].Log, Verdict: MissingLog, Records: said[0].Records,
				Detail: fmt.Sprintf("%s names it, and no log.pruned does", said[0].by.name),
			})
		}
	}
	slices.SortFunc(out, func(a, b Result) int { return strings.Compare(a.File, b.File) })
	return out
}

// asked says that one of those who speak of a log was asked for together with
// its folder.
func (v *verifier) asked(said []statement) bool {
	return slices.ContainsFunc(said, func(s statement) bool {
		return !s.by.aside && !s.by.alone
	})
}

func (v *verifier) wasPruned(n audit.Name, id audit.LogID) bool {
	return slices.ContainsFunc(v.pruned, func(l audit.Link) bool {
		return n != "" && l.File == n || id != "" && l.Log == id
	})
}

// unknown are logs that are not there, of which a checkpoint from outside or
// a console's receipt tells.
func (v *verifier) unknown() (out []Result) {
	for _, c := range v.against {
		out = v.absent(out, Result{
			Log: audit.LogID(c.Origin), Records: c.Size,
			Detail: "the checkpoint from outside is of a log that is not there",
		})
	}
	for _, s := range v.receipts {
		out = v.absent(out, Result{
			Log: s.Log, Records: s.recovered.At + 1,
			Detail: fmt.Sprintf("%s: a console had a receipt of a log that is not there", s.by.name),
		})
	}
	return out
}

func (v *verifier) absent(out []Result, r Result) []Result {
	known := slices.ContainsFunc(v.files, func(f *logFile) bool { return f.id == r.Log }) ||
		slices.ContainsFunc(out, func(o Result) bool { return o.Log == r.Log })
	if known || v.wasPruned("", r.Log) {
		return out
	}
	r.Verdict = MissingLog
	return append(out, r)
}
