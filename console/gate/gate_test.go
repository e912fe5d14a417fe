package gate

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"sallyport/audit"
	"sallyport/console/shellmarks"
	"sallyport/policy"
	"sallyport/redact"
)

// stub is a policy that answers with what the test set.
type stub struct {
	effect policy.Effect
	risk   policy.Risk
	digest byte
	inner  func(policy.Request) policy.Decision
	asked  []policy.Request
}

func (s *stub) Decide(r policy.Request) policy.Decision {
	s.asked = append(s.asked, r)
	if s.inner != nil {
		return s.inner(r)
	}
	return policy.Decision{Effect: s.effect, Risk: max(s.risk, r.Claimed), Claimed: r.Claimed, Origin: r.Origin, Analyzable: true, By: "stub"}
}

func (s *stub) Digest() [32]byte { return [32]byte{s.digest} }

func (s *stub) Interactive(p string) (bool, []string, policy.Effect) {
	return p == "vi", nil, policy.Deny
}

type answers func(context.Context, Question) (Answer, error)

func (a answers) Ask(ctx context.Context, q Question) (Answer, error) { return a(ctx, q) }

type bench struct {
	*Slot
	g   *Gate
	pol *stub
	log *audit.Log
	red *redact.Redactor
}

func newBench(t *testing.T, ask answers) *bench {
	t.Helper()
	log, err := audit.Open(audit.Config{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { log.Close(context.Background()) })
	b := &bench{g: &Gate{Digits: func() string { return "47" }}, pol: &stub{}, log: log, red: redact.New(redact.Config{})}
	c := SlotConfig{Session: "s-1", Recorder: log.In("s-1", audit.Target{}), Judge: func() Judge { return b.pol }, Redactor: b.red, Targets: []policy.Target{{Asked: "bastion"}, {Asked: "prod-web-03", Account: "root"}}}
	if ask != nil {
		c.Asker = ask
	}
	b.Slot = NewSlot(c)
	b.Enter(State{Phase: AtPrompt, Integrated: true, Prompt: 1})
	return b
}

// bytesOf is a wire of fixed steps.
type bytesOf []string

func (b bytesOf) Step(n int, _ string) []byte {
	if n >= len(b) {
		return nil
	}
	return []byte(b[n])
}

func line(text string) Request {
	return Request{Kind: Line, Origin: policy.Human, Text: text, Evidence: EvidenceShell, Wire: bytesOf{"accept"}}
}

func refusal(t *testing.T, err error, by Refused) *Refusal {
	t.Helper()
	var r *Refusal
	if !errors.As(err, &r) || r.By != by {
		t.Fatalf("error %v, want a refusal by %s", err, by)
	}
	return r
}

func TestOnlyTheGateMakesAClearance(t *testing.T) {
	b := newBench(t, nil)
	if _, err := (Cleared{}).Spend(b.Slot); !errors.Is(err, ErrNotCleared) {
		t.Errorf("zero value: %v", err)
	}
	if _, err := (Cleared{}).Next(""); !errors.Is(err, ErrNotCleared) {
		t.Errorf("zero value, Next: %v", err)
	}
}

func TestAClearanceIsSpentOnceInItsSlotAndEpoch(t *testing.T) {
	b, other := newBench(t, nil), newBench(t, nil)
	c, err := b.g.Submit(t.Context(), b.Slot, line("ls"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Spend(other.Slot); !errors.Is(err, ErrWrongSlot) {
		t.Errorf("another slot: %v", err)
	}
	if p, err := c.Spend(b.Slot); err != nil || string(p) != "accept" {
		t.Errorf("spend: %q %v", p, err)
	}
	if _, err := c.Spend(b.Slot); !errors.Is(err, ErrSpent) {
		t.Errorf("twice: %v", err)
	}
	c, _ = b.g.Submit(t.Context(), b.Slot, line("ls"))
	b.Enter(State{Phase: AtPrompt, Integrated: true, Prompt: 2})
	if _, err := c.Spend(b.Slot); !errors.Is(err, ErrVoid) {
		t.Errorf("a new prompt: %v", err)
	}
}

func TestTheSecondStepIsForTheJudgedTextOnly(t *testing.T) {
	for _, echoed := range []string{"ls -l", "ls ", "", "ls\n"} {
		b := newBench(t, nil)
		r := line("ls")
		r.Wire = bytesOf{"inject", "accept"}
		c, err := b.g.Submit(t.Context(), b.Slot, r)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.Next("ls"); !errors.Is(err, ErrSpent) {
			t.Errorf("Next before the first step: %v", err)
		}
		c.Spend(b.Slot)
		if _, err := c.Next(echoed); !errors.Is(err, ErrNotJudged) {
			t.Errorf("%q: %v", echoed, err)
		}
		if _, err := c.Next("ls"); err == nil {
			t.Error("a clearance that was voided went on")
		}
	}
	b := newBench(t, nil)
	r := line("ls")
	r.Wire = bytesOf{"inject", "accept"}
	c, _ := b.g.Submit(t.Context(), b.Slot, r)
	c.Spend(b.Slot)
	c, err := c.Next("ls")
	if err != nil {
		t.Fatal(err)
	}
	if p, err := c.Spend(b.Slot); err != nil || string(p) != "accept" {
		t.Errorf("second step: %q %v", p, err)
	}
}

func TestNoLineEndLeavesForAnIntegratedPrompt(t *testing.T) {
	b := newBench(t, nil)
	for _, end := range []string{"\r", "\n"} {
		r := line("ls")
		r.Wire = bytesOf{"ls" + end}
		c, err := b.g.Submit(t.Context(), b.Slot, r)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.Spend(b.Slot); !errors.Is(err, ErrLineEnd) {
			t.Errorf("%q: %v", end, err)
		}
		if _, err := b.g.Edit(b.Slot, []byte("x"+end)); err == nil {
			t.Errorf("Edit took %q", end)
		}
	}
	if _, err := b.g.Edit(b.Slot, []byte{0x1e}); err == nil {
		t.Error("Edit took the query key")
	}
}

func TestWhatNoPolicyCanAllow(t *testing.T) {
	sug := &Suggestion{ID: "1", Text: "x"}
	for name, r := range map[string]Request{
		"control":       line("ls\x1b[A"),
		"carriage":      line("ls\rrm"),
		"delete":        line("ls\x7f"),
		"c1":            line("ls\u009b"),
		"utf8":          line("ls \xff"),
		"learned":       line("correct horse"),
		"spaces aside":  line("  correct horse "),
		"placeholder":   {Kind: Line, Text: "curl -u " + placeholder(t), Suggestion: sug, Wire: bytesOf{"a"}},
		"from an agent": {Kind: Line, Text: "curl -u " + placeholder(t), Origin: policy.Agent, Wire: bytesOf{"a"}},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, nil)
			b.red.Learn([]byte("correct horse"))
			_, err := b.g.Submit(t.Context(), b.Slot, r)
			refusal(t, err, ByGate)
			if len(b.pol.asked) != 0 {
				t.Error("the policy was asked")
			}
		})
	}
}

