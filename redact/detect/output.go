package detect

import "strings"

// Layer 7: commands whose output is a secret.

// output says what the lines to come are.
type output struct {
	mode    outputMode
	left    int  // lines
	first   bool // no line has come yet
	sure    bool // the console sent the command: the lines are its output
	bare    bool // the command stood without a prompt
	secrets bool
	keyFile bool // the command reads a private key's file
	cmd     string
	repl    bool // an expression was asked of an interpreter, which answers in quotes
}

type outputMode uint8

const (
	outNothing outputMode = iota
	outLine               // the first line with text
	outTokens             // every line of tokens, until one that is prose
	outAll                // every line, until the prompt
	outLast               // of every line the last field
	outReply              // the first line, perhaps in quotes
)

// Command says that a command line was sent: its output comes next.
func (s *Scanner) Command(cmd string) {
	s.sent = cmd
	s.out = outputOf(cmd)
	s.out.sure = true
}

// ReadsKey says that the output of the last command sent is still to come, so that lines
// of a key's file are known.
func (s *Scanner) ReadsKey() { s.out.keyFile = readsKey(s.sent) }

// outputFrom looks at a line for a command whose output follows.
func (s *Scanner) outputFrom(l *line) {
	if l.cmd >= 0 {
		cmd := l.text[l.cmd:]
		if row := strings.TrimSpace(cmd); row != "" && strings.HasPrefix(s.sent, row) {
			cmd = s.sent // its first row, of several
		}
		s.out = outputOf(cmd)
		return
	}
	if l.text == "" || len(l.text) > 300 {
		return
	}
	if cmd, ok := asksInterpreter(l.text); ok {
		s.out = outputOf(cmd)
		return
	}
	if !isLower(l.text[0]) {
		return
	}
	if o := outputOf(l.text); (o.mode != outNothing || o.secrets || o.keyFile) && looksTyped(l.text) {
		o.bare = true
		s.out = o
	}
}

// asksInterpreter gives what stands behind the prompt of an interpreter.
func asksInterpreter(t string) (string, bool) {
	for _, p := range [...]string{">>> ", "PS> ", "> ", "In [", "irb", "pry"} {
		if !strings.HasPrefix(t, p) {
			continue
		}
		if k := strings.Index(t[:min(len(t), 40)], "> "); k >= 0 {
			return t[k+2:], true
		}
		if k := strings.Index(t[:min(len(t), 20)], "]: "); k >= 0 {
			return t[k+3:], true
		}
	}
	return "", false
}

// looksTyped: a command by itself on a line, and no sentence about it.
func looksTyped(t string) bool {
	last := t[len(t)-1]
	return last != '.' && last != ':' && last != ',' && !strings.Contains(t, ". ")
}

// outputNext masks a line of a secret output.
func (s *Scanner) outputNext(l *line) {
	if s.out.mode == outNothing || l.cmd >= 0 {
		return
	}
	trimmed := strings.Trim(l.text, " \t\"',")
	if trimmed == "" {
		return
	}
	if s.out.left--; s.out.first && trimmed == "local:" { // whose value it is
		return
	}
	ok := s.outputLine(l, trimmed)
	if (s.out.mode == outLine || s.out.mode == outReply) && !(s.out.first && ok && strings.HasSuffix(s.out.cmd, trimmed)) || s.out.left <= 0 || !ok && !s.out.sure || s.out.mode == outTokens && !ok {
		s.out.mode = outNothing
	}
	s.out.first = false
}

