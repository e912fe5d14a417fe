package command

import (
	"reflect"
	"testing"
)

func TestSubstitutionsAreCutToTheirEnd(t *testing.T) {
	for text, want := range map[string][]string{
		"a[$(id)]":                 {"id"},
		"$(echo $(id))":            {"echo $(id)"},
		`$(echo ")"; id)`:          {`echo ")"; id`},
		"`id` and $(w)":            {"id", "w"},
		"$(id":                     {"id"},
		"$((i+1))":                 nil,
		"$((a[$(id)]))":            {"id"},
		"$((rm x); id)":            {"(rm x); id"},
		"${ id; }":                 {"id; "},
		"$HOME ${x} $[1] 5$ (x)":   nil,
		"costs $(5) or `6` - ${x}": {"5", "6"},
	} {
		if got := substitutions(text); !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %q, not %q", text, got, want)
		}
	}
}

func TestEveryWayToBindIsAnAssignment(t *testing.T) {
	for _, line := range []string{
		"PROMPT_COMMAND=x", "for PROMPT_COMMAND in x; do :; done", "select PROMPT_COMMAND in x; do :; done", "for PROMPT_COMMAND; do :; done",
		"read PROMPT_COMMAND", "read -r a PROMPT_COMMAND < f", "mapfile PROMPT_COMMAND < f", "readarray -t PROMPT_COMMAND <<< x",
		"printf -v PROMPT_COMMAND x", "printf -vPROMPT_COMMAND \"$x\"", "getopts a PROMPT_COMMAND", "declare -n q=PROMPT_COMMAND", "wait -p PROMPT_COMMAND",
		": ${PROMPT_COMMAND:=x}", ": ${PROMPT_COMMAND=x}", "coproc PROMPT_COMMAND { x; }", "builtin declare -n q=PROMPT_COMMAND", "PROMPT_COMMAND+=(x)", "PROMPT_COMMAND[0]=x",
		"declare PROMPT_COMMAND=x", "command export PROMPT_COMMAND=x", "env PROMPT_COMMAND=x sh",
	} {
		found := false
		for _, f := range Parse(line, Bash, State{}, DefaultLimits).Facts {
			for _, a := range f.Assigns {
				found = found || a.Name == "PROMPT_COMMAND"
			}
		}
		if !found {
			t.Errorf("%q binds nothing", line)
		}
	}
}
