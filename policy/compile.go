package policy

import (
	"errors"
	"fmt"
	"net/netip"
	"regexp"
	"strings"

	"sallyport/policy/command"
)

// A rule is one compiled [[rule]].
type rule struct {
	id, file, mode       string
	line                 int
	risk                 Risk
	effect               Effect
	hasEffect            bool
	scope                scope
	window               *window
	match                matcher
	unless               *matcher
	message, alternative string
	examples, counters   []string
	dialects             map[command.Dialect]bool // nil: all
	programs             []string                 // the index; nil: every fact
	key                  string                   // of its place in the source
	src                  *source
}

// compiler turns the tables of one file into rules.
type compiler struct {
	src     *source
	file    *fileTOML
	network *networkList // of all files
}

var validID = regexp.MustCompile(`^[a-z0-9]+([.-][a-z0-9]+)*$`)

func (c *compiler) rules() ([]*rule, error) {
	var out []*rule
	for i := range c.file.Rule {
		r, err := c.rule(i, &c.file.Rule[i])
		if err != nil {
			return nil, err
		}
		out = append(out, r)
	}
	return out, nil
}

func (c *compiler) rule(i int, t *ruleTOML) (*rule, error) {
	key := fmt.Sprintf("rule[%d]", i)
	r := &rule{
		id: t.ID, file: c.src.name, line: c.src.line(key), mode: t.Mode, key: key, src: c.src,
		message: t.Message, alternative: t.Alternative, examples: t.Examples, counters: t.CounterExamples,
	}
	if !validID.MatchString(t.ID) {
		return nil, c.src.fault(key+".id", "", fmt.Sprintf("rule id %q is not lower-case words with dots and dashes", t.ID), `write it like id = "fs.recursive-remove"`)
	}
	if t.Match == nil {
		return nil, c.src.fault(key, "", fmt.Sprintf("rule %s has no match", t.ID), `write match = { program = ["name"] } or another condition`)
	}
	if t.Message == "" {
		return nil, c.src.fault(key, "", fmt.Sprintf("rule %s has no message", t.ID), "say in a few words what the command does: a tired person reads it")
	}
	if err := c.severity(r, t); err != nil {
		return nil, err
	}
	if err := c.conditions(r, t); err != nil {
		return nil, err
	}
	return r, nil
}

// severity reads mode, risk and effect.
func (c *compiler) severity(r *rule, t *ruleTOML) error {
	switch t.Mode {
	case "":
		r.mode = "enforce"
	case "enforce", "warn", "audit":
	default:
		return c.src.fault(r.key+".mode", t.Mode, fmt.Sprintf("unknown mode %q", t.Mode), `write "enforce", "warn" or "audit"`)
	}
	if t.Risk == "" && t.Effect == "" {
		return c.src.fault(r.key, "", fmt.Sprintf("rule %s has neither risk nor effect", t.ID), `write risk = "high", or effect = "deny"`)
	}
	r.risk = High
	if t.Risk != "" {
		if err := r.risk.UnmarshalText([]byte(t.Risk)); err != nil {
			return c.src.fault(r.key+".risk", t.Risk, err.Error(), `write "low", "medium" or "high"`)
		}
	}
	if t.Effect != "" {
		r.hasEffect = true
		if err := r.effect.UnmarshalText([]byte(t.Effect)); err != nil {
			return c.src.fault(r.key+".effect", t.Effect, err.Error(), `write "permit", "confirm", "typed" or "deny"`)
		}
	}
	return nil
}

// conditions compiles dialect, scope, window and the two matchers.
func (c *compiler) conditions(r *rule, t *ruleTOML) error {
	for _, name := range t.Dialect {
		d, err := command.ParseDialect(name)
		if err != nil {
			return c.src.fault(r.key+".dialect", name, err.Error(), `write for example dialect = ["words"]`)
		}
		if r.dialects == nil {
			r.dialects = map[command.Dialect]bool{}
		}
		r.dialects[d] = true
	}
	var err error
	if r.scope, err = c.scope(r.key+".scope", t.Scope.Hosts, t.Scope.Accounts, t.Scope.Users, t.Scope.Origins); err != nil {
		return err
	}
	if r.window, err = parseWindow(t.When.Zone, t.When.Inside, t.When.Outside); err != nil {
		return c.src.fault(r.key+".when", "", err.Error(), `write when = { zone = "Europe/Zurich", outside = "Mon-Fri 08:00-18:00" }`)
	}
	m, err := c.matcher(r.key+".match", t.Match, false)
	if err != nil {
		return err
	}
	r.match = *m
	if t.Unless != nil {
		if r.unless, err = c.matcher(r.key+".unless", t.Unless, true); err != nil {
			return err
		}
	}
	if list, ok := m.program.literalNames(c.file.Sets, t.Match.Program); ok {
		r.programs = list
	}
	return nil
}