func (s *Scanner) outputLine(l *line, trimmed string) bool {
	from := strings.Index(l.text, trimmed)
	if isComplaint(trimmed) {
		return false
	}
	if s.out.mode == outLast {
		return l.lastField()
	}
	if s.out.first && len(trimmed) > 2 && strings.HasSuffix(s.out.cmd, trimmed) {
		return true // the name that was asked for comes first
	}
	if s.out.repl {
		trimmed = strings.Trim(strings.TrimPrefix(trimmed, "=> "), "\"'")
		from = strings.Index(l.text, trimmed)
	}
	if strings.IndexByte(trimmed, ' ') < 0 {
		if len(trimmed) < 4 || judge(trimmed, true) == valueNone || isKeyLine(trimmed) || looksLikeHost(trimmed) {
			return false
		}
		if !s.out.first && !s.out.sure && !strongEnough(trimmed) {
			return false
		}
		l.add(Span{Start: from, End: from + len(trimmed), Kind: "secret", Sure: strongEnough(trimmed), rank: rankKey})
		return true
	}
	if s.out.mode == outTokens {
		return s.outputWords(l)
	}
	if s.out.mode == outLine && !s.out.bare && strings.Count(trimmed, " ") < 8 && !strings.Contains(trimmed, ": ") {
		l.add(Span{Start: from, End: from + len(trimmed), Kind: "secret", rank: rankKey})
	}
	return false
}

// outputWords: pwgen prints several to a line.
func (s *Scanner) outputWords(l *line) bool {
	f, at := fields(l.text, 32)
	for _, w := range f {
		if len(w) < 5 || shapeOf(w) == valueNone || strings.HasSuffix(w, ":") || len(w) != len(f[0]) {
			return false
		}
	}
	for i, w := range f {
		l.add(Span{Start: at[i], End: at[i] + len(w), Kind: "secret", rank: rankKey})
	}
	return true
}

// isKeyLine: key=value and key: value have their own detectors.
func isKeyLine(t string) bool {
	k := strings.IndexAny(t, "=:")
	if k <= 0 || !isIdent(strings.ReplaceAll(t[:k], "-", "_")) {
		return false
	}
	return classify(t[:k]) != keyNone || t[k] == '=' && strings.Trim(t[k:], "=") != "" && k < 40
}

func isComplaint(t string) bool {
	low := strings.ToLower(t)
	for _, w := range [...]string{"error", "not found", "no such", "denied", "usage:", "unable to", "cannot", "failed", "invalid", "warning", "fatal", "unknown", "could not", "must "} {
		if strings.Contains(low, w) && (strings.Contains(t, " ") || strings.HasPrefix(low, w)) {
			return true
		}
	}
	return false
}

// source is a command that prints a secret.
type source struct {
	word string // in the command: a quick test
	mode outputMode
	re   *expression
}

