package gate

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	udiff "github.com/aymanbagabas/go-udiff"

	"sallyport/audit"
	"sallyport/policy"
	"sallyport/redact"
)

type (
	words   = redact.Text
	ruleRef = audit.Rule[words]
	frame   = audit.Frame[words]
)

// record makes the intent durable. Until it is, nothing was cleared.
func (u *submission) record(ctx context.Context) *Refusal {
	if u.slot.cfg.Recorder == nil {
		return &Refusal{By: ByLog, Decision: u.decision, Reason: "there is no log", Remedy: "configure an audit folder"}
	}
	got, err := u.append(ctx, u.event())
	switch {
	case err != nil:
		return &Refusal{By: ByLog, Decision: u.decision, Reason: "the intent could not be recorded: " + err.Error(), Remedy: "nothing was sent; make the log writable, then send again", Err: err}
	case len(got) == 0 || !got[0].Valid():
		return &Refusal{By: ByLog, Decision: u.decision, Reason: "the log gave no receipt", Remedy: "nothing was sent; run sallyport doctor"}
	}
	u.intent = got[0].Seq()
	return nil
}

// append waits for the log also when whoever submitted goes away meanwhile: a
// record that may be there or not could not be closed.
func (u *submission) append(ctx context.Context, ev audit.Event) ([]audit.Receipt, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return u.slot.cfg.Recorder.Append(context.WithoutCancel(ctx), ev)
}

// unsent closes the record of what could not be cleared any more.
func (u *submission) unsent(ctx context.Context, ref *Refusal) *Refusal {
	if ev := u.unsentEvent(ref.Reason); ev != nil {
		if _, err := u.slot.cfg.Recorder.Append(context.WithoutCancel(ctx), ev); err != nil {
			ref.Err = err
			ref.Reason += " [audit: outcome record lost: " + err.Error() + "]"
		}
	}
	return ref
}

// unsentEvent closes a record of which nothing was sent: an intent has an
// outcome, keys have an end, anything else is refused after all. It is nil where
// no record came before.
func (u *submission) unsentEvent(why string) audit.Event {
	if u.intent == 0 {
		return nil
	}
	switch u.req.Kind {
	case Line, Run:
		return audit.Outcome[words]{Intent: u.intent, Status: audit.NotSent, Note: u.text(why)}
	case Keys:
		return audit.KeysClose[words]{Program: u.text(u.req.Program), Opened: u.intent, Reason: u.text(why)}
	}
	return u.refusedEvent(&Refusal{By: ByChange, Reason: fmt.Sprintf("record %d was not sent: %s", u.intent, why)})
}

// event is the record that comes before the bytes.
func (u *submission) event() audit.Event {
	switch u.req.Kind {
	case Input:
		return u.inputEvent()
	case Keys:
		return audit.KeysOpen[words]{Program: u.text(u.req.Program), Intent: u.state.Intent, Reason: u.text(u.decision.By)}
	case Channel:
		return u.channelEvent(u.decision.Effect)
	case File:
		return u.fileEvent()
	case Code:
		return u.codeEvent()
	}
	return u.intentEvent()
}

// channelEvent is one way that a channel is used. Of a variable that stays here
// the value does, too.
func (u *submission) channelEvent(e policy.Effect) audit.ChannelOpen[words] {
	detail := cmp.Or(u.req.Detail, u.req.Text)
	if e != policy.Permit {
		detail = cmp.Or(u.req.Detail, u.channelDetail())
	}
	origin := audit.Origin(u.req.Origin)
	if u.req.ByHost {
		origin = audit.OriginHost
	}
	return audit.ChannelOpen[words]{
		Channel: u.text(u.req.Operation), Detail: u.text(detail), Origin: origin,
		Effect: audit.Effect(e.String()), Consent: u.consents, Rules: u.rules(),
	}
}

