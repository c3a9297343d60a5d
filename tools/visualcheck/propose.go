package visualcheck

import (
	"bytes"
	"context"
	"slices"

	"github.com/assay-qa/assay/evidence/baseline"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/code"
	"github.com/assay-qa/assay/tools/engine"
)

// keepNew gives the store what a later comparison or a person needs: the first
// version of a name, or the proposal of another one. A proposal that can't be
// kept takes nothing from what the pictures have shown.
func (v *Check) keepNew(ctx context.Context) error {
	if v.version.ID == "" {
		return v.captureFirst(ctx)
	}
	if !v.inForce || !slices.ContainsFunc(v.Pictures, func(p *Picture) bool { return p.wanted() }) {
		return nil
	}
	kept, err := v.change(ctx)
	became := "it is proposed now"
	if err != nil {
		kept, became = baseline.Version{}, "it could not be proposed"
		v.note("the change could not be proposed: %s", engine.AsError(v.Tool, err).Message)
	}
	v.proposal = kept.ID
	for _, p := range v.Pictures {
		if p.wanted() {
			p.Row.ProposalID = kept.ID
		}
		if p.err == nil && p.restless == nil && p.before.SHA256 == "" {
			p.Row.Status = qa.VisualCaptured
			p.Row.Reason = pagetext.Sentencef("version %d of %q had no picture of %s: %s", v.version.Number, v.name, partWords(p.Part), became)
		}
	}
	return nil
}

// change proposes the pictures.
func (v *Check) change(ctx context.Context) (baseline.Version, error) {
	n, err := v.proposed()
	if err != nil {
		return baseline.Version{}, err
	}
	return v.Baselines.Propose(ctx, n)
}

// wanted reports whether a person may want the picture as the new baseline.
func (p *Picture) wanted() bool {
	if p.err != nil || p.restless != nil {
		return false
	}
	return p.before.SHA256 == "" || slices.Contains([]qa.VisualStatus{qa.VisualChanged, qa.VisualSize, qa.VisualForeign}, p.Row.Status)
}

// captureFirst keeps the first version of a name. Another one may have come
// first meanwhile: then the pictures are a proposal, or those in force.
func (v *Check) captureFirst(ctx context.Context) error {
	if whole, err := v.whole(); !whole {
		return err
	}
	n, err := v.proposed()
	if err != nil {
		return err
	}
	kept, err := v.Baselines.Capture(ctx, n)
	if err != nil {
		return err
	}
	for _, m := range v.offerMasks(ctx) {
		v.Outcome.Causes = append(v.Outcome.Causes, pagetext.Sprintf("mask %s: %s", m.Selector, m.Why))
	}
	v.version = kept
	v.First = kept.ID
	for _, p := range v.Pictures {
		row := &p.Row
		row.Status, row.BaselineID, row.Version, row.Threshold = qa.VisualCaptured, kept.ID, kept.Number, p.settings.threshold
		row.Reason = pagetext.Sentencef("there was no baseline %q to compare with: captured version %d, unapproved", v.name, kept.Number)
		if kept.Status == baseline.Proposed {
			row.ProposalID = kept.ID
			row.Reason = pagetext.Sentencef("nothing to compare with was in force: proposed as version %d of %q, since a person rejected this picture before, or another one came first",
				kept.Number, v.name)
		}
	}
	return nil
}

// whole reports whether every picture was taken: a version of half of them would
// hide the other half.
func (v *Check) whole() (bool, error) {
	if i := slices.IndexFunc(v.Pictures, func(p *Picture) bool { return p.err != nil }); i >= 0 {
		return false, v.Pictures[i].err
	}
	restless := slices.IndexFunc(v.Pictures, func(p *Picture) bool { return p.restless != nil })
	if restless < 0 {
		return true, nil
	}
	for _, p := range v.Pictures {
		if p.restless == nil {
			p.err = &engine.Error{Code: code.Timeout,
				Message: pagetext.Sentencef("not captured: the picture of %s is not settled", partWords(v.Pictures[restless].Part)), Hint: "see what is said of that picture"}
		}
	}
	return false, nil
}

// proposed returns a version with the pictures that were taken: the one in force, if
// there is one, with those that changed in their places.
func (v *Check) proposed() (baseline.New, error) {
	given := v.shared()
	n := baseline.New{Blobs: map[string][]byte{}, Version: baseline.Version{Name: v.name, Environment: v.env, Options: given,
		Replaces: v.version.ID, URL: v.url, Run: v.Run}}
	if v.version.ID != "" {
		n.Options = replacing(v.version.Options, given, v.capturing)
	}
	for _, p := range v.Pictures {
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
			data, err := v.Baselines.Read(digest)
			if err != nil {
				return n, err
			}
			n.Blobs[digest] = data
		}
		n.Pictures = append(n.Pictures, old)
	}
	return n, nil
}

// shared returns the options that every picture was given. Where a task gives each
// its own, it gives them again: what one may hide is not for another to hide.
func (v *Check) shared() qa.VisualOptions {
	given := v.Pictures[0].options
	for _, p := range v.Pictures {
		if !bytes.Equal(engine.JSON(p.options), engine.JSON(given)) {
			return qa.VisualOptions{}
		}
	}
	return given
}

// stays reports whether the picture of the version before is kept: nothing that
// counts differs, or there is no other one.
func (p *Picture) stays() bool {
	return p.err != nil || p.restless != nil || p.Row.Status == qa.VisualSame
}

// picture enters the bytes of a picture and of its layout map.
func (v *Check) picture(n *baseline.New, p *Picture) baseline.Picture {
	m := v.mapOf(p.Still)
	digest := digestOf(m)
	n.Blobs[p.sha], n.Blobs[digest] = p.Still.Data, m
	return baseline.Picture{Part: p.Part, SHA256: p.sha, Width: p.Still.Width, Height: p.Still.Height, Layout: digest}
}

// Next says what a person or the caller does about the outcome; "" if nothing.
func (v *Check) Next() string { return v.Outcome.Cause.Next() }

// Replaced returns the id of the version that was there before; empty: none.
func (v *Check) Replaced() string { return v.version.ID }