// sources are commands, and what they print.
var sources = []source{
	{"openssl", outTokens, lazily(`openssl (rand|passwd)\b`)},
	{"pwgen", outTokens, lazily(`(^|[ /])pwgen\b`)},
	{"apg", outTokens, lazily(`(^|[ /])apg( |$)`)},
	{"pwmake", outTokens, lazily(`(^|[ /])pwmake \d`)},
	{"makepasswd", outTokens, lazily(`makepasswd`)},
	{"mkpasswd", outTokens, lazily(`(^|[ /])mkpasswd( |$)`)},
	{"xkcdpass", outLine, lazily(`xkcdpass|diceware`)},
	{"diceware", outLine, lazily(`diceware`)},
	{"wg ", outLine, lazily(`(^|[ /])wg (genkey|genpsk)`)},
	{"urandom", outTokens, lazily(`/dev/u?random.*(base64|tr |xxd|od |hexdump|head|md5sum|sha\d+sum)|(base64|tr |xxd|head).*/dev/u?random`)},
	{"secrets.token", outLine, lazily(`secrets\.token_|randomBytes`)},
	{"randomBytes", outLine, lazily(`randomBytes`)},
	{"Fernet", outLine, lazily(`generate_key`)},
	{"rake secret", outLine, lazily(`rake secret`)},
	{"rails secret", outLine, lazily(`rails secret`)},
	{"key:generate", outLine, lazily(`key:generate --show`)},
	{"gh ", outLine, lazily(`(^|[ /])gh auth token`)},
	{"gcloud", outLine, lazily(`gcloud .*(print-(access|identity|refresh)-token|secrets versions access)`)},
	{"create token", outLine, lazily(`kubectl .*create token`)},
	{"serviceaccounts", outLine, lazily(`get-token|oc serviceaccounts`)},
	{"oc ", outLine, lazily(`(^|[ /])oc whoami (-t|--show-token)`)},
	{"get secret", outAll, lazily(`(kubectl|oc|k) .*get secrets? .*(jsonpath|go-template|custom-columns|template)\S*(\.data|range|\.\w*pass|\$)`)},
	{"token create", outLine, lazily(`(kubeadm|k0s|k3s|rke2|vault|consul) token (create|generate)`)},
	{"kubeadm", outLine, lazily(`kubeadm token (create|generate)`)},
	{"nmcli", outLine, lazily(`nmcli .*-g \S*(psk|password|secret)`)},
	{"aws", outLine, lazily(`aws .*(get-secret-value .*(text|--query)|get-login-password|get-parameters? .*(with-decryption).*text|configure get .*(secret|token)|codeartifact get-authorization-token|generate-db-auth-token)`)},
	{"az ", outLine, lazily(`(^|[ /])az .*(get-access-token .*tsv|secret show .*tsv|keys list .*tsv|list-keys .*tsv|credential .*tsv)`)},
	{"az ", outLine, lazily(`(^|[ /])az .*--query \S*(?i:pwd|password|secret|token|connectionstring|primarykey|secondarykey)\b.* tsv`)},
	{"doctl", outLine, lazily(`doctl .*(token|password)`)},
	{"heroku", outLine, lazily(`heroku auth:token`)},
	{"vault", outLine, lazily(`vault (kv get|read|print token|token create|login|unwrap|write).*(-field|print token)|vault print token`)},
	{"pass ", outLine, lazily(`(^|[ /|])(go)?pass (show )?(-c )?[\w./@-]+/[\w./@-]+( *\||$)|(^|[ /])(go)?pass (show|generate|otp) `)},
	{"op ", outLine, lazily(`(^|[ /])op (read|item get|get item|document get)`)},
	{"bw ", outLine, lazily(`(^|[ /])bw (get (password|totp|notes)|unlock|login|generate)`)},
	{"lpass", outLine, lazily(`lpass show`)},
	{"security", outLine, lazily(`security find-(generic|internet)-password .*-w`)},
	{"secret-tool", outLine, lazily(`secret-tool lookup`)},
	{"keyring", outLine, lazily(`(^|[ /])keyring get`)},
	{"keepassxc", outLine, lazily(`keepassxc-cli (show|clip|generate|diceware)`)},
	{"chamber", outLine, lazily(`chamber read .*-q`)},
	{"terraform", outLine, lazily(`(terraform|tofu) output (.*-raw .*)?[\w-]*(pass|secret|token|key|cred)[\w-]*$`)},
	{"terraform", outLine, lazily(`(terraform|tofu) output .*-raw .*(pass|secret|token|key|cred)`)},
	{"pulumi", outLine, lazily(`pulumi (config get|stack output).*(pass|secret|token|key|cred)`)},
	{"consul", outLine, lazily(`consul kv get .*(pass|secret|token|key|cred)`)},
	{"etcdctl", outAll, lazily(`etcdctl .*get .*(pass|secret|token|key|cred)`)},
	{"join-token", outLine, lazily(`docker swarm (join-token .*-q|unlock-key .*-q)`)},
	{"unlock-key", outLine, lazily(`docker swarm unlock-key .*-q`)},
	{"oathtool", outLine, lazily(`(^|[ /])oathtool `)},
	{"ykman", outLine, lazily(`ykman oath`)},
	{"npm ", outLine, lazily(`npm (config get .*_authToken|token create)`)},
	{"git config", outLine, lazily(`git config .*(token|password|secret)[\w.]*$`)},
	{"argocd", outLine, lazily(`argocd (admin initial-password|account generate-token)`)},
	{"sops", outAll, lazily(`(^|[ /])sops .*(-d|--decrypt|decrypt|extract)`)},
	{"mcrypt", outAll, lazily(`mcrypt -d`)},
	{"htpasswd", outLine, lazily(`htpasswd -\w*n`)},
	{"mokutil", outLine, lazily(`mokutil --generate-hash`)},
	{"caddy", outLine, lazily(`caddy hash-password`)},
	{"echo", outLine, lazily(`(^|[ /])(echo|printf '?%s\\?n?'?) +-?n? *"?\$\{?(\w+)\}?"? *$`)},
	{"printenv", outLine, lazily(`(^|[ /])printenv +(\w+) *$`)},
	{"environ", outReply, envAsked},
	{"getenv", outReply, envAsked},
	{"ENV", outReply, envAsked},
	{"process.env", outReply, envAsked},
	{"$env:", outReply, envAsked},
	{"salt", outLine, lazily(`(^|[ /])salt(-call)? .*(pillar|grains|config|sdb)\.(get|item) .*(?i:pass|psk|secret|token|key|cred)\w*$`)},
	{"nvram", outLine, valueAsked},
	{"uci ", outLine, valueAsked},
	{"snap ", outLine, valueAsked},
	{"crudini", outLine, valueAsked},
	{"gsettings", outReply, valueAsked},
	{"dconf", outReply, valueAsked},
	{"defaults", outLine, valueAsked},
	{"fw_printenv", outLine, valueAsked},
	{"redis-cli", outReply, valueAsked},
	{"configure get", outLine, valueAsked},
	{"config get", outLine, valueAsked},
	{"debconf", outLine, valueAsked},
	{"wg show", outLine, lazily(`(^|[ /])wg show \S+ (private-key|preshared-keys)`)},
	{"ceph", outLine, lazily(`ceph auth (print-key|get-key|print_key)`)},
	{"fly", outLine, lazily(`(^|[ /])fly(ctl)? (auth token|tokens create)`)},
	{"doctl", outLine, lazily(`doctl .*--format \S*(?i:password|token|secret)`)},
	{"cat ", outLast, loginFile},
	{"cat", outAll, secretFile},
	{"head", outAll, secretFile},
	{"tail", outAll, secretFile},
	{"sed", outAll, secretFile},
	{"less", outAll, secretFile},
	{"base64", outAll, secretFile},
	{"kubectl exec", outAll, secretFile},
}

