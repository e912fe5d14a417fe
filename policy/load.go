package policy

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"sync"

	"sallyport/policy/command"
)

// A Config says which files are in force. The zero value has none.
type Config struct {
	Embedded     fs.FS    // shipped files; nil: none
	Shipped      []string // names in Embedded that are in force
	OrgDir       string   // /etc/sallyport/policy.d; "": none
	UserDir      string   // $XDG_CONFIG_HOME/sallyport/policy.d; "": none
	Files        []string // --policy FILE, each one more layer
	UncheckedOrg []string // read as the organization's, whoever owns them: to check files before they are installed, never to judge
	EmbeddedOnly bool     // leave OrgDir and UserDir out, for tests
	OrgOwner     int      // uid that must own OrgDir and its files; 0 is root
	Require      []string // ids that must be loaded (locked configuration)
	MinSerial    uint64   // of OrgDir's MANIFEST: what was in force before
}

// A Warning is something that loads but should be looked at.
type Warning struct {
	File    string
	Line    int
	Expired bool // an exception whose time is over
	Message string
}

func (w Warning) String() string { return fmt.Sprintf("%s:%d: %s", w.File, w.Line, w.Message) }

// A Set is the policy in force. It is immutable: a reload makes another.
type Set struct {
	digest   [32]byte
	identity Identity
	serial   uint64

	rules      []*rule
	byProgram  map[string][]*rule
	general    []*rule
	textRules  []*rule
	exceptions []exception
	effects    map[Origin][3]Effect
	limits     command.Limits

	unanalyzableRisk   Risk
	unanalyzableEffect Effect

	tables tables
	files  []SourceFile
}

// Digest is the SHA-256 over all files in force.
func (s *Set) Digest() [32]byte { return s.digest }

// Serial is the number of the organization's MANIFEST; 0 where there is none.
// Give it as Config.MinSerial to the next Load, so that an older policy cannot
// be put back.
func (s *Set) Serial() uint64 { return s.serial }

// Identity names the files in force.
func (s *Set) Identity() Identity { return s.identity }

// A layerFile is one file with the layer it belongs to.
type layerFile struct {
	name  string
	data  []byte
	layer layer
}

type layer uint8

const (
	shippedLayer layer = iota
	orgLayer
	userLayer
	flagLayer
)

// Load reads, checks and compiles every file in force and runs the examples
// of every rule. Nothing starts on a policy that does not load.
func Load(c Config) (*Set, []Warning, error) {
	files, serial, err := c.read()
	if err != nil {
		return nil, nil, err
	}
	b := newBuilder()
	b.set.serial = serial
	decoded := decodeAll(files)
	for i, f := range files {
		if err := b.add(f, decoded[i]); err != nil {
			return nil, nil, err
		}
	}
	return b.finish(c.Require)
}

func (c Config) read() (out []layerFile, serial uint64, err error) {
	for _, name := range c.Shipped {
		data, err := fs.ReadFile(c.Embedded, name)
		if err != nil {
			return nil, 0, fmt.Errorf("shipped policy %s: %w", name, err)
		}
		out = append(out, layerFile{name, data, shippedLayer})
	}
	if !c.EmbeddedOnly {
		org, n, err := c.org()
		if err != nil {
			return nil, 0, err
		}
		user, err := folder(c.UserDir, userLayer)
		if err != nil {
			return nil, 0, err
		}
		out, serial = append(append(out, org...), user...), n
	}
	for _, list := range []struct {
		names []string
		layer layer
	}{{c.UncheckedOrg, orgLayer}, {c.Files, flagLayer}} {
		for _, name := range list.names {
			data, err := os.ReadFile(name)
			if err != nil {
				return nil, 0, fmt.Errorf("policy file: %w", err)
			}
			out = append(out, layerFile{name, data, list.layer})
		}
	}
	return out, serial, nil
}

// folder reads *.toml of dir in order of name; no folder, no files.
func folder(dir string, l layer) ([]layerFile, error) {
	if dir == "" {
		return nil, nil
	}
	paths, err := filepath.Glob(filepath.Join(dir, "*.toml"))
	if err != nil {
		return nil, fmt.Errorf("policy folder %s: %w", dir, err)
	}
	sort.Strings(paths)
	var out []layerFile
	for _, p := range paths {
		data, err := os.ReadFile(p)
		if err != nil {
			return nil, fmt.Errorf("policy file: %w", err)
		}
		out = append(out, layerFile{p, data, l})
	}
	return out, nil
}

