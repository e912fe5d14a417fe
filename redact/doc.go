// Package redact takes text from a terminal, a command line, a chat or a file and gives
// back text that carries no credential.
package redact
