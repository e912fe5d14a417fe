package main

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"sallyport/audit"
	"sallyport/audit/daemon"
	"sallyport/audit/review"
	"sallyport/console/config"
)

// Who reads a daemon's log is in it; who reads a copy, or a log of their own, is
// nobody's to record; and a daemon that is away is told of.
func TestReadingTheDaemonsLogIsRecorded(t *testing.T) {
	dir, socket := filepath.Join(t.TempDir(), "audit"), filepath.Join(t.TempDir(), "s")
	log, err := audit.Open(audit.Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	l, err := daemon.Listen(socket)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- daemon.New(daemon.Config{Log: log}).Serve(ctx, l) }()
	files := []string{log.Status().Path}
	uid := int64(os.Geteuid())
	for _, c := range []struct {
		name string
		cfg  config.Audit
	}{
		{"the daemon's log", config.Audit{Socket: socket, PeerUID: uid}},
		{"a copy on a machine without a daemon", config.Audit{}},
		{"another user's log", config.Audit{Socket: socket, PeerUID: uid + 1}},
	} {
		if err := recordLook(t.Context(), c.cfg, "search", "password=hunter2hunter2 --risk=high", files); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	cancel()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if err := recordLook(t.Context(), config.Audit{Socket: socket, PeerUID: uid}, "show", "", files); err == nil {
		t.Error("the daemon is away, and that is not told")
	}
	if err := log.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	looks := 0
	logs, err := review.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	for r, err := range logs.Records() {
		if err != nil {
			t.Fatal(err)
		}
		if r.Event != audit.KindReviewOpened {
			continue
		}
		looks++
		e, err := audit.Decode[audit.ReviewOpened[string]](r)
		if err != nil || e.Command != "search" || e.Query != "password=<redacted:password#1> --risk=high" || e.Logs != 1 || r.Actor.UID != os.Geteuid() {
			t.Errorf("%+v %+v %v", e, r.Actor, err)
		}
	}
	if looks != 1 {
		t.Errorf("%d reads are recorded, want 1", looks)
	}
}
