package tools

import (
	"cmp"
	"context"
	"path"
	"slices"

	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/tools/engine"
	"github.com/assay-qa/assay/tools/flows"
	"github.com/assay-qa/assay/tools/tool"
	"github.com/assay-qa/assay/tools/visualcheck"
	"github.com/assay-qa/assay/tools/workspace"
)

type compareVisualInput struct {
	tool.OnSession
	URL        string   `json:"url,omitempty" jsonschema:"in a fresh context"`
	Name       string   `json:"name,omitempty"`
	BaselineID string   `json:"baseline_id,omitempty" jsonschema:"instead of name"`
	Selectors  []string `json:"selectors,omitempty" jsonschema:"default: as the baseline"`
	qa.VisualOptions
	tool.TimeLimit
	tool.Binds
	tool.Shows
}

type compareVisualOutput struct {
	tool.Opened
	Passed         bool              `json:"passed"`
	Within         bool              `json:"within_threshold,omitempty" jsonschema:"passed, and yet something differs"`
	Status         qa.Status         `json:"status"`
	Reason         pagetext.Sentence `json:"reason"`
	DiffPercentage float64           `json:"diff_percentage" jsonschema:"of the picture that decided"`
	ChangedPixels  int               `json:"changed_pixels"`
	Regions        []partRegion      `json:"regions" jsonschema:"what changed: causes only, of all pictures"`
	ProposalID     string            `json:"proposal_id,omitempty" jsonschema:"what a person can approve"`
	Pictures       []qa.VisualRow    `json:"pictures"`
	Images         []visualImage     `json:"images" jsonschema:"the stored pictures that rows name"`
	DiffImage      string            `json:"diff_image,omitempty" jsonschema:"base64 of what differs, if it failed, with include_image"`
	CheckIDs       []string          `json:"check_ids"`
}

// visualImage holds a stored picture of a comparison.
type visualImage struct {
	Part string `json:"part,omitempty" jsonschema:"the element's selector; empty: the page"`
	Kind string `json:"kind" jsonschema:"before, after or diff"`
	Name string `json:"name"`
	URI  string `json:"uri"`
	Path string `json:"path"`
}

// Show sets the picture of what differs in the first part that failed.
func (o *compareVisualOutput) Show(picture func(path string) string) {
	for _, image := range o.Images {
		if image.Kind == "diff" && !o.Passed && o.DiffImage == "" {
			o.DiffImage = picture(image.Path)
		}
	}
}

// images returns where the pictures of a comparison's rows are.
func images(c *tool.Call, rows []qa.VisualRow) []visualImage {
	out := []visualImage{}
	if c.RunErr != nil {
		return out
	}
	stored := c.Run.Artifacts()
	for _, row := range rows {
		for _, p := range []struct{ kind, name string }{{"before", row.Before}, {"after", row.After}, {"diff", row.Diff}} {
			at := slices.IndexFunc(stored, func(a qa.Artifact) bool { return p.name != "" && (a.Name == p.name || path.Base(a.Name) == p.name) })
			if at >= 0 {
				ref := tool.NewScreenshotRef(c.Run, stored[at])
				out = append(out, visualImage{Part: row.Part, Kind: p.kind, Name: ref.Name, URI: ref.URI, Path: ref.Path})
			}
		}
	}
	return out
}

// strip returns the paths of the pictures of the first part that differs: as it was,
// what differs, as it is. It is empty where nothing does. The pictures of a part follow
// each other, as [images] lists them.
func strip(all []visualImage) []string {
	for i := 2; i < len(all); i++ {
		before, after, diff := all[i-2], all[i-1], all[i]
		if before.Kind == "before" && after.Kind == "after" && diff.Kind == "diff" {
			return []string{before.Path, diff.Path, after.Path}
		}
	}
	return nil
}

// partRegion holds a region of one of the pictures.
type partRegion struct {
	Part string `json:"part,omitempty" jsonschema:"the element's selector; empty: the page"`
	qa.VisualRegion
}

