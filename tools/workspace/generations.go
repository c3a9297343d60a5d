package workspace

import (
	"context"
	"errors"
)

// ErrGenerationRefused says that no tests were made.
var ErrGenerationRefused = errors.New("no tests are made")

// Generations makes tests of explored sites in the background, for clients whose calls
// must be short.
type Generations interface {
	Start(ctx context.Context, ws *Workspace, r GenerateRequest) (GenerateStatus, error)
	// Status returns where the making stands at its end, or when ctx ends, whichever is
	// first.
	Status(ctx context.Context, explorationID string) (GenerateStatus, error)
	// Cancel ends it; what was written stays, and Resume goes on.
	Cancel(ctx context.Context, explorationID string) (GenerateStatus, error)
}

// GenerateRequest says which tests are made.
type GenerateRequest struct {
	ExplorationID string
	FromPlan      bool // the test plan, which a person may have edited, in place of site.json
	BaseURL       string
	Locators      string
	Force         bool
	Draft         bool   // tests that no runner has run
	Resume        bool   // go on where an earlier request for the same ended
	MaxTimeMS     int    // no flow is begun after this time; 0: no limit
	Check         bool   // prove that each test can fail
	Role          string // who is signed in; empty: whom the exploration was signed in as
}

// GenerateStatus holds where the making of tests stands.
type GenerateStatus struct {
	ExplorationID string   `json:"exploration_id"`
	State         string   `json:"state" jsonschema:"running, finished or cancelled"`
	Tried         int      `json:"tried" jsonschema:"flows of which all is known"`
	Of            int      `json:"of"`
	Tests         int      `json:"tests"`
	Asserts       int      `json:"asserts"`
	Folder        string   `json:"folder"`
	Files         []string `json:"files,omitempty" jsonschema:"each with its state"`
	Dropped       []string `json:"dropped,omitempty" jsonschema:"why assertions and steps were left out, with how many each"`
	Unverified    []string `json:"unverified,omitempty"`
	Kept          []string `json:"kept,omitempty" jsonschema:"files of a person, left as they are"`
	Proofs        []string `json:"proofs,omitempty" jsonschema:"of check: what of the faults each test noticed"`
	NotCovered    []string `json:"not_covered,omitempty" jsonschema:"flows without a test, and why: such as the runner's message"`
	Left          int      `json:"left,omitempty" jsonschema:"flows that were not ended: start with resume goes on"`
	LeftMS        int64    `json:"left_ms,omitempty" jsonschema:"about how long the rest takes"`
	CannotFail    []string `json:"cannot_fail,omitempty" jsonschema:"of check: tests that no fault turns red; they are not written"`
	Unproved      []string `json:"unproved,omitempty" jsonschema:"of check: tests of which that is not known; they are not written"`
	ProofReport   string   `json:"proof_report,omitempty"`
	Doing         string   `json:"doing,omitempty"`
	Problem       string   `json:"problem,omitempty"`
}
