package baseline

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/assay-qa/assay/internal/text"
)

// Named returns the versions of a name, or an error that says which names there are.
func Named(all []Version, name string) ([]Version, error) {
	var out []Version
	var words []string
	for _, v := range all {
		if v.Name == name {
			out = append(out, v)
		}
		words = append(words, v.ID, v.Name)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%w: %q%s; see: assay baseline list", ErrNotFound, name, text.Hint(name, words))
	}
	return out, nil
}

// Meant returns the versions that a person names: one by its id, or those of a
// name that count.
func (s *Store) Meant(ctx context.Context, word string) ([]Version, error) {
	all, err := s.List(ctx)
	if err != nil {
		return nil, err
	}
	for _, v := range all {
		if v.ID == word {
			return []Version{v}, nil
		}
	}
	if all, err = Named(all, word); err != nil {
		return nil, err
	}
	return slices.DeleteFunc(all, func(v Version) bool { return v.Status == Superseded || v.Status == Rejected }), nil
}

// StoredVersion adds to a version where its files are.
type StoredVersion struct {
	Version
	Files   map[string]string    `json:"files"` // by SHA-256: pictures and differences
	Deleted map[string]time.Time `json:"deleted,omitempty"`
}

// WithFiles says where a version's pictures are, or when they were deleted. A
// damaged one is an error: a person must not look at something else than what is
// compared.
func (s *Store) WithFiles(ctx context.Context, v Version) (StoredVersion, error) {
	stored := StoredVersion{Version: v, Files: map[string]string{}}
	digests := slices.Clone(v.Diffs)
	for _, p := range v.Pictures {
		digests = append(digests, p.SHA256)
	}
	damaged := map[string]error{}
	for _, d := range digests {
		if _, err := s.Read(d); err != nil {
			damaged[d] = fmt.Errorf("baseline %s: %w", v.ID, err)
			continue
		}
		stored.Files[d] = s.Path(d)
	}
	if len(damaged) > 0 && !v.Closed.IsZero() { // then assay runs prune may delete them
		var err error
		if stored.Deleted, err = s.Deleted(ctx, slices.Collect(maps.Keys(damaged))); err != nil {
			return stored, err
		}
		maps.DeleteFunc(damaged, func(d string, _ error) bool { return !stored.Deleted[d].IsZero() })
	}
	return stored, errors.Join(slices.Collect(maps.Values(damaged))...)
}

// File returns where a picture is, or since when it is no more.
func (v StoredVersion) File(digest string) string {
	if when, ok := v.Deleted[digest]; ok {
		return "deleted on " + when.Format(time.DateOnly)
	}
	return v.Files[digest]
}

// ExplainUndecided adds to an error of a decision about an unknown id what was
// probably meant.
func (s *Store) ExplainUndecided(ctx context.Context, id string, err error) error {
	if !errors.Is(err, ErrNotFound) {
		return err
	}
	all, listErr := s.List(ctx)
	if listErr != nil {
		return errors.Join(err, listErr)
	}
	if _, unknown := Named(all, id); unknown != nil {
		return unknown
	}
	var open []string
	for _, v := range all {
		if v.Name == id && (v.Status == Proposed || v.Status == Unapproved) {
			open = append(open, v.ID)
		}
	}
	if len(open) == 0 {
		return fmt.Errorf("%w: %q is a name, and none of its versions waits for a decision; see: assay baseline list --name", ErrNotFound, id)
	}
	return fmt.Errorf("%w: %q is a name: say which version; these wait for a decision: %s", ErrNotFound, id, strings.Join(open, ", "))
}
