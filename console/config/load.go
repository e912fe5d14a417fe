package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// OrgFile is the organisation's configuration.
const OrgFile = "/etc/sallyport/config.toml"

// Sources are where configuration comes from. The zero value reads the real
// files and no flags.
type Sources struct {
	Org   string // OrgFile if empty
	User  string // UserFile() if empty
	Flags []Flag
}

// Flag is a value that the command line gave.
type Flag struct {
	Name  string // as typed: --audit-dir
	Key   string // audit.dir
	Value string
}

// Origin is where a value came from.
type Origin struct {
	File string // a file, a flag's name, or "default"
	Line int
}

func (o Origin) String() string {
	if o.Line > 0 {
		return o.File + ":" + strconv.Itoa(o.Line)
	}
	return o.File
}

// Loaded is a configuration with its origins.
type Loaded struct {
	Config
	Warnings []string // what was left out, and why

	origins map[string]Origin
	locked  []string
}

// UserFile is the operator's configuration.
func UserFile() string {
	dir := os.Getenv("XDG_CONFIG_HOME")
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(os.Getenv("HOME"), ".config")
	}
	return filepath.Join(dir, "sallyport", "config.toml")
}

// Load reads every layer. Its error is an *Error.
func Load(s Sources) (*Loaded, error) { return load(s, 0) }

// load takes the uid that the organisation's file must belong to.
func load(s Sources, owner uint32) (*Loaded, error) {
	if s.Org == "" {
		s.Org = OrgFile
	}
	if s.User == "" {
		s.User = UserFile()
	}
	l := &Loaded{Config: Default(), origins: map[string]Origin{}}
	if err := l.addOrg(s.Org, owner); err != nil {
		return nil, err
	}
	if err := l.addUser(s.User); err != nil {
		return nil, err
	}
	if err := l.addFlags(s.Flags); err != nil {
		return nil, err
	}
	return l, l.check()
}

func (l *Loaded) addOrg(path string, owner uint32) error {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err := rootOwned(path, owner); err != nil {
		return err
	}
	file, err := readFile(path)
	if err != nil {
		return err
	}
	if err := l.lock(file); err != nil {
		return err
	}
	for key, value := range file.values {
		if err := l.take(file, key, value); err != nil {
			return err
		}
	}
	return nil
}

// lock reads the list of locked keys and tables.
func (l *Loaded) lock(file *layer) error {
	value, ok := file.values["locked"]
	if !ok {
		return nil
	}
	delete(file.values, "locked")
	names, err := stringsOf(value)
	if err != nil {
		return file.fail("locked", fmt.Errorf("locked: %w", err), `locked = ["audit", "copilot.url"]`)
	}
	l.locked = names.Interface().([]string)
	for _, name := range l.locked {
		if _, known := schema[name]; !known && !isTable(name) {
			return file.fail("locked", fmt.Errorf("locked: there is no key %s", name), near(name))
		}
	}
	return nil
}

func (l *Loaded) addUser(path string) error {
	file, err := readFile(path)
	if err != nil {
		return err
	}
	if _, ok := file.values["locked"]; ok {
		return file.fail("locked", errors.New("only the organisation's file can lock"), "remove it")
	}
	for key, value := range file.values {
		if schema[key].org {
			return file.fail(key, fmt.Errorf("%s is the organisation's to set, in %s", key, OrgFile), "remove it")
		}
		if l.Locked(key) {
			l.warn("%s:%d: %s is locked by the organisation; this value does not count", file.file, file.lines[key], key)
			continue
		}
		if err := l.take(file, key, value); err != nil {
			return err
		}
	}
	slices.Sort(l.Warnings)
	return nil
}

func (l *Loaded) addFlags(flags []Flag) error {
	for _, f := range flags {
		field, ok := schema[f.Key]
		switch {
		case !ok:
			return &Error{File: f.Name, Err: fmt.Errorf("there is no key %s", f.Key), Remedy: near(f.Key)}
		case field.org:
			return &Error{File: f.Name, Err: fmt.Errorf("%s is the organisation's to set, in %s", f.Key, OrgFile)}
		case l.Locked(f.Key):
			return &Error{File: f.Name, Err: fmt.Errorf("%s is locked by the organisation", f.Key), Remedy: "leave the flag out"}
		}
		value, err := field.parseFlag(f.Value)
		if err == nil {
			err = field.set(&l.Config, value)
		}
		if err != nil {
			return &Error{File: f.Name, Err: fmt.Errorf("%s is not %s", f.Value, field.wants())}
		}
		l.origins[f.Key] = Origin{File: f.Name}
	}
	return nil
}

func (l *Loaded) take(file *layer, key string, value any) error {
	if err := schema[key].set(&l.Config, value); err != nil {
		return file.fail(key, fmt.Errorf("%s: %w", key, err), "")
	}
	l.origins[key] = Origin{file.file, file.lines[key]}
	return nil
}

func (l *Loaded) check() error {
	key, err := l.Config.check()
	if err == nil {
		return nil
	}
	at := l.Origin(key)
	return &Error{File: at.File, Line: at.Line, Err: fmt.Errorf("%s: %w", key, err)}
}

func (l *Loaded) warn(format string, args ...any) {
	l.Warnings = append(l.Warnings, fmt.Sprintf(format, args...))
}

// Locked tells whether the organisation has locked key, or its table.
func (l *Loaded) Locked(key string) bool {
	return slices.ContainsFunc(l.locked, func(name string) bool {
		return name == key || strings.HasPrefix(key, name+".")
	})
}

// Origin is where key's value came from.
func (l *Loaded) Origin(key string) Origin {
	if o, ok := l.origins[key]; ok {
		return o
	}
	return Origin{File: "default"}
}

// Setting is one key in force.
type Setting struct {
	Key    string `json:"key"`
	Value  any    `json:"value"`
	Origin string `json:"origin"`
	Locked bool   `json:"locked,omitempty"`
}

// Settings lists every key, sorted. The account and password of a URL are
// left out.
func (l *Loaded) Settings() []Setting {
	var out []Setting
	for key, f := range schema {
		out = append(out, Setting{key, shown(key, f.get(&l.Config)), l.Origin(key).String(), l.Locked(key)})
	}
	slices.SortFunc(out, func(a, b Setting) int { return strings.Compare(a.Key, b.Key) })
	return out
}

// TOML is the value as a file would have it.
func (s Setting) TOML() string {
	switch v := s.Value.(type) {
	case string:
		return strconv.Quote(v)
	case []string:
		quoted := make([]string, len(v))
		for i, e := range v {
			quoted[i] = strconv.Quote(e)
		}
		return "[" + strings.Join(quoted, ", ") + "]"
	}
	return fmt.Sprint(s.Value)
}

func shown(key string, value any) any {
	switch v := value.(type) {
	case time.Duration:
		return v.String()
	case []string:
		return append([]string{}, v...)
	case string:
		if strings.HasSuffix(key, ".url") {
			return WithoutAccount(v)
		}
	}
	return value
}
