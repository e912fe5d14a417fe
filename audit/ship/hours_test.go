package ship

import (
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"path/filepath"
	"runtime"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	collogs "go.opentelemetry.io/proto/otlp/collector/logs/v1"
	"google.golang.org/protobuf/proto"

	"sallyport/audit"
	"sallyport/redact"
)

// Here time is a test's own: the collector is a real HTTP server at the other
// end of pipes in memory, and hours pass at once.

var quietLog = log.New(io.Discard, "", 0)

// pipes are a network of one address.
type pipes struct {
	conns chan net.Conn
	done  chan struct{}

	mu   sync.Mutex
	away bool
}

func newPipes() *pipes { return &pipes{conns: make(chan net.Conn), done: make(chan struct{})} }

func (p *pipes) setAway(away bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.away = away
}

func (p *pipes) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	p.mu.Lock()
	away := p.away
	p.mu.Unlock()
	if away {
		return nil, syscall.ECONNREFUSED
	}
	here, there := net.Pipe()
	select {
	case p.conns <- there:
		return here, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Accept, Close and Addr make it a net.Listener.
func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.done:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error   { close(p.done); return nil }
func (p *pipes) Addr() net.Addr { return &net.UnixAddr{Name: "pipes"} }

// patient is a log with a shipper that follows it, and a collector.
type patient struct {
	t    *testing.T
	dir  string
	log  *audit.Log
	net  *pipes
	col  *collector
	ship *Shipper
}

// bubble runs a test with a log and a shipper in a time of their own.
func bubble(t *testing.T, f func(p *patient)) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "audit")
	synctest.Test(t, func(t *testing.T) {
		p := &patient{t: t, dir: dir, net: newPipes(), col: newCollector()}
		var err error
		if p.log, err = audit.Open(audit.Config{Dir: dir}); err != nil {
			t.Fatal(err)
		}
		p.ship, err = New(Config{Dir: dir, Endpoint: Endpoint{URL: "http://collector:4318"}, Log: p.log, Shipped: p.log.Shipped})
		if err != nil {
			t.Fatal(err)
		}
		f(p)
		p.log.Close(context.Background())
	})
}

// follow runs f while the shipper follows the log, and ends that.
func (p *patient) follow(f func()) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { p.ship.Follow(ctx); close(done) }()
	f()
	cancel()
	<-done
	p.ship.Close()
}

// inBubble is bubble with a collector that speaks HTTP.
func inBubble(t *testing.T, f func(p *patient)) {
	t.Helper()
	bubble(t, func(p *patient) {
		var busy sync.WaitGroup // time stands still once the test has ended: a handler that sleeps would never wake
		srv := &http.Server{ErrorLog: quietLog, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			busy.Add(1)
			defer busy.Done()
			p.col.ServeHTTP(w, r)
		})}
		go srv.Serve(p.net)
		transport := p.ship.client.(*httpClient).c.Transport.(*http.Transport)
		transport.DialContext, transport.Proxy = p.net.dial, nil
		p.follow(func() { f(p) })
		srv.Close()
		busy.Wait()
	})
}

// answers sets what the collector does; it is called with the collector's lock
// held, after a look at what the cursor claims.
func (p *patient) answers(f func(n int, w http.ResponseWriter) bool) {
	p.col.mu.Lock()
	defer p.col.mu.Unlock()
	p.col.script = func(n int, _ *collogs.ExportLogsServiceRequest, w http.ResponseWriter) bool {
		p.col.claims(p.t, p.dir)
		return f(n, w)
	}
}

// send records a command: whatever the collector does, that takes no time.
func (p *patient) send(n int) {
	p.t.Helper()
	id, err := redact.ID(fmt.Sprintf("run-%d", n))
	if err != nil {
		p.t.Fatal(err)
	}
	began := time.Now()
	if _, err := p.log.Append(context.Background(), audit.Intent[redact.Text]{Command: id}); err != nil {
		p.t.Fatal(err)
	}
	if took := time.Since(began); took > 100*time.Millisecond {
		p.t.Errorf("a send waited %v", took)
	}
}

// minuteOfWork sends a command a second; all of it arrives within half an hour.
func (p *patient) minuteOfWork() {
	for i := range 60 {
		p.send(i)
		time.Sleep(time.Second)
	}
	p.arrived(30*time.Minute + 17*time.Second)
}

