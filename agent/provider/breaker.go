package provider

import (
	"context"
	"errors"
	"io"
	"sync"

	"github.com/assay-qa/assay/agent"
)

// breaker implements the circuit breaker of a provider. Once a task has waited
// for the provider in vain, each later task checks with one request whether it
// is back, and fails at once if it is not.
type breaker struct {
	check func(ctx context.Context) error

	mu   sync.Mutex
	gone error // error of the last task that waited in vain; nil: the provider is not known to be gone
}

// Trip notes that a task has waited for the provider in vain.
func (b *breaker) Trip(err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.gone = err
}

// ready returns why the provider must not be called, or nil. One task at a
// time checks whether it is back.
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

// Model wraps a provider's model in the circuit breaker that all of the
// provider's models share.
type Model struct {
	agent.Model
	*breaker
}

// Close closes the model, if it needs that.
func (m Model) Close() error {
	if closer, ok := m.Model.(io.Closer); ok {
		return closer.Close()
	}
	return nil
}

// Next asks for the next turn, if there is any use in asking.
func (m Model) Next(ctx context.Context, c agent.Conversation) (agent.Reply, error) {
	if err := m.ready(ctx); err != nil {
		return agent.Reply{}, err
	}
	return m.Model.Next(ctx, c)
}
