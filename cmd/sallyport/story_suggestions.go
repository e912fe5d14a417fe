package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"sallyport/console/copilot"
	"sallyport/console/gate"
	"sallyport/policy"
)

// editAndSend takes a suggestion that the policy permits, narrows it, and
// sends it.
func (s *story) editAndSend(ctx context.Context) error {
	s.step("Edit a suggestion and send it")
	g, err := s.suggestion(func(g copilot.Suggestion) bool {
		return s.host.Judge(g, string(g.Command)).Effect == policy.Permit
	})
	if err != nil {
		return err
	}
	edited := strings.ReplaceAll(string(g.Command), "/var", "~/logs")
	s.say("linus: %s", g.Command.Line())
	s.say("you:   %s", edited)
	return s.sendAndShow(ctx, g, edited)
}

// sendAndShow sends a suggestion and waits for its end.
func (s *story) sendAndShow(ctx context.Context, g copilot.Suggestion, text string) error {
	if err := s.atPrompt(ctx); err != nil {
		return err
	}
	n := len(s.host.Session().Journal())
	if err := s.host.Send(ctx, g, text); err != nil {
		return err
	}
	c, err := s.ended(ctx, n)
	if err != nil {
		return err
	}
	s.result(c)
	return nil
}

// raise takes a suggestion whose risk the policy raises; the operator refuses
// what the gate wants typed.
func (s *story) raise(ctx context.Context) error {
	s.step("The policy raises a risk, and wants the host's name typed")
	g, err := s.suggestion(func(g copilot.Suggestion) bool {
		d := s.host.Judge(g, string(g.Command))
		return d.Effect == policy.Typed && d.Risk > g.Claimed
	})
	if err != nil {
		return err
	}
	s.say("linus: %s   (says %s)", g.Command.Line(), g.Claimed)
	s.says.answer = func(gate.Question) gate.Answer { return gate.Answer{} }
	err = s.host.Send(ctx, g, string(g.Command))
	if refusal, ok := errors.AsType[*gate.Refusal](err); !ok || refusal.By != gate.ByOperator {
		return fmt.Errorf("the operator said no, and the gate: %w", err)
	}
	s.say("you refuse: nothing left")
	return nil
}

// deny tries to send a suggestion that the policy denies, and then what is
// left of it when the operator points it at the throwaway home.
func (s *story) deny(ctx context.Context) error {
	s.step("A denied suggestion never leaves")
	g, err := s.suggestion(func(g copilot.Suggestion) bool {
		return s.host.Judge(g, string(g.Command)).Effect == policy.Deny
	})
	if err != nil {
		return err
	}
	s.say("linus: %s", g.Command.Line())
	before := len(s.host.Session().Journal())
	err = s.host.Send(ctx, g, string(g.Command))
	refusal, ok := errors.AsType[*gate.Refusal](err)
	if !ok || refusal.By != gate.ByPolicy {
		return fmt.Errorf("the policy should have denied it: %w", err)
	}
	s.say("denied: %s", refusal.Reason)
	if refusal.Remedy != "" {
		s.say("instead: %s", refusal.Remedy)
	}
	if n := len(s.host.Session().Journal()); n != before {
		return fmt.Errorf("%d commands ran", n-before)
	}
	return s.typePhrase(ctx, g)
}

// typePhrase sends a high risk on the throwaway home, as the gate wants it.
func (s *story) typePhrase(ctx context.Context, g copilot.Suggestion) error {
	text := strings.NewReplacer("/var/log", "~/logs", " -mtime +30", "", "sudo ", "").Replace(string(g.Command))
	s.say("you:   %s", text)
	s.says.answer = func(q gate.Question) gate.Answer {
		s.say("you type: %s", q.Phrase)
		return gate.Answer{Send: true, Typed: q.Phrase}
	}
	return s.sendAndShow(ctx, g, text)
}
