package visualcheck

import (
	"context"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/internal/wait"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/tools/engine"
	"github.com/assay-qa/assay/visual"
	"github.com/assay-qa/assay/visual/layout"
)

// maxMasks bounds the masks that are offered.
const maxMasks = 10

// Mask holds a place of a new baseline that changes by itself.
type Mask struct {
	Part     string `json:"part,omitempty" jsonschema:"the element's selector; empty: the page"`
	Selector string `json:"selector" jsonschema:"a mask: it is offered, not applied"`
	Why      string `json:"why"`
}

// offerMasks takes the pictures that became a baseline once more, a second
// later, and names what differs. It masks nothing: the caller decides what a
// picture may hide. If the second look fails, the baseline stands.
func (v *Check) offerMasks(ctx context.Context) []Mask {
	lively := v.Session.Waits().Lively
	if wait.For(ctx, lively) != nil {
		return nil
	}
	var out []Mask
	for _, p := range v.Pictures {
		found, err := v.livelyIn(ctx, p)
		if err != nil {
			v.note("whether %s changes by itself was not found out: %s", partWords(p.Part), engine.AsError(v.Tool, err).Message)
			continue
		}
		for _, m := range found {
			if len(out) < maxMasks {
				out = append(out, m)
			}
		}
	}
	if len(out) > 0 {
		v.note("%d of its places changed by themselves within %v: each comparison will fail by them; if they may, capture it again with them under mask", len(out), lively)
	}
	return out
}

// livelyIn names what differs in one picture by now.
func (v *Check) livelyIn(ctx context.Context, p *Picture) ([]Mask, error) {
	if len(p.Still.Elements) == 0 {
		return nil, nil // it equals the picture in force
	}
	now, err := v.Session.Still(ctx,
		browser.StillOptions{Selector: p.Part, FullPage: p.settings.fullPage, Mask: p.settings.mask, Ignore: p.settings.ignore, Known: p.Still.Data, Timeout: v.Job.Timeout})
	if err != nil {
		return nil, err
	}
	pair, err := visual.Examine(p.Still.Data, now.Data, visual.Options{Limit: v.MaxPixels})
	var d layout.Differences
	if err == nil {
		if pair.Raw == 0 {
			return nil, nil
		}
		d = differences(pair)
	}
	then := layout.Map{Version: layout.Current, Width: p.Still.Width, Height: p.Still.Height, Elements: layoutElements(p.Still.Elements)}
	is := layout.Map{Version: layout.Current, Width: now.Width, Height: now.Height, Elements: layoutElements(now.Elements)}
	var out []Mask
	for _, r := range layout.Explain(then, is, d) {
		if r.Cause && (r.Named || err != nil || r.ChangedPixels > 0) {
			out = append(out, v.maskOf(p, r, now.Elements))
		}
	}
	return out, nil
}

// maskOf returns the mask that hides what changed in a region.
func (v *Check) maskOf(p *Picture, r qa.VisualRegion, elements []browser.LayoutElement) Mask {
	return Mask{Part: p.Part, Selector: lastingSelector(r, elements), Why: v.Mask(r.Text)}
}
