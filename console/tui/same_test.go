package tui

import (
	"errors"
	"reflect"
	"testing"
	"time"

	"sallyport/policy"
)

// TestSameLooksAtEveryField: what is added to a Link or to the state of the log and not to same would be drawn late.
func TestSameLooksAtEveryField(t *testing.T) {
	exit, at := 1, time.Unix(1, 0)
	link := Link{
		Name: "a@b", Target: policy.Target{Asked: "b"}, Groups: []string{"web"}, Production: true, Phase: Lost, Step: "connect",
		Since: at, Up: at, Err: errors.New("gone"), Hint: "again", Exit: &exit,
	}
	everyField(t, link, Link.same)
	everyField(t, LogStatus{Records: 1, Refusing: "full", Full: true, KeysUntil: at, Collector: &Collector{Behind: 1}, Glass: true}, LogStatus.same)
}

// everyField sets one field after the other as full has it and looks whether it counts.
func everyField[T any](t *testing.T, full T, same func(a, b T) bool) {
	t.Helper()
	from := reflect.ValueOf(full)
	for i := range from.NumField() {
		var zero, one T
		reflect.ValueOf(&one).Elem().Field(i).Set(from.Field(i))
		if from.Field(i).IsZero() || same(one, zero) || same(zero, one) || !same(one, one) {
			t.Errorf("%T: %s is not looked at", full, from.Type().Field(i).Name)
		}
	}
}
