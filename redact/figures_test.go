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
				r.Command([]string{"pwgen 9", "cat /run/secrets/pin", "seq 5"}[cuts.IntN(3)])
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
