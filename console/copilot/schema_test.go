package copilot

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
)

var update = flag.Bool("update", false, "write envelope.schema.json from the types")

// TestSchemaIsMadeFromTheTypes keeps envelope.schema.json what the types say.
func TestSchemaIsMadeFromTheTypes(t *testing.T) {
	want := generateSchema(t)
	if *update {
		if err := os.WriteFile("envelope.schema.json", want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(want, Schema()) && !*update {
		t.Error("envelope.schema.json is not what the types say; run: go generate ./console/copilot")
	}
}

// TestTheSchemaNeedsNoWorkingDirectory: a console may be started in a folder that is
// removed later.
func TestTheSchemaNeedsNoWorkingDirectory(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "gone")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	if err := os.Remove(dir); err != nil {
		t.Fatal(err)
	}
	if n := len(compileSchemas()); n != len(blocks) {
		t.Errorf("%d schemas", n)
	}
}

func generateSchema(t *testing.T) []byte {
	t.Helper()
	s, err := jsonschema.For[Envelope](&jsonschema.ForOptions{
		TypeSchemas: map[reflect.Type]*jsonschema.Schema{
			reflect.TypeFor[StepStatus](): {Type: "string", Enum: []any{Done, Current, Pending}},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	open(s)
	s.Schema = "https://json-schema.org/draft/2020-12/schema"
	s.Title = "Answer of Linus"
	bound(s)
	out, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return append(out, '\n')
}

// open lets objects have fields that are not known: they are ignored.
func open(s *jsonschema.Schema) {
	if s == nil {
		return
	}
	s.AdditionalProperties = nil
	open(s.Items)
	for _, p := range s.Properties {
		open(p)
	}
}

// bound adds what Go types cannot say. Lengths are counted in characters here, so
// the check in bytes stays with the program.
func bound(s *jsonschema.Schema) {
	chat, intent := s.Properties["chat_response"], s.Properties["intent_update"]
	list, clear := s.Properties["suggested_commands"], s.Properties["clear_suggestions"]
	chat.Properties["message"].MaxLength = ptr(MaxMessage)
	chat.Properties["mentions"].MaxItems = ptr(MaxMentions)
	intent.Properties["summary"].MaxLength = ptr(MaxLine)
	intent.Properties["confidence"].Minimum = ptr(0.0)
	intent.Properties["confidence"].Maximum = ptr(1.0)
	steps := intent.Properties["steps"]
	steps.MaxItems = ptr(MaxSteps)
	steps.Items.Properties["text"].MaxLength = ptr(MaxLine)
	command := list.Properties["commands"].Items
	command.Properties["id"].MinLength = ptr(1)
	command.Properties["id"].MaxLength = ptr(MaxID)
	command.Properties["command"].MinLength = ptr(1)
	command.Properties["command"].MaxLength = ptr(MaxCommand)
	command.Properties["description"].MaxLength = ptr(MaxDescription)
	clear.Properties["ids"].MaxItems = ptr(MaxCleared)
	clear.Properties["ids"].Items.MaxLength = ptr(MaxID)
}

func ptr[T any](v T) *T { return &v }
