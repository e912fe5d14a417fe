package main

import (
	"errors"

	"sallyport/console"
	"sallyport/console/gate"
	"sallyport/console/remote"
)

// explain gives an error of the console its exit code and what to try next.
func explain(err error) (code int, hint string) {
	var (
		link    *remote.Error
		refusal *gate.Refusal
		log     *console.LogError
		rules   *console.PolicyError
		nobody  *unasked
		key     *unknownHere
	)
	switch {
	case err == nil:
		return exitOK, ""
	case errors.As(err, &nobody):
		return exitRefused, nobody.hint()
	case errors.As(err, &key):
		return exitConnect, key.hint()
	case errors.As(err, &refusal):
		if refusal.By == gate.ByLog {
			return exitLog, refusal.Remedy
		}
		return exitRefused, refusal.Remedy
	case errors.As(err, &log):
		return exitLog, "sallyport doctor says what is wrong; --audit-dir names another folder"
	case errors.As(err, &rules):
		return exitConfig, "sallyport policy check FILE"
	case errors.As(err, &link):
		if link.Class == remote.ClassConfig {
			return exitConfig, link.Hint
		}
		return exitConnect, link.Hint
	}
	return exitFailure, ""
}
