package session

import "sync"

// queue takes work for the loop from any goroutine and never blocks it. What
// people type bounds it.
type queue struct {
	mu     sync.Mutex
	work   []func(*loop)
	wake   chan struct{}
	closed bool
}

// post tells whether the work will be done: not when the session has ended.
func (q *queue) post(f func(*loop)) bool {
	q.mu.Lock()
	if q.closed {
		q.mu.Unlock()
		return false
	}
	q.work = append(q.work, f)
	q.mu.Unlock()
	select {
	case q.wake <- struct{}{}:
	default:
	}
	return true
}

func (q *queue) take() []func(*loop) {
	q.mu.Lock()
	defer q.mu.Unlock()
	w := q.work
	q.work = nil
	return w
}

// last takes what is left, and closes the queue when that is nothing.
func (q *queue) last() []func(*loop) {
	q.mu.Lock()
	defer q.mu.Unlock()
	w := q.work
	q.work = nil
	q.closed = len(w) == 0
	return w
}
