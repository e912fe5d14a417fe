// Package detect finds credentials in text. It knows nothing of terminals, targets or
// placeholders: text comes in lines, spans come out.
//
// A [Scanner] runs one automaton over a line. The words it finds call detectors: a part of
// a key calls the reader of keys and values (assign.go, words.go, value.go; prose.go where
// the key stands in a sentence), a program's name the table of programs, a vendor's
// literal that vendor's expression, and so on. A line without such a word costs one pass.
// Every detector looks only a bounded way to either side, or moves past what it has seen,
// so that the time is linear in the text whatever it holds.
//
// What spans lines is state: a key (pem.go, barekey.go), a Kubernetes document (kube.go), a
// table (table.go), a command whose output is a secret (output.go), a key whose value is
// on the next line (next.go), a token that a margin cut (tail.go). Where a later line
// decides, [Scanner.Settled] stays before the first line in doubt.
//
// # Data
//
// data/programs.toml says where command lines hold passwords, data/vendors-*.toml what
// tokens look like. Adding an entry needs no code. Each token has a made-up example, in
// parts, that a test looks for, and says where its shape was learned. The expressions are
// looser than their sources': a token of a new length is still masked.
package detect
