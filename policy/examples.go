package policy

import (
	"fmt"
	"runtime"
	"slices"
	"sync"

	"sallyport/policy/command"
)

// runExamples checks every rule against its own examples: scope and window
// do not count, the match does. Parts of the rules are checked side by side;
// the fault of the first rule is told.
func (s *Set) runExamples() error {
	parts := slices.Collect(slices.Chunk(s.rules, max(1, len(s.rules)/(4*runtime.GOMAXPROCS(0)))))
	faults := make([]error, len(parts))
	var work sync.WaitGroup
	for i, part := range parts {
		work.Go(func() { faults[i] = s.examplesOf(part) })
	}
	work.Wait()
	for _, err := range faults {
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *Set) examplesOf(rules []*rule) error {
	for _, r := range rules {
		for _, e := range r.examples {
			if !s.ruleMatches(r, e) {
				return r.src.fault(r.key+".examples", e, fmt.Sprintf("rule %s does not match its example %q", r.id, e), "correct the match, or the example")
			}
		}
		for _, e := range r.counters {
			if s.ruleMatches(r, e) {
				return r.src.fault(r.key+".counter_examples", e, fmt.Sprintf("rule %s matches its counter-example %q", r.id, e), "narrow the match, or write an unless")
			}
		}
	}
	return nil
}

// exampleDialect is the first dialect a rule is for.
func (r *rule) exampleDialect() command.Dialect {
	best := command.Bash
	if r.dialects != nil && !r.dialects[command.Bash] {
		best = command.Unknown
		for d := range r.dialects {
			best = min(best, d)
		}
	}
	return best
}

func (s *Set) ruleMatches(r *rule, text string) bool {
	j := &judgement{set: s, request: &Request{Text: text, Dialect: r.exampleDialect(), Origin: Human}}
	if len(r.match.text) > 0 {
		j.findings = textFindings(text)
		for _, f := range j.findings {
			j.d.Text = append(j.d.Text, f.class)
			if hasString(r.match.text, f.class) && r.match.onlyText() {
				return true
			}
		}
	}
	line := command.Parse(text, r.exampleDialect(), command.State{}, s.limits)
	for i := range line.Facts {
		sub := j.subject(&line.Facts[i])
		sub.example = true
		if r.match.needs&^sub.has == 0 && r.holds(&sub) {
			return true
		}
	}
	return false
}
