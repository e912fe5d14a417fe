package command

import "strings"

// git starts programs out of settings, options and addresses.

// gitExec are settings whose value git runs.
var gitExec = []string{
	"core.pager", "core.sshcommand", "core.editor", "core.fsmonitor", "core.askpass", "core.gitproxy", "core.hookspath", "diff.external", "sequence.editor", "credential.helper", "gpg.program", "gpg.ssh.program", "pager.", "filter.", "difftool.", "mergetool.", "alias.", "uploadpack.packobjectshook", "sendemail.smtpserver", "protocol.ext.allow", "ssh.variant", "browser.", "man.", "merge.", "diff.",
	"gpg.", "core.alternaterefscommand", "init.templatedir", "include.", "includeif.", "remote.", "submodule.", "trailer.", "credential.", "sendemail.", "tar.", "instaweb.browser", "interactive.difffilter",
	"imap.tunnel", "guitool.", "hook.", "gc.recentobjectshook", "pack.packobjectshook", "url.", "receive.procreceiverefs", "core.worktree",
}

// gitExecEnds are the ends of settings below a section that git runs.
var gitExecEnds = map[string]string{
	"gpg.": "program defaultkeycommand", "remote.": "uploadpack receivepack vcs", "submodule.": "update", "trailer.": "command cmd", "credential.": "helper",
	"sendemail.": "smtpserver tocmd cccmd headercmd sendmailcmd", "tar.": "command remote", "guitool.": "cmd", "hook.": "command", "include.": "path", "includeif.": "path", "url.": "insteadof pushinsteadof",
}

func isGitExec(name string) bool {
	name = strings.ToLower(name)
	for _, g := range gitExec {
		if name == g || strings.HasSuffix(g, ".") && strings.HasPrefix(name, g) {
			if ends, ok := gitExecEnds[g]; ok {
				if isWord(ends, name[strings.LastIndexByte(name, '.')+1:]) {
					return true
				}
				continue
			}
			switch {
			case strings.HasPrefix(name, "diff.") || strings.HasPrefix(name, "merge."):
				return strings.HasSuffix(name, "command") || strings.HasSuffix(name, "driver") || strings.HasSuffix(name, "textconv") || strings.HasSuffix(name, "external")
			case strings.HasPrefix(name, "pager."):
				return true
			case strings.HasPrefix(name, "difftool.") || strings.HasPrefix(name, "mergetool."):
				return strings.HasSuffix(name, "cmd") || strings.HasSuffix(name, "path")
			}
			return true
		}
	}
	return false
}

func (x *invocation) git() {
	n := leading("git", x.args)
	o := readOptions("git", x.args[:n])
	for _, c := range o.values("c", "config-env") {
		name, v, ok := strings.Cut(c.Text, "=")
		if ok {
			x.gitSetting(name, v, c)
		}
	}
	for _, d := range o.values("C") {
		x.use(d, Reads)
	}
	if n >= len(x.args) {
		return
	}
	if x.args[n].Text == "clean" {
		x.gitClean(o.values("C"), readOptions("git", x.args[n:]).Operands[1:])
	}
	x.gitSub(x.args[n].Text, x.args[n+1:])
}

// gitClean removes what is untracked in the folder, or below the operands.
func (x *invocation) gitClean(folders, paths []Word) {
	for _, p := range append(folders, paths...) {
		x.use(p, Removes)
	}
	if len(paths) == 0 && len(x.cwds) > 0 {
		x.use(Word{Text: ".", Known: true, Start: x.cmd.start, End: x.cmd.end}, Removes)
	}
}

func (x *invocation) gitSetting(name, v string, at Word) {
	if !isGitExec(name) {
		return
	}
	code, bang := strings.CutPrefix(v, "!")
	if strings.HasPrefix(strings.ToLower(name), "alias.") && !bang {
		return
	}
	if lower := strings.ToLower(name); strings.HasPrefix(lower, "url.") && !strings.Contains(lower, "ext::") || strings.HasPrefix(lower, "submodule.") && !bang {
		return
	}
	if v == "cat" || v == "less" || v == "" || v == "true" || v == "false" || v == "store" || v == "cache" {
		return
	}
	x.mark("exec_option")
	x.codeText(code, [2]int{at.Start, at.End}, nil, Bash)
}

