package screen_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
	"github.com/google/go-cmp/cmp"

	"sallyport/console/keys"
	"sallyport/console/screen"
	"sallyport/console/screen/screentest"
)

// need skips a test without a program; where skipping is forbidden it fails.
func need(t *testing.T, programs ...string) {
	t.Helper()
	for _, name := range programs {
		if _, err := exec.LookPath(name); err == nil {
			continue
		}
		if os.Getenv("SALLYPORT_NO_SKIP") != "" {
			t.Fatalf("needs: %s", name)
		}
		t.Skipf("needs: %s", name)
	}
}

// terminal is a terminal that a real program runs in.
type terminal interface {
	press(t *testing.T, key string)
	write(t *testing.T, text string)
	resize(t *testing.T, cols, rows int)
	text(t *testing.T) string
}

// environment is what the programs see, the same in both terminals.
func environment(home string) []string {
	return []string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "TERM=xterm-256color", "LANG=C.UTF-8", "LC_ALL=C.UTF-8", "PS1=$ ", "LESSHISTFILE=-"}
}

var homes atomic.Int32

// home returns an empty home, whose name is as long as every other's. A program that was killed may still write to it while it is removed.
func home(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(os.TempDir(), fmt.Sprintf("home%08d-%04d", os.Getpid(), homes.Add(1)))
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for end := time.Now().Add(5 * time.Second); os.RemoveAll(dir) != nil && time.Now().Before(end); {
		}
	})
	return dir
}

// ours runs a program in a pty whose output goes through a Screen.
type ours struct {
	mu     sync.Mutex
	screen *screen.Screen
	pty    *os.File
}

func startOurs(t *testing.T, dir string, argv []string, cols, rows int) *ours {
	t.Helper()
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir, cmd.Env = dir, environment(home(t))
	f, err := pty.StartWithSize(cmd, &pty.Winsize{Cols: uint16(cols), Rows: uint16(rows)})
	if err != nil {
		t.Fatal(err)
	}
	o := &ours{screen: screen.New(cols, rows, screen.Options{}), pty: f}
	done := make(chan struct{})
	go func() { defer close(done); o.read() }()
	t.Cleanup(func() {
		syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // its pager too, which may have been told to ignore that the terminal goes
		f.Close()
		cmd.Wait()
		<-done
	})
	return o
}

func (o *ours) read() {
	buf := make([]byte, 4096)
	for {
		n, err := o.pty.Read(buf)
		o.mu.Lock()
		o.screen.Write(buf[:n])
		reply := o.screen.Replies()
		o.mu.Unlock()
		o.pty.Write(reply)
		if err != nil {
			return
		}
	}
}

func (o *ours) press(t *testing.T, key string) {
	t.Helper()
	e, err := keys.Parse(key)
	if err != nil {
		t.Fatal(err)
	}
	o.mu.Lock()
	b := keys.Encode(e, o.screen.Modes())
	o.mu.Unlock()
	o.pty.Write(b)
}

func (o *ours) write(_ *testing.T, text string) { o.pty.WriteString(text) }

func (o *ours) resize(t *testing.T, cols, rows int) {
	t.Helper()
	o.mu.Lock()
	defer o.mu.Unlock()
	o.screen.Resize(cols, rows)
	if err := pty.Setsize(o.pty, &pty.Winsize{Cols: uint16(cols), Rows: uint16(rows)}); err != nil {
		t.Fatal(err)
	}
}

func (o *ours) text(*testing.T) string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.screen.Text()
}

// theirs runs a program in tmux.
type theirs struct{ socket string }

func startTheirs(t *testing.T, dir string, argv []string, cols, rows int) *theirs {
	t.Helper()
	m := &theirs{socket: filepath.Join(t.TempDir(), "tmux")}
	conf := filepath.Join(t.TempDir(), "conf")
	settings := "set -g status off\nset -g default-terminal xterm-256color\nset -g escape-time 0\nset -g remain-on-exit on\n"
	if err := os.WriteFile(conf, []byte(settings), 0o600); err != nil {
		t.Fatal(err)
	}
	args := []string{"-f", conf, "new-session", "-d", "-x", strconv.Itoa(cols), "-y", strconv.Itoa(rows), "-c", dir}
	m.tmux(t, slices.Concat(args, []string{"env", "-i"}, environment(home(t)), argv)...)
	t.Cleanup(func() { m.tmux(t, "kill-server") })
	return m
}

