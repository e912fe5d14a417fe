package redact

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"math"
	"strings"
	"sync"
	"sync/atomic"
)

// memory is what all redactors of a console share.
type memory struct {
	conf Config
	salt [16]byte // so that the numbers' table holds no secret

	mu       sync.Mutex
	numbers  map[[16]byte]int
	secrets  *known            // from secret fields and authentication
	targets  map[string]*known // from output, by target
	commands map[string]sent   // the last command line, by target
	told     atomic.Int64      // how many command lines there were
	learned  atomic.Int64      // how many values: without any, a line is not searched
}

type sent struct {
	line string
	gen  int
}

func newMemory(c Config) *memory {
	m := &memory{conf: c, numbers: map[[16]byte]int{}, secrets: newKnown(), targets: map[string]*known{}, commands: map[string]sent{}}
	rand.Read(m.salt[:])
	return m
}

// number gives the value its number, the same for the same value.
func (m *memory) number(value string) int {
	h := sha256.New()
	h.Write(m.salt[:])
	h.Write([]byte(value))
	var key [16]byte
	copy(key[:], h.Sum(nil))
	m.mu.Lock()
	defer m.mu.Unlock()
	n, ok := m.numbers[key]
	if !ok {
		n = len(m.numbers) + 1
		m.numbers[key] = n
	}
	return n
}

// entropyFloor is how many bits a value must have for its MAC to be shown: a short one
// is guessed even without the key's help, by who has the key for another reason.
const entropyFloor = 40

// mac is the finding's HMAC-SHA-256, cut to 64 bits.
func (m *memory) mac(value string) string {
	if len(m.conf.DigestKey) == 0 || bits(value) < entropyFloor {
		return ""
	}
	h := hmac.New(sha256.New, m.conf.DigestKey)
	h.Write([]byte(value))
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// bits estimates a value's entropy from the distribution of its bytes.
func bits(v string) float64 {
	var n [256]int
	for i := 0; i < len(v); i++ {
		n[v[i]]++
	}
	h := 0.0
	for _, k := range n {
		if k > 0 {
			p := float64(k) / float64(len(v))
			h -= p * math.Log2(p)
		}
	}
	return h * float64(len(v))
}

func (m *memory) setCommand(target, line string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.commands[target] = sent{line, m.commands[target].gen + 1}
	m.told.Add(1)
}

// commandOf gives the last command line and its number.
func (m *memory) commandOf(target string) (string, int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	c := m.commands[target]
	return c.line, c.gen
}

// learn remembers a secret for the console's life.
func (m *memory) learn(secret string) {
	secret = strings.TrimSpace(secret)
	if secret == "" {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.secrets.add(secret, "password")
	m.learned.Add(1)
}

func (m *memory) isKnown(s string) bool {
	s = strings.TrimSpace(s)
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.secrets.values[s]
}

// ofTarget gives what is known from the output of a target.
func (m *memory) ofTarget(target string) *known {
	k := m.targets[target]
	if k == nil {
		k = newKnown()
		m.targets[target] = k
	}
	return k
}

// learnFrom remembers a value from the output of a target.
func (m *memory) learnFrom(target, value, kind string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	k := m.ofTarget(target)
	if len(k.values) < maxFromOutput {
		k.add(value, kind)
		m.learned.Add(1)
	}
}

// learnLines remembers the lines of one value from the output of a target.
func (m *memory) learnLines(target, value string, lines []string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	k := m.ofTarget(target)
	if len(lines) > 0 && len(k.values) < maxFromOutput && k.lines+len(lines) <= maxLinesFromOutput {
		k.addLines(value, "private-key", lines)
		m.learned.Add(1)
	}
}

// find looks for learned values in a text.
func (m *memory) find(target, text string) []match {
	if m.learned.Load() == 0 {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	found := m.secrets.find(text)
	if k := m.targets[target]; k != nil {
		found = append(found, k.find(text)...)
	}
	return found
}

// openAt gives the offset at which the end of text is the beginning, of four bytes or
// more, of a learned value; or -1.
func (m *memory) openAt(target, text string) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	at := m.secrets.openAt(text)
	if k := m.targets[target]; k != nil {
		if other := k.openAt(text); other >= 0 && (at < 0 || other < at) {
			at = other
		}
	}
	return at
}
