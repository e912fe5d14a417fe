package redact_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"sallyport/redact"
)

// TerminalLog makes a log of a terminal of about size bytes in which one line in a
// thousand holds a secret.
func terminalLog(size int) []byte {
	rnd := rand.New(rand.NewPCG(7, 11))
	var b strings.Builder
	b.Grow(size + 512)
	for n := 0; b.Len() < size; n++ {
		if n%1000 == 500 {
			fmt.Fprintf(&b, "export DB_PASSWORD=%s\n", randomWord(rnd, 16))
			continue
		}
		writeLogLine(&b, rnd)
	}
	return []byte(b.String())
}

func writeLogLine(b *strings.Builder, rnd *rand.Rand) {
	n := rnd.IntN(1 << 20)
	switch rnd.IntN(9) {
	case 0:
		fmt.Fprintf(b, "Jan  6 10:%02d:%02d web-0%d sshd[%d]: Accepted publickey for deploy from 10.0.%d.%d port %d ssh2: ED25519 SHA256:%s\n", n%60, n%59, n%9, n%30000, n%255, n%254, n%60000, randomWord(rnd, 43))
	case 1:
		fmt.Fprintf(b, "10.1.%d.%d - - [06/Jan/2031:10:00:%02d +0000] \"GET /api/v1/items/%d?page=%d HTTP/1.1\" 200 %d \"-\" \"curl/8.7\"\n", n%255, n%250, n%60, n, n%40, n%9000)
	case 2:
		fmt.Fprintf(b, "time=2031-01-06T10:00:%02dZ level=info msg=\"request done\" method=GET path=/healthz status=200 dur=%dms trace_id=%s\n", n%60, n%400, randomHex(rnd, 32))
	case 3:
		fmt.Fprintf(b, "drwxr-xr-x  %d root root    4096 Jan  6 10:%02d backup-%d.tar.gz\n", n%9, n%60, n)
	case 4:
		fmt.Fprintf(b, "{\"level\":\"info\",\"ts\":%d.%d,\"caller\":\"server/handler.go:%d\",\"msg\":\"served\",\"path\":\"/v1/user/%d\",\"bytes\":%d}\n", n, n%1000, n%900, n, n%70000)
	case 5:
		fmt.Fprintf(b, "\x1b[32m✓\x1b[0m deployment \x1b[1mapi-gateway-%s-%s\x1b[0m rolled out (%d/%d ready)\n", randomHex(rnd, 9), randomHex(rnd, 5), n%5, n%5)
	case 6:
		fmt.Fprintf(b, "root      %5d  0.%d  0.%d %6d %5d ?        Ssl  10:00   0:0%d /usr/bin/containerd-shim-runc-v2 -namespace moby -id %s\n", n%30000, n%9, n%9, n%900000, n%60000, n%9, randomHex(rnd, 64))
	case 7:
		fmt.Fprintf(b, "kernel: [%6d.%06d] eth0: link up, 1000Mbps, full duplex, flow control rx/tx, lpa 0x%04X\n", n%100000, n, n%65536)
	default:
		fmt.Fprintf(b, "Get:%d http://deb.debian.org/debian bookworm/main amd64 libsecret-%d amd64 0.20.5-%d [%d kB]\n", n%90, n%5, n%9, n%4000)
	}
}

const wordBytes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

func randomWord(rnd *rand.Rand, n int) string { return randomOf(rnd, wordBytes, n) }
func randomHex(rnd *rand.Rand, n int) string  { return randomOf(rnd, "0123456789abcdef", n) }

func randomOf(rnd *rand.Rand, from string, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = from[rnd.IntN(len(from))]
	}
	return string(b)
}

func BenchmarkStreamLog(b *testing.B) {
	log := terminalLog(50 << 20)
	redact.New(redact.Config{}).Text("the tables are built once")
	b.SetBytes(int64(len(log)))
	runtime.LockOSThread()
	start := threadTime()
	b.ResetTimer()
	for range b.N {
		s := redact.New(redact.Config{}).Target("db1").Stream()
		for at := 0; at < len(log); at += 32 << 10 {
			s.Write(log[at:min(len(log), at+32<<10)])
		}
		s.Flush()
	}
	b.StopTimer()
	b.ReportMetric(float64(len(log))*float64(b.N)/1e6/(threadTime()-start).Seconds(), "MB/cpu-s")
}

// worstInputs are texts that make a careless detector look at everything again for each
// byte: single characters, and what begins a key, a URL, a token, a string or a sequence.
func worstInputs(size int) map[string]string {
	texts := map[string]string{}
	for c := range 256 {
		texts[fmt.Sprintf("%#x", c)] = strings.Repeat(string([]byte{byte(c)}), size)
	}
	for _, unit := range []string{"..", "\"", "'", "=", "://", "eyJ", "[", "{", "[{(", "token=", "password: ", "-----BEGIN ", "a:", "a@b:", "%41", "\\u0041", "\\\"", "key ", "mysql -p ", "$(", "`", "<redacted:", "sk-", "ghp_", "eyJ.", "password is ", "://a:b@", "| password ", "\x1b[0m", "\x1b]0;", "a\b", "a\r", "{\"data\":", "secret,", "日", "日\b", "key|", "u:p:", "1/", "AAAA", "Zm9v", "x=1&"} {
		texts[unit] = strings.Repeat(unit, size/len(unit))
	}
	for _, unit := range repeated {
		texts[unit] = strings.Repeat(unit, size/len(unit))
	}
	for _, unit := range []string{"password: a b ", "password x1 ", "code: a ", "new value: x ", "]:1", " * ", "AKIA ", "secret= ", "sig:", "auth:", "secret:", "code:", "sid="} {
		blanks, word := strings.Repeat(" ", size/2), strings.Repeat("a:", size/4)
		for _, head := range []string{"enter ", "[sudo] ", "expect", "INSERT (", "$ ", blanks, word} {
			texts[fmt.Sprintf("%.8q and %q", head, unit)] = head + strings.Repeat(unit, (size-len(head))/len(unit))
			texts[fmt.Sprintf("%q and blanks", unit)] = strings.Repeat(unit, size/2/len(unit)) + blanks
		}
	}
	return texts
}