func placeholder(t *testing.T) string {
	t.Helper()
	r := redact.New(redact.Config{})
	r.Learn([]byte("hunter2hunter2"))
	text, _ := r.Text("hunter2hunter2")
	if !redact.HasPlaceholder(text.String()) {
		t.Fatalf("no placeholder in %q", text)
	}
	return text.String()
}

func TestEffects(t *testing.T) {
	yes := answers(func(_ context.Context, q Question) (Answer, error) { return Answer{Send: true, Typed: q.Phrase}, nil })
	for name, c := range map[string]struct {
		effect policy.Effect
		ask    answers
		by     Refused // empty: cleared
	}{
		"permit":                  {policy.Permit, nil, ""},
		"confirmed":               {policy.Confirm, yes, ""},
		"typed":                   {policy.Typed, yes, ""},
		"second is not built":     {policy.Second, yes, ByPolicy},
		"deny":                    {policy.Deny, yes, ByPolicy},
		"nobody to ask":           {policy.Confirm, nil, ByGate},
		"refused by a person":     {policy.Confirm, func(context.Context, Question) (Answer, error) { return Answer{}, nil }, ByOperator},
		"asking failed":           {policy.Confirm, func(context.Context, Question) (Answer, error) { return Answer{Send: true}, errors.New("gone") }, ByOperator},
		"the phrase is not typed": {policy.Typed, func(context.Context, Question) (Answer, error) { return Answer{Send: true}, nil }, ByOperator},
		"another phrase": {policy.Typed, func(context.Context, Question) (Answer, error) {
			return Answer{Send: true, Typed: "prod-web-03 48"}, nil
		}, ByOperator},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, c.ask)
			b.pol.effect = c.effect
			got, err := b.g.Submit(t.Context(), b.Slot, line("ls"))
			if c.by != "" {
				refusal(t, err, c.by)
				return
			}
			if err != nil || got.Intent() == 0 {
				t.Errorf("%v, intent %d", err, got.Intent())
			}
		})
	}
}

