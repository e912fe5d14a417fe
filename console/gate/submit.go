package gate

import (
	"context"
	"strings"
	"time"
	"unicode/utf8"

	"sallyport/audit"
	"sallyport/console/shellmarks"
	"sallyport/policy"
)

// Submit judges r, asks and records as the package doc says, and clears it.
// The error is always a *Refusal.
func (g *Gate) Submit(ctx context.Context, s *Slot, r Request) (c Cleared, err error) {
	sub := &submission{gate: g, slot: s, req: s.attribute(r)}
	sub.passage.Began = g.now()
	defer func() { sub.passed(err) }()
	defer func() { sub.show(err) }()
	sub.begin()
	for _, step := range []func(context.Context) *Refusal{sub.possible, sub.check, sub.judge, sub.hidden, sub.started, sub.consent} {
		if ref := step(ctx); ref != nil {
			return Cleared{}, sub.refuse(ctx, ref)
		}
	}
	if ref := sub.record(ctx); ref != nil {
		return Cleared{}, ref
	}
	sub.passage.Recorded = g.now()
	c, ref := sub.clear()
	if ref != nil {
		return Cleared{}, sub.unsent(ctx, ref)
	}
	return c, nil
}

// show puts a line that was refused into the refusal: whoever typed it sees it
// as it was judged.
func (sub *submission) show(err error) {
	if ref, ok := err.(*Refusal); ok && sub.req.Kind == Line && !sub.secret {
		ref.Text = sub.req.Text
	}
}

// Judge gives the verdict that Submit would start from, for drawing while
// someone types. It asks nobody and records nothing.
func (g *Gate) Judge(s *Slot, r Request) policy.Decision {
	sub := &submission{gate: g, slot: s, req: s.attribute(r)}
	sub.begin()
	sub.decide(g.now())
	return sub.decision
}

// Continue clears the reading on of a line that is not a whole command yet.
// Nothing can run by it: the shell kills the command if it is whole after all.
// It is refused where Submit would refuse without asking; the joined text is
// judged when it is whole.
func (g *Gate) Continue(ctx context.Context, s *Slot, r Request, v shellmarks.Verdict) (Cleared, error) {
	r.Wire = shellmarks.More{Verdict: v}
	sub := &submission{gate: g, slot: s, req: s.attribute(r)}
	sub.begin()
	for _, step := range []func(context.Context) *Refusal{sub.possible, sub.check, sub.judge} {
		if ref := step(ctx); ref != nil {
			return Cleared{}, sub.refuse(ctx, ref)
		}
	}
	sub.req.Kind = Edit
	c, ref := sub.clear()
	if ref != nil {
		return Cleared{}, ref
	}
	return c, nil
}

// submission is one request on its way.
type submission struct {
	gate *Gate
	slot *Slot
	req  Request

	epoch    uint64
	void     <-chan struct{}
	state    State
	targets  []policy.Target
	judgeNow Judge

	decision policy.Decision
	digest   [32]byte
	question Question
	consents audit.Consent
	secret   bool // the text equals a learned secret: never recorded
	intent   uint64
	passage  Passage
}

func (u *submission) begin() {
	s := u.slot
	s.mu.Lock()
	defer s.mu.Unlock()
	u.epoch, u.void, u.state = s.epoch, s.void, s.state
	u.targets = s.targets()
	u.consents.How = audit.ConsentSend
}

// attribute gives a line that equals a suggestion that suggestion's origin, id
// and claimed risk, however it got there.
func (s *Slot) attribute(r Request) Request {
	if r.Suggestion == nil && r.Kind == Line {
		r.Suggestion = s.suggested(r.Text)
	}
	if r.Suggestion != nil {
		r.Origin = policy.Copilot
		if r.Suggestion.Agent != "" {
			r.Origin = policy.Agent
		}
	}
	return r
}

// possible says whether this kind may leave in the slot's phase at all.
func (u *submission) possible(context.Context) *Refusal {
	allowed, ok := phases[u.req.Kind]
	switch {
	case !ok:
		return misuse("nothing of kind "+u.req.Kind.String()+" is submitted", "")
	case u.req.Wire == nil && u.req.Kind != Keys && u.req.Kind != Code:
		return misuse("the request does not say how it leaves", "")
	}
	for _, p := range allowed {
		if u.state.Phase == p {
			return nil
		}
	}
	return misuse(u.req.Kind.String()+" is not possible now", "wait for the prompt")
}

var phases = map[Kind][]Phase{
	Line:    {AtPrompt, AtContinuation},
	Input:   {Field},
	Keys:    {Busy, Field, Raw},
	File:    {Booting, AtPrompt, AtContinuation, Busy, Field, Raw, SideChannel},
	Channel: {Booting, AtPrompt, AtContinuation, Busy, Field, Raw, SideChannel},
	Run:     {SideChannel},
	Code:    {Booting},
}

// channelDetail is what the policy lists: of a variable its name.
func (u *submission) channelDetail() string {
	if u.req.Operation == "env" {
		name, _, _ := strings.Cut(u.req.Text, "=")
		return name
	}
	return u.req.Text
}

func (u *submission) judge(context.Context) *Refusal {
	u.decide(u.gate.now())
	u.passage.Judged = u.gate.now()
	if u.decision.Effect >= policy.Second {
		return u.denied()
	}
	if want, ok := u.unsure(); ok {
		return &Refusal{
			By: ByPolicy, Decision: u.decision, Remedy: "it needs a shell that the console can ask for its line",
			Reason: "the policy wants evidence " + string(want) + " on this host, and there is " + string(u.req.Evidence),
		}
	}
	return nil
}

