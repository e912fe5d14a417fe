package detect

import (
	"strings"
	"sync"
)

// job says which detector a word calls.
type job uint8

const (
	jobKey job = iota
	jobVendor
	jobProgram
	jobURL
	jobHeader
	jobPEM
	jobHash
	jobSQL
	jobForm
	jobPipe
	jobAt
	jobCode
	jobArgs
	jobCall
	jobFlag
	jobKube // these three only mark the line
	jobName
	jobSource
)

// jobs is a set of them.
type jobs uint32

func (s jobs) has(j job) bool { return s&(1<<j) != 0 }

// trigger is one word of the automaton.
type trigger struct {
	word  string
	calls []call
	set   jobs
}

type call struct {
	job job
	arg int // index into vendors, programs or functions
}

// engine is what all scanners share; it is built once and not changed.
type engine struct {
	auto     *automaton
	triggers []trigger
	vendors  []vendor
	programs []program

	functions []function
}

var shared = sync.OnceValue(newEngine)

// keyTriggers: a secret's key holds at least one of these.
const keyTriggers = `pass pw secret token key auth cred cookie sess otp pin psk jwt sig community webhook
	mnemonic seed sid tok senha mdp regcode dsn verifier contrasena kennwort haslo wachtwoord sas oauth login accessid puk salt`

func newEngine() *engine {
	e := &engine{vendors: loadVendors(), programs: loadPrograms(), functions: loadFunctions()}
	index := map[string]int{}
	add := func(word string, c call) {
		word = lowerASCII(word)
		i, ok := index[word]
		if !ok {
			i = len(e.triggers)
			index[word] = i
			e.triggers = append(e.triggers, trigger{word: word})
		}
		e.triggers[i].calls = append(e.triggers[i].calls, c)
		e.triggers[i].set |= 1 << c.job
	}
	for _, w := range append(strings.Fields(keyTriggers), "code", "key=", "samlresponse", "appid", "keymaterial", "rocommunity", "rwcommunity", "encrypt", "_hash", "key\": \"", "key = \"", "key: \"", "key\":\"") {
		add(w, call{jobKey, 0})
	}
	for i, v := range e.vendors {
		for _, w := range v.Literals {
			add(w, call{jobVendor, i})
		}
	}
	for i, p := range e.programs {
		for _, w := range p.Names {
			add(w, call{jobProgram, i})
		}
	}
	for i, f := range e.functions {
		for _, w := range f.Names {
			add(w, call{jobCall, i})
		}
	}
	for word, j := range otherTriggers {
		add(word, call{j, 0})
	}
	add("chpasswd", call{jobForm, 0})
	for _, src := range sources {
		add(src.word, call{jobSource, 0})
	}
	for _, w := range append(nameKeys, "random_password", "\": {", "assword") {
		add(w, call{jobName, 0})
	}
	for _, w := range []string{"akia", "asia"} {
		add(w, call{jobForm, 0})
	}
	words, where := make([]string, len(e.triggers)), make([]bounds, len(e.triggers))
	for i, t := range e.triggers {
		words[i], where[i] = t.word, e.bounds(t)
	}
	e.auto = newAutomaton(words, where)
	return e
}

// bounds gives where a word is of any use to what it calls.
func (e *engine) bounds(t trigger) bounds {
	b := bounds{left: true, right: true}
	for _, c := range t.calls {
		switch {
		case c.job == jobProgram:
		case c.job == jobVendor && e.vendors[c.arg].Back == 0 && isAlnum(t.word[0]):
			b.right = false
		default:
			return bounds{}
		}
	}
	return b
}

// lowerASCII leaves other scripts as they are: the automaton folds ASCII only.
func lowerASCII(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			r += 'a' - 'A'
		}
		return r
	}, s)
}