func (u *submission) inputEvent() audit.Event {
	if u.req.EOF {
		return audit.InputEOF[words]{Program: u.text(u.req.Program), Intent: u.state.Intent}
	}
	text, found := u.command(u.req.Text)
	return audit.InputLine[words]{
		Text: text, TextDigest: audit.NewExact([]byte(u.req.Text), found), Program: u.text(u.req.Program),
		Prompt: u.text(u.req.Prompt), Dialect: u.text(u.req.Dialect.String()), Origin: audit.OriginInput,
		Intent: u.state.Intent, Risk: audit.Risk(u.decision.Risk.String()),
		Effect: audit.Effect(u.decision.Effect.String()), Rules: u.rules(), Consent: u.consents, Targets: u.frames(),
	}
}

// codeEvent lists what the account binds.
func (u *submission) codeEvent() audit.Event {
	e := audit.SessionBoot[words]{Stage: redact.Literal("code")}
	for line := range strings.SplitSeq(u.req.Text, "\n") {
		e.UserCode = append(e.UserCode, u.text(line))
	}
	return e
}

func (u *submission) fileEvent() audit.Event {
	t := audit.Transfer[words]{
		Path: u.text(u.req.Text), Agent: u.agent(), Effect: audit.Effect(u.decision.Effect.String()),
		Consent: u.consents, Rules: u.rules(),
	}
	if u.req.Operation == "put" || u.req.Operation == "write" {
		return audit.FilePut[words]{Transfer: t}
	}
	return audit.FileGet[words]{Transfer: t}
}

func (u *submission) intentEvent() audit.Event {
	text, found := u.command(u.req.Text)
	d := u.decision
	i := audit.Intent[words]{
		Command: text, CommandDigest: audit.NewExact([]byte(u.req.Text), found),
		Origin: audit.Origin(u.req.Origin), Echo: u.echo(text), Form: u.form(),
		ClaimedRisk: audit.Risk(d.Claimed.String()), Risk: audit.Risk(d.Risk.String()), Effect: audit.Effect(d.Effect.String()),
		Rules: u.rules(), Policy: u.policy(), Consent: u.consents, Evidence: audit.Evidence(u.req.Evidence),
		Dialect: u.text(u.req.Dialect.String()), Account: u.account(), Cwd: u.text(u.req.Cwd),
		Targets: u.frames(), Facts: u.facts(), Analyzable: d.Analyzable, Why: u.text(d.Why),
	}
	u.suggestion(&i, text)
	return i
}

func (u *submission) suggestion(i *audit.Intent[words], text words) {
	sug := u.req.Suggestion
	if sug == nil {
		return
	}
	suggested, found := u.command(sug.Text)
	i.SuggestionID, i.SuggestionSeq, i.Agent = u.text(sug.ID), sug.Seq, u.agent()
	i.Suggested, i.SuggestedDigest = suggested, audit.NewExact([]byte(sug.Text), found)
	if i.Edited = u.req.edited(); i.Edited {
		i.Edit = u.text(udiff.Unified("suggested", "sent", suggested.String()+"\n", text.String()+"\n"))
	}
}

// echo is the line as the operator sees it.
func (u *submission) echo(text words) words {
	if u.req.Suggestion == nil {
		return text
	}
	return redact.Join(redact.Literal("→ "), text)
}

func (u *submission) form() audit.Form {
	if u.req.Suggestion != nil && u.req.Gutter {
		return audit.FormGutter
	}
	return audit.FormNone
}

// refuse records a refusal that the log itself did not cause. A record that
// cannot be written changes nothing: nothing left.
func (u *submission) refuse(ctx context.Context, ref *Refusal) *Refusal {
	if u.slot.cfg.Recorder == nil || ref.By == ByLog {
		return ref
	}
	if _, err := u.slot.cfg.Recorder.Append(context.WithoutCancel(ctx), u.refusedEvent(ref)); err != nil {
		ref.Err = err
	}
	return ref
}

