package command

import (
	"strings"
)

// What code of other languages calls.

// The calls, in any of the languages, in lower case.
var calls = map[callKind]map[string]bool{
	callsShell:  setOf("system popen popen2 popen3 popen4 exec execl execle execlp execv execve execvp execvpe execsync execfile execfilesync spawn spawnl spawnv spawnsync shell_exec passthru proc_open getoutput getstatusoutput check_output check_call subprocess os.execute io.popen qx open3 shelljs pcntl_exec runtime execute processbuilder"),
	callsRemove: setOf("rmtree remove removedirs unlink unlinksync rmdir rmdirsync rm_rf rm_r rm_f rmsync rm removesync remove_tree deltree delete delete_if_exists"),
	callsWrite:  setOf("writefile writefilesync appendfile appendfilesync createwritestream file_put_contents write_text write_bytes copy_stream copyfile copyfilesync copytree copy copy2 truncate truncatesync chmod chmodsync chown chownsync rename renamesync symlink symlinksync move"),
	callsNet:    setOf("socket fsockopen pfsockopen stream_socket_client urlopen urllib urllib2 urllib3 requests http https fetch connect tcpsocket lwp net httpx aiohttp ftplib smtplib paramiko websocket uri curl_init telnetlib"),
	callsRaw:    setOf("socket fsockopen pfsockopen stream_socket_client tcpsocket sockaddr_in create_connection"),
	callsServe:  setOf("httpserver simplehttpserver simplehttprequesthandler createserver tcpserver listen webrick"),
	callsSend:   setOf("post put request send sendfile sendall upload storbinary"),
	callsRead:   setOf("createreadstream readfile readfilesync file_get_contents open read read_text read_bytes slurp readlines readline"),
	callsDecode: setOf("b64decode base64_decode unhexlify fromhex fromcharcode decode_base64 unpack gzinflate decode64 a85decode decompress atob"),
	callsLoad:   setOf("cdll loadlibrary dlopen load_extension load_module dl_load_file loadlib pydll dl_load"),
	callsFork:   setOf("fork pcntl_fork vfork"),
	callsEval:   setOf("eval exec compile __import__ function assert create_function marshal pickle loads"),
}

const (
	callsShell callKind = 1 << iota
	callsRemove
	callsWrite
	callsNet
	callsServe
	callsRaw
	callsSend
	callsRead
	callsDecode
	callsEval
	callsLoad
	callsFork
)

type callKind uint32

var opensToWrite = lazily(`open\w*\s*\([^)]*,\s*(mode\s*=\s*)?["'][rwa+bx]*[wax+]|open\w*[^;]{0,40}["']\s*>|File\.write`)

// kindsOf scans the identifiers of code once.
func kindsOf(code string) callKind {
	var k callKind
	for i := 0; i < len(code); {
		if !isIdent(code[i]) {
			if code[i] == '`' {
				k |= callsShell
			}
			i++
			continue
		}
		j := i
		for j < len(code) && isIdent(code[j]) {
			j++
		}
		k |= kindOf(strings.ToLower(code[i:j]))
		i = j
	}
	if k&callsRead != 0 && opensToWrite.MatchString(code) {
		k |= callsWrite
	}
	return k
}

func isIdent(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
}

var callOf = func() map[string]callKind {
	m := map[string]callKind{}
	for k, names := range calls {
		for n := range names {
			m[n] |= k
		}
	}
	return m
}()

func kindOf(name string) callKind { return callOf[name] }

// loops finds a loop without an end.
var loops = lazily(`\bwhile\b|\bloop\b|\bfor\s*\(\s*;|\buntil\b|\bforever\b`)

// deletesAll finds calls that delete at a service: deleteIndex(, destroy_all.
var deletesAll = lazily(`\b(?:delete|destroy|drop|clear|purge|remove|truncate)(?:_?[Aa]ll|_?[Ii]ndex|_?[Oo]bjects?|_?[Mm]any|_?[Dd]atabase|_?[Cc]ollection|_?[Uu]sers?|_?[Pp]rojects?|_?[Tt]able|_?[Bb]ucket|_?[Kk]ey)\w*\b`)

