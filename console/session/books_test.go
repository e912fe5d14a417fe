package session_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"

	"sallyport/audit/verify"
	"sallyport/console/session"
)

// entry is one record of the log, as far as the tests read it.
type entry struct {
	Seq   uint64
	Event string
	Data  map[string]any
}

func (r *rig) entries() []entry {
	r.t.Helper()
	var out []entry
	files, _ := filepath.Glob(filepath.Join(r.dir, "*.jsonl"))
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			r.t.Error(err)
		}
		for line := range strings.Lines(string(b)) {
			var e entry
			if json.Unmarshal([]byte(line), &e) == nil {
				out = append(out, e)
			}
		}
	}
	return out
}

// balanced holds the log to the journal at the end of every test: each command
// has its intent, with the policy's verdict and a consent that fits it, and
// each intent one outcome; what was opened is closed; the log verifies.
func (r *rig) balanced() {
	r.t.Helper()
	ends, closed := map[uint64][]string{}, map[uint64]int{}
	for _, e := range r.entries() {
		switch e.Event {
		case "command.outcome":
			ends[number(e.Data["intent"])] = append(ends[number(e.Data["intent"])], e.Data["status"].(string))
		case "keys.close":
			closed[number(e.Data["opened"])]++
		}
	}
	intents := map[uint64]entry{}
	for _, e := range r.entries() {
		switch e.Event {
		case "command.intent":
			intents[e.Seq] = e
			r.judgedWell(e)
			if n := len(ends[e.Seq]); n != 1 {
				r.t.Errorf("intent %d, %q, has %d outcomes: %v", e.Seq, e.Data["command"], n, ends[e.Seq])
			}
		case "keys.open":
			if closed[e.Seq] != 1 {
				r.t.Errorf("keys.open %d is closed %d times", e.Seq, closed[e.Seq])
			}
		}
	}
	for _, c := range r.s.Journal() {
		r.entered(c, intents)
	}
	got, err := verify.Dirs(verify.Options{}, r.dir)
	if err != nil || len(got) == 0 || !got[0].Good() {
		r.t.Errorf("the log: %v %v", got, err)
	}
}

func number(v any) uint64 {
	n, _ := v.(float64)
	return uint64(n)
}

// judgedWell holds an intent's consent to its effect.
func (r *rig) judgedWell(e entry) {
	r.t.Helper()
	consent, _ := e.Data["consent"].(map[string]any)
	pol, _ := e.Data["policy"].(map[string]any)
	effect := e.Data["effect"]
	how := map[any]string{"permit": "send", "confirm": "confirm", "typed": "typed"}[effect]
	if how == "" || consent["how"] != how || pol["digest"] == nil || e.Data["risk"] == nil || e.Data["evidence"] == nil {
		r.t.Errorf("intent %d: effect %v, consent %v, policy %v", e.Seq, effect, consent, pol)
	}
	if t, _ := e.Data["targets"].([]any); len(t) == 0 {
		r.t.Errorf("intent %d has no target", e.Seq)
	}
}

func (r *rig) entered(c session.Command, intents map[uint64]entry) {
	r.t.Helper()
	in, ok := intents[c.Intent]
	want, _ := r.red.CommandText(c.Line)
	if !ok || !reflect.DeepEqual(in.Data["command"], want.String()) || in.Data["origin"] != string(c.Origin) {
		r.t.Errorf("%q was sent, intent %d says %v by %v", c.Line, c.Intent, in.Data["command"], in.Data["origin"])
	}
}
