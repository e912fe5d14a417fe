package command

import (
	"path"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// A walker goes through one line and everything inside it.
type walker struct {
	src     string
	dialect Dialect
	state   State
	lim     Limits

	facts []Fact
	why   string // not "": unanalyzable

	nodes   int
	depth   int
	fixed   bool // inside a word that is code: every span is span0
	span0   [2]int
	offset  int // of src in the judged text
	via     []string
	env     map[string][]value
	cwds    []string // folders that the line may have changed to
	fresh   []string // those of the cd that just ran
	funcs   map[string]*syntax.Stmt
	calling []string

	inFunction int
	fds        map[string]input // what the line opened a descriptor for
	procs      []proc
	files      map[string]dropped
	filled     []string // names in files, in the order they were written
	flow       []int    // facts whose output is in the words that are being expanded
	within     []int    // the same, of the code that is being read
	taint      map[string][]int
	prefixed   []Assign     // of the wrappers around the command: env A=b
	current    *syntax.Stmt // that is being read, and what it reads from
	currentIn  input
	aliases    map[string]string // that the line defines
	last       []Word            // the last word of the command before: $_
	rough      bool              // salvaging: a second failure changes nothing
}

// An input is what a command reads from, as far as the line says.
type input struct {
	text  string // literal input
	known bool   // text is all of it
	from  string // "", "pipe", "file", "here"
	path  string // of a file
	names []Word // paths that a list names: of find, ls
}

func (w *walker) fail(why string) {
	if w.why == "" && !w.rough {
		w.why = why
	}
}

// wordWeight is what a word counts: rules compare each with every pattern.
const wordWeight = 3

// node counts; false when the budget is spent.
func (w *walker) node() bool { return w.spend(1) }

func (w *walker) spend(n int) bool {
	w.nodes += n
	if w.nodes > w.lim.Nodes {
		w.fail("more commands and words than the limit of nodes")
		return false
	}
	return true
}

func (w *walker) span(n syntax.Node) [2]int {
	if w.fixed {
		return w.span0
	}
	return [2]int{w.offset + int(n.Pos().Offset()), w.offset + int(n.End().Offset())}
}

func (w *walker) source(n syntax.Node) string {
	a, b := int(n.Pos().Offset()), int(n.End().Offset())
	if a < 0 || b > len(w.src) || a > b {
		return ""
	}
	return w.src[a:b]
}

func (w *walker) braces() bool {
	if w.dialect == POSIX {
		return false
	}
	on, said := w.state.Options[OptBraces]
	return !said || on
}

// read parses src in the current dialect and walks it.
func (w *walker) read(text string) {
	switch w.dialect {
	case Fish:
		w.fish(text)
	case Words:
		w.words(text)
	case SQL:
		w.sqlText(text)
	default:
		w.shell(text)
	}
}

func (w *walker) shell(text string) {
	if why := shape(text, w.lim); why != "" {
		w.fail(why)
		return
	}
	if words, ok := plainLine(text, w.offset); ok && !w.fixed {
		w.plainCommand(words)
		return
	}
	f, err := parse(text, w.dialect)
	if err != nil {
		if w.zshForms(text) {
			return
		}
		w.fail("does not parse: " + parseMessage(err))
		w.salvage(text)
		return
	}
	w.stmts(f.Stmts)
	w.otherReadings(text)
	w.zshForms(text)
}

func parseMessage(err error) string {
	if e, ok := err.(syntax.ParseError); ok {
		return e.Text
	}
	return err.Error()
}

// otherReadings judges what is only a comment if the shell says so.
func (w *walker) otherReadings(text string) {
	on, said := w.state.Options[OptComments]
	if said && on || !said && w.dialect != Zsh || !strings.Contains(text, "#") {
		return
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == '#' && (i == 0 || strings.IndexByte(" \t;&|(\n", text[i-1]) >= 0) {
			b.WriteByte('\\')
		}
		b.WriteByte(text[i])
	}
	if f, err := parse(b.String(), w.dialect); err == nil {
		w.aside(func() {
			w.src, w.fixed = b.String(), true
			w.span0 = [2]int{w.offset, w.offset + len(text)}
			w.stmts(f.Stmts)
		})
	}
}

// aside walks something with the walker's place put back afterwards.
func (w *walker) aside(f func()) {
	src, dialect, fixed, span0, offset := w.src, w.dialect, w.fixed, w.span0, w.offset
	via, cwds := w.via, w.cwds
	w.depth++
	if w.depth > w.lim.Depth {
		w.fail("nested deeper than the limit of depth")
	} else {
		f()
	}
	w.depth--
	w.src, w.dialect, w.fixed, w.span0, w.offset = src, dialect, fixed, span0, offset
	w.via, w.cwds = via, cwds
}

func (w *walker) stmts(list []*syntax.Stmt) {
	for _, s := range list {
		w.stmt(s, input{})
	}
}

func (w *walker) stmt(s *syntax.Stmt, in input) {
	if s == nil || !w.node() {
		return
	}
	if w.depth++; w.depth > w.lim.Depth {
		w.fail("nested deeper than the limit of depth")
		w.depth--
		return
	}
	outer := w.flow
	w.flow = nil
	defer func() { w.depth--; w.flow = outer }()
	w.fresh = nil
	start := len(w.facts)
	current, currentIn := w.current, w.currentIn
	w.current, w.currentIn = s, in
	defer func() { w.current, w.currentIn = current, currentIn }()
	uses, in := w.redirects(s.Redirs, in)
	if call, ok := s.Cmd.(*syntax.CallExpr); ok {
		w.call(call, s, uses, in)
		w.dropOutput(call, s.Redirs, uses, in)
	} else {
		w.compound(s, uses, in)
	}
	w.spill(uses, start)
	if s.Background || s.Coprocess || s.Disown {
		w.mark(start, "background")
	}
}

// mark adds a construct to every fact from start on.
func (w *walker) mark(start int, construct string) {
	for i := start; i < len(w.facts); i++ {
		w.facts[i].construct(construct)
	}
}

func (f *Fact) construct(name string) {
	for _, c := range f.Constructs {
		if c == name {
			return
		}
	}
	f.Constructs = append(f.Constructs, name)
}

// compound walks everything that is not a simple command.
func (w *walker) compound(s *syntax.Stmt, uses []Use, in input) {
	if len(uses) > 0 || s.Cmd == nil {
		f := Fact{Program: ":", Uses: uses}
		f.Start, f.End = w.bounds(s)
		defer w.fedTo(w.emit(f))
	}
	switch c := s.Cmd.(type) {
	case nil:
	case *syntax.BinaryCmd:
		w.binary(c, in)
	case *syntax.Subshell:
		cwds := w.cwds
		w.body(c.Stmts, in)
		w.cwds, w.fresh = cwds, nil
	case *syntax.Block:
		w.body(c.Stmts, in)
	case *syntax.IfClause:
		w.ifClause(c, in)
	case *syntax.WhileClause:
		w.while(c, in)
	case *syntax.ForClause:
		w.forClause(c, in)
	case *syntax.CaseClause:
		w.caseClause(c, in)
	case *syntax.FuncDecl:
		w.function(c)
	case *syntax.ArithmCmd:
		w.pseudo("((", s, func() { w.arith(c.X) })
	case *syntax.TestClause:
		w.pseudo("[[", s, func() { w.test(c.X) })
	case *syntax.DeclClause:
		w.declare(c, s)
	case *syntax.LetClause:
		w.pseudo("let", s, func() {
			for _, x := range c.Exprs {
				w.arith(x)
			}
		})
	case *syntax.TimeClause:
		w.through("time", func() { w.stmt(c.Stmt, in) })
	case *syntax.CoprocClause:
		w.through("coproc", func() { w.stmt(c.Stmt, in) })
	case *syntax.TestDecl:
		w.stmt(c.Body, input{})
	default:
		w.fail("holds a construct that the console cannot read")
	}
}

func (w *walker) bounds(n syntax.Node) (int, int) {
	s := w.span(n)
	return s[0], s[1]
}

func (w *walker) emit(f Fact) int {
	f.Via = w.via
	f.Cwd = w.cwds
	w.facts = append(w.facts, f)
	return len(w.facts) - 1
}

// pseudo emits a fact for a keyword that is no command, and lets walk add
// constructs to it.
func (w *walker) pseudo(name string, n syntax.Node, walk func()) {
	f := Fact{Program: name}
	f.Start, f.End = w.bounds(n)
	i := w.emit(f)
	old := w.calling
	w.calling = append(w.calling[:len(w.calling):len(w.calling)], name)
	walk()
	w.calling = old
	_ = i
}

// through walks inner with one more step in the unwrap path.
func (w *walker) through(name string, inner func()) {
	if len(w.via) >= w.lim.Unwrap {
		w.fail("more wrappers around a command than the limit of unwrap")
		return
	}
	via := w.via
	w.via = append(via[:len(via):len(via)], name)
	inner()
	w.via = via
}

// body walks a list that shares one standard input.
func (w *walker) body(list []*syntax.Stmt, in input) {
	for _, s := range list {
		w.stmt(s, in)
	}
}

func (w *walker) binary(c *syntax.BinaryCmd, in input) {
	if c.Op == syntax.Pipe || c.Op == syntax.PipeAll {
		w.pipeline(flatten(c), in)
		return
	}
	w.stmt(c.X, in)
	if c.Op == syntax.AndStmt && w.fresh != nil {
		all := w.cwds
		w.cwds = w.fresh
		w.stmt(c.Y, in)
		w.cwds = union(all, w.cwds)
		return
	}
	w.stmt(c.Y, in)
}

func flatten(c *syntax.BinaryCmd) []*syntax.Stmt {
	var rev []*syntax.Stmt
	for {
		rev = append(rev, c.Y)
		left, ok := c.X.Cmd.(*syntax.BinaryCmd)
		if !ok || len(c.X.Redirs) > 0 || (left.Op != syntax.Pipe && left.Op != syntax.PipeAll) {
			rev = append(rev, c.X)
			break
		}
		c = left
	}
	for i, j := 0, len(rev)-1; i < j; i, j = i+1, j-1 {
		rev[i], rev[j] = rev[j], rev[i]
	}
	return rev
}

// pipeline walks the segments and tells each fact what feeds it and what it
// feeds.
func (w *walker) pipeline(segments []*syntax.Stmt, in input) {
	first, filled := len(w.facts), len(w.filled)
	ends := make([]int, len(segments))
	for i, s := range segments {
		next := input{from: "pipe"}
		if i+1 < len(segments) {
			if text, ok := w.output(s, in); ok {
				next = input{text: text, known: true, from: "pipe"}
			}
		}
		before := len(w.facts)
		w.stmt(s, in)
		ends[i] = len(w.facts)
		next.names = w.listed(before, in)
		in = next
	}
	w.connect(first, ends)
	w.fillAll(filled, first)
}

// maxPrograms bounds the different programs of one pipeline.
const maxPrograms = 32

func (w *walker) connect(first int, ends []int) {
	if len(ends) < 2 {
		return
	}
	starts := make([]int, len(ends))
	for i := range ends {
		starts[i] = first
		if i > 0 {
			starts[i] = ends[i-1]
		}
	}
	var before []string
	for i := range ends {
		for k := starts[i]; k < ends[i]; k++ {
			w.facts[k].FedBy = join(before, w.facts[k].FedBy)
		}
		before = w.distinct(before, starts[i], ends[i])
	}
	var after []string
	for i := len(ends) - 1; i >= 0; i-- {
		for k := starts[i]; k < ends[i]; k++ {
			w.facts[k].PipesTo = join(w.facts[k].PipesTo, after)
		}
		after = w.distinct(after, starts[i], ends[i])
	}
}

// distinct adds the programs of some facts that list does not have.
func (w *walker) distinct(list []string, from, to int) []string {
	for _, f := range w.facts[from:to] {
		if has(list, f.Program) {
			continue
		}
		if len(list) >= maxPrograms {
			w.fail("more programs in a pipeline than the console follows")
			return list
		}
		list = append(list[:len(list):len(list)], f.Program)
	}
	return list
}

func has(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

func join(a, b []string) []string {
	if len(a) == 0 {
		return b
	}
	if len(b) == 0 {
		return a
	}
	return append(a[:len(a):len(a)], b...)
}

func (w *walker) ifClause(c *syntax.IfClause, in input) {
	for ; c != nil; c = c.Else {
		if !w.node() {
			return
		}
		w.body(c.Cond, in)
		w.body(c.Then, in)
	}
}

func (w *walker) while(c *syntax.WhileClause, in input) {
	start := len(w.facts)
	w.body(c.Cond, in)
	body := len(w.facts)
	w.body(c.Do, input{from: in.from, names: in.names})
	if !c.Until && endless(w.facts[start:body]) && w.spawns(body) {
		w.mark(start, "fork_bomb")
	}
}

func endless(cond []Fact) bool {
	if len(cond) != 1 {
		return false
	}
	p := cond[0].Program
	return p == "true" || p == ":" || p == "((" || p == "[" || p == "[["
}

// spawns reports a background command among the facts from start on, with
// nothing that waits.
func (w *walker) spawns(start int) bool {
	found := false
	for _, f := range w.facts[start:] {
		switch f.Program {
		case "sleep", "wait", "read", "inotifywait":
			return false
		}
		for _, c := range f.Constructs {
			found = found || c == "background"
		}
	}
	return found
}

func (w *walker) forClause(c *syntax.ForClause, in input) {
	switch loop := c.Loop.(type) {
	case *syntax.WordIter:
		w.iterate(loop)
	case *syntax.CStyleLoop:
		for _, x := range []syntax.ArithmExpr{loop.Init, loop.Cond, loop.Post} {
			if x != nil {
				w.arith(x)
			}
		}
	}
	w.body(c.Do, in)
}

func (w *walker) iterate(loop *syntax.WordIter) {
	for _, item := range loop.Items {
		for _, reading := range w.expand(item) {
			for _, f := range reading {
				w.assign(loop.Name.Value, valueOf(f), false)
			}
		}
	}
	w.taintVariable(loop.Name.Value, w.flow)
}

func (w *walker) caseClause(c *syntax.CaseClause, in input) {
	w.expand(c.Word)
	for _, item := range c.Items {
		if !w.node() {
			return
		}
		for _, p := range item.Patterns {
			w.expand(p)
		}
		w.body(item.Stmts, in)
	}
}

// function walks the body once, as if it were called with unknown
// arguments, and keeps it for calls in the same line.
func (w *walker) function(c *syntax.FuncDecl) {
	names := c.Names
	if c.Name != nil {
		names = append(names, c.Name)
	}
	f := Fact{Program: "function"}
	f.Start, f.End = w.bounds(c)
	f.construct("function")
	at := w.emit(f)
	start := len(w.facts)
	w.inFunction++
	w.stmt(c.Body, input{})
	w.inFunction--
	for _, n := range names {
		if w.funcs == nil {
			w.funcs = map[string]*syntax.Stmt{}
		}
		w.funcs[n.Value] = c.Body
		if w.callsItself(start, n.Value) {
			w.facts[at].construct("fork_bomb")
		}
		if knownProgram(n.Value) {
			w.facts[at].construct("shadow")
		}
	}
}

// callsItself finds a function that starts itself in a pipe or the
// background.
func (w *walker) callsItself(start int, name string) bool {
	for _, f := range w.facts[start:] {
		if f.Program != name {
			continue
		}
		if len(f.PipesTo)+len(f.FedBy) > 0 {
			return true
		}
		for _, c := range f.Constructs {
			if c == "background" {
				return true
			}
		}
	}
	return false
}

// invoke walks the body of a function of this line with its arguments.
func (w *walker) invoke(name string, args []Word, in input) {
	body, ok := w.funcs[name]
	if !ok || len(w.via) >= w.lim.Unwrap || len(w.calling) > 3 {
		return
	}
	for _, c := range w.calling {
		if c == name {
			return
		}
	}
	old, env := w.calling, w.env
	w.calling = append(w.calling[:len(w.calling):len(w.calling)], name)
	w.env = withArguments(env, args)
	w.through(name+"()", func() { w.stmt(body, in) })
	w.calling, w.env = old, env
}

// argumentList gives the values of $@; the last says what was left out.
func argumentList(args []Word) []value {
	var list []value
	for _, a := range args[:min(len(args), 4*maxValues)] {
		list = append(list, valueOf(a))
	}
	if len(args) > 4*maxValues {
		list = append(list, value{})
	}
	return list
}

func withArguments(env map[string][]value, args []Word) map[string][]value {
	out := make(map[string][]value, len(env)+len(args))
	for k, v := range env {
		out[k] = v
	}
	for i, a := range args {
		v := valueOf(a)
		if i < 9 {
			out[string(rune('1'+i))] = []value{v}
		}
	}
	if len(args) > 0 {
		out["@"] = argumentList(args)
		out["*"] = out["@"]
	}
	return out
}

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
