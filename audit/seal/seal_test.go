package seal

import (
	"fmt"
	"testing"

	"golang.org/x/mod/sumdb/tlog"
)

// The small tree against the library's, at every size up to 300.
func TestRootsAreThoseOfTheLibrary(t *testing.T) {
	var tree Tree
	var all Hashes
	for n := range 300 {
		want, err := tlog.TreeHash(int64(n), &all)
		if err != nil || tree.Root() != want {
			t.Fatalf("size %d: %v, want %v (%v)", n, tree.Root(), want, err)
		}
		leaf := Leaf(fmt.Appendf(nil, "line %*d", n*9, n))
		if leaf != tlog.RecordHash(fmt.Appendf(nil, "line %*d", n*9, n)) {
			t.Fatalf("leaf %d", n)
		}
		tree.Add(leaf)
		if err := all.Add(leaf); err != nil {
			t.Fatal(err)
		}
	}
}

func TestACheckpointIsOfItsKeyLogAndLine(t *testing.T) {
	e, err := NewEpochs("0123")
	if err != nil {
		t.Fatal(err)
	}
	var tree Tree
	tree.Add(Leaf([]byte("a")))
	signed, err := e.Checkpoint(&tree, []byte("before"))
	if err != nil {
		t.Fatal(err)
	}
	first := e.Public()
	c, err := OpenCheckpoint(signed, "0123", first)
	if err != nil || c.Size != 1 || c.Root != tree.Root() || c.Before != Line([]byte("before")) {
		t.Errorf("%+v %v", c, err)
	}
	if _, err := OpenCheckpoint(signed, "4567", first); err == nil {
		t.Error("it opens as another log's")
	}
	pub, sig, err := e.Rotate()
	if err != nil || !VerifyRotate(first, "0123", 1, pub, sig) {
		t.Errorf("the key of epoch 0 did not sign that of epoch 1: %v", err)
	}
	if VerifyRotate(first, "0123", 2, pub, sig) || VerifyRotate(pub, "0123", 1, pub, sig) {
		t.Error("a rotation passes for another epoch or key")
	}
	if _, err := OpenCheckpoint(signed, "0123", pub); err == nil {
		t.Error("it opens with the next epoch's key")
	}
}

func TestARotatedKeyIsGone(t *testing.T) {
	e, err := NewEpochs("0123")
	if err != nil {
		t.Fatal(err)
	}
	seed := e.key
	if _, _, err := e.Rotate(); err != nil {
		t.Fatal(err)
	}
	for _, b := range seed {
		if b != 0 {
			t.Fatal("the seed of the epoch that ended is still in memory")
		}
	}
}

func TestHostKeysGoThroughTheirText(t *testing.T) {
	k, err := NewHostKey("prod web+03")
	if err != nil {
		t.Fatal(err)
	}
	back, err := ParseHostKey(k.Secret())
	if err != nil || !back.Public().Equal(k.Public()) || back.Name != "prod-web-03" {
		t.Errorf("%+v %v", back, err)
	}
	name, pub, err := ParseVerifier(k.Verifier())
	if err != nil || name != k.Name || !pub.Equal(k.Public()) {
		t.Errorf("%s %v", name, err)
	}
	if _, err := ParseHostKey(k.Verifier()); err == nil {
		t.Error("a public key passes for a secret one")
	}
	e, _ := NewEpochs("0123")
	if sig := k.Anchor("0123", e.Public()); !VerifyAnchor(k.Public(), "0123", e.Public(), sig) || VerifyAnchor(k.Public(), "4567", e.Public(), sig) {
		t.Error("the anchor is not of its log")
	}
}
