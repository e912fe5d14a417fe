// Package redact takes text from a terminal, a command line, a chat or a file and gives
// back text that carries no credential. What goes to a copilot, to an agent, into a log or
// into a recording that is not encrypted is a [Text], and only this package makes one.
// It does no I/O and reads no clock.
//
// # What it finds
//
// Package detect looks in layers: keys and values however written; command lines by
// program; files and formats (armoured keys and lines cut out of them, Kubernetes Secrets, shadow, pgpass, netrc …);
// URLs, headers and cookies; tokens of vendors; encodings, to a depth of three; what is
// printed after a command that prints secrets; and, in this package, values that were
// learned. Entropy decides only where a key leaves it open.
//
// Two views share the detectors. A [Stream] takes a terminal's bytes, [Redactor.Text] a
// whole text with or without escape sequences: a normaliser takes the sequences and the
// invisible characters out, puts together what they cut, and keeps the way back to the
// bytes. [Redactor.Cells] takes the
// logical lines that an emulator shows and puts their styles back.
//
// # What it leaves
//
// <redacted:aws-key#1>: the kind, and a number that is the same for the same value in all
// sessions of a console. No length and no hash. Masking is idempotent; it cuts no
// character and no escape sequence. Changes of colour inside a secret stand behind its
// placeholder, other sequences inside it are dropped. A placeholder that was there before
// stays as it is, also a forged one: it is text like any other, and a command that holds
// one must not be sent ([HasPlaceholder]).
//
// A [Finding] carries an HMAC-SHA-256 of the value, cut to 64 bits, under the key that the
// caller gives, if the value is not easy to guess. A reviewer who has the key can match a
// leak; the log does not hold it.
//
// # Streams
//
// A stream gives out whole lines. It holds back what could still become part of a secret:
// the unfinished line, a line that the terminal's margin may have cut, an open key, the
// data of a document that may turn out to be a Secret. At most 64 KiB: then the open region
// is masked, and a line without an end is cut at a sign between words, or masked if it has
// none. The caller owns the time: when it was given nothing for two seconds it calls
// [Stream.Expire], which gives the rest, masks what is open, and masks a last word that
// may grow into a secret together with its rest. What was given so is kept with its line:
// what comes behind it is judged as if it had not been given. A prompt or command mark
// ([Stream.Mark], or a prompt that is seen) ends every open region.
//
// The joined output does not depend on how the input was cut, as long as Expire is called
// at the same places.
//
// # Learned values
//
// [Redactor.Learn] is for secret fields and authentication: such a value is masked for the
// life of the console, in all its sessions, in raw, base64, percent and escaped form. A
// value that a target prints in a secret position is masked from then on for this target
// alone, if it has eight characters or more and is no word, name, path or version; at most
// 500 a target. So a hostile host cannot make ordinary words unreadable. A learned value of
// fewer than six characters is masked only where a secret stands. What was given out
// before a value was learned can be masked once more with [Redactor.Again].
//
// # The redactor is no eraser
//
// [Redactor.CommandText] masks only literal characters of values. Programs, subcommands,
// names of flags and variables, operators, redirections with their files and everything
// the shell expands stay readable, whatever was learned. Who types rm at a password prompt
// hides nothing.
//
// # What is not caught
//
//   - a bare human password in prose, with no word that announces it
//   - a secret that is described: "my dog's name and the year"
//   - an encoding deeper than three, an unusual one (base32, rot13, octal), compressed or
//     encrypted text, pictures
//   - a secret pasted where echo is on, before it was ever seen in a secret position
//   - a password in an ordinary position of a program that the table does not know
//   - the first three characters of a learned value or of a token, and a word that only
//     what comes behind it makes a secret, if the text pauses there for longer than the
//     caller waits
//   - lines that a program overwrites in an order that shows a secret nowhere in a row
//   - user names, host names, addresses, public keys and fingerprints: they are not secret
//
// And some things are masked that are none: a password's value that is an ordinary word
// (password=banana), a default from documentation that looks like a token.
package redact
