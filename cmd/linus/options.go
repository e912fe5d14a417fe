package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"log"
	"net"
	"net/http"
	"net/netip"
	"os"
	"runtime/debug"
	"time"

	"github.com/mark3labs/mcp-go/server"

	"sallyport/console/runbook"
	"sallyport/console/runbook/mcpserver"
)

// options are the flags.
type options struct {
	runbooks string
	http     string
}

func parseFlags(args []string, errs io.Writer) (options, error) {
	var o options
	f := flag.NewFlagSet("linus", flag.ContinueOnError)
	f.SetOutput(errs)
	f.StringVar(&o.runbooks, "runbooks", "", "folder with runbooks (*.toml) in place of those that are built in")
	f.StringVar(&o.http, "http", "", "serve streamable HTTP on this loopback `address`, as 127.0.0.1:7333")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	if f.NArg() > 0 {
		return o, fmt.Errorf("what is %q? linus takes flags only (see --help)", f.Arg(0))
	}
	return o, o.check()
}

func (o options) check() error {
	if o.http == "" {
		return nil
	}
	a, err := netip.ParseAddrPort(o.http)
	if err != nil {
		return fmt.Errorf("--http: %w", err)
	}
	if !a.Addr().IsLoopback() {
		return errors.New("--http: only a loopback address is served; put a proxy with TLS and a token in front to reach it from elsewhere")
	}
	return nil
}

func (o options) serve(ctx context.Context, in io.Reader, out, errs io.Writer) error {
	a, err := o.answerer()
	if err != nil {
		return err
	}
	s := mcpserver.New(a, version())
	if o.http != "" {
		return serveHTTP(ctx, s, o.http, errs)
	}
	stdio := server.NewStdioServer(s)
	stdio.SetErrorLogger(log.New(errs, "linus: ", 0))
	return stdio.Listen(ctx, in, out)
}

func (o options) answerer() (runbook.Answerer, error) {
	books, err := runbook.Load(o.books())
	if err != nil {
		return nil, fmt.Errorf("runbooks: %w", err)
	}
	return runbook.NewEngine(books), nil
}

func (o options) books() fs.FS {
	if o.runbooks == "" {
		return runbook.Embedded()
	}
	return os.DirFS(o.runbooks)
}

// shutdownWait is how long answers that are under way may take at the end.
const shutdownWait = 2 * time.Second

func serveHTTP(ctx context.Context, s *server.MCPServer, addr string, errs io.Writer) error {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	mux := http.NewServeMux()
	mux.Handle("/mcp", http.MaxBytesHandler(server.NewStreamableHTTPServer(s), maxRequest))
	web := &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	fmt.Fprintf(errs, "linus: http://%s/mcp\n", l.Addr())
	stopped := context.AfterFunc(ctx, func() {
		bounded, cancel := context.WithTimeout(context.Background(), shutdownWait)
		defer cancel()
		if web.Shutdown(bounded) != nil {
			web.Close()
		}
	})
	defer stopped()
	if err := web.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// maxRequest bounds one call over HTTP.
const maxRequest = 8 << 20

func version() string {
	if b, ok := debug.ReadBuildInfo(); ok && b.Main.Version != "" {
		return b.Main.Version
	}
	return "devel"
}
