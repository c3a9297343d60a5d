package rest

import (
	"context"
	"errors"
	"time"
)

// Presence says of a wait what is known of its element.
type Presence int

// What is known of an element.
const (
	Present  Presence = iota // it is there, or it could not be looked
	Absent                   // and it may still come
	Hopeless                 // and it is waited for no longer
)

// InPieces tries, for longer and longer, until try is not late or limit is over. look, which
// may be nil, ends it earlier where the element is not there.
func InPieces(ctx context.Context, limit time.Duration, try func(limit time.Duration) error, late func(error) bool, look func(passed time.Duration) Presence) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	passed, piece := time.Duration(0), FirstPiece
	for {
		wait := Left(ctx, piece)
		err := try(wait)
		if err == nil || !late(err) || errors.Is(ctx.Err(), context.Canceled) {
			return err
		}
		passed += wait
		seen := Present
		if look != nil {
			seen = look(passed)
		}
		if seen == Hopeless || Left(ctx, limit) < LeastPiece {
			return err
		}
		if seen == Present {
			piece = min(2*piece, LastPiece)
		}
	}
}

// Left returns the time until ctx ends, in whole milliseconds, never more than limit and
// never none. It ends a little before ctx does, so that there is time to find out why.
func Left(ctx context.Context, limit time.Duration) time.Duration {
	if deadline, ok := ctx.Deadline(); ok {
		more := time.Until(deadline)
		limit = min(limit, more-min(more/10, LateMargin))
	}
	return max(Least, limit.Truncate(Least))
}
