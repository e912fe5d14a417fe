package demo

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// findShell gives the path of the shell to run.
func findShell(wanted, account string) (string, error) {
	if wanted != "" {
		path, err := exec.LookPath(wanted)
		if err != nil {
			return "", fmt.Errorf("shell: %w", err)
		}
		return filepath.Abs(path)
	}
	for _, path := range []string{os.Getenv("SHELL"), accountShell(account), "/bin/sh"} {
		if filepath.IsAbs(path) && executable(path) {
			return path, nil
		}
	}
	return "", fmt.Errorf("no shell: neither $SHELL nor /bin/sh can be run")
}

func executable(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o111 != 0
}

// accountShell is the last field of account's line in /etc/passwd.
func accountShell(account string) string {
	f, err := os.Open("/etc/passwd")
	if err != nil {
		return ""
	}
	defer f.Close()
	for sc := bufio.NewScanner(f); sc.Scan(); {
		fields := strings.Split(sc.Text(), ":")
		if len(fields) == 7 && fields[0] == account {
			return fields[6]
		}
	}
	return ""
}

// environment is what sshd gives a shell: nothing of the server's own but the
// search path and the time zone, and a charmap that most hosts have.
func (s *session) environment() []string {
	srv := s.server
	env := []string{
		"USER=" + srv.User, "LOGNAME=" + srv.User, "HOME=" + srv.Home, "SHELL=" + srv.Shell,
		"LANG=C.UTF-8", "PATH=" + searchPath(), "SSH_CLIENT=" + clientOf(s.conn), "SSH_CONNECTION=" + connectionOf(s.conn),
	}
	if tz, ok := os.LookupEnv("TZ"); ok {
		env = append(env, "TZ="+tz)
	}
	env = append(env, srv.cfg.Env...)
	return append(env, s.env...)
}

func searchPath() string {
	if p := os.Getenv("PATH"); p != "" {
		return p
	}
	return "/usr/local/bin:/usr/bin:/bin"
}
