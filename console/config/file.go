package config

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/BurntSushi/toml"
)

// maxFile bounds a configuration file.
const maxFile = 64 << 10

// Error is a mistake in the configuration.
type Error struct {
	File   string // or the flag
	Line   int    // 0: the whole file
	Err    error
	Remedy string
}

func (e *Error) Error() string {
	if e.Line > 0 {
		return fmt.Sprintf("%s:%d: %v", e.File, e.Line, e.Err)
	}
	return fmt.Sprintf("%s: %v", e.File, e.Err)
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// layer is one file, flattened: key to value and line.
type layer struct {
	file   string
	values map[string]any
	lines  map[string]int
}

// readFile gives an empty layer for a file that is not there.
func readFile(path string) (*layer, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return &layer{file: path}, nil
	}
	if err != nil {
		return nil, &Error{File: path, Err: cause(err), Remedy: "make it readable, or remove it"}
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return nil, &Error{File: path, Err: cause(err)}
	}
	if len(data) > maxFile {
		return nil, &Error{File: path, Err: fmt.Errorf("larger than %d bytes", maxFile)}
	}
	return parse(path, string(data))
}

func parse(path, text string) (*layer, error) {
	var tree map[string]any
	if _, err := toml.Decode(text, &tree); err != nil {
		return nil, syntaxError(path, err)
	}
	l := &layer{file: path, values: map[string]any{}, lines: linesOf(text)}
	if err := l.flatten("", tree); err != nil {
		return nil, err
	}
	return l, nil
}

func syntaxError(path string, err error) error {
	e := &Error{File: path, Err: errors.New(strings.TrimPrefix(err.Error(), "toml: ")), Remedy: "https://toml.io describes the format"}
	var at toml.ParseError
	if errors.As(err, &at) {
		e.Line, e.Err = at.Position.Line, errors.New(at.Message)
	}
	return e
}

// flatten turns tables into dotted keys and refuses keys that do not exist.
func (l *layer) flatten(prefix string, tree map[string]any) error {
	for _, name := range slices.Sorted(maps.Keys(tree)) {
		key, value := prefix+name, tree[name]
		table, nested := value.(map[string]any)
		_, known := schema[key]
		switch {
		case key == "locked" || known && !nested:
			l.values[key] = value
		case nested && isTable(key):
			if err := l.flatten(key+".", table); err != nil {
				return err
			}
		default:
			return l.unknown(key)
		}
	}
	return nil
}

func (l *layer) unknown(key string) error {
	return l.fail(key, fmt.Errorf("there is no key %s", key), near(key))
}

func (l *layer) fail(key string, err error, remedy string) error {
	return &Error{File: l.file, Line: l.lines[key], Err: err, Remedy: remedy}
}

// near names the keys of the same table, or the tables.
func near(key string) string {
	table, _, dotted := strings.Cut(key, ".")
	var names []string
	for _, k := range slices.Sorted(maps.Keys(schema)) {
		t, _, _ := strings.Cut(k, ".")
		switch {
		case dotted && t == table:
			names = append(names, k)
		case (!dotted || !isTable(table)) && !slices.Contains(names, "["+t+"]"):
			names = append(names, "["+t+"]")
		}
	}
	return "one of " + strings.Join(names, " ")
}

// linesOf finds the line of each key: the first line with which a prefix of
// the text both parses and has the key. So no second reading of the grammar is
// needed; a value of several lines is found at its first.
func linesOf(text string) map[string]int {
	out := map[string]int{}
	start := 1 // first line after the last prefix that parsed
	lines := strings.SplitAfter(text, "\n")
	var prefix strings.Builder
	for i, line := range lines {
		prefix.WriteString(line)
		var tree map[string]any
		md, err := toml.Decode(prefix.String(), &tree)
		if err != nil {
			continue
		}
		for _, k := range md.Keys() {
			if key := strings.Join(k, "."); out[key] == 0 {
				out[key] = firstWritten(lines, start, i+1)
			}
		}
		start = i + 2
	}
	return out
}

// firstWritten is the first line from start to end that is not blank and no
// comment.
func firstWritten(lines []string, start, end int) int {
	for n := start; n < end; n++ {
		if s := strings.TrimSpace(lines[n-1]); s != "" && s[0] != '#' {
			return n
		}
	}
	return end
}

// rootOwned refuses an organisation's file that somebody else could have
// written.
func rootOwned(path string, owner uint32) error {
	for _, p := range []string{path, filepath.Dir(path)} {
		info, err := os.Stat(p)
		if err != nil {
			return &Error{File: p, Err: cause(err)}
		}
		st, ok := info.Sys().(*syscall.Stat_t)
		if !ok || st.Uid != owner {
			return &Error{File: p, Err: errors.New("it does not belong to root"), Remedy: "chown root " + p}
		}
		if info.Mode().Perm()&0o022 != 0 {
			return &Error{File: p, Err: fmt.Errorf("others than root can write it (mode %04o)", info.Mode().Perm()), Remedy: "chmod go-w " + p}
		}
	}
	return nil
}

func cause(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}