// runsFetched finds code that runs what it fetches.
var runsFetched = lazily(`(?s)\b(?:exec|eval|instance_eval|execfile|loadstring|load|runpy)\b\s*[( ].{0,120}(?:urlopen|urllib|requests\.get|httpx\.get|open-uri|URI\.(?:open|parse)|Net::HTTP|LWP::Simple|file_get_contents\(.{0,2}https?:|https?\.get|fetch\(|\bget\s*\(?\s*["']https?:)`)

// adjoining is where two strings are put together: 'sys'+'tem'.
var adjoining = lazily(`'\s*[+.]\s*'|"\s*[+.]\s*"`)

// spellsOut finds text that is written as numbers of characters.
var spellsOut = lazily(`%c.*\b\d{2,3}\s*,\s*\d{2,3}\b|\bchr\s*[( ]\s*\d+.*\bchr\s*[( ]\s*\d|fromCharCode`)

// builtText finds a call that runs text which is put together, or decoded,
// so that nobody can read it.
var builtText = lazily(`(?s)\b(?:eval|exec|system|popen|spawn|qx|passthru|shell_exec|execSync|check_output|run|call|Popen|getoutput|instance_eval|assert)\b[^;\n]{0,120}?(?:` +
	`\bchr\s*[( ]\s*\d|fromCharCode|\bpack\s*\(?\s*["'][HhUCWcu]|\[::-1\]|\bcodecs\.decode|\brot_?13|\bbytes\(\[|\bbytearray\(|` +
	`Buffer\.from\([^)]*["'](?:base64|hex)|\bhex2bin|\bstrrev\b|\bmap\(\s*chr|\breverse\b|\.unpack1?\b)`)

// phrases are calls that are no single word.
func phrases(text string) callKind {
	var k callKind
	for _, p := range []string{"Deno.Command", "Deno.run", "shell-command", "call-process", "start-process", "(term ", "(shell ", "async-shell", "run-shell-command", "callCommand", "run(pipeline", "os.exec", "Runtime.exec", "unix(", "unix_g(", "shell(", "run-shell-command", "Process]::Start", "os/exec", "%x(", "%x{", "%x[", "%x|", "os:cmd", ":os.cmd", "System.cmd", "run-program", "Sys.command", "execShellCmd", "execProcess", "Process.run", "Process.start", "Command::new", "Command.new", "exec.Command", "executeShell", "spawnShell", "Unix.system", "createProcess", "System.Process", "\".!", "').!", "].!"} {
		if strings.Contains(text, p) {
			k |= callsShell
		}
	}
	if strings.Contains(text, "Fiddle") || strings.Contains(text, "System.load(") || strings.Contains(text, "ffi.load") || strings.Contains(text, "DynaLoader") {
		k |= callsLoad
	}
	return k
}

// maxLiterals bounds the string literals read from one piece of code.
const maxLiterals = 32

// literals cuts the quoted strings out of code, with simple escapes undone.
func literals(code string) []string {
	var out []string
	for i := 0; i < len(code) && len(out) < maxLiterals; i++ {
		q := code[i]
		if q != '"' && q != '\'' && q != '`' {
			if strings.HasPrefix(code[i:], "qw") {
				if lit, n, ok := bracketed(code[i:]); ok {
					out = append(out, strings.Join(strings.Fields(lit), " "))
					i += n
				}
				continue
			}
			if strings.HasPrefix(code[i:], "qx") || strings.HasPrefix(code[i:], "q{") || strings.HasPrefix(code[i:], "%x") {
				if lit, n, ok := bracketed(code[i:]); ok {
					out = append(out, lit)
					i += n
				}
			}
			continue
		}
		var b strings.Builder
		j := i + 1
		for ; j < len(code) && code[j] != q; j++ {
			if code[j] == '\\' && j+1 < len(code) {
				j++
			}
			b.WriteByte(code[j])
		}
		out = append(out, b.String())
		i = j
	}
	return out
}

// bracketed reads qx{…}, qx(…), %x(…), q{…}.
func bracketed(s string) (string, int, bool) {
	i := strings.IndexAny(s, "{([/<")
	if i < 0 || i > 3 {
		return "", 0, false
	}
	if s[i] == '/' && i < 2 {
		return "", 0, false
	}
	closing := map[byte]string{'{': "}", '(': ")", '[': "]", '/': "/", '<': ">"}[s[i]]
	end := strings.Index(s[i+1:], closing)
	if end < 0 {
		return "", 0, false
	}
	return s[i+1 : i+1+end], i + 1 + end, true
}
