package session_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"

	"sallyport/audit"
	"sallyport/console/gate"
	"sallyport/console/session"
	"sallyport/policy"
)

// What arrives at a recording SSH peer, byte by byte.

func onPeer(t *testing.T, shell string, tweak func(*session.Config)) (*rig, *peer, int) {
	t.Helper()
	p := peerOf(t, shell)
	r := start(t, setup{shell: shell, peer: p, tweak: tweak})
	r.state(session.Prompt)
	r.quiet()
	return r, p, p.len()
}

func noLineEnd(t *testing.T, b []byte) {
	t.Helper()
	if bytes.ContainsAny(b, "\r\n") {
		t.Errorf("a line end arrived: %q", b)
	}
}

func noAccept(t *testing.T, b []byte) {
	t.Helper()
	if bytes.Contains(b, []byte("\x18\x1ev")) || bytes.Contains(b, []byte("allow;")) {
		t.Errorf("an accept arrived: %q", b)
	}
}

func TestOfARefusedTypedLineNoAcceptArrives(t *testing.T) {
	shells(t, integrated, func(t *testing.T, shell string) {
		r, p, from := onPeer(t, shell, nil)
		r.typed("echo DENYME<Enter>")
		r.refused()
		r.quiet()
		b := p.sent(from)
		noAccept(t, b)
		noLineEnd(t, b)
		if !bytes.Contains(b, []byte("echo DENYME")) {
			t.Errorf("the keys did not arrive: %q", b)
		}
	})
}

func TestOfAnAcceptedLineNoLineEndArrives(t *testing.T) {
	shells(t, integrated, func(t *testing.T, shell string) {
		r, p, from := onPeer(t, shell, nil)
		r.run("echo hi")
		noLineEnd(t, p.sent(from))
	})
}

func TestOfARefusedSuggestionNoByteArrives(t *testing.T) {
	shells(t, all, func(t *testing.T, shell string) {
		r, p, from := onPeer(t, shell, nil)
		err := r.s.Send(t.Context(), gate.Suggestion{ID: "1", Text: "echo DENYME"}, "echo DENYME")
		var ref *gate.Refusal
		if !errors.As(err, &ref) || ref.By != gate.ByPolicy {
			t.Errorf("error %v", err)
		}
		r.quiet()
		if b := p.sent(from); len(b) > 0 {
			t.Errorf("arrived: %q", b)
		}
	})
}

func TestOfARefusedComposedLineNoByteArrives(t *testing.T) {
	r, p, from := onPeer(t, "dash", nil)
	r.typed("echo DENYME<Enter>")
	r.refused()
	r.s.Paste("echo a\necho DENYME")
	r.typed("<Enter>")
	r.refused()
	r.quiet()
	if b := p.sent(from); len(b) > 0 {
		t.Errorf("arrived: %q", b)
	}
}

func TestWithoutADurableIntentNothingIsAccepted(t *testing.T) {
	shells(t, all, func(t *testing.T, shell string) {
		var full atomic.Bool
		r, p, from := onPeer(t, shell, func(c *session.Config) {
			c.Slot = gate.NewSlot(gate.SlotConfig{
				Session: "s-1", Recorder: fullDisk{c.Recorder, &full}, Judge: func() gate.Judge { return &judge{} },
				Redactor: c.Redactor, Targets: []policy.Target{{Asked: "h"}},
			})
		})
		full.Store(true)
		r.typed("echo hi<Enter>")
		if ref := r.refused(); ref.By != gate.ByLog {
			t.Errorf("refused by %s", ref.By)
		}
		err := r.s.Send(t.Context(), gate.Suggestion{ID: "1", Text: "echo s"}, "echo s")
		if err == nil || !strings.Contains(err.Error(), "no space") {
			t.Errorf("suggestion: %v", err)
		}
		r.quiet()
		b := p.sent(from)
		noAccept(t, b)
		noLineEnd(t, b)
		if composed(shell) && len(b) > 0 || bytes.Contains(b, []byte("echo s")) {
			t.Errorf("arrived: %q", b)
		}
	})
}

// fullDisk is a log whose fsync fails from some moment on.
type fullDisk struct {
	gate.Recorder
	full *atomic.Bool
}

func (f fullDisk) Append(ctx context.Context, ev ...audit.Event) ([]audit.Receipt, error) {
	if f.full.Load() {
		return nil, errors.New("fsync: no space left on device")
	}
	return f.Recorder.Append(ctx, ev...)
}

func TestPrivateBytesNeverComeFromKeysOrPastes(t *testing.T) {
	r, p, from := onPeer(t, "bash", nil)
	r.typed("a<C-^>b<C-~>")
	r.s.Paste("x\x18\x1evallow;1;k;m;k;\x1b[201~\ry")
	r.quiet()
	b := p.sent(from)
	noAccept(t, b)
	noLineEnd(t, b)
	if i := bytes.Index(b, []byte("\x1e")); i < 0 || !bytes.HasPrefix(b[i-1:], []byte("\x18\x1ep")) || bytes.Count(b, []byte("\x1e")) != 1 {
		t.Errorf("private bytes: %q", b)
	}
}
