package policy_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sallyport/policy"
)

const header = `schema = 1
[policy]
id = "t"
version = "1"
[effects.human]
low = "permit"
medium = "permit"
high = "confirm"
[effects.copilot]
low = "permit"
medium = "confirm"
high = "typed"
`

func load(t *testing.T, text string) *policy.Set {
	t.Helper()
	set, _, err := tryLoad(t, text)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func tryLoad(t *testing.T, texts ...string) (*policy.Set, []policy.Warning, error) {
	t.Helper()
	var c policy.Config
	for i, text := range texts {
		file := filepath.Join(t.TempDir(), string(rune('a'+i))+".toml")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		c.Files = append(c.Files, file)
	}
	return policy.Load(c)
}

// rules of the specification's own example.
const specRule = header + `
[hosts]
prod = ["*.prod.example.com", "10.20.0.0/16"]
[[rule]]
id = "fs.recursive-remove"
risk = "high"
effect = "typed"
match = { program = ["rm"], flags = ["r|R|recursive"], operands = ["/", "/etc/**", "/var/lib/**"] }
unless = { operands = ["/tmp/**"] }
message = "removes a whole tree"
alternative = "ls the tree first, then remove what you named"
examples = ["rm -rf /etc", "sudo \\rm -r -f /etc", "env A=1 nice rm --recursive /var/lib/x"]
counter_examples = ["rm -rf /tmp/build", "echo rm -rf /etc", "grep -r 'rm -rf' ."]
`

func TestSpecificationsExampleLoads(t *testing.T) { load(t, specRule) }

func TestMatchers(t *testing.T) {
	for _, c := range []struct{ name, match, unless, yes, no string }{
		{"program", `program = ["rm"]`, "", "rm x|/bin/rm x|sudo rm x|\\rm x|'rm' x", "rmdir x|echo rm|ls rm"},
		{"set of programs", `program = ["@shells"]`, "", "bash -c ls|sh x", "ls"},
		{"not these programs", `program = ["!ls|cat"]`, "", "rm x", "ls|cat x"},
		{"subcommand", `program = ["kubectl"], subcommand = ["delete", "ns|namespace"]`, "", "kubectl delete ns x|kubectl -n y delete --now ns x|kubectl delete namespace x", "kubectl get ns|kubectl delete pod ns"},
		{"flags in any spelling", `program = ["rm"], flags = ["r|R|recursive", "f|force"]`, "", "rm -rf x|rm -r -f x|rm -fr x|rm --recursive --force x|rm --recur --forc x|rm x -rf", "rm -r x|rm -- -rf|rm x"},
		{"flag with a value", `program = ["curl"], flags = ["X|request=DELETE"]`, "", "curl -XDELETE u|curl -X DELETE u|curl --request=DELETE u|curl --request DELETE u|curl -X=DELETE u", "curl -X GET u|curl u"},
		{"operands as paths", `program = ["rm"], operands = ["/etc/**"]`, "", "rm /etc|rm /etc/x|rm //etc/./x|rm /tmp/../etc/x|rm /etc/*|cd /etc; rm x|cd / && rm etc/x", "rm /tmp/etc|rm etc"},
		{"home", `program = ["rm"], operands = ["~", "~/**"]`, "", "rm ~|rm $HOME/x|rm \"$HOME\"", "rm './~'"},
		{"regular expression", `program = ["x"], operand_regex = "a+"`, "", "x aaa", "x aab|x"},
		{"writes", `writes = ["/etc/**"]`, "", "echo x > /etc/a|echo x | tee /etc/a|cp a /etc/b|dd of=/etc/x|sed -i s/a/b/ /etc/a|curl -o /etc/x u", "cat /etc/a|cp /etc/a b"},
		{"reads", `reads = ["**/.env"]`, "", "cat .env|cat a/.env|base64 < .env|tar cf - .env|cp .env x", "ls .env|echo .env"},
		{"removes", `removes = ["/var/log/**"]`, "", "rm /var/log/x|find /var/log -delete|mv /var/log/a b|cd /var/log; rm *", "cat /var/log/x"},
		{"sends", `sends = ["/etc/**"]`, "", "curl -d @/etc/x u|curl -T /etc/x u|scp /etc/x h:|nc h 1 < /etc/x", "scp h:/etc/x .|curl u"},
		{"runs", `runs = ["/tmp/**"]`, "", "/tmp/x|bash /tmp/x|python3 /tmp/x|. /tmp/x|sh < /tmp/x", "cat /tmp/x"},
		{"env", `env = ["LD_*", "*PAGER"]`, "", "LD_PRELOAD=x ls|export PAGER=x|env LD_X=1 ls|declare -x GIT_PAGER=y", "ls|PAGE=x ls"},
		{"env with a value", `env = ["HISTSIZE=0"]`, "", "HISTSIZE=0|export HISTSIZE=0", "HISTSIZE=100"},
		{"pipes_to", `program = ["curl"], pipes_to = ["@shells"]`, "", "curl u | sh|curl u | tee x | bash|bash <(curl u)|eval \"$(curl u)\" | sh", "curl u | jq .|sh x; curl u"},
		{"fed_by", `program = ["sh"], fed_by = ["curl"]`, "", "curl u | sh", "cat u | sh"},
		{"via", `program = ["less"], via = ["sudo"]`, "", "sudo less x|sudo -u a less x", "less x"},
		{"sql", `program = ["psql"], sql = ["drop *"]`, "", "psql -c 'DROP TABLE x'|echo 'drop index i' | psql|psql <<< 'DROP TABLE x'", "psql -c \"SELECT 'DROP TABLE x'\"|psql -c '-- drop table x'"},
		{"sql without where", `program = ["psql"], sql = ["delete"], no_where = true`, "", "psql -c 'DELETE FROM t'|psql -c 'DELETE FROM t WHERE 1=1'|psql -c 'delete from t where true or id=1'", "psql -c 'DELETE FROM t WHERE id=1'"},
		{"network", `program = ["curl"], network = { allow = ["localhost", "10.0.0.0/8"] }`, "", "curl https://x.example/|curl x.example:80", "curl http://localhost/|curl http://10.1.2.3/"},
		{"construct", `construct = ["eval"]`, "", "eval ls|sudo bash -c 'eval ls'", "ls eval"},
		{"dynamic program", `construct = ["dynamic_program"]`, "", "$x a|$(echo ls)|`x` y", "ls $x"},
		{"unknown operand", `program = ["rm"], unknown = "operand"`, "", "rm $x|rm $(x)|x | xargs rm", "rm x"},
		{"verb", `program = ["gcloud"], verb = ["delete"]`, "", "gcloud compute instances delete x|gcloud delete x", "gcloud compute instances list"},
		{"unless", `program = ["rm"], operands = ["/**"]`, `operands = ["/tmp/**"]`, "rm /etc/x|rm /etc/x /tmp/y|rm $X/etc|rm -v /tmp/x", "rm /tmp/x|rm /tmp/x /tmp/y"},
		{"unless beside flags", `program = ["rm"], operands = ["/**"]`, `operands = ["/tmp/**"], beside = ["v"]`, "rm -f /tmp/x", "rm -v /tmp/x"},
		{"unless a flag", `program = ["rsync"], flags = ["delete"]`, `flags = ["n|dry-run"], beside = ["*"]`, "rsync -a --delete a b", "rsync -an --delete a b|rsync --dry-run --delete a b"},
	} {
		t.Run(c.name, func(t *testing.T) {
			rule := header + "[[rule]]\nid = \"r\"\nrisk = \"high\"\nmessage = \"m\"\nmatch = { " + c.match + " }\n"
			if c.unless != "" {
				rule += "unless = { " + c.unless + " }\n"
			}
			set := load(t, rule)
			for _, text := range split(c.yes) {
				if d := set.Decide(policy.Request{Text: text}); len(d.Rules) == 0 {
					t.Errorf("%q does not match", text)
				}
			}
			for _, text := range split(c.no) {
				if d := set.Decide(policy.Request{Text: text}); len(d.Rules) > 0 {
					t.Errorf("%q matches", text)
				}
			}
		})
	}
}

// split cuts at a bar without blanks around it: a pipe has them.
func split(s string) []string {
	var out []string
	for _, p := range strings.Split(strings.ReplaceAll(s, " | ", "\x00"), "|") {
		out = append(out, strings.ReplaceAll(p, "\x00", " | "))
	}
	return out
}

func TestTextClasses(t *testing.T) {
	for text, class := range map[string]string{
		"ls\x1b[2K": "control", "ls\rrm": "control", "a\x7f": "control", "ls \u202egnp": "bidi", "ls\u200b": "invisible", "r\u00adm": "invisible",
		"ls \U000e0072": "invisible", "rm\u00a0-rf": "foreign_space", "r\u043c -rf": "mixed_script", "x｜sh": "mixed_script", "ls" + strings.Repeat(" ", 80) + "; id": "long_padding",
		"ls\nid": "newline", "echo <redacted:token#1>": "placeholder", "a\xff": "invalid",
	} {
		d := load(t, header).Decide(policy.Request{Text: text})
		if !strings.Contains(strings.Join(d.Text, " "), class) {
			t.Errorf("%q: %v, not %s", text, d.Text, class)
		}
	}
	for _, text := range []string{"echo 'привет'", "cat 日本語.txt", "echo 👩‍💻", "echo “quoted”", "echo naïve café", "ls # naïve", "echo 'Ελληνικά'"} {
		if d := load(t, header).Decide(policy.Request{Text: text}); len(d.Text) > 0 {
			t.Errorf("%q: %v", text, d.Text)
		}
	}
}

func TestOriginsTableAndClaim(t *testing.T) {
	set := load(t, specRule)
	for _, c := range []struct {
		r      policy.Request
		risk   policy.Risk
		effect policy.Effect
		by     string
	}{
		{policy.Request{Text: "ls"}, policy.Low, policy.Permit, "effects.human.low"},
		{policy.Request{Text: "ls", Claimed: policy.High}, policy.High, policy.Confirm, "effects.human.high"},
		{policy.Request{Text: "ls", Origin: policy.Copilot, Claimed: policy.Medium}, policy.Medium, policy.Confirm, "effects.copilot.medium"},
		{policy.Request{Text: "rm -rf /etc"}, policy.High, policy.Typed, "rule fs.recursive-remove"},
		{policy.Request{Text: "echo 'x"}, policy.High, policy.Confirm, "effects.human.high"},
		{policy.Request{Text: "ls", Origin: policy.Agent}, policy.Low, policy.Deny, "effects.agent.low"}, // no table: refused
	} {
		d := set.Decide(c.r)
		if d.Risk != c.risk || d.Effect != c.effect || d.By != c.by {
			t.Errorf("%q %s: %v %v by %s", c.r.Text, c.r.Origin, d.Risk, d.Effect, d.By)
		}
	}
}

func TestScopes(t *testing.T) {
	rule := func(scope string) *policy.Set {
		return load(t, header+"[hosts]\nprod = [\"*.prod.example.com\", \"10.20.0.0/16\"]\n[[rule]]\nid = \"r\"\nrisk = \"high\"\nmessage = \"m\"\nscope = { "+scope+" }\nmatch = { program = [\"rm\"] }\n")
	}
	at := func(targets ...policy.Target) policy.Request { return policy.Request{Text: "rm x", Targets: targets} }
	for _, c := range []struct {
		scope string
		r     policy.Request
		want  bool
	}{
		{`hosts = ["prod"]`, at(policy.Target{Asked: "web.prod.example.com", Address: "192.0.2.1"}), true},
		{`hosts = ["prod"]`, at(policy.Target{Asked: "w", HostName: "web.prod.example.com", Address: "192.0.2.1"}), true},
		{`hosts = ["prod"]`, at(policy.Target{Asked: "lab", Address: "10.20.3.4"}), true},
		{`hosts = ["prod"]`, at(policy.Target{Asked: "lab", Address: "192.0.2.1"}), false},
		{`hosts = ["prod"]`, at(policy.Target{Asked: "lab", Address: ""}), true}, // behind a jump host
		{`hosts = ["prod"]`, at(policy.Target{Asked: "lab", Address: "192.0.2.1"}, policy.Target{Asked: "db.prod.example.com", Address: "192.0.2.2"}), true},
		{`hosts = ["SHA256:abc*"]`, at(policy.Target{Asked: "lab", Address: "192.0.2.1", Fingerprint: "SHA256:abcdef"}), true},
		{`accounts = ["root"]`, at(policy.Target{Asked: "x", Account: "root"}), true},
		{`accounts = ["root"]`, at(policy.Target{Asked: "x", Account: "bob"}), false},
		{`accounts = ["root"]`, at(policy.Target{Asked: "x"}), true}, // nobody knows
		{`users = ["a*"]`, policy.Request{Text: "rm x", User: "alice"}, true},
		{`users = ["a*"]`, policy.Request{Text: "rm x", User: "bob"}, false},
		{`origins = ["copilot"]`, policy.Request{Text: "rm x", Origin: policy.Copilot}, true},
		{`origins = ["copilot"]`, policy.Request{Text: "rm x"}, false},
	} {
		if got := len(rule(c.scope).Decide(c.r).Rules) > 0; got != c.want {
			t.Errorf("%s %+v: %v", c.scope, c.r, got)
		}
	}
}

func TestWindows(t *testing.T) {
	set := load(t, header+`
[[rule]]
id = "r"
risk = "high"
message = "m"
when = { zone = "Europe/Zurich", outside = "Mon-Fri 08:00-18:00" }
match = { program = ["rm"] }
[[rule]]
id = "night"
risk = "high"
message = "m"
when = { zone = "UTC", inside = "Sat 22:00-06:00" }
match = { program = ["cp"] }
`)
	for _, c := range []struct {
		at   string
		text string
		want bool
	}{
		{"2026-12-01T08:30:00+01:00", "rm x", false},
		{"2026-12-01T07:30:00+01:00", "rm x", true},
		{"2026-12-01T18:00:00+01:00", "rm x", true},
		{"2026-12-05T12:00:00+01:00", "rm x", true}, // a Saturday
		{"2026-07-01T06:30:00Z", "rm x", false},     // 08:30 in summer time
		{"2026-12-05T23:00:00Z", "cp a b", true},
		{"2026-12-06T05:00:00Z", "cp a b", true},
		{"2026-12-06T07:00:00Z", "cp a b", false},
	} {
		at, err := time.Parse(time.RFC3339, c.at)
		if err != nil {
			t.Fatal(err)
		}
		if got := len(set.Decide(policy.Request{Text: c.text, At: at}).Rules) > 0; got != c.want {
			t.Errorf("%s at %s: %v", c.text, c.at, got)
		}
	}
	if d := set.Decide(policy.Request{Text: "rm x"}); len(d.Rules) == 0 {
		t.Error("at an unknown time the rule must hold")
	}
}

func TestModesAreRecordedAndNotApplied(t *testing.T) {
	for _, mode := range []string{"warn", "audit"} {
		set := load(t, header+"[[rule]]\nid = \"r\"\nmode = \""+mode+"\"\nrisk = \"high\"\neffect = \"deny\"\nmessage = \"m\"\nmatch = { program = [\"rm\"] }\n")
		d := set.Decide(policy.Request{Text: "rm x"})
		if d.Effect != policy.Permit || d.Risk != policy.Low || len(d.Rules) != 1 || d.Rules[0].Mode != mode {
			t.Errorf("%s: %v %v %+v", mode, d.Risk, d.Effect, d.Rules)
		}
	}
}

func TestExceptions(t *testing.T) {
	text := specRule + `
[[exception]]
rule = "fs.recursive-remove"
scope = { hosts = ["lab-1.example.com"] }
reason = "CHG-4711"
expires = 2026-12-31T00:00:00Z
`
	if _, _, err := tryLoad(t, text); err == nil || !strings.Contains(err.Error(), "outside the organization's folder") {
		t.Errorf("an exception of a user's file: %v", err)
	}
	set, _, err := policy.Load(policy.Config{OrgDir: orgFolder(t, map[string]string{"a.toml": text}), OrgOwner: os.Getuid()})
	if err != nil {
		t.Fatal(err)
	}
	before, after := time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC), time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)
	lab := policy.Target{Inventory: "lab-1.example.com", Verified: true}
	for _, c := range []struct {
		name    string
		target  policy.Target
		at      time.Time
		claimed policy.Risk
		effect  policy.Effect
	}{
		{"the host of the inventory", lab, before, policy.Low, policy.Permit},
		{"after its end", lab, after, policy.Low, policy.Typed},
		{"at an unknown time", lab, time.Time{}, policy.Low, policy.Typed},
		{"an alias of the operator's", policy.Target{Asked: "lab-1.example.com", HostName: "lab-1.example.com", Verified: true}, before, policy.Low, policy.Typed},
		{"a key that was not verified", policy.Target{Inventory: "lab-1.example.com"}, before, policy.Low, policy.Typed},
		{"another host", policy.Target{Inventory: "prod-1", Verified: true}, before, policy.Low, policy.Typed},
		{"never below the claim", lab, before, policy.High, policy.Confirm},
	} {
		d := set.Decide(policy.Request{Text: "rm -rf /etc", Targets: []policy.Target{c.target}, At: c.at, Claimed: c.claimed})
		if d.Effect != c.effect {
			t.Errorf("%s: %v %v", c.name, d.Effect, d.Exceptions)
		}
	}
	if w := set.Lint(after); len(w) == 0 || !w[len(w)-1].Expired {
		t.Errorf("an expired exception is no warning: %v", w)
	}
}

