package rest

import (
	"context"
	"sync"
)

// Signal tells one waiter that there is something to do. Several calls of Set
// before it looks are one.
type Signal struct {
	mu  sync.Mutex
	set bool
	now chan struct{} // closed when it is set; nil: nobody waits
}

// Set makes the wait end, or the next one return at once.
func (s *Signal) Set() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.set = true
	if s.now != nil {
		close(s.now)
		s.now = nil
	}
}

// Await waits until the signal is set, and takes it back.
func (s *Signal) Await(ctx context.Context, p Policy) error {
	for {
		now := s.take()
		if now == nil {
			return nil
		}
		q := p
		q.Events = append([]Event{{Of: now}}, p.Events...)
		if err := Until(ctx, nil, q); err != nil {
			return err
		}
	}
}

// take takes a signal that is set, or returns what is closed once it is.
func (s *Signal) take() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.set {
		s.set = false
		return nil
	}
	if s.now == nil {
		s.now = make(chan struct{})
	}
	return s.now
}
