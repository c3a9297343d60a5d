package workspace

import (
	"context"
	"errors"
)

// ErrHealRefused says that no tests were healed.
var ErrHealRefused = errors.New("no tests are healed")

// Heals finds out why tests fail in the background, for clients whose calls must be
// short. It writes no test.
type Heals interface {
	Start(ctx context.Context, ws *Workspace, r HealRequest) (HealStatus, error)
	// Status returns where the healing stands at its end, or when ctx ends, whichever is
	// first.
	Status(ctx context.Context, id string) (HealStatus, error)
	Cancel(ctx context.Context, id string) (HealStatus, error)
}

// HealRequest says which tests are healed.
type HealRequest struct {
	Tests       []string // paths below the project's folder of tests
	Plan        string
	BaseURL     string
	Grep        string
	MaxAttempts int
}

// HealStatus holds where a healing stands.
type HealStatus struct {
	HealID    string         `json:"heal_id"`
	State     string         `json:"state" jsonschema:"running, finished or cancelled"`
	Doing     string         `json:"doing,omitempty"`
	Green     int            `json:"green" jsonschema:"tests that needed nothing"`
	Healed    []HealedTest   `json:"healed"`
	Proposals []HealProposal `json:"proposals" jsonschema:"for a person to decide"`
	Unhealed  []UnhealedTest `json:"unhealed"`
	Diff      string         `json:"diff,omitempty"`
	Rerun     []HealRerun    `json:"rerun"`
	RunID     string         `json:"run_id,omitempty" jsonschema:"of the evidence"`
	Problem   string         `json:"problem,omitempty"`
}

// HealedTest is one replaced locator.
type HealedTest struct {
	File   string  `json:"file"`
	Line   int     `json:"line"`
	Test   string  `json:"test"`
	Old    string  `json:"old"`
	New    string  `json:"new"`
	By     string  `json:"by"`
	Score  float64 `json:"score"`
	Margin float64 `json:"margin"`
}

// HealProposal is a locator that a person has to decide about.
type HealProposal struct {
	Number  int      `json:"number"`
	File    string   `json:"file"`
	Line    int      `json:"line"`
	Test    string   `json:"test"`
	Old     string   `json:"old"`
	Why     string   `json:"why"`
	Choices []string `json:"choices"`
}

// UnhealedTest is a test that is as red as before.
type UnhealedTest struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Test   string `json:"test"`
	Reason string `json:"reason" jsonschema:"assertion, page, ambiguous or gone"`
	Detail string `json:"detail"`
}

// HealRerun is what a healed test came to.
type HealRerun struct {
	Test   string `json:"test"`
	Green  int    `json:"green"`
	Runs   int    `json:"runs"`
	Before int    `json:"before" jsonschema:"faults that it noticed before"`
	Killed int    `json:"killed" jsonschema:"faults that it notices now"`
}