func TestFilesThatDoNotLoad(t *testing.T) {
	rule := func(s string) string { return header + "[[rule]]\n" + s }
	for _, c := range []struct {
		name, text, at, what, remedy string
	}{
		{"TOML", "schema = 1\n[policy\n", "a.toml:", "table name", "correct the TOML"},
		{"schema", "schema = 9\n[policy]\nid = \"x\"\nversion = \"1\"\n", "a.toml:1", "schema = 9", "write schema = 1"},
		{"unknown key", rule("id = \"r\"\nrisk = \"high\"\nmessage = \"m\"\nmatch = { progam = [\"rm\"] }\n"), "a.toml:17:11", `unknown key "rule.match.progam"`, `did you mean "program"?`},
		{"effect", rule("id = \"r\"\neffect = \"forbid\"\nmessage = \"m\"\nmatch = { program = [\"rm\"] }\n"), "a.toml:15:11", `unknown effect "forbid"`, `write "permit"`},
		{"duplicate id", rule("id = \"r\"\nrisk = \"high\"\nmessage = \"m\"\nmatch = { program = [\"rm\"] }\n[[rule]]\nid = \"r\"\nrisk = \"low\"\nmessage = \"m\"\nmatch = { program = [\"rm\"] }\n"), "a.toml:19:", "already in", "another id"},
		{"example", rule("id = \"r\"\nrisk = \"high\"\nmessage = \"m\"\nmatch = { program = [\"rm\"] }\nexamples = [\"ls\"]\n"), "a.toml:18:", "does not match its example", "correct"},
		{"counter-example", rule("id = \"r\"\nrisk = \"high\"\nmessage = \"m\"\nmatch = { program = [\"rm\"] }\ncounter_examples = [\"sudo rm x\"]\n"), "a.toml:18:", "matches its counter-example", "narrow"},
		{"no effect", "schema = 1\n[policy]\nid = \"x\"\nversion = \"1\"\n[[rule]]\nid = \"r\"\nrisk = \"high\"\nmessage = \"m\"\nmatch = { program = [\"rm\"] }\n", "a.toml:5", "no [effects] table", "write effect"},
		{"no match", rule("id = \"r\"\nrisk = \"high\"\nmessage = \"m\"\n"), "a.toml:13", "has no match", "write match"},
		{"regular expression", rule("id = \"r\"\nrisk = \"high\"\nmessage = \"m\"\nmatch = { operand_regex = \"(\" }\n"), "a.toml:17:", "error parsing regexp", ""},
		{"construct", rule("id = \"r\"\nrisk = \"high\"\nmessage = \"m\"\nmatch = { construct = [\"evil\"] }\n"), "a.toml:17:", `unknown construct "evil"`, "one of"},
		{"a text for a list", rule("id = \"r\"\nrisk = \"high\"\nmessage = \"m\"\nmatch = { program = \"rm\" }\n"), "a.toml:17:11", "rule.match.program is a text, and must be a list", `write program = ["…"]`},
		{"a number for a text", rule("id = \"r\"\nrisk = 5\nmessage = \"m\"\nmatch = { program = [\"rm\"] }\n"), "a.toml:15:1", "rule.risk is a number, and must be a text", `write risk = "…"`},
		{"a text for a table", rule("id = \"r\"\nrisk = \"high\"\nmessage = \"m\"\nwhen = \"now\"\nmatch = { program = [\"rm\"] }\n"), "a.toml:17:1", "rule.when is a text, and must be a table", "write when = { … }"},
		{"a text for yes or no", rule("id = \"r\"\nrisk = \"high\"\nmessage = \"m\"\nmatch = { sql = [\"delete\"], no_where = \"yes\" }\n"), "a.toml:17:", "rule.match.no_where is a text, and must be true or false", "write no_where = true"},
		{"host group", rule("id = \"r\"\nrisk = \"high\"\nmessage = \"m\"\nscope = { hosts = [\"prd\"] }\nmatch = { program = [\"rm\"] }\n"), "a.toml:17:", `no group "prd"`, "[hosts]"},
		{"zone", rule("id = \"r\"\nrisk = \"high\"\nmessage = \"m\"\nwhen = { zone = \"Mars\", inside = \"Mon 08:00-09:00\" }\nmatch = { program = [\"rm\"] }\n"), "a.toml:17", "unknown time zone", "write when"},
		{"set", rule("id = \"r\"\nrisk = \"high\"\nmessage = \"m\"\nmatch = { program = [\"@x\"] }\n"), "a.toml:17:", `unknown set "@x"`, ""},
		{"mode", rule("id = \"r\"\nmode = \"off\"\nrisk = \"high\"\nmessage = \"m\"\nmatch = { program = [\"rm\"] }\n"), "a.toml:15:", `unknown mode "off"`, "enforce"},
		{"id", rule("id = \"My Rule\"\nrisk = \"high\"\nmessage = \"m\"\nmatch = { program = [\"rm\"] }\n"), "a.toml:14", "rule id", ""},
		{"required", strings.Replace(header, "version = \"1\"", "version = \"1\"\nrequire = [\"corp\"]", 1), "", `policy "corp" is required`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, _, err := tryLoad(t, c.text)
			if err == nil {
				t.Fatal("it loads")
			}
			for _, want := range []string{c.at, c.what, c.remedy} {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%v\nlacks %q", err, want)
				}
			}
		})
	}
}

