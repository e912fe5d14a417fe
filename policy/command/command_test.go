package command

import (
	"slices"
	"strings"
	"testing"
)

// programs lists what a line runs, each with its way: "sudo>rm".
func programs(text string, d Dialect) string {
	line := Parse(text, d, State{}, DefaultLimits)
	var out []string
	for i := range line.Facts {
		f := &line.Facts[i]
		name := f.Program
		if name == "" {
			name = "?"
		}
		out = append(out, strings.Join(append(append([]string{}, f.Via...), name), ">"))
	}
	return strings.Join(out, " ")
}

func TestEveryConstructIsWalked(t *testing.T) {
	for text, want := range map[string]string{
		"a; b && c || d & e": "a b c d e",
		"a | b |& c":         "a b c",
		"(a); { b; }; ! c":   "a b c",
		"if a; then b; elif c; then d; else e; fi": "a b c d e",
		"while a; do b; done; until c; do d; done": "a b c d",
		"for i in $(a); do b; done":                "a b",
		"case $(a) in x) b;; *) c;; esac":          "a b c",
		"x=$(a) y=`b` c":                           "a b c",
		"cat <(a) >(b)":                            "a b cat",
		"cat <<E\n$(a)\nE":                         "a cat",
		"cat <<'E'\n$(a)\nE":                       "cat",
		"echo ${x:-$(a)} ${y/$(b)/$(c)}":           "a b c echo",
		"(( $(a) + 1 )); echo $(( $(b) ))":         "(( a b echo",
		"[[ $(a) && -f $(b) ]]":                    "[[ a b",
		"f() { a; }; f":                            "function a f f()>a",
		"time a; coproc b":                         "time>a coproc>b",
		"declare x=$(a); export y=`b`":             "declare a export b",
		"a[$(b)]=1":                                "b :",
		"trap 'a' EXIT; alias x='b'; eval 'c d'":   "trap trap>a alias alias>b eval eval>c",
		"exec a; command b; builtin c":             "exec exec>a command command>b builtin builtin>c",
		"echo a | sh; sh <<< b; sh -c c":           "echo sh sh>a sh sh>b sh sh>c",
		"bash <(echo a); source <(echo b)":         "echo bash bash>a echo source source>b",
	} {
		if got := programs(text, Bash); got != want {
			t.Errorf("%q\n got %s\nwant %s", text, got, want)
		}
	}
}

func TestWrappersAreTakenOff(t *testing.T) {
	for text, want := range map[string]string{
		"sudo -u root -E A=b x":                      "sudo sudo>x",
		"env -i A=b C=d x y":                         "env env>x",
		"env -S 'x y'":                               "env env>env env>env>x",
		"nice -n 5 nohup timeout -k 1 5 x":           "nice nice>nohup nice>nohup>timeout nice>nohup>timeout>x",
		"xargs -n1 -I{} x {}":                        "xargs xargs>x",
		"find . -exec x {} \\; -exec y {} +":         "find find>x find>y",
		"ssh -p 22 h x y":                            "ssh ssh>x",
		"docker exec -it -u 0 c x":                   "docker docker exec>x",
		"docker run --rm -v a:b image x":             "docker docker run>x",
		"kubectl -n p exec pod -c c -- x":            "kubectl kubectl -n>x",
		"su - root -c 'x y'":                         "su su>x",
		"watch -n1 'x | y'":                          "watch watch>x watch>y",
		"script -c 'x' f":                            "script script>x",
		"parallel x {} ::: a b":                      "parallel parallel>x parallel>x",
		"git -c core.pager='x y' log":                "git git>x",
		"tar --to-command='x y' -xf f":               "tar tar>x",
		"python3 -c 'import os; os.system(\"x y\")'": "python python>x",
		"perl -e 'system(\"x y\")'":                  "perl perl>x",
		"awk 'BEGIN{system(\"x y\")}'":               "awk awk>x",
		"vim -c ':!x' f":                             "vim vim>x",
		"crontab - <<< '* * * * * x'":                "crontab crontab>x",
		"busybox x y":                                "busybox busybox>x",
		"ip netns exec n x":                          "ip ip>x",
		"flock f x":                                  "flock flock>x",
		"foo rm -rf /x":                              "foo foo>rm",
		"echo '!x' | ed":                             "echo ed ed>x",
	} {
		if got := programs(text, Bash); got != want {
			t.Errorf("%q\n got %s\nwant %s", text, got, want)
		}
	}
}

