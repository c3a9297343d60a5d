package tools

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/engine"
	"github.com/assay-qa/assay/evidence/baseline"
	"github.com/assay-qa/assay/qa"
)

// keepNew gives the store what a later comparison or a person needs: the first
// version of a name, or the proposal of another one. A proposal that can't be
// kept takes nothing from what the pictures have shown.
func (v *visualCheck) keepNew(ctx context.Context) error {
	if v.version.ID == "" {
		return v.captureFirst(ctx)
	}
	if !v.inForce || !slices.ContainsFunc(v.pictures, func(p *visualPicture) bool { return p.wanted() }) {
		return nil
	}
	kept, err := v.change(ctx)
	became := "it is proposed now"
	if err != nil {
		kept, became = baseline.Version{}, "it could not be proposed"
		v.note("the change could not be proposed: %s", engine.AsError(v.c.spec.name, err).Message)
	}
	v.proposal = kept.ID
	for _, p := range v.pictures {
		if p.wanted() {
			p.row.ProposalID = kept.ID
		}
		if p.err == nil && p.restless == nil && p.before.SHA256 == "" {
			p.row.Status = qa.VisualCaptured
			p.row.Reason = fmt.Sprintf("version %d of %q had no picture of %s: %s", v.version.Number, v.name, partWords(p.part), became)
		}
	}
	return nil
}

// change proposes the pictures.
func (v *visualCheck) change(ctx context.Context) (baseline.Version, error) {
	n, err := v.proposed()
	if err != nil {
		return baseline.Version{}, err
	}
	return v.c.desk.Baselines.Propose(ctx, n)
}

// wanted tells whether a person may want the picture as the new baseline.
func (p *visualPicture) wanted() bool {
	if p.err != nil || p.restless != nil {
		return false
	}
	return p.before.SHA256 == "" || slices.Contains([]qa.VisualStatus{qa.VisualChanged, qa.VisualSize, qa.VisualForeign}, p.row.Status)
}

// captureFirst keeps the first version of a name. Another one may have come
// first meanwhile: then the pictures are a proposal, or those in force.
func (v *visualCheck) captureFirst(ctx context.Context) error {
	if whole, err := v.whole(); !whole {
		return err
	}
	n, err := v.proposed()
	if err != nil {
		return err
	}
	kept, err := v.c.desk.Baselines.Capture(ctx, n)
	if err != nil {
		return err
	}
	for _, m := range v.offerMasks(ctx) {
		v.out.Causes = append(v.out.Causes, fmt.Sprintf("mask %s: %s", m.Selector, m.Why))
	}
	v.version = kept
	v.c.captured = append(v.c.captured, kept.ID)
	for _, p := range v.pictures {
		row := &p.row
		row.Status, row.BaselineID, row.Version, row.Threshold = qa.VisualCaptured, kept.ID, kept.Number, p.settings.threshold
		row.Reason = fmt.Sprintf("there was no baseline %q to compare with: captured version %d, unapproved", v.name, kept.Number)
		if kept.Status == baseline.Proposed {
			row.ProposalID = kept.ID
			row.Reason = fmt.Sprintf("nothing to compare with was in force: proposed as version %d of %q, since a person rejected this picture before, or another one came first", kept.Number, v.name)
		}
	}
	return nil
}

// whole tells whether every picture was taken: a version of half of them would
// hide the other half.
func (v *visualCheck) whole() (bool, error) {
	if i := slices.IndexFunc(v.pictures, func(p *visualPicture) bool { return p.err != nil }); i >= 0 {
		return false, v.pictures[i].err
	}
	restless := slices.IndexFunc(v.pictures, func(p *visualPicture) bool { return p.restless != nil })
	if restless < 0 {
		return true, nil
	}
	for _, p := range v.pictures {
		if p.restless == nil {
			p.err = &engine.Error{Code: string(browser.TimedOut), Message: "not captured: the picture of " + partWords(v.pictures[restless].part) + " did not come to rest", Hint: "mask what keeps moving, or stop it"}
		}
	}
	return false, nil
}

// proposed is a version with the pictures that were taken: the one in force, if
// there is one, with those that changed in their places.
func (v *visualCheck) proposed() (baseline.New, error) {
	given := v.shared()
	n := baseline.New{Blobs: map[string][]byte{}, Version: baseline.Version{Name: v.name, Environment: v.env, Options: given,
		Replaces: v.version.ID, URL: v.url, Run: v.c.run.ID()}}
	if v.version.ID != "" {
		n.Options = replacing(v.version.Options, given, v.capturing)
	}
	for _, p := range v.pictures {
		if !p.stays() {
			n.Pictures = append(n.Pictures, v.picture(&n, p))
		}
		if p.diff != nil && !p.stays() {
			digest := digestOf(p.diff)
			n.Blobs[digest] = p.diff
			n.Diffs = append(n.Diffs, digest)
		}
	}
	for _, old := range v.version.Pictures {
		if slices.ContainsFunc(n.Pictures, func(b baseline.Picture) bool { return b.Part == old.Part }) {
			continue
		}
		for _, digest := range []string{old.SHA256, old.Layout} {
			data, err := v.c.desk.Baselines.Read(digest)
			if err != nil {
				return n, err
			}
			n.Blobs[digest] = data
		}
		n.Pictures = append(n.Pictures, old)
	}
	return n, nil
}

// shared are the options that every picture was given. Where a task gives each
// its own, it gives them again: what one may hide is not for another to hide.
func (v *visualCheck) shared() qa.VisualOptions {
	given := v.pictures[0].options
	for _, p := range v.pictures {
		if !bytes.Equal(mustJSON(p.options), mustJSON(given)) {
			return qa.VisualOptions{}
		}
	}
	return given
}

// stays tells that the picture of the version before is kept: nothing that
// counts differs, or there is no other one.
func (p *visualPicture) stays() bool {
	return p.err != nil || p.restless != nil || p.row.Status == qa.VisualSame
}

// picture enters the bytes of a picture and of its layout map.
func (v *visualCheck) picture(n *baseline.New, p *visualPicture) baseline.Picture {
	m := v.c.mapOf(p.still)
	digest := digestOf(m)
	n.Blobs[p.sha], n.Blobs[digest] = p.still.Data, m
	return baseline.Picture{Part: p.part, SHA256: p.sha, Width: p.still.Width, Height: p.still.Height, Layout: digest}
}

// next says what a person or the caller does about the outcome; "" if nothing.
func (v *visualCheck) next() string {
	status := func(s qa.VisualStatus) bool {
		return slices.ContainsFunc(v.pictures, func(p *visualPicture) bool { return p.row.Status == s })
	}
	switch {
	case v.proposal != "":
		return "if the change is wanted, a person approves it: " + approving(v.proposal)
	case status(qa.VisualCaptured) && v.version.Status == baseline.Proposed:
		return "if this picture is wanted, a person approves it: " + approving(v.version.ID)
	case status(qa.VisualCaptured):
		return "the next run compares with it; a person looks at it and approves it: " + approving(v.version.ID)
	default:
		return ""
	}
}

// approving is the command by which a person puts a version in force.
func approving(id string) string {
	return strings.TrimSpace("assay baseline approve " + id + ` --name "…" --reason "…"`)
}
