// Package probe asks a host, on a channel beside the shell's, what its
// terminal is doing and how a word could be completed.
//
// One exec channel runs one constant command, and stays. Questions are
// written to its standard input as fields that end with NUL; xargs gives them
// to sh as positional parameters, so no shell ever parses them. Answers are
// fields that end with NUL, and end with an empty one.
//
// What comes back is the host's claim: file names and arguments of processes
// are hostile text. It never decides what is judged; it can only hold keys
// back, open a field, or offer a word that is judged like any other.
//
// The host needs sh, xargs -0 and stty; for the foreground program a ps that
// knows -t and -o. Where one is missing the answers say less, or Open and
// Terminal fail, and the console goes on without.
package probe
