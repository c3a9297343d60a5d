package tools

import (
	"cmp"
	"context"
	"slices"

	"github.com/assay-qa/assay/engine"
	"github.com/assay-qa/assay/engine/visualcheck"
	"github.com/assay-qa/assay/qa"
)

type compareVisualInput struct {
	onSession
	URL        string   `json:"url,omitempty" jsonschema:"in a fresh context"`
	Name       string   `json:"name,omitempty"`
	BaselineID string   `json:"baseline_id,omitempty" jsonschema:"instead of name"`
	Selectors  []string `json:"selectors,omitempty" jsonschema:"default: as the baseline"`
	qa.VisualOptions
	timeLimit
	binds
}

type compareVisualOutput struct {
	Passed         bool           `json:"passed"`
	Within         bool           `json:"within_threshold,omitempty" jsonschema:"passed, and yet something differs"`
	Status         qa.Status      `json:"status"`
	Reason         string         `json:"reason"`
	DiffPercentage float64        `json:"diff_percentage" jsonschema:"of the picture that decided"`
	ChangedPixels  int            `json:"changed_pixels"`
	Regions        []partRegion   `json:"regions" jsonschema:"what changed: causes only, of all pictures"`
	ProposalID     string         `json:"proposal_id,omitempty" jsonschema:"what a person can approve"`
	Pictures       []qa.VisualRow `json:"pictures"`
	CheckIDs       []string       `json:"check_ids"`
}

// partRegion holds a region of one of the pictures.
type partRegion struct {
	Part string `json:"part,omitempty" jsonschema:"the element's selector; empty: the page"`
	qa.VisualRegion
}

func (d *Desk) compareVisualRegression() Tool {
	return define(d, spec{
		name: "compare_visual_regression", set: Core, verifies: true, publish: true, loose: []string{"components"},
		fields:      []string{"passed", "within_threshold", "diff_percentage", "regions", "proposal_id"},
		unlisted:    []string{"full_page", "ignore", "components", "engine", "named_changes", "ignore_colors", "ignore_antialiasing", "freeze", "timeout_ms"},
		description: "Compare the page or elements with a baseline. A first picture is only captured. Options: assay://schemas/visual-options.json",
	}, func(ctx context.Context, c *call, in compareVisualInput) (compareVisualOutput, error) {
		job := visualcheck.Job{Name: in.Name, BaselineID: in.BaselineID, Parts: in.Selectors, Options: in.VisualOptions, Expects: in.Expects, Timeout: in.TimeoutMS.duration()}
		c.about = qa.Check{Kind: "visual", Subject: cmp.Or(in.Name, in.BaselineID), Expected: visualcheck.LooksAsBaseline, Expects: in.Expects}
		if err := job.Validate(); err != nil {
			return compareVisualOutput{}, err
		}
		s, fault, err := c.sessionAt(ctx, in.SessionID, in.URL)
		if err != nil {
			return compareVisualOutput{}, err
		}
		if fault != "" {
			return c.notPictured(fault)
		}
		out, err := c.compareVisual(ctx, s, job)
		if err != nil {
			c.about.Subject = cmp.Or(out.Subject, c.about.Subject)
			return compareVisualOutput{}, err
		}
		return c.compared(out), nil
	})
}

// notPictured files that a site at fault does not look as its baseline.
func (c *call) notPictured(fault string) (compareVisualOutput, error) {
	check, err := c.check(qa.Outcome{Expected: visualcheck.LooksAsBaseline, Observed: fault})
	c.say("FAILED: %s", fault)
	return compareVisualOutput{Status: qa.Failed, Reason: fault, Regions: []partRegion{}, Pictures: []qa.VisualRow{}, CheckIDs: []string{check.ID}}, err
}

// maxPictureLines bounds the pictures that the text of an answer tells of.
const maxPictureLines = 4

// compared returns the answer to a comparison: the outcome first.
func (c *call) compared(o visualOutcome) compareVisualOutput {
	out := compareVisualOutput{Passed: o.Status == qa.Passed, Status: o.Status, Reason: o.Reason, Regions: []partRegion{}, Pictures: o.Rows, CheckIDs: o.Checks}
	c.shot = o.Shown
	out.Within = out.Passed && slices.ContainsFunc(o.Rows, func(r qa.VisualRow) bool { return r.Status == qa.VisualWithin })
	word := outcomeWord(o.Status)
	if out.Within {
		word += " WITHIN THE THRESHOLD"
	}
	c.say("%s: %s", word, o.Reason)
	decided := false
	for i, row := range o.Rows {
		for _, r := range row.Regions {
			if r.Cause && len(out.Regions) < visualcheck.MaxRegions {
				out.Regions = append(out.Regions, partRegion{Part: row.Part, VisualRegion: r})
			}
		}
		out.ProposalID = cmp.Or(out.ProposalID, row.ProposalID)
		if worse := !row.Status.Passes(); i == 0 || worse && !decided {
			out.DiffPercentage, out.ChangedPixels, decided = row.DiffPercentage, row.ChangedPixels, worse
		}
		if i < maxPictureLines && row.RawPixels > 0 {
			c.say("%s: %s differ: %d of %d pixels, %d of them in pale areas; %d in any bit; threshold %s",
				engine.OneSpace(qa.ShownName(row.Name), row.Part), visualcheck.Percent(row.DiffPercentage/100), row.ChangedPixels, row.Compared, row.PalePixels, row.RawPixels, visualcheck.Percent(row.Threshold))
		}
	}
	for _, cause := range o.Causes[:min(visualcheck.MaxCauses+1, len(o.Causes))] {
		c.quote("%s", engine.OneLine(cause))
	}
	for _, n := range o.Notes {
		c.say("%s", n)
	}
	if o.Next != "" {
		c.say("next: %s", o.Next)
	}
	return out
}

// outcomeWord returns the word that an answer begins with.
func outcomeWord(s qa.Status) string {
	if s == qa.Inconclusive {
		return "INCONCLUSIVE"
	}
	return pass(s == qa.Passed)
}
