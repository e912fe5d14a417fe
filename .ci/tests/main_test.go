package main

import (
	"errors"
	"testing"
)

// Which skipped tests CI forgives.
func TestSkipping(t *testing.T) {
	t.Setenv("SALLYPORT_NO_SKIP", "1")
	for said, want := range map[string]int{
		"":                                  0, // none was
		"nightly: measures time":            0,
		"corpus: policy.tsv is not there":   0,
		"needs: zsh (Debian package zsh)":   1,
		"no reason that anybody would know": 1,
	} {
		got := newTally()
		if said != "" {
			got.take(event{Action: "output", Package: "p", Test: "T", Output: "    x_test.go:1: " + said + "\n"})
			got.take(event{Action: "skip", Package: "p", Test: "T"})
		}
		if code := got.close(nil); code != want {
			t.Errorf("%q: exit %d, want %d", said, code, want)
		}
	}
	if newTally().close(errors.New("exit status 1")) != 1 {
		t.Error("a failed run passes")
	}
}
