package session

import "sallyport/console/keys"

// field is a program's question that is open.
type field struct{ v FieldView }

func (f *field) view() *FieldView {
	if f == nil {
		return nil
	}
	v := f.v
	return &v
}

type openKeys struct{ prog string }

func (k *openKeys) program() string {
	if k == nil {
		return ""
	}
	return k.prog
}

func (l *loop) closeField()                             { l.field = nil }
func (l *loop) closeKeys(why string)                    { l.keys = nil }
func (l *loop) rawKey(k keys.Event)                     {}
func (l *loop) rawPaste(text string)                    {}
func (l *loop) answer(id uint64, line []byte, eof bool) {}
func (l *loop) look()                                   {}
func (l *loop) idleSoon()                               {}
func (l *loop) pop(n int)                               { l.frames = l.frames[:n] }
