// Package spare keeps one thing that is made before it is asked for.
package spare

import (
	"context"
	"sync"
	"time"

	"github.com/assay-qa/assay/browser/rest"
)

// Keeper has one thing stand by. All methods may be called concurrently.
type Keeper[K, T any] struct {
	Make func(ctx context.Context, of K) (T, error) // ctx ends with the keeper's life
	Drop func(T)                                    // puts away what nobody takes
	Same func(a, b K) bool                          // reports whether what was made of a serves b
	Life context.Context                            //nolint:containedctx // when it ends nothing stands by any more
	Idle time.Duration                              // after which what stands by is dropped

	mu   sync.Mutex
	held *item[K, T]
}

// item is what stands by, or is about to.
type item[K, T any] struct {
	of      K
	begun   bool          // it is being made, or is made
	stood   bool          // whoever took it owns it
	refused bool          // nobody wants it
	left    chan struct{} // closed when the keeper no longer holds it
	made    chan struct{} // closed when value and err are set
	value   T
	err     error
}

// Prepare has something stand by that is made of a key, once nothing was taken for
// the time after. Where something stands by already, or is about to, it does nothing.
// It doesn't wait, and what fails is told to who takes it.
func (k *Keeper[K, T]) Prepare(of K, after time.Duration) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.held != nil || k.Life.Err() != nil {
		return
	}
	h := &item[K, T]{of: of, left: make(chan struct{}), made: make(chan struct{})}
	k.held = h
	go k.stand(h, after)
}

// stand makes an item, and drops it when nobody has taken it in time.
func (k *Keeper[K, T]) stand(h *item[K, T], after time.Duration) {
	if after > 0 {
		_ = rest.Until(k.Life, nil, rest.Policy{Limit: after, Events: []rest.Event{{Of: h.left}}}) // whichever it is
	}
	if !k.begin(h) {
		return
	}
	h.value, h.err = k.Make(k.Life, h.of)
	close(h.made)
	if h.err == nil {
		_ = rest.Until(k.Life, nil, rest.Policy{Limit: k.Idle, Events: []rest.Event{{Of: h.left}}}) // whichever it is
	}
	if k.end(h) && h.err == nil {
		k.Drop(h.value)
	}
}

// begin marks an item as begun, and reports whether it is still wanted.
func (k *Keeper[K, T]) begin(h *item[K, T]) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.held == h && k.Life.Err() != nil {
		k.held = nil
	}
	h.begun = k.held == h
	return h.begun
}

// end ends an item's time, and reports whether nobody has it.
func (k *Keeper[K, T]) end(h *item[K, T]) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	h.stood = true
	if k.held != h {
		return h.refused
	}
	k.held = nil
	return true
}

// Take hands out what stands by, which it waits for where it is being made. It reports
// whether there was any; what was made of another key is dropped.
func (k *Keeper[K, T]) Take(ctx context.Context, of K) (value T, found bool, err error) {
	h := k.release()
	if h == nil {
		return value, false, nil
	}
	if !k.Same(h.of, of) {
		k.refuse(h)
		return value, false, nil
	}
	if err := rest.Until(ctx, nil, rest.Policy{Events: []rest.Event{{Of: h.made}}}); err != nil {
		k.refuse(h)
		return value, true, err
	}
	return h.value, true, h.err
}

// release returns what stands by or is being made, and holds it no longer.
func (k *Keeper[K, T]) release() *item[K, T] {
	k.mu.Lock()
	defer k.mu.Unlock()
	h := k.held
	if h == nil {
		return nil
	}
	k.held = nil
	close(h.left)
	if !h.begun {
		return nil
	}
	return h
}

// refuse drops an item that was released, now or once it is made.
func (k *Keeper[K, T]) refuse(h *item[K, T]) {
	k.mu.Lock()
	defer k.mu.Unlock()
	h.refused = true
	if h.stood && h.err == nil {
		go k.Drop(h.value)
	}
}
