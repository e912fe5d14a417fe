package remote

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/kevinburke/ssh_config"
)

// asked are the options that this package reads.
var asked = []string{
	"AddressFamily", "BatchMode", "BindAddress", "CertificateFile", "ConnectTimeout", "GlobalKnownHostsFile",
	"HashKnownHosts", "HostKeyAlias", "HostName", "IdentitiesOnly", "IdentityAgent", "IdentityFile",
	"KbdInteractiveAuthentication", "ChallengeResponseAuthentication", "NumberOfPasswordPrompts",
	"PasswordAuthentication", "Port", "PreferredAuthentications", "ProxyCommand", "ProxyJump",
	"PubkeyAuthentication", "RevokedHostKeys", "ServerAliveCountMax", "ServerAliveInterval",
	"StrictHostKeyChecking", "User", "UserKnownHostsFile",
	"SendEnv", "SetEnv", "ForwardAgent", "ForwardX11", "ForwardX11Trusted", "LocalForward", "RemoteForward", "DynamicForward",
	"ClearAllForwardings",
}

// defaults are OpenSSH's, where an option that nobody set has a value.
var defaults = words{
	"identityfile": {
		"~/.ssh/id_rsa", "~/.ssh/id_ecdsa", "~/.ssh/id_ecdsa_sk", "~/.ssh/id_ed25519", "~/.ssh/id_ed25519_sk",
	},
	"userknownhostsfile":   {"~/.ssh/known_hosts ~/.ssh/known_hosts2"},
	"globalknownhostsfile": {"/etc/ssh/ssh_known_hosts /etc/ssh/ssh_known_hosts2"},
}

// several are the options whose every value counts.
var several = map[string]bool{
	"identityfile": true, "certificatefile": true, "sendenv": true, "localforward": true, "remoteforward": true, "dynamicforward": true,
}

// readFiles reads the configuration for host where no ssh is installed.
func readFiles(host string, o Options, set []option) (words, error) {
	w := o.words(set)
	files := []string{filepath.Join(homeDir(), ".ssh", "config"), "/etc/ssh/ssh_config"}
	if o.ConfigFile != "" {
		files = []string{o.ConfigFile}
	}
	for _, f := range files {
		if err := w.readFile(f, host, o.ConfigFile == f); err != nil {
			return nil, fail(StepConfig, host, ClassConfig, err, "correct the file, or -F FILE; Match needs OpenSSH's ssh")
		}
	}
	w.fill(defaults)
	return w, w.expandHostName(host)
}

// words gives the flags as values, which come before every file's.
func (o Options) words(set []option) words {
	w := words{}
	if o.Port != 0 {
		w.add("Port", strconv.Itoa(o.Port))
	}
	if o.User != "" {
		w.add("User", o.User)
	}
	for _, f := range o.Identities {
		w.add("IdentityFile", f)
	}
	if o.Jump != "" {
		w.add("ProxyJump", o.Jump)
	}
	for _, s := range set {
		w.add(s.name, s.value)
	}
	return w
}

// add keeps the first value of an option, or every value of those that have
// several.
func (w words) add(name, value string) {
	name = strings.ToLower(name)
	if len(w[name]) == 0 || several[name] {
		w[name] = append(w[name], value)
	}
}

func (w words) fill(from words) {
	for name, values := range from {
		if len(w[name]) == 0 {
			w[name] = append([]string(nil), values...)
		}
	}
}

func (w words) readFile(path, host string, required bool) error {
	if required && strings.EqualFold(path, "none") {
		return nil
	}
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) && !required {
		return nil
	}
	if err != nil {
		return err
	}
	cfg, err := ssh_config.DecodeBytes(data)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return w.readAll(cfg, host)
}

func (w words) readAll(cfg *ssh_config.Config, host string) error {
	for _, name := range asked {
		values, err := cfg.GetAll(host, name)
		if err != nil {
			return err
		}
		for _, v := range values {
			w.add(name, unquote(name, v))
		}
	}
	return nil
}

// unquote takes the quotes off a value that is one word. Lists keep them:
// fields splits there.
func unquote(name, v string) string {
	v = strings.TrimSpace(v)
	if strings.HasSuffix(name, "KnownHostsFile") {
		return v
	}
	if len(v) >= 2 && v[0] == '"' && v[len(v)-1] == '"' {
		return v[1 : len(v)-1]
	}
	return v
}

// expandHostName puts the name as asked for %h in HostName.
func (w words) expandHostName(host string) error {
	name := w.first("hostname")
	if name == "" {
		return nil
	}
	out, err := expandTokens(name, map[byte]string{'h': host, '%': "%"})
	if err != nil {
		return settingError(host, "HostName", err)
	}
	w["hostname"] = []string{out}
	return nil
}
