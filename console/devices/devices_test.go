package devices_test

import (
	"strings"
	"testing"

	"sallyport/console/devices"
	"sallyport/console/session"
)

func TestEntries(t *testing.T) {
	for _, tt := range []struct{ entry, wrong string }{
		{"sw-*=ios", ""},
		{"10.0.[0-9].1=generic", ""},
		{"SW1=junos", ""},
		{"sw-*=cisco", "is not pattern=kind with ios, eos, junos, vrp or generic"},
		{"=ios", "is not pattern=kind"},
		{"sw-1", "is not pattern=kind"},
		{"sw-[=ios", "syntax error in pattern"},
		{`sw-\=ios`, "syntax error in pattern"},
	} {
		err := devices.Check(tt.entry)
		if (err == nil) != (tt.wrong == "") || err != nil && !strings.Contains(err.Error(), tt.wrong) {
			t.Errorf("%s: got %v, want %q", tt.entry, err, tt.wrong)
		}
	}
}

func TestTheFirstThatFitsCounts(t *testing.T) {
	list := []string{"sw-core*=eos", "SW-*=ios", "10.0.0.1=junos"}
	for _, tt := range []struct{ asked, host, want string }{
		{"sw-core1", "", "eos"},
		{"Sw-Edge", "", "ios"},
		{"SW-CORE1", "", "eos"},
		{"router", "10.0.0.1", "junos"},
		{"web1", "10.0.0.2", ""},
	} {
		if got := devices.Kind(list, tt.asked, tt.host); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.asked, got, tt.want)
		}
	}
}

func TestEveryKindHasItsProfile(t *testing.T) {
	for _, k := range devices.Kinds {
		if !session.IsDevice(k) {
			t.Errorf("no profile for %s", k)
		}
	}
}
