package policy

import (
	"cmp"
	"path"
	"slices"
	"sort"

	"sallyport/policy/command"
)

// Decide judges one command. It has no clock, no memory and no I/O: equal
// requests get equal answers.
func (s *Set) Decide(r Request) Decision {
	if r.Origin == "" {
		r.Origin = Human
	}
	j := &judgement{set: s, request: &r}
	j.d = Decision{
		Risk: r.Claimed, Claimed: r.Claimed, Origin: r.Origin, Dialect: r.Dialect, Policy: s.identity,
		Rules: []Match{}, Facts: []Fact{},
	}
	j.text()
	j.line()
	j.settle()
	return j.d
}

// A judgement is one Decide under way.
type judgement struct {
	set      *Set
	request  *Request
	d        Decision
	findings []finding
	floor    Effect        // of matching rules
	by       string        // the rule that set floor
	seen     map[*rule]int // index in d.Rules
}

// maxText bounds the raw text that is looked at for hidden characters.
const maxText = 1 << 17

// text judges the raw text, before and whether or not it parses.
func (j *judgement) text() {
	j.findings = textFindings(j.request.Text[:min(len(j.request.Text), maxText)])
	for _, f := range j.findings {
		j.found(f)
	}
}

// found runs the rules on one class of the raw text.
func (j *judgement) found(f finding) {
	if !hasString(j.d.Text, f.class) {
		j.d.Text = append(j.d.Text, f.class)
	}
	for _, r := range j.set.textRules {
		if hasString(r.match.text, f.class) && j.applies(r) {
			j.matched(r, [][2]int{f.span})
		}
	}
}

// names looks for programs whose name is not the one that is seen.
func (j *judgement) names(facts []Fact) {
	for i := range facts {
		if n := &facts[i].Name; !plainASCII(n.Text) && looksLike(n.Text) {
			j.found(finding{"mixed_script", [2]int{n.Start, n.End}})
		}
	}
}

// inner looks for look-alikes in text that another shell reads as code: quotes
// around it hide nothing from that shell.
func (j *judgement) inner(codes []command.Code) {
	for _, c := range codes {
		for _, f := range textFindings(c.Text) {
			if f.class == "mixed_script" || f.class == "foreign_space" {
				j.found(finding{f.class, c.Span})
			}
		}
	}
}

