package remote_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"golang.org/x/crypto/ssh"

	"sallyport/console/gate"
	"sallyport/console/remote"
)

// ways is everything that the package exports and a program can call, with
// the reason why it sends nothing of anybody's by itself. Whoever adds to it
// says why.
var ways = map[string]string{
	"func Dial":          "sends the transport alone: key exchange, authentication",
	"func ParseDest":     "reads a name",
	"Options.Check":      "reads flags",
	"Conn.Shell":         "takes a clearance",
	"Conn.Exec":          "takes a clearance",
	"Conn.Target":        "reads",
	"Conn.Via":           "reads",
	"Conn.Wants":         "reads",
	"Conn.Fingerprint":   "reads",
	"Conn.Authenticated": "reads",
	"Conn.Done":          "reads",
	"Conn.Err":           "reads",
	"Conn.Close":         "ends the connection",
	"Shell.Send":         "takes a clearance",
	"Shell.Resize":       "takes a clearance",
	"Shell.Read":         "reads",
	"Shell.Wait":         "reads",
	"Shell.Done":         "reads",
	"Shell.Close":        "ends the channel",
	"Exec.Send":          "takes a clearance",
	"Exec.CloseInput":    "sends end of file, which carries no text",
	"Exec.Read":          "reads",
	"Exec.Stderr":        "gives a reader",
	"Exec.Wait":          "reads",
	"Exec.Done":          "reads",
	"Exec.Close":         "ends the channel",
	"Conn.Forward":       "takes a clearance",
	"Conn.Listen":        "takes a clearance",
	"Conn.TakeAgent":     "says who answers",
	"Conn.TakeX11":       "says who answers",
	"Incoming.Join":      "takes a clearance",
	"Incoming.JoinAgent": "takes a clearance",
	"Incoming.Refuse":    "turns a channel down",
	"Error.Error":        "describes",
	"Error.Unwrap":       "describes",

	"HostKeyQuestion.Text": "describes",
}

// types are the exported types; those of interfaces are called by the package,
// not by who uses it.
var types = []reflect.Type{
	reflect.TypeFor[*remote.Conn](), reflect.TypeFor[*remote.Want](), reflect.TypeFor[*remote.Shell](), reflect.TypeFor[*remote.Exec](),
	reflect.TypeFor[*remote.Error](), reflect.TypeFor[*remote.HostKeyQuestion](), reflect.TypeFor[*remote.Config](),
	reflect.TypeFor[*remote.Options](), reflect.TypeFor[*remote.KeepAlive](), reflect.TypeFor[*remote.PTY](),
	reflect.TypeFor[*remote.Exit](), reflect.TypeFor[*remote.Dest](), reflect.TypeFor[*remote.Class](),
	reflect.TypeFor[*remote.HostKeyAnswer](), reflect.TypeFor[*remote.Incoming](),
}

func TestNoNewWayOut(t *testing.T) {
	got := map[string]bool{}
	for _, typ := range types {
		for i := range typ.NumMethod() {
			got[typ.Elem().Name()+"."+typ.Method(i).Name] = true
		}
	}
	for _, f := range sources(t) {
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.IsExported() {
				got["func "+fn.Name.Name] = true
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(got)) {
		if ways[name] == "" {
			t.Errorf("%s is new: can it send without a clearance?", name)
		}
	}
	for name := range ways {
		if !got[name] {
			t.Errorf("%s is gone", name)
		}
	}
}

func TestEveryExportedTypeIsLookedAt(t *testing.T) {
	known := map[string]bool{"Prompter": true}
	for _, typ := range types {
		known[typ.Elem().Name()] = true
	}
	for _, f := range sources(t) {
		ast.Inspect(f, func(n ast.Node) bool {
			if spec, ok := n.(*ast.TypeSpec); ok && spec.Name.IsExported() && !known[spec.Name.Name] {
				t.Errorf("type %s is new: its methods must be looked at", spec.Name.Name)
			}
			return true
		})
	}
}

// TestNothingExportedIsAWriter looks for the ways around a method list: an
// exported type that is a writer, a field that holds one, or a method that
// gives one away.
func TestNothingExportedIsAWriter(t *testing.T) {
	bad := []reflect.Type{
		reflect.TypeFor[io.Writer](), reflect.TypeFor[ssh.Conn](), reflect.TypeFor[ssh.Channel](), reflect.TypeFor[ssh.Session](),
	}
	check := func(what string, typ reflect.Type) {
		for _, b := range bad {
			if typ == b || b.Kind() == reflect.Interface && typ.Implements(b) {
				t.Errorf("%s is a %v", what, b)
			}
		}
	}
	for _, typ := range types {
		check(typ.String(), typ)
		if s := typ.Elem(); s.Kind() == reflect.Struct {
			for i := range s.NumField() {
				if f := s.Field(i); f.IsExported() {
					check(s.Name()+"."+f.Name, f.Type)
				}
			}
		}
		for i := range typ.NumMethod() {
			m := typ.Method(i)
			for o := range m.Type.NumOut() {
				check(typ.String()+"."+m.Name+" gives what", m.Type.Out(o))
			}
		}
	}
}

func TestWhatTakesAClearanceTakesIt(t *testing.T) {
	clearance := reflect.TypeFor[gate.Cleared]()
	for _, typ := range types {
		for i := range typ.NumMethod() {
			m := typ.Method(i)
			if ways[typ.Elem().Name()+"."+m.Name] != "takes a clearance" {
				continue
			}
			takes := false
			for p := range m.Type.NumIn() {
				takes = takes || m.Type.In(p) == clearance
			}
			if !takes {
				t.Errorf("%s.%s takes no gate.Cleared", typ.Elem().Name(), m.Name)
			}
		}
	}
}

// senders are the calls of the SSH library that send, and the files that may
// make them. What wire.go sends it has spent a clearance for.
var senders = map[string][]string{
	"Write": {"wire.go", "agentforward.go"}, // the latter to the operator's agent, and into a pipe that Join reads

	"SendRequest": {"wire.go", "keepalive.go"},
	"OpenChannel": {"wire.go", "jump.go"},
	"CloseWrite":  {"channel.go", "wire.go"},
	"Listen":      nil, "ListenTCP": nil, "ListenUnix": nil, "NewSession": nil, "RequestPty": nil, "Setenv": nil,
	"RequestSubsystem": nil, "StdinPipe": nil, "CombinedOutput": nil, "Output": nil, "RequestAgentForwarding": nil, "ForwardToAgent": nil,
}

func TestOnlyTheWireSends(t *testing.T) {
	for name, f := range sources(t) {
		ast.Inspect(f, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			sel, ok := call.Fun.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			files, sends := senders[sel.Sel.Name]
			if sends && !slices.Contains(files, name) {
				t.Errorf("%s calls %s", name, sel.Sel.Name)
			}
			return true
		})
	}
}

// sources parses the package's files but its tests.
func sources(t *testing.T) map[string]*ast.File {
	t.Helper()
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]*ast.File{}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), e.Name(), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		out[e.Name()] = f
	}
	return out
}