func (m *theirs) tmux(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.Command("tmux", append([]string{"-u", "-S", m.socket}, args...)...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		t.Fatalf("tmux %v: %v: %s", args, err, errs.String())
	}
	return out.String()
}

// tmuxNames are the keys that tmux calls otherwise.
var tmuxNames = map[string]string{"PageDown": "NPage", "PageUp": "PPage", "Backspace": "BSpace", "Delete": "DC"}

func (m *theirs) press(t *testing.T, key string) {
	t.Helper()
	if name, ok := tmuxNames[key]; ok {
		key = name
	}
	m.tmux(t, "send-keys", key)
}

func (m *theirs) write(t *testing.T, text string) {
	t.Helper()
	m.tmux(t, "send-keys", "-l", "--", text)
}

func (m *theirs) resize(t *testing.T, cols, rows int) {
	t.Helper()
	m.tmux(t, "resize-window", "-x", strconv.Itoa(cols), "-y", strconv.Itoa(rows))
}

func (m *theirs) text(t *testing.T) string {
	t.Helper()
	return m.tmux(t, "capture-pane", "-p")
}

// program is a program with what is done in it. A step is keys, text in quotes, and sizes.
type program struct {
	name  string
	needs string
	argv  []string
	steps []string
	blur  *regexp.Regexp // what is different in each run
	ends  string         // what both show before the next step: a program that draws by time is at the same point in both then
}

var numbers = regexp.MustCompile(` *[0-9]+(\.[0-9]+)?`)

func programs(pid string) []program {
	bash := []string{"bash", "--norc", "--noprofile", "-i"}
	return []program{
		{name: "vim", needs: "vim", argv: []string{"vim", "-u", "NONE", "-i", "NONE", "-n", "-N", "code.go"}, steps: []string{
			`"G"`, `":set␣number" Enter`, `"gg" "10j" "dd" "p"`, `":vsplit" Enter`, `C-f`, `"/line␣77" Enter`, `60x15`, `100x30`, `"O" "日本語とemoji␣👍" Escape`, `":syntax␣on" Enter`,
		}},
		{name: "less", needs: "less", argv: []string{"less", "-R", "colours.txt"}, steps: []string{
			`Space`, `"G"`, `"/needle" Enter`, `PageUp`, `Up`, `"g"`, `50x10`, `"-S" Enter`, `Right`, `90x24`, `"G"`,
		}},
		{name: "nano", needs: "nano", argv: []string{"nano", "-I", "code.go"}, steps: []string{
			`PageDown`, `C-w "line␣90" Enter`, `"inserted"`, `C-k`, `60x16`, `End`,
		}},
		{name: "mc", needs: "mc", argv: []string{"mc", "-u", "-a", "--nosubshell", ".", "."}, steps: []string{
			`Down Down`, `F3`, `F10`, `Tab`, `F9`, `Escape Escape`, `100x20`,
		}, blur: regexp.MustCompile(`[0-9]+(\.[0-9]+)?[KMGT]?/[0-9]+[KMGT]? \([0-9]+%\)|Hint:.*`)},
		{name: "top", needs: "top", argv: []string{"top", "-d", "30", "-p", pid}, steps: []string{``, `"1"`}, blur: numbers},
		{name: "htop", needs: "htop", argv: []string{"htop", "-d", "100", "--no-mouse", "-p", pid}, steps: []string{`F2`}, blur: regexp.MustCompile(`[0-9.:%|MGKh/]+|\b(Mem|Swp)\b.*`)},
		{name: "readline", needs: "bash", argv: bash, steps: []string{
			`"echo␣" "a␣long␣line␣that␣wraps␣at␣the␣margin,␣is␣edited␣at␣its␣start␣and␣in␣its␣middle,␣and␣then␣goes␣away"`,
			`C-a "true␣&&␣"`, `M-f M-f C-w`, `40x10`, `C-e C-k "x"`, `Enter`, `"printf␣'\\e[31mred\\e[0m␣%s\\n'␣日本語␣한국어␣👍" Enter`, `Up Up`, `C-r "long"`, `C-g`,
		}},
		{name: "progress bar", needs: "bash", argv: []string{"bash", "-c", `for i in {1..100}; do printf -v bar '%*s' $((i/2)); printf '\r\e[K[%-50s] %3d%%' "${bar// /#}" $i; done; echo; echo done; read`}, steps: []string{``, `70x12`}, ends: "done"},
		{name: "apt", needs: "apt-get", argv: []string{"sh", filepath.Join(testdata(), "apt.sh")}, steps: []string{``, `60x20`}, blur: regexp.MustCompile(`home\d{8}-\d{4}|Fetched.*`), ends: "done"},
		{name: "tmux inside", needs: "tmux", argv: []string{"sh", "-c", `tmux -u -S "$HOME/inner" -f /dev/null new-session 'seq 1 60; exec cat' \; set -g destroy-unattached on \; set -g assume-paste-time 0; read x`}, steps: []string{
			`C-b "%"`, `C-b Left`, `"typed" Enter`, `C-b "["`, `PageUp`, `"q"`, `70x16`,
		}, blur: regexp.MustCompile(`".*" \d\d:\d\d \d\d-...-\d\d|\[\d+\] \d:[^ ]*|\$ *|[a-z]+@.*`)},
		{name: "man", needs: "man", argv: []string{"man", "-l", "page.1"}, steps: []string{`Space`, `"g"`, `60x20`}},
		{name: "wide text", needs: "cat", argv: []string{"sh", "-c", "cat wide.txt; read x"}, steps: []string{``}},
		{name: "resize during output", needs: "seq", argv: []string{"sh", "-c", "seq 1 20000; read x"}, steps: []string{`60x20`, `100x30`, `80x24`}},
	}
}

