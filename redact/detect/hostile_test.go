package detect

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// A detector is called by a word. Whatever the word, repeated with anything between, in
// a line that begins in any way, the time grows no faster than the text.

// betweens are what stands around each word; heads what the line begins with, such as
// changes how a detector reads the rest of it.
var (
	betweens = []string{
		"%s", "%s ", "%s=", "%s: ", "%s:", "%s\"", "'%s", "\"%s\":\"", "%s (", "-%s ", "--%s=", " %s a1b2c3d4 ", "%s is ", "%s|", " | %s ", "<%s>", "$(%s ", "[%s", "{\"%s\": ",
		"%s,", "%s/", "%s@", "&%s=", ";%s ", "%s\\n", "\\\"%s", "%s\t", "a1B2%s", "%s%%", "%s a:b ", "%s\n", "%s:\n", "%s=\n ", " %s -p ", "%s <", "%s x=", "%s `", "%s;",
	}
	heads = []string{"", "enter ", "$ ", "user -u x ", "SELECT expect assword ", "\"", "R1(config)# set snmp ", "login: ", "'", "INSERT ("}
)

const (
	hostileText = 64 << 10
	hostilePart = 8 << 10
	quickPart   = 2 * time.Millisecond // a part that takes less is in no danger
)

func TestEveryWordRepeatedIsLinear(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	n, every := 0, byDay
	if os.Getenv("SALLYPORT_NIGHTLY") != "" && !raced {
		every = byNight
	}
	for _, tr := range shared().triggers {
		for _, between := range betweens {
			for _, head := range heads {
				if n++; n%every != 0 {
					continue
				}
				isLinear(t, head, fmt.Sprintf(between, tr.word))
			}
		}
	}
}

// Of half a million texts every so many is tried; under the race detector, as many as by
// day.
const byDay, byNight = 307, 19

// isLinear compares a text with the part of it that is an eighth.
func isLinear(t *testing.T, head, unit string) {
	t.Helper()
	part := head + strings.Repeat(unit, (hostilePart-len(head))/len(unit))
	few := scanTime(part)
	if few < quickPart {
		return
	}
	if few = min(few, scanTime(part)); few < quickPart {
		return
	}
	text := head + strings.Repeat(unit, (hostileText-len(head))/len(unit))
	all := scanTime(text)
	const times = hostileText / hostilePart
	for n := 0; n < 8 && all > 3*times*few; n++ {
		few, all = min(few, scanTime(part)), min(all, scanTime(text))
	}
	if all > 3*times*few {
		t.Errorf("%q and %q repeated: %v for 64 KiB, %v for an eighth", head, unit, all, few)
	}
}

// scanTime is the thread's time for one scan.
func scanTime(text string) time.Duration {
	start := threadTime()
	Scan(text)
	return threadTime() - start
}

func threadTime() time.Duration {
	var ts unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &ts); err != nil {
		panic(err)
	}
	return time.Duration(ts.Nano())
}