func hasString(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

// line reads the command and judges each of its facts.
func (j *judgement) line() {
	line := command.Parse(j.request.Text, j.request.Dialect, j.request.State, j.set.limits)
	if line.Facts != nil {
		j.d.Facts = line.Facts
	}
	j.d.Analyzable, j.d.Why = line.Analyzable, line.Why
	j.names(line.Facts)
	j.inner(line.Codes)
	for i := range line.Facts {
		j.fact(&line.Facts[i])
	}
}

// fact runs the rules that can match: those indexed by its program, and the
// general ones.
func (j *judgement) fact(f *Fact) {
	s := j.subject(f)
	for _, r := range j.set.byProgram[f.Program] {
		j.try(r, &s)
	}
	for _, r := range j.set.general {
		j.try(r, &s)
	}
}

func (j *judgement) subject(f *Fact) subject {
	s := subject{fact: f, has: has(f), text: j.d.Text, cwds: f.Cwd}
	if len(j.d.Text) > 0 {
		s.has |= needText
	}
	if dir := j.request.Cwd; dir != "" {
		s.cwds = append(s.cwds[:len(s.cwds):len(s.cwds)], dir)
		for _, c := range f.Cwd {
			if relative(c) {
				s.cwds = append(s.cwds, path.Join(dir, c))
			}
		}
	}
	return s
}

func has(f *Fact) need {
	var h need
	if len(f.Uses) > 0 {
		h |= needUses
	}
	if len(f.Assigns) > 0 {
		h |= needEnv
	}
	if len(f.PipesTo) > 0 {
		h |= needPipe
	}
	if len(f.FedBy) > 0 {
		h |= needFeed
	}
	if len(f.SQL) > 0 {
		h |= needSQL
	}
	if len(f.Constructs) > 0 {
		h |= needConstruct
	}
	if len(f.Via) > 0 {
		h |= needVia
	}
	if len(f.PipesTo)+len(f.GoesTo) > 0 {
		h |= needFlow
	}
	return h
}

func (j *judgement) try(r *rule, s *subject) {
	if r.match.needs&^s.has != 0 || r.dialects != nil && !r.dialects[j.request.Dialect] {
		return
	}
	s.spans = nil
	if !r.holds(s) || !j.applies(r) {
		return
	}
	spans := s.spans
	if n := s.fact.Name; n.End > n.Start {
		spans = append(spans, [2]int{n.Start, n.End})
	} else if len(spans) == 0 {
		spans = append(spans, [2]int{s.fact.Start, s.fact.End})
	}
	j.matched(r, spans)
}

// holds reports whether the rule matches the fact and nothing excuses it.
func (r *rule) holds(s *subject) bool {
	if !r.match.match(s) {
		return false
	}
	if r.unless == nil {
		return true
	}
	spans := s.spans
	excused := r.unless.match(s) && !r.unless.void(&r.match, s)
	s.spans = spans
	return !excused
}

// applies reports scope, window and the absence of an exception.
func (j *judgement) applies(r *rule) bool {
	return r.scope.holds(j.request) && r.window.holds(j.request.At)
}

func (j *judgement) matched(r *rule, spans [][2]int) {
	if i, ok := j.seen[r]; ok {
		j.d.Rules[i].Spans = mergeSpans(append(j.d.Rules[i].Spans, spans...))
		return
	}
	if j.seen == nil {
		j.seen = map[*rule]int{}
	}
	j.seen[r] = len(j.d.Rules)
	m := Match{
		ID: r.id, File: r.file, Line: r.line, Mode: r.mode, Risk: r.risk, Effect: r.effect,
		Message: r.message, Alternative: r.alternative, Spans: mergeSpans(spans),
	}
	if !r.hasEffect {
		m.Effect = j.set.effects[j.request.Origin][r.risk]
	}
	j.d.Rules = append(j.d.Rules, m)
	if reason, ok := j.excuse(r); ok {
		j.d.Exceptions = append(j.d.Exceptions, r.id+": "+reason)
		j.d.Rules[len(j.d.Rules)-1].Mode = "excepted"
		return
	}
	j.apply(r)
}

// apply raises risk and effect; warn and audit are only recorded.
func (j *judgement) apply(r *rule) {
	if r.mode != "enforce" {
		return
	}
	j.d.Risk = max(j.d.Risk, r.risk)
	if r.hasEffect && (r.effect > j.floor || j.by == "") {
		j.floor, j.by = max(j.floor, r.effect), "rule "+r.id
	}
}

func (j *judgement) excuse(r *rule) (string, bool) {
	for i := range j.set.exceptions {
		e := &j.set.exceptions[i]
		if e.rule == r.id && e.holds(j.request) {
			return e.reason, true
		}
	}
	return "", false
}

// settle takes the maximum of the rules and the origin's table.
func (j *judgement) settle() {
	if !j.d.Analyzable {
		j.d.Risk = max(j.d.Risk, j.set.unanalyzableRisk)
		if j.set.unanalyzableEffect > j.floor {
			j.floor, j.by = j.set.unanalyzableEffect, "unanalyzable"
		}
	}
	table, ok := j.set.effects[j.request.Origin]
	effect := Deny
	if ok {
		effect = table[j.d.Risk]
	}
	j.d.Effect = effect
	j.d.By = "effects." + string(j.request.Origin) + "." + j.d.Risk.String()
	if j.floor > effect {
		j.d.Effect, j.d.By = j.floor, j.by
	}
	if j.d.Effect == Deny && j.floor == Deny {
		j.d.Risk = High
	}
	slices.SortStableFunc(j.d.Rules, func(x, y Match) int {
		return cmp.Or(cmp.Compare(y.Effect, x.Effect), cmp.Compare(y.Risk, x.Risk))
	})
}

// mergeSpans sorts byte ranges and joins those that touch.
func mergeSpans(spans [][2]int) [][2]int {
	if len(spans) < 2 {
		return spans
	}
	slices.SortFunc(spans, func(a, b [2]int) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
	out := spans[:1]
	for _, s := range spans[1:] {
		last := &out[len(out)-1]
		if s[0] <= last[1] {
			last[1] = max(last[1], s[1])
			continue
		}
		out = append(out, s)
	}
	return out
}

func sorted(m map[string]bool) []string {
	var out []string
	for s := range m {
		out = append(out, s)
	}
	sort.Strings(out)
	return out
}
