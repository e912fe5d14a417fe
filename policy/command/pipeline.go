package command

import (
	"slices"

	"mvdan.cc/sh/v3/syntax"
)

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
			} else {
				next.maybe = w.mayPrint(s, in)
			}
		}
		before := len(w.facts)
		w.stmt(s, in)
		ends[i] = len(w.facts)
		next.names = w.listed(before, in)
		in = next
	}
	w.connect(first, ends)
	w.printsOne(first, ends)
	w.fillAll(filled, first)
}

// harmless are names of variables that hold no secret.
var harmless = setOf("LANG LANGUAGE LC_ALL LC_CTYPE LC_TIME LC_MESSAGES PATH HOME SHELL TERM USER LOGNAME TZ JAVA_HOME GOPATH GOROOT NODE_ENV DEBUG PYTHONPATH DISPLAY XDG_RUNTIME_DIR EDITOR VISUAL PAGER PWD OLDPWD HOSTNAME SSH_AUTH_SOCK SSH_TTY SSH_CONNECTION SSH_CLIENT LS_COLORS COLORTERM NO_PROXY VIRTUAL_ENV CONDA_PREFIX LD_LIBRARY_PATH KUBECONFIG ORACLE_HOME ORACLE_SID")

// oneName is an expression that finds one variable. Without both ends the name
// is found in others too: USER is in DB_USER_PASSWORD.
var oneName = lazily(`^\^([A-Z_]+)(?:=|\\b)$`)

// printsOne takes env | grep ^LANG= for what it is: one variable.
func (w *walker) printsOne(first int, ends []int) {
	if len(ends) < 2 || ends[0] == first || ends[0] >= len(w.facts) || !has(w.facts[ends[0]-1].Constructs, "prints_environment") {
		return
	}
	f := &w.facts[ends[0]]
	if f.Program != "grep" && f.Program != "egrep" && f.Program != "rg" {
		return
	}
	if len(f.Args) != 1 || !f.Args[0].Known {
		return
	}
	if m := oneName.FindStringSubmatch(f.Args[0].Text); m != nil && harmless[m[1]] {
		c := &w.facts[ends[0]-1].Constructs
		*c = slices.DeleteFunc(slices.Clone(*c), func(s string) bool { return s == "prints_environment" })
	}
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
