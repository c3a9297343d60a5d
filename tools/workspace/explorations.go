package workspace

import (
	"context"
	"errors"

	"github.com/assay-qa/assay/internal/pagetext"
)

// ErrNoExploration says that no exploration of this server has that id.
var ErrNoExploration = errors.New("no exploration of this server has that id")

// ErrExplorationRefused says that an exploration was not started.
var ErrExplorationRefused = errors.New("the exploration was not started")

// Explorations explores sites in the background, for clients whose calls must be short.
type Explorations interface {
	Start(ctx context.Context, ws *Workspace, r ExploreRequest) (ExploreStatus, error)
	// Status returns where an exploration stands at its end, or when ctx ends, whichever
	// is first.
	Status(ctx context.Context, id string) (ExploreStatus, error)
	// Cancel ends an exploration; what was found by then is kept.
	Cancel(ctx context.Context, id string) (ExploreStatus, error)
}

// ExploreRequest says what is explored. Zero values mean the settings.
type ExploreRequest struct {
	URL         string
	Role        string
	StayOnPath  bool
	AllowWrites bool
	MaxActions  int
	MaxStates   int
	MaxTimeMS   int
	Seed        int64
}

// ExploreStatus holds where an exploration stands.
type ExploreStatus struct {
	ExplorationID string          `json:"exploration_id"`
	State         string          `json:"state" jsonschema:"running, finished or cancelled"`
	States        int             `json:"states"`
	Places        int             `json:"places,omitempty" jsonschema:"addresses that differ in more than ids"`
	Actions       int             `json:"actions"`
	Findings      []pagetext.Text `json:"findings,omitempty" jsonschema:"the first of them"`
	Untried       []pagetext.Text `json:"untried,omitempty" jsonschema:"why actions were left out, with how many each"`
	Stopped       string          `json:"stopped,omitempty"`
	Site          string          `json:"site" jsonschema:"path of site.json"`
	Plan          string          `json:"plan" jsonschema:"path of the test plan"`
	Hint          string          `json:"hint,omitempty" jsonschema:"what to do to see more"`
	Problem       string          `json:"problem,omitempty"`
}