var otherTriggers = map[string]job{
	"://": jobURL, "@(": jobURL, "@tcp(": jobURL, "@unix(": jobURL,
	"authorization": jobHeader, "bearer ": jobHeader, "cookie:": jobHeader, "basic ": jobHeader, "\"cookie\"": jobHeader,
	"-----begin": jobPEM, "---- begin": jobPEM,
	"$1$": jobHash, "$2a$": jobHash, "$2b$": jobHash, "$2y$": jobHash, "$5$": jobHash, "$6$": jobHash, "$y$": jobHash,
	"$7$": jobHash, "$apr1$": jobHash, "$argon2": jobHash, "$pbkdf2": jobHash, "$scrypt": jobHash, "$sha1$": jobHash,
	"{ssha": jobHash, "{sha": jobHash, "{md5}": jobHash, "{smd5}": jobHash, "{crypt}": jobHash, "pbkdf2": jobHash, "pbkdf2_sha256$": jobHash,
	"scram-sha-256$": jobHash, "$gy$": jobHash, "$md5": jobHash, "grub.pbkdf2": jobHash, "$krb5": jobHash, "$nt$": jobHash,
	"md5": jobHash, " *": jobHash, "'*": jobHash, ":::": jobHash,
	"identified": jobSQL, "password '": jobSQL, "password('": jobSQL, "password \\'": jobSQL, "encrypted password": jobSQL, "user mapping": jobSQL,
	"$p$": jobHash, "$h$": jobHash, "$8$": jobHash, "$9$": jobHash, "scrypt:": jobHash,
	"values": jobSQL, "crypt('": jobSQL,
	"default login ": jobForm, "jdbc:oracle:thin:": jobForm, "auth=(": jobForm, "basicauth(": jobForm, ".auth(": jobForm, "credentials(": jobForm,
	"authentication(": jobForm, "private-lines:": jobForm, "=\t": jobForm,
	"contraseña": jobForm, "mot de passe": jobForm, "hasło": jobForm, "lösenord": jobForm, "heslo": jobForm, "adgangskode": jobForm, "salasana": jobForm,
	"jelszó": jobForm, "parola": jobForm, "kata sandi": jobForm, "пароль": jobForm, "Пароль": jobForm, "密码": jobForm, "密碼": jobForm, "パスワード": jobForm, "비밀번호": jobForm,
	"lozinka": jobForm, "κωδικός": jobForm, "Κωδικός": jobForm, "סיסמה": jobForm, "كلمة المرور": jobForm, "كلمة السر": jobForm, "รหัสผ่าน": jobForm, "mật khẩu": jobForm, "şifre": jobForm, "Şifre": jobForm, "passord": jobForm, "парола": jobForm, "Парола": jobForm, "geslo": jobForm, "parool": jobForm, "slaptažodis": jobForm, "parole": jobForm, "palavra-passe": jobForm, "contrasenya": jobForm, "口令": jobForm, "암호": jobForm, "पासवर्ड": jobForm, "گذرواژه": jobForm, "კოდი": jobForm,
	"key-string ": jobForm, "message-digest-key ": jobForm, "auth sha": jobForm, "auth md5 ": jobForm, "priv aes ": jobForm, "priv des ": jobForm, "priv 3des ": jobForm,
	"\" *": jobForm, "\"\t*": jobForm, "connect ": jobForm, "sp_password": jobForm, "option key ": jobForm, ".key='": jobForm, "creds ": jobForm, "credentials ": jobForm,
	".login(": jobForm, "changeuserpassword(": jobForm, ".basic_auth(": jobForm, "--passphrase-fd": jobPipe, "wg pubkey": jobPipe,
	"auth plain ": jobForm, "auth ": jobForm, "ugfzc3dvcmq6": jobForm, "create secret": jobPipe,
	"]:": jobForm, ":25 ": jobForm, ":465 ": jobForm, ":587 ": jobForm, ":2525 ": jobForm, " * ": jobForm, "machine ": jobForm, "\t*\t": jobForm,
	": psk ": jobForm, ": eap ": jobForm, ": xauth ": jobForm, "login": jobForm, "::server:": jobForm, "<key>": jobForm, "send \"": jobForm, "@": jobAt, "value=\"": jobForm, "value='": jobForm,
	"code": jobCode, "a0=": jobArgs, "passcode": jobCode, "proctitle=": jobArgs, "execve(": jobArgs, `"cmd"`: jobArgs, `"command"`: jobArgs, `"args"`: jobArgs, `"argv"`: jobArgs,
	`"entrypoint"`: jobArgs, "cmd [": jobArgs, "entrypoint [": jobArgs, "command: [": jobArgs, "args: [": jobArgs, "cmd: [": jobArgs,
	"mnemonic": jobForm, "seed phrase": jobForm, "recovery phrase": jobForm, "secret phrase": jobForm, "wallet phrase": jobForm, "backup phrase": jobForm,
	" on >": jobForm, " on #": jobForm, " off >": jobForm, " off #": jobForm, "resetpass >": jobForm, "pass ": jobForm, ":[u": jobHash,
	" / ": jobForm, "new value: ": jobForm, "admin/": jobForm, "root/": jobForm, "borg_key ": jobForm, "key content": jobForm, "wifi:": jobForm, "p a s s": jobForm, "s e c r e t": jobForm, "t o k e n": jobForm, "is hidden": jobForm, "be hidden": jobForm, "input hidden": jobForm,
	"valid credentials": jobForm, "login successful: ": jobForm, "success: '": jobForm, "full-tokenid": jobForm, " value ": jobForm, "virtualcleartextutf": jobForm, "relayhost ": jobForm, "smarthost ": jobForm,
	"secret,id=": jobForm, "sp_addlogin": jobForm, "userid=": jobForm, "> key ": jobForm, "key hmac-": jobForm,
	`"d":`: jobForm, `"k":`: jobForm, `"p":`: jobForm, `"q":`: jobForm, `"dp":`: jobForm, `"dq":`: jobForm, `"qi":`: jobForm,
	"md5('": jobSQL, "sha1('": jobSQL, "sha2('": jobSQL, "select ": jobSQL, " -p": jobFlag, " -w ": jobFlag, " -k ": jobFlag, " -a ": jobFlag, " -ap ": jobFlag, "<<<": jobFlag,
	"kubeseal": jobPipe, "load-key": jobPipe, "add-passphrase": jobPipe, "argon2": jobPipe, "systemd-creds": jobPipe, "mokutil": jobPipe, "mkpasswd": jobPipe, "stdinpass": jobPipe, "mkpasswd-pbkdf2": jobPipe, "root:": jobForm, "admin:": jobForm, "administrator:": jobForm, "send -- \"": jobForm,
	"passwd-on-stdin": jobPipe, "secret put": jobPipe, "secrets create": jobPipe, "secret set": jobPipe, "secrets set": jobPipe, "ssh-add": jobPipe,
	"htdigest": jobPipe, "read -s": jobPipe, "read -rs": jobPipe, "read -sr": jobPipe, "secret add": jobPipe, "variable set": jobPipe, "data-file=-": jobPipe, "password-file=-": jobPipe, "secret-string file:///dev/stdin": jobPipe,
	"kind": jobKube, "data:": jobKube, "data\"": jobKube, "apiversion": jobKube, "stringdata": jobKube,
	"sudo": jobPipe, "--stdin": jobPipe, "-stdin": jobPipe, "--with-token": jobPipe, "chpasswd": jobPipe, "cryptsetup": jobPipe,
	"--password-stdin": jobPipe, "passwd": jobPipe, "smbpasswd": jobPipe, "kinit": jobPipe, "vncpasswd": jobPipe,
	"set-default-credentials": jobPipe, "realm join": jobPipe, "kpasswd": jobPipe, "--token-stdin": jobPipe, "-passin stdin": jobPipe, "secret create": jobPipe, "versions add": jobPipe, "sshpass": jobPipe,
}
