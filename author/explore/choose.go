package explore

import (
	"context"

	"github.com/assay-qa/assay/author/frontier"
)

// next chooses the next action.
func (e *explorer) next(_ context.Context) (frontier.Action, bool) {
	return e.frontier.Next(e.distance)
}
