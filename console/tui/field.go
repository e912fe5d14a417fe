package tui

import (
	"strings"

	"sallyport/console/keys"
	"sallyport/console/session"
)

// field is the line that a remote program asks for.
type field struct {
	id    uint64
	kind  session.FieldKind
	given string // what the session had for it: typed before it was drawn, or not sent
	edit  edit
}

// syncField opens and closes the field as the session says.
func (t *tab) syncField() {
	v := t.view.Field
	if v == nil {
		t.giveBack()
		t.endField()
		return
	}
	if t.field == nil || t.field.id != v.ID {
		t.endField()
		t.field = &field{id: v.ID, kind: v.Kind, given: v.Typed, edit: newEdit(v.Typed)}
	}
	t.field.give(v.Typed)
}

// give puts in what was on its way to the session when the field was drawn:
// before what was typed into it since.
func (f *field) give(typed string) {
	late, ok := strings.CutPrefix(typed, f.given)
	if !ok || late == "" {
		return
	}
	if since, ok := strings.CutPrefix(f.edit.String(), f.given); ok {
		f.edit.set(typed + since)
	} else {
		f.edit.insert(late)
	}
	f.given = typed
}

// giveBack types what was not sent when its program went away, so that it
// stands in the shell's line or waits for it. What was meant for a question
// about a password does not.
func (t *tab) giveBack() {
	if t.field == nil || t.sess == nil || t.field.kind != session.LineField {
		return
	}
	for _, r := range t.field.edit.String() {
		t.sess.Key(keys.Event{Rune: r})
	}
}

func (t *tab) endField() {
	if t.field != nil {
		t.field.edit.wipe()
		t.field = nil
	}
}

func (t *tab) fieldKey(k keys.Event) {
	f := t.field
	if k.Is("C-j") { // as at the program's own terminal
		k = keys.Press(keys.Enter, 0)
	}
	switch k.String() {
	case "Enter":
		t.sess.Field(f.id, []byte(f.edit.String()), false)
		f.edit.wipe()
	case "C-c":
		f.edit.wipe()
		t.sess.Interrupt()
	case "C-d":
		if f.edit.empty() {
			t.sess.Field(f.id, nil, true)
			return
		}
		f.edit.key(k)
	case "C-z", "C-\\":
		t.sess.Key(k)
	default:
		f.edit.key(k)
	}
}
