package linus

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/netip"
	"os"
	"runtime/debug"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/server"

	"sallyport/console/runbook"
	"sallyport/console/runbook/mcpserver"
	"sallyport/console/runbook/model"
)

// options are the flags.
type options struct {
	runbooks string
	http     string
	keep     string

	model     string
	modelName string
	keyFile   string
	plainHTTP bool
}

func parseFlags(args []string, errs io.Writer) (options, error) {
	var o options
	f := flag.NewFlagSet("linus", flag.ContinueOnError)
	f.SetOutput(errs)
	f.StringVar(&o.runbooks, "runbooks", "", "folder with runbooks (*.toml) in place of those that are built in")
	f.StringVar(&o.http, "http", "", "serve streamable HTTP on this loopback `address`, as 127.0.0.1:7333")
	f.StringVar(&o.keep, "transcript", "", "append every byte received on standard input to this `file`")
	f.StringVar(&o.model, "model", "", "`URL` of an OpenAI-compatible server, as http://127.0.0.1:11434/v1")
	f.StringVar(&o.modelName, "model-name", "", "the model to ask")
	f.StringVar(&o.keyFile, "api-key-file", "", "file with the server's API key")
	f.BoolVar(&o.plainHTTP, "insecure-model-over-plain-http", false, "allow http to another machine: what hosts print can be read on the way")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	if f.NArg() > 0 {
		return o, fmt.Errorf("what is %q? linus takes flags only (see --help)", f.Arg(0))
	}
	return o, o.check()
}

func (o options) check() error {
	if o.model == "" && (o.modelName != "" || o.keyFile != "" || o.plainHTTP) {
		return errors.New("--model is missing")
	}
	if o.model != "" && o.modelName == "" {
		return errors.New("--model-name is missing")
	}
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
	a, wait, err := o.answerer(ctx)
	if err != nil {
		return err
	}
	defer wait()
	s := mcpserver.New(a, version())
	if o.http != "" {
		return serveHTTP(ctx, s, o.http, errs)
	}
	if o.keep != "" {
		f, err := os.OpenFile(o.keep, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			return fmt.Errorf("--transcript: %w", err)
		}
		defer f.Close()
		in = io.TeeReader(in, f)
	}
	return mcpserver.ServeStdio(ctx, s, in, out, errs)
}

// answerer gives who answers, and what to call at the end.
func (o options) answerer(ctx context.Context) (a runbook.Answerer, wait func(), err error) {
	books, err := runbook.Load(o.books())
	if err != nil {
		return nil, nil, fmt.Errorf("runbooks: %w", err)
	}
	engine := runbook.NewEngine(books)
	if o.model == "" {
		return engine, func() {}, nil
	}
	key, err := o.key()
	if err != nil {
		return nil, nil, err
	}
	server, err := model.NewServer(model.Config{URL: o.model, Name: o.modelName, Key: key, InsecurePlainHTTP: o.plainHTTP})
	if err != nil {
		return nil, nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	m := model.New(ctx, server, engine)
	return m, func() { cancel(); m.Wait() }, nil
}

// maxKey bounds an API key.
const maxKey = 16 << 10

func (o options) key() (string, error) {
	if o.keyFile == "" {
		return "", nil
	}
	f, err := os.Open(o.keyFile)
	if err != nil {
		return "", fmt.Errorf("--api-key-file: %w", err)
	}
	defer f.Close()
	raw, err := io.ReadAll(io.LimitReader(f, maxKey))
	if err != nil {
		return "", fmt.Errorf("--api-key-file: %w", err)
	}
	key := strings.TrimSpace(string(raw))
	if key == "" || strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return "", fmt.Errorf("--api-key-file: what is in %s is empty or not one word", o.keyFile)
	}
	return key, nil
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
