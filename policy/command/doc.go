// Package command reads a command line into facts: every simple command that
// it would run, with the words it would get, the paths it would touch and the
// way it was reached.
//
// A line is capped before it is parsed (Limits), then read in the dialect of
// the shell that will run it: bash, posix, mksh and zsh by mvdan.cc/sh, fish
// and network devices by readers of our own. What cannot be read is not
// analyzable; a rough reading of its words is given all the same, so that
// rules can only make it stricter.
//
// Words are resolved without running anything and without asking this
// machine: quotes, escapes, braces, variables that the same line assigns (all
// values they may have), and what echo, printf and plain filters print. What
// took part in an expansion is marked Dynamic; what stays open is not Known.
//
// Commands are looked for wherever the shell would run them: lists, pipes,
// substitutions, here-documents, functions, loops, arithmetic that evaluates
// strings; and inside what they start themselves: wrappers (sudo, env,
// timeout), runners (xargs, find -exec, parallel, ssh, docker exec), code in
// options (sh -c, python -c, git -c core.pager=, tar --to-command), and
// behind programs that the console does not know. Fact.Via says the way.
//
// Nothing here judges. A fact says what is; rules of package policy say what
// that means.
package command
