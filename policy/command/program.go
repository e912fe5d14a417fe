package command

import "strings"

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
	return i == 0 || has(systemFolders, name[:i])
}

// systemFolders are those of the system's programs.
var systemFolders = []string{"/usr/bin/", "/bin/", "/usr/sbin/", "/sbin/"}

// programFolders are those where a shell looks for a bare name.
var programFolders = append([]string{"/usr/local/bin/", "/usr/local/sbin/", "~/bin/", "~/.local/bin/"}, systemFolders...)

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
