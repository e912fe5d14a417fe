package audit

import (
	"encoding"
	"encoding/base64"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"sallyport/redact"
)

// An encoder writes one Go type as JSON. Only what a record may hold has one:
// redacted words, closed words and minted values, numbers, times, and structs
// and lists of these. A plain string has none, so that no field can bring one
// in by mistake.
type encoder func(b []byte, v reflect.Value) ([]byte, error)

var (
	textType      = reflect.TypeFor[redact.Text]()
	timeType      = reflect.TypeFor[time.Time]()
	stringType    = reflect.TypeFor[string]()
	checkedType   = reflect.TypeFor[checked]()
	marshalerType = reflect.TypeFor[encoding.TextMarshaler]()
)

var encoders sync.Map // reflect.Type → encoder

func encoderOf(t reflect.Type) (encoder, error) {
	if e, ok := encoders.Load(t); ok {
		return e.(encoder), nil
	}
	e, err := newEncoder(t)
	if err == nil {
		encoders.Store(t, e)
	}
	return e, err
}

func newEncoder(t reflect.Type) (encoder, error) {
	switch {
	case t == textType:
		return encodeWords, nil
	case t == timeType:
		return encodeTime, nil
	case t == stringType:
		return nil, fmt.Errorf("a record holds no %s: words are redacted, the rest is minted", t)
	case t.Implements(checkedType):
		return checkedEncoder(t), nil
	case t.Implements(marshalerType):
		return encodeMinted, nil
	}
	switch t.Kind() {
	case reflect.Bool:
		return encodeBool, nil
	case reflect.Int, reflect.Int64:
		return encodeInt, nil
	case reflect.Uint64:
		return encodeUint, nil
	case reflect.String: // Note
		return encodeString, nil
	case reflect.Pointer:
		return pointerEncoder(t)
	case reflect.Slice:
		return sliceEncoder(t)
	case reflect.Struct:
		return structEncoder(t)
	}
	return nil, fmt.Errorf("a record holds no %s", t)
}

func encodeWords(b []byte, v reflect.Value) ([]byte, error) {
	return appendQuoted(b, v.Field(0).String()), nil
}

func encodeString(b []byte, v reflect.Value) ([]byte, error) {
	return appendQuoted(b, v.String()), nil
}

func encodeMinted(b []byte, v reflect.Value) ([]byte, error) {
	text, err := v.Interface().(encoding.TextMarshaler).MarshalText()
	return appendQuoted(b, string(text)), err
}

// checkedEncoder asks the type, not the value: a value in an interface would
// be one more allocation.
func checkedEncoder(t reflect.Type) encoder {
	kind := reflect.Zero(t).Interface().(checked)
	return func(b []byte, v reflect.Value) ([]byte, error) {
		s := v.String()
		if s != "" {
			if err := kind.check(s); err != nil {
				return b, err
			}
		}
		return appendQuoted(b, s), nil
	}
}

func encodeTime(b []byte, v reflect.Value) ([]byte, error) {
	b = append(b, '"')
	b = v.Interface().(time.Time).UTC().AppendFormat(b, time.RFC3339Nano)
	return append(b, '"'), nil
}

func encodeBool(b []byte, v reflect.Value) ([]byte, error) {
	return strconv.AppendBool(b, v.Bool()), nil
}

func encodeInt(b []byte, v reflect.Value) ([]byte, error) {
	return strconv.AppendInt(b, v.Int(), 10), nil
}

func encodeUint(b []byte, v reflect.Value) ([]byte, error) {
	return strconv.AppendUint(b, v.Uint(), 10), nil
}

func pointerEncoder(t reflect.Type) (encoder, error) {
	elem, err := encoderOf(t.Elem())
	return func(b []byte, v reflect.Value) ([]byte, error) {
		if v.IsNil() {
			return append(b, "null"...), nil
		}
		return elem(b, v.Elem())
	}, err
}

func sliceEncoder(t reflect.Type) (encoder, error) {
	if t.Elem().Kind() == reflect.Uint8 {
		return encodeBase64, nil
	}
	elem, err := encoderOf(t.Elem())
	return func(b []byte, v reflect.Value) (_ []byte, err error) {
		b = append(b, '[')
		for i := range v.Len() {
			if i > 0 {
				b = append(b, ',')
			}
			if b, err = elem(b, v.Index(i)); err != nil {
				return b, err
			}
		}
		return append(b, ']'), nil
	}, err
}

