package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"

	"sallyport/console"
	"sallyport/console/copilot"
	"sallyport/console/gate"
	"sallyport/console/keys"
	"sallyport/console/remote"
	"sallyport/console/session"
)

// story plays the main job through the same code that a person uses and says
// what happened at each step.
type story struct {
	*stage
	out  io.Writer
	con  *console.Console
	host *console.Host
	says *scriptedOperator
	woke chan struct{}
	n    int
}

// storySecret is what a careless program prints; it is made up.
var storySecret = strings.Join([]string{"Tr0ub4dor", "harbour", "91"}, "-")

// lineEnd ends a line of a text inside JSON.
var lineEnd = regexp.MustCompile(`\\[rn]|"`)

const storyPatience = 30 * time.Second

func playStory(ctx context.Context, o demoOptions, out io.Writer) error {
	ctx, cancel := context.WithTimeout(ctx, 3*time.Minute)
	defer cancel()
	st, err := setStage(ctx, o)
	if err != nil {
		return err
	}
	defer st.close()
	s := &story{stage: st, out: out, says: &scriptedOperator{out: out}, woke: make(chan struct{}, 1)}
	if err := s.furnish(); err != nil {
		return err
	}
	if s.con, err = st.open(s.says, func(string) remote.Prompter { return nobody{} }); err != nil {
		return err
	}
	s.con.OnChange(s.wake)
	err = s.play(ctx)
	if cerr := s.con.Close(context.WithoutCancel(ctx)); err == nil {
		err = cerr
	}
	if err != nil {
		return fmt.Errorf("step %d: %w", s.n, err)
	}
	return s.prove()
}