// required is a policy that a file says must be loaded.
type required struct {
	id  string
	src *source
}

// A builder joins files into a Set; each can only make it stricter.
type builder struct {
	set      *Set
	ids      map[string]*rule
	policies []Identity
	effects  map[Origin]bool // tables that a file gave
	hash     []byte
	warnings []Warning
	require  []required
	sources  map[string]*source
}

func newBuilder() *builder {
	return &builder{
		set: &Set{
			byProgram: map[string][]*rule{}, effects: map[Origin][3]Effect{}, limits: command.DefaultLimits,
			unanalyzableRisk: High, tables: newTables(),
		},
		ids: map[string]*rule{}, effects: map[Origin]bool{}, sources: map[string]*source{},
	}
}

// decodedFile is what decode makes of a file.
type decodedFile struct {
	file *fileTOML
	src  *source
	err  error
}

// decodeAll decodes the files side by side: a console that starts waits for it.
func decodeAll(files []layerFile) []decodedFile {
	out := make([]decodedFile, len(files))
	var work sync.WaitGroup
	for i, f := range files {
		work.Go(func() {
			d := &out[i]
			d.file, d.src, d.err = decode(f.name, f.data)
		})
	}
	work.Wait()
	return out
}

func (b *builder) add(f layerFile, d decodedFile) error {
	if d.err != nil {
		return d.err
	}
	file, src := d.file, d.src
	b.sources[f.name] = src
	sum := sha256.Sum256(f.data)
	b.hash = append(b.hash, filepath.Base(f.name)...)
	b.hash = append(append(b.hash, 0), sum[:]...)
	b.set.files = append(b.set.files, SourceFile{
		Name: f.name, ID: file.Policy.ID, Version: file.Policy.Version, Owner: file.Policy.Owner, Layer: layerNames[f.layer], Digest: sum,
	})
	b.policies = append(b.policies, Identity{ID: file.Policy.ID, Version: file.Policy.Version, Owner: file.Policy.Owner})
	for _, id := range file.Policy.Require {
		b.require = append(b.require, required{id, src})
	}
	c := &compiler{src: src, file: file, network: &b.set.tables.network}
	if err := b.rules(c); err != nil {
		return err
	}
	ex, err := c.exceptions(f.layer == orgLayer)
	if err != nil {
		return err
	}
	b.set.exceptions = append(b.set.exceptions, ex...)
	if err := b.severities(c); err != nil {
		return err
	}
	return b.set.tables.add(c, f.layer)
}

func (b *builder) rules(c *compiler) error {
	rules, err := c.rules()
	if err != nil {
		return err
	}
	for _, r := range rules {
		if old, ok := b.ids[r.id]; ok {
			return c.src.fault(r.key+".id", r.id, fmt.Sprintf("rule id %q is already in %s:%d", r.id, old.file, old.line), "give one of them another id")
		}
		b.ids[r.id] = r
		b.set.index(r)
	}
	return nil
}

// index puts a rule where Decide looks for it.
func (s *Set) index(r *rule) {
	s.rules = append(s.rules, r)
	if len(r.match.text) > 0 && r.match.onlyText() {
		s.textRules = append(s.textRules, r)
		return
	}
	if r.programs == nil {
		s.general = append(s.general, r)
		return
	}
	for _, p := range unique(r.programs) {
		s.byProgram[p] = append(s.byProgram[p], r)
	}
}

func unique(list []string) []string {
	seen := map[string]bool{}
	var out []string
	for _, s := range list {
		if !seen[s] {
			seen[s] = true
			out = append(out, s)
		}
	}
	return out
}

// onlyText reports a matcher that looks at the raw text and nothing else.
func (m *matcher) onlyText() bool {
	return m.program == nil && m.subcommand == nil && m.verb == nil && m.flags == nil && m.operands.empty() && m.operandRE == nil && m.argRE == nil &&
		m.uses == nil && m.env == nil && m.pipesTo == nil && m.fedBy == nil && m.goesTo == nil && m.via == nil && m.sql == nil && m.network == nil && m.construct == nil && !m.unknown
}

