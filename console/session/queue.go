package session

import "sync"

// queue takes work for the loop from any goroutine and never blocks it. What
// people type bounds it.
type queue struct {
	mu   sync.Mutex
	work []func(*loop)
	wake chan struct{}
}

func (q *queue) post(f func(*loop)) {
	q.mu.Lock()
	q.work = append(q.work, f)
	q.mu.Unlock()
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

func (q *queue) take() []func(*loop) {
	q.mu.Lock()
	defer q.mu.Unlock()
	w := q.work
	q.work = nil
	return w
}
