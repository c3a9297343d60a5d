package explore

import (
	"context"

	"github.com/assay-qa/assay/author/frontier"
)

// chooser keeps what a model has answered.
type chooser struct {
	failures int
}

// next chooses the next action.
func (e *explorer) next(_ context.Context) (frontier.Action, bool) {
	return e.frontier.Next(e.distance)
}
