package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"filippo.io/age"
	"github.com/spf13/cobra"

	"sallyport/audit/layout"
	"sallyport/audit/recording"
)

func newAuditExport() *cobra.Command {
	var q queryFlags
	var format, out, identity string
	c := &cobra.Command{
		Use:   "export --format csv|ocsf|asciicast [DIR...]",
		Short: "records as CSV or OCSF, a session's recording as asciicast",
	}
	q.register(c)
	f := c.Flags()
	f.StringVar(&format, "format", "", "`FORMAT`: csv, ocsf, or asciicast (of --session)")
	f.StringVarP(&out, "output", "o", "", "`FILE` to write; standard output otherwise")
	f.StringVar(&identity, "identity", "", "`FILE` with an auditor's age identity, for encrypted recordings")
	c.RunE = func(c *cobra.Command, args []string) error {
		write, closer, err := exporter(c, &q, format, identity, logDirs(args))
		if err != nil {
			return err
		}
		defer closer()
		w, done, err := outputTo(c.OutOrStdout(), out)
		if err != nil {
			return failWith(exitFailure, err, "")
		}
		if err := write(w); err != nil {
			done()
			return err
		}
		return done()
	}
	return c
}

// exporter finds what is to be written before a file is made for it.
func exporter(c *cobra.Command, q *queryFlags, format, identity string, dirs []string) (write func(io.Writer) error, done func() error, err error) {
	query, err := q.query()
	if err != nil {
		return nil, nil, failWith(exitUsage, err, c.CommandPath()+" --help")
	}
	if format != "csv" && format != "ocsf" && format != "asciicast" {
		return nil, nil, failWith(exitUsage, fmt.Errorf("--format %q: csv, ocsf or asciicast", format), c.CommandPath()+" --help")
	}
	logs, err := openLogs(dirs)
	if err != nil {
		return nil, nil, err
	}
	look(c, logs, dirs)
	done = func() error { return nil }
	switch format {
	case "csv":
		return func(w io.Writer) error { return logs.CSV(w, query) }, done, nil
	case "ocsf":
		return func(w io.Writer) error { return logs.OCSF(w, query) }, done, nil
	}
	r, err := openRecording(dirs, query.Session, identity)
	if err != nil {
		return nil, nil, err
	}
	return func(w io.Writer) error { return exportCast(w, c.ErrOrStderr(), r) }, r.Close, nil
}

// outputTo is standard output, or a new file.
func outputTo(stdout io.Writer, path string) (io.Writer, func() error, error) {
	if path == "" {
		return stdout, func() error { return nil }, nil
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return nil, nil, err
	}
	return f, f.Close, nil
}

// exportCast writes a recording as asciinema plays it, as far as the log bears
// it out.
func exportCast(w, stderr io.Writer, r *vouched) error {
	r.warn(stderr)
	if _, err := io.Copy(w, r); err != nil {
		return failWith(exitLog, fmt.Errorf("recording: %w", err), "what could be read was written")
	}
	return nil
}

// openRecording finds a session's recording in the folders, and decrypts it
// if it must be.
func openRecording(dirs []string, session, identity string) (*vouched, error) {
	if session == "" || session != filepath.Base(session) {
		return nil, failWith(exitUsage, fmt.Errorf("which session? --session wants one"), "sallyport audit show lists them")
	}
	for _, d := range dirs {
		if f, err := os.Open(filepath.Join(d, layout.RecordingFile(session, false))); err == nil {
			return vouch(f, dirs, session)
		}
		if f, err := os.Open(filepath.Join(d, layout.RecordingFile(session, true))); err == nil {
			return decrypted(f, dirs, session, identity)
		}
	}
	return nil, failWith(exitFailure, fmt.Errorf("no recording of session %s in %s", session, strings.Join(dirs, ", ")), "sallyport audit show lists the sessions; with a daemon the recordings are in the console's own folder: name both")
}

func decrypted(f *os.File, dirs []string, session, identity string) (*vouched, error) {
	if identity == "" {
		f.Close()
		return nil, failWith(exitLog, fmt.Errorf("%s is encrypted to the auditors", f.Name()), "give an auditor's age identity with --identity FILE")
	}
	key, err := os.Open(identity)
	if err != nil {
		f.Close()
		return nil, failWith(exitLog, err, "")
	}
	defer key.Close()
	ids, err := age.ParseIdentities(key)
	if err != nil {
		f.Close()
		return nil, failWith(exitLog, fmt.Errorf("%s: %w", identity, err), "")
	}
	v, err := vouch(f, dirs, session)
	if err != nil {
		f.Close()
		return nil, failWith(exitLog, err, "")
	}
	v.Reader = recording.Open(v.Reader, ids...)
	return v, nil
}

// castOf reads a session's recording event by event.
func castOf(dirs []string, session, identity string) (*recording.Cast, *vouched, error) {
	r, err := openRecording(dirs, session, identity)
	if err != nil {
		return nil, nil, err
	}
	c, err := recording.Read(r)
	if err != nil {
		r.Close()
		return nil, nil, failWith(exitLog, err, "")
	}
	return c, r, nil
}
