package session_test

import (
	"strings"
	"testing"

	"sallyport/console/screen"
	"sallyport/console/session"
)

// row is the text of a row of the screen.
func (r *rig) row(id screen.RowID) string {
	r.t.Helper()
	var b strings.Builder
	r.s.Screen(func(s *screen.Screen) {
		y, ok := s.Find(id)
		if !ok {
			r.t.Errorf("no row %d", id)
			return
		}
		cols, _ := s.Size()
		for x := range cols {
			b.WriteString(s.Glyph(s.Line(y).Cell(x)))
		}
	})
	return b.String()
}

func TestACommandsRowIsThatOfItsPrompt(t *testing.T) {
	r := start(t, setup{shell: "bash", files: map[string]string{".bash_profile": "PS1='first\\nsecond> '\n"}})
	for i, lines := range [][]string{
		{"printf 'a\\nb\\nc\\n'"},
		{"for i in 1 2; do", "echo $i", "done"},
		{"seq 100"},
		{"echo '" + strings.Repeat("wide ", 40) + "'"},
	} {
		r.state(session.Prompt)
		r.typed(strings.Join(lines, "<Enter>") + "<Enter>")
		c := r.ended(i)
		if c.Status != session.Completed {
			t.Errorf("got %+v", c)
		}
		typed, ok := strings.CutPrefix(strings.TrimRight(r.row(c.Row), " "), "second> ")
		if !ok || typed == "" || !strings.HasPrefix(lines[0], typed) {
			t.Errorf("%q has the row %q", lines[0], r.row(c.Row))
		}
	}
}

// prefixes begin something in readline that would take the next key.
var prefixes = []string{"<Escape>", "<C-x>", "<C-v>", "<C-]>"}

func TestAKeyThatWaitsForAnotherDoesNotTakeTheConsolesOwn(t *testing.T) {
	r := start(t, setup{shell: "bash"})
	for _, k := range prefixes {
		r.state(session.Prompt)
		r.typed(k)
		if c := r.send("echo sent", "echo sent"); c.Line != "echo sent" {
			t.Errorf("a suggestion after %s: %q", k, c.Line)
		}
		r.state(session.Prompt)
		n := len(r.s.Journal())
		r.typed(k)
		r.s.Paste("echo pasted")
		r.typed("<Enter>")
		if c := r.ended(n); c.Line != "echo pasted" {
			t.Errorf("a paste after %s: %q", k, c.Line)
		}
	}
	if v := r.s.View(); v.Alarms > 0 || v.Degraded != "" {
		t.Errorf("view %+v", v)
	}
}

// oldReport is a report of the line "true" that is not the shell's newest,
// with the nonce of the last verdict that was sent.
func oldReport(p *peer) string {
	all := secrets(p.sent(0))
	return "\x1b]7770;" + all[len(all)-2] + ";R;12345;q;4;true;UTF-8;comments\x07"
}

func TestAVerdictOnAnOlderReportIsAskedAnewOnce(t *testing.T) {
	r, p, _ := onPeer(t, "bash", nil)
	f := p.home + "/made"
	r.run("true")
	r.state(session.Prompt)
	r.typed("echo x >>" + f)
	r.quiet()
	p.lie(1, oldReport(p))
	r.typed("<Enter>")
	c := r.ended(1)
	if c.Line != "echo x >>"+f || !exists(f) {
		t.Errorf("got %+v", c)
	}
	if v := r.s.View(); v.Alarms > 0 {
		t.Errorf("alarm: %s", v.Alarm)
	}
	r.until("the outcome of what was not sent", func() bool {
		o := r.records("command.outcome")
		return len(o) == 3 && o[1]["status"] == "not_sent"
	})
	r.state(session.Prompt)
	r.typed("touch " + f + "2")
	r.quiet()
	p.lie(2, oldReport(p))
	r.typed("<Enter>")
	r.until("an alarm", func() bool { return r.s.View().Alarms > 0 })
	r.state(session.Prompt)
	if exists(f+"2") || len(r.s.Journal()) != 2 {
		t.Error("a verdict on another report ran a line")
	}
}

// fish loses a ^C that comes while a key's function runs. A line that it kept
// is emptied: what is typed next is not appended to it.
func TestALineThatSurvivesTheInterruptIsEmptied(t *testing.T) {
	r, p, _ := onPeer(t, "fish", nil)
	r.typed("echo kept DENYME<Enter>")
	r.refused()
	r.quiet()
	p.swallow(0x03)
	r.typed("<C-c>echo ok<Enter>")
	if c := r.ended(0); c.Line != "echo ok" {
		t.Errorf("got %+v", c)
	}
	if v := r.s.View(); v.Alarms > 0 || v.Degraded != "" {
		t.Errorf("view %+v", v)
	}
}
