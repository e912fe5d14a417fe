package shellmarks

import (
	"crypto/sha256"
	"embed"
	"fmt"
	"path"
	"strings"
)

//go:embed scripts/*
var scripts embed.FS

// Script is a text that this package holds. There is no other maker.
type Script struct{ text string }

// Text is what leaves.
func (s Script) Text() string { return s.text }

// Digest is what the record holds of a script.
func (s Script) Digest() [32]byte { return sha256.Sum256([]byte(s.text)) }

// nested is the loader of a shell inside, whose terminal echoes: a channel of
// its own was asked for with echo off.
func nested() string {
	return strings.Replace(Loader().text, "exit 97; ", "exit 97; stty -echo; ", 1)
}

// Loader is the exec request that asks a login shell, whichever it is, to read
// the rest from the terminal. It holds no secret and no backslash pair or
// quote that some shell would read in its own way.
func Loader() Script { return Script{strings.TrimSpace(read("loader.sh"))} }

// ShellOf names the shell of a path such as a LOADER mark reports.
func ShellOf(shellPath string) Shell {
	base := path.Base(shellPath)
	if b, _, ok := strings.Cut(base, "-"); ok { // bash-5.3
		base = b
	}
	switch base {
	case "bash":
		return Bash
	case "zsh":
		return Zsh
	case "fish":
		return Fish
	case "dash", "ash", "mksh", "ksh", "sh", "busybox", "lksh", "yash":
		return POSIX
	}
	return Unknown
}

// Start is what the loader evaluates: it replaces itself by the account's
// shell with the hooks inside. login says whether the account's login files
// are read.
func Start(s Shell, login bool) (Script, bool) {
	files := map[Shell][2]string{
		Bash: {"bash-start.sh", "bash.sh"}, Zsh: {"zsh-start.sh", "zsh.sh"},
		Fish: {"fish-start.sh", "fish.fish"}, POSIX: {"posix-start.sh", "posix.sh"},
	}
	f, ok := files[s]
	if !ok {
		return Script{}, false
	}
	flag := ""
	if login {
		flag = "-l"
	}
	hook := strings.NewReplacer(
		"@LOADER@", quoted(s, nested()), "@LOADERX@", quoted(s, opaque(nested())),
	).Replace(compact(read(f[1])))
	text := strings.NewReplacer("@LOGIN@", flag, "@HOOK@", hook).Replace(compact(read(f[0])))
	return Script{text + "\n#@END\n"}, true
}

// opaque is a text for sh -c that evaluates to script, and holds nothing that
// a program on the way, such as sudo, would let a shell expand.
func opaque(script string) string {
	var b strings.Builder
	for _, c := range []byte(script) {
		if strings.IndexByte("$\\'\"`%!", c) >= 0 || c < ' ' {
			fmt.Fprintf(&b, `\%03o`, c)
		} else {
			b.WriteByte(c)
		}
	}
	return "eval \"`printf '" + b.String() + "'`\""
}

// quoted is text as one word of a shell.
func quoted(s Shell, text string) string {
	if s == Fish {
		return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(text) + "'"
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

func read(name string) string {
	b, err := scripts.ReadFile("scripts/" + name)
	if err != nil {
		return "" // a test reads every one
	}
	return string(b)
}

// compact drops comments and indentation: what is sent is read through a
// terminal, line by line.
func compact(s string) string {
	var out []string
	for l := range strings.Lines(s) {
		l = strings.TrimSpace(l)
		if l == "" || strings.HasPrefix(l, "#") && !strings.HasPrefix(l, "#@") {
			continue
		}
		out = append(out, l)
	}
	return strings.Join(out, "\n")
}
