package copilot

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/mark3labs/mcp-go/server"

	"sallyport/redact"
)

// web is a Linus on loopback that keeps what it is sent.
type web struct {
	*httptest.Server
	mu      sync.Mutex
	auth    []string
	bodies  strings.Builder
	instead http.HandlerFunc // answers calls of tools, if it is not nil
}

func startWeb(t *testing.T) *web {
	t.Helper()
	w := &web{}
	s := server.NewMCPServer("web-linus", "3", server.WithToolCapabilities(false))
	addTools(s)
	mcpHandler := server.NewStreamableHTTPServer(s)
	w.Server = httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.mu.Lock()
		w.auth = append(w.auth, r.Header.Get("Authorization"))
		w.bodies.Write(body)
		instead := w.instead
		w.mu.Unlock()
		if instead != nil && strings.Contains(string(body), "tools/call") {
			instead(rw, r)
			return
		}
		r.Body = io.NopCloser(strings.NewReader(string(body)))
		mcpHandler.ServeHTTP(rw, r)
	}))
	t.Cleanup(w.Close)
	return w
}

func (w *web) authorisations() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return append([]string(nil), w.auth...)
}

func TestOverHTTPWithABearerToken(t *testing.T) {
	token := "tok" + "en-of-the-tests-1234"
	file := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(file, []byte(token+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("LINUS_TOKEN", token)
	for _, c := range []struct {
		name string
		cfg  Config
		want string
	}{
		{"from a file", Config{TokenFile: file}, "Bearer " + token},
		{"from the environment", Config{TokenEnv: "LINUS_TOKEN"}, "Bearer " + token},
		{"none", Config{}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := startWeb(t)
			c.cfg.URL = w.URL + "/mcp"
			k := startWith(t, c.cfg)
			k.session.Chat(redact.Literal("hello"))
			st := k.until(t, "an answer", answered)
			if got := string(st.Chat[len(st.Chat)-1].Text); got != "you said hello" {
				t.Errorf("%q", got)
			}
			if st.Server != "web-linus 3" {
				t.Errorf("server is %q", st.Server)
			}
			for _, got := range w.authorisations() {
				if got != c.want {
					t.Errorf("Authorization: %q", got)
				}
			}
		})
	}
}

func TestATokenThatCannotBeUsed(t *testing.T) {
	dir := t.TempDir()
	write := func(name, content string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, path := range []string{
		filepath.Join(dir, "absent"), write("empty", "\n"), write("two", "a b"), write("lines", "a\nb"), write("binary", "a\x00b"),
	} {
		k := startWith(t, Config{URL: "http://127.0.0.1:1/mcp", TokenFile: path})
		st := k.until(t, "away", func(st State) bool { return st.Reason != "not connected yet" })
		if !strings.Contains(st.Reason, "token") {
			t.Errorf("%s: %s", filepath.Base(path), st.Reason)
		}
	}
}

// TestAWebServerThatMisbehaves ends the connection with a reason, soon.
func TestAWebServerThatMisbehaves(t *testing.T) {
	elsewhere := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		t.Errorf("the redirect was followed, with %q", r.Header.Get("Authorization"))
	}))
	defer elsewhere.Close()
	for _, c := range []struct {
		name, reason string
		instead      http.HandlerFunc
	}{
		{"redirects", "redirects", func(rw http.ResponseWriter, r *http.Request) {
			http.Redirect(rw, r, elsewhere.URL, http.StatusTemporaryRedirect)
		}},
		{"an endless reply", "longer than 4194304 bytes", func(rw http.ResponseWriter, _ *http.Request) {
			rw.Header().Set("Content-Type", "application/json")
			for range 3 * MaxReply / (64 << 10) {
				if _, err := rw.Write(bytes.Repeat([]byte(" "), 64<<10)); err != nil {
					return
				}
			}
		}},
		{"an endless event", "", func(rw http.ResponseWriter, _ *http.Request) {
			rw.Header().Set("Content-Type", "text/event-stream")
			io.WriteString(rw, "data: ")
			for range 3 * MaxReply / (64 << 10) {
				if _, err := rw.Write(bytes.Repeat([]byte(" "), 64<<10)); err != nil {
					return
				}
			}
		}},
		{"an error", "500", func(rw http.ResponseWriter, _ *http.Request) { http.Error(rw, "out of tokens", 500) }},
		{"no JSON", "", func(rw http.ResponseWriter, _ *http.Request) {
			rw.Header().Set("Content-Type", "application/json")
			io.WriteString(rw, "<html>welcome</html>")
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := startWeb(t)
			w.instead = c.instead
			k := startWith(t, Config{URL: w.URL + "/mcp"})
			k.until(t, "online", online)
			k.session.Chat(redact.Literal("hello"))
			st := k.until(t, "the message failed", func(st State) bool { return st.Chat[0].Delivery == Failed })
			if !strings.Contains(st.Chat[0].Reason, c.reason) {
				t.Errorf("reason: %s", st.Chat[0].Reason)
			}
		})
	}
}

func TestAMessageWaitsWhileTheServerIsNotThere(t *testing.T) {
	k := startWith(t, Config{URL: "http://127.0.0.1:1/mcp"})
	if err := k.session.Chat(redact.Literal("hello")); err != nil {
		t.Fatal(err)
	}
	st := k.until(t, "away", func(st State) bool { return strings.Contains(st.Reason, "refused") })
	if st.Queued != 1 || st.Chat[0].Delivery != Queued {
		t.Errorf("%+v", st)
	}
}
