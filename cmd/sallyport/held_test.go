package main

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

func TestWarningsWaitUntilTheScreenIsGone(t *testing.T) {
	var out bytes.Buffer
	h := &heldBack{to: &out}
	warn(h, "before")
	release := h.hold()
	for range 3 {
		warn(h, "during")
	}
	if out.String() != "sallyport: before\n" {
		t.Errorf("on the screen: %q", out.String())
	}
	release()
	warn(h, "after")
	if want := "sallyport: before\nsallyport: during\nsallyport: after\n"; out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
	release = h.hold()
	for i := range 10 * maxHeldBack {
		warn(h, fmt.Sprint(i))
	}
	out.Reset()
	release()
	if n := strings.Count(out.String(), "\n"); n != maxHeldBack {
		t.Errorf("%d are kept", n)
	}
}
