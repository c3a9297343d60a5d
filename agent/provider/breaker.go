package provider

import (
	"context"
	"errors"
	"io"
	"sync"

	"github.com/assay-qa/assay/agent"
)

// breaker is the circuit breaker of a provider: once a task has waited for it in
// vain, the next ones check with one request whether it is back, and fail at once if
// it is not.
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

// Model is a provider's model behind the circuit breaker that its models share.
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