func (u *submission) refusedEvent(ref *Refusal) audit.Event {
	if u.req.Kind == Channel {
		return u.channelEvent(policy.Deny)
	}
	text, found := u.command(u.req.Text)
	e := audit.Refused[words]{
		Command: text, CommandDigest: audit.NewExact([]byte(u.req.Text), found), Class: audit.Class(u.class()),
		Origin: audit.Origin(u.req.Origin), Agent: u.agent(), By: audit.RefusedBy(ref.By), Reason: u.text(ref.Reason),
		Policy: u.policy(), Dialect: u.text(u.req.Dialect.String()), Cwd: u.text(u.req.Cwd), Targets: u.frames(),
		Rules: u.rules(), ClaimedRisk: audit.Risk(u.decision.Claimed.String()),
		Risk: audit.Risk(u.decision.Risk.String()), Effect: audit.Effect(u.decision.Effect.String()),
	}
	if u.secret {
		e.Command, e.CommandDigest = words{}, audit.Exact{}
	}
	if u.req.Suggestion != nil {
		e.SuggestionID = u.text(u.req.Suggestion.ID)
	}
	return e
}

func (u *submission) class() string {
	switch u.req.Kind {
	case Run:
		return "channel"
	case Input, Keys, File, Channel:
		return u.req.Kind.String()
	case Code:
		return string(audit.ClassKeys)
	}
	return "line"
}

func (u *submission) text(s string) words {
	if r := u.slot.cfg.Redactor; r != nil && s != "" {
		t, _ := r.Text(s)
		return t
	}
	return words{}
}

// words masks the arguments as their program reads them.
func (u *submission) words(f policy.Fact) []words {
	r := u.slot.cfg.Redactor
	if r == nil || len(f.Args) == 0 {
		return nil
	}
	line := []string{f.Program}
	for _, w := range f.Args {
		line = append(line, w.Text)
	}
	return r.Words(line...)[1:]
}

func (u *submission) command(s string) (words, int) {
	if r := u.slot.cfg.Redactor; r != nil {
		t, f := r.CommandText(s)
		return t, len(f)
	}
	return words{}, 1
}

func (u *submission) agent() words {
	if u.req.Suggestion == nil {
		return words{}
	}
	return u.text(u.req.Suggestion.Agent)
}

func (u *submission) account() words {
	if n := len(u.targets); n > 0 {
		return u.text(u.targets[n-1].Account)
	}
	return words{}
}

func (u *submission) rules() []ruleRef {
	out := make([]ruleRef, 0, len(u.decision.Rules))
	for _, m := range u.decision.Rules {
		out = append(out, ruleRef{ID: u.text(m.ID), File: u.text(m.File), Line: m.Line, Mode: u.text(m.Mode)})
	}
	return out
}

func (u *submission) policy() audit.Policy[words] {
	id := u.decision.Policy
	p := audit.Policy[words]{ID: u.text(id.ID), Version: u.text(id.Version), Digest: audit.Hash(u.digest)}
	return p
}

func (u *submission) frames() []frame {
	out := make([]frame, 0, len(u.targets))
	for _, t := range u.targets {
		host := t.Asked
		if host == "" {
			host = t.HostName
		}
		out = append(out, frame{
			Host: u.text(host), Account: u.text(t.Account), Container: u.text(t.Container), Address: audit.Address(t.Address),
			Port: t.Port, Fingerprint: audit.Fingerprint(t.Fingerprint), Verified: t.Verified,
		})
	}
	return out
}

// maxFacts bounds what one record holds of a long line; the text itself is
// there to be judged again.
const maxFacts = 64

func (u *submission) facts() []audit.Fact[words] {
	var out []audit.Fact[words]
	for _, f := range u.decision.Facts {
		if len(out) == maxFacts {
			break
		}
		out = append(out, u.fact(f))
	}
	return out
}

func (u *submission) fact(f policy.Fact) audit.Fact[words] {
	a := audit.Fact[words]{Program: u.text(f.Program), Words: u.words(f)}
	for _, c := range f.Constructs {
		a.Constructs = append(a.Constructs, u.text(c))
	}
	for _, use := range f.Uses {
		if use.Redir {
			a.Writes = append(a.Writes, u.text(use.Text))
		}
	}
	if len(f.Via) > 0 {
		a.Via = u.text(f.Via[len(f.Via)-1])
	}
	return a
}
