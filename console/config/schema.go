package config

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
)

// field is one key of Config.
type field struct {
	key   string
	index []int // of the struct field
	typ   reflect.Type
	org   bool
}

// schema are Config's fields by key.
var schema = fieldsOf(reflect.TypeFor[Config](), "", nil)

func fieldsOf(t reflect.Type, prefix string, index []int) map[string]field {
	out := map[string]field{}
	for i := range t.NumField() {
		f := t.Field(i)
		name, mark, _ := strings.Cut(f.Tag.Get("key"), ",")
		at := append(slices.Clone(index), i)
		if f.Type.Kind() == reflect.Struct {
			for k, v := range fieldsOf(f.Type, prefix+name+".", at) {
				out[k] = v
			}
			continue
		}
		out[prefix+name] = field{prefix + name, at, f.Type, mark == "org"}
	}
	return out
}

// isTable tells whether key names a table of Config.
func isTable(key string) bool {
	for k := range schema {
		if strings.HasPrefix(k, key+".") {
			return true
		}
	}
	return false
}

var duration = reflect.TypeFor[time.Duration]()

// set puts a value, as TOML gives it, into c.
func (f field) set(c *Config, value any) error {
	v, err := f.convert(value)
	if err != nil {
		return err
	}
	reflect.ValueOf(c).Elem().FieldByIndex(f.index).Set(v)
	return nil
}

func (f field) get(c *Config) any {
	return reflect.ValueOf(c).Elem().FieldByIndex(f.index).Interface()
}

func (f field) convert(value any) (reflect.Value, error) {
	switch s, isString := value.(string); {
	case f.typ == duration && isString:
		d, err := parseDuration(s)
		return reflect.ValueOf(d), err
	case f.typ.Kind() == reflect.Slice:
		return stringsOf(value)
	case reflect.TypeOf(value) == f.typ:
		return reflect.ValueOf(value), nil
	}
	return reflect.Value{}, fmt.Errorf("%v is not %s", value, f.wants())
}

func (f field) wants() string {
	switch {
	case f.typ == duration:
		return `a time, as in "30s", "15m", "12h" or "30d"`
	case f.typ.Kind() == reflect.Slice:
		return "a list of strings"
	case f.typ.Kind() == reflect.Bool:
		return "true or false"
	case f.typ.Kind() == reflect.Int64:
		return "a whole number"
	}
	return "a string"
}

func stringsOf(value any) (reflect.Value, error) {
	list, ok := value.([]any)
	if !ok {
		return reflect.Value{}, fmt.Errorf("%v is not a list of strings", value)
	}
	out := make([]string, len(list))
	for i, v := range list {
		if out[i], ok = v.(string); !ok {
			return reflect.Value{}, fmt.Errorf("%v is not a string", v)
		}
	}
	return reflect.ValueOf(out), nil
}

// parseDuration is time.ParseDuration with days.
func parseDuration(s string) (time.Duration, error) {
	if days, ok := strings.CutSuffix(s, "d"); ok {
		if n, err := strconv.ParseUint(days, 10, 16); err == nil {
			return time.Duration(n) * 24 * time.Hour, nil
		}
	}
	d, err := time.ParseDuration(s)
	if err != nil {
		return 0, fmt.Errorf(`%q is not a time, as in "30s", "15m", "12h" or "30d"`, s)
	}
	return d, nil
}

// parseFlag reads a flag's text as the field's type.
func (f field) parseFlag(s string) (any, error) {
	switch f.typ.Kind() {
	case reflect.Bool:
		return strconv.ParseBool(s)
	case reflect.Slice:
		var list []any
		for _, v := range strings.Split(s, ",") {
			list = append(list, v)
		}
		return list, nil
	case reflect.Int64:
		if f.typ != duration {
			return strconv.ParseInt(s, 10, 64)
		}
	}
	return s, nil
}
