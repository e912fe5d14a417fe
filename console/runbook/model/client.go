package model

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"

	"sallyport/console/copilot"
)

// Server is a server of chat completions.
type Server struct {
	endpoint string
	name     string
	key      string
	http     *http.Client
	format   atomic.Int32 // the best format that the server takes
}

// Config says which server, and which of its models.
type Config struct {
	URL  string // as https://host/v1; /chat/completions is added where it is missing
	Name string // of the model
	Key  string // "": none is sent

	// InsecurePlainHTTP allows http to another machine: what the host printed, and the
	// key, can then be read on the way.
	InsecurePlainHTTP bool
}

// The bounds of one exchange.
const (
	maxReply = copilot.MaxReply
	maxError = 300
)

// The ways to ask for JSON, the best first.
const (
	bySchema int32 = iota
	byJSONMode
	byWords
)

// NewServer checks the configuration. It does not connect.
func NewServer(c Config) (*Server, error) {
	u, err := url.Parse(c.URL)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		return nil, errors.New("the model's URL is not an http URL, as https://host/v1")
	case u.User != nil:
		return nil, errors.New("the model's URL holds a user or password: put the key into a file")
	case u.Scheme == "http" && !c.InsecurePlainHTTP && !loopback(u.Hostname()):
		return nil, errors.New("the model's URL is plain http to another machine: what is sent could be read on the way")
	case c.Name == "":
		return nil, errors.New("the model's name is missing")
	}
	if !strings.HasSuffix(u.Path, "/chat/completions") {
		u = u.JoinPath("chat/completions")
	}
	return &Server{endpoint: u.String(), name: c.Name, key: c.Key, http: &http.Client{
		CheckRedirect: func(*http.Request, []*http.Request) error { return errRedirect },
	}}, nil
}

var errRedirect = errors.New("the model's server redirects: give the URL where it is")

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// message is one turn of the conversation.
type message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

type request struct {
	Model       string    `json:"model"`
	Messages    []message `json:"messages"`
	Temperature float64   `json:"temperature"`
	Format      *format   `json:"response_format,omitempty"`
}

type format struct {
	Type   string  `json:"type"`
	Schema *schema `json:"json_schema,omitempty"`
}

type schema struct {
	Name   string          `json:"name"`
	Schema json.RawMessage `json:"schema"`
}

func formatOf(way int32) *format {
	switch way {
	case bySchema:
		return &format{Type: "json_schema", Schema: &schema{Name: "envelope", Schema: copilot.Schema()}}
	case byJSONMode:
		return &format{Type: "json_object"}
	default:
		return nil
	}
}

// complete gives the model's answer. A server that does not take a format is asked
// again with a simpler one, and that is remembered.
func (s *Server) complete(ctx context.Context, talk []message) (string, error) {
	for {
		way := s.format.Load()
		text, err := s.post(ctx, request{Model: s.name, Messages: talk, Temperature: 0.2, Format: formatOf(way)})
		var refused *refusal
		if way == byWords || !errors.As(err, &refused) || !refused.ofTheRequest() {
			return text, err
		}
		s.format.CompareAndSwap(way, way+1)
	}
}

// refusal is an HTTP status that is not 200.
type refusal struct {
	status int
	says   string
}

func (r *refusal) Error() string {
	return fmt.Sprintf("the model's server answers %d: %s", r.status, r.says)
}

// ofTheRequest tells whether the server did not like what was asked, rather than who
// asked or when.
func (r *refusal) ofTheRequest() bool {
	return r.status == http.StatusBadRequest || r.status == http.StatusUnprocessableEntity || r.status == http.StatusNotImplemented
}

func (s *Server) post(ctx context.Context, body request) (string, error) {
	raw, err := json.Marshal(body)
	if err != nil {
		return "", err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.endpoint, bytes.NewReader(raw))
	if err != nil {
		return "", err
	}
	req.Header.Set("Content-Type", "application/json")
	if s.key != "" {
		req.Header.Set("Authorization", "Bearer "+s.key)
	}
	res, err := s.http.Do(req)
	if err != nil {
		return "", fmt.Errorf("the model's server cannot be reached: %w", err)
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(res.Body, maxReply+1))
	switch {
	case err != nil:
		return "", fmt.Errorf("the model's answer broke off: %w", err)
	case len(answer) > maxReply:
		return "", fmt.Errorf("the model's answer is longer than %d bytes", maxReply)
	case res.StatusCode != http.StatusOK:
		return "", &refusal{res.StatusCode, strings.ToValidUTF8(string(answer[:min(len(answer), maxError)]), "")}
	}
	return content(answer)
}

// content takes the text out of an answer.
func content(answer []byte) (string, error) {
	var a struct {
		Choices []struct {
			Message struct {
				Content string `json:"content"`
				Refusal string `json:"refusal"`
			} `json:"message"`
		} `json:"choices"`
	}
	if err := json.Unmarshal(answer, &a); err != nil {
		return "", fmt.Errorf("the model's server answers with something that is not JSON: %w", err)
	}
	switch {
	case len(a.Choices) == 0:
		return "", errors.New("the model's answer is empty")
	case a.Choices[0].Message.Refusal != "":
		return "", fmt.Errorf("the model refuses: %.200s", a.Choices[0].Message.Refusal)
	}
	return a.Choices[0].Message.Content, nil
}
