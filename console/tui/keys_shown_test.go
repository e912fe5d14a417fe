package tui

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"sallyport/console/keys"
)

// keysInSource are the names of keys that the package's code acts on: in the
// tables, and in the cases of functions that take a key.
func keysInSource(t *testing.T) map[string]string {
	t.Helper()
	found := map[string]string{}
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if !strings.HasSuffix(f.Name(), ".go") || strings.HasSuffix(f.Name(), "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), f.Name(), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			collectKeys(d, f.Name(), found)
		}
	}
	return found
}

func collectKeys(d ast.Decl, file string, found map[string]string) {
	keyed := false
	if f, ok := d.(*ast.FuncDecl); ok {
		keyed = takesKey(f)
	}
	note := func(e ast.Expr) {
		lit, ok := e.(*ast.BasicLit)
		if !ok || lit.Kind != token.STRING {
			return
		}
		name, _ := strconv.Unquote(lit.Value)
		if k, err := keys.Parse(name); err == nil && k.String() == name {
			found[name] = file
		}
	}
	ast.Inspect(d, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CaseClause:
			for _, e := range n.List {
				if keyed {
					noteCase(e, note)
				}
			}
		case *ast.KeyValueExpr:
			if id, ok := n.Key.(*ast.Ident); ok && id.Name == "keys" {
				if list, ok := n.Value.(*ast.CompositeLit); ok {
					for _, e := range list.Elts {
						note(e)
					}
				}
			}
		case *ast.CompositeLit:
			m, ok := n.Type.(*ast.MapType)
			if !ok || !keyed && !isFunc(m.Value) {
				return true
			}
			for _, e := range n.Elts {
				note(e.(*ast.KeyValueExpr).Key)
			}
		}
		return true
	})
}

// noteCase takes "Escape" as well as name == "Escape" && x.
func noteCase(e ast.Expr, note func(ast.Expr)) {
	if b, ok := e.(*ast.BinaryExpr); ok {
		noteCase(b.X, note)
		noteCase(b.Y, note)
		return
	}
	note(e)
}

func isFunc(e ast.Expr) bool { _, ok := e.(*ast.FuncType); return ok }

// takesKey tells whether a function has a key, or its name, as an argument.
func takesKey(f *ast.FuncDecl) bool {
	return slices.ContainsFunc(f.Type.Params.List, func(p *ast.Field) bool {
		if s, ok := p.Type.(*ast.SelectorExpr); ok {
			return s.Sel.Name == "Event"
		}
		return len(p.Names) == 1 && p.Names[0].Name == "name"
	})
}

// arrows are drawn as what they are.
var arrows = map[string]string{"Up": "↑", "Down": "↓", "Left": "←", "Right": "→"}

// `?` shows every key that the code acts on.
func TestHelpShowsEveryKey(t *testing.T) {
	w := newWorld(t, 120, 36, Options{})
	work(w)
	w.settle()
	var words []string
	for _, l := range w.m.helpLines(w.m.helpWidth()) {
		for _, s := range l {
			words = append(words, strings.FieldsFunc(s.text, func(r rune) bool { return strings.ContainsRune(" ;,:", r) })...)
			words = append(words, strings.Fields(s.text)...)
		}
	}
	all := keysInSource(t)
	if len(all) < 65 {
		t.Fatalf("found only %d keys in the source: %v", len(all), all)
	}
	for name, file := range all {
		k, _ := keys.Parse(name)
		shown := label(k)
		if a := arrows[name]; a != "" {
			shown = a
		}
		if n, err := strconv.Atoi(name); err == nil && n > 0 {
			continue // 1 … 9
		}
		if !slices.Contains(words, shown) && !slices.Contains(words, name) {
			t.Errorf("help does not show %s, which %s acts on", shown, file)
		}
	}
}

// The palette has every action of the tables, with the reason where it is not
// possible now.
func TestThePaletteHasEveryAction(t *testing.T) {
	w := newWorld(t, 120, 36, Options{})
	w.settle()
	all := slices.Concat(leaderKeys, suggestKeys[:len(suggestKeys)-1]) // the last opens by number, as the leader does
	p := newPalette(w.m)
	for _, b := range all {
		i := slices.IndexFunc(p.rows, func(c choice) bool { return strings.HasPrefix(b.name, strings.TrimPrefix(c.text, "suggestion: ")) })
		if i < 0 {
			t.Errorf("the palette lacks %q", b.name)
			continue
		}
		if why := b.blocked(w.m); p.rows[i].why != why {
			t.Errorf("%q: the palette says %q, want %q", b.name, p.rows[i].why, why)
		}
	}
}

// TestHelpStaysOpenWhileItIsRead: Home and End move, a slip of the finger closes nothing, and the
// console's key begins the next command.
func TestHelpStaysOpenWhileItIsRead(t *testing.T) {
	w := newWorld(t, 80, 24, Options{})
	work(w)
	w.settle()
	w.press("C-]", "?")
	first := text(w.settle())
	w.press("End", "x")
	last := text(w.settle())
	if last == first || !strings.Contains(last, "scrolls back") {
		t.Fatalf("End does not show the end of the help:\n%s", last)
	}
	w.press("Home")
	if text(w.settle()) != first {
		t.Error("Home does not show the beginning")
	}
	w.press("Escape")
	if w.m.modal != nil {
		t.Error("Escape does not close it")
	}
	w.press("C-]", "?", "C-]", "?")
	if _, ok := w.m.modal.(*help); !ok {
		t.Error("the console's key does nothing in the help")
	}
}
