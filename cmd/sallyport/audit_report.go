package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"sallyport/audit/recording"
	"sallyport/audit/review"
	"sallyport/audit/verify"
	"sallyport/console/screen"
)

func newAuditReport() *cobra.Command {
	var out, identity, trust string
	c := &cobra.Command{
		Use:   "report SESSION -o FILE.html",
		Short: "one self-contained page about a session",
		Args:  oneSession,
	}
	dirs := auditDirs(c)
	f := c.Flags()
	f.StringVarP(&out, "output", "o", "", "`FILE` to write; standard output otherwise")
	f.StringVar(&identity, "identity", "", "`FILE` with an auditor's age identity, for an encrypted recording")
	f.StringVar(&trust, "trust", "", "`KEY` of the host (text, or a file with it) to verify the logs with")
	c.RunE = func(c *cobra.Command, args []string) error {
		r, err := makeReport(c, logDirs(*dirs), args[0], identity, trust)
		if err != nil {
			return err
		}
		w, done, err := outputTo(c.OutOrStdout(), out)
		if err != nil {
			return failWith(exitFailure, err, "")
		}
		if err := r.HTML(w); err != nil {
			done()
			return failWith(exitFailure, err, "")
		}
		return done()
	}
	return c
}

func makeReport(c *cobra.Command, dirs []string, session, identity, trust string) (r review.Report, err error) {
	logs, err := openLogs(dirs)
	if err != nil {
		return r, err
	}
	look(c, logs, dirs)
	r.Now = time.Now()
	if r.Session, err = logs.Session(session); err != nil {
		return r, failWith(exitFailure, err, "sallyport audit show lists the sessions")
	}
	o := verifyOptions{trust: trust}
	opts, err := o.options()
	if err != nil {
		return r, failWith(exitUsage, err, "")
	}
	if r.Verdicts, r.Verified, err = verdictsOn(opts, dirs); err != nil {
		return r, err
	}
	r.Frames, err = framesOf(dirs, session, identity)
	return r, err
}

func verdictsOn(opts verify.Options, dirs []string) (words []string, good bool, err error) {
	results, err := verify.Dirs(opts, dirs...)
	if err != nil {
		return nil, false, failWith(exitLog, err, "")
	}
	good = true
	for _, r := range results {
		good = good && r.Good()
		r.File = filepath.Base(r.File)
		words = append(words, r.String())
	}
	return words, good, nil
}

// maxFrames bounds what a page holds of a recording.
const maxFrames = 3000

// framesOf plays the recording, if there is one that can be read, into a
// terminal and keeps what it shows: twice a second, and at each command.
func framesOf(dirs []string, session, identity string) ([]review.Frame, error) {
	cast, closer, err := castOf(dirs, session, identity)
	if err != nil {
		return nil, nil // a page without a player is a page
	}
	defer closer.Close()
	p := newPlayback(cast)
	var frames []review.Frame
	last := time.Duration(-1)
	for len(frames) < maxFrames {
		e, err := p.next()
		if err == io.EOF || errors.Is(err, recording.ErrTruncated) {
			return append(frames, review.Frame{At: p.at.Seconds(), Text: p.screen.Text()}), nil
		}
		if err != nil {
			return nil, failWith(exitLog, err, "")
		}
		mark := ""
		if e.Code == "m" {
			mark = e.Data
		}
		if mark != "" || last < 0 || e.At-last >= 500*time.Millisecond {
			frames = append(frames, review.Frame{At: e.At.Seconds(), Mark: mark, Text: p.screen.Text()})
			last = e.At
		}
	}
	return frames, nil
}

// playback is a recording on a terminal of our own: what was recorded reaches
// nobody's real one.
type playback struct {
	cast   *recording.Cast
	screen *screen.Screen
	at     time.Duration
}

func newPlayback(c *recording.Cast) *playback {
	cols, rows := bounded(c.Header.Width, 80), bounded(c.Header.Height, 24)
	return &playback{cast: c, screen: screen.New(cols, rows, screen.Options{})}
}

// bounded keeps a size from a file within reason.
func bounded(n, otherwise int) int {
	if n < 1 || n > 1000 {
		return otherwise
	}
	return n
}

func (p *playback) next() (recording.Event, error) {
	e, err := p.cast.Next()
	if err != nil {
		return e, err
	}
	p.at = e.At
	switch e.Code {
	case "o":
		p.screen.Write([]byte(e.Data))
	case "r":
		var cols, rows int
		if _, err := fmt.Sscanf(e.Data, "%dx%d", &cols, &rows); err == nil {
			p.screen.Resize(bounded(cols, 80), bounded(rows, 24))
		}
	}
	return e, nil
}