// A refused line is shown as it was judged; what is no line, or equals a
// secret, is not.
func TestARefusalHoldsTheLine(t *testing.T) {
	for _, kind := range []Kind{Line, Input} {
		b := newBench(t, nil)
		b.pol.effect = policy.Deny
		r := line("ls a\u200bb")
		r.Kind = kind
		if kind == Input {
			r.Program = "psql"
		}
		_, err := b.g.Submit(t.Context(), b.Slot, r)
		var ref *Refusal
		if !errors.As(err, &ref) || (ref.Text == r.Text) != (kind == Line) || kind == Input && ref.Text != "" {
			t.Errorf("%v: %+v", kind, err)
		}
	}
}

func TestThePhraseNamesTheInnermostTarget(t *testing.T) {
	b := newBench(t, func(_ context.Context, q Question) (Answer, error) {
		if q.Phrase != "prod-web-03 47" || q.Target.Asked != "prod-web-03" || len(q.Targets) != 2 {
			t.Errorf("question %+v", q)
		}
		return Answer{}, nil
	})
	b.pol.effect = policy.Typed
	b.g.Submit(t.Context(), b.Slot, line("rm -rf /"))
}

func TestWhatChangesWhileAQuestionIsOpenVoidsIt(t *testing.T) {
	for name, change := range map[string]func(*bench){
		"the policy's digest": func(b *bench) { b.pol.digest++ },
		"the effect":          func(b *bench) { b.pol.effect = policy.Typed },
		"the risk":            func(b *bench) { b.pol.risk = policy.High },
		"the prompt":          func(b *bench) { b.Enter(State{Phase: AtPrompt, Integrated: true, Prompt: 2}) },
		"the target": func(b *bench) {
			b.Enter(State{Phase: AtPrompt, Integrated: true, Prompt: 1, Targets: []policy.Target{{Asked: "other"}}})
		},
		"a command started": func(b *bench) { b.Enter(State{Phase: Busy}) },
	} {
		t.Run(name, func(t *testing.T) {
			var b *bench
			b = newBench(t, func(context.Context, Question) (Answer, error) {
				change(b)
				return Answer{Send: true}, nil
			})
			b.pol.effect = policy.Confirm
			_, err := b.g.Submit(t.Context(), b.Slot, line("ls"))
			refusal(t, err, ByChange)
		})
	}
}

func TestAQuestionIsTakenBackWhenThePromptChanges(t *testing.T) {
	var b *bench
	b = newBench(t, func(ctx context.Context, _ Question) (Answer, error) {
		b.Enter(State{Phase: AtPrompt, Prompt: 2})
		<-ctx.Done()
		return Answer{}, ctx.Err()
	})
	b.pol.effect = policy.Confirm
	_, err := b.g.Submit(t.Context(), b.Slot, line("ls"))
	refusal(t, err, ByChange)
}