func TestOrganizationsFilesAreRoots(t *testing.T) {
	good := map[string]string{"a.toml": specRule}
	conf := func(dir string) policy.Config { return policy.Config{OrgDir: dir, OrgOwner: os.Getuid()} }
	dir := orgFolder(t, good)
	if _, _, err := policy.Load(conf(dir)); err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func(dir string) error{
		"writable by others": func(dir string) error { return os.Chmod(filepath.Join(dir, "a.toml"), 0o666) },
		"writable by group":  func(dir string) error { return os.Chmod(filepath.Join(dir, "a.toml"), 0o664) },
		"folder":             func(dir string) error { return os.Chmod(dir, 0o777) },
		"symbolic link": func(dir string) error {
			if err := os.Rename(filepath.Join(dir, "a.toml"), filepath.Join(dir, "a.real")); err != nil {
				return err
			}
			return os.Symlink("a.real", filepath.Join(dir, "a.toml"))
		},
	} {
		dir := orgFolder(t, good)
		if err := spoil(dir); err != nil {
			t.Fatal(err)
		}
		if _, _, err := policy.Load(conf(dir)); err == nil || !strings.Contains(err.Error(), dir) {
			t.Errorf("%s: %v", name, err)
		}
	}
	c := conf(orgFolder(t, good))
	c.OrgOwner++
	if _, _, err := policy.Load(c); err == nil || !strings.Contains(err.Error(), "owned by uid") {
		t.Errorf("another owner: %v", err)
	}
	if _, _, err := policy.Load(policy.Config{OrgDir: filepath.Join(t.TempDir(), "absent")}); err != nil {
		t.Errorf("no folder: %v", err)
	}
}

