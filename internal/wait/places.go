package wait

import "context"

// Places are what a number of users share, each for a while.
type Places struct{ taken chan struct{} }

// NewPlaces returns n free places. One place is a turn that each user waits for.
func NewPlaces(n int) *Places { return &Places{make(chan struct{}, n)} }

// Take waits for a free place, or until ctx ends.
func (p *Places) Take(ctx context.Context) error {
	select {
	case p.taken <- struct{}{}: // a free one is had whatever became of ctx
		return nil
	default:
	}
	select {
	case p.taken <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Give frees a place that was taken.
func (p *Places) Give() { <-p.taken }

// Taken returns how many places are taken.
func (p *Places) Taken() int { return len(p.taken) }
