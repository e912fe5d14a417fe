package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"sallyport/audit/ship"
)

// compare asks the receiver what it holds.
func (o *shipOptions) compare(c *cobra.Command, args []string) error {
	loaded, err := loadConfig(c.ErrOrStderr(), nil)
	if err != nil {
		return err
	}
	cfg, err := o.collector.config(loaded, func(m string) { warn(c.ErrOrStderr(), m) })
	if err != nil && !errors.Is(err, ship.ErrNoEndpoint) {
		return failWith(exitConfig, err, c.CommandPath()+" --help")
	}
	asked := asking(cfg.Endpoint, o.reconcile)
	ctx, stop := signal.NotifyContext(c.Context(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	balances, err := ship.Reconcile(ctx, nil, o.dir(loaded, args), ship.VictoriaLogs{Endpoint: asked})
	if err != nil {
		return failWith(exitConnect, err, "the URL is VictoriaLogs' own, as http://host:9428")
	}
	if err := o.show(c.OutOrStdout(), balances); err != nil {
		return err
	}
	for _, b := range balances {
		if !b.Good() {
			return failWith(exitVerify, errors.New("the receiver does not hold what it accepted"), "sallyport audit ship --from RECORD --log FILE")
		}
	}
	return nil
}

// asking is how a receiver is asked. The collector's headers and client
// certificate are for its own host alone; whom to trust holds for every one.
func asking(collector ship.Endpoint, receiver string) ship.Endpoint {
	e := collector
	e.URL, e.Protocol = receiver, ship.HTTP
	if !sameHost(collector.URL, receiver) {
		e.Headers, e.ClientCert, e.ClientKey = nil, "", ""
	}
	return e
}

// sameHost says that what one may read the other may: one host, and no way
// without TLS for what has it now.
func sameHost(a, b string) bool {
	ua, err1 := url.Parse(a)
	ub, err2 := url.Parse(b)
	return err1 == nil && err2 == nil && ua.Hostname() != "" && strings.EqualFold(ua.Hostname(), ub.Hostname()) &&
		!(ua.Scheme == "https" && ub.Scheme != "https")
}

func (o *shipOptions) show(w io.Writer, balances []ship.Balance) error {
	if o.json {
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		return e.Encode(balances)
	}
	for _, b := range balances {
		fmt.Fprintf(w, "%s: %d records, %d held, %d waiting, %d rejected, %d held twice, %d missing, %d foreign\n",
			filepath.Base(b.Path), b.Records, b.Held, b.Waiting, b.Rejected, b.Repeated, b.MissingAll, b.Foreign)
		if len(b.Missing) > 0 {
			fmt.Fprintf(w, "  missing from record %d on: %v\n", b.Missing[0], b.Missing[:min(len(b.Missing), 20)])
		}
	}
	return nil
}
