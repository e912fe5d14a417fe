package remote

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// expand puts values for ~, %-tokens and ${VARIABLES} where ssh_config(5)
// allows them. What ssh itself has expanded holds none any more.
func (s *settings) expand(w words) error {
	lists := map[string][]string{
		"IdentityFile":         s.identityFiles,
		"CertificateFile":      s.certificateFiles,
		"UserKnownHostsFile":   s.userKnownHosts,
		"GlobalKnownHostsFile": s.globalKnownHosts,
	}
	for name, list := range lists {
		for i, v := range list {
			out, err := s.expandPath(v)
			if err != nil {
				return settingError(s.asked, name, err)
			}
			list[i] = out
		}
	}
	return s.expandOthers()
}

func (s *settings) expandOthers() error {
	for name, v := range map[string]*string{"IdentityAgent": &s.identityAgent, "RevokedHostKeys": &s.revokedHostKeys} {
		out, err := s.expandPath(*v)
		if err != nil {
			return settingError(s.asked, name, err)
		}
		*v = out
	}
	out, err := expandTokens(s.hostKeyAlias, s.tokens())
	if err != nil {
		return settingError(s.asked, "HostKeyAlias", err)
	}
	s.hostKeyAlias = out
	return nil
}

func (s *settings) expandPath(v string) (string, error) {
	v, err := expandTokens(v, s.tokens())
	if err != nil {
		return "", err
	}
	if v, err = expandVariables(v); err != nil {
		return "", err
	}
	return expandTilde(v), nil
}

// tokens are ssh_config(5)'s, without those that hash or name a socket.
func (s *settings) tokens() map[byte]string {
	host, _ := os.Hostname()
	short, _, _ := strings.Cut(host, ".")
	return map[byte]string{
		'%': "%", 'd': homeDir(), 'h': s.hostName, 'i': strconv.Itoa(os.Getuid()), 'k': orElse(s.hostKeyAlias, s.asked),
		'L': short, 'l': host, 'n': s.asked, 'p': strconv.Itoa(s.port), 'r': s.user, 'u': localUser(),
	}
}

func expandTokens(v string, tokens map[byte]string) (string, error) {
	if !strings.Contains(v, "%") {
		return v, nil
	}
	var b strings.Builder
	for i := 0; i < len(v); i++ {
		if v[i] != '%' {
			b.WriteByte(v[i])
			continue
		}
		i++
		if i == len(v) {
			return "", fmt.Errorf("%q ends with a lone %%", v)
		}
		value, ok := tokens[v[i]]
		if !ok {
			return "", fmt.Errorf("%q: unknown token %%%c", v, v[i])
		}
		b.WriteString(value)
	}
	return b.String(), nil
}

func expandVariables(v string) (string, error) {
	for range 16 {
		start := strings.Index(v, "${")
		if start < 0 {
			return v, nil
		}
		end := strings.IndexByte(v[start:], '}')
		if end < 0 {
			return "", fmt.Errorf("%q: } is missing", v)
		}
		name := v[start+2 : start+end]
		value, ok := os.LookupEnv(name)
		if !ok {
			return "", fmt.Errorf("environment variable %s is not set", name)
		}
		v = v[:start] + value + v[start+end+1:]
	}
	return "", fmt.Errorf("%q: too many variables", v)
}

func expandTilde(v string) string {
	if v == "~" || strings.HasPrefix(v, "~/") {
		return filepath.Join(homeDir(), v[1:])
	}
	return v
}

// fields splits a list of paths as ssh_config does: at blanks, with double
// quotes.
func fields(s string) []string {
	var out []string
	for s = strings.TrimLeft(s, " \t"); s != ""; s = strings.TrimLeft(s, " \t") {
		var f string
		if s[0] == '"' {
			f, s, _ = strings.Cut(s[1:], `"`)
		} else if i := strings.IndexAny(s, " \t"); i >= 0 {
			f, s = s[:i], s[i:]
		} else {
			f, s = s, ""
		}
		if f != "" && !strings.EqualFold(f, "none") {
			out = append(out, f)
		}
	}
	return out
}
