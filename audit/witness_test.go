package audit

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"testing"
	"time"

	"sallyport/audit/durable/durabletest"
	"sallyport/redact"
)

// A console has a receipt; then the machine comes back in some state, and the
// daemon's next log is asked about it.
func TestAReceiptTellsOfWhatIsNotThere(t *testing.T) {
	console := Actor{User: redact.Literal("ops"), UID: 1000}
	for _, c := range []struct {
		name   string
		closed bool
		after  func(mem *durabletest.Memory, path string)
		wrong  bool // the receipt itself
		damage Damage
	}{
		{name: "it is there", after: func(*durabletest.Memory, string) {}},
		{name: "it is there, and the log was closed", closed: true, after: func(*durabletest.Memory, string) {}},
		{name: "the log lost its end", damage: DamageShorter, after: func(mem *durabletest.Memory, path string) {
			b := mem.Bytes(path)
			mem.Put(path, b[:bytes.LastIndexByte(b[:len(b)-1], '\n')+1])
		}},
		{name: "the log has another end", damage: DamageEdited, after: func(mem *durabletest.Memory, path string) {
			mem.Put(path, bytes.Replace(mem.Bytes(path), []byte(`"command":"reboot"`), []byte(`"command":"uptime"`), 1))
		}},
		{name: "the log is gone", damage: DamageShorter, after: func(mem *durabletest.Memory, path string) { mem.Remove(path) }},
		{name: "a receipt that no log of this end can have given", closed: true, wrong: true, after: func(*durabletest.Memory, string) {}},
	} {
		mem := durabletest.NewMemory()
		old := openLog(t, Config{Dir: "/a", FS: mem})
		rs, err := old.In("s1", Target{}).Append(t.Context(), testIntent(redact.Literal("reboot")))
		if err != nil {
			t.Fatal(err)
		}
		path, r := old.Status().Path, rs[0]
		if c.closed {
			old.Close(t.Context())
		}
		mem = mem.Crash(durabletest.LoseAll)
		c.after(mem, path)
		next := openLog(t, Config{Dir: "/a", FS: mem, Actor: Actor{User: redact.Literal("daemon"), UID: 7}})
		seq := r.Seq()
		if c.wrong {
			seq += 100
		}
		var lost *Lost
		for range 2 { // the second console with the same receipt adds nothing
			err = next.Witness(t.Context(), console, r.Log(), seq, r.Leaf())
		}
		if errors.As(err, &lost) != (c.damage != "") || errors.Is(err, ErrReceipt) != c.wrong {
			t.Errorf("%s: %v", c.name, err)
		}
		said := 0
		for _, rec := range parse(t, mem.Bytes(next.Status().Path)) {
			if rec.Event != KindLogRecovered {
				continue
			}
			if d, _ := Decode[LogRecovered[string]](rec); d.Receipt && rec.Actor.UID == 1000 && d.At == seq && d.Found.Log == r.Log() && d.Damage == c.damage {
				said++
			}
		}
		if said != map[bool]int{true: 1}[c.damage != ""] {
			t.Errorf("%s: the record says so %d times", c.name, said)
		}
	}
}

func TestAReceiptOfTheLogThatIsOpen(t *testing.T) {
	l := openLog(t, Config{})
	rs, err := l.Append(t.Context(), testIntent(redact.Literal("ls")))
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Witness(t.Context(), Actor{}, rs[0].Log(), rs[0].Seq(), rs[0].Leaf()); err != nil {
		t.Error(err)
	}
	for _, id := range []LogID{rs[0].Log(), "", "no id"} {
		if err := l.Witness(t.Context(), Actor{}, id, 99, Hash{}); !errors.Is(err, ErrReceipt) {
			t.Errorf("%q: %v", id, err)
		}
	}
}

// What could not be recorded is not taken for recorded.
func TestALostRecordIsToldOnceThatIsOnDisk(t *testing.T) {
	mem := durabletest.NewMemory()
	l := openLog(t, Config{Dir: "/a", FS: mem})
	gone := LogID("0123456789abcdef0123456789abcdef")
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	var lost *Lost
	if err := l.Witness(canceled, Actor{}, gone, 3, Hash{}); err == nil || errors.As(err, &lost) {
		t.Fatalf("told, and nothing is on disk: %v", err)
	}
	for range 2 {
		if err := l.Witness(t.Context(), Actor{}, gone, 3, Hash{}); !errors.As(err, &lost) {
			t.Fatal(err)
		}
	}
	if n := bytes.Count(mem.Bytes(l.Status().Path), []byte(`"event":"log.recovered"`)); n != 1 {
		t.Errorf("recorded %d times", n)
	}
}

func TestAPrunedLogIsNotLost(t *testing.T) {
	mem := durabletest.NewMemory()
	old := openLog(t, Config{Dir: "/a", FS: mem})
	rs, err := old.Append(t.Context(), testIntent(redact.Literal("ls")))
	if err != nil {
		t.Fatal(err)
	}
	old.Close(t.Context())
	if removed, err := Prune(t.Context(), Config{Dir: "/a", FS: mem}, time.Now().Add(time.Hour), true); err != nil || len(removed) != 1 {
		t.Fatal(removed, err)
	}
	l := openLog(t, Config{Dir: "/a", FS: mem})
	if err := l.Witness(t.Context(), Actor{}, rs[0].Log(), rs[0].Seq(), rs[0].Leaf()); err != nil {
		t.Error(err)
	}
	if err := l.Witness(t.Context(), Actor{}, rs[0].Log(), 1000, rs[0].Leaf()); !errors.Is(err, ErrReceipt) {
		t.Errorf("more than the pruned log had: %v", err)
	}
}

// A peer chooses what its receipts name.
func TestAWitnessRemembersABoundedNumber(t *testing.T) {
	l := openLog(t, Config{Dir: "/a", FS: durabletest.NewMemory()})
	for i := range 3 * maxLooked {
		l.Witness(t.Context(), Actor{}, LogID(fmt.Sprintf("%032x", i)), 1, Hash{})
	}
	if n := len(l.witness.looked); n > maxLooked {
		t.Errorf("%d logs are remembered", n)
	}
	m := map[int]bool{}
	for i := range 10 {
		m = remember(m, i, true, 4)
	}
	if len(m) != 4 || !m[9] {
		t.Errorf("%v", m)
	}
}

func TestAWitnessRemovesNothing(t *testing.T) {
	mem := durabletest.NewMemory()
	l := openLog(t, Config{Dir: "/a", FS: mem})
	mem.Put("/a/20261130T141651Z-56539488.reserve", []byte("stale"))
	l.Witness(t.Context(), Actor{}, "0123456789abcdef0123456789abcdef", 1, Hash{})
	entries, err := mem.ReadDir("/a")
	if err != nil || !slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == "20261130T141651Z-56539488.reserve" }) {
		t.Errorf("%v %v", entries, err)
	}
}
