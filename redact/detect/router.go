package detect

import "strings"

// Layer 2 on network devices: a line of a configuration belongs to the block that an
// earlier line began.

// routerKey: key-string X, message-digest-key 1 md5 X, auth sha X, priv aes 128 X.
func (l *line) routerKey(i int) {
	f, at := fields(l.text[i:], 4)
	for k, w := range f {
		if low := strings.ToLower(w); isDigits(w) || low == "md5" || strings.HasPrefix(low, "sha") && len(w) < 8 || strings.HasPrefix(w, "-") {
			continue
		}
		if judge(w, false) >= valueMixed {
			l.add(Span{Start: i + at[k], End: i + at[k] + len(w), Kind: "password", Sure: strongEnough(w), rank: rankForm})
		}
		return
	}
}

// deviceBlock is the block of a configuration whose names are communities.
type deviceBlock struct{ left int }

const maxCommunityBlock = 64

// communityNext masks the name in "config system snmp community … set name X".
func (s *Scanner) communityNext(l *line) {
	t := strings.TrimLeft(l.text, " \t")
	if s.device.left == 0 {
		if l.jobs.has(jobKey) && strings.HasPrefix(t, "config system snmp community") {
			s.device.left = maxCommunityBlock
		}
		return
	}
	s.device.left--
	if t == "end" && l.text == t || l.cmd >= 0 && strings.HasPrefix(t, "config ") {
		s.device.left = 0
		return
	}
	k := strings.Index(t, "set name ")
	if k < 0 {
		return
	}
	i := len(l.text) - len(t) + k + len("set name ")
	v := l.readValue(i, i, true)
	if raw := l.text[v.start:v.end]; raw != "" && raw != "public" && raw != "private" && judge(raw, true) > valueNone {
		l.add(Span{Start: v.start, End: v.end, Kind: "password", Sure: strongEnough(raw), rank: rankForm})
	}
}

const maxServerBlock = 6

// serverNext masks the key of an authentication server: "key X" in the block that
// "radius server R", "aaa-server R … host H" or "tacacs server T" began.
func (s *Scanner) serverNext(l *line) {
	t := l.text
	if beginsServer(t) {
		s.server = maxServerBlock
		return
	}
	if s.server == 0 {
		return
	}
	s.server--
	if t == "" || !isSpace(t[0]) {
		s.server = 0
		return
	}
	f, at := fields(t, 4)
	if len(f) < 2 || f[0] != "key" && f[0] != "shared-secret" && f[0] != "secret" {
		return
	}
	n := 1
	if len(f) > 2 && isDigits(f[1]) {
		n = 2
	}
	if len(f) == n+1 && judge(f[n], false) >= valuePlain && f[n] != "config-key" {
		l.add(Span{Start: at[n], End: at[n] + len(f[n]), Kind: "password", Sure: strongEnough(f[n]), rank: rankForm})
	}
}

func beginsServer(t string) bool {
	t = strings.TrimLeft(t, " ")
	if t == "" || t[0] != 'a' && t[0] != 'r' && t[0] != 't' {
		return false
	}
	for _, head := range [...]string{"radius server ", "radius-server host ", "tacacs server ", "tacacs-server host ", "aaa-server ", "aaa group server ", "radius-server template ", "hwtacacs-server template "} {
		if strings.HasPrefix(t, head) {
			return true
		}
	}
	return false
}
