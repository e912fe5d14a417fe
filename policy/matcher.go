package policy

import (
	"net/netip"
	"regexp"
	"strings"

	"sallyport/policy/command"
)

// need says what a fact must have for a matcher to be worth running.
type need uint16

const (
	needUses need = 1 << iota
	needEnv
	needPipe
	needFeed
	needSQL
	needConstruct
	needText
	needVia
	needFlow
)

// A matcher is the compiled [match] or [unless] of a rule. Everything in it
// must hold of one simple command.
type matcher struct {
	program    *nameSet
	subcommand []*nameSet
	verb       *nameSet
	flags      []flagPattern
	beside     *nameSet // unless: flags that do not void it
	operands   globSet
	operandRE  *regexp.Regexp
	argRE      *regexp.Regexp
	uses       []usePattern
	env        []envPattern
	pipesTo    *nameSet
	fedBy      *nameSet
	goesTo     *nameSet
	via        *nameSet
	sql        *nameSet
	noWhere    bool
	network    *networkPattern
	joined     *networkList // with network: [network] allow
	construct  *nameSet
	text       []string
	unknown    bool
	needs      need
	every      bool // unless: operands and uses must all match, and be known
}

type usePattern struct {
	access command.Access
	globs  globSet
}

type flagPattern struct {
	names  []string
	values *nameSet // nil: any
}

type envPattern struct {
	names  *nameSet
	values *nameSet
}

type networkPattern struct {
	hosts  []glob
	prefix []netip.Prefix
}

// A subject is one fact while rules look at it, with what they share.
type subject struct {
	fact   *command.Fact
	has    need
	opts   command.Options
	parsed bool
	cwds   []string // folders that relative operands may be joined to
	home   string   // the account's own home as a path, if known
	text   []string // classes of the raw text
	spans  [][2]int // of the words that matched, collected by match
	paths  map[string][]string

	example bool // of a rule: the site's own hosts do not count
}

func (s *subject) options() *command.Options {
	if !s.parsed {
		s.opts, s.parsed = command.ReadOptions(s.fact), true
	}
	return &s.opts
}

func (s *subject) span(w *command.Word) {
	if w.End > w.Start {
		s.spans = append(s.spans, [2]int{w.Start, w.End})
	}
}

// match reports whether everything holds, and collects the spans of the
// words that made it so.
func (m *matcher) match(s *subject) bool {
	if m.needs&^s.has != 0 {
		return false
	}
	if m.program != nil && !m.program.holds(s.fact.Program) {
		return false
	}
	return m.listed(s) && m.words(s) && m.usesHold(s) && m.envHolds(s) && m.sqlHolds(s) && m.networkHolds(s)
}

// listed are the conditions on names beside the command itself.
func (m *matcher) listed(s *subject) bool {
	f := s.fact
	switch {
	case m.construct != nil && !m.construct.any(f.Constructs):
		return false
	case m.pipesTo != nil && !m.pipesTo.any(f.PipesTo):
		return false
	case m.fedBy != nil && !m.fedBy.any(f.FedBy):
		return false
	case m.goesTo != nil && !m.goesTo.any(f.PipesTo) && !m.goesTo.any(f.GoesTo):
		return false
	case m.via != nil && !m.via.any(f.Via):
		return false
	}
	return len(m.text) == 0 || intersects(m.text, s.text)
}

func intersects(a, b []string) bool {
	for _, x := range a {
		for _, y := range b {
			if x == y {
				return true
			}
		}
	}
	return false
}

// words are the conditions on subcommand, flags and operands.
func (m *matcher) words(s *subject) bool {
	if len(m.subcommand) > 0 && !m.subcommandHolds(s) {
		return false
	}
	if m.verb != nil && !m.verbHolds(s) {
		return false
	}
	for i := range m.flags {
		if !m.flags[i].holds(s, m.every) {
			return false
		}
	}
	if m.unknown && !unknownOperand(s) {
		return false
	}
	if m.operandRE != nil && !m.regexHolds(s, m.operandRE, s.options().Operands) {
		return false
	}
	if m.argRE != nil && !m.regexHolds(s, m.argRE, s.fact.Args) && (m.every || !m.regexHolds(s, m.argRE, command.Spellings(s.fact))) {
		return false
	}
	return m.operands.empty() || m.operandsHold(s)
}

