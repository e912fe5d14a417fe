package redact

import (
	"strings"
	"sync"
)

type memory struct {
	conf    Config
	mu      sync.Mutex
	numbers map[string]int
	secrets map[string]bool
}

func newMemory(c Config) *memory {
	return &memory{conf: c, numbers: map[string]int{}, secrets: map[string]bool{}}
}

func (m *memory) learn(secret string) {
	if secret = strings.TrimSpace(secret); secret == "" {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.secrets[secret] = true
}

func (m *memory) known(s string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.secrets[strings.TrimSpace(s)]
}

// number gives the value its number, the same for the same value.
func (m *memory) number(value string) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	n, ok := m.numbers[value]
	if !ok {
		n = len(m.numbers) + 1
		m.numbers[value] = n
	}
	return n
}
