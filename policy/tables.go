package policy

import (
	"fmt"
	"strings"
	"time"
)

// SessionTable is [session].
type SessionTable struct {
	IdleLock    time.Duration // 0: never
	MaxDuration time.Duration // 0: no limit
	Message     string
}

// RecordingTable is [recording].
type RecordingTable struct {
	OnFailure  string // "note", "refuse_sends" or "end"
	Recipients []string
	// RecipientsRequired: nothing is recorded that the operator can read.
	RecipientsRequired bool
}

// An allowList is what one layer states; lower layers only narrow it.
type allowList struct {
	stated bool
	lists  [][]glob // a thing is allowed if each of them has it
}

// state adds a layer's list. The organization's replaces the shipped one.
func (a *allowList) state(globs []glob, l layer, org bool) {
	if l == orgLayer && !org {
		a.lists = nil
	}
	a.stated = true
	a.lists = append(a.lists, globs)
}

func (a *allowList) allows(s string) bool {
	if !a.stated {
		return false
	}
	for _, list := range a.lists {
		if !anyGlob(list, s) {
			return false
		}
	}
	return true
}

// tables are everything in a policy file that is no rule.
type tables struct {
	org map[string]bool // keys that the organization stated

	interactive allowList
	start       map[string]startWords
	other       Effect

	channels     map[string]*allowList
	agentForward []bool
	x11          []bool

	read, write       allowList
	deny              []glob
	maxRead, maxWrite int64
	evidence          []evidenceRow
	session           SessionTable
	recording         RecordingTable
	failure           int // index in failures
	network           networkList
	clipboard         []bool
	userCode          int // index in userCodes
	secrets           allowList
	presence          string
	copilotHosts      [][]hostGroup // a target must be in one of each
	copilotSend       int           // index in sends
	agentHosts        [][]hostGroup
	agentTools        allowList
	unknownKey        int // index in unknownKeys
	groups            []namedGroup
	copilotStated     bool
}

type evidenceRow struct {
	group hostGroup
	level int // index in evidences
}

type namedGroup struct {
	file string
	hostGroup
}

// Each list is in rising strictness.
var (
	userCodes   = []string{"allow", "ask", "deny"}
	sends       = []string{"tail", "chat", "none"}
	unknownKeys = []string{"ask", "refuse"}
	evidences   = []string{"none", "screen", "composed", "shell"}
	failures    = []string{"note", "refuse_sends", "end"}
)

func newTables() tables {
	t := tables{org: map[string]bool{}, start: map[string]startWords{}, other: Confirm, userCode: 1, copilotSend: 0, channels: map[string]*allowList{}}
	for _, k := range []string{"local_forward", "remote_forward", "subsystem", "env"} {
		t.channels[k] = &allowList{}
	}
	t.recording.OnFailure = failures[0]
	return t
}

// add joins one file's tables.
func (t *tables) add(c *compiler, l layer) error {
	for _, f := range []func(*compiler, layer) error{
		t.addNetwork, t.addHosts, t.addInteractive, t.addChannels, t.addFiles, t.addEvidence, t.addSession, t.addRecording, t.addSmall, t.addCopilot, t.addAgents,
	} {
		if err := f(c, l); err != nil {
			return err
		}
	}
	return nil
}

// list states an allow list under a key, once for the organization.
func (t *tables) list(a *allowList, key string, c *compiler, names []string, l layer) error {
	if names == nil {
		return nil
	}
	globs, err := c.globs(key, names)
	if err != nil {
		return err
	}
	a.state(globs, l, t.org[key])
	if l == orgLayer {
		t.org[key] = true
	}
	return nil
}

func (t *tables) addHosts(c *compiler, _ layer) error {
	for name, v := range c.file.Hosts {
		if name == "unknown_key" {
			i, err := oneOf(unknownKeys, fmt.Sprint(v))
			if err != nil {
				return c.src.fault("hosts.unknown_key", "", err.Error(), `write "ask" or "refuse"`)
			}
			t.unknownKey = max(t.unknownKey, i)
			continue
		}
		g, err := c.hostGroup(name)
		if err != nil {
			return c.src.fault("hosts."+name, name, err.Error(), `write a list of host patterns: prod = ["*.prod.example.com"]`)
		}
		t.groups = append(t.groups, namedGroup{c.src.name, g})
	}
	return nil
}

func oneOf(list []string, s string) (int, error) {
	for i, x := range list {
		if x == s {
			return i, nil
		}
	}
	return 0, fmt.Errorf("unknown value %q: one of %q", s, list)
}

