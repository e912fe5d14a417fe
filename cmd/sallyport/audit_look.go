package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"sallyport/audit"
	"sallyport/audit/review"
	"sallyport/audit/verify"
	"sallyport/console/config"
	"sallyport/console/safetext"
	"sallyport/redact"
)

// look is what each command that shows the record does first: it says which of
// the logs do not verify, since nobody should believe what they show, and has
// the daemon record that somebody reads its log.
func look(c *cobra.Command, logs *review.Logs, dirs []string) {
	suspect(c.ErrOrStderr(), dirs)
	cfg, err := config.Load(config.Sources{})
	if err != nil { // logs can be read with a configuration that cannot
		fmt.Fprintf(c.ErrOrStderr(), "sallyport: that you read this is not recorded: %v\n", err)
		return
	}
	if err := recordLook(c.Context(), cfg.Audit, c.Name(), asked(c), logs.Files()); err != nil {
		fmt.Fprintf(c.ErrOrStderr(), "sallyport: that you read this is not recorded: %v\n", err)
	}
}

// maxSuspects bounds the warnings: verify says them all.
const maxSuspects = 4

// suspect warns of what does not verify.
func suspect(stderr io.Writer, dirs []string) {
	results, err := verify.Dirs(verify.Options{}, dirs...)
	if err != nil {
		fmt.Fprintf(stderr, "sallyport: the logs could not be verified: %v\n", err)
		return
	}
	n := 0
	for _, r := range results {
		if r.Good() || r.Verdict == verify.Recovered {
			continue
		}
		if n++; n <= maxSuspects {
			fmt.Fprintf(stderr, "sallyport: DOES NOT VERIFY: %s\n", safetext.Line(r.String()))
		}
	}
	if n > maxSuspects {
		fmt.Fprintf(stderr, "sallyport: and %d more: sallyport audit verify\n", n-maxSuspects)
	}
}

// asked are the flags and words of a command, as it was called.
func asked(c *cobra.Command) string {
	words := c.Flags().Args()
	c.Flags().Visit(func(f *pflag.Flag) {
		words = append(words, "--"+f.Name+"="+f.Value.String())
	})
	return strings.Join(words, " ")
}

// lookTimeout is how long the daemon may take to record a look: a reviewer is not
// held up by one that is away.
const lookTimeout = 3 * time.Second

// recordLook records, where a daemon keeps logs and some of these are its, that
// they are read.
func recordLook(ctx context.Context, cfg config.Audit, command, query string, files []string) error {
	n := kept(int(cfg.PeerUID), files)
	if cfg.Socket == "" || n == 0 {
		return nil
	}
	log, err := audit.Dial(ctx, audit.DialConfig{Socket: cfg.Socket, PeerUID: int(cfg.PeerUID), Actor: currentActor(), Timeout: lookTimeout})
	if err != nil {
		return err
	}
	name, err := redact.ID(command)
	if err != nil {
		return err
	}
	text, _ := redact.New(redact.Config{}).CommandText(query)
	_, err = log.Append(ctx, audit.ReviewOpened[redact.Text]{Command: name, Query: text, Logs: n})
	return errors.Join(err, log.Close(ctx))
}

// kept counts the files that belong to a user.
func kept(uid int, files []string) (n int) {
	for _, path := range files {
		if st, err := os.Stat(path); err == nil {
			if s, ok := st.Sys().(*syscall.Stat_t); ok && int(s.Uid) == uid {
				n++
			}
		}
	}
	return n
}

// oneSession demands the name of a session.
func oneSession(c *cobra.Command, args []string) error {
	if len(args) != 1 {
		return failWith(exitUsage, errors.New("which session? one is wanted"), "sallyport audit show lists them; then "+c.CommandPath()+" SESSION")
	}
	return nil
}
