// Package collector tests delivery of the log into receivers that people run:
// an OpenTelemetry Collector and VictoriaLogs. `make collectors` builds both,
// `make test-collectors` runs this.
package collector

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"sallyport/audit/durable/durabletest"
)

// built finds the folder of the receivers.
func built(t *testing.T) string {
	t.Helper()
	out, err := exec.Command("./build", "--where").Output()
	if err != nil {
		t.Skip("needs: collectors (make collectors)")
	}
	return strings.TrimSpace(string(out))
}

// process is a receiver that can be killed and begun again where it was.
type process struct {
	t    *testing.T
	make func() *exec.Cmd
	up   string // URL that answers when it is ready
	cmd  *exec.Cmd
	log  bytes.Buffer
}

func (p *process) begin() {
	p.t.Helper()
	p.cmd = p.make()
	p.cmd.Stdout, p.cmd.Stderr = &p.log, &p.log
	if err := p.cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
}

// ready waits until it answers anything at all.
func (p *process) ready() {
	p.t.Helper()
	await(p.t, "an answer of "+filepath.Base(p.cmd.Path), func() bool {
		resp, err := http.Get(p.up)
		if err != nil {
			return false
		}
		resp.Body.Close()
		return true
	})
}

func (p *process) kill() {
	p.cmd.Process.Kill()
	p.cmd.Wait() //nolint:errcheck // it was killed
}

func await(t *testing.T, what string, cond func() bool) {
	t.Helper()
	durabletest.WaitWithin(t, 2*time.Minute, what, cond)
}

// freePort gives a port that nobody listens on now. It is below those that the
// kernel gives to clients, so that nobody takes it while its owner is dead.
func freePort(t *testing.T) int {
	t.Helper()
	for range 100 {
		port := 20000 + rand.IntN(12000)
		l, err := net.Listen("tcp", "127.0.0.1:"+strconv.Itoa(port))
		if err == nil {
			l.Close()
			return port
		}
	}
	t.Fatal("no free port")
	return 0
}

// victoria is VictoriaLogs.
type victoria struct {
	*process
	port int
}

func newVictoria(t *testing.T, bin string) *victoria {
	t.Helper()
	dir := t.TempDir()
	v := &victoria{port: freePort(t)}
	v.process = &process{t: t, up: v.url("/health"), make: func() *exec.Cmd {
		return exec.Command(filepath.Join(bin, "victoria-logs"), "-storageDataPath="+dir,
			"-httpListenAddr=127.0.0.1:"+strconv.Itoa(v.port), "-inmemoryDataFlushInterval=1s", "-memory.allowedPercent=10")
	}}
	v.begin()
	t.Cleanup(v.kill)
	v.ready()
	return v
}

func (v *victoria) url(path string) string { return fmt.Sprintf("http://127.0.0.1:%d%s", v.port, path) }

// query gives the rows of a LogsQL query.
func (v *victoria) query(q string) (rows []map[string]string, err error) {
	resp, err := http.PostForm(v.url("/select/logsql/query"), url.Values{"query": {q}, "limit": {"1000000"}})
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		b, _ := io.ReadAll(resp.Body)
		return nil, fmt.Errorf("%s: %s", q, b)
	}
	lines := bufio.NewScanner(resp.Body)
	lines.Buffer(nil, 4<<20)
	for lines.Scan() {
		row := map[string]string{}
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			return nil, err
		}
		rows = append(rows, row)
	}
	return rows, lines.Err()
}

// count is how many records a filter finds, each counted once.
func (v *victoria) count(filter string) int {
	rows, err := v.query(filter + ` | stats count_uniq("log.record.uid") n`)
	if err != nil || len(rows) != 1 {
		return -1
	}
	n, _ := strconv.Atoi(rows[0]["n"])
	return n
}

// otelcol is an OpenTelemetry Collector in front of VictoriaLogs.
type otelcol struct {
	*process
	http, grpc int
}

func newOtelcol(t *testing.T, bin string, behind *victoria) *otelcol {
	t.Helper()
	dir := t.TempDir()
	c := &otelcol{http: freePort(t), grpc: freePort(t)}
	c.process = &process{t: t, up: fmt.Sprintf("http://127.0.0.1:%d/", c.http), make: func() *exec.Cmd {
		cmd := exec.Command(filepath.Join(bin, "otelcol"), "--config=collector.yaml")
		cmd.Env = append(os.Environ(), "QUEUE="+dir, "HTTP_PORT="+strconv.Itoa(c.http),
			"GRPC_PORT="+strconv.Itoa(c.grpc), "BACKEND_PORT="+strconv.Itoa(behind.port))
		return cmd
	}}
	c.begin()
	t.Cleanup(c.kill)
	c.ready()
	return c
}