// args gives the words of the last command of a line, all its readings; an
// unknown one ends in "…".
func args(text string, d Dialect) string {
	facts := Parse(text, d, State{}, DefaultLimits).Facts
	var readings []string
	for i := range facts {
		if facts[i].Start != facts[len(facts)-1].Start {
			continue
		}
		var out []string
		for _, a := range facts[i].Args {
			t := a.Text
			if !a.Known {
				t += "…"
			}
			out = append(out, t)
		}
		readings = append(readings, strings.Join(out, " "))
	}
	return strings.Join(readings, " | ")
}

func TestWordsAreResolved(t *testing.T) {
	for text, want := range map[string]string{
		`x 'a b' "c"d e\ f`:                        "a b cd e f",
		`x $'\x61\142\u0063'`:                      "abc",
		`x {a,b}c {1..3}`:                          "ac bc 1 2 3",
		`a=1; x $a ${a}b`:                          "1 1b",
		`a=1; a=2; x $a`:                           "1 | 2", // either may be left
		`x $a "${b}c"`:                             "… c…",
		`x ${a:-b} ${a:=c}`:                        "b c",
		`x $(echo a b) "$(echo c d)"`:              "a b c d",
		`x $HOME/a ~/b ~root`:                      "~/a ~/b /root",
		`x a${IFS}b`:                               "a b",
		`for i in a b; do x $i; done`:              "a | b",
		`A=b x $A`:                                 "…",
		`x $1 "$@"`:                                "… … | …",
		`a=(p q); x ${a[0]} "${a[@]}"`:             "p p q | q p q",
		`read a b <<< 'p q r'; x $b`:               "q r",
		`printf -v a %s%s p q; x $a`:               "pq",
		`set -- p q; x "$@"`:                       "p q",
		`x /@(p|q)`:                                "/p | /q",
		`ls p; x $_`:                               "p",
		`a='p q'; x $a "$a"`:                       "p q p q",
		`a=abc; x ${a:1:1} ${a#a} ${a/b/x} ${a^^}`: "b bc axc ABC",
		"x a\\\nb":                                 "ab",
	} {
		if got := args(text, Bash); got != want {
			t.Errorf("%q\n got %q\nwant %q", text, got, want)
		}
	}
}

func TestOtherDialects(t *testing.T) {
	for _, c := range []struct {
		d    Dialect
		text string
		want string
	}{
		{Zsh, "cat =(a)", "a cat"},
		{Zsh, "repeat 3 a", "repeat repeat>a"},
		{Zsh, "echo hi # ; a", "echo echo a"},
		{Zsh, "ls *(e:'a b':)", ": eval ls"},
		{Fish, "a; and b; or c", "a b c"},
		{Fish, "echo (a) \"$b\"", "a echo"},
		{Fish, "begin; a; end | b", "a b"},
		{Fish, "if a; b; end", "a b"},
		{Fish, "a 2>&1 > f &", "a"},
		{Fish, "echo 'x;y' \"(z)\"", "echo"},
		{Words, "show version\ndo reload", "show reload"},
		{Words, "! a comment", ""},
		{POSIX, "a; {b,c}", "a {b,c}"},
		{SQL, "DROP TABLE x", "sql"},
	} {
		got := programs(c.text, c.d)
		if c.text == "ls *(e:'a b':)" {
			if !strings.Contains(got, "a") {
				t.Errorf("%v %q: %s", c.d, c.text, got)
			}
			continue
		}
		if got != c.want {
			t.Errorf("%v %q\n got %s\nwant %s", c.d, c.text, got, c.want)
		}
	}
}

