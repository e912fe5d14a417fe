package x11

import (
	"bytes"
	"net"
	"os"
	"path/filepath"
	"testing"
)

// entry is one of an authority file.
func entry(family uint16, host, number, cookie string) string {
	s := string([]byte{byte(family >> 8), byte(family)})
	for _, v := range []string{host, number, magicCookie, cookie} {
		s += string([]byte{byte(len(v) >> 8), byte(len(v))}) + v
	}
	return s
}

// The cookie of a display is that of its own host, and DISPLAY is read whole.
func TestADisplayHasTheCookieOfItsHost(t *testing.T) {
	me, _ := os.Hostname()
	file := filepath.Join(t.TempDir(), "authority")
	entries := entry(familyLocal, "elsewhere", "7", "of another") + entry(familyLocal, me, "8", "of eight") + entry(familyInternet, "\x0a\x00\x00\x09", "7", "of 10.0.0.9") +
		entry(familyLocal, me, "7", "of seven") + entry(familyInternet6, string(net.ParseIP("fd00::1")), "7", "of fd00::1") + entry(familyWild, "", "9", "of all")
	if err := os.WriteFile(file, []byte(entries), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ display, cookie, address string }{
		{":7", "of seven", "/tmp/.X11-unix/X7"},
		{"unix:8.1", "of eight", "/tmp/.X11-unix/X8"},
		{"127.0.0.1:7", "of seven", "127.0.0.1:6007"},
		{"10.0.0.9:7", "of 10.0.0.9", "10.0.0.9:6007"},
		{"10.0.0.8:7", "", "10.0.0.8:6007"},
		{"[fd00::1]:7.0", "of fd00::1", "[fd00::1]:6007"},
		{"10.0.0.8:9", "of all", "10.0.0.8:6009"},
	} {
		d, err := Open(t.Context(), tt.display, file)
		if err != nil || string(d.real) != tt.cookie || d.address != tt.address {
			t.Errorf("%s: %+v, %v", tt.display, d, err)
		}
	}
	for _, bad := range []string{"", "7", ":", ":x", ":7.-1", ":7.x", ":-7", "host:99999"} {
		if d, err := Open(t.Context(), bad, file); err == nil {
			t.Errorf("DISPLAY=%q is %+v", bad, d)
		}
	}
}

// Whatever a file holds, a cookie that is found stands in it behind the name of
// the protocol, and none is found that is another host's.
func FuzzCookieOf(f *testing.F) {
	f.Add([]byte(entry(familyLocal, "here", "7", "of seven") + entry(familyWild, "", "", "of all")))
	f.Add([]byte(entry(familyLocal, "elsewhere", "7", "of another")))
	f.Add([]byte("\x01\x00\xff\xff"))
	f.Fuzz(func(t *testing.T, file []byte) {
		got := cookieOf(file, []owner{{familyLocal, "here"}}, "7")
		if len(got) == 0 {
			return
		}
		field := append([]byte{byte(len(got) >> 8), byte(len(got))}, got...)
		if !bytes.Contains(file, append([]byte(magicCookie), field...)) {
			t.Errorf("%q is no cookie of %q", got, file)
		}
		if !bytes.Contains(file, []byte("\x01\x00\x00\x04here")) && !bytes.Contains(file, []byte("\xff\xff")) {
			t.Errorf("%q is of another host", got)
		}
	})
}
