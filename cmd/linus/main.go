// Command linus is the copilot that ships with Sallyport: an MCP server that answers
// the console from runbooks, or through a language model.
//
//	linus [--runbooks DIR]                        over standard input and output
//	linus --model URL --model-name NAME           with a model behind it
//	linus --http 127.0.0.1:PORT                   over streamable HTTP, at /mcp
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
)

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

func run(args []string, in io.Reader, out, errs io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	o, err := parseFlags(args, errs)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		fmt.Fprintln(errs, "linus:", err)
		return 2
	}
	if err := o.serve(ctx, in, out, errs); err != nil && ctx.Err() == nil {
		fmt.Fprintln(errs, "linus:", err)
		return 1
	}
	return 0
}
