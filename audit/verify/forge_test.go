package verify_test

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"regexp"
	"strconv"
	"testing"

	"golang.org/x/mod/sumdb/note"

	"sallyport/audit"
	"sallyport/audit/durable/durabletest"
	"sallyport/audit/seal"
	"sallyport/audit/verify"
)

// forger rewrites a log so that its chain is right again, with whatever keys
// it has. It is written after the package documentation of audit, not after
// the code.
type forger struct {
	// key signs the checkpoint of an epoch; announced is what log.open and
	// key.rotate call that epoch's key.
	key, announced func(epoch int) ed25519.PrivateKey
	// keep leaves log.open's and key.rotate's keys as they are.
	keep bool
}

var (
	prevField = regexp.MustCompile(`"prev":"[0-9a-f]{64}"`)
	keyField  = regexp.MustCompile(`"key":"[^"]*"`)
	sigField  = regexp.MustCompile(`"sig":"[^"]*"`)
)

func newKeys(n int) func(int) ed25519.PrivateKey {
	keys := make([]ed25519.PrivateKey, n)
	for i := range keys {
		_, keys[i], _ = ed25519.GenerateKey(nil)
	}
	return func(i int) ed25519.PrivateKey { return keys[i] }
}

func (f forger) forge(t *testing.T, all [][]byte) []byte {
	t.Helper()
	var chain seal.Chain
	var out [][]byte
	epoch := 0
	for i, l := range all {
		prev := chain.Prev
		l = prevField.ReplaceAll(l, []byte(`"prev":"`+hex.EncodeToString(prev[:])+`"`))
		h, err := audit.ParseHead(l)
		if err != nil {
			t.Fatal(err)
		}
		switch h.Event {
		case audit.KindLogOpen:
			l = f.announce(l, "key", f.announced(0).Public())
		case audit.KindCheckpoint:
			l = f.sign(t, l, string(h.Log), i, chain.Tree.Root(), f.key(epoch))
		case audit.KindKeyRotate:
			epoch++
			l = f.rotate(l, string(h.Log), epoch)
		}
		chain.Add(l)
		out = append(out, l)
	}
	return joined(out)
}

func (f forger) announce(l []byte, _ string, pub any) []byte {
	if f.keep {
		return l
	}
	return keyField.ReplaceAll(l, []byte(`"key":"`+b64(pub.(ed25519.PublicKey))+`"`))
}

func (f forger) rotate(l []byte, log string, epoch int) []byte {
	if f.keep {
		return l
	}
	pub := f.announced(epoch).Public().(ed25519.PublicKey)
	l = f.announce(l, "key", pub)
	msg := fmt.Sprintf("sallyport key.rotate v1\n%s\n%d\n%s\n", log, epoch, b64(pub))
	return sigField.ReplaceAll(l, []byte(`"sig":"`+b64(ed25519.Sign(f.announced(epoch-1), []byte(msg)))+`"`))
}

func (f forger) sign(t *testing.T, l []byte, log string, size int, root seal.Hash, key ed25519.PrivateKey) []byte {
	t.Helper()
	before, _, _ := bytes.Cut(l, []byte(`"note":`))
	before = append(bytes.Clone(before), `"note":`...)
	sum := sha256.Sum256(before)
	text := fmt.Sprintf("%s\n%d\n%s\n%s\n", log, size, b64(root[:]), b64(sum[:]))
	signer, err := note.NewSigner(secretText(log, key))
	if err != nil {
		t.Fatal(err)
	}
	signed, err := note.Sign(&note.Note{Text: text}, signer)
	if err != nil {
		t.Fatal(err)
	}
	return append(append(before, strconv.Quote(string(signed))...), "}}"...)
}

// secretText is the text form of a signed note's key.
func secretText(name string, key ed25519.PrivateKey) string {
	pub := key.Public().(ed25519.PublicKey)
	sum := sha256.Sum256(append([]byte(name+"\n\x01"), pub...))
	return fmt.Sprintf("PRIVATE+KEY+%s+%x+%s", name, sum[:4], b64(append([]byte{1}, key.Seed()...)))
}

func b64(b []byte) string { return base64.StdEncoding.EncodeToString(b) }

// following is a record that goes on from the last line.
func following(all [][]byte) []byte {
	last := all[len(all)-1]
	sum := sha256.Sum256(last)
	l := prevField.ReplaceAll(all[1], []byte(`"prev":"`+hex.EncodeToString(sum[:])+`"`))
	return bytes.Replace(l, []byte(`"seq":1,`), fmt.Appendf(nil, `"seq":%d,`, len(all)), 1)
}

// edit changes a command in the first epoch.
func edit(all [][]byte) [][]byte {
	out := append([][]byte(nil), all...)
	out[1] = bytes.Replace(out[1], []byte("run-0"), []byte("run-X"), 1)
	return out
}

func TestAForgedLog(t *testing.T) {
	mem := durabletest.NewMemory()
	path := written(t, mem, dir, 9, audit.Config{CheckpointEvery: 4, HostKey: hostKey(t)})
	all := lines(mem.Bytes(path))
	keys, others := newKeys(64), newKeys(64)
	own := forger{key: keys, announced: keys}.forge(t, all)
	last := 0
	for _, l := range all {
		if h, _ := audit.ParseHead(l); h.Event == audit.KindKeyRotate {
			last++
		}
	}
	bare := bytes.Replace(own, []byte(`"anchor":"host"`), []byte(`"anchor":"none"`), 1)
	bare = forger{key: keys, announced: keys}.forge(t, lines(bare))
	for _, c := range []struct {
		name string
		data []byte
		want verify.Verdict
	}{
		{"with all keys and no anchor there is nothing to see", bare, verify.Unanchored},
		{"with all keys, the host key did not sign the first", own, verify.BadSignature},
		{
			"an edit in an earlier epoch, signed by the last epoch's key",
			forger{key: func(int) ed25519.PrivateKey { return keys(last) }, announced: keys}.forge(t, edit(lines(bare))),
			verify.WrongEpoch,
		},
		{
			"an edit, chained again, checkpoints left as they are",
			forger{key: keys, announced: keys}.rechained(t, edit(lines(bare))), verify.Edited,
		},
		{
			"an edit, signed by keys from nowhere",
			forger{key: others, announced: keys}.forge(t, edit(lines(bare))), verify.BadSignature,
		},
	} {
		if r := one(t, path, c.data, verify.Options{}); r.Verdict != c.want {
			t.Errorf("%s: %s, want %s", c.name, r, c.want)
		}
	}
}

// rechained mends the chain and signs nothing.
func (f forger) rechained(t *testing.T, all [][]byte) []byte {
	t.Helper()
	var chain seal.Chain
	var out [][]byte
	for _, l := range all {
		prev := chain.Prev
		l = prevField.ReplaceAll(l, []byte(`"prev":"`+hex.EncodeToString(prev[:])+`"`))
		chain.Add(l)
		out = append(out, l)
	}
	return joined(out)
}