// arrived waits until nothing is owed any more, and demands every record.
func (p *patient) arrived(within time.Duration) {
	p.t.Helper()
	time.Sleep(within)
	synctest.Wait()
	p.col.mu.Lock()
	defer p.col.mu.Unlock()
	p.col.claims(p.t, p.dir)
	have := map[string]bool{}
	for _, b := range p.col.held {
		have[b] = true
	}
	lost := 0
	lines := linesOf(p.t, p.log.Status().Path)
	for _, l := range lines {
		if !have[l] {
			lost++
		}
	}
	if lost > 0 {
		p.t.Errorf("%d of %d records did not arrive in %v", lost, len(lines), within)
	}
}

// TestEightHoursAway: the collector comes back after eight hours and has it all
// two minutes later (four over gRPC, which has a back-off of its own). Meanwhile
// no send waited, and memory did not grow.
func TestEightHoursAway(t *testing.T) {
	t.Run(HTTP, func(t *testing.T) {
		inBubble(t, func(p *patient) { p.awayForHours(2*time.Minute + 17*time.Second) })
	})
	t.Run(GRPC, func(t *testing.T) {
		bubble(t, func(p *patient) {
			defer p.overGRPC(&grpcCollector{collector: p.col}, nil)()
			p.follow(func() { p.awayForHours(4*time.Minute + 17*time.Second) })
			synctest.Wait()
		})
	})
}

func (p *patient) awayForHours(comes time.Duration) {
	p.t.Helper()
	p.net.setAway(true)
	var early, late uint64
	for minute := range 8 * 60 {
		p.send(minute)
		time.Sleep(time.Minute)
		switch minute {
		case 60:
			early = heap()
		case 8*60 - 1:
			late = heap()
		}
	}
	if late > early+2<<20 {
		p.t.Errorf("the heap grew from %d to %d bytes", early, late)
	}
	st := p.ship.Status()
	if st.Error == nil || st.Age < 7*time.Hour || st.Backlog < 8*60 || st.Shipped != 0 {
		p.t.Errorf("%+v", st)
	}
	p.net.setAway(false)
	p.arrived(comes)
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// TestASlowCollectorHoldsNobodyUp: it stalls, trickles or asks for patience;
// sends go on, everything arrives, and nothing is claimed before that.
func TestASlowCollectorHoldsNobodyUp(t *testing.T) {
	for _, c := range []struct {
		name   string
		script func(n int, w http.ResponseWriter) bool
	}{
		{"stalls for 10 s, every other time", func(n int, _ http.ResponseWriter) bool {
			if n%2 == 1 {
				time.Sleep(10 * time.Second)
			}
			return false
		}},
		{"stalls for ever, three times", func(n int, _ http.ResponseWriter) bool {
			if n <= 3 {
				time.Sleep(20 * time.Minute)
			}
			return false
		}},
		{"answers one byte a second, three times", func(n int, w http.ResponseWriter) bool {
			return n <= 3 && trickle(w)
		}},
		{"503 with Retry-After: 300", func(n int, w http.ResponseWriter) bool {
			w.Header().Set("Retry-After", "300")
			return n <= 2 && code(w, 503)
		}},
		{"429 with a date", func(n int, w http.ResponseWriter) bool {
			w.Header().Set("Retry-After", time.Now().UTC().Add(2*time.Minute).Format(http.TimeFormat))
			return n <= 2 && code(w, 429)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			inBubble(t, func(p *patient) {
				p.answers(func(n int, w http.ResponseWriter) bool {
					p.col.mu.Unlock() // the next request may come while this one stalls
					defer p.col.mu.Lock()
					return c.script(n, w)
				})
				p.minuteOfWork()
			})
		})
	}
}

// trickle gives a whole good answer, a byte a second.
func trickle(w http.ResponseWriter) bool {
	b, err := proto.Marshal(&collogs.ExportLogsServiceResponse{PartialSuccess: &collogs.ExportLogsPartialSuccess{ErrorMessage: "a warning of more than ten bytes, and then some"}})
	if err != nil {
		return false
	}
	for i := range b {
		if _, err := w.Write(b[i : i+1]); err != nil {
			break
		}
		w.(http.Flusher).Flush()
		time.Sleep(time.Second)
	}
	return true
}

// TestRetryAfterIsHeeded: not a request before the time is over.
func TestRetryAfterIsHeeded(t *testing.T) {
	inBubble(t, func(p *patient) {
		var at []time.Time
		p.answers(func(n int, w http.ResponseWriter) bool {
			at = append(at, time.Now())
			w.Header().Set("Retry-After", "300")
			return n == 1 && code(w, 503)
		})
		p.arrived(10*time.Minute + 17*time.Second)
		p.col.mu.Lock()
		defer p.col.mu.Unlock()
		if len(at) < 2 || at[1].Sub(at[0]) < 300*time.Second || at[1].Sub(at[0]) > 310*time.Second {
			t.Errorf("requests at %v", at)
		}
	})
}
