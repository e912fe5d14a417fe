package audit

import (
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"sallyport/redact"
)

// everyEvent has a value of each event there is.
var everyEvent = []Event{
	LogOpen[redact.Text]{},
	LogClose[redact.Text]{},
	LogRecovered[redact.Text]{},
	LogPruned[redact.Text]{},
	Checkpoint[redact.Text]{},
	KeyRotate[redact.Text]{},
	PolicyLoaded[redact.Text]{},
	PolicyRefused[redact.Text]{},
	SessionConnecting[redact.Text]{},
	SessionConnected[redact.Text]{},
	SessionAuthFailed[redact.Text]{},
	SessionBoot[redact.Text]{},
	SessionDegraded[redact.Text]{},
	SessionError[redact.Text]{},
	SessionDisconnected[redact.Text]{},
	SessionResized[redact.Text]{},
	SuggestionReceived[redact.Text]{},
	SuggestionEdited[redact.Text]{},
	SuggestionCleared[redact.Text]{},
	SuggestionDismissed[redact.Text]{},
	Intent[redact.Text]{},
	Refused[redact.Text]{},
	Outcome[redact.Text]{},
	InputLine[redact.Text]{},
	InputEOF[redact.Text]{},
	KeysOpen[redact.Text]{},
	KeysClose[redact.Text]{},
	SecretEntered[redact.Text]{},
	ChannelOpen[redact.Text]{},
	BreakGlassOpened[redact.Text]{},
	BreakGlassClosed[redact.Text]{},
	MCPCall[redact.Text]{},
	MCPResult[redact.Text]{},
	MCPOffline[redact.Text]{},
	MCPOnline[redact.Text]{},
	JobDispatch[redact.Text]{},
	JobTerminal[redact.Text]{},
	FileGet[redact.Text]{},
	FilePut[redact.Text]{},
	RecordingChunk[redact.Text]{},
	ShipRejected[redact.Text]{},
	ShipCursorReset[redact.Text]{},
	ReviewOpened[redact.Text]{},
}

func TestThereIsAStructForEveryEvent(t *testing.T) {
	seen := map[Kind]bool{}
	for _, e := range everyEvent {
		seen[e.Kind()] = true
	}
	for name, k := range kinds {
		if !seen[k] {
			t.Errorf("no struct for %s", name)
		}
	}
	if len(seen) != len(everyEvent) || len(seen) != len(kinds) {
		t.Errorf("%d events, %d kinds, %d names", len(everyEvent), len(seen), len(kinds))
	}
}

// A record holds redacted words, closed words, minted values and numbers: an
// encoder exists for these alone, so it is enough that each event has one.
func TestNoRecordTypeHoldsAPlainString(t *testing.T) {
	for _, e := range everyEvent {
		if _, err := encoderOf(reflect.TypeOf(e)); err != nil {
			t.Errorf("%s: %v", e.Kind(), err)
		}
	}
	for _, v := range []any{Actor{}, Target{}} {
		if _, err := encoderOf(reflect.TypeOf(v)); err != nil {
			t.Errorf("%T: %v", v, err)
		}
	}
	type leak struct {
		Command string `json:"command"`
	}
	if _, err := encoderOf(reflect.TypeFor[leak]()); err == nil {
		t.Error("a struct with a plain string has an encoder")
	}
}

// The package documentation lists the fields of every event; this keeps the
// list true.
func TestTheDocumentationListsEveryField(t *testing.T) {
	doc, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	var missing []string
	for _, e := range everyEvent {
		row := fieldRow(e)
		if !strings.Contains(oneSpace(string(doc)), oneSpace(row)) {
			missing = append(missing, wrapRow(row))
		}
	}
	if len(missing) > 0 {
		t.Errorf("doc.go lacks:\n%s", strings.Join(missing, "\n"))
	}
}

func oneSpace(s string) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(s, "//", " ")), " ")
}

func fieldRow(e Event) string {
	return string(e.Kind()) + ": " + strings.Join(namesOf(reflect.TypeOf(e)), ", ")
}

func namesOf(t reflect.Type) (names []string) {
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Anonymous {
			names = append(names, namesOf(f.Type)...)
			continue
		}
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if options != "" {
			name += "?"
		}
		names = append(names, name+kindOfField(f.Type))
	}
	return names
}

// kindOfField marks the type of a field as the documentation does.
func kindOfField(t reflect.Type) string {
	switch {
	case t == textType:
		return ""
	case t.Kind() == reflect.Pointer:
		return kindOfField(t.Elem())
	case t.Kind() == reflect.Slice && t.Elem().Kind() != reflect.Uint8:
		return kindOfField(t.Elem()) + "[]"
	}
	name, _, _ := strings.Cut(t.Name(), "[")
	return fmt.Sprintf(" <%s>", name)
}

func wrapRow(row string) string {
	var out strings.Builder
	line := "//\t"
	for _, w := range strings.Fields(row) {
		if len(line)+len(w) > 100 {
			out.WriteString(strings.TrimRight(line, " ") + "\n")
			line = "//\t  "
		}
		line += w + " "
	}
	return out.String() + strings.TrimRight(line, " ")
}
