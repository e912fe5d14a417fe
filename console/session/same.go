package session

import (
	"reflect"
	"slices"
)

// Same tells whether two snapshots show the same. It is asked for every frame, and mostly says yes.
func (v View) Same(o View) bool {
	return v.ID == o.ID && v.State == o.State && v.Shell == o.Shell && v.Cwd == o.Cwd && pointees(v.LastExit, o.LastExit) &&
		v.Evidence == o.Evidence && v.Degraded == o.Degraded && v.ReadOnly == o.ReadOnly &&
		v.Held == o.Held && v.Running == o.Running && v.Since.Equal(o.Since) &&
		pointees(v.Field, o.Field) && sameComposing(v.Compose, o.Compose) && v.Program == o.Program && v.Waiting.Equal(o.Waiting) &&
		slices.Equal(v.Frames, o.Frames) && v.Alarms == o.Alarms && v.Alarm == o.Alarm &&
		slices.Equal(v.UserCode, o.UserCode) && slices.Equal(v.Tainted, o.Tainted) &&
		v.Refused == o.Refused && v.Dropped == o.Dropped && sameError(v.Error, o.Error)
}

// pointees tells whether two pointers point to the same, or both to nothing.
func pointees[T comparable](a, b *T) bool {
	return a == b || a != nil && b != nil && *a == *b
}

func sameComposing(a, b *Composing) bool {
	if a == nil || b == nil {
		return a == b
	}
	return reflect.DeepEqual(*a, *b)
}

func sameError(a, b error) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Error() == b.Error()
}
