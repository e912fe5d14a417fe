package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"sallyport/audit"
	"sallyport/audit/review"
	"sallyport/console/safetext"
)

// queryFlags are the flags that select records.
type queryFlags struct {
	review.Query
	risk, since, until string
}

func (q *queryFlags) register(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&q.User, "user", "", "the operator's account, as `NAME`")
	f.StringVar(&q.Host, "host", "", "the `HOST` as it was asked for, with or without domain")
	f.StringVar(&q.Session, "session", "", "records of this session: `ID`")
	f.StringVar(&q.risk, "risk", "", "at least this `RISK`: low, medium or high")
	f.StringVar(&q.Event, "event", "", "an `EVENT`, or a group such as command")
	f.StringVar(&q.Rule, "rule", "", "`ID` of a policy rule that matched")
	f.StringVar(&q.Text, "text", "", "`WORDS` somewhere in the record")
	f.StringVar(&q.since, "since", "", "`TIME`: 2026-11-30, 2026-11-30T12:00:00Z, or 24h ago as 24h")
	f.StringVar(&q.until, "until", "", "`TIME`, as --since")
}

func (q *queryFlags) query() (review.Query, error) {
	switch r := audit.Risk(q.risk); r {
	case "", audit.RiskLow, audit.RiskMedium, audit.RiskHigh:
		q.Risk = r
	default:
		return q.Query, fmt.Errorf("--risk %q: low, medium or high", q.risk)
	}
	if !knownEvent(q.Event) {
		return q.Query, fmt.Errorf("--event %q: there is none of this name; one is command.intent, a group is command", q.Event)
	}
	var err error
	if q.Since, err = parseMoment(q.since); err != nil {
		return q.Query, err
	}
	q.Until, err = parseMoment(q.until)
	return q.Query, err
}

// knownEvent says that there is such an event, or group of events.
func knownEvent(name string) bool {
	return name == "" || slices.ContainsFunc(audit.Kinds(), func(k audit.Kind) bool {
		return string(k) == name || strings.HasPrefix(string(k), name+".")
	})
}

// parseMoment takes a day, a time, or how long ago.
func parseMoment(s string) (time.Time, error) {
	if s == "" {
		return time.Time{}, nil
	}
	if ago, err := time.ParseDuration(s); err == nil {
		return time.Now().Add(-ago), nil
	}
	t, err := parseDay(s)
	if err != nil {
		return t, fmt.Errorf("%q is neither a day, nor a time (RFC 3339), nor how long ago", s)
	}
	return t, nil
}

func newAuditSearch() *cobra.Command {
	var q queryFlags
	var asJSON bool
	c := &cobra.Command{
		Use:   "search [WORD...] [DIR...]",
		Short: "records by user, host, session, risk, time, event, rule or text",
		Long: "Prints the records that hold WORD (or --text), and what the flags ask for. An\n" +
			"argument that is there as a folder or a file, or is written like one, is where\n" +
			"to look.",
	}
	q.register(c)
	flagged := auditDirs(c)
	c.Flags().BoolVar(&asJSON, "json", false, "the records as they stand, one a line")
	c.RunE = func(c *cobra.Command, args []string) error {
		text, named := wordsAndDirs(args)
		named = append(named, *flagged...)
		query, err := q.query()
		if err == nil && text != "" && q.Text != "" {
			err = fmt.Errorf("%q and --text %q: one of them", text, q.Text)
		}
		if err != nil {
			return failWith(exitUsage, err, c.CommandPath()+" --help")
		}
		query.Text = cmp.Or(query.Text, text)
		dirs := logDirs(named)
		logs, err := openLogs(dirs)
		if err != nil {
			return err
		}
		look(c, logs, dirs)
		return printFound(c, logs, query, asJSON)
	}
	return c
}

func printFound(c *cobra.Command, logs *review.Logs, query review.Query, asJSON bool) error {
	out, n := folded(c.OutOrStdout(), foundIndent), 0
	if asJSON {
		out = c.OutOrStdout()
	}
	for r, err := range logs.Search(query) {
		if err != nil {
			return failWith(exitLog, err, "")
		}
		if err := printRecord(out, r, asJSON); err != nil {
			return err
		}
		n++
	}
	if n == 0 {
		fmt.Fprintln(c.ErrOrStderr(), "sallyport: no record is like that")
	}
	return nil
}

// foundIndent is where the lines go on of a record that is longer than one: below
// the operator.
const foundIndent = 21

// wordsAndDirs tells what to search for from where to look.
func wordsAndDirs(args []string) (text string, dirs []string) {
	var words []string
	for _, a := range args {
		if _, err := os.Stat(a); err == nil || strings.ContainsRune(a, filepath.Separator) {
			dirs = append(dirs, a)
			continue
		}
		words = append(words, a)
	}
	return strings.Join(words, " "), dirs
}

// openLogs opens the logs in the folders.
func openLogs(dirs []string) (*review.Logs, error) {
	logs, err := review.Open(dirs...)
	if err != nil {
		return nil, failWith(exitLog, err, "name the folder of the logs")
	}
	return logs, nil
}

func printRecord(out io.Writer, r audit.Record, asJSON bool) error {
	if asJSON {
		return json.NewEncoder(out).Encode(r)
	}
	user, host := "-", "-"
	if r.Actor != nil {
		user = r.Actor.User
	}
	if r.Target != nil {
		host = r.Target.Host
	}
	_, err := fmt.Fprintf(out, "%s  %-10s %-16s %-16s %5d  %-20s %s\n", r.Time.Format(time.DateTime),
		safetext.Line(user), safetext.Line(host), cmp.Or(safetext.Line(string(r.Session)), "-"), r.Seq, r.Event, safetext.Line(review.Summary(r)))
	return err
}