// severities joins effects, unanalyzable and limits: the strictest wins.
func (b *builder) severities(c *compiler) error {
	for name, table := range c.file.Effects {
		origin, err := ParseOrigin(name)
		if err != nil {
			return c.src.fault("effects."+name, name, err.Error(), "write [effects.human] or another origin")
		}
		if err := b.effectTable(c, origin, table); err != nil {
			return err
		}
	}
	u := c.file.Unanalyzable
	if u.Risk != "" {
		var r Risk
		if err := r.UnmarshalText([]byte(u.Risk)); err != nil {
			return c.src.fault("unanalyzable.risk", u.Risk, err.Error(), "write low, medium or high")
		}
		b.set.unanalyzableRisk = max(b.set.unanalyzableRisk, r)
	}
	if u.Effect != "" {
		var e Effect
		if err := e.UnmarshalText([]byte(u.Effect)); err != nil {
			return c.src.fault("unanalyzable.effect", u.Effect, err.Error(), "write confirm, typed or deny")
		}
		b.set.unanalyzableEffect = max(b.set.unanalyzableEffect, e)
	}
	l := c.file.Limits
	for _, p := range []struct{ to, v *int }{{&b.set.limits.Bytes, &l.Bytes}, {&b.set.limits.Depth, &l.Depth}, {&b.set.limits.Nodes, &l.Nodes}, {&b.set.limits.Unwrap, &l.Unwrap}} {
		if *p.v > 0 {
			*p.to = min(*p.to, *p.v)
		}
	}
	return nil
}

func (b *builder) effectTable(c *compiler, o Origin, table map[string]string) error {
	key := "effects." + string(o)
	row := b.set.effects[o]
	for name, effect := range table {
		var r Risk
		var e Effect
		if err := r.UnmarshalText([]byte(name)); err != nil {
			return c.src.fault(key+"."+name, name, err.Error(), "write low, medium and high")
		}
		if err := e.UnmarshalText([]byte(effect)); err != nil {
			return c.src.fault(key+"."+name, effect, err.Error(), "write permit, confirm, typed or deny")
		}
		row[r] = max(row[r], e)
	}
	if !b.effects[o] && len(table) < 3 {
		return c.src.fault(key, "", "the first table of an origin needs low, medium and high", "add the rows that are missing")
	}
	b.effects[o] = true
	b.set.effects[o] = row
	return nil
}

func (b *builder) finish(require []string) (*Set, []Warning, error) {
	s := b.set
	for _, r := range s.rules {
		if !r.hasEffect && !b.effects[Human] {
			return nil, nil, r.src.fault(r.key, "", fmt.Sprintf("rule %s has no effect, and no [effects] table gives one", r.id), `write effect = "confirm", or the [effects.human] table`)
		}
	}
	for _, q := range b.require {
		if !b.loaded(q.id) {
			return nil, nil, q.src.fault("policy.require", q.id, fmt.Sprintf("policy %q is required and not loaded", q.id), "put its file into the policy folder")
		}
	}
	for _, id := range require {
		if !b.loaded(id) {
			return nil, nil, fmt.Errorf("policy %q is required and not loaded: put its file into the policy folder", id)
		}
	}
	b.identify()
	if err := s.runExamples(); err != nil {
		return nil, nil, err
	}
	for _, e := range s.exceptions {
		if _, ok := b.ids[e.rule]; !ok {
			return nil, nil, b.sources[e.file].fault("exception", e.rule, fmt.Sprintf("exception for %q, which no rule is", e.rule), "name the id of a rule that is loaded")
		}
	}
	return s, b.warnings, nil
}

func (b *builder) loaded(id string) bool {
	for _, p := range b.policies {
		if p.ID == id {
			return true
		}
	}
	return false
}

// identify names the set after its most specific file: the last.
func (b *builder) identify() {
	var ids, versions []string
	for _, p := range b.policies {
		ids = append(ids, p.ID)
		versions = append(versions, p.Version)
	}
	s := b.set
	s.digest = sha256.Sum256(b.hash)
	s.identity = Identity{ID: strings.Join(ids, "+"), Version: strings.Join(unique(versions), "+"), Digest: hex.EncodeToString(s.digest[:])}
	if n := len(b.policies); n > 0 {
		s.identity.Owner = b.policies[n-1].Owner
	}
}
