package copilot

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"sallyport/audit"
)

// pins remembers, for each server, the tools that it showed first: a hash of each
// tool's name, description, schemas and annotations. A server that shows others later is used,
// and the operator is told.
type pins struct {
	path string
	mu   sync.Mutex
	kept map[string]map[string]string // server to tool to hash; nil: not read yet
}

// hashTool is over all that a tool says of itself.
func hashTool(t mcp.Tool) string {
	said, err := json.Marshal(t)
	if err != nil {
		said = []byte(t.Name)
	}
	sum := sha256.Sum256(said)
	return hex.EncodeToString(sum[:])
}

func hashTools(tools []mcp.Tool) (map[string]string, audit.Hash) {
	each := make(map[string]string, len(tools))
	for _, t := range tools {
		each[t.Name] = hashTool(t)
	}
	all := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(each)) {
		fmt.Fprintf(all, "%s %s\n", each[name], name)
	}
	return each, audit.Hash(all.Sum(nil))
}

// compare gives the names of tools that differ from what server showed before, and
// remembers what it shows now.
func (p *pins) compare(server string, tools map[string]string) ([]string, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.read(); err != nil {
		return nil, err
	}
	before, known := p.kept[server]
	if known && maps.Equal(before, tools) {
		return nil, nil
	}
	p.kept[server] = tools
	if !known {
		return nil, p.write()
	}
	return differing(before, tools), p.write()
}

func differing(a, b map[string]string) []string {
	var names []string
	for name, hash := range a {
		if b[name] != hash {
			names = append(names, name)
		}
	}
	for name := range b {
		if _, ok := a[name]; !ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

func (p *pins) read() error {
	if p.kept != nil {
		return nil
	}
	p.kept = map[string]map[string]string{}
	if p.path == "" {
		return nil
	}
	raw, err := os.ReadFile(p.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("cannot read the pinned tools: %w", err)
	}
	if err := json.Unmarshal(raw, &p.kept); err != nil {
		p.kept = nil
		return fmt.Errorf("pinned tools in %s are damaged: %w", p.path, err)
	}
	return nil
}

// write replaces the file in one step.
func (p *pins) write() error {
	if p.path == "" {
		return nil
	}
	raw, err := json.MarshalIndent(p.kept, "", "  ")
	if err != nil {
		return err
	}
	tmp, err := os.CreateTemp(filepath.Dir(p.path), ".pins-*")
	if err != nil {
		return fmt.Errorf("cannot remember the tools: %w", err)
	}
	defer os.Remove(tmp.Name())
	_, err = tmp.Write(append(raw, '\n'))
	if err = errors.Join(err, tmp.Close()); err != nil {
		return fmt.Errorf("cannot remember the tools: %w", err)
	}
	return os.Rename(tmp.Name(), p.path)
}

// checkPins compares what the server shows with what it showed before.
func (c *Client) checkPins(l *link) {
	changes, err := c.pins.compare(c.dialer.name(), l.hashes)
	if err != nil {
		c.cfg.Log.Warn("copilot tools not pinned", "error", err)
		l.pinProblem = err
	}
	l.changes = changes
}

// noteTools tells the operator that a server shows other tools than before.
func (s *Session) noteTools(l *link) {
	if len(l.changes) > 0 {
		s.say(Notice, Untrusted("Linus' tools are not what they were: "+someOf(l.changes)+
			" changed since they were first seen. Ask who runs it, if you did not expect that."), time.Now())
	}
	if l.pinProblem != nil {
		s.say(Notice, Untrusted("Linus' tools could not be compared with what they were: "+safeReason(l.pinProblem)), time.Now())
	}
}

// someOf names a few, and says how many more there are.
func someOf(names []string) string {
	const few = 8
	if over := len(names) - few; over > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:few], ", "), over)
	}
	return strings.Join(names, ", ")
}
