package main

import (
	"context"
	"io"
	"log"
	"os"
	"strconv"

	"github.com/mark3labs/mcp-go/server"
	"github.com/spf13/cobra"

	"sallyport/console/runbook"
	"sallyport/console/runbook/mcpserver"
)

// newLinusCommand is the copilot for `demo`, in the same binary. It keeps every
// byte that it receives, so that the story can show what reached it.
func newLinusCommand() *cobra.Command {
	var transcript, pidFile string
	c := &cobra.Command{
		Use:    "__linus",
		Hidden: true,
		Args:   usage(cobra.NoArgs),
		RunE: func(c *cobra.Command, _ []string) error {
			if err := os.WriteFile(pidFile, []byte(strconv.Itoa(os.Getpid())), 0o600); err != nil {
				return err
			}
			return watchedLinus(c.Context(), transcript, c.InOrStdin(), c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	c.Flags().StringVar(&transcript, "transcript", os.DevNull, "append every received byte to this `file`")
	c.Flags().StringVar(&pidFile, "pid-file", os.DevNull, "write the process id to this `file`")
	return c
}

func watchedLinus(ctx context.Context, transcript string, stdin io.Reader, stdout, stderr io.Writer) error {
	f, err := os.OpenFile(transcript, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	books, err := runbook.Load(runbook.Embedded())
	if err != nil {
		return err
	}
	stdio := server.NewStdioServer(mcpserver.New(runbook.NewEngine(books), version()))
	stdio.SetErrorLogger(log.New(stderr, "linus: ", 0))
	return stdio.Listen(ctx, io.TeeReader(stdin, f), stdout)
}
