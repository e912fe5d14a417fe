package session_test

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sallyport/console/gate"
	"sallyport/console/session"
	"sallyport/policy"
)

// router is a network device's command line, as some are: a line editor of its
// own, help at once, a pager, modes, and a password for one of them. It writes
// what it runs to a file.
type router struct {
	in   *bufio.Reader
	log  *os.File
	name string
	mode string
	line []byte
}

// routerMain is what the test binary does when a server starts it as a device.
func routerMain(log string) int {
	stty := exec.Command("stty", "raw", "-echo")
	stty.Stdin = os.Stdin
	if err := stty.Run(); err != nil {
		return 1
	}
	f, err := os.OpenFile(log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return 1
	}
	r := &router{in: bufio.NewReader(os.Stdin), log: f, name: "r1", mode: ">"}
	fmt.Print("\r\nAuthorized access only\r\n\r\n")
	return r.loop()
}

func (r *router) prompt() { fmt.Printf("%s%s%s", r.name, r.mode, r.line) }

func (r *router) loop() int {
	r.prompt()
	for {
		c, err := r.in.ReadByte()
		if err != nil {
			return 0
		}
		switch {
		case c == '\r':
			fmt.Print("\r\n")
			line := strings.TrimSpace(string(r.line))
			r.line = nil
			if line == "exit" && r.mode == ">" {
				return 0
			}
			r.run(line)
			r.prompt()
		case c == '?':
			fmt.Printf("?\r\n  version   software\r\n  %s...\r\n\r\n", r.line)
			r.prompt()
		case c == '\t':
			if string(r.line) == "sh" || string(r.line) == "show ver" {
				rest := map[string]string{"sh": "ow ", "show ver": "sion "}[string(r.line)]
				r.line = append(r.line, rest...)
				fmt.Print(rest)
			}
		case c == 0x15:
			fmt.Print(strings.Repeat("\b \b", len(r.line)))
			r.line = nil
		case c == 0x03:
			fmt.Print("^C\r\n")
			r.line = nil
			r.prompt()
		case c >= ' ' && c < 0x7f:
			r.line = append(r.line, c)
			fmt.Printf("%c", c)
		}
	}
}

func (r *router) run(line string) {
	if line == "" {
		return
	}
	fmt.Fprintln(r.log, line)
	switch words := strings.Fields(line); {
	case words[0] == "enable":
		r.secret()
	case strings.HasPrefix(line, "conf"):
		r.mode = "(config)#"
	case words[0] == "interface":
		r.mode = "(config-if)#"
	case words[0] == "hostname" && strings.HasPrefix(r.mode, "(config"):
		r.name = words[1]
	case words[0] == "end":
		r.mode = "#"
	case strings.HasPrefix(line, "show"):
		r.page()
	case words[0] == "ping":
		r.ping()
	case words[0] == "clear":
		fmt.Print("Clear all? [confirm]")
		c, _ := r.in.ReadByte()
		fmt.Fprintf(r.log, "answer %q\n", c)
		fmt.Print("\r\n")
	default:
		fmt.Print("% Invalid input\r\n")
	}
}

func (r *router) secret() {
	fmt.Print("Password: ")
	var got []byte
	for {
		c, err := r.in.ReadByte()
		if err != nil || c == '\r' || c == '\n' {
			break
		}
		got = append(got, c)
	}
	fmt.Print("\r\n")
	if string(got) == "made-up-enable-9" {
		r.mode = "#"
	} else {
		fmt.Print("% Bad secrets\r\n")
	}
}

func (r *router) page() {
	const more = " --More-- "
	for i := range 60 {
		fmt.Printf("line %d of something\r\n", i)
		if i%20 != 19 || i == 59 {
			continue
		}
		fmt.Print(more)
		c, _ := r.in.ReadByte()
		fmt.Fprintf(r.log, "pager %q\n", c)
		fmt.Print("\r" + strings.Repeat(" ", len(more)) + "\r")
		if c == 'q' {
			return
		}
	}
}

// ping goes on until the escape comes.
func (r *router) ping() {
	got := make(chan byte, 1)
	go func() { c, _ := r.in.ReadByte(); got <- c }()
	for {
		select {
		case c := <-got:
			fmt.Fprintf(r.log, "key %q\n", c)
			fmt.Print("\r\n")
			return
		case <-time.After(50 * time.Millisecond):
			fmt.Print("!")
		}
	}
}

// onRouter is a session with the device as the account's only program.
func onRouter(t *testing.T, tweak func(*session.Config)) (*rig, func() string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	log := filepath.Join(t.TempDir(), "device.log")
	r := start(t, setup{shell: "bash", force: self + " __device " + log, tweak: func(c *session.Config) {
		c.Device = "ios"
		if tweak != nil {
			tweak(c)
		}
	}})
	r.judge.keysTo("more")
	r.state(session.Prompt)
	return r, func() string {
		b, _ := os.ReadFile(log)
		return string(b)
	}
}