// envAsked: an interpreter is asked for a variable of the environment.
var envAsked = lazily(`^(print\(|puts |p |console\.log\(|echo |Write-(?:Host|Output) )?(?:os\.environ(?:\.get)?[[(]|os\.getenv\(|getenv\(|ENV\[|ENV\.fetch\(|process\.env\.|\$env:|System\.getenv\()["']?(\w+)["']?[\])]*$`)

// valueAsked: a tool is asked for one value by its name.
var valueAsked = lazily(`(^|[ /])(nvram|uci|snap|crudini|gsettings|dconf|defaults|fw_printenv|redis-cli|aws|npm|yarn|pip|git|heroku|debconf-show|debconf-get-selections)\b.* ?(get|read|--get|fw_printenv|-n|hget)\b.*(?i:pass|psk|secret|token|key|cred)\w*$`)

// loginFile: a file of which each line ends with a password.
var loginFile = lazily(`(^|[ /|])cat +["']?[\w~./-]*(userlist\.txt|(chap|pap|l2tp)-secrets|davfs2?/secrets|psk\.txt|wpa_psk|passwd\.client|auth\.txt|(user|login|up|pass)s?(pass)?\.txt|sasl_passwd)["']?( *\|.*)?$`)

// lastField masks the last of two or more fields; a line of one word is a password if it
// looks like one.
func (l *line) lastField() bool {
	t := strings.TrimRight(l.text, " \t")
	if strings.HasPrefix(strings.TrimSpace(t), "#") {
		return true
	}
	start := strings.LastIndexAny(t, " \t") + 1
	if start == 0 {
		start = strings.LastIndexByte(t, ':') + 1
	}
	end := len(t)
	if end-start > 2 && t[start] == '"' && t[end-1] == '"' {
		start, end = start+1, end-1
	}
	if v := t[start:end]; v != "*" && v != "" && judge(v, true) >= valueMixed {
		l.add(Span{Start: start, End: end, Kind: "password", Sure: strongEnough(v), rank: rankKey})
	}
	return true
}

