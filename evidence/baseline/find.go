package baseline

import (
	"context"
	"fmt"
	"strings"

	"github.com/assay-qa/assay/evidence/ledger"
	"github.com/assay-qa/assay/qa"
)

// Find returns the version in force for a name in an environment: the one made
// in this very environment, else the newest that was made with another version
// of the browser or other fonts, else ErrNotFound, with the environments there
// are.
func (s *Store) Find(ctx context.Context, name string, env qa.VisualEnvironment) (Version, error) {
	all, err := s.all(ctx)
	if err != nil {
		return Version{}, fmt.Errorf("find baseline %q: %w", name, err)
	}
	v, ok := all.find(name, env)
	if !ok {
		return Version{}, all.notInForce(name, env)
	}
	return v, nil
}

// Get returns the version of an id.
func (s *Store) Get(ctx context.Context, id string) (Version, error) {
	all, err := s.all(ctx)
	if err != nil {
		return Version{}, fmt.Errorf("get baseline %q: %w", id, err)
	}
	v, ok := all.get(id)
	if !ok {
		return Version{}, unknownID(id)
	}
	return v, nil
}

func unknownID(id string) error {
	return fmt.Errorf("%w: id %q: assay baseline list shows those there are", ErrNotFound, id)
}

// List returns all versions, by name, environment and number.
func (s *Store) List(ctx context.Context) ([]Version, error) {
	all, err := s.all(ctx)
	if err != nil {
		return nil, fmt.Errorf("list baselines: %w", err)
	}
	return all, nil
}

func (s *Store) all(ctx context.Context) (versions, error) {
	var all versions
	err := s.Log.View(ctx, func(tx *ledger.Tx) (err error) {
		all, err = load(tx)
		return err
	})
	return all, err
}

// Events returns what happened to baselines, oldest first: who captured,
// proposed, approved, rejected or imported which pictures, in the place of which.
func (s *Store) Events(ctx context.Context) ([]ledger.Event, error) {
	var events []ledger.Event
	err := s.Log.View(ctx, func(tx *ledger.Tx) error {
		for e, err := range tx.Events(`"action":"baseline `) { // most are about runs
			if err != nil {
				return err
			}
			if strings.HasPrefix(e.Action, "baseline ") {
				events = append(events, e)
			}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("events of baselines: %w", err)
	}
	return events, nil
}

// Read returns the bytes of a digest, checked against it.
func (s *Store) Read(digest string) ([]byte, error) {
	if !ledger.ValidDigest(digest) {
		return nil, fmt.Errorf("%w: %q is no SHA-256", ErrNotFound, digest)
	}
	return s.blobs.Get(digest)
}

// Path returns the file of a digest that [Store.Read] has checked, for a person to
// open.
func (s *Store) Path(digest string) string { return s.blobs.Path(digest) }
