package ship

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"sallyport/audit"
)

// VictoriaLogs is a receiver that can be asked, by LogsQL
// (docs.victoriametrics.com/victorialogs/querying).
type VictoriaLogs struct {
	// Endpoint is where: its address (http://host:9428), headers and TLS.
	Endpoint Endpoint
}

// maxHeld bounds what is taken of an answer: more than the records of any log.
const maxHeld = 4 << 20

// Held implements [Holder].
func (v VictoriaLogs) Held(ctx context.Context, log audit.LogID) (map[audit.Hash]int, error) {
	c, err := v.Endpoint.HTTP()
	if err != nil {
		return nil, err
	}
	c.Timeout = 0 // the answer may be long: ctx bounds it
	defer c.CloseIdleConnections()
	req, err := v.request(ctx, log)
	if err != nil {
		return nil, err
	}
	resp, err := c.Do(req)
	if err != nil {
		return nil, &failure{reason: reason(err)}
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, &failure{reason: "it answered " + strconv.Itoa(resp.StatusCode) + " to a query", code: resp.StatusCode}
	}
	return heldIn(bufio.NewScanner(resp.Body), maxHeld)
}

func (v VictoriaLogs) request(ctx context.Context, log audit.LogID) (*http.Request, error) {
	u, err := v.Endpoint.check()
	if err != nil {
		return nil, err
	}
	form := url.Values{"query": {fmt.Sprintf(`"sallyport.log":=%q | stats by ("log.record.uid") count() n`, string(log))}}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, strings.TrimSuffix(u.String(), "/")+"/select/logsql/query", strings.NewReader(form.Encode()))
	if err != nil {
		return nil, errors.New("the query could not be made")
	}
	req.Header = v.Endpoint.header()
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return req, nil
}

// heldIn reads at most that many lines {"log.record.uid":"HASH","n":"3"}. Of
// half an answer one would take records for missing: more is an error.
func heldIn(lines *bufio.Scanner, most int) (map[audit.Hash]int, error) {
	out := map[audit.Hash]int{}
	for lines.Scan() {
		if len(out) >= most {
			return nil, fmt.Errorf("collector: its answer names more than the %d records that a log can have", most)
		}
		var row struct {
			UID string `json:"log.record.uid"`
			N   string `json:"n"`
		}
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			return nil, errors.New("collector: its answer is no LogsQL")
		}
		leaf, err := audit.ParseHash(row.UID)
		n, err2 := strconv.Atoi(row.N)
		if err != nil || err2 != nil {
			return nil, errors.New("collector: its answer is no LogsQL")
		}
		out[leaf] = n
	}
	if err := lines.Err(); err != nil {
		return nil, &failure{reason: reason(err)}
	}
	return out, nil
}
