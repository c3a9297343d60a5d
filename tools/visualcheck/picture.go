package visualcheck

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"net/http"
	"slices"
	"time"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/evidence/baseline"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/tools/engine"
	"github.com/assay-qa/assay/visual"
	"github.com/assay-qa/assay/visual/layout"
)

// Picture holds one picture of the page, and what it is compared with.
type Picture struct {
	Part     string
	options  qa.VisualOptions // as they were given
	settings settings
	before   baseline.Picture // of the version; no digest: it has none of this part
	then     []byte           // its bytes
	Still    browser.Still
	sha      string                 // of the still
	restless *browser.RestlessError // instead of a still
	unrest   error                  // what it is the cause of
	moving   []qa.VisualRegion      // what keeps the page from coming to rest
	masked   bool                   // with their masks it comes to rest
	pair     *visual.Pair           // both pictures, while they are compared
	diff     []byte                 // PNG of what differs
	Row      qa.VisualRow
	err      error // why it was not looked at
}

// look takes the picture of the page as it is now.
func (v *Check) look(ctx context.Context, p *Picture) (err error) {
	if err := v.SpendPicture("of " + v.Subject(p)); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			v.ReturnPicture()
		}
	}()
	o := v.stillOptions(p, v.Job.Timeout)
	o.Find = append(slices.Clone(p.settings.ignore), slices.Sorted(maps.Keys(p.settings.components))...)
	if p.before.SHA256 != "" && v.version.Run != v.Run { // else its layout may be needed for a proposal
		if o.Known, err = v.Baselines.Read(p.before.SHA256); err != nil {
			return err
		}
	}
	if v.Window > 0 { // what comes after the load belongs to the picture
		if _, err := v.Session.Rest(ctx, browser.RestOptions{Window: v.Window}); err != nil {
			return err
		}
	}
	p.Still, err = v.Session.Still(ctx, o)
	expired, stateErr := v.Expired(ctx)
	switch {
	case expired != nil:
		return expired
	case errors.As(err, &p.restless):
		p.unrest = err
		v.findMasks(ctx, p)
		return nil
	case err != nil:
		return err
	case stateErr != nil:
		return stateErr
	}
	v.frozen = p.settings.freeze
	for _, m := range p.Still.Unmatched {
		v.note("warning: mask %s matches nothing on the page", m)
	}
	p.sha = digestOf(p.Still.Data)
	p.Row.AfterSize = fmt.Sprintf("%d×%d", p.Still.Width, p.Still.Height)
	return p.covered()
}

// covered refuses a comparison of nothing.
func (p *Picture) covered() error {
	if covers(p.Still, p.Still.Masked) {
		return engine.InvalidInput("mask only what changes by itself", "a mask covers the whole picture of %s: nothing would be compared", partWords(p.Part))
	}
	return nil
}

// stillOptions says of what the picture is taken.
func (v *Check) stillOptions(p *Picture, timeout time.Duration) browser.StillOptions {
	o := browser.StillOptions{Selector: p.Part, FullPage: p.settings.fullPage, Mask: slices.Clone(p.settings.mask), Ignore: p.settings.ignore, Freeze: p.settings.freeze, Timeout: timeout}
	if o.Freeze != nil && v.frozen != nil && o.Freeze.Equal(*v.frozen) {
		o.Freeze = nil // the page is loaded with that clock
	}
	return o
}

// mapOf returns what the picture shows, as a layout map without secrets. What an
// element has beyond the picture's edges is no part of it.
func (v *Check) mapOf(s browser.Still) []byte {
	m := layout.Map{Version: layout.Current, Width: s.Width, Height: s.Height, Elements: layoutElements(s.Elements)}
	for i := range m.Elements {
		e := &m.Elements[i]
		right, bottom := min(e.X+e.Width, m.Width), min(e.Y+e.Height, m.Height)
		e.X, e.Y = max(e.X, 0), max(e.Y, 0)
		e.Width, e.Height = max(0, right-e.X), max(0, bottom-e.Y)
	}
	return v.MaskJSON(engine.JSON(m))
}

func layoutElements(elements []browser.LayoutElement) []layout.Element {
	out := make([]layout.Element, len(elements))
	for i, e := range elements {
		out[i] = layout.Element(e)
	}
	return out
}

func digestOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// boxesOf returns places in the picture, grown to whole pixels.
func boxesOf(areas []browser.Area) []visual.Box {
	var out []visual.Box
	for _, a := range areas {
		x, y := math.Floor(a.X), math.Floor(a.Y)
		out = append(out, visual.Box{X: int(x), Y: int(y), Width: int(math.Ceil(a.X+a.Width) - x), Height: int(math.Ceil(a.Y+a.Height) - y)})
	}
	return out
}

// compare judges the picture beside the one of the version.
func (v *Check) compare(p *Picture) error {
	var err error
	if p.then, err = v.Baselines.Read(p.before.SHA256); err != nil {
		return err
	}
	o := visual.Options{Engine: p.settings.engine, IgnoreColors: p.settings.ignoreColors, CountAntialiasing: p.settings.countAntialiasing, Limit: v.MaxPixels}
	for _, i := range p.settings.ignore {
		o.Ignore = append(o.Ignore, boxesOf(p.Still.Found[i])...)
		if len(p.Still.Found[i]) == 0 && !slices.Contains(p.Still.Unmatched, i) {
			v.note("warning: ignore %s matches nothing in the picture", i)
		}
	}
	components := slices.Sorted(maps.Keys(p.settings.components))
	for _, s := range components {
		o.Parts = append(o.Parts, boxesOf(p.Still.Found[s])...)
	}
	regions, f, err := v.judge(p, o, components)
	if err != nil {
		return err
	}
	v.fill(p, f)
	if p.Row.Status.Passes() && v.version.Run == v.Run && (v.named() || len(v.Job.Expects) > 0 || slices.Contains(v.Captured, v.version.ID)) {
		p.Row.Status, p.Row.Reason = qa.VisualCaptured, pagetext.Sentencef("version %d was captured in this very run: one from before is needed", v.version.Number)
		return nil
	}
	if p.Row.Status == qa.VisualSame {
		return nil
	}
	p.list(regions)
	if p.pair != nil { // else there is nothing to lay over each other
		p.diff, err = p.pair.Highlight()
	}
	p.pair = nil
	return err
}

// judge finds out in what the picture differs, and which elements are behind it.
func (v *Check) judge(p *Picture, o visual.Options, components []string) ([]qa.VisualRegion, facts, error) {
	f := facts{Version: v.version.Number, Threshold: p.settings.threshold, Foreign: foreign(v.version.Environment, v.env)}
	if v.status >= http.StatusBadRequest { // an error page may be as empty as the one that was meant
		f.Threshold = 0
	}
	var err error
	p.pair, err = visual.Examine(p.then, p.Still.Data, o)
	switch {
	case errors.Is(err, visual.ErrEngine):
		return nil, f, engine.InvalidInput(`give this picture engine = "builtin"`, "%v", err)
	case err != nil && !errors.As(err, &f.Size):
		return nil, f, err
	}
	var d layout.Differences
	if f.Size == nil {
		f.Diff = p.pair.Diff
		if err := p.weigh(&f, components); err != nil || f.Diff.Raw == 0 {
			return nil, f, err
		}
		d = differences(p.pair)
	}
	regions, err := v.explain(p, d)
	for _, r := range regions {
		if r.Named && !p.settings.ignoreNamed {
			f.Named = append(f.Named, r)
		}
	}
	return regions, f, err
}

// differences returns the differences for a layout map.
func differences(p *visual.Pair) layout.Differences {
	d := layout.Differences{Places: regionsOf(p.Regions), Count: func(b qa.Box) (int, int) { return p.In(visual.Box(b)) }}
	for _, b := range p.Slight() {
		d.Slight = append(d.Slight, qa.Box(b))
	}
	return d
}