func (m *matcher) regexHolds(s *subject, re *regexp.Regexp, words []command.Word) bool {
	found := false
	for i := range words {
		ok := re.MatchString(words[i].Text)
		if ok {
			s.span(&words[i])
		}
		if m.every && !ok {
			return false
		}
		found = found || ok
	}
	return found
}

func unknownOperand(s *subject) bool {
	for i, w := range s.options().Operands {
		if !w.Known || w.Dynamic {
			s.span(&s.options().Operands[i])
			return true
		}
	}
	return false
}

// foldsCase are programs whose commands are written in either case.
var foldsCase = setOf("redis-cli valkey-cli keydb-cli sqlcmd sql")

// subcommandHolds compares the first operands; where an option that the
// console does not know may have taken one, also the later ones.
func (m *matcher) subcommandHolds(s *subject) bool {
	o := s.options()
	for skip := 0; skip <= min(o.Guessed, 2) || skip == 0; skip++ {
		if m.subcommandAt(s, o.Operands, skip) {
			return true
		}
		if m.every || m.negated() {
			return false
		}
	}
	return false
}

// negated reports a subcommand that must not be one of some names: looking
// for it further on would find it in any operand.
func (m *matcher) negated() bool {
	for _, n := range m.subcommand {
		if n.not {
			return true
		}
	}
	return false
}

func (m *matcher) subcommandAt(s *subject, operands []command.Word, skip int) bool {
	if len(operands) < len(m.subcommand)+skip {
		return false
	}
	for i, n := range m.subcommand {
		w := &operands[skip+i]
		text := w.Text
		if foldsCase[s.fact.Program] {
			text = strings.ToLower(text)
		}
		if m.every && (!w.Known || w.Glob) {
			return false
		}
		if !n.holds(text) {
			return false
		}
		s.span(w)
	}
	return true
}

// verbHolds compares the word that says what a client is told to do.
func (m *matcher) verbHolds(s *subject) bool {
	w, ok := s.options().Verb()
	if !ok || !m.verb.holds(w.Text) {
		return false
	}
	s.span(&w)
	return true
}

// holds finds a flag in any spelling: a letter in a cluster, a long name,
// its beginning, with or without a value.
func (p *flagPattern) holds(s *subject, exact bool) bool {
	o := s.options()
	for i := range o.List {
		opt := &o.List[i]
		if !p.named(opt, exact || o.Exact || o.Whole) {
			continue
		}
		if p.values != nil && !p.values.holds(opt.Value.Text) {
			continue
		}
		if opt.At < len(s.fact.Args) {
			s.span(&s.fact.Args[opt.At])
		}
		return true
	}
	return false
}

func (p *flagPattern) named(o *command.Option, exact bool) bool {
	for _, n := range p.names {
		if o.Named(n, exact) {
			return true
		}
	}
	return false
}

// operandsHold: some operand matches; in unless every operand does, and each
// is known.
func (m *matcher) operandsHold(s *subject) bool {
	operands := s.options().Operands
	if m.every {
		for i := range operands {
			if !operands[i].Known || operands[i].Dynamic || !m.wordCovered(s, &operands[i]) {
				return false
			}
		}
		return len(operands) > 0
	}
	found := false
	for i := range operands {
		if anyWord(&m.operands, s, &operands[i], false) {
			s.span(&operands[i])
			found = true
			if len(s.spans) > maxSpans {
				break
			}
		}
	}
	return found
}

// maxSpans bounds the words that one rule marks.
const maxSpans = 32

// wordCovered: every form of the word matches; of a glob, whatever it may
// become.
func (m *matcher) wordCovered(s *subject, w *command.Word) bool {
	for _, form := range s.forms(w) {
		if w.Glob && (strings.Contains(form, "[") || strings.Contains(form, "/.") || strings.HasPrefix(form, ".")) {
			return false
		}
		if !m.operands.match(form) {
			return false
		}
	}
	return true
}

