package audit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"

	"sallyport/audit/wire"
	"sallyport/redact"
)

// shape is an event as it is read and as it is written.
type shape struct{ read, write reflect.Type }

func shapeOf[R any, W Event]() shape {
	return shape{reflect.TypeFor[R](), reflect.TypeFor[W]()}
}

type text = redact.Text

// shapes are the events that others may bring: all but the log's own.
var shapes = map[Kind]shape{
	KindPolicyLoaded:        shapeOf[PolicyLoaded[string], PolicyLoaded[text]](),
	KindPolicyRefused:       shapeOf[PolicyRefused[string], PolicyRefused[text]](),
	KindSessionConnecting:   shapeOf[SessionConnecting[string], SessionConnecting[text]](),
	KindSessionConnected:    shapeOf[SessionConnected[string], SessionConnected[text]](),
	KindSessionAuthFailed:   shapeOf[SessionAuthFailed[string], SessionAuthFailed[text]](),
	KindSessionBoot:         shapeOf[SessionBoot[string], SessionBoot[text]](),
	KindSessionDegraded:     shapeOf[SessionDegraded[string], SessionDegraded[text]](),
	KindSessionError:        shapeOf[SessionError[string], SessionError[text]](),
	KindSessionDisconnected: shapeOf[SessionDisconnected[string], SessionDisconnected[text]](),
	KindSessionResized:      shapeOf[SessionResized[string], SessionResized[text]](),
	KindSuggestionReceived:  shapeOf[SuggestionReceived[string], SuggestionReceived[text]](),
	KindSuggestionEdited:    shapeOf[SuggestionEdited[string], SuggestionEdited[text]](),
	KindSuggestionCleared:   shapeOf[SuggestionCleared[string], SuggestionCleared[text]](),
	KindSuggestionDismissed: shapeOf[SuggestionDismissed[string], SuggestionDismissed[text]](),
	KindCommandIntent:       shapeOf[Intent[string], Intent[text]](),
	KindCommandRefused:      shapeOf[Refused[string], Refused[text]](),
	KindCommandOutcome:      shapeOf[Outcome[string], Outcome[text]](),
	KindInputLine:           shapeOf[InputLine[string], InputLine[text]](),
	KindInputEOF:            shapeOf[InputEOF[string], InputEOF[text]](),
	KindKeysOpen:            shapeOf[KeysOpen[string], KeysOpen[text]](),
	KindKeysClose:           shapeOf[KeysClose[string], KeysClose[text]](),
	KindSecretEntered:       shapeOf[SecretEntered[string], SecretEntered[text]](),
	KindChannelOpen:         shapeOf[ChannelOpen[string], ChannelOpen[text]](),
	KindMCPCall:             shapeOf[MCPCall[string], MCPCall[text]](),
	KindMCPResult:           shapeOf[MCPResult[string], MCPResult[text]](),
	KindMCPOffline:          shapeOf[MCPOffline[string], MCPOffline[text]](),
	KindMCPOnline:           shapeOf[MCPOnline[string], MCPOnline[text]](),
	KindJobDispatch:         shapeOf[JobDispatch[string], JobDispatch[text]](),
	KindJobTerminal:         shapeOf[JobTerminal[string], JobTerminal[text]](),
	KindFileGet:             shapeOf[FileGet[string], FileGet[text]](),
	KindFilePut:             shapeOf[FilePut[string], FilePut[text]](),
	KindRecordingChunk:      shapeOf[RecordingChunk[string], RecordingChunk[text]](),
	KindReviewOpened:        shapeOf[ReviewOpened[string], ReviewOpened[text]](),
}

// message packs an event.
func message(ev Event) (m wire.Message, err error) {
	if own(ev) {
		return m, fmt.Errorf("%s is written by the log itself", ev.Kind())
	}
	m.Event = string(ev.Kind())
	if x, ok := ev.(interface{ exacts() []Exact }); ok {
		for _, e := range x.exacts() {
			var b wire.Exact
			if !e.IsZero() {
				b = wire.Exact{Bytes: e.e.bytes, Findings: e.e.findings}
				e.resolve(inTransit) // what is in the message is not kept
			}
			m.Exacts = append(m.Exacts, b)
		}
	}
	m.Data, err = appendJSON(nil, proper(ev))
	return m, err
}

var inTransit = newDigestKey([]byte("in transit"))

// Unpack reads a message strictly: the event must be one that others may
// bring, its data must have that event's fields and no other, and every word
// in it goes through clean, which gets the field's name.
func Unpack(m wire.Message, clean func(field, words string) redact.Text) (Event, error) {
	s, ok := shapes[Kind(m.Event)]
	if !ok {
		return nil, fmt.Errorf("%q is no event that others may bring", m.Event)
	}
	in := reflect.New(s.read)
	d := json.NewDecoder(bytes.NewReader(m.Data))
	d.DisallowUnknownFields()
	if err := d.Decode(in.Interface()); err != nil {
		return nil, fmt.Errorf("%s: %w", m.Event, err)
	}
	out := reflect.New(s.write).Elem()
	copyClean(out, in.Elem(), "", clean)
	ev := out.Interface().(Event)
	return ev, unpackExacts(ev, m.Exacts)
}

func unpackExacts(ev Event, bytes []wire.Exact) error {
	x, ok := ev.(interface{ exacts() []Exact })
	if !ok {
		return nil
	}
	for i, e := range x.exacts() {
		if e.IsZero() {
			continue
		}
		if i >= len(bytes) {
			return fmt.Errorf("%s: exact bytes are missing", ev.Kind())
		}
		*e.e = exact{bytes: bytes[i].Bytes, findings: bytes[i].Findings}
	}
	return nil
}

// UnpackTarget reads a target strictly.
func UnpackTarget(data []byte, clean func(field, words string) redact.Text) (t Target, err error) {
	err = unpackStruct[TargetOf[string]](data, &t, clean)
	return t, err
}

// UnpackActor reads what a console says of its operator strictly.
func UnpackActor(data []byte, clean func(field, words string) redact.Text) (a Actor, err error) {
	err = unpackStruct[ActorOf[string]](data, &a, clean)
	return a, err
}

func unpackStruct[R any](data []byte, into any, clean func(field, words string) redact.Text) error {
	var r R
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&r); err != nil {
		return err
	}
	copyClean(reflect.ValueOf(into).Elem(), reflect.ValueOf(r), "", clean)
	return nil
}

// copyClean copies what was read into what is written: they are of one
// generic type, so that they differ in their words alone.
func copyClean(dst, src reflect.Value, field string, clean func(field, words string) redact.Text) {
	switch {
	case dst.Type() == textType:
		dst.Set(reflect.ValueOf(clean(field, src.String())))
	case dst.Type() == src.Type():
		dst.Set(src)
	case dst.Kind() == reflect.Slice:
		if src.IsNil() {
			return
		}
		dst.Set(reflect.MakeSlice(dst.Type(), src.Len(), src.Len()))
		for i := range src.Len() {
			copyClean(dst.Index(i), src.Index(i), field, clean)
		}
	case dst.Kind() == reflect.Struct:
		for i := range dst.NumField() {
			copyClean(dst.Field(i), src.Field(i), dst.Type().Field(i).Name, clean)
		}
	}
}
