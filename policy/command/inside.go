package command

import "strings"

// Many programs start others: what their words name is looked for, whether or
// not the console knows the program. A word can be a shell, a line of code,
// the value of an option that is run, or the first word of a command.

// wordsInside looks at the words of a program that has no reading of its own.
func (x *invocation) wordsInside() {
	switch {
	case textTakers[x.program]:
		if execShort[x.program] != "" {
			x.optionCommands()
		}
		return
	case readers[x.program]:
		x.readerInside()
		return
	}
	x.optionCommands()
	if in := x.cmd.in; in.known && in.from != "file" && !pathTakers[x.program] {
		x.bangLines(in.text, [2]int{x.cmd.start, x.cmd.end})
		if holdsShell(in.text) {
			x.mark("shell_word")
		}
	}
	if tools[x.program] {
		for _, a := range x.args {
			if deletesAll.MatchString(a.Text) {
				x.mark("calls_delete")
			}
		}
	}
	if knownProgram(x.program) && !runners[x.program] {
		if !pathTakers[x.program] {
			x.shellWords()
		}
		x.codeWords()
		return
	}
	x.shellWords()
	for _, a := range x.args {
		if hasSubscriptCode(a.Text) {
			x.laterText(a.Text, [2]int{a.Start, a.End}) // a function may count with it
		}
		if strings.Contains(a.Text, "(") && kindsOf(a.Text)&callsShell != 0 {
			x.mark("starts_programs")
		}
		if deletesAll.MatchString(a.Text) {
			x.mark("calls_delete")
		}
	}
	if !x.commandBehind() {
		x.tail()
	}
}

// textTakers are given text, not commands.
var textTakers = setOf(`echo printf grep egrep fgrep zgrep rg ag ack man apropos whatis tldr which type whereis expr test [ [[ : true false
notify-send wall write logger figlet banner cowsay say spd-say gh glab jira slack curl wget http https xh mail mailx git-commit dialog whiptail
zenity kdialog bc units jq gron read unset export declare typeset local readonly let set shift alias unalias trap return exit`)

// pathTakers are given paths, of which one may be a shell's.
var pathTakers = setOf(`rpm dpkg dpkg-query chsh useradd usermod adduser chmod chown chgrp chcon restorecon setfacl getfacl tar rsync scp zip
update-alternatives alternatives rm rmdir unlink shred truncate touch mkdir apt apt-get yum dnf pacman apk zypper apt-file strip objcopy patch
systemctl service kill killall pkill fuser mkswap chattr setcap dd tee split aide debsums`)

// runners are known programs of which some words are a command.
var runners = setOf(`npm yarn pnpm gem cabal heroku nomad ctr multipass flatpak snap distcc systemd-run consul etcdctl knife rbenv pyenv nodenv
asdf nvm volta rye hatch conda mamba minikube kind lxc crictl runc fly flyctl railway vagrant virsh rustup go stack juju cf eb copilot tsh`)

// shellWords marks a command of which a word is, or holds, a shell.
func (x *invocation) shellWords() {
	for _, a := range x.args {
		if holdsShell(a.Text) && !strings.HasPrefix(a.Text, "SHELL=") {
			x.mark("shell_word")
			return
		}
	}
}

// holdsShell finds /bin/sh and its like as a word of any language, and a
// shell behind ! or exec.
func holdsShell(text string) bool {
	for rest := text; ; {
		i := strings.Index(rest, "bin/")
		if i < 0 {
			break
		}
		name := shellAt(rest[i+4:])
		if name != "" && (i == 0 || rest[i-1] == '/' || rest[i-1] == 's') {
			return true
		}
		rest = rest[i+4:]
	}
	for _, lead := range []string{"!", "exec ", "exec=", "execute=", "shell=", "system(\"", "system('", ":execute "} {
		if i := strings.Index(text, lead); i >= 0 && shellAt(strings.TrimLeft(text[i+len(lead):], " ")) != "" {
			return true
		}
	}
	return false
}

// shellAt gives the shell whose name text begins with.
func shellAt(text string) string {
	end := 0
	for end < len(text) && (isIdent(text[end]) || text[end] == '-' || text[end] == '.') {
		end++
	}
	if name := strings.ToLower(text[:end]); shellNames[name] && (end == len(text) || text[end] != '/') {
		return name
	}
	return ""
}

// codeWords judges words with blanks that begin with a program that destroys.
func (x *invocation) codeWords() {
	for _, a := range x.args {
		if !a.Known || strings.IndexByte(a.Text, ' ') < 0 {
			continue
		}
		if _, v, ok := strings.Cut(a.Text, "="); ok && strings.HasPrefix(a.Text, "-") {
			a.Text = strings.TrimLeft(v, `'"`)
		}
		a.Text = strings.TrimPrefix(a.Text, "!")
		x.destructiveText(a)
	}
}

// execOptions are names of options whose value a program runs.
var execOptions = setOf(`pre-hook post-hook deploy-hook renew-hook manual-auth-hook manual-cleanup-hook exec-batch password-command passcommand
rsh rsh-command info-script new-volume-script on-download-complete on-download-error on-download-start on-download-stop on-download-pause
on-bt-download-complete on-error on-exit on-change on-event diff-cmd diff3-cmd merge-cmd photo-viewer conf-script dhcp-script ssh-command
ssh_command proxy-command grep-bin startup-command post-command pre-command run-command to-command checkpoint-exec exec-cmd hook-command
ext-diff-command passphrase-command credential-process tls-verify auth-user-pass-verify client-connect client-disconnect route-up ipchange
script-path prepare cleanup setup conclude init-command-script pinentry-program`)

