package auditors

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"filippo.io/age"
)

func TestAFrameOpensByItself(t *testing.T) {
	auditor, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	keys, err := Parse([]string{auditor.Recipient().String()})
	if err != nil {
		t.Fatal(err)
	}
	var file []byte
	texts := []string{"", "one", strings.Repeat("long", 50_000)}
	for _, text := range texts {
		frame, err := keys.Frame([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		file = append(file, frame...)
	}
	for _, want := range texts {
		n := Length([LengthSize]byte(file))
		frame := file[LengthSize:][:n]
		file = file[LengthSize+n:]
		r, err := age.Decrypt(bytes.NewReader(frame), auditor)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(r); err != nil || string(got) != want {
			t.Errorf("%d bytes, want %d: %v", len(got), len(want), err)
		}
	}
	if len(file) > 0 {
		t.Errorf("%d bytes are left", len(file))
	}
}

func TestAKeyThatIsNoneIsNamed(t *testing.T) {
	for _, key := range []string{"", "age1nothing", "AGE-SECRET-KEY-1", "ssh-ed25519 AAAA"} {
		if keys, err := Parse([]string{key}); err == nil || keys != nil || !strings.Contains(err.Error(), key) {
			t.Errorf("%q: %v, %v", key, keys, err)
		}
	}
}

func TestPaddingEndsABlock(t *testing.T) {
	for n := range 3 * block {
		if p := Padding(n); (n+len(p))%block != 0 || len(p) >= block || strings.Trim(string(p), " ") != "" {
			t.Errorf("%d bytes are filled up with %q", n, p)
		}
	}
}