func TestTheConsentIsJudgedWithTheTimeOfTheAnswer(t *testing.T) {
	now := time.Date(2026, 11, 30, 17, 59, 0, 0, time.UTC)
	b := newBench(t, func(context.Context, Question) (Answer, error) {
		now = now.Add(2 * time.Minute)
		return Answer{Send: true}, nil
	})
	b.g.Now = func() time.Time { return now }
	b.pol.inner = func(r policy.Request) policy.Decision {
		d := policy.Decision{Effect: policy.Confirm}
		if r.At.Hour() >= 18 {
			d.Effect = policy.Deny
		}
		return d
	}
	_, err := b.g.Submit(t.Context(), b.Slot, line("ls"))
	refusal(t, err, ByPolicy)
}

func TestTheBindingCoversEverything(t *testing.T) {
	base := line("ls")
	seen := map[[32]byte]string{}
	for name, change := range map[string]func(*bench, *Request){
		"base":    func(*bench, *Request) {},
		"text":    func(_ *bench, r *Request) { r.Text = "ls " },
		"dialect": func(_ *bench, r *Request) { r.Dialect = policy.Zsh },
		"origin":  func(_ *bench, r *Request) { r.Origin = policy.Paste },
		"claimed": func(_ *bench, r *Request) { r.Suggestion = &Suggestion{Text: "ls", Claimed: policy.High} },
		"policy":  func(b *bench, _ *Request) { b.pol.digest = 9 },
		"prompt":  func(b *bench, _ *Request) { b.Enter(State{Phase: AtPrompt, Prompt: 9}) },
		"targets": func(b *bench, _ *Request) {
			b.Enter(State{Phase: AtPrompt, Prompt: 1, Targets: []policy.Target{{Asked: "x"}}})
		},
	} {
		b := newBench(t, nil)
		r := base
		change(b, &r)
		u := &submission{gate: b.g, slot: b.Slot, req: b.attribute(r)}
		u.begin()
		u.decide(time.Time{})
		sum := u.binding()
		if was, dup := seen[sum]; dup {
			t.Errorf("%s and %s bind the same", name, was)
		}
		seen[sum] = name
	}
}

type failing struct{ err error }

func (f failing) Append(context.Context, ...audit.Event) ([]audit.Receipt, error) { return nil, f.err }

type silent struct{}

func (silent) Append(context.Context, ...audit.Event) ([]audit.Receipt, error) {
	return []audit.Receipt{{}}, nil
}

func TestWithoutADurableIntentNothingIsCleared(t *testing.T) {
	for name, rec := range map[string]Recorder{"no log": nil, "fsync fails": failing{errors.New("no space")}, "a zero receipt": silent{}} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, nil)
			b.cfg.Recorder = rec
			_, err := b.g.Submit(t.Context(), b.Slot, line("ls"))
			refusal(t, err, ByLog)
		})
	}
}

func TestKindsNeedTheirPhase(t *testing.T) {
	for _, c := range []struct {
		kind  Kind
		phase Phase
		ok    bool
	}{
		{Line, AtPrompt, true},
		{Line, AtContinuation, true},
		{Line, Busy, false},
		{Line, Raw, false},
		{Line, Closed, false},
		{Line, Booting, false},
		{Input, Field, true},
		{Input, AtPrompt, false},
		{Input, Busy, false},
		{Run, SideChannel, true},
		{Run, AtPrompt, false},
		{Edit, AtPrompt, false},
		{Secret, Field, false},
		{Boot, Booting, false},
	} {
		b := newBench(t, nil)
		b.Enter(State{Phase: c.phase})
		r := line("ls")
		r.Kind = c.kind
		if _, err := b.g.Submit(t.Context(), b.Slot, r); (err == nil) != c.ok {
			t.Errorf("%s in phase %d: %v", c.kind, c.phase, err)
		}
	}
}

