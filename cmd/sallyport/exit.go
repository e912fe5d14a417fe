package main

import (
	"errors"
	"fmt"
	"io"

	"sallyport/console/safetext"
)

// Exit codes of every subcommand; `run` passes the remote command's own code
// through and uses 255 for its own failures, as ssh does.
const (
	exitOK      = 0
	exitFailure = 1
	exitUsage   = 2
	exitRefused = 3 // by policy or by the operator
	exitLog     = 4 // the log cannot be written or read
	exitConnect = 5 // connection or authentication
	exitConfig  = 6 // configuration or policy is invalid
	exitVerify  = 7 // verification failed
)

// exitError is an error with the exit code of its class and a hint on what
// to do next, printed on a line of its own.
type exitError struct {
	code  int
	err   error
	hint  string
	quiet bool // everything was said already: only the code counts
}

func (e *exitError) Error() string {
	if e.err == nil {
		return fmt.Sprintf("exit status %d", e.code)
	}
	return e.err.Error()
}

func (e *exitError) Unwrap() error { return e.err }

// failWith gives err the exit code of its class and says what to do next.
func failWith(code int, err error, hint string) error {
	return &exitError{code: code, err: err, hint: hint}
}

// exitWith ends with code and prints nothing more.
func exitWith(code int) error { return &exitError{code: code, quiet: true} }

// report prints err with its hint and gives the exit code.
func report(stderr io.Writer, err error) int {
	if err == nil {
		return exitOK
	}
	var e *exitError
	if !errors.As(err, &e) {
		sayError(stderr, err)
		return exitFailure
	}
	if !e.quiet {
		sayError(stderr, err)
		if e.hint != "" {
			fmt.Fprintf(stderr, "  try: %s\n", safetext.Block(e.hint))
		}
	}
	return e.code
}

// sayError prints an error harmlessly: it may hold what somebody else wrote, a
// line of a policy, a file's name, a flag.
func sayError(stderr io.Writer, err error) {
	fmt.Fprintf(stderr, "sallyport: %s\n", safetext.Block(err.Error()))
}
