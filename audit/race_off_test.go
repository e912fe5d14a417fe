//go:build !race

package audit_test

import (
	"testing"

	"sallyport/audit"
	"sallyport/redact"
)

const raceDetector = false

// An append allocates the same few objects whatever it holds.
func TestAnAppendAllocatesLittle(t *testing.T) {
	l, err := audit.Open(audit.Config{Dir: auditDir(t)})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close(t.Context())
	sc := l.In("s1", audit.Target{Host: redact.Literal("prod-web-03")})
	ev := benchIntent()
	long := ev
	for range 6 {
		long.Command = redact.Join(long.Command, long.Command)
	}
	perShort := testing.AllocsPerRun(50, func() { sc.Append(t.Context(), ev) })
	perLong := testing.AllocsPerRun(50, func() { sc.Append(t.Context(), long) })
	if perShort > 12 || perLong > perShort+1 {
		t.Errorf("%.0f objects for a record, %.0f for a long one", perShort, perLong)
	}
	t.Logf("%.0f objects for a record, %.0f for a long one", perShort, perLong)
}
