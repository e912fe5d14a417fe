package copilot

import (
	"fmt"
	"strings"
)

// The checks below are what a JSON Schema cannot say: lengths in bytes, ids that
// occur twice, ids that look like another's.

func (c *ClearSuggestions) check() error { return checkIDs("ids", c.IDs) }

func (c *SuggestedCommands) check() error {
	seen := make(map[string]bool, len(c.Commands))
	for i, s := range c.Commands {
		if err := s.check(); err != nil {
			return fmt.Errorf("commands.%d: %w", i, err)
		}
		if seen[s.ID] {
			return fmt.Errorf("commands.%d: id %q occurs twice", i, s.ID)
		}
		seen[s.ID] = true
	}
	return nil
}

func (c SuggestedCommand) check() error {
	if err := checkID(c.ID); err != nil {
		return err
	}
	if strings.TrimSpace(c.Command) == "" {
		return fmt.Errorf("command of %q is empty", c.ID)
	}
	if err := within("command", c.Command, MaxCommand); err != nil {
		return err
	}
	return within("description", c.Description, MaxDescription)
}

func (u *IntentUpdate) check() error {
	if err := within("summary", u.Summary, MaxLine); err != nil {
		return err
	}
	for i, s := range u.Steps {
		if err := within("text", s.Text, MaxLine); err != nil {
			return fmt.Errorf("steps.%d: %w", i, err)
		}
	}
	return nil
}

func (r *ChatResponse) check() error {
	if err := within("message", r.Message, MaxMessage); err != nil {
		return err
	}
	return checkIDs("mentions", r.Mentions)
}

func checkIDs(field string, ids []string) error {
	for i, id := range ids {
		if err := within("id", id, MaxID); err != nil {
			return fmt.Errorf("%s.%d: %w", field, i, err)
		}
	}
	return nil
}

// agentPrefix marks the ids of agents' proposals, which Linus may not use.
const agentPrefix = "agent:"

func checkID(id string) error {
	if id == "" {
		return fmt.Errorf("id is empty")
	}
	if strings.HasPrefix(id, agentPrefix) {
		return fmt.Errorf("id %q is kept for agents", id)
	}
	return within("id", id, MaxID)
}

func within(field, s string, limit int) error {
	if len(s) > limit {
		return fmt.Errorf("%s is %d bytes, more than %d", field, len(s), limit)
	}
	return nil
}
