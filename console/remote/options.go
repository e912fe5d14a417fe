package remote

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// settable are the options that -o takes. The others would run a program of
// the operator's machine, forward something, or weaken the connection.
var settable = options(
	"AddressFamily", "BatchMode", "BindAddress", "CertificateFile", "ConnectTimeout", "HashKnownHosts",
	"HostKeyAlias", "HostName", "IdentitiesOnly", "IdentityAgent", "IdentityFile",
	"KbdInteractiveAuthentication", "NumberOfPasswordPrompts", "PasswordAuthentication", "Port",
	"PreferredAuthentications", "ProxyJump", "PubkeyAuthentication", "ServerAliveCountMax",
	"ServerAliveInterval", "StrictHostKeyChecking", "User", "UserKnownHostsFile",
)

func options(names ...string) map[string]string {
	m := make(map[string]string, len(names))
	for _, n := range names {
		m[strings.ToLower(n)] = n
	}
	return m
}

// option is one -o.
type option struct{ name, value string }

// Check says at once what is wrong with the flags, before anything is opened.
func (o Options) Check() error {
	if _, err := o.check(); err != nil {
		return err
	}
	if o.ConfigFile == "" || o.ConfigFile == "none" {
		return nil
	}
	if _, err := os.Stat(o.ConfigFile); err != nil {
		return optionError("-F", err, "the OpenSSH configuration's file, or none")
	}
	return nil
}

// check reads the -o flags and refuses what must not be said.
func (o Options) check() ([]option, error) {
	for _, f := range o.Identities {
		if _, err := os.Stat(f); err != nil {
			return nil, optionError("-i", err, "the private key's file")
		}
	}
	if o.User != "" {
		if err := validName("account", o.User, userChars); err != nil {
			return nil, optionError("-l", err, "an account's name")
		}
	}
	if o.Port < 0 || o.Port > 65535 {
		return nil, optionError("-p", fmt.Errorf("port %d", o.Port), "a number from 1 to 65535")
	}
	return o.parseSet()
}

func (o Options) parseSet() ([]option, error) {
	var out []option
	for _, s := range o.Set {
		opt, err := parseOption(s)
		if err != nil {
			return nil, err
		}
		out = append(out, opt)
	}
	return out, nil
}

// parseOption reads "Name=value" or "Name value".
func parseOption(s string) (option, error) {
	i := strings.IndexAny(s, "= \t")
	if i <= 0 {
		return option{}, optionError("-o "+s, errors.New("no value"), "-o Name=value")
	}
	name := strings.ToLower(s[:i])
	value := strings.TrimSpace(strings.TrimPrefix(strings.TrimLeft(s[i:], " \t"), "="))
	if settable[name] == "" {
		return option{}, optionError("-o "+s[:i], errors.New("this option is not taken"), refusedOption(name))
	}
	if value == "" || strings.ContainsAny(value, "\n\r\x00") {
		return option{}, optionError("-o "+s[:i], errors.New("no value"), "-o Name=value")
	}
	opt := option{settable[name], value}
	return opt, opt.check()
}

// check refuses a value that would make host keys less strict.
func (o option) check() error {
	if o.name == "StrictHostKeyChecking" && !strictEnough[strings.ToLower(o.value)] {
		return optionError("-o StrictHostKeyChecking="+o.value, errors.New("host keys are always checked"),
			"yes (unknown keys are refused) or ask")
	}
	if o.name == "Port" || o.name == "NumberOfPasswordPrompts" || o.name == "ServerAliveCountMax" {
		if _, err := strconv.Atoi(o.value); err != nil {
			return optionError("-o "+o.name+"="+o.value, errors.New("not a number"), "")
		}
	}
	return nil
}

var strictEnough = map[string]bool{"yes": true, "true": true, "ask": true}

func refusedOption(name string) string {
	switch name {
	case "proxycommand":
		return "-J, or ProxyJump: no program is run to reach a host"
	case "localforward", "remoteforward", "dynamicforward", "forwardagent", "forwardx11":
		return "in ~/.ssh/config or the file of -F; the policy's [channels] decides what may be forwarded"
	}
	return "one of " + strings.Join(settableNames(), " ")
}

func optionError(what string, err error, hint string) error {
	return fail(StepConfig, "", ClassConfig, fmt.Errorf("%s: %w", what, err), hint)
}
