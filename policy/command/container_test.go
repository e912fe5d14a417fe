package command

import "testing"

func TestTheInnermostMountNamesTheHostsFolder(t *testing.T) {
	const line = "docker run -v /srv:/m -v /etc:/m/a -v /var:/m/a/b -v /tmp:/m/a/b/c alpine rm -rf /m/a/x"
	for range 40 {
		var got string
		for _, f := range Parse(line, Bash, State{}, DefaultLimits).Facts {
			if f.Program == "rm" {
				got = f.Args[len(f.Args)-1].Text
			}
		}
		if got != "/etc/x" {
			t.Fatalf("%q, want the host's /etc/x", got)
		}
	}
}