func TestSecretsAreLearnedAndBounded(t *testing.T) {
	b := newBench(t, nil)
	if _, err := b.g.Secret(b.Slot, []byte("early")); err == nil {
		t.Error("a secret at a prompt")
	}
	b.Enter(State{Phase: Field})
	if _, err := b.g.Secret(b.Slot, []byte("x")); err == nil {
		t.Error("a secret where no program asks for one")
	}
	b.Enter(State{Phase: Field, Secret: true})
	for _, bad := range []string{strings.Repeat("x", 257), "two\nlines", "a\x1eb", "\xff"} {
		if _, err := b.g.Secret(b.Slot, []byte(bad)); err == nil {
			t.Errorf("took %q", bad)
		}
	}
	for i := range 5 {
		c, err := b.g.Secret(b.Slot, []byte("s3cret-value-1"))
		if (err == nil) != (i < 4) {
			t.Errorf("secret %d: %v", i+1, err)
		}
		if i == 0 {
			if !b.red.Known("s3cret-value-1") {
				t.Error("not learned before it is sent")
			}
			if p, _ := c.Spend(b.Slot); string(p) != "s3cret-value-1\n" {
				t.Errorf("bytes %q", p)
			}
		}
	}
}

func TestASuggestionKeepsItsOriginHoweverItGotThere(t *testing.T) {
	b := newBench(t, nil)
	b.Suggest(Suggestion{ID: "7", Text: "df  -h", Claimed: policy.Medium})
	b.Suggest(Suggestion{ID: "7", Text: "df -h", Claimed: policy.Low})
	b.Suggest(Suggestion{ID: "a", Text: "uptime", Agent: "bot"})
	for text, want := range map[string]policy.Origin{"df -h": policy.Copilot, " df\t-h ": policy.Copilot, "df": policy.Human, "uptime": policy.Agent} {
		c, err := b.g.Submit(t.Context(), b.Slot, line(text))
		if err != nil {
			t.Fatal(err)
		}
		if c.Decision().Origin != want {
			t.Errorf("%q: origin %s, want %s", text, c.Decision().Origin, want)
		}
		if want == policy.Copilot && c.Decision().Claimed != policy.Medium {
			t.Errorf("%q: the claim fell to %s", text, c.Decision().Claimed)
		}
	}
}

func TestRepliesAreFixedForms(t *testing.T) {
	b := newBench(t, nil)
	for p, ok := range map[string]bool{
		"\x1b[12;40R": true, "\x1b[?62;22c": true, "\x1b[0n": true, "\x1b[?2026;2$y": true, "\x1b[5;5R\x1b[0n": true,
		"\x1b[12;40Rls": false, "ls": false, "\x1b[A\r": false, "\x1b]2;title\x07": false, "": false,
	} {
		if _, err := b.g.Control(b.Slot, TerminalReply([]byte(p))); (err == nil) != ok {
			t.Errorf("%q: %v", p, err)
		}
	}
}

func TestControlsAreAClosedSet(t *testing.T) {
	b := newBench(t, nil)
	if _, err := b.g.Control(b.Slot, Control{}); err == nil {
		t.Error("the zero control")
	}
	if _, err := b.g.Control(b.Slot, Press('x')); err == nil {
		t.Error("a key that is no signal")
	}
	if _, err := b.g.Control(b.Slot, BootWith(shellmarks.Loader())); err == nil {
		t.Error("a bootstrap at a prompt")
	}
	if _, err := b.g.Control(b.Slot, ProbeWith("ls")); err == nil {
		t.Error("a probe on the shell's channel")
	}
	c, err := b.g.Control(b.Slot, Insert(shellmarks.Bash, "a\nb"))
	if err != nil {
		t.Fatal(err)
	}
	if p, err := c.Spend(b.Slot); err != nil || strings.ContainsAny(string(p), "\r\n") {
		t.Errorf("a paste of lines: %q %v", p, err)
	}
}

