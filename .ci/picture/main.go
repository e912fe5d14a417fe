// Command picture runs a program on a terminal of its own, plays a story on it
// and draws the screen as SVG: the pictures of the README are made so.
//
//	go run ./.ci/picture -size 120x36 -story FILE -out DIR -- PROGRAM ARGS
//
// A story has one step a line: `wait TEXT` (until the screen shows it), `gone
// TEXT`, `type TEXT`, `keys NAME …` (names of package keys), `quiet DURATION`,
// `picture NAME` (writes NAME.svg). Lines that begin with # are notes.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/creack/pty"

	"sallyport/console/keys"
	"sallyport/console/screen"
)

const patience = 30 * time.Second

func main() {
	size := flag.String("size", "120x36", "columns and rows")
	story := flag.String("story", "", "file with the story")
	out := flag.String("out", ".", "folder for the pictures")
	light := flag.Bool("light", false, "draw on a light ground")
	flag.Parse()
	if err := run(*size, *story, *out, *light, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "picture:", err)
		os.Exit(1)
	}
}

func run(size, story, out string, light bool, args []string) error {
	var cols, rows int
	if _, err := fmt.Sscanf(size, "%dx%d", &cols, &rows); err != nil || len(args) == 0 {
		return errors.New("usage: picture [-size COLSxROWS] -story FILE [-out DIR] -- PROGRAM ARGS")
	}
	text, err := os.ReadFile(story)
	if err != nil {
		return err
	}
	p, err := start(cols, rows, light, args)
	if err != nil {
		return err
	}
	defer p.end()
	p.out = out
	for i, l := range strings.Split(string(text), "\n") {
		if err := p.step(strings.TrimSpace(l)); err != nil {
			return fmt.Errorf("%s:%d: %w\n%s", story, i+1, err, p.text())
		}
	}
	return nil
}

// player is the program that is played on.
type player struct {
	cmd   *exec.Cmd
	tty   *os.File
	out   string
	light bool

	mu     sync.Mutex
	screen *screen.Screen
}

func start(cols, rows int, light bool, args []string) (*player, error) {
	p := &player{cmd: exec.Command(args[0], args[1:]...), light: light, screen: screen.New(cols, rows, screen.Options{})}
	p.cmd.Env = append(os.Environ(), "TERM=xterm-256color", "COLORTERM=truecolor", "LC_ALL=C.UTF-8")
	tty, err := pty.StartWithSize(p.cmd, &pty.Winsize{Cols: uint16(cols), Rows: uint16(rows)})
	if err != nil {
		return nil, err
	}
	p.tty = tty
	go p.read()
	return p, nil
}

func (p *player) read() {
	buf := make([]byte, 64<<10)
	for {
		n, err := p.tty.Read(buf)
		if err != nil {
			return
		}
		if bytes.Contains(buf[:n], []byte("\x1b]11;?")) {
			_, _ = p.tty.WriteString(p.background())
		}
		p.mu.Lock()
		_, _ = p.screen.Write(buf[:n])
		p.mu.Unlock()
	}
}

// background answers the program's question for the ground's colour.
func (p *player) background() string {
	if p.light {
		return "\x1b]11;rgb:fbfb/fbfb/f9f9\x1b\\"
	}
	return "\x1b]11;rgb:1414/1717/1c1c\x1b\\"
}

// end hangs up, as a closed window does, and does not wait for ever.
func (p *player) end() {
	_ = p.cmd.Process.Signal(syscall.SIGHUP)
	last := time.AfterFunc(5*time.Second, func() { _ = p.cmd.Process.Kill() })
	defer last.Stop()
	_ = p.cmd.Wait()
	_ = p.tty.Close()
}

func (p *player) text() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.screen.Text()
}

func (p *player) step(l string) error {
	verb, rest, _ := strings.Cut(l, " ")
	switch verb {
	case "", "#":
		return nil
	case "wait":
		return p.until(rest, true)
	case "gone":
		return p.until(rest, false)
	case "type":
		return p.typed(rest)
	case "keys":
		return p.press(strings.Fields(rest))
	case "quiet":
		d, err := time.ParseDuration(rest)
		time.Sleep(d)
		return err
	case "picture":
		return p.picture(rest)
	}
	return fmt.Errorf("%q is no step", verb)
}

func (p *player) until(text string, there bool) error {
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		if strings.Contains(p.text(), text) == there {
			return nil
		}
	}
	return fmt.Errorf("waited %v for %q (there: %v)", patience, text, there)
}

// typed types as a person does, key by key.
func (p *player) typed(text string) error {
	for _, r := range text {
		if _, err := p.tty.WriteString(string(r)); err != nil {
			return err
		}
		time.Sleep(25 * time.Millisecond)
	}
	return nil
}

func (p *player) press(names []string) error {
	for _, n := range names {
		k, err := keys.Parse(n)
		if err != nil {
			return err
		}
		if _, err := p.tty.Write(keys.Encode(k, keys.Modes{})); err != nil {
			return err
		}
		time.Sleep(80 * time.Millisecond)
	}
	return nil
}

func (p *player) picture(name string) error {
	p.mu.Lock()
	svg := draw(p.screen, p.light)
	p.mu.Unlock()
	return os.WriteFile(filepath.Join(p.out, name+".svg"), []byte(svg), 0o644)
}