// fail wraps what went wrong with one entry of a matcher.
func (c *compiler) fail(key, near string, err error) error {
	var entry *entryFault
	if errors.As(err, &entry) && entry.entry != "" {
		near = entry.entry
	}
	return c.src.fault(key, near, err.Error(), remedyOf(err))
}

func (c *compiler) matcher(key string, t *matchTOML, every bool) (*matcher, error) {
	m := &matcher{every: every, noWhere: t.NoWhere, text: t.Text, unknown: t.Unknown == "operand"}
	if t.Unknown != "" && t.Unknown != "operand" {
		return nil, c.src.fault(key, t.Unknown, fmt.Sprintf("unknown = %q is not known", t.Unknown), `write unknown = "operand"`)
	}
	for _, n := range []struct {
		list []string
		to   **nameSet
		need need
	}{
		{t.Program, &m.program, 0},
		{t.Verb, &m.verb, 0},
		{t.Beside, &m.beside, 0},
		{t.PipesTo, &m.pipesTo, needPipe},
		{t.FedBy, &m.fedBy, needFeed},
		{t.GoesTo, &m.goesTo, needFlow},
		{t.Via, &m.via, needVia},
		{t.SQL, &m.sql, needSQL},
		{t.Construct, &m.construct, needConstruct},
	} {
		if len(n.list) == 0 {
			continue
		}
		set, err := names(n.list, c.file.Sets)
		if err != nil {
			return nil, c.fail(key, n.list[0], err)
		}
		*n.to, m.needs = set, m.needs|n.need
	}
	if err := c.known(key, t); err != nil {
		return nil, err
	}
	return m, c.patterns(key, t, m)
}

// known refuses construct and text classes that nothing ever has.
func (c *compiler) known(key string, t *matchTOML) error {
	for _, list := range []struct {
		what  string
		names []string
		known map[string]bool
	}{{"construct", t.Construct, constructs}, {"text class", t.Text, textClasses}} {
		for _, entry := range list.names {
			for _, n := range strings.Split(strings.TrimPrefix(entry, "!"), "|") {
				if !list.known[n] {
					return c.src.fault(key, n, fmt.Sprintf("unknown %s %q", list.what, n), "one of "+strings.Join(sorted(list.known), ", "))
				}
			}
		}
	}
	return nil
}

// patterns compiles everything that is not a plain list of names.
func (c *compiler) patterns(key string, t *matchTOML, m *matcher) error {
	if len(t.Text) > 0 {
		m.needs |= needText
	}
	for _, s := range t.Subcommand {
		n, err := names([]string{s}, c.file.Sets)
		if err != nil {
			return c.fail(key, s, err)
		}
		m.subcommand = append(m.subcommand, n)
	}
	for _, s := range t.Flags {
		p, err := c.flag(s)
		if err != nil {
			return c.fail(key, s, err)
		}
		m.flags = append(m.flags, p)
	}
	operands, err := c.globs(key, t.Operands)
	if err != nil {
		return err
	}
	m.operands = newGlobSet(operands)
	for _, re := range []struct {
		text string
		to   **regexp.Regexp
	}{{t.OperandRegex, &m.operandRE}, {t.ArgRegex, &m.argRE}} {
		if re.text == "" {
			continue
		}
		if *re.to, err = regexp.Compile(`^(?:` + re.text + `)$`); err != nil {
			return c.fail(key, re.text, err)
		}
	}
	if err := c.uses(key, t, m); err != nil {
		return err
	}
	if err := c.envs(key, t, m); err != nil {
		return err
	}
	return c.networks(key, t, m)
}

func (c *compiler) flag(s string) (flagPattern, error) {
	list, value, has := strings.Cut(s, "=")
	p := flagPattern{}
	for _, n := range strings.Split(list, "|") {
		n = strings.TrimLeft(n, "-")
		if n == "" {
			return p, &entryFault{s, fmt.Sprintf("%q names no flag", s), `write its names without dashes: "f|force"`}
		}
		p.names = append(p.names, n)
	}
	if has {
		v, err := names([]string{value}, c.file.Sets)
		if err != nil {
			return p, err
		}
		p.values = v
	}
	return p, nil
}

