package session

import (
	"errors"
	"reflect"
	"testing"
	"time"

	"sallyport/console/gate"
	"sallyport/policy"
)

// TestSameLooksAtEveryField: a field that is added to View and not to Same would be drawn late.
func TestSameLooksAtEveryField(t *testing.T) {
	exit := 1
	other := View{
		ID: "a", State: Running, Shell: "bash", Cwd: "/", LastExit: &exit, Evidence: gate.EvidenceNone + "x", Degraded: "why", ReadOnly: "why",
		Held: 1, Running: "ls", Since: time.Unix(1, 0), Field: &FieldView{ID: 1}, Compose: &Composing{Line: 1}, Program: "vi", Waiting: time.Unix(1, 0),
		Frames: []policy.Target{{Asked: "h"}}, Alarms: 1, Alarm: "why", UserCode: []string{"x"}, Tainted: []string{"x"},
		Refused: &gate.Refusal{}, Dropped: 1, Error: errors.New("gone"),
	}
	from := reflect.ValueOf(other)
	for i := range from.NumField() {
		name := from.Type().Field(i).Name
		v := View{}
		reflect.ValueOf(&v).Elem().Field(i).Set(from.Field(i))
		if from.Field(i).IsZero() || v.Same(View{}) || (View{}).Same(v) {
			t.Errorf("%s is not looked at", name)
		}
		if !v.Same(v) {
			t.Errorf("%s is not the same as itself", name)
		}
	}
}
