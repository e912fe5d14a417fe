package policy

// A Size counts what is in force.
type Size struct{ Rules, Examples, CounterExamples int }

// Size counts rules and their examples.
func (s *Set) Size() Size {
	var z Size
	for _, r := range s.rules {
		z.Rules++
		z.Examples += len(r.examples)
		z.CounterExamples += len(r.counters)
	}
	return z
}

// Lint looks for rules that cannot do what they seem to: alternatives that
// the policy itself refuses, and rules without examples.
func (s *Set) Lint() []Warning {
	var out []Warning
	for _, r := range s.rules {
		if len(r.examples) == 0 {
			out = append(out, Warning{File: r.file, Line: r.line, Message: "rule " + r.id + " has no examples: nothing shows that it can match"})
		}
	}
	return out
}