func compareVisualRegression(ws *workspace.Workspace) tool.Tool {
	return tool.Define(ws, tool.Spec{
		Name: "compare_visual_regression", Set: tool.Core, Verifies: true, Publish: true, Loose: []string{"components"},
		Unlisted:    []string{"full_page", "ignore", "components", "engine", "named_changes", "ignore_colors", "ignore_antialiasing", "freeze", "timeout_ms"},
		Description: "Compare the page or elements with a baseline. A first picture is only captured. Options: assay://schemas/visual-options.json",
	}, func(ctx context.Context, c *tool.Call, in compareVisualInput) (compareVisualOutput, error) {
		job := visualcheck.Job{Name: in.Name, BaselineID: in.BaselineID, Parts: in.Selectors, Options: in.VisualOptions, Expects: in.Expects, Timeout: in.TimeoutMS.Duration()}
		c.About = qa.Check{Kind: "visual", Subject: cmp.Or(in.Name, in.BaselineID), Expected: visualcheck.LooksAsBaseline, Expects: in.Expects}
		if err := job.Validate(); err != nil {
			return compareVisualOutput{}, err
		}
		s, fault, err := c.SessionAt(ctx, in.SessionID, in.URL)
		if err != nil {
			return compareVisualOutput{}, err
		}
		if fault != "" {
			return notPictured(c, fault)
		}
		out, err := flows.Compare(ctx, c, s, job)
		if err != nil {
			c.About.Subject = cmp.Or(out.Subject, c.About.Subject)
			return compareVisualOutput{}, err
		}
		answer := compared(c, out)
		answer.Opened, err = c.Opened(answer.Passed)
		return answer, err
	})
}

// notPictured files that a site at fault does not look as its baseline.
func notPictured(c *tool.Call, fault pagetext.Sentence) (compareVisualOutput, error) {
	check, err := c.FileCheck(qa.Outcome{Expected: visualcheck.LooksAsBaseline, Observed: fault.Text()})
	if err != nil {
		return compareVisualOutput{}, err
	}
	c.Say("FAILED: %s", fault)
	opened, err := c.Opened(false)
	return compareVisualOutput{Opened: opened, Status: qa.Failed, Reason: fault, Regions: []partRegion{}, Pictures: []qa.VisualRow{}, Images: []visualImage{}, CheckIDs: []string{check.ID}}, err
}

// maxPictureLines bounds the pictures that the text of an answer tells of.
const maxPictureLines = 4

// compared returns the answer to a comparison: the outcome first.
func compared(c *tool.Call, o flows.PictureOutcome) compareVisualOutput {
	out := compareVisualOutput{Passed: o.Status == qa.Passed, Status: o.Status, Reason: o.Reason, Regions: []partRegion{}, Pictures: o.Rows, Images: images(c, o.Rows), CheckIDs: o.Checks}
	c.Shot, c.Strip = o.Shown, strip(out.Images)
	out.Within = out.Passed && slices.ContainsFunc(o.Rows, func(r qa.VisualRow) bool { return r.Status == qa.VisualWithin })
	word := o.Status.Shouted()
	if out.Within {
		word += " WITHIN THE THRESHOLD"
	}
	c.Say("%s: %s", word, o.Reason)
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
			c.Say("%s: %s differ: %d of %d pixels, %d of them in pale areas; %d in any bit; threshold %s",
				engine.OneSpace(qa.ShownName(row.Name), row.Part), visualcheck.Percent(row.DiffPercentage/100),
				row.ChangedPixels, row.Compared, row.PalePixels, row.RawPixels, visualcheck.Percent(row.Threshold))
		}
	}
	for _, cause := range o.Causes[:min(visualcheck.MaxCauses+1, len(o.Causes))] {
		c.Quote("%s", engine.OneLine(cause))
	}
	for _, n := range o.Notes {
		c.Say("%s", n)
	}
	if o.Next != "" {
		c.Say("next: %s", o.Next)
	}
	return out
}