func TestStatements(t *testing.T) {
	for text, want := range map[string]string{
		"SELECT 1": "select", "select 'drop table x'": "select", "-- drop\nSELECT 1": "select", "/* x */ SELECT 1; DROP TABLE a": "select, drop table a",
		"/*!50000 DROP TABLE a */": "drop table a", "DELETE FROM a": "delete a", "DELETE FROM a WHERE id=1": "delete a where", "DELETE FROM a WHERE 1=1": "delete a",
		"DELETE FROM a WHERE id=1 OR true": "delete a", "UPDATE a SET b=1 WHERE c IS NOT NULL": "update a", "WITH x AS (DELETE FROM a RETURNING *) SELECT * FROM x": "select, delete a",
		"EXPLAIN ANALYZE DELETE FROM a": "explain, delete a", "EXPLAIN DELETE FROM a": "explain", "CREATE OR REPLACE VIEW v AS SELECT 1": "create view v",
		"COPY t FROM PROGRAM 'x'": "copy program t", "SELECT 1 INTO OUTFILE 'x'": "select into outfile 1", "SELECT pg_terminate_backend(1)": "select pg_terminate_backend, call pg_terminate_backend",
		"ALTER TABLE t DROP COLUMN c": "alter table drop t", "FOO": "unknown foo",
	} {
		var got []string
		for _, s := range Statements(text) {
			one := s.Verb
			if s.Object != "" && !(s.Verb == "select" && !strings.Contains(text, "pg_")) {
				one += " " + s.Object
			}
			if s.Where {
				one += " where"
			}
			got = append(got, one)
		}
		if g := strings.Join(got, ", "); g != want {
			t.Errorf("%q: %s, not %s", text, g, want)
		}
	}
}

func TestHistoryExpansion(t *testing.T) {
	for text, want := range map[string]bool{
		"!!": true, "sudo !!": true, "echo !$": true, "^a^b": true, `echo "!x"`: true, "!ls": true, "echo a!b": true,
		"echo '!!'": false, "echo hi!": false, `echo "hi!"`: false, "[ ! -f x ]": false, "[[ a != b ]]": false, `echo \!x`: false, "echo ${!x}": false, "echo $!": false, "ls [!a]*": false, "!(a|b)": false, "echo $'a!b'": false,
	} {
		if got := historyExpansion(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// TestHistoryInHereDocuments holds what bash 5.2 and zsh 5.9 do at a prompt:
// lines of a here-document are not expanded, every other line is.
func TestHistoryInHereDocuments(t *testing.T) {
	for text, want := range map[string]bool{
		"cat <<'EOF' > f\n#!/bin/sh\necho ok\nEOF": false, "cat <<EOF\n!!\nEOF": false, "cat <<-E | wc\n\t!x\n\tE": false,
		"cat <<EOF\nx\nEOF\necho !!": true, "cat <<EOF; echo !!\nx\nEOF": true, "cat <<EOF\n!!": true, "cat <<< EOF\n!!\nEOF": true,
		"echo $(cat <<EOF\n!!\nEOF\n)": true,
	} {
		got := false
		for _, f := range Parse(text, Bash, State{}, DefaultLimits).Facts {
			got = got || slices.Contains(f.Constructs, "history_expansion")
		}
		if got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestAShellsStateChangesTheReading(t *testing.T) {
	alias := State{Known: true, Words: map[string]ShellWord{"ls": {Kind: KindAlias, Text: "rm x"}, "g": {Kind: KindAlias, Text: "cd /; git"}}}
	if got := Parse("ls y", Bash, alias, DefaultLimits).Facts[0]; got.Program != "rm" || len(got.Args) != 2 {
		t.Errorf("%+v", got)
	}
	function := State{Known: true, Words: map[string]ShellWord{"ls": {Kind: KindFunction}}}
	if got := Parse("ls y", Bash, function, DefaultLimits).Facts[0]; !strings.Contains(got.Name.Text, "./") {
		t.Errorf("a function is no known program: %+v", got)
	}
	file := State{Known: true, Words: map[string]ShellWord{"ls": {Kind: KindFile, Path: "/tmp/ls"}}}
	if got := Parse("ls y", Bash, file, DefaultLimits).Facts[0]; got.Name.Text != "/tmp/ls" {
		t.Errorf("%+v", got)
	}
	if line := Parse("echo 中", Bash, State{Known: true, Charmap: "GBK"}, DefaultLimits); line.Analyzable {
		t.Error("text that another charmap reads otherwise")
	}
	on := State{Known: true, Options: map[string]bool{OptComments: false}}
	if got := len(Parse("echo hi # ; id", Bash, on, DefaultLimits).Facts); got < 2 {
		t.Errorf("comments are off: %d facts", got)
	}
	off := State{Known: true, Options: map[string]bool{OptHistory: false}}
	for _, f := range Parse("echo !x", Bash, off, DefaultLimits).Facts {
		for _, c := range f.Constructs {
			if c == "history_expansion" {
				t.Error("history expansion is off")
			}
		}
	}
}
