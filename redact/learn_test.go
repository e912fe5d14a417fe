package redact

import (
	"fmt"
	"testing"
)

// What a target prints is remembered up to a bound, in values and in lines of keys, so
// that a hostile host can fill neither the memory nor the time of a search.
func TestLinesLearnedFromOutputAreBounded(t *testing.T) {
	r := New(Config{}).Target("web9")
	for n := range 60 {
		var lines []string
		for i := range maxKeyLines {
			lines = append(lines, fmt.Sprintf("a%dB%dcD7eF9gH1iJ%dkL", n, i, n*i))
		}
		r.learnKey(fmt.Sprint("key ", n), lines)
	}
	k := r.mem.targets["web9"]
	if k.lines > maxLinesFromOutput || k.lines < maxLinesFromOutput/2 {
		t.Errorf("%d lines of keys are remembered, want about %d", k.lines, maxLinesFromOutput)
	}
	r.learnFound("Zk3mQ9xT2vB7wL5n", "token")
	if len(r.mem.find("web9", "see Zk3mQ9xT2vB7wL5n")) == 0 {
		t.Error("after many lines of keys no other value is learned")
	}
}

func TestValuesThatBeginAlikeDoNotCrowd(t *testing.T) {
	r := New(Config{}).Target("web9")
	for n := range maxFromOutput {
		r.learnFound(fmt.Sprintf("%cbcd1E2fG3h%dJ4kL5", 'a'+n%26, n), "token")
	}
	for head, forms := range r.mem.targets["web9"].forms {
		if len(forms) > maxSameHead {
			t.Errorf("%d forms share %q", len(forms), head)
		}
	}
	for n := range 2 * maxSameHead {
		r.Learn(fmt.Appendf(nil, "abcd1E2fG3h%dJ4kL5", n))
	}
	if len(r.mem.find("web9", fmt.Sprintf("abcd1E2fG3h%dJ4kL5", 2*maxSameHead-1))) == 0 {
		t.Error("a secret of a secret field is crowded out")
	}
}
