package remote

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// askTimeout bounds `ssh -G`, which may look names up (CanonicalizeHostname)
// and run the operator's own Match exec.
const askTimeout = 30 * time.Second

// askSSH reads the configuration for host by `ssh -G`.
func askSSH(ctx context.Context, ssh, host string, o Options, set []option) (words, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, askTimeout, fmt.Errorf("ssh -G did not end within %v", askTimeout))
	defer cancel()
	cmd := exec.CommandContext(ctx, ssh, sshArgs(host, o, set)...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	cmd.WaitDelay = time.Second
	if err := cmd.Run(); err != nil {
		return nil, sshFailed(ctx, host, err, stderr.String())
	}
	return parseAnswer(stdout.Bytes()), nil
}

// sshArgs puts the flags before "--", so that no name is read as a flag.
func sshArgs(host string, o Options, set []option) []string {
	args := []string{"-G", "-T"}
	if o.ConfigFile != "" {
		args = append(args, "-F", o.ConfigFile)
	}
	if o.Port != 0 {
		args = append(args, "-p", strconv.Itoa(o.Port))
	}
	if o.User != "" {
		args = append(args, "-l", o.User)
	}
	for _, f := range o.Identities {
		args = append(args, "-i", f)
	}
	if o.Jump != "" {
		args = append(args, "-o", "ProxyJump="+o.Jump)
	}
	for _, s := range set {
		args = append(args, "-o", s.name+"="+s.value)
	}
	return append(args, "--", host)
}

func sshFailed(ctx context.Context, host string, err error, stderr string) error {
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	} else if said := oneLine(stderr); said != "" {
		err = errors.New(harmless(said))
	}
	return fail(StepConfig, host, ClassConfig, fmt.Errorf("ssh configuration: %w", err), "correct the file and line named, or -F FILE")
}

// oneLine joins what ssh said on several.
func oneLine(s string) string {
	var out []string
	for _, line := range strings.Split(s, "\n") {
		if line = strings.TrimSpace(line); line != "" {
			out = append(out, line)
		}
	}
	return strings.Join(out, "; ")
}

func parseAnswer(out []byte) words {
	w := words{}
	for sc := bufio.NewScanner(bytes.NewReader(out)); sc.Scan(); {
		name, value, _ := strings.Cut(sc.Text(), " ")
		w[name] = append(w[name], value)
	}
	return w
}
