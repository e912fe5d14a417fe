// Package linus is the copilot that ships, as a program: flags, the answerer that
// they choose, and the way it is served. cmd/linus is its main; the console runs the
// same for its demo.
//
//	linus [--runbooks DIR]                        over standard input and output
//	linus --model URL --model-name NAME           with a model behind it
//	linus --http 127.0.0.1:PORT                   over streamable HTTP, at /mcp
//	linus --transcript FILE                       keeps every byte that it receives
package linus

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
)

// Main runs the program until in ends or ctx does, and gives its exit code: 0 done,
// 1 failure, 2 usage.
func Main(ctx context.Context, args []string, in io.Reader, out, errs io.Writer) int {
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