func (s *story) play(ctx context.Context) error {
	for _, step := range []func(context.Context) error{
		s.connect, s.typeLine, s.chat, s.editAndSend, s.raise, s.deny, s.leak, s.killLinus,
	} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// furnish puts into the throwaway home what the story works on.
func (s *story) furnish() error {
	logs := filepath.Join(s.server.Home, "logs")
	if err := os.Mkdir(logs, 0o755); err != nil {
		return err
	}
	for _, name := range []string{"app.log", "app.log.1.gz", "app.log.2.gz"} {
		if err := os.WriteFile(filepath.Join(logs, name), bytes.Repeat([]byte("line of a log\n"), 400), 0o644); err != nil {
			return err
		}
	}
	status := "starting app\nconnecting to db: user=app password=" + storySecret + "\nready\n"
	return os.WriteFile(filepath.Join(s.server.Home, "start.log"), []byte(status), 0o644)
}

func (s *story) step(title string) {
	s.n++
	fmt.Fprintf(s.out, "\n%d. %s\n", s.n, title)
}

func (s *story) say(format string, args ...any) {
	fmt.Fprintf(s.out, "   "+format+"\n", args...)
}

func (s *story) wake() {
	select {
	case s.woke <- struct{}{}:
	default:
	}
}

// await waits until something holds; it looks whenever something changed.
func (s *story) await(ctx context.Context, what string, holds func() bool) error {
	ctx, cancel := context.WithTimeout(ctx, storyPatience)
	defer cancel()
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for !holds() {
		select {
		case <-s.woke:
		case <-tick.C:
		case <-ctx.Done():
			return fmt.Errorf("waited %v for %s: %w", storyPatience, what, ctx.Err())
		}
	}
	return nil
}

func (s *story) connect(ctx context.Context) error {
	s.step("Connect")
	host, err := s.con.Open(s.dest())
	if err != nil {
		return err
	}
	s.host = host
	if err := host.Ready(ctx); err != nil {
		return err
	}
	if err := s.atPrompt(ctx); err != nil {
		return err
	}
	t, v := host.Link().Target, host.Session().View()
	s.say("%s on port %d shows %s", s.dest(), t.Port, t.Fingerprint)
	s.say("shell %s, evidence %q%s", v.Shell, v.Evidence, degraded(v))
	s.say("log %s", s.auditDir)
	return nil
}

func degraded(v session.View) string {
	if v.Degraded == "" {
		return ""
	}
	return ": " + v.Degraded
}

func (s *story) atPrompt(ctx context.Context) error {
	return s.await(ctx, "the prompt", func() bool {
		sh := s.host.Session()
		return sh != nil && sh.View().State == session.Prompt
	})
}

// enter types a line as a person does and waits for its end.
func (s *story) enter(ctx context.Context, line string) (session.Command, error) {
	if err := s.atPrompt(ctx); err != nil {
		return session.Command{}, err
	}
	sh := s.host.Session()
	n := len(sh.Journal())
	for _, r := range line {
		sh.Key(keys.Rune(r))
	}
	sh.Key(keys.Press(keys.Enter, 0))
	return s.ended(ctx, n)
}

// ended waits for the end of command number n of the journal.
func (s *story) ended(ctx context.Context, n int) (session.Command, error) {
	sh := s.host.Session()
	var c session.Command
	err := s.await(ctx, "the command's end", func() bool {
		j := sh.Journal()
		if len(j) <= n {
			return false
		}
		c = j[n]
		return c.Status != session.InProgress
	})
	return c, err
}

func (s *story) result(c session.Command) {
	exit := "exit unknown"
	if c.Exit != nil {
		exit = "exit " + strconv.Itoa(*c.Exit)
	}
	s.say("%s%s   → %s, %d bytes, in %s", arrow(c), c.Line, exit, c.OutputBytes, c.Cwd)
}

func arrow(c session.Command) string {
	if c.Suggestion != nil {
		return "→ "
	}
	return "$ "
}

func (s *story) typeLine(ctx context.Context) error {
	s.step("Type a line: the policy judges it, it is recorded, it runs")
	c, err := s.enter(ctx, "df -h .")
	if err != nil {
		return err
	}
	s.result(c)
	return nil
}

func (s *story) chat(ctx context.Context) error {
	s.step("Ask Linus")
	const message = "/var is full, what's eating it?"
	s.say("you:   %s", message)
	if err := s.host.Chat(message); err != nil {
		return err
	}
	err := s.await(ctx, "Linus' suggestions", func() bool {
		st := s.host.Copilot().State()
		return len(st.Suggestions) >= 3 && st.Intent.Summary != "" && answered(st)
	})
	if err != nil {
		return err
	}
	s.show(s.host.Copilot().State())
	return nil
}

func answered(st copilot.State) bool {
	return len(st.Chat) > 0 && st.Chat[len(st.Chat)-1].From == copilot.Linus
}

func (s *story) show(st copilot.State) {
	s.say("linus: %s", firstLine(st.Chat[len(st.Chat)-1].Text.Line()))
	s.say("intent: %s", st.Intent.Summary.Line())
	mark := map[copilot.StepStatus]string{copilot.Done: "✓", copilot.Current: "▸", copilot.Pending: "○"}
	for _, step := range st.Intent.Steps {
		s.say("  %s %s", mark[step.Status], step.Text.Line())
	}
	for _, g := range st.Suggestions {
		d := s.host.Judge(g, string(g.Command))
		s.say("suggested: %s   linus says %s, policy says %s, %s", g.Command.Line(), g.Claimed, d.Risk, d.Effect)
	}
}

func firstLine(text string) string {
	const most = 100
	if r := []rune(text); len(r) > most {
		return string(r[:most]) + "…"
	}
	return text
}

// suggestion finds the first suggestion that the policy judges so.
func (s *story) suggestion(wanted func(copilot.Suggestion) bool) (copilot.Suggestion, error) {
	for _, g := range s.host.Copilot().State().Suggestions {
		if !g.Sent && wanted(g) {
			return g, nil
		}
	}
	return copilot.Suggestion{}, errors.New("no such command was suggested")
}

// scriptedOperator answers the gate's questions as the story wants.
type scriptedOperator struct {
	out    io.Writer
	answer func(gate.Question) gate.Answer
}

func (o *scriptedOperator) Ask(_ context.Context, q gate.Question) (gate.Answer, error) {
	fmt.Fprintf(o.out, "   asked: %s risk on %s: %s\n", q.Decision.Risk, q.Target.Asked, strconv.Quote(q.Text))
	for _, r := range q.Decision.Rules {
		fmt.Fprintf(o.out, "          rule %s: %s\n", r.ID, r.Message)
	}
	if q.Phrase != "" {
		fmt.Fprintf(o.out, "          type %q to send it\n", q.Phrase)
	}
	if o.answer == nil {
		return gate.Answer{}, errors.New("nobody is there to be asked")
	}
	return o.answer(q), nil
}

// nobody answers no question about keys and passwords.
type nobody struct{}

func (nobody) HostKey(context.Context, remote.HostKeyQuestion) (remote.HostKeyAnswer, error) {
	return remote.Leave, remote.ErrLeft
}

func (nobody) Secret(context.Context, string, bool) ([]byte, error) { return nil, remote.ErrLeft }

// received is every byte that Linus got so far.
func (s *story) received() []byte {
	b, _ := os.ReadFile(s.transcript)
	return b
}

func (s *story) leak(ctx context.Context) error {
	s.step("A program prints a credential: Linus gets a placeholder")
	c, err := s.enter(ctx, "cat start.log")
	if err != nil {
		return err
	}
	s.result(c)
	if err := s.await(ctx, "Linus to hear of it", func() bool {
		return bytes.Contains(s.received(), []byte("connecting to db"))
	}); err != nil {
		return err
	}
	got := s.received()
	if bytes.Contains(got, []byte(storySecret)) {
		return errors.New("the credential reached Linus")
	}
	at := bytes.LastIndex(got, []byte("connecting to db"))
	line := lineEnd.Split(string(got[at:]), 2)[0]
	var read string
	if err := json.Unmarshal([]byte(`"`+line+`"`), &read); err != nil {
		return err
	}
	s.say("the host printed  connecting to db: user=app password=%s", storySecret)
	s.say("Linus received    %s", read)
	return nil
}

func (s *story) killLinus(ctx context.Context) error {
	s.step("Linus is killed: the shell goes on")
	b, err := os.ReadFile(s.pidFile)
	if err != nil {
		return err
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(b)))
	if err != nil {
		return err
	}
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		return err
	}
	if err := s.await(ctx, "the copilot to be away", func() bool { return !s.host.Copilot().State().Online }); err != nil {
		return err
	}
	s.say("copilot offline: %s", s.host.Copilot().State().Reason)
	c, err := s.enter(ctx, "echo the shell goes on")
	if err != nil {
		return err
	}
	s.result(c)
	return nil
}
