package main

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sallyport/console/remote/sshdtest"
	"sallyport/console/screen/screentest"
)

// place is a real tmux in which a person sits at one host: through the console,
// or with plain ssh. Both are made so that the host's terminal has one size.
type place struct {
	t       *testing.T
	d       *tmuxDisplay
	console bool
	asked   time.Time // when the console's question was answered last
	shells  string    // the host's file with the process of each login shell, a line each
}

// The console has a gutter at the left, a header and a status line.
const gutterCols, frameRows = 1, 2

func sitAt(t *testing.T, console bool, command string, cols, rows int) *place {
	t.Helper()
	p := &place{t: t, console: console}
	p.d = &tmuxDisplay{path: sshdtest.Need(t, "tmux"), socket: filepath.Join(t.TempDir(), "tmux"), env: append(os.Environ(), "TMUX=", "SSH_AUTH_SOCK=", "LANG=C.UTF-8")}
	conf := filepath.Join(t.TempDir(), "conf")
	settings := "set -g status off\nset -g default-terminal xterm-256color\nset -s escape-time 0\nset -g remain-on-exit on\n"
	if err := os.WriteFile(conf, []byte(settings), 0o600); err != nil {
		t.Fatal(err)
	}
	w, h := p.outer(cols, rows)
	p.tmux("-f", conf, "new-session", "-d", "-x", strconv.Itoa(w), "-y", strconv.Itoa(h), command)
	t.Cleanup(p.d.close)
	return p
}

func (p *place) outer(cols, rows int) (w, h int) {
	if p.console {
		return cols + gutterCols, rows + frameRows
	}
	return cols, rows
}

func (p *place) tmux(args ...string) {
	p.t.Helper()
	if _, err := p.d.run(append([]string{"-u"}, args...)...); err != nil {
		p.t.Fatalf("tmux %q: %v", args, err)
	}
}

// host is what the host's terminal shows, row by row.
func (p *place) host() []string {
	rows := strings.Split(p.d.text(), "\n")
	if p.console {
		rows = rows[1:max(len(rows)-2, 1)]
		for i, r := range rows {
			if runes := []rune(r); len(runes) > 0 {
				rows[i] = string(runes[gutterCols:])
			}
		}
	}
	for i := range rows {
		rows[i] = strings.TrimRight(rows[i], " ")
	}
	for len(rows) > 0 && rows[len(rows)-1] == "" {
		rows = rows[:len(rows)-1]
	}
	return rows
}

// consent answers what the console asks of its operator, as one would who wants
// the program: it is not the host's to show.
func (p *place) consent() {
	text := p.d.text()
	if !p.console || time.Since(p.asked) < 700*time.Millisecond {
		return
	}
	switch {
	case strings.Contains(text, "y  send it  "), strings.Contains(text, "y  let it have the keys  "):
		p.tmux("send-keys", "y")
	case strings.Contains(text, "it should be:"):
		p.tmux("send-keys", "Enter")
	case strings.Contains(text, "✕ DENIED") && strings.Contains(text, "\n ready>\n"): // keys of a program that has ended
		p.tmux("send-keys", "BSpace")
	default:
		return
	}
	p.asked = time.Now()
}

// tmuxKeys are the keys that tmux calls otherwise.
var tmuxKeys = map[string]string{"PageDown": "NPage", "PageUp": "PPage", "Backspace": "BSpace", "Delete": "DC"}

// do does one step: names of keys, text in quotes (␣ is a blank), a size.
func (p *place) do(step string) {
	p.t.Helper()
	for _, word := range strings.Fields(step) {
		var cols, rows int
		if n, _ := fmt.Sscanf(word, "%dx%d", &cols, &rows); n == 2 {
			w, h := p.outer(cols, rows)
			p.tmux("resize-window", "-x", strconv.Itoa(w), "-y", strconv.Itoa(h))
			continue
		}
		if text, ok := strings.CutPrefix(word, `"`); ok {
			p.tmux("send-keys", "-l", "--", strings.ReplaceAll(strings.TrimSuffix(text, `"`), "␣", " "))
			continue
		}
		if name, ok := tmuxKeys[word]; ok {
			word = name
		}
		p.tmux("send-keys", word)
	}
}

// seen is a program, how it is started, what is done in it, and how it is left.
type seen struct {
	name, needs, line string
	steps             []string
	more              []string // at night
	leave             string
	blur              *regexp.Regexp // what is different in each run
}

var anyNumber = regexp.MustCompile(` *[0-9]+(\.[0-9]+)?`)

