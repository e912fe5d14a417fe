package tui

import (
	"sallyport/console/keys"
	"sallyport/console/session"
)

// field is the line that a remote program asks for.
type field struct {
	id   uint64
	kind session.FieldKind
	edit edit
}

// syncField opens and closes the field as the session says.
func (t *tab) syncField() {
	v := t.view.Field
	if v == nil {
		t.endField()
		return
	}
	if t.field == nil || t.field.id != v.ID {
		t.endField()
		t.field = &field{id: v.ID, kind: v.Kind, edit: newEdit(v.Typed)}
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
