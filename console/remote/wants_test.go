package remote

import (
	"reflect"
	"testing"
)

func TestWhatTheConfigurationAsksForBesideAShell(t *testing.T) {
	t.Setenv("SALLYPORT_TEST_ONE", "1")
	w := words{
		"sendenv": {"NONE_SUCH_*", "SALLYPORT_TEST_* NONE"}, "setenv": {"A=b", "C=d=e"}, "forwardagent": {"yes"}, "forwardx11": {"no"},
		"localforward": {"8080 [db]:5432"}, "dynamicforward": {"1080"}, "remoteforward": {"none"},
	}
	got := w.wants()
	want := []Want{
		{"agent_forward", ""}, {"env", "A=b"}, {"env", "C=d=e"}, {"env", "SALLYPORT_TEST_ONE=1"},
	}
	if len(got) != 6 || !reflect.DeepEqual(got[:4], want) || got[4].Kind != "local_forward" || got[5].Kind != "local_forward" {
		t.Errorf("got %q", got)
	}
	if got := (words{"forwardagent": {"no"}, "forwardx11": {"yes"}}).wants(); len(got) != 1 || got[0].Kind != "x11" {
		t.Errorf("got %q", got)
	}
}