var programsSeen = []seen{
	{
		name: "vim", needs: "vim", line: "vim -Z -u NONE -i NONE -n -N files/code.go",
		steps: []string{`"G"`, `":set␣number" Enter`, `"gg" "10j" "dd" "p"`, `":vsplit" Enter`, `60x15`, `"O" "日本語とemoji␣👍"`, `Escape`, `80x24`},
		more:  []string{`C-f`, `"/line␣77" Enter`, `":syntax␣on" Enter`, `100x30`, `80x24`},
		leave: `":qa!" Enter`,
	},
	{
		name: "less", needs: "less", line: "env LESSSECURE=1 less -R files/colours.txt",
		steps: []string{`Space`, `"G"`, `"/needle" Enter`, `PageUp`, `60x15`, `80x24`},
		more:  []string{`Up`, `"g"`, `"-S" Enter`, `Right`, `"G"`},
		leave: `"q"`,
	},
	{
		name: "nano", needs: "nano", line: "nano -I files/code.go",
		steps: []string{`PageDown`, `C-w "line␣90" Enter`, `"inserted␣漢字"`, `C-k`, `60x16`, `80x24`},
		leave: `C-x "n"`,
	},
	{
		name: "mc", needs: "mc", line: "mc -u -a --nosubshell files files",
		steps: []string{`Down Down`, `F3`, `F10`, `Tab`, `100x20`, `80x24`},
		more:  []string{`F9`, `Escape`},
		leave: `F10`,
		blur:  regexp.MustCompile(`[0-9]+(\.[0-9]+)?[KMGT]?/[0-9]+[KMGT]? \([0-9]+%\)|Hint:.*`),
	},
	{
		name: "htop", needs: "htop", line: "htop -d 100 --no-mouse -p 1",
		steps: []string{`F2`, `F10`}, leave: `"q"`,
		blur: regexp.MustCompile(`[0-9.:%|MGKh/]+|\b(Mem|Swp)\b.*`),
	},
	{name: "top", needs: "top", line: "top -d 30 -p 1", leave: `"q"`, blur: anyNumber},
	{
		name: "man", needs: "man", line: "man -l files/page.1",
		steps: []string{`Space`, `"g"`, `60x20`, `80x24`}, leave: `"q"`,
		blur: regexp.MustCompile(`^ *ready>$`), // tmux may forget the column when the size changes under a pager
	},
	{name: "apt", needs: "apt-get", line: "sh files/apt.sh", blur: regexp.MustCompile(`tmp\.\w+|Fetched.*`)},
	{name: "tmux", needs: "tmux", line: `sh files/inner.sh`, blur: regexp.MustCompile(`".*" \d\d:\d\d \d\d-...-\d\d|\[\w+\].*`)},
	{name: "progress bar", needs: "bash", line: "bash files/bar.sh", steps: []string{`70x16`, `80x24`}},
	{name: "wide text", needs: "cat", line: "cat files/wide.txt", steps: []string{`60x20`, `80x24`}},
	{name: "resize during output", needs: "seq", line: "seq 1 30000", steps: []string{`60x20 100x30 80x24`}},
	{
		name: "readline", needs: "bash", line: `printf '\e[31mred\e[0m %s\n' 日本語 한국어 👍`,
		steps: []string{
			`"echo␣" "a␣long␣line␣that␣wraps␣at␣the␣margin,␣is␣edited␣at␣its␣start␣and␣in␣its␣middle,␣and␣then␣goes␣away"`,
			`C-a "true␣&&␣"`, `M-f M-f C-w`, `C-e C-k "x"`, `Enter`, `Up Up`, `C-r "long"`, `C-g`,
		},
		leave: `C-c`,
	},
}

// TestProgramsThroughTheConsole runs programs on a real host through the whole
// console and with plain ssh, each in a real tmux, with the same keys and
// sizes: after every step the host's terminal looks the same.
func TestProgramsThroughTheConsole(t *testing.T) {
	h := hostOfPrograms(t)
	a, b := bothAt(t, h)
	for _, p := range programsSeen {
		ok := t.Run(p.name, func(t *testing.T) {
			sshdtest.Need(t, p.needs)
			a.t, b.t = t, t
			p.compare(a, b)
		})
		if !ok {
			a, b = bothAt(t, h) // the next program begins anew
		}
	}
}

// compare runs a program at both places.
func (p seen) compare(a, b *place) {
	steps := append([]string{`"clear" Enter`, typed(p.line)}, p.steps...)
	if os.Getenv("SALLYPORT_NIGHTLY") != "" {
		steps = append(steps, p.more...)
	}
	for _, step := range steps {
		a.do(step)
		b.do(step)
		p.await(step, a, b, func() bool { return true })
	}
	a.do(p.leave)
	b.do(p.leave)
	p.await("its end", a, b, func() bool { return a.atPrompt() && b.atPrompt() })
}

// asleep tells whether what has the host's terminals, the console's and plain
// ssh's, waits: a program that still begins may show all that it will show and
// throw away what is typed.
func (p *place) asleep() bool {
	shells, _ := os.ReadFile(p.shells)
	for _, pid := range strings.Fields(string(shells)) {
		stat := statOf(pid)
		if len(stat) < 6 {
			continue // has ended
		}
		foreground := stat[5]
		all, _ := filepath.Glob("/proc/[0-9]*")
		for _, dir := range all {
			if s := statOf(filepath.Base(dir)); len(s) > 2 && s[2] == foreground && (s[0] == "R" || s[0] == "D") {
				return false
			}
		}
	}
	return true
}

