package visualcheck

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/browser/rest"
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
	o := v.stillOptions(p, v.Job.Timeout)
	o.Known = p.Still.Data
	now, err := v.Session.Still(ctx, o)
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
			out = append(out, Mask{Part: p.Part, Selector: v.maskOf(r, [][]browser.LayoutElement{now.Elements, p.Still.Elements}), Why: v.Mask(r.Text)})
		}
	}
	if len(out) == 0 {
		return nil, nil
	}
	return v.tried(ctx, p, out)
}

// tried returns those masks, and what else it takes, with which the picture is at rest and
// equal to the one that was taken before; none if there are none.
func (v *Check) tried(ctx context.Context, p *Picture, masks []Mask) ([]Mask, error) {
	o := v.stillOptions(p, v.Job.Timeout)
	for _, m := range masks {
		o.Mask = append(o.Mask, m.Selector)
	}
	o.Find = o.Mask
	now, err := v.Session.Still(ctx, o)
	if err != nil {
		return nil, err
	}
	var hidden []visual.Box
	for _, m := range o.Mask {
		hidden = append(hidden, boxesOf(now.Found[m])...)
	}
	pair, err := visual.Examine(p.Still.Data, now.Data, visual.Options{Limit: v.MaxPixels, Ignore: hidden})
	if err != nil || covers(now, now.Masked) {
		v.note("no mask was found with which %s stays as it is", partWords(p.Part))
		return nil, nil //nolint:nilerr // the picture has another size by then: that is what was found
	}
	for _, r := range pair.Regions {
		masks = append(masks, Mask{Part: p.Part, Selector: v.boxMask(qa.Box(r.Box)), Why: "the place is painted differently each time"})
	}
	return masks, nil
}

// maxTrials bounds how often masks are tried on a page that does not come to rest, and
// trialLimit the time for each.
const (
	maxTrials  = 3
	trialLimit = 3 * time.Second
	// searchLimit bounds twice the time of all trials.
	searchLimit = time.Minute
)

// findMasks finds what keeps the page from coming to rest, and the masks with which it does.
// A mask is told only if the page came to rest with it.
func (v *Check) findMasks(ctx context.Context, p *Picture) {
	p.moving = v.moving(p.restless)
	readings := p.restless.Readings
	ctx, cancel := context.WithTimeout(ctx, rest.Left(ctx, searchLimit)/2) // the other half is for the answer
	defer cancel()
	for range maxTrials {
		if len(p.moving) == 0 || p.moving[0].Selector == "" { // the picture has another size each time
			return
		}
		o := v.stillOptions(p, min(cmp.Or(v.Job.Timeout, trialLimit), trialLimit))
		for _, r := range p.moving {
			if r.Cause {
				o.Mask = append(o.Mask, r.Selector)
			}
		}
		again, ok := v.trial(ctx, o)
		if ok {
			p.tellMasks()
			return
		}
		if again == nil {
			return
		}
		readings = slices.Concat(again.Readings, readings)
		if len(readings) < 2 {
			return
		}
		all := &browser.RestlessError{Last: again.Last, Readings: readings}
		more := v.repainted(all)
		if len(again.Readings) > 0 {
			more = append(v.moving(all), more...)
		}
		if !p.alsoMoving(more) {
			return
		}
	}
}

// trial reports whether the page comes to rest with the masks, twice with the same picture:
// what repeats itself may look alike by chance. again holds what moves all the same.
func (v *Check) trial(ctx context.Context, o browser.StillOptions) (again *browser.RestlessError, ok bool) {
	first, err := v.Session.Still(ctx, o)
	if errors.As(err, &again) || err != nil || covers(first, first.Masked) || wait.For(ctx, v.Session.Waits().Lively) != nil {
		return again, false
	}
	o.Known, o.Freeze = first.Data, nil
	second, err := v.Session.Still(ctx, o)
	if errors.As(err, &again) || err != nil {
		return again, false
	}
	return &browser.RestlessError{Last: [2][]byte{first.Data, second.Data}}, bytes.Equal(first.Data, second.Data)
}

// tellMasks adds its mask to each cause.
func (p *Picture) tellMasks() {
	p.masked = true
	for i, r := range p.moving {
		if r.Cause {
			p.moving[i].Text += "; mask " + r.Selector
		}
	}
}

// alsoMoving enters what moves beside what is known, or in more places. It reports whether
// there is such.
func (p *Picture) alsoMoving(more []qa.VisualRegion) (found bool) {
	for _, r := range more {
		if slices.ContainsFunc(p.moving, func(o qa.VisualRegion) bool { return o.Selector == r.Selector }) {
			continue
		}
		found = true
		if at := slices.IndexFunc(p.moving, func(o qa.VisualRegion) bool { return o.Box == r.Box && o.Kind == r.Kind }); at >= 0 {
			p.moving[at] = r
			continue
		}
		p.moving = append(p.moving, r)
	}
	return found
}

// covers reports whether one of the areas is all of a picture.
func covers(s browser.Still, areas []browser.Area) bool {
	return slices.ContainsFunc(areas, func(a browser.Area) bool {
		return a.X <= 0 && a.Y <= 0 && a.X+a.Width >= float64(s.Width) && a.Y+a.Height >= float64(s.Height)
	})
}
