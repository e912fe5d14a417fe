package policy

// Decide judges one command. It has no clock, no memory and no I/O: equal
// requests get equal answers.
func (s *Set) Decide(r Request) Decision {
	return Decision{
		Risk: High, Effect: Deny, Claimed: r.Claimed, Origin: r.Origin, Dialect: r.Dialect,
		Why: "no rules are loaded", By: "unanalyzable", Policy: s.identity,
	}
}