func encodeBase64(b []byte, v reflect.Value) ([]byte, error) {
	b = append(b, '"')
	b = base64.StdEncoding.AppendEncode(b, v.Bytes())
	return append(b, '"'), nil
}

type field struct {
	index  int
	key    string // `"name":`
	name   string
	omit   bool
	encode encoder
}

func structEncoder(t reflect.Type) (encoder, error) {
	fields, err := fieldsOf(t)
	return func(b []byte, v reflect.Value) ([]byte, error) {
		b = append(b, '{')
		b, err := encodeFields(b, v, fields)
		return append(b, '}'), err
	}, err
}

func encodeFields(b []byte, v reflect.Value, fields []field) (_ []byte, err error) {
	for _, f := range fields {
		x := v.Field(f.index)
		if f.omit && isEmpty(x) {
			continue
		}
		if f.key != "" && b[len(b)-1] != '{' {
			b = append(b, ',')
		}
		b = append(b, f.key...)
		if b, err = f.encode(b, x); err != nil {
			return b, fmt.Errorf("%s: %w", f.name, err)
		}
	}
	return b, nil
}

func isEmpty(v reflect.Value) bool {
	if v.Kind() == reflect.Slice {
		return v.Len() == 0
	}
	return v.IsZero()
}

// fieldsOf reads the json tags of t; an embedded struct's fields stand among
// the others.
func fieldsOf(t reflect.Type) (fields []field, err error) {
	for i := range t.NumField() {
		sf := t.Field(i)
		f := field{index: i}
		if sf.Anonymous {
			f.encode, err = embeddedEncoder(sf.Type)
		} else {
			name, options, _ := strings.Cut(sf.Tag.Get("json"), ",")
			f.name, f.key, f.omit = name, strconv.Quote(name)+":", options != ""
			f.encode, err = encoderOf(sf.Type)
		}
		if err != nil {
			return nil, fmt.Errorf("%s.%s: %w", t, sf.Name, err)
		}
		fields = append(fields, f)
	}
	return fields, nil
}

func embeddedEncoder(t reflect.Type) (encoder, error) {
	fields, err := fieldsOf(t)
	return func(b []byte, v reflect.Value) ([]byte, error) {
		return encodeFields(b, v, fields)
	}, err
}

// appendJSON appends v, which an encoder must exist for.
func appendJSON(b []byte, v any) ([]byte, error) {
	x := reflect.ValueOf(v)
	e, err := encoderOf(x.Type())
	if err != nil {
		return b, err
	}
	return e(b, x)
}

const hexDigits = "0123456789abcdef"

// appendQuoted appends s as a JSON string. Control and format characters are
// escaped, also those that JSON would allow, so that a line can be shown on a
// terminal; invalid UTF-8 becomes U+FFFD.
func appendQuoted(b []byte, s string) []byte {
	b = append(b, '"')
	start := 0
	for i := 0; i < len(s); {
		if c := s[i]; c >= 0x20 && c < 0x7f && c != '"' && c != '\\' {
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if r >= 0xa0 && !(r == utf8.RuneError && n == 1) && !unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp) {
			i += n
			continue
		}
		b = append(b, s[start:i]...)
		b = appendEscaped(b, r)
		i += n
		start = i
	}
	b = append(b, s[start:]...)
	return append(b, '"')
}

func appendEscaped(b []byte, r rune) []byte {
	switch r {
	case '"', '\\':
		return append(b, '\\', byte(r))
	case '\n':
		return append(b, `\n`...)
	case '\r':
		return append(b, `\r`...)
	case '\t':
		return append(b, `\t`...)
	}
	if r > 0xffff {
		hi, lo := (r-0x10000)>>10+0xd800, (r-0x10000)&0x3ff+0xdc00
		return appendUnit(appendUnit(b, hi), lo)
	}
	return appendUnit(b, r)
}

func appendUnit(b []byte, r rune) []byte {
	return append(b, '\\', 'u', hexDigits[r>>12&15], hexDigits[r>>8&15], hexDigits[r>>4&15], hexDigits[r&15])
}
