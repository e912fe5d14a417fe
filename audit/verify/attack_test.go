package verify_test

import (
	"bytes"
	"compress/gzip"
	"crypto/ed25519"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"sallyport/audit"
	"sallyport/audit/durable"
	"sallyport/audit/seal"
	"sallyport/audit/verify"
)

// attack is what somebody who can write to the folder did to it, and what is
// said of the logs there: by both verifiers, except where the second cannot.
type attack struct {
	name  string
	do    func(t *testing.T, where string) // the folder is empty
	want  []verify.Verdict
	trust bool // verified under testdata/host.pub
	// harmless says why nothing is found.
	harmless string
}

// chained are three logs of one day in their order, anchored.
func chained(t *testing.T, where string) []string {
	key := testKey(t)
	now := time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)
	clock := func() time.Time { now = now.Add(time.Second); return now }
	var paths []string
	for range 3 {
		paths = append(paths, written(t, durable.OS{}, where, 3, audit.Config{CheckpointEvery: 4, HostKey: key, Now: clock}))
	}
	return paths
}

// lone is one log, and its lines.
func lone(t *testing.T, where string) (path string, all [][]byte) {
	path = written(t, durable.OS{}, where, 6, audit.Config{CheckpointEvery: 4})
	return path, lines(get(t, path))
}

// onLine changes lines of a lone log.
func onLine(change func(all [][]byte) [][]byte) func(*testing.T, string) {
	return func(t *testing.T, where string) {
		path, all := lone(t, where)
		put(t, path, joined(change(all)))
	}
}

func at(n int, change func(l []byte) []byte) func(all [][]byte) [][]byte {
	return func(all [][]byte) [][]byte {
		if n < 0 {
			n += len(all)
		}
		all[n] = change(slices.Clone(all[n]))
		return all
	}
}

func swap(from, to string) func([]byte) []byte {
	return func(l []byte) []byte { return bytes.Replace(l, []byte(from), []byte(to), 1) }
}

func checkpointsOf(all [][]byte) (at []int) {
	for i, l := range all {
		if h, _ := audit.ParseHead(l); h.Event == audit.KindCheckpoint {
			at = append(at, i)
		}
	}
	return at
}

var noteField = regexp.MustCompile(`"note":"[^"]*"`)

// speaks is a forged log, without an anchor, whose log.open is followed by
// the line given, chained to it.
func speaks(t *testing.T, where, event, data string) {
	elsewhere := t.TempDir()
	path := written(t, durable.OS{}, elsewhere, 1, audit.Config{})
	all := lines(get(t, path))
	said := regexp.MustCompile(`"event":"[^"]*"`).ReplaceAll(all[1], []byte(`"event":"`+event+`"`))
	said = regexp.MustCompile(`,"session":"[^"]*"`).ReplaceAll(said, nil)
	said = regexp.MustCompile(`,"target":.*`).ReplaceAll(said, nil)
	said = append(said, `,"data":`+data+`}`...)
	all[1] = said
	all[2] = bytes.Replace(all[2], []byte(`"intent":1`), []byte(`"intent":0`), 1)
	keys := newKeys(8)
	put(t, filepath.Join(where, filepath.Base(path)), forger{key: keys, announced: keys}.forge(t, all))
}

// link is a log's file as another log names it.
func link(t *testing.T, path string, lineCount int) string {
	all := lines(get(t, path))[:lineCount]
	part := joined(all)
	elsewhere := t.TempDir()
	rest := filepath.Join(elsewhere, filepath.Base(path))
	put(t, rest, part)
	rs, err := verify.Dirs(verify.Options{}, elsewhere)
	if err != nil {
		t.Fatal(err)
	}
	h, _ := audit.ParseHead(all[0])
	sum := seal.Line(all[len(all)-1])
	return fmt.Sprintf(`{"log":"%s","file":"%s","records":%d,"size":%d,"root":"%s","last":"%s"}`, h.Log,
		strings.TrimSuffix(filepath.Base(path), ".jsonl"), lineCount, len(part), rs[0].Root, audit.Hash(sum))
}

