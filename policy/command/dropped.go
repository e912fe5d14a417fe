package command

import (
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// A dropped file is one that this line writes: what it then runs from there
// is what was written.
type dropped struct {
	text     string
	known    bool
	download bool
	maybe    []string // where text is not known
	flow     []int    // facts whose output is in it
}

// drop notes a file that the line writes.
func (w *walker) drop(name string, d dropped) {
	if w.files == nil {
		w.files = map[string]dropped{}
	}
	name = path.Clean(name)
	d.flow = joinFlow(w.files[name].flow, d.flow)
	w.files[name] = d
}

// fileName is what a file that the line writes is remembered by: its path, or
// the expansion that says it, as written: f=$(mktemp); echo x > "$f".
func (w *walker) fileName(word Word) string {
	if word.Known {
		return path.Clean(word.Text)
	}
	from, to := word.Start-w.offset, word.End-w.offset
	if w.fixed || from < 0 || to > len(w.src) || from >= to {
		return ""
	}
	text := strings.Trim(w.src[from:to], `"`)
	if name := strings.Trim(text, "${}"); text[:min(1, len(text))] == "$" && isName(name) {
		return "$" + name
	}
	return ""
}

// dropOutput notes where a plain echo is written to.
func (w *walker) dropOutput(c *syntax.CallExpr, redirs []*syntax.Redirect, uses []Use, in input) {
	for i := range uses {
		u := &uses[i]
		name := w.fileName(u.Word)
		if !u.Redir || u.Access&Writes == 0 || name == "" {
			continue
		}
		if text, ok := w.callOutput(c, in); ok {
			if old := w.files[name]; old.known && appends(redirs) {
				text = old.text + text
			}
			w.drop(name, dropped{text: text, known: true})
			w.dropsShell(text)
			w.dropsCode(name, text)
		}
	}
}

// dropsShell marks the command that has just written text with a shell in it.
// The first line of a script may name one.
func (w *walker) dropsShell(text string) {
	if strings.HasPrefix(text, "#!") {
		_, text, _ = strings.Cut(text, "\n")
	}
	if len(w.facts) == 0 {
		return
	}
	f := &w.facts[len(w.facts)-1]
	kinds := kindsOf(text[:min(len(text), maxCode)])
	if holdsShell(text) && !strings.Contains(text, "SHELL=") {
		f.construct("drops_shell")
		if kinds&callsRaw != 0 || kinds&callsNet != 0 && kinds&callsShell != 0 {
			f.construct("reverse_shell")
		}
	}
	if kinds&callsLoad != 0 && strings.Contains(text, ".so") {
		f.construct("loads_library")
	}
}

// copiesInput are programs that write what they are fed to a file.
var copiesInput = setOf("tee sponge dd install")

func hasWord(words []Word, text string) bool {
	return slices.ContainsFunc(words, func(w Word) bool { return w.Text == text })
}

// landed notes what a program that copies its input writes there.
func (x *invocation) landed(w Word) {
	in := x.cmd.in
	if in.from == "file" || x.program == "install" && !hasWord(x.args, "/dev/stdin") {
		return
	}
	name := path.Clean(w.Text)
	d := dropped{text: in.text, known: in.known, maybe: in.maybe}
	if old := x.files[name]; old.known && in.known && (hasWord(x.args, "-a") || hasWord(x.args, "--append")) {
		d.text = old.text + d.text
	}
	if x.drop(name, d); in.known {
		x.dropsShell(in.text)
		x.dropsCode(name, in.text)
	}
}

// startFiles are read as shell code at the next login, cronFiles as tables.
var (
	startFiles = []string{".bashrc", ".bash_profile", ".profile", ".zshrc", ".zshenv", ".zprofile", ".bash_login", ".bash_logout", "/etc/profile", "/etc/bash.bashrc", "/etc/bashrc", "/etc/zsh/zshrc", "/etc/rc.local"}
	cronFiles  = []string{"/etc/cron.d/", "/var/spool/cron", "/etc/crontab"}
)

// dropsCode judges text that is written where a shell or cron runs it.
func (w *walker) dropsCode(name, text string) {
	name = path.Clean(name)
	in := func(list []string) bool {
		for _, s := range list {
			if strings.HasPrefix(name, s) || strings.HasSuffix(name, s) {
				return true
			}
		}
		return false
	}
	span := w.span0
	if !w.fixed && len(w.facts) > 0 {
		f := &w.facts[len(w.facts)-1]
		span = [2]int{f.Start, f.End}
	}
	switch {
	case in(cronFiles):
		for _, l := range strings.Split(text, "\n") {
			code := cronCommand(l)
			if _, rest, ok := strings.Cut(code, " "); ok && strings.HasPrefix(name, "/etc/") {
				code = rest // behind the user
			}
			w.through("cron", func() { w.code(code, Bash, span, nil, input{}) })
		}
	case strings.Contains(name, "systemd/") && strings.Contains(text, "Exec"):
		for _, code := range unitCommands(text) {
			w.through("systemd", func() { w.code(code, Bash, span, nil, input{}) })
		}
	case in(startFiles) || strings.HasPrefix(name, "/etc/profile.d/"):
		w.through("login", func() { w.code(text, Bash, span, nil, input{}) })
	}
}

// unitCommands are those that a unit of systemd starts.
func unitCommands(text string) []string {
	var out []string
	for _, l := range strings.Split(text, "\n") {
		name, code, ok := strings.Cut(strings.TrimSpace(l), "=")
		if ok && strings.HasPrefix(name, "Exec") {
			out = append(out, strings.TrimLeft(code, "-@:+! "))
		}
	}
	return out
}

func appends(redirs []*syntax.Redirect) bool {
	for _, r := range redirs {
		if r.Op == syntax.AppOut || r.Op == syntax.AppAll {
			return true
		}
	}
	return false
}

// downloadNames are the files that a downloader writes without being told a
// name: the last part of each address.
func (x *invocation) downloadNames(o Options) {
	if x.program == "http" || x.program == "https" || x.program == "xh" || x.program == "lwp-request" {
		return
	}
	if x.program == "curl" && !o.has("O", "remote-name", "remote-name-all", "J") || x.program == "wget" && o.has("O", "output-document") {
		return
	}
	for _, u := range o.Operands {
		if i := strings.LastIndexByte(u.Text, '/'); i >= 0 && i+1 < len(u.Text) {
			name, _, _ := strings.Cut(u.Text[i+1:], "?")
			w := u
			w.Text = name
			x.use(w, Writes)
			x.drop(name, dropped{download: true})
		}
	}
}

// placed judges a program without a folder that this line put where the shell
// finds it.
func (x *invocation) placed() {
	if len(x.files) == 0 || knownProgram(x.program) {
		return
	}
	name := x.fact().Name
	for _, folder := range programFolders {
		if _, ok := x.files[folder+name.Text]; ok {
			name.Text = folder + name.Text
			x.runDropped(name)
			return
		}
	}
}

// renamers give a file another name.
var renamers = setOf("cp mv ln install link")

// renamed notes a program, or a file that this line wrote, under a new name.
func (x *invocation) renamed(from, to Word) {
	if !from.Known || !to.Known || to.Text == "" {
		return
	}
	name := to.Text
	if strings.HasSuffix(name, "/") {
		name += path.Base(from.Text)
	}
	name = path.Clean(name)
	if d, ok := x.files[path.Clean(from.Text)]; ok {
		x.drop(name, d)
	}
	if program := programOf(from); strings.Contains(from.Text, "/") && knownProgram(program) && path.Base(name) != program {
		if x.copied == nil {
			x.copied = map[string]Word{}
		}
		x.copied[name] = from
	}
}

// otherName judges a copy or link of a program that this line made as that
// program.
func (x *invocation) otherName() {
	if from, ok := x.copied[path.Clean(x.fact().Name.Text)]; ok && len(x.copied) > 0 {
		x.again(append([]Word{from}, x.args...))
	}
}

// runDropped judges a file that is run, if this line wrote it.
func (x *invocation) runDropped(w Word) {
	name := x.fileName(w)
	d, ok := x.files[name]
	if !ok || name == "" {
		return
	}
	if d.download {
		x.mark("runs_download")
	}
	x.cameFrom(d.flow)
	if x.perhaps(d.maybe); d.known && len(x.via) < x.lim.Unwrap {
		x.codeText(d.text, [2]int{w.Start, w.End}, nil, Bash)
	}
}
