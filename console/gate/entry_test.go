package gate_test

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sallyport/console/gate"
	"sallyport/console/remote"
)

// The table of entry paths in the package documentation names a test for each
// path, and each of them is there.
func TestEveryEntryPathNamesATestThatIsThere(t *testing.T) {
	doc, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	have := testsOf(t, ".", "..", "../session", "../remote", "../../cmd/sallyport")
	rows := 0
	for line := range strings.Lines(string(doc)) {
		names := regexp.MustCompile(`\bTest\w+`).FindAllString(line, -1)
		if len(names) == 0 {
			continue
		}
		rows++
		for _, name := range names {
			if !slices.Contains(have, name) {
				t.Errorf("no such test: %s", name)
			}
		}
	}
	if rows < 30 {
		t.Errorf("%d rows", rows)
	}
}

func testsOf(t *testing.T, dirs ...string) (out []string) {
	t.Helper()
	re := regexp.MustCompile(`(?m)^func (Test\w+)\(`)
	for _, d := range dirs {
		files, _ := filepath.Glob(filepath.Join(d, "*_test.go"))
		for _, f := range files {
			b, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range re.FindAllStringSubmatch(string(b), -1) {
				out = append(out, m[1])
			}
		}
	}
	return out
}

// A new exported method of package remote's channels fails here until someone
// has said by which row of the table it writes, or that it does not.
func TestRemoteHasNoOtherWayToWrite(t *testing.T) {
	writes := []string{"Conn.Exec", "Conn.Shell", "Exec.Send", "Shell.Resize", "Shell.Send", "Conn.Forward", "Conn.Listen", "Incoming.Join", "Incoming.JoinAgent"}
	quiet := []string{
		"Conn.Authenticated", "Conn.Close", "Conn.Done", "Conn.Err", "Conn.Fingerprint", "Conn.Target", "Conn.Via", "Conn.Wants", "Conn.TakeAgent", "Conn.TakeX11", "Incoming.Refuse",
		"Exec.Close", "Exec.CloseInput", "Exec.Done", "Exec.Read", "Exec.Stderr", "Exec.Wait",
		"Shell.Close", "Shell.Done", "Shell.Read", "Shell.Wait",
	}
	cleared := reflect.TypeFor[gate.Cleared]()
	for _, v := range []any{&remote.Conn{}, &remote.Shell{}, &remote.Exec{}, &remote.Incoming{}} {
		typ := reflect.TypeOf(v)
		if fields := exportedFields(typ.Elem()); len(fields) > 0 {
			t.Errorf("%s has exported fields %v", typ, fields)
		}
		for i := range typ.NumMethod() {
			m := typ.Method(i)
			name := typ.Elem().Name() + "." + m.Name
			takes := slices.Contains(arguments(m.Type), cleared)
			switch {
			case slices.Contains(writes, name) && !takes:
				t.Errorf("%s writes and takes no clearance", name)
			case !slices.Contains(writes, name) && !slices.Contains(quiet, name):
				t.Errorf("%s is new: which entry path is it?", name)
			}
		}
	}
}

func arguments(f reflect.Type) (out []reflect.Type) {
	for i := range f.NumIn() {
		out = append(out, f.In(i))
	}
	return out
}

func exportedFields(t reflect.Type) (out []string) {
	for i := range t.NumField() {
		if f := t.Field(i); f.IsExported() {
			out = append(out, f.Name)
		}
	}
	return out
}
