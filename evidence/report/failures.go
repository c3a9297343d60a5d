package report

import (
	"cmp"
	"slices"

	"github.com/assay-qa/assay/qa"
)

// shownFailures bounds the failures at the head of the page.
const shownFailures = 3

// failure holds one fault of a run, with the checks that failed by it.
type failure struct {
	qa.Finding
	Checks []qa.Check
}

// failuresOf returns what failed, the gravest first: each fault once, whether a check,
// a finding or both say so. Of a run that is inconclusive it returns what was not done.
func failuresOf(r qa.QAReport) (out []failure) {
	byID := map[string]int{}
	for _, f := range gravestFirst(r.Findings) {
		if f.Severity.Fails() || r.Status != qa.Failed && r.Status != qa.Passed && f.Severity == qa.Info && f.Source == qa.SourceRule {
			byID[f.ID] = len(out)
			out = append(out, failure{Finding: f})
		}
	}
	for _, c := range r.Checks {
		if c.Status() != qa.Failed {
			continue
		}
		at, ok := byID[c.Finding]
		if !ok || c.Finding == "" {
			at = len(out)
			out = append(out, failure{Finding: c.AsFinding()})
		}
		out[at].Checks = append(out[at].Checks, c)
	}
	return out
}

// steps returns the calls in which it failed.
func (f failure) steps() (out []int) {
	for _, c := range f.Checks {
		if c.Step > 0 && !slices.Contains(out, c.Step) {
			out = append(out, c.Step)
		}
	}
	return out
}

// crop holds a part of a picture, with the elements that are boxed in it.
type crop struct {
	file
	Window  qa.Box // the part that is shown
	Boxes   []qa.Box
	Element bool // the picture is of the element alone
}

// cropOf returns the picture of a failure: cut to the place where that is known, else
// the whole of the last one. It returns nil where the report has none.
func (p page) cropOf(f failure) *crop {
	for _, v := range p.Visual { // its places were measured in the picture
		after := p.files.find(v.After)
		if after == nil || v.After == "" || f.Category != qa.Visual || !slices.ContainsFunc(f.Evidence, func(e qa.EvidenceRef) bool { return p.files.same(e.ScreenshotRef, v.After) }) {
			continue
		}
		var boxes []qa.Box
		for _, r := range v.Regions {
			if r.Cause && r.Kind != qa.ChangeRemoved {
				boxes = append(boxes, r.Box)
			}
		}
		return newCrop(*after, boxes)
	}
	var last *file
	element := false
	for _, e := range f.Evidence {
		shot := p.files.find(e.ScreenshotRef)
		if shot == nil || e.ScreenshotRef == "" || shot.URL == "" || !shot.Picture {
			continue
		}
		for _, b := range shot.Boxes {
			if b.Selector == e.Selector {
				return newCrop(*shot, []qa.Box{{X: b.X, Y: b.Y, Width: b.Width, Height: b.Height}})
			}
		}
		if !element {
			last, element = shot, f.Category == qa.DataConsistency && e.Selector != ""
		}
	}
	if last == nil {
		return nil
	}
	c := newCrop(*last, nil)
	if c != nil {
		c.Element = element && last.Width < 800 && last.Height < 500
	}
	return c
}

// Bounds of a crop, in the picture's pixels.
const (
	cropWide   = 640
	cropHigh   = 400
	cropMargin = 60 // around the boxes
)

// newCrop cuts a picture to the boxes with a margin. Without a box in the picture it
// is whole. It returns nil for what can't be shown.
func newCrop(f file, boxes []qa.Box) *crop {
	if f.URL == "" || f.Width <= 0 || f.Height <= 0 {
		return nil
	}
	c := &crop{file: f, Window: qa.Box{Width: f.Width, Height: f.Height}}
	left, top, right, bottom := f.Width, f.Height, 0, 0
	for _, b := range boxes {
		x, y, xEnd, yEnd := max(0, b.X), max(0, b.Y), min(f.Width, b.X+b.Width), min(f.Height, b.Y+b.Height)
		if x >= xEnd || y >= yEnd {
			continue
		}
		c.Boxes = append(c.Boxes, qa.Box{X: x, Y: y, Width: xEnd - x, Height: yEnd - y})
		left, top, right, bottom = min(left, x), min(top, y), max(right, xEnd), max(bottom, yEnd)
	}
	if len(c.Boxes) > 0 {
		left, right = span(left-cropMargin, right+cropMargin, cropWide, f.Width)
		top, bottom = span(top-cropMargin, bottom+cropMargin, cropHigh, f.Height)
		c.Window = qa.Box{X: left, Y: top, Width: right - left, Height: bottom - top}
	}
	return c
}

// span widens from..to to a length, and keeps it within 0..end.
func span(from, to, length, end int) (int, int) {
	if missing := length - (to - from); missing > 0 {
		from, to = from-missing/2, to+missing-missing/2
	}
	if from < 0 {
		from, to = 0, to-from
	}
	if to > end {
		from, to = from-(to-end), end
	}
	return max(0, from), to
}

// caseName returns the name of what was run: of a file's case, or of a page. The goal
// of a client is a sentence that the verdict may deny, and no name.
func caseName(r qa.QAReport) string {
	name := r.TaskID
	if name == "" && r.Task.Metadata[qa.CommandKey] != "" {
		name = r.Task.Goal
	}
	if name == "" && r.Task.Route != "" {
		name = "Run on " + r.Task.Route
	}
	return visible(cmp.Or(name, "Run "+r.RunID))
}
