package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"sallyport/audit"
	"sallyport/audit/durable"
	"sallyport/audit/review"
	"sallyport/console/safetext"
)

func newAuditShow() *cobra.Command {
	var asJSON, all bool
	c := &cobra.Command{
		Use:   "show [SESSION | DIR | FILE]",
		Short: "one session as a timeline; without, the sessions that there are, or that DIR or a log's FILE holds",
		Args:  usage(cobra.MaximumNArgs(1)),
	}
	named := auditDirs(c)
	c.Flags().BoolVar(&all, "all", false, "also what the console and the copilot said to each other, and chunks of the recording")
	c.Flags().BoolVar(&asJSON, "json", false, "the records as they stand, one a line")
	c.RunE = func(c *cobra.Command, args []string) error {
		if len(args) == 1 && (strings.HasSuffix(args[0], ".jsonl") || isDir(args[0])) {
			*named, args = args, nil
		}
		dirs := logDirs(*named)
		logs, err := review.Open(dirs...)
		if err != nil {
			return failWith(exitLog, err, "give the folder with --dir")
		}
		look(c, logs, dirs)
		out := folded(c.OutOrStdout(), showIndent)
		if len(args) == 0 {
			return showSessions(out, logs)
		}
		s, err := logs.Session(args[0])
		var none review.ErrNoSession
		if errors.As(err, &none) {
			return failWith(exitFailure, err, "sallyport audit show lists the sessions")
		}
		if err != nil {
			return failWith(exitLog, err, "")
		}
		if asJSON {
			out = c.OutOrStdout()
		}
		if err := showSession(out, s, asJSON, all); err != nil || asJSON || s.Ended {
			return err
		}
		end := "the end of this session was not recorded"
		if alive(logs.Files(), s.Logs) {
			end = "no end yet: the writer of its log is at work"
		}
		_, err = fmt.Fprintf(out, "          %s\n", end)
		return err
	}
	return c
}

// isDir tells a folder from a session, whose name is none.
func isDir(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// showIndent is where what belongs to a record stands: below its event.
const showIndent = 21

func showSessions(out io.Writer, logs *review.Logs) error {
	sessions, err := logs.Sessions()
	if err != nil {
		return failWith(exitLog, err, "")
	}
	for _, s := range sessions {
		fmt.Fprintf(out, "%s  %-20s  %s on %s, in %s\n", s.Began.Format(time.DateTime), safetext.Line(string(s.ID)),
			safetext.Line(s.Actor.User), safetext.Line(s.Target.Host), fileNames(s.Logs))
	}
	return nil
}

// fileNames are the files of logs.
func fileNames(logs []audit.Name) string {
	names := make([]string, len(logs))
	for i, n := range logs {
		names[i] = safetext.Line(string(n)) + ".jsonl"
	}
	return strings.Join(names, ", ")
}

// alive says that the writer of the last of the logs lives.
func alive(files []string, logs []audit.Name) bool {
	for _, path := range files {
		if len(logs) == 0 || !strings.HasSuffix(path, string(logs[len(logs)-1])+".jsonl") {
			continue
		}
		held, err := durable.OS{}.Held(path)
		return held && err == nil
	}
	return false
}

// aside says that an event tells of no command, and of no change of the session.
func aside(k audit.Kind) bool {
	return k == audit.KindMCPCall || k == audit.KindMCPResult || k == audit.KindRecordingChunk
}

func showSession(out io.Writer, s *review.Session, asJSON, all bool) error {
	if asJSON {
		enc := json.NewEncoder(out)
		for _, e := range s.Entries {
			if err := enc.Encode(e.Record); err != nil {
				return err
			}
		}
		return nil
	}
	fmt.Fprintf(out, "session %s: %s@%s (%s), by %s, from %s\n", s.ID, safetext.Line(s.Target.Account),
		safetext.Line(s.Target.Host), s.Target.Address, safetext.Line(s.Actor.User), s.Began.Format(time.RFC3339))
	fmt.Fprintf(out, "          recorded in %s\n", fileNames(s.Logs))
	left := 0
	for _, e := range s.Entries {
		if aside(e.Event) && !all {
			left++
			continue
		}
		showEntry(out, s, e)
	}
	if left > 0 {
		fmt.Fprintf(out, "          %d records of the copilot's protocol and of the recording are left out: --all\n", left)
	}
	return nil
}

func showEntry(out io.Writer, s *review.Session, e review.Entry) {
	if e.Gap > 0 {
		fmt.Fprintf(out, "          … nothing for %s\n", e.Gap.Round(time.Second))
	}
	fmt.Fprintf(out, "%s  %5d  %-20s %s\n", e.Time.Format("15:04:05.000"), e.Seq, e.Event, safetext.Line(review.Summary(e.Record)))
	if e.Intent != nil {
		showIntent(out, e)
	}
}

func showIntent(out io.Writer, e review.Entry) {
	in := e.Intent
	line := func(format string, args ...any) {
		fmt.Fprintf(out, "%*s"+format+"\n", append([]any{showIndent, ""}, args...)...)
	}
	from := string(in.Origin)
	if in.SuggestionID != "" {
		from += " " + safetext.Line(in.SuggestionID)
	}
	risk := string(in.Risk) + " risk"
	if in.SuggestionID != "" {
		risk += " (claimed " + orNone(string(in.ClaimedRisk)) + ")"
	}
	line("%s, %s, %s, consent %s, evidence %s", from, risk, in.Effect, in.Consent.How, in.Evidence)
	for _, r := range in.Rules {
		line("rule %s (%s:%d)", safetext.Line(r.ID), safetext.Line(r.File), r.Line)
	}
	if in.Edited {
		line("suggested: %s", safetext.Line(in.Suggested))
		line("edit: %s", editLine(review.Edit(in.Suggested, in.Command)))
	}
	showOutcome(line, e.Outcome)
}

func editLine(parts []review.Part) string {
	var b strings.Builder
	for _, p := range parts {
		text := safetext.Line(p.Text)
		switch p.Class {
		case "added":
			text = "[+ " + text + "]"
		case "removed":
			text = "[- " + text + "]"
		}
		b.WriteString(text)
	}
	return b.String()
}

func showOutcome(line func(string, ...any), o *audit.Outcome[string]) {
	if o == nil {
		line("started; no outcome was recorded")
		return
	}
	exit := "exit unknown"
	if o.ExitCode != nil {
		exit = fmt.Sprintf("exit %d", *o.ExitCode)
	}
	line("%s, %s, %s", o.Status, exit, time.Duration(o.DurationMS)*time.Millisecond)
	for l := range strings.Lines(o.OutputTail) {
		line("│ %s", safetext.Line(strings.TrimRight(l, "\r\n")))
	}
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}