func TestANetworkDeviceIsComposed(t *testing.T) {
	r, ran := onRouter(t, nil)
	if v := r.s.View(); v.Compose == nil || v.Evidence != gate.EvidenceScreen {
		t.Errorf("view %+v", v)
	}
	r.typed("show<Enter>")
	r.state(session.Keys) // its pager
	r.typed(" xq")        // x is no key of a pager
	c := r.ended(0)
	if c.Line != "show" || c.Exit != nil || c.Evidence != gate.EvidenceScreen {
		t.Errorf("got %+v", c)
	}
	if q := r.judge.last(); q.Dialect != policy.Words && q.Program == "" {
		t.Errorf("judged as %v", q.Dialect)
	}
	r.state(session.Prompt)
	r.typed("enable<Enter>")
	v := r.field(session.SecretField)
	r.s.Field(v.ID, []byte("made-up-enable-9"), false)
	r.ended(1)
	r.until("the mode changed", func() bool { return strings.HasSuffix(r.text(), "r1#") })
	r.state(session.Prompt)
	r.typed("configure terminal DENYME<Enter>")
	r.refused()
	r.typed(backspaces(7) + "<Enter>")
	r.ended(2)
	for i, line := range []string{"interface Gi0/1", "hostname r2", "end"} {
		r.state(session.Prompt)
		r.typed(line + "<Enter>")
		if c := r.ended(3 + i); c.Line != line {
			t.Errorf("got %+v", c)
		}
	}
	want := "show\npager ' '\npager 'q'\nenable\nconfigure terminal\ninterface Gi0/1\nhostname r2\nend\n"
	if got := ran(); got != want {
		t.Errorf("the device ran\n%s\nwant\n%s", got, want)
	}
	r.inNoRecord("made-up-enable-9")
	if n := len(r.records("secret.entered")); n != 1 || !r.red.Known("made-up-enable-9") {
		t.Errorf("%d secrets", n)
	}
	if v := r.s.View(); v.Alarms > 0 {
		t.Errorf("alarm: %s", v.Alarm)
	}
}

func TestADevicesHelpAndCompletionAcceptNothing(t *testing.T) {
	r, ran := onRouter(t, nil)
	r.typed("show ?")
	r.until("help", func() bool { return strings.Contains(r.text(), "version   software") })
	r.until("the line is here alone", func() bool { return strings.HasSuffix(r.text(), "r1>") })
	if c := r.s.View().Compose; c == nil || c.Lines[0] != "show " {
		t.Errorf("composing %+v", c)
	}
	r.typed("ver<Tab>")
	r.until("completed", func() bool { c := r.s.View().Compose; return c != nil && c.Lines[0] == "show version " })
	if got := ran(); got != "" {
		t.Errorf("the device ran %q", got)
	}
	r.typed("DENYME<Enter>")
	r.refused()
	r.typed(backspaces(7) + "<Enter>")
	r.state(session.Keys)
	r.typed("q")
	r.ended(0)
	if got := ran(); got != "show version\npager 'q'\n" {
		t.Errorf("the device ran %q", got)
	}
}

func TestADevicesEscapeAndQuestions(t *testing.T) {
	r, ran := onRouter(t, nil)
	r.typed("ping 192.0.2.1<Enter>")
	r.state(session.Running)
	r.until("it runs", func() bool { return strings.Contains(r.text(), "!!!!") })
	r.typed("<C-^>")
	r.ended(0)
	r.state(session.Prompt)
	r.typed("clear counters<Enter>")
	v := r.field(session.LineField)
	if !strings.Contains(v.Prompt, "[confirm]") {
		t.Errorf("field %+v", v)
	}
	r.s.Field(v.ID, []byte("y"), false)
	r.ended(1)
	if got := ran(); !strings.HasPrefix(got, "ping 192.0.2.1\nkey '\\x1e'\nclear counters\nanswer 'y'\n") {
		t.Errorf("the device ran %q", got)
	}
}

// A prompt is guessed by its shape until three have begun alike.
func TestAPlainShellsPromptIsLearned(t *testing.T) {
	r := start(t, setup{shell: "bash", plain: true, files: map[string]string{".bash_profile": "PS1='box:\\w\\$ '\n", "odd": "50%"}})
	for range 3 {
		r.run("true")
	}
	r.state(session.Prompt)
	n := len(r.s.Journal())
	wait, end := r.waiting()
	r.typed("cat odd; " + wait + "; echo<Enter>")
	r.quiet()
	if st := r.s.View().State; st == session.Prompt {
		t.Errorf("output that ends like a prompt was taken for one: %s", st)
	}
	end()
	r.ended(n)
	r.run("cd /tmp")
	if c := r.run("true"); c.Line != "true" {
		t.Errorf("after the folder changed: %+v", c)
	}
}

func TestLinesAreComposedWithVisKeys(t *testing.T) {
	r := start(t, setup{shell: "dash", tweak: func(c *session.Config) { c.ViKeys = true }})
	r.state(session.Prompt)
	r.typed("echo onX two<Escape>FXre$a three<Enter>")
	if c := r.ended(0); c.Line != "echo one two three" {
		t.Errorf("got %q", c.Line)
	}
	r.state(session.Prompt)
	r.typed("<Escape>k<Enter>")
	if c := r.ended(1); c.Line != "echo one two three" {
		t.Errorf("recalled %q", c.Line)
	}
}

func TestComposedHistoryIsSearchedAndLinesAreSeveral(t *testing.T) {
	for _, shell := range []string{"dash", "mksh"} {
		t.Run(shell, func(t *testing.T) {
			r := start(t, setup{shell: shell})
			r.run("echo first")
			r.run("echo second")
			r.state(session.Prompt)
			r.typed("<C-r>fir<Enter>")
			r.until("found", func() bool { c := r.s.View().Compose; return c == nil || c.Search == "" })
			if r.s.View().State == session.Prompt && len(r.s.Journal()) == 2 {
				r.typed("<Enter>")
			}
			if c := r.ended(2); c.Line != "echo first" {
				t.Errorf("searched %q", c.Line)
			}
			r.state(session.Prompt)
			r.s.Paste("echo a\necho b")
			r.typed("<Enter>")
			if c := r.ended(3); !strings.Contains(c.Line, "echo a\necho b") || c.Origin != policy.Paste {
				t.Errorf("several lines: %+v", c)
			}
		})
	}
}