var attacks = []attack{
	{name: "a line of another session's log between the records", want: []verify.Verdict{verify.Edited}, do: func(t *testing.T, where string) {
		path, all := lone(t, where)
		_, other := lone(t, t.TempDir())
		put(t, path, joined(slices.Insert(all, 4, other[3])))
	}},
	{name: "the first half of one log and the second of another", want: []verify.Verdict{verify.Edited}, do: func(t *testing.T, where string) {
		path, all := lone(t, where)
		_, other := lone(t, t.TempDir())
		put(t, path, joined(append(all[:8], other[8:]...)))
	}},
	{name: "an older log's end behind the newest", want: []verify.Verdict{verify.OK, verify.OK, verify.Edited}, trust: true, do: func(t *testing.T, where string) {
		paths := chained(t, where)
		old := lines(get(t, paths[0]))
		put(t, paths[2], joined(append(lines(get(t, paths[2])), old[len(old)-4:]...)))
	}},
	{name: "its own end again", want: []verify.Verdict{verify.Duplicated}, do: onLine(func(all [][]byte) [][]byte {
		return append(all, all[len(all)-4:]...)
	})},
	{name: "an older log under the newest one's name", want: []verify.Verdict{verify.OK, verify.OK, verify.Duplicated}, trust: true, do: func(t *testing.T, where string) {
		paths := chained(t, where)
		put(t, paths[2], get(t, paths[0]))
	}},
	{name: "an older log under the name of one that others name", want: []verify.Verdict{verify.OK, verify.Forked, verify.OK}, trust: true, do: func(t *testing.T, where string) {
		paths := chained(t, where)
		put(t, paths[1], get(t, paths[0]))
	}},
	{name: "checkpoints change places", want: []verify.Verdict{verify.Reordered}, do: onLine(func(all [][]byte) [][]byte {
		c := checkpointsOf(all)
		all[c[0]], all[c[1]] = all[c[1]], all[c[0]]
		return all
	})},
	{name: "the notes of two checkpoints change places", want: []verify.Verdict{verify.Edited}, do: onLine(func(all [][]byte) [][]byte {
		c := checkpointsOf(all)
		a, b := noteField.Find(all[c[0]]), noteField.Find(all[c[1]])
		all[c[0]], all[c[1]] = noteField.ReplaceAll(all[c[0]], b), noteField.ReplaceAll(all[c[1]], a)
		return all
	})},
	{name: "the last checkpoint has an older one's note", want: []verify.Verdict{verify.WrongEpoch}, do: onLine(func(all [][]byte) [][]byte {
		c := checkpointsOf(all)
		all[len(all)-1] = noteField.ReplaceAll(all[len(all)-1], noteField.Find(all[c[0]]))
		return all
	})},
	{name: "another log's checkpoint at the end", want: []verify.Verdict{verify.Edited}, do: func(t *testing.T, where string) {
		path, all := lone(t, where)
		_, other := lone(t, t.TempDir())
		all[len(all)-1] = other[len(other)-1]
		put(t, path, joined(all))
	}},
	{name: "the current key signs an edit in an earlier epoch", want: []verify.Verdict{verify.WrongEpoch}, do: func(t *testing.T, where string) {
		path, all := lone(t, where)
		keys := newKeys(64)
		last := len(checkpointsOf(all)) - 1
		put(t, path, forger{key: func(int) ed25519.PrivateKey { return keys(last) }, announced: keys}.forge(t, edit(all)))
	}},
	{name: "with all keys but the host's, under trust", want: []verify.Verdict{verify.BadSignature, verify.OK, verify.OK}, trust: true, do: func(t *testing.T, where string) {
		paths := chained(t, where)
		keys := newKeys(64)
		put(t, paths[0], forger{key: keys, announced: keys}.forge(t, edit(lines(get(t, paths[0])))))
	}},
	{name: "the log in the middle is gone", want: []verify.Verdict{verify.OK, verify.OK, verify.MissingLog}, trust: true, do: func(t *testing.T, where string) {
		remove(t, chained(t, where)[1])
	}},
	{
		name: "the last log is gone", want: []verify.Verdict{verify.OK, verify.OK}, trust: true,
		harmless: "nothing that is left tells of it: a checkpoint or a receipt from outside does, TestTheLastLogIsMissed",
		do:       func(t *testing.T, where string) { remove(t, chained(t, where)[2]) },
	},
	{name: "no anchor is claimed any more", want: []verify.Verdict{verify.Edited, verify.OK, verify.OK}, trust: true, do: func(t *testing.T, where string) {
		path := chained(t, where)[0]
		put(t, path, joined(at(0, swap(`"anchor":"host"`, `"anchor":"none"`))(lines(get(t, path)))))
	}},
	{name: "another time at the beginning", want: []verify.Verdict{verify.Edited}, do: onLine(at(0, func(l []byte) []byte { l[15] ^= 1; return l }))},
	{name: "a thirteenth month in the last line", want: []verify.Verdict{verify.Edited}, do: onLine(at(-1, swap(`"ts":"2026-`, `"ts":"2026-13-01T00:00:00.000000000Z","was":"`)))},
	{name: "a key twice in a record", want: []verify.Verdict{verify.Edited}, do: onLine(at(2, swap(`"data":{`, `"data":{},"data":{`)))},
	{name: "a key twice in the last line", want: []verify.Verdict{verify.Edited}, do: onLine(at(-1, swap(`"data":{`, `"data":{},"data":{`)))},
	{name: "an escape that means the same", want: []verify.Verdict{verify.Edited}, do: onLine(at(1, swap(`run-0`, `\u0072un-0`)))},
	{name: "an escape that means the same, in the last note", want: []verify.Verdict{verify.Edited}, do: onLine(at(-1, swap(`\n\n`, `\u000a\n`)))},
	{name: "a blank at a line's end", want: []verify.Verdict{verify.Edited}, do: onLine(at(3, func(l []byte) []byte { return append(l, ' ') }))},
	{name: "a blank at the end of the last line", want: []verify.Verdict{verify.Edited}, do: onLine(at(-1, func(l []byte) []byte { return append(l, ' ') }))},
	{name: "a blank between tokens", want: []verify.Verdict{verify.Edited}, do: onLine(at(3, swap(`"data":{`, `"data": {`)))},
	{name: "CR LF", want: []verify.Verdict{verify.Edited}, do: func(t *testing.T, where string) {
		path, all := lone(t, where)
		put(t, path, bytes.ReplaceAll(joined(all), []byte("\n"), []byte("\r\n")))
	}},
	{name: "an empty line", want: []verify.Verdict{verify.Edited}, do: onLine(func(all [][]byte) [][]byte { return slices.Insert(all, 3, nil) })},
	{name: "a byte order mark", want: []verify.Verdict{verify.Edited}, do: onLine(at(0, func(l []byte) []byte { return append([]byte("\ufeff"), l...) }))},
	{name: "NULs in the middle", want: []verify.Verdict{verify.Edited}, do: onLine(at(5, func(l []byte) []byte { return append(make([]byte, 64), l...) }))},
	{name: "NULs at the end", want: []verify.Verdict{verify.TornTail}, do: func(t *testing.T, where string) {
		path, all := lone(t, where)
		put(t, path, append(joined(all), make([]byte, 4096)...))
	}},
	{name: "a line of 8 MiB", want: []verify.Verdict{verify.Edited}, do: onLine(func(all [][]byte) [][]byte {
		return slices.Insert(all, 3, bytes.Repeat([]byte{'x'}, 8<<20))
	})},
	{name: "8 MiB without an end", want: []verify.Verdict{verify.TornTail}, do: func(t *testing.T, where string) {
		path, all := lone(t, where)
		put(t, path, append(joined(all), bytes.Repeat([]byte{'x'}, 8<<20)...))
	}},
	{name: "nothing is left of it", want: []verify.Verdict{verify.Unclosed}, do: func(t *testing.T, where string) {
		path, _ := lone(t, where)
		put(t, path, nil)
	}},
	{name: "a symlink in a log's place", want: []verify.Verdict{verify.Unreadable}, do: func(t *testing.T, where string) {
		path, all := lone(t, where)
		moved := filepath.Join(t.TempDir(), "moved")
		put(t, moved, joined(all))
		if err := errors.Join(os.Remove(path), os.Symlink(moved, path)); err != nil {
			t.Fatal(err)
		}
	}},
	{name: "a folder in a log's place", want: []verify.Verdict{verify.Unreadable}, do: func(t *testing.T, where string) {
		path, _ := lone(t, where)
		if err := errors.Join(os.Remove(path), os.Mkdir(path, 0o700)); err != nil {
			t.Fatal(err)
		}
	}},
	{name: "a hard link beside it", want: []verify.Verdict{verify.Unanchored, verify.Duplicated}, do: func(t *testing.T, where string) {
		path, _ := lone(t, where)
		if err := os.Link(path, filepath.Join(where, "20200101T000000Z-00000000.jsonl")); err != nil {
			t.Fatal(err)
		}
	}},
	{
		name: "a hard link somewhere else", want: []verify.Verdict{verify.Unanchored}, harmless: "what is read is what was written; a change through it is an edit",
		do: func(t *testing.T, where string) {
			path, _ := lone(t, where)
			if err := os.Link(path, filepath.Join(t.TempDir(), "link")); err != nil {
				t.Fatal(err)
			}
		},
	},
	{name: "an older log was compressed", want: []verify.Verdict{verify.OK, verify.OK, verify.MissingLog}, trust: true, do: func(t *testing.T, where string) {
		path := chained(t, where)[0]
		f, err := os.Create(path + ".gz")
		if err != nil {
			t.Fatal(err)
		}
		z := gzip.NewWriter(f)
		z.Write(get(t, path))
		if err := errors.Join(z.Close(), f.Close(), os.Remove(path)); err != nil {
			t.Fatal(err)
		}
	}},
	{
		name: "the clock goes back between the records", want: []verify.Verdict{verify.Unanchored}, harmless: "the order is the chain's, not the clock's",
		do: func(t *testing.T, where string) {
			now := time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)
			written(t, durable.OS{}, where, 6, audit.Config{CheckpointEvery: 4, Now: func() time.Time { now = now.Add(-time.Minute); return now }})
		},
	},
	{
		name: "the clock goes back between two logs", want: []verify.Verdict{verify.OK, verify.OK}, trust: true, harmless: "each log names the others that ended, whatever their times",
		do: func(t *testing.T, where string) {
			for _, day := range []int{30, 2} {
				now := time.Date(2026, 11, day, 9, 0, 0, 0, time.UTC)
				written(t, durable.OS{}, where, 3, audit.Config{HostKey: testKey(t), Now: func() time.Time { now = now.Add(time.Second); return now }})
			}
		},
	},
	{name: "a forged log says that a cut one ended there", want: []verify.Verdict{verify.BadSignature, verify.OK, verify.Forked, verify.Unclosed}, trust: true, do: func(t *testing.T, where string) {
		paths := chained(t, where)
		said := link(t, paths[2], 5)
		put(t, paths[2], joined(lines(get(t, paths[2]))[:5]))
		speaks(t, where, "log.recovered", `{"found":`+said+`,"damage":"none","torn_bytes":0,"orphans":0}`)
		put(t, paths[1], get(t, paths[0]))
	}},
	{name: "a forged log says that a lost one was pruned", want: []verify.Verdict{verify.BadSignature, verify.OK, verify.OK, verify.MissingLog}, trust: true, do: func(t *testing.T, where string) {
		paths := chained(t, where)
		said := link(t, paths[1], 5)
		remove(t, paths[1])
		speaks(t, where, "log.pruned", `{"before":"2030-01-01T00:00:00Z","logs":[`+said+`]}`)
	}},
	{name: "a forged log says that the rest of one was not acknowledged", want: []verify.Verdict{verify.BadSignature, verify.OK, verify.OK, verify.Edited}, trust: true, do: func(t *testing.T, where string) {
		paths := chained(t, where)
		said := link(t, paths[2], 5)
		all := lines(get(t, paths[2]))
		put(t, paths[2], joined(append(all[:5:5], lines(bytes.ReplaceAll(joined(all[5:]), []byte("run-"), []byte("RUN-")))...)))
		speaks(t, where, "log.recovered", `{"found":`+said+`,"damage":"torn","torn_bytes":1000000,"own":true,"orphans":0}`)
	}},
}

func TestAttacks(t *testing.T) {
	bin := second(t)
	for _, a := range attacks {
		t.Run(a.name, func(t *testing.T) {
			where := t.TempDir()
			a.do(t, where)
			var o verify.Options
			args := []string{where}
			if a.trust {
				o.Trust = testKey(t).Public()
				args = []string{"-trust", strings.TrimSpace(string(get(t, "testdata/host.pub"))), where}
			}
			rs, err := verify.Dirs(o, where)
			if err != nil {
				t.Fatal(err)
			}
			var got []verify.Verdict
			good := true
			for _, r := range rs {
				got, good = append(got, r.Verdict), good && r.Good()
			}
			if !same(got, a.want) {
				t.Errorf("%q, want %q: %v", got, a.want, rs)
			}
			if good != (a.harmless != "") {
				t.Errorf("all good: %v, harmless: %q", good, a.harmless)
			}
			if theirs := bin.Verdicts(t, args...)[where]; !same(theirs, a.want) {
				t.Errorf("the second verifier: %q, want %q", theirs, a.want)
			}
		})
	}
}
