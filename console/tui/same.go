package tui

import "slices"

// These are asked for every frame, and mostly say that nothing is new.

// same tells whether two links look the same.
func (l Link) same(o Link) bool {
	return l.Name == o.Name && l.Target == o.Target && slices.Equal(l.Groups, o.Groups) && l.Production == o.Production &&
		l.Phase == o.Phase && l.Step == o.Step && l.Since.Equal(o.Since) && l.Up.Equal(o.Up) &&
		errorText(l.Err) == errorText(o.Err) && l.Hint == o.Hint && pointees(l.Exit, o.Exit)
}

// same tells whether two states of the log look the same.
func (s LogStatus) same(o LogStatus) bool {
	return s.Records == o.Records && s.Refusing == o.Refusing && s.Full == o.Full && s.KeysUntil.Equal(o.KeysUntil) &&
		pointees(s.Collector, o.Collector) && s.Glass == o.Glass
}

// pointees tells whether two pointers point to the same, or both to nothing.
func pointees[T comparable](a, b *T) bool {
	return a == b || a != nil && b != nil && *a == *b
}
