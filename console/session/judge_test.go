package session_test

import (
	"regexp"
	"strings"
	"sync"

	"sallyport/policies"
	"sallyport/policy"
)

// shipped is the policy that ships with the console.
var shipped = sync.OnceValue(func() *policy.Set {
	set, _, err := policy.Load(policy.Config{Embedded: policies.FS(), Shipped: policies.Shipped, EmbeddedOnly: true})
	if err != nil {
		panic(err)
	}
	return set
})

// testWords raise what the shipped policy says of a line, as a rule of an
// organization's would.
var testWords = regexp.MustCompile("DENYME|CONFIRM|TYPEIT")

// judge is the shipped policy, with three words of the tests on top.
type judge struct {
	mu   sync.Mutex
	more func(policy.Request) (policy.Decision, bool)
	seen []policy.Request
	also string // a program that may have keys
	code string // what is done about the operator's own code
	how  bool   // whether programs are to be started as the shipped policy says
}

func (j *judge) Decide(q policy.Request) policy.Decision {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.seen = append(j.seen, q)
	if j.more != nil {
		if d, ok := j.more(q); ok {
			d.Origin, d.Claimed, d.By = q.Origin, q.Claimed, "test"
			return d
		}
	}
	d := shipped().Decide(q)
	switch testWords.FindString(strings.ReplaceAll(q.Text, "\\\n", "")) {
	case "DENYME":
		d.Effect, d.Risk, d.By = policy.Deny, policy.High, "test"
	case "TYPEIT":
		d.Effect, d.Risk, d.By = max(d.Effect, policy.Typed), policy.High, "test"
	case "CONFIRM":
		d.Effect, d.Risk, d.By = max(d.Effect, policy.Confirm), max(d.Risk, policy.Medium), "test"
	}
	return d
}

func (j *judge) set(f func(policy.Request) (policy.Decision, bool)) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.more = f
}

// permits lets a line pass that the shipped policy has something against.
func (j *judge) permits(prefix string) {
	j.set(func(q policy.Request) (policy.Decision, bool) {
		return policy.Decision{Analyzable: true}, strings.HasPrefix(q.Text, prefix)
	})
}

func (j *judge) keysTo(program string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.also = program
}

func (j *judge) last() policy.Request {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.seen[len(j.seen)-1]
}

func (j *judge) Digest() [32]byte { return shipped().Digest() }

// Interactive lists vi, vim and less, and what a test adds.
func (j *judge) Interactive(p string) (bool, []string, policy.Effect) {
	j.mu.Lock()
	defer j.mu.Unlock()
	var start []string
	if j.how {
		_, start, _ = shipped().Interactive(p)
	}
	return p == "vi" || p == "vim" || p == "less" || p == "pager" || p == j.also, start, policy.Deny
}

func (j *judge) PromptsForSecret(facts []policy.Fact) bool { return shipped().PromptsForSecret(facts) }
func (j *judge) EvidenceMinimum([]policy.Target) string    { return "none" }

func (j *judge) userCode(is string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.code = is
}

func (j *judge) UserCode() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.code == "" {
		return "allow"
	}
	return j.code
}