// statOf gives what /proc says of a process behind its name: state, parent,
// process group, session, terminal, the terminal's foreground group.
func statOf(pid string) []string {
	text, _ := os.ReadFile("/proc/" + pid + "/stat")
	_, rest, _ := strings.Cut(string(text), ") ")
	return strings.Fields(rest)
}

// atPrompt tells whether a line would be the shell's.
func (p *place) atPrompt() bool {
	rows := p.host()
	return len(rows) > 0 && strings.TrimSpace(rows[len(rows)-1]) == "ready>" && (!p.console || !strings.Contains(p.d.text(), "keys to "))
}

// typed is a step that types a line and Enter.
func typed(line string) string { return `"` + strings.ReplaceAll(line, " ", "␣") + `" Enter` }

// await waits until both show the same, and neither is about to change.
func (p seen) await(step string, a, b *place, ready func() bool) {
	a.t.Helper()
	var ours, theirs []string
	again := time.NewTicker(40 * time.Millisecond)
	defer again.Stop()
	begun := time.Now()
	for end, equal := begun.Add(20*time.Second), 0; time.Now().Before(end); <-again.C {
		a.consent()
		ours, theirs = p.blurred(a.host()), p.blurred(b.host())
		if len(theirs) == 0 || !cmp.Equal(ours, theirs) || !ready() || !a.asleep() {
			equal = 0
			continue
		}
		if equal++; equal >= 2 {
			a.t.Logf("%5d ms  %s", time.Since(begun).Milliseconds(), step)
			return
		}
	}
	a.t.Fatalf("after %s the screens differ (-ssh +console):\n%s\nthe console:\n%s", step, cmp.Diff(theirs, ours), a.d.text())
}

func (p seen) blurred(rows []string) []string {
	if p.blur == nil {
		return rows
	}
	for i, l := range rows {
		rows[i] = strings.Join(strings.Fields(p.blur.ReplaceAllString(l, "#")), " ")
	}
	return rows
}

// bothAt sits down at the host through the console and with plain ssh.
func bothAt(t *testing.T, h *sshdtest.Server) (console, plain *place) {
	t.Helper()
	config := h.Direct(t)
	program, err := exec.LookPath("sallyport") // testscript puts it there
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	here := []string{"env", "HOME=" + home, "XDG_CONFIG_HOME=" + home, "XDG_STATE_HOME=" + home, "COLORTERM=truecolor", program}
	console = sitAt(t, true, quoteWords(append(here, "-F", config, "--embedded-only", "--no-copilot", "--audit-dir", filepath.Join(home, "log"), "host")...), 80, 24)
	plain = sitAt(t, false, quoteWords(sshdtest.Need(t, "ssh"), "-F", config, "host"), 80, 24)
	for _, p := range []*place{console, plain} {
		p.shells = filepath.Join(h.Home, "shells")
		if !p.d.await(func(text string) bool { return strings.Contains(text, "ready>") }) {
			t.Fatalf("no prompt:\n%s", p.d.text())
		}
	}
	if !console.d.await(func(text string) bool { return strings.Contains(text, "exact") }) {
		t.Fatalf("the shell is not framed:\n%s", console.d.text())
	}
	console.tmux("send-keys", "C-]", "?", "q") // the welcome goes
	return console, plain
}

// hostOfPrograms is a real host with something to look at in its folder files.
func hostOfPrograms(t *testing.T) *sshdtest.Server {
	t.Helper()
	h := sshdtest.Start(t, sshdtest.Options{Shell: "bash", Files: map[string]string{
		".bash_profile": "echo $$ >> shells\nPS1='ready> '\nexport LANG=C.UTF-8 LC_ALL=C.UTF-8 LESSHISTFILE=- TERM=xterm-256color\nunset HISTFILE PROMPT_COMMAND\n",
	}})
	dir := filepath.Join(h.Home, "files")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range filesSeen(t) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return h
}

func filesSeen(t *testing.T) map[string]string {
	t.Helper()
	var wide strings.Builder
	for i := range 9 {
		fmt.Fprintf(&wide, "%s日本語の行 한국어 줄 👍🚀 %s\n", strings.Repeat("x", i), strings.Repeat("漢字", 20))
	}
	apt, err := os.ReadFile("../../console/screen/testdata/apt.sh")
	if err != nil {
		t.Fatal(err)
	}
	files := screentest.Files()
	maps.Copy(files, map[string]string{
		"wide.txt": wide.String(),
		"apt.sh":   "HOME=$(mktemp -d)\n" + strings.TrimSuffix(strings.TrimSpace(string(apt)), "read x") + "rm -rf \"$HOME\"\n",
		"bar.sh":   "for i in {1..100}; do printf -v bar '%*s' $((i/2)); printf '\\r\\e[K[%-50s] %3d%%' \"${bar// /#}\" $i; done; echo; echo done\n",
		"inner.sh": "s=$(mktemp -u)\nexec tmux -u -S $s -f /dev/null new-session 'seq 1 60; printf \"\\033[32mgreen\\033[0m 日本語\\n\"; exec sleep 3'\n",
	})
	return files
}
