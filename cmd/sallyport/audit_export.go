package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"filippo.io/age"
	"github.com/spf13/cobra"

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
	f.StringVar(&format, "format", "", "csv, ocsf, or asciicast (of --session)")
	f.StringVarP(&out, "output", "o", "", "file to write; standard output otherwise")
	f.StringVar(&identity, "identity", "", "file with an auditor's age identity, for encrypted recordings")
	c.RunE = func(c *cobra.Command, args []string) error {
		w, done, err := outputTo(c.OutOrStdout(), out)
		if err != nil {
			return failWith(exitFailure, err, "")
		}
		if err := export(w, c.ErrOrStderr(), &q, format, identity, args); err != nil {
			done()
			return err
		}
		return done()
	}
	return c
}

func export(w, stderr io.Writer, q *queryFlags, format, identity string, dirs []string) error {
	query, err := q.query()
	if err != nil {
		return failWith(exitUsage, err, "")
	}
	if format == "asciicast" {
		return exportCast(w, stderr, dirs, query.Session, identity)
	}
	logs, err := openLogs(dirs)
	if err != nil {
		return err
	}
	switch format {
	case "csv":
		return logs.CSV(w, query)
	case "ocsf":
		return logs.OCSF(w, query)
	}
	return failWith(exitUsage, fmt.Errorf("--format %q: csv, ocsf or asciicast", format), "")
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
func exportCast(w, stderr io.Writer, dirs []string, session, identity string) error {
	r, err := openRecording(dirs, session, identity)
	if err != nil {
		return err
	}
	defer r.Close()
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
		return nil, failWith(exitUsage, fmt.Errorf("which session?"), "sallyport audit show lists them")
	}
	dirs = logDirs(dirs)
	for _, d := range dirs {
		base := filepath.Join(d, "recordings", session+".cast")
		if f, err := os.Open(base); err == nil {
			return vouch(f, dirs, session)
		}
		if f, err := os.Open(base + ".age"); err == nil {
			return decrypted(f, dirs, session, identity)
		}
	}
	return nil, failWith(exitLog, fmt.Errorf("no recording of session %s in %s", session, strings.Join(dirs, ", ")), "")
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