func TestManifest(t *testing.T) {
	write := func(dir, text string) {
		if err := os.WriteFile(filepath.Join(dir, "MANIFEST"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	dir := orgFolder(t, map[string]string{"a.toml": specRule})
	good, err := policy.Manifest(dir, 7)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, text string
		min        uint64
		spoil      func()
		want       string
	}{
		{"as written", string(good), 7, nil, ""},
		{"an older serial", string(good), 8, nil, "an older policy was put back"},
		{"another sum", strings.Replace(string(good), string(good[40:44]), "ffff", 1), 0, nil, "not the one"},
		{"a name too many", string(good) + strings.Repeat("0", 64) + "  b.toml\n", 0, nil, "not in the folder"},
		{"no version", "x\n", 0, nil, "not a manifest"},
		{"no serial", "sallyport-policy 1\nserial x\n", 0, nil, "no serial"},
		{"a path", "sallyport-policy 1\nserial 1\n" + strings.Repeat("0", 64) + "  ../a.toml\n", 0, nil, "not a SHA-256"},
	} {
		write(dir, c.text)
		_, _, err := policy.Load(policy.Config{OrgDir: dir, OrgOwner: os.Getuid(), MinSerial: c.min})
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	write(dir, string(good))
	if err := os.WriteFile(filepath.Join(dir, "b.toml"), []byte(header), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, _, err := policy.Load(policy.Config{OrgDir: dir, OrgOwner: os.Getuid()}); err == nil || !strings.Contains(err.Error(), "is not in") {
		t.Errorf("a file that the manifest does not name: %v", err)
	}
}

func TestLayersOnlyTighten(t *testing.T) {
	first := header + "[channels]\nlocal_forward = [\"db1:5432\", \"db2:5432\"]\nagent_forward = true\n[files]\nread = [\"/var/log/**\"]\nmax_read = 100\n[session]\nidle_lock = \"15m\"\n[copilot]\nsend = \"tail\"\n[interactive]\nprograms = [\"less\", \"vi\"]\n"
	second := strings.ReplaceAll(header, `id = "t"`, `id = "u"`) + "[channels]\nlocal_forward = [\"db1:5432\", \"db9:1\"]\nagent_forward = false\n[files]\nread = [\"/var/log/app/**\", \"/etc/**\"]\ndeny = [\"**/secret*\"]\nmax_read = 1000\n[session]\nidle_lock = \"5m\"\n[copilot]\nsend = \"chat\"\n[interactive]\nprograms = [\"less\", \"htop\"]\n"
	set, _, err := tryLoad(t, first, second)
	if err != nil {
		t.Fatal(err)
	}
	if set.Channel("local_forward", "db1:5432") != policy.Permit || set.Channel("local_forward", "db2:5432") != policy.Deny || set.Channel("local_forward", "db9:1") != policy.Deny {
		t.Error("local_forward is not the intersection")
	}
	if set.Channel("agent_forward", "") != policy.Deny || set.Channel("x11", "") != policy.Deny || set.Channel("nonsense", "") != policy.Deny {
		t.Error("a channel that one layer does not allow")
	}
	for path, want := range map[string]policy.Effect{"/var/log/app/x": policy.Permit, "/var/log/x": policy.Deny, "/etc/x": policy.Deny, "/var/log/app/secrets": policy.Deny, "/var/log/app/../x": policy.Deny} {
		if got, _ := set.File("read", path); got != want {
			t.Errorf("read %s: %v", path, got)
		}
	}
	if set.FileLimit("read") != 100 || set.Session().IdleLock != 5*time.Minute || set.CopilotSend(nil) != "chat" {
		t.Errorf("%v %v %v", set.FileLimit("read"), set.Session(), set.CopilotSend(nil))
	}
	if ok, _, _ := set.Interactive("less"); !ok {
		t.Error("less is in both")
	}
	if ok, _, _ := set.Interactive("vi"); ok {
		t.Error("vi is in one only")
	}
}

func TestExplainShowsWhatAndWhy(t *testing.T) {
	d := load(t, specRule).Decide(policy.Request{Text: "cd /tmp; sudo rm -rf /etc; echo \x1b"})
	text := d.Explain("cd /tmp; sudo rm -rf /etc; echo \x1b")
	for _, want := range []string{"high, typed  (rule fs.recursive-remove)", "‹U+001B›", "sudo › rm -rf /etc", "removes a whole tree", "instead: ls the tree first", "type the target's name"} {
		if !strings.Contains(text, want) {
			t.Errorf("%s\nlacks %q", text, want)
		}
	}
	for _, m := range d.Rules {
		for _, s := range m.Spans {
			if s[1] > len("cd /tmp; sudo rm -rf /etc; echo \x1b") {
				t.Errorf("span %v", s)
			}
		}
	}
}
