package copilot

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"

	"github.com/google/shlex"
	"github.com/mark3labs/mcp-go/client/transport"

	"sallyport/redact"
)

// dialer is the way to Linus that the configuration names, nil if it names none.
func (c Config) dialer() (dialer, error) {
	switch {
	case c.Command != "" && c.URL != "":
		return nil, errors.New("[copilot] has both command and url: leave one out")
	case c.Command != "":
		return c.commandDialer()
	case c.URL != "":
		return c.urlDialer()
	default:
		return nil, nil
	}
}

// command starts Linus as a child.
type command struct {
	argv   []string
	env    []string
	stderr string
	label  string
}

func (c Config) commandDialer() (dialer, error) {
	words, err := shlex.Split(c.Command)
	if err != nil {
		return nil, fmt.Errorf("[copilot] command: %w", err)
	}
	if len(words) == 0 {
		return nil, errors.New("[copilot] command is empty")
	}
	return command{
		argv: slices.Concat(c.Sandbox, words), env: c.Env, stderr: c.Stderr, label: "command " + c.Command,
	}, nil
}

func (c command) kind() string { return "stdio" }
func (c command) name() string { return c.label }

func (c command) dial() (transport.Interface, error) {
	stderr, err := openCapped(c.stderr)
	if err != nil {
		return nil, err
	}
	return newStdio(&process{argv: c.argv, env: childEnv(c.env, os.LookupEnv), stderr: stderr}), nil
}

// remote reaches Linus by streamable HTTP.
type remote struct {
	url   *url.URL
	token func() (string, error)
	learn *redact.Redactor
	log   *slog.Logger
}

func (c Config) urlDialer() (dialer, error) {
	u, err := url.Parse(c.URL)
	if err != nil {
		return nil, errors.New("[copilot] url is not a URL")
	}
	switch {
	case u.User != nil:
		return nil, errors.New("[copilot] url holds a user or password: use token_file")
	case u.Host == "" || u.Scheme != "https" && u.Scheme != "http":
		return nil, errors.New("[copilot] url is not an https URL")
	case u.Scheme == "http" && !loopback(u.Hostname()):
		return nil, errors.New("[copilot] url is http and not on this machine: what is sent could be read on the way; use https")
	case c.TokenFile != "" && c.TokenEnv != "":
		return nil, errors.New("[copilot] has both token_file and token_env: leave one out")
	}
	return remote{url: u, token: c.bearer, learn: c.Redactor, log: c.Log}, nil
}

func loopback(host string) bool {
	if host == "localhost" {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}

// maxToken bounds a bearer token.
const maxBearer = 16 << 10

// bearer reads the token, "" if none is configured.
func (c Config) bearer() (string, error) {
	var token string
	switch {
	case c.TokenFile != "":
		raw, err := readSmall(c.TokenFile, maxBearer)
		if err != nil {
			return "", fmt.Errorf("cannot read the copilot's token: %w", err)
		}
		token = strings.TrimSpace(raw)
	case c.TokenEnv != "":
		token = strings.TrimSpace(os.Getenv(c.TokenEnv))
	default:
		return "", nil
	}
	if token == "" || strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return "", errors.New("the copilot's token is empty or not one word")
	}
	return token, nil
}

func readSmall(path string, limit int64) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	raw, err := io.ReadAll(io.LimitReader(f, limit))
	return string(raw), err
}

func (r remote) kind() string { return "http" }
func (r remote) name() string { return "url " + r.url.String() }

func (r remote) dial() (transport.Interface, error) {
	token, err := r.token()
	if err != nil {
		return nil, err
	}
	headers := map[string]string{}
	if token != "" {
		r.learn.Learn([]byte(token))
		headers["Authorization"] = "Bearer " + token
	}
	return transport.NewStreamableHTTP(r.url.String(),
		transport.WithHTTPBasicClient(newHTTPClient()), transport.WithHTTPHeaders(headers),
		transport.WithHTTPLogger(r.log))
}

func newHTTPClient() *http.Client {
	base := http.DefaultTransport.(*http.Transport).Clone()
	return &http.Client{
		Transport:     boundedReplies{base},
		CheckRedirect: func(*http.Request, []*http.Request) error { return errRedirect },
	}
}

var errRedirect = errors.New("the copilot's server redirects: set [copilot] url to where it is")

// boundedReplies gives replies that fail after MaxReply bytes.
type boundedReplies struct{ http.RoundTripper }

func (b boundedReplies) RoundTrip(r *http.Request) (*http.Response, error) {
	res, err := b.RoundTripper.RoundTrip(r)
	if err != nil {
		var dial *net.OpError
		if errors.As(err, &dial) && dial.Op == "dial" {
			return nil, fmt.Errorf("%w: %w", errUnsent, err)
		}
		return nil, err
	}
	res.Body = &boundedBody{ReadCloser: res.Body, left: MaxReply}
	return res, nil
}

type boundedBody struct {
	io.ReadCloser
	left int
}

func (b *boundedBody) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, fmt.Errorf("the copilot's reply is longer than %d bytes", MaxReply)
	}
	n, err := b.ReadCloser.Read(p[:min(len(p), b.left)])
	b.left -= n
	return n, err
}
