package command

import (
	"maps"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// redirects gives the paths that a statement's redirections touch and what
// the command then reads from.
func (w *walker) redirects(list []*syntax.Redirect, in input) ([]Use, input) {
	var uses []Use
	for _, r := range list {
		if r.N != nil && r.N.Value != "0" && isDescriptor(r.N.Value) {
			u, other := w.redirects([]*syntax.Redirect{{Op: r.Op, Word: r.Word, Hdoc: r.Hdoc, OpPos: r.OpPos}}, input{})
			uses = append(uses, u...)
			w.open(r.N.Value, other)
			continue
		}
		switch {
		case r.Hdoc != nil:
			in = w.heredoc(r)
		case r.Op == syntax.WordHdoc:
			v := w.single(r.Word)
			in = input{text: v.text + "\n", known: v.known, from: "here"}
		case r.Op == syntax.Hdoc || r.Op == syntax.DashHdoc:
			in = input{known: true, from: "here"}
		default:
			u, isInput := w.redirect(r)
			uses = append(uses, u...)
			if isInput {
				in = w.inputOf(r, u, in)
			}
		}
	}
	return uses, in
}

func isDescriptor(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// open notes what the line lets a descriptor read.
func (w *walker) open(n string, in input) {
	if in.from == "" {
		return
	}
	if w.fds == nil {
		w.fds = map[string]input{}
	}
	w.fds[n] = in
}

// inputOf is what a command reads that was given uses as its input.
func (w *walker) inputOf(r *syntax.Redirect, uses []Use, in input) input {
	if p, ok := processOf(r.Word); ok && r.Op == syntax.RdrIn {
		if text, known := w.outputs(p.Stmts); known {
			return input{text: text, known: true, from: "here"}
		}
		in := input{from: "pipe"}
		if n := len(w.procs); n > 0 {
			in.maybe = w.procs[n-1].maybe
			for i := w.procs[n-1].first; i < w.procs[n-1].end && len(in.flow) < maxFlow; i++ {
				in.flow = append(in.flow, i)
			}
		}
		return in
	}
	v := w.single(r.Word)
	switch n, named := descriptorOf(v.text, r.Op == syntax.DplIn); {
	case named && n == "0":
		return in
	case named:
		return w.descriptor(n)
	case len(uses) > 0 && !uses[0].Known:
		return input{from: "file"}
	case len(uses) > 0:
		return input{from: "file", path: uses[0].Text}
	}
	return input{known: v.known, from: "file"}
}

// descriptor is what the descriptor n reads: what this line opened, or what
// nobody sees.
func (w *walker) descriptor(n string) input {
	if in, ok := w.fds[n]; ok {
		return in
	}
	return input{from: "pipe"}
}

// descriptorOf reads the number of <&3, /dev/fd/3 and /proc/self/fd/3.
func descriptorOf(text string, duplicate bool) (string, bool) {
	if text == "/dev/stdin" {
		return "0", true
	}
	for _, p := range []string{"/dev/fd/", "/proc/self/fd/", "/proc/$$/fd/"} {
		if n, ok := strings.CutPrefix(text, p); ok {
			return n, true
		}
	}
	return strings.TrimSuffix(text, "-"), duplicate && text != "-"
}

func (w *walker) heredoc(r *syntax.Redirect) input {
	if isQuoted(r.Word) {
		text := ""
		if len(r.Hdoc.Parts) > 0 {
			if l, ok := r.Hdoc.Parts[0].(*syntax.Lit); ok {
				text = l.Value
			}
		}
		return input{text: dedent(text, r.Op), known: true, from: "here"}
	}
	e := &expansion{w: w, parts: []partial{{known: true}}, span: w.span(r.Hdoc)}
	for _, part := range r.Hdoc.Parts {
		e.part(part, true, false)
	}
	p := e.parts[0]
	return input{text: dedent(string(p.buf), r.Op), known: p.known && len(e.parts) == 1, from: "here"}
}

func isQuoted(word *syntax.Word) bool {
	for _, p := range word.Parts {
		switch x := p.(type) {
		case *syntax.SglQuoted, *syntax.DblQuoted:
			return true
		case *syntax.Lit:
			if strings.IndexByte(x.Value, '\\') >= 0 {
				return true
			}
		}
	}
	return false
}

func dedent(s string, op syntax.RedirOperator) string {
	if op != syntax.DashHdoc {
		return s
	}
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = strings.TrimLeft(lines[i], "\t")
	}
	return strings.Join(lines, "\n")
}

// redirect gives the uses of one file redirection, and whether it is input.
func (w *walker) redirect(r *syntax.Redirect) ([]Use, bool) {
	var access Access
	input := false
	switch r.Op {
	case syntax.RdrIn:
		access, input = Reads, true
	case syntax.RdrInOut:
		access, input = Reads|Writes, true
	case syntax.DplIn:
		return w.duplicate(r, Reads), true
	case syntax.DplOut:
		return w.duplicate(r, Writes), false
	default:
		access = Writes
	}
	var uses []Use
	for _, reading := range w.expand(r.Word) {
		for _, f := range reading {
			if a := deviceAccess(f.Text, access); a != 0 {
				uses = append(uses, Use{Word: f, Access: a, Redir: true})
			}
		}
	}
	return uses, input
}

// duplicate handles >&2 and <&3 (nothing) and >&file (a write).
func (w *walker) duplicate(r *syntax.Redirect, a Access) []Use {
	v := w.single(r.Word)
	if v.text == "-" || v.text == "" || strings.Trim(v.text, "0123456789-") == "" {
		return nil
	}
	if a = deviceAccess(v.text, a); a == 0 {
		return nil
	}
	span := w.span(r.Word)
	return []Use{{Word: Word{Text: v.text, Known: v.known, Start: span[0], End: span[1]}, Access: a, Redir: true}}
}

// deviceAccess knows bash's network devices.
func deviceAccess(path string, a Access) Access {
	if strings.HasPrefix(path, "/dev/tcp/") || strings.HasPrefix(path, "/dev/udp/") {
		if a&Writes != 0 {
			return Connects | Sends
		}
		return Connects
	}
	if a&Writes != 0 && sink(path) {
		a &^= Writes
	}
	if path == "/dev/null" || path == "/dev/stdin" {
		a &^= Reads
	}
	return a
}

// call walks one simple command: every reading of its program word is a
// command of its own.
func (w *walker) call(c *syntax.CallExpr, s *syntax.Stmt, uses []Use, in input) {
	assigns := w.assigns(c.Assigns)
	start, end := w.bounds(s)
	if len(c.Args) == 0 {
		w.assignmentsOnly(assigns, uses, start, end, in)
		return
	}
	lines := [][]Word{make([]Word, 0, len(c.Args)-1)}
	first := w.expand(c.Args[0])
	for _, a := range c.Args[1:] {
		if !w.node() {
			return
		}
		if f, ok := plain(a, w.span(a)); ok {
			for i := range lines {
				lines[i] = append(lines[i], f)
			}
			continue
		}
		lines = multiply(lines, w.expand(a))
	}
	for _, reading := range first {
		for _, rest := range lines {
			fields := rest
			if len(reading) > 0 {
				fields = append(reading[:len(reading):len(reading)], rest...)
			}
			if len(fields) == 0 {
				w.assignmentsOnly(assigns, uses, start, end, in)
				continue
			}
			w.simple(simple{words: fields, assigns: assigns, uses: uses, in: in, start: start, end: end, flow: w.flow})
		}
	}
}

// maxLines bounds the commands that one becomes because its words have
// several readings.
const maxLines = 4

// multiply puts each reading of one more word behind each line; where that
// becomes too many, all readings stand behind every line.
func multiply(lines, readings [][]Word) [][]Word {
	if len(readings) == 1 || len(lines)*len(readings) > maxLines {
		for i := range lines {
			for _, r := range readings {
				lines[i] = append(lines[i], r...)
			}
		}
		return lines
	}
	out := make([][]Word, 0, len(lines)*len(readings))
	for _, l := range lines {
		for _, r := range readings {
			out = append(out, append(l[:len(l):len(l)], r...))
		}
	}
	return out
}

// assignmentsOnly is a line like X=1, or a bare redirection.
func (w *walker) assignmentsOnly(assigns []Assign, uses []Use, start, end int, in input) {
	for _, a := range assigns {
		w.assign(strings.TrimSuffix(a.Name, "+"), valueOf(a.Word), strings.HasSuffix(a.Name, "+"))
	}
	for i := range assigns {
		assigns[i].Name = strings.TrimSuffix(assigns[i].Name, "+")
	}
	f := Fact{Program: ":", Assigns: assigns, Uses: uses, Start: start, End: end}
	if len(uses) == 1 && uses[0].Access == Reads && uses[0].Redir {
		f.construct("bare_read") // $(<file) prints it
	}
	w.emit(f)
}

// assigns expands the values; one Assign a reading. A trailing + in Name
// marks +=.
func (w *walker) assigns(list []*syntax.Assign) []Assign {
	var out []Assign
	if env := w.env; len(list) > 1 {
		w.env = maps.Clone(env) // in x=/etc y=$x, y has what x just got
		defer func() { w.env = env }()
	}
	for i, a := range list {
		name := ""
		if a.Name != nil {
			name = a.Name.Value
		}
		if a.Append {
			name += "+"
		}
		w.index(a.Index)
		outer := w.flow
		w.flow = nil
		values := w.assignValues(name, a)
		for k := range values {
			w.assigned(values[k], a)
			if w.integers[name] {
				w.evaluated(values[k].Text)
			}
			if i+1 < len(list) {
				w.assign(strings.TrimSuffix(name, "+"), valueOf(values[k].Word), a.Append)
			}
		}
		w.keyed(strings.TrimSuffix(name, "+"), a, values)
		out = append(out, w.tied(values)...)
		w.taintVariable(strings.TrimSuffix(name, "+"), w.flow)
		w.flow = joinFlow(outer, w.flow)
	}
	return out
}

func (w *walker) assignValues(name string, a *syntax.Assign) []Assign {
	span := w.span(a)
	if a.Array != nil {
		var out []Assign
		for _, el := range a.Array.Elems {
			w.index(el.Index)
			if el.Value == nil {
				continue
			}
			for _, reading := range w.expand(el.Value) {
				for _, f := range reading {
					f.Start, f.End = span[0], span[1]
					out = append(out, Assign{Name: name, Word: f})
				}
			}
		}
		return out
	}
	if a.Value == nil {
		return []Assign{{Name: name, Word: Word{Known: true, Start: span[0], End: span[1]}}}
	}
	var out []Assign
	for _, reading := range w.expand(a.Value) {
		word := Word{Known: true, Start: span[0], End: span[1]}
		for i, f := range reading {
			if i > 0 {
				word.Text += " "
			}
			word.Text += f.Text
			word.Known = word.Known && f.Known
			word.Dynamic = word.Dynamic || f.Dynamic
		}
		out = append(out, Assign{Name: name, Word: word})
	}
	return out
}

// declare is export, declare, local, readonly, typeset, nameref.
func (w *walker) declare(c *syntax.DeclClause, s *syntax.Stmt) {
	f := Fact{Program: c.Variant.Value}
	f.Start, f.End = w.bounds(s)
	at := w.emit(f)
	exported, integer := c.Variant.Value == "export", c.Variant.Value == "integer" || c.Variant.Value == "float"
	refers := c.Variant.Value == "nameref"
	for _, a := range c.Args {
		if a.Naked && a.Name == nil {
			v := w.single(a.Value)
			span := w.span(a)
			exported = exported || strings.HasPrefix(v.text, "-") && strings.Contains(v.text, "x")
			integer = integer || strings.HasPrefix(v.text, "-") && strings.Contains(v.text, "i")
			refers = refers || strings.HasPrefix(v.text, "-") && strings.Contains(v.text, "n")
			f.Args = append(f.Args, Word{Text: v.text, Known: v.known, Start: span[0], End: span[1]})
			w.subscript(at, v.text)
			if integer && isName(v.text) {
				w.countsWith(v.text)
			}
			continue
		}
		for _, as := range w.assigns([]*syntax.Assign{a}) {
			name := strings.TrimSuffix(as.Name, "+")
			if !a.Naked {
				w.assign(name, valueOf(as.Word), a.Append)
			}
			as.Name = name
			if integer {
				w.countsWith(name)
			}
			if refers && !a.Naked {
				w.refers(name, as)
			}
			if integer {
				w.evaluated(as.Text)
			}
			f.Assigns = append(f.Assigns, as)
		}
	}
	for i := range f.Assigns {
		f.Assigns[i].Exported = exported
	}
	w.facts[at].Args, w.facts[at].Assigns = f.Args, f.Assigns
}

// countsWith notes a variable whose values are evaluated: declare -i.
func (w *walker) countsWith(name string) {
	if w.integers == nil {
		w.integers = map[string]bool{}
	}
	w.integers[name] = true
}

// refers makes name another name of a variable: declare -n. What a later
// line gives that name is not seen here.
func (w *walker) refers(name string, to Assign) {
	w.evaluated(to.Text)
	if !to.Known {
		return
	}
	w.refer(name, to.Text)
	base, _, _ := strings.Cut(to.Text, "[")
	w.binds(base, Word{Dynamic: true, Start: to.Start, End: to.End})
}

func (w *walker) refer(name, to string) {
	if w.refs == nil {
		w.refs = map[string]string{}
	}
	if name != to && isName(to) {
		w.refs[name] = to
	}
}

// command expands a command substitution: its commands count, and what a
// plain echo in it prints is the value.
func (e *expansion) command(c *syntax.CmdSubst, quoted bool) {
	w := e.w
	text, ok := w.outputs(c.Stmts)
	first := len(w.facts)
	w.substitution(c)
	w.carry(first, len(w.facts))
	w.procs = append(w.procs, proc{op: "$(", maybe: w.mayPrintAll(c.Stmts, ok), first: first, end: len(w.facts), span: e.span})
	if !ok {
		if names := w.listed(first, input{}); len(names) > 0 {
			e.alternatives([]value{valueOf(names[0])}, quoted)
			return
		}
		if text, ok := w.followed(c.Stmts); ok {
			e.alternatives([]value{{text: text, known: true}, {}}, quoted)
			return
		}
		e.unknown()
		return
	}
	e.alternatives([]value{{text: strings.TrimRight(text, "\n"), known: true}}, quoted)
}

func (w *walker) substitution(c *syntax.CmdSubst) {
	cwds := w.cwds
	start := len(w.facts)
	w.aside(func() { w.stmts(c.Stmts) })
	w.cwds, w.fresh = cwds, nil
	for i := start; i < len(w.facts); i++ {
		w.facts[i].construct("substitution")
	}
}

func (e *expansion) process(p *syntax.ProcSubst) {
	w := e.w
	start, in := len(w.facts), input{}
	if p.Op == syntax.CmdOut {
		in = w.outgoing()
	}
	w.aside(func() { w.body(p.Stmts, in) })
	w.carry(start, len(w.facts))
	w.fresh = nil
	name := "<("
	switch p.Op {
	case syntax.CmdOut:
		name = ">("
	case syntax.CmdInTemp:
		name = "=("
	}
	text, ok := w.outputs(p.Stmts)
	e.each(func(q *partial) {
		q.begun, q.dynamic = true, true
		q.known = false
	})
	e.text(name)
	w.procs = append(w.procs, proc{op: name, text: text, known: ok, maybe: w.mayPrintAll(p.Stmts, ok), first: start, end: len(w.facts), span: e.span})
}

// A proc is a process substitution: a program that reads it as code runs
// what it prints.
type proc struct {
	op         string
	text       string
	known      bool
	maybe      []string // where it is not known
	first, end int
	span       [2]int
}

// simple is a command after expansion.
type simple struct {
	words      []Word
	assigns    []Assign
	uses       []Use
	in         input
	start, end int
	flow       []int // facts whose output is in the words
}

// simple emits the fact of one command and everything it starts.
func (w *walker) simple(c simple) {
	if !w.spend(1 + wordWeight*len(c.words)) {
		return
	}
	w.aliased(&c)
	f := Fact{Name: c.words[0], Args: c.words[1:], Assigns: c.assigns, Uses: c.uses, Start: c.start, End: c.end}
	f.Program = programOf(c.words[0])
	w.dynamic(&f)
	if w.dialect <= Zsh && strings.HasPrefix(f.Name.Text, "^") && strings.Count(f.Name.Text, "^") > 1 {
		f.construct("history_expansion")
	}
	if asksUsage(&f) {
		f.Args = f.Args[len(f.Args)-1:]
		w.emit(f)
		return
	}
	f.noteLoose()
	at := w.emit(f)
	w.reads(at, c.in.flow)
	for _, a := range c.assigns {
		w.assign(strings.TrimSuffix(a.Name, "+"), valueOf(a.Word), false)
	}
	c.flow = joinFlow(c.flow, w.within)
	w.arrive(c.flow, f.Program)
	w.last = c.words[len(c.words)-1:]
	w.study(at, c)
	if f.Program != "" {
		w.invoke(f.Program, f.Args, c.in)
	}
}

// reads connects the command at a fact with those whose output it reads
// through < <( ).
func (w *walker) reads(at int, flow []int) {
	for _, i := range flow {
		f, reader := &w.facts[i], &w.facts[at]
		f.PipesTo = join(f.PipesTo, []string{reader.Program})
		reader.FedBy = join(reader.FedBy, []string{f.Program})
	}
}

// programOf is the base name of a program as rules name it: without folder,
// .exe and version.
func programOf(name Word) string {
	if !name.Known && name.Text == "" {
		return ""
	}
	if name.Glob || !name.Known {
		return ""
	}
	base := name.Text
	if i := strings.LastIndexByte(base, '/'); i >= 0 {
		base = base[i+1:]
	}
	if strings.HasSuffix(strings.ToLower(base), ".exe") {
		base = base[:len(base)-4]
	}
	return unversioned(base)
}

// asksUsage reports a program that is only asked how it is used: plain words
// and --help behind them.
func asksUsage(f *Fact) bool {
	n := len(f.Args)
	if n == 0 || !f.Args[n-1].Known || f.Args[n-1].Text != "--help" || len(f.Uses) > 0 || !inPath(f.Name.Text) {
		return false
	}
	for _, a := range f.Args[:n-1] {
		if !a.Known || !plainWord(a.Text) {
			return false
		}
	}
	_, wraps := wrappers[f.Program]
	_, starts := handlers[f.Program]
	return knownProgram(f.Program) && (n == 1 || !wraps && (!starts || f.Program == "kubectl" || f.Program == "docker" || f.Program == "git" || f.Program == "gcloud"))
}

// inPath reports a name without a folder, or one in a folder where a shell
// looks for programs of the system.
func inPath(name string) bool {
	i := strings.LastIndexByte(name, '/') + 1
	return i == 0 || name[:i] == "/usr/bin/" || name[:i] == "/bin/" || name[:i] == "/usr/sbin/" || name[:i] == "/sbin/"
}

// unversioned folds python3.11 and pip3 to their plain names.
func unversioned(base string) string {
	if strings.HasPrefix(base, "kafka-") {
		return strings.TrimSuffix(base, ".sh")
	}
	if name, ok := otherNames[base]; ok {
		return name
	}
	if i := strings.LastIndexAny(base, ".-"); i > 0 && builds[base[i+1:]] && knownProgram(base[:i]) {
		return base[:i]
	}
	trimmed := strings.TrimRight(base, "0123456789.")
	trimmed = strings.TrimSuffix(trimmed, "-")
	if trimmed != base && versioned[trimmed] {
		return trimmed
	}
	return base
}

// otherNames are names under which distributions have a program.
var otherNames = map[string]string{
	"minio-client": "mc", "mcli": "mc", "zf_rm": "rm", "zf_rmdir": "rmdir", "zf_mv": "mv", "zf_ln": "ln", "zf_mkdir": "mkdir", "zf_chmod": "chmod", "zf_chown": "chown",
	"sudo.ws": "sudo", "docker.io": "docker", "podman-remote": "podman", "grm": "rm", "gmv": "mv", "gcp": "cp", "gdd": "dd", "gchmod": "chmod", "gchown": "chown", "gshred": "shred", "gln": "ln", "gtruncate": "truncate", "gtee": "tee",
}

// builds are the endings of other builds of a program, as packages name them:
// nc.traditional, vim.tiny, busybox.static, bash-static.
var builds = setOf("traditional openbsd tiny basic nox gtk gtk3 athena static small distrib real minimal musl debug dbg bin")

var versioned = map[string]bool{
	"python": true, "pip": true, "perl": true, "ruby": true, "php": true, "lua": true, "node": true,
	"gcc": true, "g++": true, "clang": true, "gem": true, "pypy": true, "tclsh": true, "wish": true,
	"vim": true, "psql": true, "guile": true, "emacs": true, "java": true, "julia": true,
	"ld-linux-x86-64.so": true, "ld-musl-x86_64.so": true, "ld-linux-aarch64.so": true, "ld-linux.so": true,
}

// dynamic notes a program that is only known, or was only resolved, through
// an expansion.
func (w *walker) dynamic(f *Fact) {
	switch {
	case f.Name.Glob:
		f.construct("glob_program")
		f.construct("dynamic_program")
	case f.Name.Dynamic || !f.Name.Known:
		f.construct("dynamic_program")
	}
}
