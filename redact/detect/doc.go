// Package detect finds credentials in text. It knows nothing of terminals, targets or
// placeholders: text comes in lines, spans come out.
//
// A [Scanner] (scanner.go) runs one automaton (automaton.go, trigger.go) over a line. The
// words it finds call detectors, in the layers of the package redact:
//
//  1. keys and values: assign.go with separator.go, read.go and accept.go; words.go judges
//     the key, value.go the value; prose.go and code.go where the key stands in a sentence,
//     table.go in columns, call.go among arguments, lookalike.go where it is disguised
//  2. command lines: program.go, argv.go, shell.go, pipe.go, unknown.go, sql.go, router.go
//  3. forms: form.go, login.go, pem.go, barekey.go, kube.go, hash.go
//  4. URLs and headers: url.go, header.go
//  5. tokens of vendors: vendor.go, shape.go
//  6. encodings: encode.go, dump.go
//  7. context: output.go, next.go, ask.go, prompt.go
//
// A line without such a word costs one pass. Every detector looks only a bounded way to
// either side, or moves past what it has seen, or counts how often it looked: a long word
// that is read again and again is masked as a whole. So the time is linear in the text
// whatever it holds; a test repeats each word of the automaton in many ways.
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
