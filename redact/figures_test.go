package redact

import (
	"math/rand/v2"
	"os"
	"reflect"
	"strings"
	"testing"

	"sallyport/redact/detect"
)

// Lines of figures that are skipped change nothing: what comes out is the same as if the
// scanner had seen each of them, whatever stands before and behind, and for learned
// values that are figures themselves.
func TestFiguresAreSkippedWithoutEffect(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 8))
	between := strings.Split(strings.TrimSpace(linesThatWait), "\n")
	for n := range 3000 {
		var text strings.Builder
		for range 1 + rnd.IntN(6) {
			if rnd.IntN(2) == 0 {
				text.WriteString(strings.ReplaceAll(between[rnd.IntN(len(between))], "⏎", "\n") + "\n")
			}
			for range rnd.IntN(8) {
				text.WriteString(figureLine(rnd) + []string{"\n", "\r\n"}[rnd.IntN(2)])
			}
		}
		checkSkipped(t, text.String(), n%3 == 0, rnd)
	}
}

// Lines that wait for what comes behind them, in one way or another.
const linesThatWait = `
password:
Password:
PIN
root@h:~# cat /run/secrets/pin
root@h:~# pwgen 8 3
root@h:~# head -3 ~/.ssh/id_rsa
Recovery codes:
Your backup codes are:
-----BEGIN RSA PRIVATE KEY-----
-----BEGIN CERTIFICATE-----
QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVoxMjM0QUJDREVGR0hJSktMTU5PUFFS
data:
apiVersion: v1⏎kind: Secret⏎data:
name: DB_PASSWORD
name     password   age
user,password
machine h⏎login bob⏎password
Sorry, try again.
[sudo] password for bob:
chpasswd <<EOF
root@h:~# passwd <<EOF
privateExponent:
Yk3vQm8xLp2RtZ7wNc5bHd9sJf4gKa6eUi1oPq0rTyXzVbCnMlEwSaDhGjFkR8t7W2qE
Yk3vQm8xLp2RtZ7wNc5bHd9sJf4gKa6eUi1oPq0rTyXzVbCnMlEwSaDhGjFkR8t7W2qEb4
0123456789012345678901234567890123456789012345678901234567890123456789 its path /srv/a8
spawn ssh h⏎expect "assword:"
the last word is cut at the margin of a terminal of eighty columns: ghp_at9ag498
x
`

func figureLine(rnd *rand.Rand) string {
	const of = "0123456789 "
	b := make([]byte, rnd.IntN(1+rnd.IntN(45)))
	for i := range b {
		b[i] = of[rnd.IntN(len(of)-rnd.IntN(2))]
	}
	if rnd.IntN(8) == 0 {
		b = append(b, "48213377"...)
	}
	return string(b)
}

// checkSkipped compares both ways, for a text in pieces.
func checkSkipped(t *testing.T, text string, learned bool, rnd *rand.Rand) {
	t.Helper()
	var out [2]string
	width := []int{0, 7, 12, 40, 80}[rnd.IntN(5)]
	seed := rnd.Uint64()
	for i := range out {
		r := New(Config{}).Target("h")
		if learned {
			r.Learn([]byte("48213377"))
		}
		s := r.Stream()
		s.Columns(width)
		s.f.slow = i == 0
		cuts := rand.New(rand.NewPCG(seed, 1))
		for rest := text; rest != ""; {
			n := 1 + cuts.IntN(len(rest))
			out[i] += s.Write([]byte(rest[:n])).String()
			switch cuts.IntN(12) {
			case 0:
				out[i] += s.Expire().String()
			case 1:
				out[i] += s.Mark().String()
			case 2:
				r.Command([]string{"pwgen 9", "cat /run/secrets/pin", "seq 5", "tail -n +5 ~/.ssh/deploy_rsa"}[cuts.IntN(4)])
			}
			rest = rest[n:]
		}
		out[i] += s.Flush().String()
	}
	if out[0] != out[1] {
		t.Fatalf("%q at width %d:\neach line %q\nskipped   %q", text, width, out[0], out[1])
	}
}

// Every text of a row of the corpus, figures put between its lines.
func TestFiguresBetweenTheCorpus(t *testing.T) {
	b, err := os.ReadFile("testdata/fresh.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	rnd := rand.New(rand.NewPCG(9, 9))
	for _, row := range strings.Split(string(b), "\n") {
		_, text, _ := strings.Cut(row, `"text":`)
		text = strings.NewReplacer(`\n`, "\n", `\r`, "\r", `\t`, "\t", `\"`, `"`).Replace(text)
		var mixed strings.Builder
		for line := range strings.Lines(text) {
			mixed.WriteString(line)
			for range rnd.IntN(3) {
				mixed.WriteString(figureLine(rnd) + "\n")
			}
		}
		checkSkipped(t, mixed.String(), false, rnd)
	}
}

// A scanner that learns to wait for something else must say so to those who skip lines.
func TestWhoSkipsKnowsWhatWaits(t *testing.T) {
	known := strings.Fields(`eng keys found front hits line depth next named out sent pem kube table ask tail netrc logins expect codes typed server reply
		partial secretLines hexOnly dump listed device`)
	of := reflect.TypeFor[detect.Scanner]()
	for i := range of.NumField() {
		if name := of.Field(i).Name; !strings.Contains(" "+strings.Join(known, " ")+" ", " "+name+" ") {
			t.Errorf("Scanner.%s is new: where it makes the scanner wait for a line, (*Scanner).idle must say so; then add it here", name)
		}
	}
}

// Lines of figures are skipped where nothing waits, and nowhere else.
func TestFiguresAreSkippedOnlyWhereNothingWaits(t *testing.T) {
	const block = "48213377\n  12 7\n"
	if n := newFlow(New(Config{})).figures(block); n != len(block) {
		t.Fatalf("%d bytes of %q are skipped", n, block)
	}
	for _, lines := range strings.Split(strings.TrimSpace(linesThatWait), "\n") {
		f := newFlow(New(Config{}))
		for line := range strings.Lines(strings.ReplaceAll(lines, "⏎", "\n") + "\n") {
			f.line(line)
		}
		if n := f.figures(block); n > 0 != doesNotWait[lines] {
			t.Errorf("behind %q %d bytes are skipped", lines, n)
		}
	}
}

// doesNotWait are those of linesThatWait that look like it and do not.
var doesNotWait = map[string]bool{
	"x": true, "PIN": true,
	"0123456789012345678901234567890123456789012345678901234567890123456789 its path /srv/a8": true,
}

// A command that is sent before a row that reaches the margin is heard with that row, so
// that the mark behind it knows that a key's file is read.
func TestFiguresHearNoCommandBeforeItsLine(t *testing.T) {
	const key = "Yk3vQm8xLp2RtZ7wNc5bHd9sJf4gKa6eUi1oPq0rTyXzVbCnMlEwSaDhGjFkR8t7W2qEb4"
	for _, slow := range []bool{true, false} {
		r := New(Config{}).Target("h")
		s := r.Stream()
		s.Columns(80)
		s.f.slow = slow
		r.Command("tail -n +5 ~/.ssh/deploy_rsa")
		got := s.Write([]byte(strings.Repeat("w", 80)+"\n")).String() + s.Mark().String()
		got += s.Write([]byte(key+"\n"+key+"\n")).String() + s.Flush().String()
		if strings.Contains(got, key[:16]) {
			t.Errorf("each line by itself %t: %q", slow, got)
		}
	}
}