func (t *tables) addInteractive(c *compiler, l layer) error {
	in := c.file.Interactive
	if in == nil {
		return nil
	}
	if err := t.list(&t.interactive, "interactive.programs", c, in.Programs, l); err != nil {
		return err
	}
	for p, words := range in.Start {
		if err := t.addStart(c, l, p, words); err != nil {
			return err
		}
	}
	if in.Other != "" {
		var e Effect
		if err := e.UnmarshalText([]byte(in.Other)); err != nil {
			return c.src.fault("interactive.other", in.Other, err.Error(), `write "confirm", "typed" or "deny"`)
		}
		t.other = max(t.other, e)
	}
	return nil
}

// startWords are how a program is started, and who said so.
type startWords struct {
	words []string
	layer layer
	file  string
}

// addStart states how a program is started. There is no stricter of two: the
// organization's word replaces the shipped one, and what stands below may say
// the same or speak of other programs.
func (t *tables) addStart(c *compiler, l layer, program string, words []string) error {
	key := "interactive.start." + program
	if len(words) == 0 || words[0] == "" {
		return c.src.fault(key, program, fmt.Sprintf("%s is started with nothing", program), `write the words of its safe form: vim = ["vim", "-Z"]`)
	}
	old, stated := t.start[program]
	if stated && !(l == orgLayer && old.layer == shippedLayer) {
		if strings.Join(old.words, "\x00") == strings.Join(words, "\x00") {
			return nil
		}
		return c.src.fault(key, program, fmt.Sprintf("how %s is started is already said in %s", program, old.file), "take it out here: only the organization's files replace a shipped one")
	}
	t.start[program] = startWords{words, l, c.src.name}
	return nil
}

func (t *tables) addChannels(c *compiler, l layer) error {
	ch := c.file.Channels
	if ch == nil {
		return nil
	}
	for _, k := range []struct {
		name string
		list []string
	}{{"local_forward", ch.LocalForward}, {"remote_forward", ch.RemoteForward}, {"subsystem", ch.Subsystems}, {"env", ch.Env}} {
		if err := t.list(t.channels[k.name], "channels."+k.name, c, k.list, l); err != nil {
			return err
		}
	}
	if _, ok := c.src.at["channels.agent_forward"]; ok {
		t.agentForward = t.stateBool("channels.agent_forward", t.agentForward, ch.AgentForward, l)
	}
	if _, ok := c.src.at["channels.x11"]; ok {
		t.x11 = t.stateBool("channels.x11", t.x11, ch.X11, l)
	}
	return nil
}

// stateBool: the organization's word replaces the shipped one.
func (t *tables) stateBool(key string, list []bool, v bool, l layer) []bool {
	if l == orgLayer && !t.org[key] {
		list, t.org[key] = nil, true
	}
	return append(list, v)
}

func allTrue(list []bool) bool {
	for _, b := range list {
		if !b {
			return false
		}
	}
	return len(list) > 0
}

func (t *tables) addFiles(c *compiler, l layer) error {
	f := c.file.Files
	if f == nil {
		return nil
	}
	if err := t.list(&t.read, "files.read", c, f.Read, l); err != nil {
		return err
	}
	if err := t.list(&t.write, "files.write", c, f.Write, l); err != nil {
		return err
	}
	deny, err := c.globs("files.deny", f.Deny)
	if err != nil {
		return err
	}
	t.deny = append(t.deny, deny...)
	t.maxRead, t.maxWrite = tighter(t.maxRead, f.MaxRead), tighter(t.maxWrite, f.MaxWrite)
	return nil
}

func tighter(old, v int64) int64 {
	if v <= 0 || old > 0 && old < v {
		return old
	}
	return v
}

func (t *tables) addEvidence(c *compiler, _ layer) error {
	if c.file.Evidence == nil {
		return nil
	}
	for group, level := range c.file.Evidence.Minimum {
		g, err := c.evidenceGroup(group)
		if err != nil {
			return c.src.fault("evidence", group, err.Error(), "name a group of [hosts], or *")
		}
		i, err := oneOf(evidences, level)
		if err != nil {
			return c.src.fault("evidence", level, err.Error(), `write "shell", "composed", "screen" or "none"`)
		}
		t.evidence = append(t.evidence, evidenceRow{g, i})
	}
	return nil
}

func (c *compiler) evidenceGroup(name string) (hostGroup, error) {
	if name == "*" {
		p, err := hostPatterns([]string{"**"})
		return hostGroup{"*", p}, err
	}
	return c.hostGroup(name)
}

func (t *tables) addSession(c *compiler, _ layer) error {
	s := c.file.Session
	if s == nil {
		return nil
	}
	for _, d := range []struct {
		key, text string
		to        *time.Duration
	}{{"session.idle_lock", s.IdleLock, &t.session.IdleLock}, {"session.max_duration", s.MaxDuration, &t.session.MaxDuration}} {
		if d.text == "" {
			continue
		}
		v, err := time.ParseDuration(d.text)
		if err != nil || v <= 0 {
			return c.src.fault(d.key, d.text, fmt.Sprintf("%q is no duration", d.text), `write "15m" or "8h"`)
		}
		*d.to = time.Duration(tighter(int64(*d.to), int64(v)))
	}
	if s.Message != "" {
		t.session.Message = s.Message
	}
	return nil
}

