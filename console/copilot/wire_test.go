package copilot

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"reflect"
	"strings"
	"testing"

	"sallyport/redact"
)

// everyArguments has one value of each type that is sent. A tool without one fails
// the test below.
var everyArguments = []arguments{chatArguments{}, updateArguments{}, executedArguments{}, stateArguments{}}

// TestOnlyRedactedTextReachesTheWire walks the types: a string that is sent is a
// redact.Text or a constant of this package.
func TestOnlyRedactedTextReachesTheWire(t *testing.T) {
	seen := map[tool]bool{}
	for _, a := range everyArguments {
		seen[a.tool()] = true
		walk(t, reflect.TypeOf(a), reflect.TypeOf(a).Name())
	}
	for _, name := range allTools {
		if !seen[name] {
			t.Errorf("%s is not walked", name)
		}
	}
}

var closed = map[reflect.Type]bool{reflect.TypeFor[Source](): true, reflect.TypeFor[Event](): true}

func walk(t *testing.T, typ reflect.Type, path string) {
	t.Helper()
	switch {
	case typ == reflect.TypeFor[redact.Text](), closed[typ]:
	case typ.Kind() == reflect.Pointer:
		walk(t, typ.Elem(), path)
	case typ.Kind() == reflect.Struct:
		for i := range typ.NumField() {
			walk(t, typ.Field(i).Type, path+"."+typ.Field(i).Name)
		}
	case typ.Kind() == reflect.Bool, typ.Kind() == reflect.Int:
	default:
		t.Errorf("%s is a %s", path, typ)
	}
}

// planted are credentials, and what they look like where they are printed. They are
// put together here so that they are none.
func planted() map[string]string {
	password := "Kx9" + "vTr4pQz" + "7Lm"
	token := "ghp_" + strings.Repeat("aB3dE5gH7j", 3) + "kL9mN1"
	return map[string]string{
		password: "mysql --password=" + password + " -h db-1",
		token:    "export GITHUB_TOKEN=" + token,
	}
}

// TestNoCredentialIsOnTheWire plants credentials in everything that is sent, through
// the console's own redactor, to a real child, and looks at the bytes it received.
func TestNoCredentialIsOnTheWire(t *testing.T) {
	r := redact.New(redact.Config{})
	learned := "correct-horse" + "-battery"
	r.Learn([]byte(learned))
	secrets := planted()
	secrets[learned] = "the passphrase is " + learned + " today"
	var all strings.Builder
	for _, shape := range secrets {
		all.WriteString(shape + "\n")
	}
	mask := func(where string) redact.Text { out, _ := r.Text(where + "\n" + all.String()); return out }
	three := 3
	k := startChild(t, "answers well")
	k.session.cfg.Context = func() Context {
		return Context{
			Host: mask("host"), User: mask("user"), Connected: true, Tail: mask("tail"),
			Cwd: mask("cwd"), LastCommand: mask("last"), LastExit: &three,
		}
	}
	k.until(t, "online", online)
	for _, e := range []Event{Connected, Disconnected, ConnectionError, AuthenticationFailed} {
		k.session.Event(e)
	}
	if err := k.session.Chat(mask("message")); err != nil {
		t.Fatal(err)
	}
	k.session.Update(mask("new output"))
	c := Command{Seq: 1, Line: mask("line"), Source: Suggested, Suggestion: mask("id"), Output: mask("output"), Exit: &three}
	k.session.Started(c)
	k.session.Ended(c)
	wire := k.received(t, allTools[:]...)
	for secret := range secrets {
		for how, form := range forms(secret) {
			if strings.Contains(wire, form) {
				t.Errorf("%s… is on the wire (%s)", secret[:6], how)
			}
		}
	}
	for _, where := range []string{"host", "user", "tail", "cwd", "last", "message", "new output", "line", "id", "output"} {
		if !strings.Contains(wire, where+`\n`) {
			t.Errorf("%s was not sent at all", where)
		}
	}
	if !strings.Contains(wire, "redacted:") {
		t.Error("no placeholder is on the wire")
	}
}

// forms are the ways in which a secret might be written.
func forms(secret string) map[string]string {
	quoted, _ := json.Marshal(secret)
	return map[string]string{
		"plain": secret, "base64": base64.StdEncoding.EncodeToString([]byte(secret)), "url": url.QueryEscape(secret),
		"json": string(quoted), "hex": fmt.Sprintf("%x", secret),
	}
}

// received waits until the child has got a call of each tool, and gives all it read.
func (c *child) received(t *testing.T, tools ...tool) string {
	t.Helper()
	var all string
	for _, name := range tools {
		all = c.hears(t, `"name":"`+string(name)+`"`)
	}
	return all
}

// TestTheRecordHoldsNoCredential: what Linus says may hold one too.
func TestTheRecordHoldsNoCredential(t *testing.T) {
	password := "Kx9" + "vTr4pQz" + "7Lm"
	c := newClient(Config{Redactor: redact.New(redact.Config{}), OnChange: func() {}, Log: discard}, nil)
	s := Suggestion{
		ID: "a", Command: Untrusted("mysql --password=" + password), Description: Untrusted("uses password=" + password),
	}
	for _, e := range []any{
		c.received(s), c.edited(s, redact.Literal("x")),
		c.cleanReason(fmt.Errorf("cannot use password=%s", password)), c.cleanLine("password=" + password),
	} {
		if raw := fmt.Sprintf("%+v", e); strings.Contains(raw, password) {
			t.Errorf("%s", raw)
		}
	}
}
