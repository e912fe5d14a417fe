// Command linus is the copilot that ships with Sallyport: an MCP server that answers
// the console from runbooks, or through a language model. See linus --help.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"sallyport/console/runbook/linus"
)

func main() { os.Exit(run()) }

func run() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return linus.Main(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
}
