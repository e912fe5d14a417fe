package session

import (
	"testing"

	"sallyport/policy"
)

func TestOnlyListedProgramsReadText(t *testing.T) {
	for dialect, names := range map[policy.Dialect][]string{
		policy.Text: {"rm", "apt", "apt-get", "cat", "tee", "ed", "read", "sort", "passwd", "fsck", "gpg", "unzip"},
		policy.Unknown: {
			"posh", "hush", "oil", "osh", "es", "loksh", "sash", "oksh", "csh", "tcsh", "yash", "elvish", "nu", "xonsh", "pwsh", "powershell",
			"racket", "ocaml", "swift", "clojure", "python", "python3", "python3.11", "perl5.36", "ruby3.2", "lua5.4", "node", "php8.2", "tclsh8.6", "irb", "R",
			"awk", "sed", "make", "xargs", "crontab", "gdb", "redis-cli", "ssh", "socat", "openssl", "docker", "kubectl", "sudo", "env",
			"an unknown program", "", "mytool", "tool-2.1", "vim.tiny", "sh.new",
		},
		policy.Bash:  {"bash", "bash5", "bash-5.2", "rbash"},
		policy.POSIX: {"sh", "dash", "ash", "busybox", "at"},
		policy.Zsh:   {"zsh", "zsh5", "zsh-5.9"},
		policy.Mksh:  {"ksh", "ksh93", "mksh"},
		policy.Fish:  {"fish", "fish3"},
		policy.SQL:   {"psql", "psql15", "mysql", "sqlite3"},
	} {
		for _, name := range names {
			if got := dialectOf(name); got != dialect {
				t.Errorf("%s reads %v, want %v", name, got, dialect)
			}
		}
	}
}