// secretFile: a file that holds one secret and nothing else, by its name.
var secretFile = lazily(`(^|[ /|])(cat|head|tail|sed|less|more|bat|base64|tac|strings|xxd)( +-\S+)*( +'?[\d,p$]+'?)* +<?["']?[\w~./{}$-]*(` +
	`/run/secrets/[\w.-]+|/secrets?/[\w./-]+|initialAdminPassword|initial_root_password|/serviceaccount/token|\.vault-token|` +
	`id_(rsa|dsa|ecdsa|ed25519)(_sk)?|[\w.-]+\.(pem|key|pgpkey|ppk|p8|pass|passwd|password|pw|pwd|passphrase|secret|token|psk)|` +
	`[\w.-]*(password|passwd|passphrase|secret|token|api[_-]?key|credential)s?(\.txt)?|\.pass|erlang\.cookie|\.erlang\.cookie|node-token|master\.key|unseal[\w.-]*)["']?( *[|>].*| *$)`)

// outputOf tells what a command prints.
func outputOf(cmd string) (o output) {
	cmd = cmd[:min(len(cmd), maxCommand)]
	o.keyFile = readsKey(cmd)
	cmd = outerCommand(cmd)
	o.secrets = strings.Contains(cmd, "get secret") && strings.Contains(cmd, "-o")
	if sends(cmd) {
		return o
	}
	for _, src := range sources {
		if strings.Contains(cmd, src.word) && src.prints(cmd) {
			o.mode, o.left, o.first, o.cmd = src.mode, 64, true, cmd
			o.repl = src.mode == outReply
			return o
		}
	}
	return o
}

const maxCommand = 2048 // bytes of a command line that are looked at

// outerCommand is a command up to its first substitution: what that prints is a word.
func outerCommand(cmd string) string {
	cmd, _, _ = strings.Cut(cmd, "`")
	cmd, _, _ = strings.Cut(cmd, "$(")
	return strings.TrimSpace(cmd)
}

// prints tells whether a command prints what the source says; who asks for a variable
// asks for a secret's.
func (src *source) prints(cmd string) bool {
	m := src.re.FindStringSubmatch(cmd)
	if m == nil {
		return false
	}
	named := src.word == "echo" || src.word == "printenv" || src.re == envAsked
	return !named || classify(m[len(m)-1]) >= keyToken
}

// sends: the output goes to a file, not to the terminal.
func sends(cmd string) bool {
	k := strings.LastIndexByte(cmd, '>')
	return k > 0 && cmd[k-1] != '2' && cmd[k-1] != '&' && !strings.Contains(cmd[k:], "/dev/stdout") && !strings.Contains(cmd[k:], "&1") && !strings.Contains(cmd[:k], "<(") && !strings.Contains(cmd, "tee")
}

// replyNext follows a numbered reply, in which a name and its value take a line each:
// 1) "requirepass", 2) "VALUE".
func (s *Scanner) replyNext(l *line) {
	t := strings.TrimLeft(l.text, " ")
	n, rest := 0, t
	for len(rest) > 0 && isDigit(rest[0]) && n < 1000 {
		n, rest = 10*n+int(rest[0]-'0'), rest[1:]
	}
	if n == 0 || !strings.HasPrefix(rest, `) "`) {
		s.reply = 0
		return
	}
	i := len(l.text) - len(rest) + 2
	v := l.readValue(i, i, false)
	raw := l.text[v.start:v.end]
	if s.reply == n && v.quoted && judge(raw, true) >= valuePlain {
		l.add(Span{Start: v.start, End: v.end, Kind: "password", Sure: strongEnough(raw), rank: rankKey})
		s.reply = 0
		return
	}
	s.reply = 0
	if n%2 == 1 && isName(raw) && !strings.ContainsAny(raw, ":/") && classify(raw) >= keyToken {
		s.reply = n + 1
	}
}