// usesHold: for each kind of access that the rule names, some path matches.
func (m *matcher) usesHold(s *subject) bool {
	for i := range m.uses {
		if !m.useHolds(s, &m.uses[i]) {
			return false
		}
	}
	return true
}

func (m *matcher) useHolds(s *subject, p *usePattern) bool {
	found := false
	for i := range s.fact.Uses {
		u := &s.fact.Uses[i]
		if u.Access&p.access == 0 {
			continue
		}
		ok := anyWord(&p.globs, s, &u.Word, p.access&(command.Reads|command.Sends) != 0)
		if m.every && (!ok || !u.Known) {
			return false
		}
		if ok {
			s.span(&u.Word)
			found = true
		}
	}
	return found
}

func (m *matcher) envHolds(s *subject) bool {
	for i := range m.env {
		if m.env[i].holds(s) {
			return true
		}
	}
	return len(m.env) == 0
}

func (p *envPattern) holds(s *subject) bool {
	for i := range s.fact.Assigns {
		a := &s.fact.Assigns[i]
		if p.names.holds(a.Name) && (p.values == nil || p.values.holds(a.Text)) {
			s.span(&a.Word)
			return true
		}
	}
	return false
}

func (m *matcher) sqlHolds(s *subject) bool {
	if m.sql == nil {
		return true
	}
	for _, st := range s.fact.SQL {
		if m.sql.holds(st.Verb) && (!m.noWhere || !st.Where) {
			return true
		}
	}
	return false
}

func (m *matcher) networkHolds(s *subject) bool {
	if m.network == nil {
		return true
	}
	for i := range s.fact.Uses {
		u := &s.fact.Uses[i]
		if u.Access&command.Connects == 0 {
			continue
		}
		host := hostOf(u.Text)
		if !m.network.allows(host) && (s.example || !m.joined.allows(host)) {
			s.span(&u.Word)
			return true
		}
	}
	return false
}

func (p *networkPattern) allows(host string) bool {
	for i := range p.hosts {
		if p.hosts[i].match(host) {
			return true
		}
	}
	if addr, err := netip.ParseAddr(strings.Trim(host, "[]")); err == nil {
		for _, pre := range p.prefix {
			if pre.Contains(addr) {
				return true
			}
		}
	}
	return false
}

// hostOf cuts the host out of a URL, user@host, host:port or :port.
func hostOf(s string) string {
	if _, rest, ok := strings.Cut(s, "://"); ok {
		s = rest
	}
	s, _, _ = strings.Cut(s, "/")
	s, _, _ = strings.Cut(s, "?")
	if i := strings.LastIndexByte(s, '@'); i >= 0 {
		s = s[i+1:]
	}
	if strings.HasPrefix(s, "[") {
		end := strings.IndexByte(s, ']')
		if end > 0 {
			return s[1:end]
		}
	}
	if strings.Count(s, ":") == 1 {
		s, _, _ = strings.Cut(s, ":")
	}
	if s == "" {
		return "localhost"
	}
	return strings.ToLower(s)
}

// void reports whether something the rule does not name stands in the way of
// its unless: a flag or a construct.
func (m *matcher) void(match *matcher, s *subject) bool {
	o := s.options()
	for i := range o.List {
		opt := &o.List[i]
		if opt.Alt || namesFlag(m.flags, opt) || namesFlag(match.flags, opt) || m.beside != nil && m.beside.holds(opt.Name) {
			continue
		}
		return true
	}
	words := m.flags != nil || m.subcommand != nil || !m.operands.empty()
	for _, c := range s.fact.Constructs {
		if !words && (c == "unknown_words" || c == "unknown_verb") {
			continue // this unless does not look at words
		}
		if m.construct != nil && m.construct.holds(c) || match.construct != nil && match.construct.holds(c) || inertConstruct(c) {
			continue
		}
		return true
	}
	return false
}

// inertConstruct says where a command stands, not what it does.
func inertConstruct(c string) bool {
	return c == "background" || c == "substitution" || c == "device" || c == "module" || c == "usage_only" || c == "clean_environment"
}

func namesFlag(flags []flagPattern, o *command.Option) bool {
	for i := range flags {
		if flags[i].named(o, false) {
			return true
		}
	}
	return false
}
