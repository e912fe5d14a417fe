package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"

	"golang.org/x/term"

	"sallyport/console/gate"
	"sallyport/console/remote"
	"sallyport/console/safetext"
)

// unasked is a line that nobody could be asked about: why it needs a person.
type unasked struct{ q gate.Question }

func (e *unasked) Error() string {
	why := e.q.Decision.Risk.String() + " risk"
	for _, r := range e.q.Decision.Rules {
		why += "; " + safetext.Line(r.ID) + ": " + strings.TrimSuffix(safetext.Line(r.Message), ".")
	}
	return "this needs a person's consent and there is no terminal to ask on (" + why + ")"
}

// hint is how to see why, and what else there is to do.
func (e *unasked) hint() string {
	return "sallyport policy explain -- " + quoteWords(safetext.Line(e.q.Text)) + " says why; a terminal is needed to be asked on"
}

// unknownHere is a host's key that nobody could be asked about.
type unknownHere struct{ q remote.HostKeyQuestion }

func (e *unknownHere) Error() string {
	return strings.TrimSuffix(e.q.Text(), ".") + ", and there is no terminal to ask on"
}

// hint is how the key gets known without a question.
func (e *unknownHere) hint() string {
	file := e.q.File
	if file == "" {
		file = "the file that UserKnownHostsFile names"
	}
	return "connect once from a terminal, or add the key to " + file + ": what `ssh-keyscan` prints for the host, once its fingerprint is the one your admin gave you"
}

// plainOperator asks on the controlling terminal, without a screen.
type plainOperator struct {
	mu  sync.Mutex
	tty func() (*os.File, error)
	err io.Writer
}

func newPlainOperator(stderr io.Writer) *plainOperator {
	return &plainOperator{tty: func() (*os.File, error) { return os.OpenFile("/dev/tty", os.O_RDWR, 0) }, err: stderr}
}

// Ask shows the question and takes a line as the answer.
func (o *plainOperator) Ask(_ context.Context, q gate.Question) (gate.Answer, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	tty, err := o.tty()
	if err != nil {
		return gate.Answer{}, &unasked{q}
	}
	defer tty.Close()
	o.show(tty, q)
	line, err := readLine(tty)
	if err != nil {
		return gate.Answer{}, err
	}
	if q.Phrase != "" {
		return gate.Answer{Send: line == q.Phrase, Typed: line}, nil
	}
	return gate.Answer{Send: line == "y" || line == "yes"}, nil
}

func (o *plainOperator) show(w io.Writer, q gate.Question) {
	fmt.Fprintf(w, "%s RISK   %s@%s\n  %s\n", strings.ToUpper(q.Decision.Risk.String()), safetext.Line(q.Target.Account), safetext.Line(q.Target.Asked), safetext.Line(q.Text))
	for _, r := range q.Decision.Rules {
		fmt.Fprintf(w, "  %s: %s\n", r.ID, r.Message)
		if r.Alternative != "" {
			fmt.Fprintf(w, "    instead: %s\n", r.Alternative)
		}
	}
	if q.Phrase != "" {
		fmt.Fprintf(w, "Type  %s  to send it: ", q.Phrase)
		return
	}
	fmt.Fprint(w, "[y] send it  [n] do not send: ")
}

func readLine(r io.Reader) (string, error) {
	line, err := bufio.NewReader(r).ReadString('\n')
	if err != nil && line == "" {
		return "", err
	}
	return strings.TrimRight(line, "\r\n"), nil
}

func (o *plainOperator) prompter(string) remote.Prompter { return plainPrompter{o} }

// plainPrompter asks what connecting needs to know.
type plainPrompter struct{ o *plainOperator }

func (p plainPrompter) HostKey(_ context.Context, q remote.HostKeyQuestion) (remote.HostKeyAnswer, error) {
	tty, err := p.o.tty()
	if err != nil {
		return remote.Leave, &unknownHere{q}
	}
	defer tty.Close()
	fmt.Fprintf(tty, "%s\n[y] trust and remember  [o] once  [n] leave: ", q.Text())
	line, err := readLine(tty)
	if err != nil {
		return remote.Leave, err
	}
	switch line {
	case "y":
		return remote.Remember, nil
	case "o":
		return remote.Once, nil
	}
	return remote.Leave, remote.ErrLeft
}

func (p plainPrompter) Secret(_ context.Context, prompt string, echo bool) ([]byte, error) {
	tty, err := p.o.tty()
	if err != nil {
		return nil, fmt.Errorf("%s: there is no terminal to ask on", strings.TrimRight(prompt, ": "))
	}
	defer tty.Close()
	fmt.Fprint(tty, prompt)
	if echo {
		line, err := readLine(tty)
		return []byte(line), err
	}
	defer fmt.Fprintln(tty)
	return term.ReadPassword(int(tty.Fd()))
}