func (x *invocation) gitSub(sub string, args []Word) {
	args = spelledOut("git "+sub, args)
	o := readOptions("git", args)
	span := [2]int{x.cmd.start, x.cmd.end}
	switch sub {
	case "config":
		if len(o.Operands) > 1 {
			x.gitSetting(o.Operands[len(o.Operands)-2].Text, o.Operands[len(o.Operands)-1].Text, o.Operands[len(o.Operands)-1])
		}
	case "clone", "init":
		x.gitCloneSettings(args)
		for i, a := range args {
			if a.Text == "-u" && i+1 < len(args) {
				x.mark("exec_option")
				x.codeWord(args[i+1], nil)
			}
		}
	case "grep":
		for _, op := range o.List {
			if op.Name == "O" || op.Name == "open-files-in-pager" {
				x.mark("exec_option")
				if op.HasValue || len(args[op.At].Text) > 2 && op.Name == "O" {
					x.codeText(op.Value.Text, span, nil, Bash)
				}
			}
		}
	case "submodule":
		if len(args) > 1 && args[0].Text == "foreach" {
			x.codeWord(joined(args[1:]), nil)
		}
	case "bisect":
		if len(args) > 1 && args[0].Text == "run" {
			x.run(args[1:])
		}
	case "rebase", "filter-branch", "difftool", "mergetool", "filter-repo":
		for i, a := range args {
			name := strings.TrimLeft(a.Text, "-")
			if name == "exec" || name == "x" || strings.HasSuffix(name, "-filter") || name == "extcmd" {
				if i+1 < len(args) {
					x.mark("exec_option")
					x.codeWord(args[i+1], nil)
				}
			} else if _, code, ok := strings.Cut(a.Text, "--exec="); ok {
				x.mark("exec_option")
				x.codeText(code, span, nil, Bash)
			}
		}
	}
	for _, a := range args {
		x.gitRemote(sub, a)
	}
}

// gitCloneSettings judges clone -c KEY=VALUE, and templates with hooks.
func (x *invocation) gitCloneSettings(args []Word) {
	for i, a := range args {
		v, ok := strings.CutPrefix(a.Text, "--config=")
		folder, template := strings.CutPrefix(a.Text, "--template=")
		switch {
		case template && folder != "" || a.Text == "--template":
			x.mark("exec_option") // its hooks run
			continue
		case (a.Text == "-c" || a.Text == "--config") && i+1 < len(args):
			a = args[i+1]
			v = a.Text
		case ok:
		case strings.HasPrefix(a.Text, "-c") && strings.Contains(a.Text, "="):
			v = a.Text[2:]
		default:
			continue
		}
		if name, value, ok := strings.Cut(v, "="); ok {
			x.gitSetting(name, value, a)
		}
	}
}

// gitRemote judges ext:: addresses and options that name a program.
func (x *invocation) gitRemote(sub string, a Word) {
	if code, ok := strings.CutPrefix(a.Text, "ext::"); ok {
		x.mark("exec_option")
		if strings.ContainsAny(code, `"'`) {
			x.codeText(code, [2]int{a.Start, a.End}, nil, Bash)
		} else {
			x.run(extWords(code, a))
		}
	}
	for _, p := range []string{"--upload-pack=", "--receive-pack=", "--exec=", "-u=", "--extcmd="} {
		if code, ok := strings.CutPrefix(a.Text, p); ok && sub != "rebase" {
			x.mark("exec_option")
			x.codeText(code, [2]int{a.Start, a.End}, nil, Bash)
		}
	}
	switch sub {
	case "clone", "fetch", "pull", "push":
		if strings.Contains(a.Text, "://") || strings.Contains(a.Text, "@") && strings.Contains(a.Text, ":") {
			x.use(a, Connects)
		}
	}
}

// extWords splits the command of git's ext:: address: "% " is a blank inside
// a word.
func extWords(code string, at Word) []Word {
	var words []Word
	for _, f := range strings.Fields(strings.ReplaceAll(code, "% ", "\x00")) {
		at.Text = strings.ReplaceAll(f, "\x00", " ")
		words = append(words, at)
	}
	return words
}
