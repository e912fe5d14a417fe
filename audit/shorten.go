package audit

import (
	"fmt"
	"reflect"
	"strconv"

	"sallyport/redact"
)

// maxRecord bounds a line, its newline included; envelope is what the head
// of a line and its sealed reference may take of it.
const (
	maxRecord = 256 << 10
	envelope  = 1 << 10
	minWords  = 64 // words that are not cut further
)

// words of an event that may be cut.
type place struct {
	path string
	text reflect.Value // of type redact.Text, settable
}

// shorten gives a copy of ev whose JSON fits into room: the longest words
// are cut, again and again, and named with length and digest.
func shorten(ev Event, room int, key *digestKey) (Event, []Cut, error) {
	v := reflect.New(reflect.TypeOf(ev)).Elem()
	v.Set(reflect.ValueOf(ev))
	var places []place
	collect(v, "", &places)
	cut := map[string]Cut{}
	for {
		b, err := appendJSON(nil, v.Interface())
		if err != nil {
			return nil, nil, err
		}
		if len(b) <= room {
			return v.Interface().(Event), inOrder(places, cut), nil
		}
		if !cutLongest(places, cut, key) {
			return nil, nil, fmt.Errorf("%s: a record of %d bytes; at most %d", ev.Kind(), len(b), maxRecord)
		}
	}
}

func cutLongest(places []place, cut map[string]Cut, key *digestKey) bool {
	longest, at := minWords, -1
	for i, p := range places {
		if n := p.text.Interface().(redact.Text).Len(); n > longest {
			longest, at = n, i
		}
	}
	if at < 0 {
		return false
	}
	p := places[at]
	whole := p.text.Interface().(redact.Text)
	if _, ok := cut[p.path]; !ok {
		cut[p.path] = cutOf(p.path, whole, key)
	}
	short, _ := whole.Cut(longest / 2)
	p.text.Set(reflect.ValueOf(short))
	return true
}

func cutOf(path string, whole redact.Text, key *digestKey) Cut {
	findings := 0
	if redact.HasPlaceholder(whole.String()) {
		findings = 1
	}
	d := key.digest([]byte(whole.String()), findings)
	return Cut{Field: path, Bytes: d.Bytes(), Digest: d}
}

func inOrder(places []place, cut map[string]Cut) (out []Cut) {
	for _, p := range places {
		if c, ok := cut[p.path]; ok {
			out = append(out, c)
		}
	}
	return out
}

// collect finds the words of v; lists are copied, since the caller owns them.
func collect(v reflect.Value, path string, places *[]place) {
	switch {
	case v.Type() == textType:
		*places = append(*places, place{path, v})
	case v.Kind() == reflect.Struct:
		collectFields(v, path, places)
	case v.Kind() == reflect.Slice && v.Type().Elem().Kind() != reflect.Uint8:
		own := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		reflect.Copy(own, v)
		v.Set(own)
		for i := range v.Len() {
			collect(v.Index(i), join(path, strconv.Itoa(i)), places)
		}
	}
}

func collectFields(v reflect.Value, path string, places *[]place) {
	fields, err := fieldsOf(v.Type())
	if err != nil || !v.CanSet() {
		return // not a struct of words: a digest, a time
	}
	for _, f := range fields {
		if x := v.Field(f.index); x.CanSet() {
			collect(x, join(path, f.name), places)
		}
	}
}

func join(path, name string) string {
	switch {
	case path == "":
		return name
	case name == "":
		return path
	}
	return path + "." + name
}

// appendCuts appends the envelope's list of cut fields.
func appendCuts(b []byte, cuts []Cut) []byte {
	for i, c := range cuts {
		if i == 0 {
			b = append(b, `,"cut":[`...)
		} else {
			b = append(b, ',')
		}
		b = appendQuoted(append(b, `{"field":`...), c.Field)
		if c.Bytes != nil {
			b = strconv.AppendInt(append(b, `,"bytes":`...), *c.Bytes, 10)
		}
		b = appendQuoted(append(b, `,"digest":`...), c.Digest.String())
		b = append(b, '}')
	}
	if len(cuts) > 0 {
		b = append(b, ']')
	}
	return b
}
