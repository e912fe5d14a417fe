package runbook

import (
	"context"
	"strings"
	"testing"
	"testing/fstest"

	"sallyport/console/copilot"
)

func shipped(t *testing.T) []*Book {
	t.Helper()
	books, err := Load(Embedded())
	if err != nil {
		t.Fatal(err)
	}
	return books
}

func answer(t *testing.T, e *Engine, c Call) copilot.Envelope {
	t.Helper()
	if c.Session == "" {
		c.Session = "s"
	}
	env, err := e.Answer(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	return env
}

// opened is the runbook that an example opens in a fresh session.
func opened(t *testing.T, books []*Book, x Example) string {
	t.Helper()
	e := NewEngine(books)
	c := Call{Kind: Chat, Message: x.Message}
	if x.Message == "" {
		one := 1
		c = Call{Kind: Executed, Command: x.Command, Output: x.Output, Exit: &one, Final: true}
	}
	answer(t, e, c)
	if p := e.plans["s"]; p.book != nil {
		return p.book.Name
	}
	return ""
}

func TestRunbooksOpenOnTheirExamplesAndNotOnTheOthers(t *testing.T) {
	books := shipped(t)
	if len(books) < 20 {
		t.Errorf("%d runbooks", len(books))
	}
	for _, b := range books {
		if b.Name != Triage && (len(b.Examples) < 2 || len(b.Counters) == 0) {
			t.Errorf("%s: too few examples", b.Name)
		}
		for _, x := range b.Examples {
			if got := opened(t, books, x); got != b.Name {
				t.Errorf("%s: %+v opens %q", b.Name, x, got)
			}
		}
		for _, x := range b.Counters {
			if got := opened(t, books, x); got == b.Name {
				t.Errorf("%s: opens on %+v", b.Name, x)
			}
		}
	}
}

// TestFirstStepsOnlyLook: what a runbook suggests first is low risk.
func TestFirstStepsOnlyLook(t *testing.T) {
	for _, b := range shipped(t) {
		for _, c := range b.Steps[0].Commands {
			if c.Risk != "low" {
				t.Errorf("%s: %s is %s", b.Name, c.Command, c.Risk)
			}
		}
	}
}

// TestEveryStepCanBeDone: the first command of each step, as it is suggested, does it.
func TestEveryStepCanBeDone(t *testing.T) {
	for _, b := range shipped(t) {
		for i, s := range b.Steps {
			for _, c := range s.Commands {
				p := newPlan()
				p.user = "root"
				p.open(b)
				for name, v := range p.vars {
					if v == "" {
						p.vars[name] = "4711"
					}
				}
				for j := range i {
					p.done[j] = true
				}
				if line := p.fillIn(c.Command); !p.complete(line, "") && !isSide(c, s) {
					t.Errorf("%s, step %d: %q does not do it", b.Name, i+1, line)
				}
			}
		}
	}
}

// isSide tells whether a command only adds to another one of its step.
func isSide(c Command, s Step) bool { return len(s.Commands) > 1 && c.Command != s.Commands[0].Command }

func TestSuggestedCommandsAreWithinBounds(t *testing.T) {
	for _, b := range shipped(t) {
		for _, s := range b.Steps {
			for _, c := range s.Commands {
				if len(c.Description) > 120 || c.Description == "" {
					t.Errorf("%s: description of %q", b.Name, c.Command)
				}
				if strings.Contains(c.Command, "  ") || strings.HasPrefix(c.Command, " ") {
					t.Errorf("%s: blanks in %q", b.Name, c.Command)
				}
			}
		}
	}
}

func TestLoadSaysWhatIsWrongWhere(t *testing.T) {
	good := "title='a'\nsummary='b'\n[[step]]\ntext='c'\n"
	for _, c := range []struct{ text, says string }{
		{"title = 'a'\nsummary='b'\n", "no step"},
		{good + "[when]\nmessage=['(']\n", "missing closing"},
		{good + "colour = 'red'\n", "unknown key step.colour"},
		{"title=\n", "line 1"},
		{"title='a'\nsummary='{x}'\n[[step]]\ntext='c'\n", "{x}"},
		{good + "[[step.command]]\ncommand='ls'\nrisk='tiny'\n", "risk"},
		{good + "[[step.command]]\ncommand=\"ls\\nrm x\"\nrisk='low'\n", "one line"},
		{good + "[[var]]\nname='v'\ndefault='$(id)'\n", "plain word"},
	} {
		_, err := Load(fstest.MapFS{"x.toml": {Data: []byte(c.text)}})
		if err == nil || !strings.Contains(err.Error(), c.says) || !strings.HasPrefix(err.Error(), "x.toml: ") {
			t.Errorf("%q: %v, want %q", c.text, err, c.says)
		}
	}
	if _, err := Load(fstest.MapFS{}); err == nil {
		t.Error("an empty folder is no error")
	}
}