func (t *tables) addRecording(c *compiler, _ layer) error {
	r := c.file.Recording
	if r == nil {
		return nil
	}
	if r.OnFailure != "" {
		i, err := oneOf(failures, r.OnFailure)
		if err != nil {
			return c.src.fault("recording.on_failure", r.OnFailure, err.Error(), `write "note", "refuse_sends" or "end"`)
		}
		t.failure = max(t.failure, i)
		t.recording.OnFailure = failures[t.failure]
	}
	t.recording.RecipientsRequired = t.recording.RecipientsRequired || r.RecipientsRequired
	t.recording.Recipients = unique(append(t.recording.Recipients, r.Recipients...))
	return nil
}

// addSmall are clipboard, prompt, secrets and consent.
func (t *tables) addSmall(c *compiler, l layer) error {
	f := c.file
	if f.Clipboard != nil && f.Clipboard.Write != nil {
		t.clipboard = t.stateBool("clipboard.write", t.clipboard, *f.Clipboard.Write, l)
	}
	if f.Prompt != nil && f.Prompt.UserCode != "" {
		i, err := oneOf(userCodes, f.Prompt.UserCode)
		if err != nil {
			return c.src.fault("prompt.user_code", f.Prompt.UserCode, err.Error(), "write one of these")
		}
		if l == orgLayer && !t.org["prompt"] {
			t.userCode, t.org["prompt"] = i, true
		}
		t.userCode = max(t.userCode, i)
	}
	if f.Secrets != nil {
		if err := t.list(&t.secrets, "secrets.prompts", c, f.Secrets.Prompts, l); err != nil {
			return err
		}
	}
	if f.Consent != nil && f.Consent.Presence != "" {
		if f.Consent.Presence != "fido2" {
			return c.src.fault("consent.presence", f.Consent.Presence, fmt.Sprintf("unknown presence %q", f.Consent.Presence), `write "fido2", or take the key out`)
		}
		t.presence = "fido2"
	}
	return nil
}

func (t *tables) addCopilot(c *compiler, l layer) error {
	cp := c.file.Copilot
	if cp == nil {
		return nil
	}
	if cp.Send != "" {
		i, err := oneOf(sends, cp.Send)
		if err != nil {
			return c.src.fault("copilot.send", cp.Send, err.Error(), `write "none", "chat" or "tail"`)
		}
		t.copilotSend = max(t.copilotSend, i)
		t.copilotStated = true
	}
	return t.groupList(&t.copilotHosts, "copilot.hosts", c, cp.Hosts, l)
}

// groupList states a list of host groups, as list does.
func (t *tables) groupList(to *[][]hostGroup, key string, c *compiler, names []string, l layer) error {
	if names == nil {
		return nil
	}
	var groups []hostGroup
	for _, h := range names {
		g, err := c.evidenceGroup(h)
		if err != nil {
			return c.src.fault(key, h, err.Error(), "name a group of [hosts], or a host pattern")
		}
		groups = append(groups, g)
	}
	if l == orgLayer && !t.org[key] {
		*to, t.org[key] = nil, true
	}
	*to = append(*to, groups)
	return nil
}

func (t *tables) addAgents(c *compiler, l layer) error {
	a := c.file.Agents
	if a == nil {
		return nil
	}
	if err := t.groupList(&t.agentHosts, "agents.hosts", c, a.Hosts, l); err != nil {
		return err
	}
	return t.list(&t.agentTools, "agents.tools", c, a.Tools, l)
}

// A networkList is [network] allow: the hosts that no rule on addresses
// speaks of. The organization's statement replaces the shipped one; what
// stands below narrows what is stated and, where nothing is, states nothing.
type networkList struct {
	org   bool
	lists []*networkPattern
}

func (n *networkList) allows(host string) bool {
	for _, p := range n.lists {
		if !p.allows(host) {
			return false
		}
	}
	return len(n.lists) > 0
}

func (t *tables) addNetwork(c *compiler, l layer) error {
	if c.file.Network == nil || c.file.Network.Allow == nil {
		return nil
	}
	p, err := hostPatterns(c.file.Network.Allow)
	if err != nil {
		return c.src.fault("network.allow", "", err.Error(), `write host patterns or CIDR: allow = ["*.example.com", "10.0.0.0/8"]`)
	}
	n := &t.network
	switch {
	case l == orgLayer && !n.org:
		n.org, n.lists = true, nil
	case l > orgLayer && len(n.lists) == 0:
		return nil
	}
	n.lists = append(n.lists, p)
	return nil
}
