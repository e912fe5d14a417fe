package screen_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"sallyport/console/screen"
)

// seeds are streams that begin most paths.
var seeds = []string{
	"hello\r\nworld\x1b[31mred\x1b[0m\x1b[2J\x1b[5;5Hx\x1b[K",
	"\x1b[?1049h\x1b[2;5r\x1b[5Sabc\x1b[2L\x1b[M\x1b[?1049l\x1b7\x1b8",
	"\x1b]0;title\x07\x1b]8;;http://example.org/\x1b\\link\x1b]8;;\x1b\\\x1b]7770;m;R;x\x07after",
	"wide 日本語日本語日本語\x1b[3D\x1b[P\x1b[@e\u0301\u0301👩‍👩‍👧🇩🇪❤\ufe0f\u200d",
	"\x1b(0lqqqk\x1b(B\x1b[4h123\x1b[4l\x1b[?69h\x1b[3;8s\x1b[2;3r\x1b[?6h\x1b[S\x1b[T\x1b['}",
	"\x1bP1$r0m\x1b\\\x1b_G\x1b\\\x1b^x\x1b\\\xe2\x82\xff\xc2\x9b31m\x1b[99999b\x1b[?2026h\x1b[6n\x1b[c\x1b[?25$p",
	"\x1b[38:2::1:2:3;48;5;9;4:3;58;2;1;2;3mX\x1b[;;;m\x1b[1:2:3:4:5m\t\x1bH\x1b[3g\x1b[?45h\b\b\b\x1b#8",
}

// FuzzSplits writes the same bytes at once, byte by byte, and in two pieces: no panic, nothing forbidden in a cell, and the same screen.
func FuzzSplits(f *testing.F) {
	for i, s := range seeds {
		f.Add([]byte(s), uint8(20), uint8(6), uint16(5*i))
	}
	for i, p := range suites() {
		f.Add(p, uint8(39), uint8(11), uint16(i))
	}
	f.Fuzz(func(t *testing.T, p []byte, cols, rows uint8, at uint16) {
		p = p[:min(len(p), 512)]
		size := func() *screen.Screen { return newScreen(int(cols%40)+1, int(rows%12)+1) }
		whole, bytewise, pieces := size(), size(), size()
		whole.Write(p)
		check(t, whole)
		want := dump(whole)
		for i := range p {
			bytewise.Write(p[i : i+1])
		}
		if got := dump(bytewise); got != want {
			t.Fatalf("byte by byte:\n%s\nat once:\n%s", got, want)
		}
		cut := int(at) % (len(p) + 1)
		pieces.Write(p[:cut])
		pieces.Write(p[cut:])
		if got := dump(pieces); got != want {
			t.Fatalf("split at %d:\n%s\nat once:\n%s", cut, got, want)
		}
	})
}

// TestEverySplit writes streams in two pieces at every place.
func TestEverySplit(t *testing.T) {
	streams := suites()
	for _, s := range seeds {
		streams = append(streams, []byte(s))
	}
	for _, p := range streams {
		whole := newScreen(40, 12)
		whole.Write(p)
		want := dump(whole)
		for cut := range p {
			s := newScreen(40, 12)
			s.Write(p[:cut])
			s.Write(p[cut:])
			if got := dump(s); got != want {
				t.Fatalf("%q split at %d:\n%s\nat once:\n%s", p, cut, got, want)
			}
		}
	}
}

// suites returns pieces of the other suites' recordings, where they are.
func suites() [][]byte {
	var out [][]byte
	files, _ := filepath.Glob(filepath.Join("..", "..", "..", "shared", "corpus", "terminal", "*", "*.in"))
	for _, name := range files {
		if p, err := os.ReadFile(name); err == nil {
			out = append(out, p[len(p)/2:min(len(p), len(p)/2+64)])
		}
	}
	return out
}

// FuzzResize resizes between writes: no panic, nothing forbidden, and the text of the main screen is not lost.
func FuzzResize(f *testing.F) {
	for _, s := range seeds {
		f.Add([]byte(s), []byte{1, 5, 80, 24, 3, 1, 200, 60})
	}
	f.Fuzz(func(t *testing.T, p, sizes []byte) {
		p, sizes = p[:min(len(p), 512)], sizes[:min(len(sizes), 16)]
		s := newScreen(30, 8)
		for i := 0; i+1 < len(sizes); i += 2 {
			n := len(p) * (i + 2) / (len(sizes) + 1)
			s.Write(p[:n])
			p = p[n:]
			s.Resize(int(sizes[i])%100, int(sizes[i+1])%40)
			check(t, s)
			use(s)
		}
		s.Write(p)
		check(t, s)
		use(s)
	})
}

// use reads a screen in every way.
func use(s *screen.Screen) {
	first, end := s.Lines()
	s.Logical(first, end)
	s.Tail(100)
	s.Partial()
	s.Search("e", screen.Point{Line: first}, false)
	s.Search("日", screen.Point{Line: end}, true)
	s.Matches("x", first, end)
	for _, n := range []int{first - 1, first, (first + end) / 2, end - 1, end} {
		for _, col := range []int{-1, 0, 3, 500} {
			p := screen.Point{Line: n, Col: col}
			s.SelectedText(s.Word(p))
			s.SelectedText(s.LogicalLine(p))
			s.SelectedText(screen.Select(p, screen.Point{Line: first, Col: 2}, col == 3))
		}
	}
}

// FuzzSplitter: the bytes that are passed on make the same screen as the whole stream, without the marks; however the stream is cut the
// marks are the same.
func FuzzSplitter(f *testing.F) {
	for _, s := range seeds {
		f.Add([]byte(s + "\x1b]7770;a;b\x07" + s))
		f.Add([]byte("\x1b[3\x1b]7770;a\x1b\\1m\xe2\x82\x1b]7770;b\x07\xac" + s))
	}
	f.Fuzz(func(t *testing.T, p []byte) {
		p = append(p[:min(len(p), 512):min(len(p), 512)], 0x18) // so that nothing is held back at the end
		plain, marked, bytewise := newScreen(20, 5), newScreen(20, 5), newScreen(20, 5)
		plain.Write(p)
		want := dump(plain)
		marks := split(screen.NewSplitter("7770;"), marked, p, len(p))
		if got := dump(marked); got != want {
			t.Fatalf("with marks:\n%s\nwithout:\n%s", want, got)
		}
		if got := split(screen.NewSplitter("7770;"), bytewise, p, 1); !bytes.Equal(got, marks) {
			t.Fatalf("marks byte by byte %q, at once %q", got, marks)
		}
		if got := dump(bytewise); got != want {
			t.Fatalf("byte by byte:\n%s\nat once:\n%s", got, want)
		}
	})
}

// split sends a stream through a splitter in pieces of size n and returns the marks, each with a newline.
func split(sp *screen.Splitter, to *screen.Screen, p []byte, n int) []byte {
	var marks []byte
	for len(p) > 0 {
		k := min(max(n, 1), len(p))
		for c := range sp.Split(p[:k]) {
			to.Write(c.Bytes)
			if c.Mark != nil {
				marks = append(append(marks, c.Mark...), '\n')
			}
		}
		p = p[k:]
	}
	return marks
}
