package command

import "strings"

// ReadOptions reads a fact's words as its program would: options with their
// values, and operands.
func ReadOptions(f *Fact) Options { return readOptions(f.Program, f.Args) }

// RunsInput reports a shell or an interpreter, whatever version its name
// carries: one that runs the lines it reads.
func RunsInput(program string) bool {
	name := strings.TrimRight(strings.TrimRight(program, "0123456789."), "-")
	for _, n := range []string{program, name} {
		if _, ok := interpreterCode[n]; ok || shellNames[n] || otherInterpreters[n] {
			return true
		}
	}
	return false
}

// otherInterpreters run or pass on what they read, and are no shells.
var otherInterpreters = setOf("iex clisp gdb lldb awk gawk mawk sed m4 make gmake xargs crontab ntpq zdb")
