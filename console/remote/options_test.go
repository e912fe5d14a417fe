package remote

import (
	"errors"
	"strings"
	"testing"
)

func TestOptionsRefused(t *testing.T) {
	tests := []struct {
		o    Options
		want string // in the message or the hint
	}{
		{Options{Set: []string{"ProxyCommand=nc %h %p"}}, "-J, or ProxyJump"},
		{Options{Set: []string{"proxycommand nc"}}, "-J, or ProxyJump"},
		{Options{Set: []string{"LocalCommand=id"}}, "not taken"},
		{Options{Set: []string{"PermitLocalCommand=yes"}}, "not taken"},
		{Options{Set: []string{"KnownHostsCommand=/bin/true"}}, "not taken"},
		{Options{Set: []string{"PKCS11Provider=/x.so"}}, "not taken"},
		{Options{Set: []string{"ForwardAgent=yes"}}, "the policy's [channels] decides"},
		{Options{Set: []string{"LocalForward=1 h:2"}}, "the policy's [channels] decides"},
		{Options{Set: []string{"StrictHostKeyChecking=no"}}, "always checked"},
		{Options{Set: []string{"StrictHostKeyChecking=accept-new"}}, "always checked"},
		{Options{Set: []string{"StrictHostKeyChecking off"}}, "always checked"},
		{Options{Set: []string{"GlobalKnownHostsFile=/tmp/mine"}}, "not taken"},
		{Options{Set: []string{"Include=/etc/passwd"}}, "not taken"},
		{Options{Set: []string{"User"}}, "no value"},
		{Options{Set: []string{"User="}}, "no value"},
		{Options{Set: []string{"=x"}}, "no value"},
		{Options{Set: []string{""}}, "no value"},
		{Options{Set: []string{"User=a\nProxyCommand=id"}}, "no value"},
		{Options{Set: []string{"Port=ssh"}}, "not a number"},
		{Options{Identities: []string{"/nonexistent/key"}}, "-i"},
		{Options{User: "-oX"}, "hyphen"},
		{Options{User: "a\x1b"}, "-l"},
		{Options{Port: 70000}, "-p"},
	}
	for _, tt := range tests {
		_, err := resolve(t.Context(), Dest{Host: "host"}, tt.o)
		var e *Error
		if !errors.As(err, &e) || e.Class != ClassConfig {
			t.Errorf("%+v: got %v", tt.o, err)
			continue
		}
		if !strings.Contains(e.Error()+" "+e.Hint, tt.want) {
			t.Errorf("%+v: got %v (%s), want %q", tt.o, e, e.Hint, tt.want)
		}
	}
}

func TestOptionSpellings(t *testing.T) {
	for _, s := range []string{"HostName=h", "hostname=h", "HOSTNAME h", "HostName = h", "HostName\th"} {
		got, err := parseOption(s)
		if err != nil || got != (option{"HostName", "h"}) {
			t.Errorf("%q: got %+v, %v", s, got, err)
		}
	}
}
