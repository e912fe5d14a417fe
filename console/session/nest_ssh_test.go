package session

import (
	"strings"
	"testing"
)

// An option of ssh that changes nothing of what runs leaves its shell framed;
// one that does is named before the login.
func TestWhichSSHIsAShellThatCanBeJudged(t *testing.T) {
	for _, tt := range []struct {
		line  string
		want  sshLine
		frame bool
	}{
		{"ssh web", sshLine{"web", "", true, ""}, true},
		{"ssh -p 22322 -o StrictHostKeyChecking=no ops@127.0.0.1", sshLine{"127.0.0.1", "ops", true, ""}, true},
		{"ssh -p22322 -oserveraliveinterval=5 -vA web", sshLine{"web", "", true, ""}, true},
		{"ssh web -l ops -o User=other", sshLine{"web", "ops", true, ""}, true},
		{"ssh -o User=ops root@web", sshLine{"web", "ops", true, ""}, true},
		{"ssh a@b@web", sshLine{"web", "a@b", true, ""}, true},
		{"ssh -qtt -i /k web", sshLine{"web", "", true, ""}, true},
		{"ssh -o ProxyCommand=x web", sshLine{"web", "", true, "-o ProxyCommand"}, false},
		{"ssh -o LocalCommand=x -o PermitLocalCommand=yes web", sshLine{"web", "", true, "-o LocalCommand"}, false},
		{"ssh -o ControlMaster=yes web", sshLine{"web", "", true, "-o ControlMaster"}, false},
		{"ssh -o HostName=other web", sshLine{"web", "", true, "-o HostName"}, false},
		{"ssh -o StrictHostKeyChecking web", sshLine{"web", "", true, "-o StrictHostKeyChecking"}, false},
		{"ssh -L 80:x:80 web", sshLine{"web", "", true, "-L"}, false},
		{"ssh -F f web", sshLine{"web", "", true, "-F"}, false},
		{"ssh -vE log web", sshLine{"web", "", true, "-E"}, false},
		{"ssh -e none web", sshLine{"web", "", true, "-e"}, false},
		{"ssh -N -L 80:x:80 web", sshLine{"web", "", false, "-N"}, false},
		{"ssh -fN web", sshLine{"web", "", false, "-f"}, false},
		{"ssh -W x:1 web", sshLine{"web", "", false, "-W"}, false},
		{"ssh -o RemoteCommand=id web", sshLine{"web", "", false, "-o RemoteCommand"}, false},
		{"ssh -F f web uptime", sshLine{"web", "", false, "-F"}, false},
		{"ssh web uptime", sshLine{"web", "", false, ""}, false},
		{"ssh -V", sshLine{"", "", false, "-V"}, false},
		{"ssh -p", sshLine{"", "", false, ""}, false},
		{"ssh", sshLine{"", "", false, ""}, false},
	} {
		w := strings.Fields(tt.line)
		if got := readSSH(w[1:]); got != tt.want {
			t.Errorf("%s: got %+v, want %+v", tt.line, got, tt.want)
		}
		n, ok := nestSSH(w)
		if ok != tt.frame || ok && !strings.HasPrefix(n.line, "ssh -tt -e none "+strings.Join(w[1:], " ")+" ") {
			t.Errorf("%s: framed %v, %+v", tt.line, ok, n)
		}
	}
}
