package copilot

import (
	"bufio"
	"errors"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// confinement is what a stdio child may touch: what it needs to run, what its command
// line names, and nothing else.
type confinement struct {
	run     []string // files and folders that may be read and executed
	read    []string // files and folders that may be read
	connect []uint16 // TCP ports
	resolve bool     // names of hosts are looked up
}

// libraries are the folders and files that a program needs to start. /etc is not
// among them but for what the loader and the C library read.
var libraries = []string{
	"/lib", "/lib32", "/lib64", "/libx32", "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/local/lib",
}

var alwaysRead = []string{
	"/etc/ld.so.cache", "/etc/ld.so.preload", "/etc/localtime", "/usr/share/zoneinfo",
	"/dev/urandom", "/dev/random", "/dev/zero", "/proc/self",
}

// networkRead is what name resolution and TLS read.
var networkRead = []string{
	"/etc/resolv.conf", "/etc/hosts", "/etc/nsswitch.conf", "/etc/host.conf", "/etc/gai.conf", "/etc/services",
	"/etc/ssl", "/etc/pki", "/etc/ca-certificates", "/usr/share/ca-certificates", "/run/systemd/resolve",
}

// confine finds what argv needs. The program is looked up as exec would.
func confine(argv, extra []string) (path string, c confinement, err error) {
	if len(argv) == 0 {
		return "", c, errors.New("no command is given")
	}
	if path, err = exec.LookPath(argv[0]); err != nil {
		return "", c, err
	}
	c.run = append(existing(libraries), interpreters(path)...)
	c.read = append(existing(alwaysRead), existing(extra)...)
	for _, arg := range argv[1:] {
		c.allow(arg)
	}
	if c.resolve {
		c.read = append(c.read, existing(networkRead)...)
	}
	return path, c, nil
}

// allow takes one argument: a path that is there may be read, the port of an http URL
// may be connected to. "--flag=value" counts as its value.
func (c *confinement) allow(arg string) {
	if strings.HasPrefix(arg, "-") {
		_, value, ok := strings.Cut(arg, "=")
		if !ok {
			return
		}
		arg = value
	}
	if u, err := url.Parse(arg); err == nil && u.Host != "" && (u.Scheme == "http" || u.Scheme == "https") {
		c.connect = append(c.connect, portOf(u))
		c.resolve = true
		return
	}
	if abs, err := filepath.Abs(arg); err == nil && arg != "" && abs != "/" {
		c.read = append(c.read, existing([]string{abs})...)
	}
}

func portOf(u *url.URL) uint16 {
	if n, err := strconv.ParseUint(u.Port(), 10, 16); err == nil {
		return uint16(n)
	}
	if u.Scheme == "https" {
		return 443
	}
	return 80
}

// maxScripts bounds how many scripts may stand behind one another.
const maxScripts = 4

// interpreters gives a program and, if it is a script, what its #! line names.
func interpreters(path string) []string {
	var all []string
	for range maxScripts {
		if path == "" || slices.Contains(all, path) {
			break
		}
		all = append(all, path)
		path = interpreter(path, &all)
	}
	return all
}

func interpreter(path string, also *[]string) string {
	words := shebang(path)
	if len(words) == 0 {
		return ""
	}
	if filepath.Base(words[0]) == "env" && len(words) > 1 {
		*also = append(*also, words[0])
		found, err := exec.LookPath(words[len(words)-1])
		if err != nil {
			return ""
		}
		return found
	}
	return words[0]
}

func shebang(path string) []string {
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	first, _ := bufio.NewReader(io.LimitReader(f, 512)).ReadString('\n')
	rest, ok := strings.CutPrefix(first, "#!")
	if !ok {
		return nil
	}
	return strings.Fields(rest)
}

func existing(paths []string) []string {
	return slices.DeleteFunc(slices.Clone(paths), func(p string) bool {
		_, err := os.Stat(p)
		return err != nil
	})
}
