package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"sallyport/console/screen"
	"sallyport/redact"
	"sallyport/redact/measure"
)

// redactOptions are the flags of the filter.
type redactOptions struct {
	view string
	json bool
}

func newRedactCommand() *cobra.Command {
	var o redactOptions
	cmd := &cobra.Command{
		Use:   "redact [--view screen|stream] [--json] < file",
		Short: "Mask credentials in text",
		Long: "redact copies standard input to standard output and masks the credentials in it.\n" +
			"--view stream keeps a terminal's escape sequences; --view screen gives the lines that 80 columns show of it.\n" +
			"--json takes one {\"text\": …} a line and gives one {\"text\": …, \"spans\": [{\"start\", \"end\", \"kind\"}]} a line.",
		Args: usage(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return o.run(cmd.InOrStdin(), cmd.OutOrStdout())
		},
	}
	cmd.Flags().StringVar(&o.view, "view", "stream", "what the input is: screen or stream")
	cmd.Flags().BoolVar(&o.json, "json", false, "one JSON object a line, each on its own")
	cmd.AddCommand(newRedactTestCommand())
	return cmd
}

func (o *redactOptions) run(in io.Reader, out io.Writer) error {
	if o.view != "screen" && o.view != "stream" {
		return failWith(exitUsage, fmt.Errorf("unknown view %q", o.view), "use --view screen or --view stream")
	}
	w := bufio.NewWriter(out)
	defer w.Flush()
	if o.json {
		return o.lines(in, w)
	}
	if o.view == "screen" {
		return filterScreen(in, w)
	}
	return filterStream(in, w)
}

// filterStream masks bytes as they come. A pause in the input does not hold text back
// for longer than a stream may.
func filterStream(in io.Reader, out *bufio.Writer) error {
	stream := redact.New(redact.Config{}).Target("input").Stream()
	chunks := make(chan []byte)
	failed := make(chan error, 1)
	go readChunks(in, chunks, failed)
	expire := time.NewTimer(maxPause)
	for {
		select {
		case p, ok := <-chunks:
			if !ok {
				out.WriteString(stream.Flush().String())
				return errors.Join(<-failed, out.Flush())
			}
			out.WriteString(stream.Write(p).String())
		case <-expire.C:
			out.WriteString(stream.Expire().String())
		}
		expire.Reset(maxPause)
		if err := out.Flush(); err != nil {
			return err
		}
	}
}

const maxPause = 2 * time.Second

func readChunks(in io.Reader, chunks chan<- []byte, failed chan<- error) {
	defer close(chunks)
	for {
		p := make([]byte, 64<<10)
		n, err := in.Read(p)
		if n > 0 {
			chunks <- p[:n]
		}
		if err != nil {
			if errors.Is(err, io.EOF) {
				err = nil
			}
			failed <- err
			return
		}
	}
}

// filterScreen masks what an emulator shows of the input.
func filterScreen(in io.Reader, out *bufio.Writer) error {
	text, err := io.ReadAll(in)
	if err != nil {
		return err
	}
	t, _ := redact.New(redact.Config{}).Cells(shown(string(text)))
	_, err = out.WriteString(t.String() + "\n")
	return err
}

// shown gives the logical lines that a terminal of 80 columns shows of text.
func shown(text string) redact.Line {
	rows := strings.Count(text, "\n") + len(text)/columns80 + 1
	s := screen.New(columns80, 24, screen.Options{Scrollback: rows})
	s.Write([]byte(lineFeeds.Replace(strings.TrimRight(text, "\r\n"))))
	return redact.Lines(s.Tail(rows + 24)...)
}

const columns80 = 80

// lineFeeds makes of a file's line ends what a terminal gets to see of them.
var lineFeeds = strings.NewReplacer("\r\n", "\r\n", "\n", "\r\n")

// jsonSpan is a finding as --json gives it.
type jsonSpan struct {
	Start int    `json:"start"`
	End   int    `json:"end"`
	Kind  string `json:"kind"`
}

// lines masks JSON objects, one a line, each on its own.
func (o *redactOptions) lines(in io.Reader, out *bufio.Writer) error {
	dec := json.NewDecoder(bufio.NewReader(in))
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	for n := 1; ; n++ {
		var c struct {
			Text string `json:"text"`
		}
		if err := dec.Decode(&c); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return failWith(exitFailure, fmt.Errorf("object %d: %w", n, err), `give one {"text": "…"} a line`)
		}
		text, found := o.maskOne(c.Text)
		if err := enc.Encode(struct {
			Text  redact.Text `json:"text"`
			Spans []jsonSpan  `json:"spans"`
		}{text, spansOf(found)}); err != nil {
			return err
		}
		if err := out.Flush(); err != nil {
			return err
		}
	}
}

func (o *redactOptions) maskOne(text string) (redact.Text, redact.Findings) {
	r := redact.New(redact.Config{})
	t, found := r.Text(text)
	if o.view == "screen" { // the findings' places are in the input all the same
		t, _ = r.Cells(shown(text))
	}
	return t, found
}

func spansOf(found redact.Findings) []jsonSpan {
	spans := make([]jsonSpan, len(found))
	for i, f := range found {
		spans[i] = jsonSpan{f.Start, f.End, f.Kind}
	}
	return spans
}

func newRedactTestCommand() *cobra.Command {
	var view string
	cmd := &cobra.Command{
		Use:   "test CASES.jsonl",
		Short: "Measure recall and precision on cases",
		Long: "test reads {\"text\", \"secrets\": […], \"optional\": […], \"kind\", \"source\"} a line and prints recall, precision and what was missed.\n" +
			"A secret counts as masked when no run of four of its characters is left clear.",
		Args: usage(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			f, err := os.Open(args[0])
			if err != nil {
				return err
			}
			defer f.Close()
			return runCases(f, cmd.OutOrStdout(), redactOptions{view: view})
		},
	}
	cmd.Flags().StringVar(&view, "view", "stream", "how the texts are seen: screen or stream")
	return cmd
}

func runCases(in io.Reader, out io.Writer, o redactOptions) error {
	cases, err := measure.Read(in)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(out)
	measure.Print(w, measure.Run(cases, func(text string) redact.Findings {
		_, found := o.maskOne(text)
		return found
	}, w))
	return w.Flush()
}
