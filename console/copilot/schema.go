package copilot

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"sallyport/console/safetext"
)

//go:generate go test -run TestSchemaIsMadeFromTheTypes -update .

//go:embed envelope.schema.json
var envelopeSchema []byte

// Schema is the JSON Schema (2020-12) of an [Envelope].
func Schema() json.RawMessage { return bytes.Clone(envelopeSchema) }

// blocks are the envelope's blocks in the order in which they are applied.
var blocks = [...]string{"clear_suggestions", "suggested_commands", "intent_update", "chat_response"}

// schemaURL is absolute: the compiler takes any other for a file of the working
// directory, which may be gone.
const schemaURL = "mem:///envelope.json"

var blockSchemas = sync.OnceValue(compileSchemas)

func compileSchemas() map[string]*jsonschema.Schema {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(envelopeSchema))
	if err != nil {
		panic("copilot: embedded schema: " + err.Error())
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource(schemaURL, doc); err != nil {
		panic("copilot: embedded schema: " + err.Error())
	}
	out := make(map[string]*jsonschema.Schema, len(blocks))
	for _, b := range blocks {
		out[b] = c.MustCompile(schemaURL + "#/properties/" + b)
	}
	return out
}

// dropped is a block that could not be used.
type dropped struct{ Block, Reason string }

// parse reads an envelope. A block that is not valid is in drops and not in the
// envelope. The error says that it is no envelope at all.
func parse(raw []byte) (env Envelope, drops []dropped, err error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(raw, &fields); err != nil {
		return env, nil, fmt.Errorf("not a JSON object: %w", err)
	}
	if fields == nil {
		return env, nil, errors.New("not a JSON object: null")
	}
	for _, b := range blocks {
		block, ok := fields[b]
		if !ok || string(block) == "null" {
			continue
		}
		if err := take(&env, b, block); err != nil {
			drops = append(drops, dropped{b, safeReason(err)})
		}
	}
	return env, drops, nil
}

// Parse reads an envelope as the console does. The blocks that are valid are in the
// Envelope; the error says what is wrong with the others, or that it is none.
func Parse(raw []byte) (Envelope, error) {
	env, drops, err := parse(raw)
	wrong := []error{err}
	for _, d := range drops {
		wrong = append(wrong, fmt.Errorf("%s: %s", d.Block, d.Reason))
	}
	return env, errors.Join(wrong...)
}

// take validates one block and puts it into the envelope.
func take(env *Envelope, name string, raw json.RawMessage) error {
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		return err
	}
	if err := blockSchemas()[name].Validate(v); err != nil {
		return invalid(err)
	}
	switch name {
	case "clear_suggestions":
		return decodeBlock(raw, &env.Clear, (*ClearSuggestions).check)
	case "suggested_commands":
		return decodeBlock(raw, &env.Commands, (*SuggestedCommands).check)
	case "intent_update":
		return decodeBlock(raw, &env.Intent, (*IntentUpdate).check)
	default:
		return decodeBlock(raw, &env.Chat, (*ChatResponse).check)
	}
}

func decodeBlock[T any](raw json.RawMessage, into **T, check func(*T) error) error {
	v := new(T)
	if err := json.Unmarshal(raw, v); err != nil {
		return err
	}
	if err := check(v); err != nil {
		return err
	}
	*into = v
	return nil
}

// invalid gives the first thing that a schema found wrong: where, and what.
func invalid(err error) error {
	var v *jsonschema.ValidationError
	if !errors.As(err, &v) {
		return err
	}
	for len(v.Causes) > 0 {
		v = v.Causes[0]
	}
	what := v.ErrorKind.LocalizedString(message.NewPrinter(language.English))
	if len(v.InstanceLocation) == 0 {
		return errors.New(what)
	}
	return fmt.Errorf("%s: %s", strings.Join(v.InstanceLocation, "."), what)
}

// maxReason bounds a reason, which may quote what Linus sent.
const maxReason = 200

// safeReason is err as one short line that is safe to draw.
func safeReason(err error) string {
	return cutLine(safetext.Line(err.Error()), maxReason)
}

func cutLine(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	return strings.ToValidUTF8(s[:limit], "") + "…"
}