func (c *compiler) globs(key string, list []string) ([]glob, error) {
	var out []glob
	for _, s := range list {
		patterns := []string{s}
		if set, ok := strings.CutPrefix(s, "@"); ok && c.file.Sets[set] != nil {
			patterns = c.file.Sets[set]
		}
		for _, p := range patterns {
			g, err := parseGlob(p)
			if err != nil {
				return nil, c.fail(key, s, err)
			}
			out = append(out, g)
		}
	}
	return out, nil
}

func (c *compiler) uses(key string, t *matchTOML, m *matcher) error {
	for _, u := range []struct {
		access command.Access
		list   []string
	}{{command.Writes, t.Writes}, {command.Reads, t.Reads}, {command.Removes, t.Removes}, {command.Sends, t.Sends}, {command.Runs, t.Runs}} {
		if len(u.list) == 0 {
			continue
		}
		globs, err := c.globs(key, u.list)
		if err != nil {
			return err
		}
		m.uses = append(m.uses, usePattern{u.access, newGlobSet(globs)})
		m.needs |= needUses
	}
	return nil
}

func (c *compiler) envs(key string, t *matchTOML, m *matcher) error {
	for _, s := range t.Env {
		list, value, has := strings.Cut(s, "=")
		n, err := names([]string{list}, c.file.Sets)
		if err != nil {
			return c.fail(key, s, err)
		}
		p := envPattern{names: n}
		if has {
			// A value is no path: * is any text.
			value = strings.ReplaceAll(strings.ReplaceAll(value, "**", "*"), "*", "**")
			if p.values, err = names([]string{value}, nil); err != nil {
				return c.fail(key, s, err)
			}
		}
		m.env = append(m.env, p)
		m.needs |= needEnv
	}
	return nil
}

// networks reads network = true, or { allow = [hosts, CIDR] }.
func (c *compiler) networks(key string, t *matchTOML, m *matcher) error {
	if t.Network == nil {
		return nil
	}
	var allow []string
	switch v := t.Network.(type) {
	case bool:
		if !v {
			return nil
		}
	case map[string]any:
		list, _ := v["allow"].([]any)
		for _, a := range list {
			s, ok := a.(string)
			if !ok {
				return c.src.fault(key, "allow", "network.allow holds something that is no string", `write network = { allow = ["localhost"] }`)
			}
			allow = append(allow, s)
		}
	default:
		return c.src.fault(key, "network", "network is neither true nor a table", `write network = { allow = ["localhost"] }`)
	}
	p, err := hostPatterns(allow)
	if err != nil {
		return c.fail(key, "allow", err)
	}
	m.network, m.joined, m.needs = p, c.network, m.needs|needUses
	return nil
}

func hostPatterns(list []string) (*networkPattern, error) {
	p := &networkPattern{}
	for _, s := range list {
		if pre, err := netip.ParsePrefix(s); err == nil {
			p.prefix = append(p.prefix, pre)
			continue
		}
		if strings.Contains(s, "/") {
			return nil, &entryFault{s, fmt.Sprintf("%q is neither a host pattern nor a CIDR", s), `write "*.example.com" or "10.0.0.0/8"`}
		}
		g, err := parseGlob(strings.ToLower(s))
		if err != nil {
			return nil, err
		}
		p.hosts = append(p.hosts, g)
	}
	return p, nil
}

var constructs = setOf(`eval eval_unknown prompt_unseen runs_history remote_script dynamic_program glob_program alias function trap arith_string unknown_name history_expansion background
heredoc_to_shell terminal_mode stdin_code unseen_code interactive_shell interactive_interpreter remote_shell exec_option unknown_wrapper
substitution fed_operands shadow fork_bomb symlink prints_environment inline_code starts_programs network_code network_upload reverse_shell serves listens
decodes_code decodes_text runs_download shell_as_code typed_keys sends_output sends_input usage_only bare_read device module unknown_verb unknown_words
shell_word drops_shell loads_library edits_file
writes_socket reads_socket calls_delete clean_environment`)

var textClasses = setOf("control bidi invisible mixed_script long_padding newline placeholder foreign_space invalid")
