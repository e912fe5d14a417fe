package session

import (
	"slices"
	"strings"

	"sallyport/audit"
	"sallyport/console/gate"
	"sallyport/policy"
	"sallyport/redact"
)

// What an account binds to keys, completion and prompts runs while a line is
// edited, with nobody asked. It is listed before the first prompt, and the
// policy says whether it may stay; where it may not, lines are composed here.

// firstPrompt decides about the account's own code and goes to the prompt.
func (l *loop) firstPrompt(f *frame) {
	list := strings.Join(l.userCode, "\n")
	if list == "" || list == l.letCode {
		l.boot = notBooting
		l.atPrompt(f)
		return
	}
	l.boot = listed
	req := gate.Request{Kind: gate.Code, Origin: policy.Human, Text: list, Dialect: policy.Text, Evidence: f.evidence()}
	l.start(func() func() {
		l.records.settle()
		_, err := l.cfg.Gate.Submit(l.ctx, l.cfg.Slot, req)
		return func() { l.codeJudged(f, list, err) }
	})
}

func (l *loop) codeJudged(f *frame, list string, err error) {
	if l.state != Boot || l.boot != listed || l.top() != f {
		return
	}
	switch {
	case err == nil:
		l.letCode = list
		l.boot = notBooting
		l.atPrompt(f)
	case len(l.frames) > 1:
		l.note(err)
		l.alarmed("the shell inside has code of its own on its keys: its keys are held; ^C or ^D ends it")
		l.pop(len(l.frames) - 1)
	default:
		l.note(err)
		l.plain("the account has code of its own on its keys: " + err.Error())
	}
}

// tainting are constructs after which a shell can run text that no line shows.
var tainting = []string{"alias", "function", "shadow", "trap", "eval_unknown", "unseen_code"}

// taint notes what a command that starts can leave behind in its shell.
func (l *loop) taint(line string, facts []policy.Fact) {
	what := gate.BindsCode(line, facts)
	for i := range facts {
		for _, c := range facts[i].Constructs {
			if slices.Contains(tainting, c) {
				what = append(what, c)
			}
		}
		if p := facts[i].Program; p == "." || p == "source" {
			what = append(what, "source")
		}
	}
	fresh := slices.DeleteFunc(what, func(w string) bool { return slices.Contains(l.tainted, w) })
	if fresh = slices.Compact(slices.Sorted(slices.Values(fresh))); len(fresh) == 0 {
		return
	}
	l.tainted = append(l.tainted[:len(l.tainted):len(l.tainted)], fresh...)
	ev := audit.SessionBoot[redact.Text]{Stage: redact.Literal("tainted"), Shell: l.text(l.shell().String())}
	for _, w := range fresh {
		ev.UserCode = append(ev.UserCode, l.text(w))
	}
	l.records.append(ev)
}