// execShort are one-letter or old-style options whose value a program runs.
var execShort = map[string]string{
	"scrot": "e", "ksu": "e", "perlbug": "e", "tmate": "c", "genie": "c", "bpftrace": "c", "gem": "e", "openvpn": "up down ipchange route-up tls-verify",
	"dhclient": "sf", "zic": "y", "sftp": "D", "pidstat": "e", "dmsetup": "exec", "plymouth": "command", "nano": "s", "cdist": "s", "sshfs": "",
	"strace": "", "forge": "use", "check_ssl_cert": "grep-bin", "mail": "exec", "mailx": "exec", "borg": "rsh", "pandoc": "filter lua-filter F L pdf-engine", "latexmk": "pdflatex latex xelatex lualatex",
	"dnsmasq": "", "inotifywait": "", "hyperfine": "p prepare c cleanup s setup", "rtorrent": "", "vlc": "", "watchexec": "", "rc": "c",
}

// optionCommands judges the values of options that are run, by their name.
func (x *invocation) optionCommands() {
	short := execShort[x.program]
	for i, a := range x.args {
		if len(a.Text) < 2 || a.Text[0] != '-' {
			continue
		}
		name, v, has := strings.Cut(strings.TrimLeft(a.Text, "-"), "=")
		if !execOptions[name] && !isWord(short, name) {
			continue
		}
		value := a
		value.Text = v
		if !has {
			if i+1 >= len(x.args) {
				continue
			}
			value = x.args[i+1]
		}
		x.optionCommand(value)
	}
	for _, a := range x.args {
		if _, v, ok := strings.Cut(a.Text, "ssh_command="); ok {
			a.Text = v
			x.optionCommand(a)
		}
	}
}

func isWord(list, word string) bool {
	for _, w := range strings.Fields(list) {
		if w == word {
			return true
		}
	}
	return false
}

func (x *invocation) optionCommand(v Word) {
	if v.Text == "" && v.Known || strings.HasPrefix(v.Text, "-") || strings.HasPrefix(v.Text, "ssh ") || v.Text == "ssh" {
		return
	}
	x.mark("exec_option")
	v.Text = strings.TrimPrefix(v.Text, "!")
	if x.lineOfCode(v.Text) {
		x.codeWord(v, nil)
	} else {
		x.use(v, Runs)
	}
}

func (x *invocation) lineOfCode(text string) bool {
	return strings.ContainsAny(text, " ;|&") || knownProgram(programOf(Word{Text: text, Known: true}))
}

// commandBehind runs the command that stands behind -- or behind a word that
// says so: foo exec NAME -- rm x.
func (x *invocation) commandBehind() bool {
	for i, a := range x.args {
		if a.Text == "--" && i+1 < len(x.args) && knownProgram(programOf(x.args[i+1])) {
			x.run(x.args[i+1:])
			return true
		}
	}
	for i, a := range x.args {
		if !runWords[a.Text] {
			continue
		}
		for k := i + 1; k < len(x.args) && k < i+5; k++ {
			w := x.args[k]
			if strings.Contains(w.Text, " ") && knownProgram(programOf(Word{Text: strings.Fields(w.Text)[0], Known: true})) {
				x.codeWord(joined(x.args[k:]), nil)
				return true
			}
			if name := programOf(w); name != "" && knownProgram(name) && !verbs[name] && !nounToo[name] {
				x.run(x.args[k:])
				return true
			}
		}
	}
	return false
}

var runWords = setOf("exec run rsh ssh shell execute command console run-command ssh-command spawn")

// readerInside looks into the few readers that can start something.
func (x *invocation) readerInside() {
	if execShort[x.program] != "" {
		x.optionCommands()
	}
	if x.program == "dc" && x.cmd.in.known {
		x.bangLines(x.cmd.in.text, [2]int{x.cmd.start, x.cmd.end})
	}
	for _, a := range x.args {
		switch {
		case strings.Contains(a.Text, "unixexec:"), x.program == "dc" && strings.Contains(a.Text, "!"), strings.HasPrefix(a.Text, "%(") && x.program == "rpmquery":
			x.mark("exec_option")
			if holdsShell(a.Text) {
				x.mark("shell_word")
			}
		}
	}
}

// loaders are programs that load libraries which their words name.
var loaders = setOf(`openssl postgres ffmpeg ffplay pkcs11-tool gpg php nginx httpd apache2 redis-server redis-cli valkey-server valkey-cli keydb-cli mysqld mariadbd psql sqlite3
vlc mpv gdb lldb vim vi nvim view ex tshark bpftool haproxy snmpd slapd dovecot emacs duckdb wpa_supplicant load`)

// libraries marks a command that loads code out of a file it names.
func (x *invocation) libraries() {
	if !loaders[x.program] {
		return
	}
	for _, a := range x.args {
		t := a.Text
		if kindsOf(t)&callsLoad != 0 || strings.Contains(t, ".load ") || namesLibrary(t) {
			x.mark("loads_library")
			return
		}
	}
}

func namesLibrary(t string) bool {
	i := strings.Index(t, ".so")
	if i < 1 || !strings.Contains(t[:i], "/") {
		return false
	}
	return i+3 == len(t) || strings.IndexByte(".,:;'\" )", t[i+3]) >= 0
}
