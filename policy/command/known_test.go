package command_test

import (
	"io/fs"
	"regexp"
	"sort"
	"strings"
	"testing"

	"sallyport/policies"
	"sallyport/policy"
	"sallyport/policy/command"
)

var programList = regexp.MustCompile(`(?s)(?:program|\b[a-z0-9-]+) = \[(.*?)\]`)

// ruled are the names that some shipped rule, or one of its sets, names.
func ruled(t *testing.T) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	for _, file := range policies.Shipped {
		text, err := fs.ReadFile(policies.FS(), file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range programList.FindAllStringSubmatch(string(text), -1) {
			for _, n := range strings.FieldsFunc(m[1], func(r rune) bool { return strings.ContainsRune("\", |\n!", r) }) {
				names[n] = true
			}
		}
	}
	return names
}

// harmless only read, draw or say something, or start what their words name and that alone.
var harmless = "ansible-config ansible-doc ansible-inventory aspell chkrootkit dialog disown flock iconv iptables-save kafka-console-consumer " +
	"lynis mktemp nfsstat pandoc rabbitmq-diagnostics runlevel showmount tput ulimit umask uniq updatedb whiptail xmllint"

// A name that the console knows no longer asks for being unknown: a rule must say what it does.
func TestEveryKnownNameThatActsHasARule(t *testing.T) {
	set, _, err := policy.Load(policy.Config{Embedded: policies.FS(), Shipped: policies.Shipped, EmbeddedOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	named, missing := ruled(t), []string(nil)
	for _, name := range strings.Fields(harmless) {
		named[name] = true
	}
	for _, name := range command.Mutators() {
		if strings.Contains(name, " ") {
			continue // a subcommand
		}
		if d := set.Decide(policy.Request{Text: name + " x"}); d.Risk == policy.Low && !named[name] && !command.Reader(name) {
			missing = append(missing, name)
		}
	}
	sort.Strings(missing)
	if len(missing) > 0 {
		t.Errorf("known, but no rule names them: %s", strings.Join(missing, " "))
	}
}
