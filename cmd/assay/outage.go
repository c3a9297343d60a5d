package main

import (
	"context"
	"errors"
	"io"
	"sync"

	"github.com/assay-qa/assay/agent"
)

// breaker keeps a provider that is gone from costing every task its full
// waiting: once a task has waited in vain, the next ones ask with one request
// whether it is back, and fail at once if it isn't.
type breaker struct {
	check func(ctx context.Context) error

	mu   sync.Mutex
	gone error // what the last task to wait in vain was told; nil: nothing is known against the provider
}

// trip notes that a task has waited in vain.
func (b *breaker) trip(err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.gone = err
}

// ready says why the provider must not be asked, or nil. One task at a time
// looks whether it is back.
func (b *breaker) ready(ctx context.Context) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.gone == nil {
		return nil
	}
	if err := b.check(ctx); err != nil {
		// Not the error itself: the loop would ask again and wait.
		return errors.New("the provider was gone for another task, and still is: " + err.Error())
	}
	b.gone = nil
	return nil
}

// served is a model behind the breaker of its suite.
type served struct {
	agent.Model
	*breaker
}

// Close closes the model, if it needs that.
func (s served) Close() error {
	if closer, ok := s.Model.(io.Closer); ok {
		return closer.Close()
	}
	return nil
}

// Next asks for the next turn, if there is any use in asking.
func (s served) Next(ctx context.Context, c agent.Conversation) (agent.Reply, error) {
	if err := s.ready(ctx); err != nil {
		return agent.Reply{}, err
	}
	return s.Model.Next(ctx, c)
}
