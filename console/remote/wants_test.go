package remote

import (
	"reflect"
	"strings"
	"testing"
)

func TestWhatTheConfigurationAsksForBesideAShell(t *testing.T) {
	t.Setenv("SALLYPORT_TEST_ONE", "1")
	w := words{
		"sendenv": {"NONE_SUCH_*", "SALLYPORT_TEST_* NONE"}, "setenv": {"A=b", "C=d=e"}, "forwardagent": {"yes"}, "forwardx11": {"no"},
		"localforward": {"8080 [db]:5432", "[::1]:8081 [fd00::1]:80", "*:8082 x:80", "/run/sock y:1"}, "dynamicforward": {"1080"},
		"remoteforward": {"none", "127.0.0.1:9000 localhost:80", "9001 [socks]:0", "9002"},
	}
	got := w.wants()
	want := []Want{
		{Kind: "agent_forward"},
		{Kind: "env", Detail: "A=b"},
		{Kind: "env", Detail: "C=d=e"},
		{Kind: "env", Detail: "SALLYPORT_TEST_ONE=1"},
		{Kind: "local_forward", Detail: "db:5432", Listen: "localhost:8080"},
		{Kind: "local_forward", Detail: "[fd00::1]:80", Listen: "[::1]:8081"},
		{Kind: "local_forward", Detail: "x:80", Listen: "*:8082", Err: errForwardWide},
		{Kind: "local_forward", Detail: "/run/sock y:1", Err: errForwardForm},
		{Kind: "local_forward", Listen: "localhost:1080"},
		{Kind: "remote_forward", Detail: "localhost:80", Listen: "127.0.0.1:9000"},
		{Kind: "remote_forward", Detail: "9001 [socks]:0", Listen: "localhost:9001", Err: errForwardForm},
		{Kind: "remote_forward", Detail: "9002", Err: errForwardForm},
	}
	for i := range want {
		if i >= len(got) || !reflect.DeepEqual(got[i], want[i]) {
			t.Errorf("number %d: got %+v, want %+v", i, got, want[i])
			break
		}
	}
	w["clearallforwardings"] = []string{"yes"}
	if got := w.wants(); len(got) != 4 {
		t.Errorf("cleared: got %+v", got)
	}
	for trusted, want := range map[string]error{"yes": nil, "no": errUntrusted, "": errUntrusted} {
		got := (words{"forwardagent": {"no"}, "forwardx11": {"yes"}, "forwardx11trusted": {trusted}}).wants()
		if len(got) != 1 || got[0].Kind != "x11" || got[0].Err != want {
			t.Errorf("trusted %q: got %+v", trusted, got)
		}
	}
}

// A pattern that begins with - takes back what came before it.
func TestSendEnvTakesBack(t *testing.T) {
	have := []string{"LANG=C", "LC_ALL=C", "LC_TIME=C", "TERM=x"}
	for _, tt := range []struct {
		send []string
		want string
	}{
		{[]string{"LANG", "LC_*"}, "LANG=C LC_ALL=C LC_TIME=C"},
		{[]string{"LANG LC_*", "-LC_*"}, "LANG=C"},
		{[]string{"LANG", "LC_*", "-*"}, ""},
		{[]string{"-LC_*", "LC_*"}, "LC_ALL=C LC_TIME=C"},
		{[]string{"LC_ALL LC_TIME -LC_T* TERM"}, "LC_ALL=C TERM=x"},
		{[]string{"-[", "LANG"}, "LANG=C"},
	} {
		if got := strings.Join(environment(tt.send, nil, have), " "); got != tt.want {
			t.Errorf("%q: got %q, want %q", tt.send, got, tt.want)
		}
	}
}
