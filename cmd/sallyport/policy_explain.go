package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"sallyport/console/gate"
	"sallyport/policy"
)

type explainOptions struct {
	policyFlags
	host, account, origin, claimed, cwd, dialect, user, at string
	json, stdin                                            bool
}

func newPolicyExplainCommand() *cobra.Command {
	var o explainOptions
	c := &cobra.Command{
		Use:   "explain [flags] -- COMMAND",
		Short: "say how a command would be judged, and why",
		RunE:  func(c *cobra.Command, args []string) error { return o.run(c, args) },
	}
	o.register(c)
	f := c.Flags()
	f.StringVar(&o.host, "host", "", "the `HOST` it goes to")
	f.StringVar(&o.account, "account", "", "the account on it")
	f.StringVar(&o.user, "user", "", "the operator")
	f.StringVar(&o.origin, "origin", "human", "human, copilot, agent, paste, input, run or file")
	f.StringVar(&o.claimed, "claimed", "low", "the risk that a copilot claimed")
	f.StringVar(&o.cwd, "cwd", "", "the folder it runs in")
	f.StringVar(&o.dialect, "dialect", "bash", "bash, posix, mksh, zsh, fish, words or sql")
	f.StringVar(&o.at, "at", "", "the time of the decision (RFC 3339); default is now")
	f.BoolVar(&o.json, "json", false, "print the decision as JSON")
	f.BoolVar(&o.stdin, "stdin", false, "read one command a line, escaped as \\n \\t \\uXXXX, with an optional dialect and tab in front")
	return c
}

// request is the request that the flags describe, without its text.
func (o *explainOptions) request() (policy.Request, error) {
	var r policy.Request
	var err error
	if r.Origin, err = policy.ParseOrigin(o.origin); err != nil {
		return r, err
	}
	if r.Claimed, err = policy.ParseRisk(o.claimed); err != nil {
		return r, err
	}
	if r.Dialect, err = policy.ParseDialect(o.dialect); err != nil {
		return r, err
	}
	r.At = time.Now()
	if o.at != "" {
		if r.At, err = time.Parse(time.RFC3339, o.at); err != nil {
			return r, fmt.Errorf("--at: %w", err)
		}
	}
	r.Cwd, r.User = o.cwd, o.user
	if o.host != "" {
		r.Targets = []policy.Target{{Asked: o.host, HostName: o.host, Account: o.account}}
	}
	return r, nil
}

func (o *explainOptions) run(c *cobra.Command, args []string) error {
	if o.stdin != (len(args) == 0) {
		return failWith(exitUsage, fmt.Errorf("give either a command behind -- or --stdin"), c.CommandPath()+" -- 'rm -rf /tmp/x'")
	}
	r, err := o.request()
	if err != nil {
		return failWith(exitUsage, err, c.CommandPath()+" --help")
	}
	set, _, err := loadPolicy(o.policyFlags)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(c.OutOrStdout())
	defer out.Flush()
	if o.stdin {
		return o.lines(c.InOrStdin(), out, set, r)
	}
	r.Text = strings.Join(args, " ")
	return o.print(out, set, set.Decide(r), r.Text)
}

func (o *explainOptions) print(out io.Writer, set *policy.Set, d policy.Decision, text string) error {
	if o.json {
		return json.NewEncoder(out).Encode(d)
	}
	_, err := io.WriteString(out, d.Explain(text)+bound(set, d, text))
	return err
}

// bound says what the console asks beside: about a line that binds code.
func bound(set *policy.Set, d policy.Decision, text string) string {
	what := gate.BindsCode(text, d.Facts)
	if len(what) == 0 {
		return ""
	}
	return fmt.Sprintf("  at a prompt: what it changes (%s) can run later with nobody looking: [prompt] user_code = %q\n", strings.Join(what, ", "), set.UserCode())
}

// lines judges one command a line and answers one object a line.
func (o *explainOptions) lines(in io.Reader, out *bufio.Writer, set *policy.Set, r policy.Request) error {
	scan := bufio.NewScanner(in)
	scan.Buffer(make([]byte, 64<<10), 8<<20)
	for scan.Scan() {
		one, line := r, scan.Text()
		if name, rest, ok := strings.Cut(line, "\t"); ok {
			if d, err := policy.ParseDialect(name); err == nil {
				one.Dialect, line = d, rest
			}
		}
		text, err := policy.Unescape(line)
		if err != nil {
			return failWith(exitUsage, err, "write a backslash as \\\\")
		}
		one.Text = text
		if err := o.print(out, set, set.Decide(one), text); err != nil {
			return err
		}
	}
	return scan.Err()
}