func TestRawKeysNeedAnOpenProgram(t *testing.T) {
	b := newBench(t, nil)
	if _, err := b.g.Raw(b.Slot, []byte("x")); err == nil {
		t.Error("raw keys at a prompt")
	}
	b.Enter(State{Phase: Busy})
	if _, err := b.g.Submit(t.Context(), b.Slot, Request{Kind: Keys, Program: "bash"}); err == nil {
		t.Error("keys for a program that is not listed")
	}
	if _, err := b.g.Submit(t.Context(), b.Slot, Request{Kind: Keys, Program: "vi"}); err != nil {
		t.Error(err)
	}
	b.Enter(State{Phase: Raw, Program: "vi"})
	if _, err := b.g.Raw(b.Slot, []byte(":q\r")); err != nil {
		t.Error(err)
	}
}

func TestRunNeedsAChannelOfItsOwn(t *testing.T) {
	b := newBench(t, nil)
	r := Request{Kind: Run, Origin: policy.Run, Text: "uptime", Wire: bytesOf{"exec sh -c 'uptime'"}}
	_, err := b.g.Submit(t.Context(), b.Slot, r)
	refusal(t, err, ByGate)
	b.Enter(State{Phase: SideChannel})
	c, err := b.g.Submit(t.Context(), b.Slot, r)
	if err != nil || c.Intent() == 0 {
		t.Fatal(err)
	}
	if p, _ := c.Spend(b.Slot); string(p) != "exec sh -c 'uptime'" {
		t.Errorf("bytes %q", p)
	}
}

// tables is a policy with tables for files and channels.
type tables struct{ *stub }

func (tables) Channel(kind, detail string) policy.Effect {
	if kind == "local_forward" && detail == "127.0.0.1:5432" {
		return policy.Permit
	}
	return policy.Deny
}

func (tables) File(op, path string) (policy.Effect, string) {
	if op == "read" && path == "/tmp/x" {
		return policy.Permit, "files.read"
	}
	return policy.Deny, "files.deny"
}

func TestFilesAndChannelsAreDeniedUnlessThePolicyAllowsThem(t *testing.T) {
	for _, c := range []struct {
		kind         Kind
		op, text     string
		silent, open bool // cleared without tables in the policy, and with
	}{
		{Channel, "local_forward", "127.0.0.1:5432", false, true},
		{Channel, "local_forward", "127.0.0.1:22", false, false},
		{Channel, "agent_forward", "", false, false},
		{Channel, "x11", "", false, false},
		{Channel, "env", "LD_PRELOAD=x", false, false},
		{Channel, "subsystem", "sftp", false, false},
		{File, "read", "/tmp/x", false, true},
		{File, "put", "/etc/passwd", false, false},
	} {
		b := newBench(t, nil)
		r := Request{Kind: c.kind, Operation: c.op, Text: c.text, Wire: bytesOf{"x"}}
		if _, err := b.g.Submit(t.Context(), b.Slot, r); (err == nil) != c.silent {
			t.Errorf("%s %s without a table: %v", c.op, c.text, err)
		}
		b.cfg.Judge = func() Judge { return tables{b.pol} }
		if _, err := b.g.Submit(t.Context(), b.Slot, r); (err == nil) != c.open {
			t.Errorf("%s %s: %v", c.op, c.text, err)
		}
	}
}

// sure is a policy that wants the shell's word.
type sure struct{ *stub }

func (sure) EvidenceMinimum([]policy.Target) string { return "shell" }

func TestWeakEvidenceIsRefusedWhereThePolicyWantsMore(t *testing.T) {
	b := newBench(t, nil)
	b.cfg.Judge = func() Judge { return sure{b.pol} }
	r := line("ls")
	r.Evidence = EvidenceComposed
	_, err := b.g.Submit(t.Context(), b.Slot, r)
	refusal(t, err, ByPolicy)
	if _, err := b.g.Submit(t.Context(), b.Slot, line("ls")); err != nil {
		t.Error(err)
	}
}