// repeated are what makes a detector look to the line's end, or to its beginning, from
// each place where a word of its own stands.
var repeated = []string{
	// groups that end in front of a program that reads passwords
	"(" + strings.Repeat(")", 60) + " | passwd\n",
	"((((" + strings.Repeat(";)&", 300) + " | passwd\n",
	strings.Repeat("(echo hunter22;", 60) + strings.Repeat(")", 60) + " | passwd\n",
	"(echo hunter22) | passwd) | passwd; ",
	"(echo a;echo b) | passwd\n",

	// words before a value that has no end
	" -u x -p", "<<< ", "a0=x ", "code is ", "select password from ", "pdo(", "key = \"",
	"p a s s w o r d = ", "(is hidden)", "0x706173", "70617373776f72643d", "pаss=", "00000000: 7061 7373 776f\n", ":x valid credentials ", "success: 'u:p", "expect send \"", "virtualcleartextutf:", "response=", " value ",
	"passcode=", "passcode:", "login code: ", "'root:", "'root:a1", "admin/", " a / b", "key content:", "password? ", "password: ? ", "mnemonic=", "seed phrase ", "passcodes:", "passcodes=abc123 ", "signature=", "code=", "x-amz-signature=", "login a/", "new value: ", "auth plain ", "LOGIN a", "auth=(\"a\",\"", "пароль:", "пароль est ", "relayhost a@b.c:", "user >", " on >", "jdbc:oracle:thin:", "borg_key ", "]:1 ", "]:1", "${", "mysql -p${", "mysql -p$'", "send \"", ".key='a", ":::", "values(", ")values(", "community abc1 ", "pass abc1 ", "AWS4signature=", "password for a: ", "echo a1b2c3d4|passwd ", "@(", "a:b1c2d3e4@", "%3D", "password=%3D", "secret=[", "secret={", "secret=[\"a\",", "token -> \"a1b2c3d4e5\"", "password=\"a\" -> \"b", "passphrase=a b ", "passphrase: a1 b ", "cookie: a=b;", "bearer ", "authorization: ", "basic ", "identified by ", "password 'a", "values (", "key-string ", "resetpass >", "<key>", "value=\"", "wifi:;P:", "secret,id=data=", "creds a / ", "user pass ", "psk ", "community ", "AKIA ", "\n=\t", " * ", "chpasswd ", "::server:",
	"sig=", "sid=", "--token=", "cookie:=", "cookie:/", "grub.pbkdf2", "chpasswd <", "sp_addlogin", "sp_password ", "load-key ", "htdigest ", ".auth(", "\"pdo(", "$5$", "/webhookb2/", "mosquitto_passwd (",
}

// TestTimeIsLinear compares one text of 64 KiB with eight of 8 KiB: whatever the machine
// does beside, a text in which the time grows faster than the length takes longer as one.
func TestTimeIsLinear(t *testing.T) {
	const parts, size = 8, 64 << 10
	redact.New(redact.Config{}).Text("warm up")
	short := worstInputs(size / parts)
	for name, text := range worstInputs(size) {
		t.Run(name, func(t *testing.T) { isLinear(t, text, short[name], parts) })
	}
}

// isLinear compares a text with so many parts of it.
func isLinear(t *testing.T, text, part string, parts int) {
	const tries, factor = 40, linearFactor
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	many, one := timeOf(part, parts), timeOf(text, 1)
	for n := 0; n < tries && one > factor*many+time.Millisecond; n++ {
		many, one = min(many, timeOf(part, parts)), min(one, timeOf(text, 1))
	}
	if one > factor*many+time.Millisecond {
		t.Errorf("%d KiB took %v, %d times an eighth of it %v", len(text)>>10, one, parts, many)
	}
}

// timeOf is the thread's time for n streams of a text.
func timeOf(text string, n int) time.Duration {
	start := threadTime()
	for range n {
		s := redact.New(redact.Config{}).Stream()
		s.Write([]byte(text))
		s.Flush()
	}
	return threadTime() - start
}

// BenchmarkWorstInput reports the longest time that 64 KiB take of what worstInputs holds.
func BenchmarkWorstInput(b *testing.B) {
	texts := worstInputs(64 << 10)
	runtime.LockOSThread()
	worst := time.Duration(0)
	for b.Loop() {
		worst = 0
		for _, text := range texts {
			best := timeOf(text, 1)
			for range 4 {
				best = min(best, timeOf(text, 1))
			}
			worst = max(worst, best)
		}
	}
	b.ReportMetric(float64(worst.Microseconds())/1000, "ms/64KiB")
}

// threadTime is the time that this thread ran, in nanoseconds and not in ticks.
func threadTime() time.Duration {
	var ts unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &ts); err != nil {
		panic(err)
	}
	return time.Duration(ts.Nano())
}
