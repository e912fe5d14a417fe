package session

import (
	"strings"

	"sallyport/policy"
	"sallyport/policy/command"
)

// What a program that reads lines makes of one decides how it is judged: a
// shell runs it, an interpreter runs it in a language that the policy does not
// read, some take it as text; of the others nobody here knows.

// shellReaders run each line, in the dialect given.
var shellReaders = map[string]policy.Dialect{
	"bash": policy.Bash, "rbash": policy.Bash, "sh": policy.POSIX, "dash": policy.POSIX, "ash": policy.POSIX, "busybox": policy.POSIX,
	"zsh": policy.Zsh, "rzsh": policy.Zsh, "fish": policy.Fish, "mksh": policy.Mksh, "ksh": policy.Mksh, "ksh93": policy.Mksh, "lksh": policy.Mksh,
	"at": policy.POSIX, "batch": policy.POSIX, "parallel": policy.Bash,
	"psql": policy.SQL, "mysql": policy.SQL, "mariadb": policy.SQL, "sqlite3": policy.SQL, "sqlite": policy.SQL, "sqlcmd": policy.SQL,
	"sqlplus": policy.SQL, "clickhouse-client": policy.SQL, "cqlsh": policy.SQL, "duckdb": policy.SQL, "usql": policy.SQL, "pgcli": policy.SQL, "mycli": policy.SQL,
}

// textReaders ask questions, or take data, and run nothing of what they read.
// Programs that only read and print are known to policy/command.
var textReaders = setOf(`
sort uniq rm mv cp ln rmdir unlink install dd shred split csplit tee sponge patch wall write logger msg chfn chsh passwd adduser deluser addgroup delgroup vipw vigr visudo
apt apt-get aptitude dpkg dpkg-reconfigure add-apt-repository do-release-upgrade yum dnf zypper pacman yay paru apk snap flatpak pip pipx npm pnpm yarn rpm
gzip gunzip bzip2 bunzip2 xz unxz zstd unzstd zip unzip 7z rar unrar tar cpio
fsck e2fsck xfs_repair mkfs mke2fs mkfs.ext4 mkfs.xfs mkswap tune2fs resize2fs lvremove lvreduce vgremove pvremove pvcreate lvcreate mdadm cryptsetup wipefs
ssh-keygen ssh-add ssh-copy-id gpg gpg2 certbot keytool age git svn hg terraform tofu ufw killall rename read select ed red ex vi vim
sftp ftp lftp tnftp mail mailx s-nail mutt gnuplot reboot shutdown
`)

func setOf(words string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}

// escapers take a line for text, unless a mark in it starts a command.
var escapers = map[string]string{
	"ed": "!", "red": "!", "ex": "!", "vi": "!", "vim": "!", "sftp": "!", "ftp": "!", "lftp": "!", "mail": "!|", "mailx": "!|", "s-nail": "!|", "mutt": "!|",
	"dc": "!", "gnuplot": "!", "bc": "!", "nslookup": "", "more": "!", "less": "!|", "man": "!|", "tnftp": "!",
}

// dialectOf names the language that a program reads lines in: Text where it is
// listed as one that runs nothing of what it reads, Unknown where nobody here
// knows, as for interpreters of other languages and what passes lines on.
func dialectOf(who string) policy.Dialect {
	name := strings.TrimRight(strings.TrimRight(who, "0123456789."), "-")
	for _, n := range []string{who, name} {
		if d, ok := shellReaders[n]; ok {
			return d
		}
	}
	if !command.RunsInput(who) && (textReaders[who] || command.Reader(who)) {
		return policy.Text
	}
	return policy.Unknown
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