// TestProgramsLookAsInTmux runs real programs in a Screen and in tmux, with the same keys and sizes: the same text after each step.
func TestProgramsLookAsInTmux(t *testing.T) {
	need(t, "tmux")
	for _, p := range programs(sleeper(t)) {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			need(t, p.needs)
			dir := home(t) // of its own: an editor that is ended leaves a file behind, which a file manager would list
			writeFiles(t, dir)
			a, b := startOurs(t, dir, p.argv, 80, 24), startTheirs(t, dir, p.argv, 80, 24)
			compare(t, p, "start", a, b)
			for _, step := range p.steps {
				perform(t, a, step)
				perform(t, b, step)
				compare(t, p, step, a, b)
			}
		})
	}
}

// testdata is the folder's absolute path: programs run elsewhere.
func testdata() string {
	dir, err := filepath.Abs("testdata")
	if err != nil {
		panic(err)
	}
	return dir
}

// sleeper starts a process that does nothing and returns its number.
func sleeper(t *testing.T) string {
	t.Helper()
	cmd := exec.Command("sleep", "600")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	return strconv.Itoa(cmd.Process.Pid)
}

func writeFiles(t *testing.T, dir string) {
	t.Helper()
	var wide strings.Builder
	for i := range 12 {
		fmt.Fprintf(&wide, "%s日本語の行 한국어 줄 %s\n", strings.Repeat("x", i), strings.Repeat("漢字", 30))
	}
	files := screentest.Files()
	files["wide.txt"] = wide.String()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// perform does one step in a terminal.
func perform(t *testing.T, term terminal, step string) {
	t.Helper()
	for _, word := range strings.Fields(step) {
		var cols, rows int
		if n, _ := fmt.Sscanf(word, "%dx%d", &cols, &rows); n == 2 {
			term.resize(t, cols, rows)
			continue
		}
		text, quoted := strings.CutPrefix(word, `"`)
		if !quoted {
			term.press(t, word)
			continue
		}
		term.write(t, strings.ReplaceAll(strings.TrimSuffix(text, `"`), "␣", " "))
	}
}

// compare waits until both terminals show the same.
func compare(t *testing.T, p program, step string, a, b terminal) {
	t.Helper()
	var ours, theirs []string
	again := time.NewTicker(20 * time.Millisecond)
	defer again.Stop()
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); <-again.C {
		ours, theirs = blurred(p, a.text(t)), blurred(p, b.text(t))
		if len(ours) > 0 && cmp.Equal(ours, theirs) && (p.ends == "" || slices.Contains(ours, p.ends)) {
			return
		}
	}
	t.Fatalf("after %s: screens differ (-tmux +ours):\n%s", step, cmp.Diff(theirs, ours))
}

func blurred(p program, text string) []string {
	lines := trimBlank(text)
	if p.blur == nil {
		return lines
	}
	for i, l := range lines {
		lines[i] = strings.Join(strings.Fields(p.blur.ReplaceAllString(l, "#")), " ")
	}
	return lines
}
