package gate

import (
	"context"
	"strings"
	"unicode/utf8"

	"sallyport/policy"
	"sallyport/redact"
)

// check refuses what no policy can allow.
func (u *submission) check(context.Context) *Refusal {
	text := u.req.Text
	switch {
	case !utf8.ValidString(text):
		return misuse("the text is not valid UTF-8", "retype what is not a character")
	case strings.ContainsFunc(text, forbiddenControl):
		return misuse("the text holds a control character", "remove it; a tab or a newline is all that may stand in a line")
	case u.req.Kind == Input && strings.Contains(text, "\n"):
		return misuse("a program reads one line at a time", "send the lines one by one")
	case u.machineWrote() && redact.HasPlaceholder(text):
		return misuse("the text holds a redactor's placeholder where a secret was", "write the value yourself, or ask for another command")
	case u.known(text):
		u.secret = true
		return misuse("the line is a secret that was typed before", "it was not sent; clear the line")
	}
	return nil
}

// forbiddenControl is any C0 or C1 control but newline and tab.
func forbiddenControl(r rune) bool {
	return r < 0x20 && r != '\n' && r != '\t' || r >= 0x7f && r < 0xa0
}

func (u *submission) machineWrote() bool {
	return u.req.Suggestion != nil || u.req.Origin == policy.Copilot || u.req.Origin == policy.Agent
}

func (u *submission) known(text string) bool {
	r := u.slot.cfg.Redactor
	return r != nil && r.Known(text)
}

// Suggest remembers what a machine suggested in this session.
func (s *Slot) Suggest(sug Suggestion) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.suggestions == nil {
		s.suggestions = map[string]Suggestion{}
	}
	key := squeeze(sug.Text)
	if old, ok := s.suggestions[key]; ok && old.Claimed > sug.Claimed {
		sug.Claimed = old.Claimed // a claim only rises
	}
	s.suggestions[key] = sug
}

func (s *Slot) suggested(text string) *Suggestion {
	s.mu.Lock()
	defer s.mu.Unlock()
	if sug, ok := s.suggestions[squeeze(text)]; ok {
		return &sug
	}
	return nil
}

// squeeze is a text, spaces aside.
func squeeze(text string) string { return strings.Join(strings.Fields(text), " ") }