// weigh counts what differs in the components. It refuses a comparison of
// nothing, and one whose component never was on the page.
func (p *Picture) weigh(f *facts, components []string) error {
	if f.Diff.Compared == 0 {
		return engine.InvalidInput("ignore only what changes by itself", "all of %s is ignored: nothing would be compared", partWords(p.Part))
	}
	at := 0
	for _, s := range components {
		boxes := len(p.Still.Found[s])
		c := component{Selector: s, Threshold: p.settings.components[s], Missing: boxes == 0}
		if c.Missing {
			if f.Diff.Changed+f.Diff.Pale == 0 {
				return engine.InvalidInput("name a place of the picture, or leave it out", "component %s matches nothing in the picture of %s, which is as its baseline", s, partWords(p.Part))
			}
			f.Components = append(f.Components, c)
		}
		for _, d := range f.Diff.Parts[at : at+boxes] {
			c.Counted, c.Compared = d.Changed+d.Pale, d.Compared
			f.Components = append(f.Components, c)
		}
		at += boxes
	}
	return nil
}

// fill puts the outcome into the row.
func (v *Check) fill(p *Picture, f facts) {
	ruling := f.rule()
	row := &p.Row
	row.Status, row.Reason, row.Threshold = ruling.Status, pagetext.Sentencef("%s", ruling.Reason), ruling.Threshold
	row.BaselineID, row.Version, row.Approved = v.version.ID, v.version.Number, v.version.Status == baseline.Approved
	row.DiffPercentage = 100 * share(f.Diff.Changed+f.Diff.Pale, f.Diff.Compared)
	row.ChangedPixels, row.RawPixels, row.PalePixels, row.Compared = f.Diff.Changed+f.Diff.Pale, f.Diff.Raw, f.Diff.Pale, f.Diff.Compared
	row.BeforeSize, row.Environment = fmt.Sprintf("%d×%d", p.before.Width, p.before.Height), f.Foreign
}

// MaxRegions bounds the regions that a row lists.
const MaxRegions = 50

// explain names the elements behind what differs.
func (v *Check) explain(p *Picture, d layout.Differences) ([]qa.VisualRegion, error) {
	data, err := v.Baselines.Read(p.before.Layout)
	if err != nil {
		return nil, err
	}
	var then, now layout.Map
	if err := json.Unmarshal(data, &then); err != nil {
		return nil, fmt.Errorf("layout map %s of baseline %s: %w: %w", p.before.Layout, v.version.ID, baseline.ErrCorrupt, err)
	}
	if err := json.Unmarshal(v.mapOf(p.Still), &now); err != nil {
		return nil, fmt.Errorf("layout map of the page: %w", err)
	}
	hidden := slices.Clone(p.Still.Masked)
	for _, i := range p.settings.ignore {
		hidden = append(hidden, p.Still.Found[i]...)
	}
	for _, b := range boxesOf(hidden) {
		now.Covered = append(now.Covered, qa.Box(b))
	}
	return layout.Explain(then, now, d), nil
}

// list keeps the regions that a reader gets to see.
func (p *Picture) list(regions []qa.VisualRegion) {
	shown := min(MaxRegions, len(regions))
	p.Row.Regions, p.Row.Omitted = append(p.Row.Regions, regions[:shown]...), len(regions)-shown
}

func regionsOf(differing []visual.Region) []qa.VisualRegion {
	var out []qa.VisualRegion
	for _, r := range differing {
		out = append(out, qa.VisualRegion{Box: qa.Box(r.Box), Pale: r.Pale, ChangedPixels: r.Counted, RawPixels: r.Raw})
	}
	return out
}

// unsettled says what kept moving, as far as the last two pictures tell.
func (v *Check) unsettled(p *Picture) {
	row, e := &p.Row, engine.AsError(v.Tool, p.unrest)
	row.Status, row.Threshold, row.Reason = qa.VisualUnsettled, p.settings.threshold, e.Message
	row.BaselineID, row.Version, row.Approved = v.version.ID, v.version.Number, v.version.Status == baseline.Approved
	p.list(p.moving)
	v.Outcome.Causes = append(v.Outcome.Causes, e.Page...)
	v.note("next: %s", p.quieting())
}

// quieting says how the page of a picture comes to rest.
func (p *Picture) quieting() string {
	switch {
	case p.masked:
		return "give the masks that are named below mask: with all of them the page came to rest; or stop what moves"
	case len(p.moving) > 0:
		return "no mask was found with which it comes to rest: stop what moves, or picture an element that stands still (selectors)"
	default:
		return cmp.Or(engine.AsError("", p.unrest).Hint, "stop what keeps moving")
	}
}
