package session

import (
	"strings"

	"sallyport/policy"
)

// What a program that reads lines makes of one decides how it is judged: a
// shell runs it, an interpreter runs it in a language that the policy does not
// read, most others take it as text.

// shellReaders run each line, in the dialect given.
var shellReaders = map[string]policy.Dialect{
	"bash": policy.Bash, "rbash": policy.Bash, "sh": policy.POSIX, "dash": policy.POSIX, "ash": policy.POSIX, "busybox": policy.POSIX,
	"zsh": policy.Zsh, "rzsh": policy.Zsh, "fish": policy.Fish, "mksh": policy.Mksh, "ksh": policy.Mksh, "ksh93": policy.Mksh, "lksh": policy.Mksh,
	"at": policy.POSIX, "batch": policy.POSIX, "parallel": policy.Bash,
	"psql": policy.SQL, "mysql": policy.SQL, "mariadb": policy.SQL, "sqlite3": policy.SQL, "sqlite": policy.SQL, "sqlcmd": policy.SQL,
	"sqlplus": policy.SQL, "clickhouse-client": policy.SQL, "cqlsh": policy.SQL, "duckdb": policy.SQL, "usql": policy.SQL, "pgcli": policy.SQL, "mycli": policy.SQL,
}

// codeReaders run what they read in a way that the policy does not read, or
// pass it on to something that may.
var codeReaders = map[string]bool{
	"csh": true, "tcsh": true, "yash": true, "elvish": true, "nu": true, "xonsh": true, "pwsh": true,
	"python": true, "pypy": true, "ipython": true, "perl": true, "ruby": true, "irb": true, "node": true, "nodejs": true, "deno": true, "bun": true,
	"lua": true, "luajit": true, "php": true, "R": true, "Rscript": true, "julia": true, "octave": true, "tclsh": true, "wish": true, "expect": true,
	"ghci": true, "scala": true, "jshell": true, "erl": true, "iex": true, "guile": true, "sbcl": true, "clisp": true, "emacs": true, "groovysh": true,
	"gdb": true, "lldb": true, "awk": true, "gawk": true, "mawk": true, "sed": true, "m4": true, "make": true, "gmake": true, "xargs": true, "crontab": true,
	"redis-cli": true, "mongo": true, "mongosh": true, "etcdctl": true, "ldapmodify": true, "nft": true, "iptables-restore": true, "chpasswd": true,
	"ssh": true, "telnet": true, "nc": true, "ncat": true, "netcat": true, "socat": true, "openssl": true, "docker": true, "podman": true, "nerdctl": true,
	"kubectl": true, "oc": true, "nsenter": true, "chroot": true, "unshare": true, "sudo": true, "su": true, "doas": true, "env": true, "exec": true,
	"fdisk": true, "gdisk": true, "parted": true, "debugfs": true, "nmcli": true, "virsh": true, "bluetoothctl": true, "wpa_cli": true, "systemctl": true,
	"an unknown program": true, "": true,
}

// escapers take a line for text, unless a mark in it starts a command.
var escapers = map[string]string{
	"ed": "!", "red": "!", "ex": "!", "vi": "!", "vim": "!", "sftp": "!", "ftp": "!", "lftp": "!", "mail": "!|", "mailx": "!|", "s-nail": "!|", "mutt": "!|",
	"dc": "!", "gnuplot": "!", "bc": "!", "nslookup": "", "more": "!", "less": "!|", "man": "!|", "tnftp": "!",
}

// dialectOf names the language that a program reads lines in: Text where it
// runs nothing of what it reads, Unknown where nobody here knows.
func dialectOf(who string) policy.Dialect {
	if d, ok := shellReaders[who]; ok {
		return d
	}
	if codeReaders[who] || codeReaders[strings.TrimRight(who, "0123456789.")] {
		return policy.Unknown
	}
	return policy.Text
}

// readAs is how a program reads this line, and the part of it that a shell
// runs, if there is one.
func readAs(who, line string) (d policy.Dialect, runs string) {
	if marks, ok := escapers[who]; ok {
		if i := strings.IndexAny(line, marks); i >= 0 {
			return policy.Unknown, strings.TrimLeft(line[i:], "!|~ ")
		}
	}
	return dialectOf(who), ""
}
