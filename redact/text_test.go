package redact_test

import (
	"encoding/json"
	"testing"

	"sallyport/redact"
)

func TestCutKeepsRunesAndPlaceholders(t *testing.T) {
	text, _ := redact.New(redact.Config{}).Text("ü password=hunter22 end")
	tests := []struct {
		max  int
		want string
		cut  bool
	}{
		{0, "", true},
		{1, "", true},
		{2, "ü", true},
		{12, "ü password=", true},
		{20, "ü password=", true},
		{33, "ü password=<redacted:password#1>", true},
		{34, "ü password=<redacted:password#1> ", true},
		{99, "ü password=<redacted:password#1> end", false},
	}
	for _, tt := range tests {
		got, cut := text.Cut(tt.max)
		if got.String() != tt.want || cut != tt.cut {
			t.Errorf("Cut(%d) = %q, %v", tt.max, got, cut)
		}
	}
}

func TestHeadTailKeepsBothEnds(t *testing.T) {
	text, _ := redact.New(redact.Config{}).Text("0123456789 token=Zf3D0LXCM3EIGjoE abcdefghij")
	got := text.HeadTail(30, redact.Literal("…"))
	if got.Len() > 30 || got.String() != "0123456789 tok…abcdefghij" && got.String() != "0123456789 tok… abcdefghij" {
		t.Errorf("%q, %d bytes", got, got.Len())
	}
	if whole := text.HeadTail(1000, redact.Literal("…")); whole != text {
		t.Errorf("%q", whole)
	}
	if tiny := text.HeadTail(2, redact.Literal("…")); tiny.String() != "01" {
		t.Errorf("%q", tiny)
	}
}

func TestTailAndTrim(t *testing.T) {
	text := redact.Literal("a\nb  \nc\t\n\n  \n")
	if got := text.TrimRightLines().String(); got != "a\nb\nc" {
		t.Errorf("TrimRightLines: %q", got)
	}
	for n, want := range map[int]string{0: "", 1: "c", 2: "b  \nc", 9: "a\nb  \nc"} {
		if got := redact.Literal("a\nb  \nc").Tail(n).String(); got != want {
			t.Errorf("Tail(%d) = %q, want %q", n, got, want)
		}
	}
}

func TestMarshalKeepsPlaceholdersReadable(t *testing.T) {
	text, _ := redact.New(redact.Config{}).Text("password=hunter22 \"q\" & \u2028")
	b, err := json.Marshal(struct{ T redact.Text }{text})
	if err != nil {
		t.Fatal(err)
	}
	var back struct{ T string }
	if err := json.Unmarshal(b, &back); err != nil || back.T != text.String() {
		t.Errorf("%s, %v", b, err)
	}
}

func TestIDTakesIdentifiersAndNoTokens(t *testing.T) {
	for _, ok := range []string{"sug-12", "2031-01-06T10:00:00Z", "7f3b2c1a-9d8e-4f5a-b6c7-d8e9f0a1b2c3", "SHA256:6KFZOVq2kyBHsxVdRKZGcimiZRCUbs4D7x7zw72cov6", "user@host:22", "a=b+c/d"} {
		if id, err := redact.ID(ok); err != nil || id.String() != ok {
			t.Errorf("%q: %v", ok, err)
		}
	}
	for _, bad := range []string{"", "a b", "x\n", "ü", "ghp_" + "at9ag498dyT5bl5GhcqrGi0qx020vorwNIvV", "https://u:secret@h", string(make([]byte, 257))} {
		if id, err := redact.ID(bad); err == nil {
			t.Errorf("%q gave %q", bad, id)
		}
	}
}

func TestHasPlaceholder(t *testing.T) {
	for s, want := range map[string]bool{
		"mysql -p<redacted:password#1>": true,
		"mysql -p<redacted:passw":       true,
		"echo redacted":                 false,
	} {
		if got := redact.HasPlaceholder(s); got != want {
			t.Errorf("%q: %v", s, got)
		}
	}
}
