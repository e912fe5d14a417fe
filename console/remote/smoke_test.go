package remote_test

import (
	"context"
	"strings"
	"testing"

	"sallyport/console/demo"
	"sallyport/console/gate"
	"sallyport/console/remote"
)

func TestSmoke(t *testing.T) {
	ctx := context.Background()
	d, err := demo.Start(ctx, demo.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	c, err := remote.Dial(ctx, remote.Config{Dest: d.User + "@" + d.Addr, OnStep: func(s, h string) { t.Log(s, h) }, Options: remote.Options{Identities: []string{d.Identity}, ConfigFile: "none", Set: []string{"UserKnownHostsFile=" + d.KnownHosts}}})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	g := &gate.Gate{}
	s := gate.NewSlot(gate.SlotConfig{})
	s.Enter(gate.State{Phase: gate.Booting})
	boot, err := g.Control(s, gate.PlainShell())
	if err != nil {
		t.Fatal(err)
	}
	sh, err := c.Shell(ctx, s, boot, remote.PTY{Term: "xterm", Cols: 80, Rows: 24})
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	buf := make([]byte, 4096)
	for !strings.Contains(got.String(), "$ ") && !strings.Contains(got.String(), "# ") {
		n, err := sh.Read(buf)
		got.Write(buf[:n])
		if err != nil {
			t.Fatal(err, got.String())
		}
	}
	t.Logf("%q", got.String())
	t.Logf("%+v", c.Target())
	eof, _ := g.Control(s, gate.Press(gate.SignalEOF))
	if err := sh.Send(eof); err != nil {
		t.Fatal(err)
	}
	for {
		_, err := sh.Read(buf)
		if err != nil {
			break
		}
	}
	t.Log(sh.Wait())
}
