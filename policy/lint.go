package policy

import (
	"fmt"
	"time"
)

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

// Rules is how many rules are in force.
func (s *Set) Rules() int { return len(s.rules) }

// Lint looks for what loads and yet does not do what it seems to: rules that
// nothing shows to match, rules that other rules make useless, alternatives
// that the policy itself refuses, exceptions whose time is over at at.
func (s *Set) Lint(at time.Time) []Warning {
	var out []Warning
	for _, r := range s.rules {
		if w, ok := s.lintRule(r); ok {
			out = append(out, Warning{File: r.file, Line: r.line, Message: "rule " + r.id + " " + w})
		}
	}
	for i := range s.exceptions {
		if e := &s.exceptions[i]; !at.IsZero() && !at.Before(e.expires) {
			out = append(out, Warning{File: e.file, Line: e.line, Expired: true, Message: fmt.Sprintf("the exception for %s (%s) expired at %s", e.rule, e.reason, e.expires.UTC().Format(time.RFC3339))})
		}
	}
	return out
}

func (s *Set) lintRule(r *rule) (string, bool) {
	switch {
	case len(r.examples) == 0:
		return "has no examples: nothing shows that it can match", true
	case r.effect != Deny && s.deniedAnyway(r):
		return "is useless: other rules deny all of its examples", true
	case r.alternative != "" && s.denies(r.alternative):
		return "offers an alternative that the policy denies", true
	}
	return "", false
}

// deniedAnyway reports that rules without scope or window deny every example.
func (s *Set) deniedAnyway(r *rule) bool {
	for _, e := range r.examples {
		d := s.Decide(Request{Text: e, Dialect: r.exampleDialect(), Origin: Human})
		if d.Effect != Deny {
			return false
		}
	}
	return true
}

func (s *Set) denies(text string) bool {
	d := s.Decide(Request{Text: text, Origin: Human})
	return d.Analyzable && d.Effect == Deny
}
