package remote_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"sallyport/console/remote"
	"sallyport/console/remote/sshdtest"
)

// block is a Host block for s under name.
func block(name string, s *sshdtest.Server, more ...string) string {
	return fmt.Sprintf("Host %s\n HostName 127.0.0.1\n Port %d\n User %s\n IdentityFile %s\n IdentitiesOnly yes\n IdentityAgent none\n UserKnownHostsFile %s\n %s\n",
		name, s.Port, s.User, s.Identity, s.KnownHosts, strings.Join(more, "\n "))
}

func TestJumpChain(t *testing.T) {
	t.Parallel()
	var hosts []*sshdtest.Server
	for range 3 {
		hosts = append(hosts, sshdtest.Start(t, sshdtest.Options{}))
	}
	names := block("gate", hosts[0]) + block("inner", hosts[1]) + block("target", hosts[2])
	tests := []struct {
		name, config, jump string
		via                []string
	}{
		{"none", names, "", nil},
		{"-J", names, "gate", []string{"gate"}},
		{"-J with two", names, "gate,inner", []string{"gate", "inner"}},
		{"configured", block("target", hosts[2], "ProxyJump gate,inner") + names, "", []string{"gate", "inner"}},
		{"a jump host with a jump host", block("target", hosts[2], "ProxyJump inner") + block("inner", hosts[1], "ProxyJump gate") + names, "", []string{"gate", "inner"}},
		{"-J over the configuration", block("target", hosts[2], "ProxyJump inner") + names, "gate", []string{"gate"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := connect(t, remote.Config{Dest: "target", Options: remote.Options{ConfigFile: file(t, "config", tt.config), Jump: tt.jump}})
			var via []string
			for _, v := range c.Via() {
				via = append(via, v.Asked)
			}
			if fmt.Sprint(via) != fmt.Sprint(tt.via) {
				t.Errorf("via %v, want %v", via, tt.via)
			}
			if got := runOn(t, c, `echo "$SSH_CONNECTION" | cut -d" " -f4`); strings.TrimSpace(got) == "" {
				t.Errorf("got %q", got)
			}
			if (c.Target().Address == "") != (len(tt.via) > 0) {
				t.Errorf("address %q: behind a jump host it is not known", c.Target().Address)
			}
			if c.Target().Asked != "target" || c.Target().Port != hosts[2].Port || c.Target().HostName != "127.0.0.1" {
				t.Errorf("got %+v", c.Target())
			}
		})
	}
}

func TestJumpFailures(t *testing.T) {
	t.Parallel()
	gate := sshdtest.Start(t, sshdtest.Options{})
	shut := sshdtest.Start(t, sshdtest.Options{Config: []string{"AllowTcpForwarding no"}})
	target := sshdtest.Start(t, sshdtest.Options{})
	closed := listen(t)
	closed.Close()
	unknown := strings.Replace(block("gate", gate), gate.KnownHosts, "/nonexistent/known_hosts", 1)
	dial := func(config, jump string) remote.Config {
		return remote.Config{Dest: "target", Options: remote.Options{ConfigFile: file(t, "config", config), Jump: jump}, Timeout: time.Minute}
	}
	t.Run("the jump host's key is checked", func(t *testing.T) {
		e := refused(t, dial(unknown+block("target", target), "gate"), remote.StepHostKey, remote.ClassHostKey)
		if !strings.HasPrefix(e.Host, "gate") {
			t.Errorf("blames %q", e.Host)
		}
	})
	t.Run("the target's key is checked", func(t *testing.T) {
		e := refused(t, dial(block("gate", gate)+strings.Replace(block("target", target), target.KnownHosts, "/nonexistent/known_hosts", 1), "gate"),
			remote.StepHostKey, remote.ClassHostKey)
		if !strings.HasPrefix(e.Host, "target") {
			t.Errorf("blames %q", e.Host)
		}
	})
	t.Run("it does not forward", func(t *testing.T) {
		refused(t, dial(block("gate", shut)+block("target", target), "gate"), remote.StepConnect, remote.ClassConnect, "through gate", "AllowTcpForwarding")
	})
	t.Run("nobody listens behind it", func(t *testing.T) {
		config := block("gate", gate) + fmt.Sprintf("Host target\n HostName 127.0.0.1\n Port %s\n", strings.TrimPrefix(closed.Addr().String(), "127.0.0.1:"))
		refused(t, dial(config, "gate"), remote.StepConnect, remote.ClassConnect, "through gate", "check that the jump host can reach target")
	})
	t.Run("a loop", func(t *testing.T) {
		refused(t, dial(block("target", target, "ProxyJump gate")+block("gate", gate, "ProxyJump target"), ""), remote.StepConfig, remote.ClassConfig, "jump through itself")
	})
	t.Run("a name that is an option", func(t *testing.T) {
		refused(t, dial(block("target", target), "-oProxyCommand=id"), remote.StepConfig, remote.ClassConfig)
	})
	t.Run("ssh's own proxy command", func(t *testing.T) {
		refused(t, dial(block("target", target, "ProxyCommand nc %h %p"), ""), remote.StepConfig, remote.ClassConfig, "ProxyJump")
	})
}

func TestLostJumpHostEndsTheConnection(t *testing.T) {
	t.Parallel()
	gate := sshdtest.Start(t, sshdtest.Options{})
	target := sshdtest.Start(t, sshdtest.Options{})
	c := connect(t, remote.Config{Dest: "target", Options: remote.Options{ConfigFile: file(t, "config", block("gate", gate)+block("target", target)), Jump: "gate"}})
	gate.Proxy.Cut()
	select {
	case <-c.Done():
	case <-time.After(time.Minute):
		t.Fatal("not noticed")
	}
}