// unsure tells whether a command's evidence is below what the policy wants on
// these targets.
func (u *submission) unsure() (Evidence, bool) {
	j, ok := u.judgeNow.(EvidenceJudge)
	if !ok || u.req.Kind != Line {
		return "", false
	}
	want := Evidence(j.EvidenceMinimum(u.targets))
	return want, u.req.Evidence.Below(want)
}

func (u *submission) denied() *Refusal {
	reason, remedy := "denied by "+u.decision.By, ""
	for _, m := range u.decision.Rules {
		if m.Effect == u.decision.Effect && m.Mode != "warn" && m.Mode != "audit" {
			reason, remedy = m.ID+": "+m.Message, m.Alternative
			break
		}
	}
	return &Refusal{By: ByPolicy, Decision: u.decision, Reason: reason, Remedy: remedy}
}

// decide asks the policy of this moment.
func (u *submission) decide(at time.Time) {
	u.judgeNow = u.slot.cfg.Judge()
	u.digest = u.judgeNow.Digest()
	u.decision = u.judgeNow.Decide(u.policyRequest(at))
	if u.req.Runs != "" {
		u.alsoRuns(at)
	}
	u.byTables()
}

// alsoRuns judges what the program gives to a shell as a line of its own; the
// stricter answer counts.
func (u *submission) alsoRuns(at time.Time) {
	r := u.policyRequest(at)
	r.Text, r.Dialect = u.req.Runs, policy.POSIX
	d := u.judgeNow.Decide(r)
	if d.Effect > u.decision.Effect || d.Effect == u.decision.Effect && d.Risk > u.decision.Risk {
		u.decision = d
	}
}

func (u *submission) policyRequest(at time.Time) policy.Request {
	r := policy.Request{
		Text: u.req.Text, Dialect: u.req.Dialect, Origin: u.req.Origin, Targets: u.targets,
		Cwd: u.req.Cwd, At: at, State: u.req.State, User: u.slot.cfg.User, Program: u.req.Program,
	}
	if u.req.Suggestion != nil {
		r.Claimed = u.req.Suggestion.Claimed
	}
	return r
}

// byTables replaces the decision's effect for what is judged by a table of
// its own, and not by the words of a command.
func (u *submission) byTables() {
	d := &u.decision
	switch u.req.Kind {
	case Keys:
		d.Effect, d.By = u.interactive()
	case Code:
		d.Effect, d.By = max(d.Effect, u.userCode()), "prompt.user_code"
	case Line:
		if e := u.bindsCode(); e > d.Effect {
			d.Effect, d.By = e, "prompt.user_code"
		}
	case Input:
		switch {
		case u.req.EOF:
			d.Effect, d.By = policy.Permit, "an end of file"
		case u.shortAnswer():
			d.Effect, d.By = policy.Permit, "a short answer"
		}
	case Channel:
		d.Effect, d.By = policy.Deny, "channels"
		if j, ok := u.judgeNow.(ChannelJudge); ok {
			d.Effect = j.Channel(u.req.Operation, u.channelDetail())
		}
	case File:
		d.Effect, d.By = policy.Deny, "files"
		if j, ok := u.judgeNow.(FileJudge); ok {
			d.Effect, d.By = j.File(u.req.Operation, u.req.Text)
		}
	}
}

// maxAnswer is the longest answer, in characters, that needs nobody's leave.
const maxAnswer = 8

// shortAnswer tells whether the line is an answer to a program that runs
// nothing of what it reads. What a rule about its text catches is none.
func (u *submission) shortAnswer() bool {
	return u.req.Dialect == policy.Text && utf8.RuneCountInString(u.req.Text) <= maxAnswer && len(u.decision.Rules) == 0
}

func (u *submission) interactive() (policy.Effect, string) {
	j, ok := u.judgeNow.(ProgramJudge)
	if !ok {
		return policy.Deny, "interactive"
	}
	allowed, start, other := j.Interactive(u.req.Program)
	switch {
	case allowed && lacks(u.req.Started, start) != "":
		return policy.Confirm, "interactive.start"
	case allowed:
		return policy.Permit, "interactive.programs"
	case hidesCommands[u.req.Program]:
		return policy.Deny, "interactive: a shell inside would hide what runs; ^D leaves it"
	}
	return other, "interactive.other"
}

// hidesCommands are programs in which commands run that nobody would judge.
// Consent is not enough for keys to them: the policy must list them.
var hidesCommands = map[string]bool{
	"sh": true, "bash": true, "dash": true, "ash": true, "zsh": true, "fish": true, "ksh": true, "mksh": true, "csh": true, "tcsh": true,
	"busybox": true, "su": true, "sudo": true, "doas": true, "ssh": true, "mosh-client": true, "telnet": true, "tmux": true, "tmux: client": true,
	"screen": true, "docker": true, "podman": true, "kubectl": true, "nsenter": true, "chroot": true, "login": true, "script": true, "expect": true,
}

// clear makes the clearance, if the epoch is still the one that was judged.
func (u *submission) clear() (Cleared, *Refusal) {
	s := u.slot
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.epoch != u.epoch {
		return Cleared{}, changed("the prompt, or the program that reads, changed meanwhile")
	}
	s.count[u.req.Kind]++
	return Cleared{&clearance{
		slot: s, epoch: u.epoch, kind: u.req.Kind, text: u.req.Text,
		wire: u.req.Wire, intent: u.intent, decision: u.decision, suggestion: u.req.Suggestion,
		unsent: u.unsentEvent,
	}}, nil
}

func changed(reason string) *Refusal {
	return &Refusal{By: ByChange, Reason: reason, Remedy: "press Enter again to have it judged anew"}
}
