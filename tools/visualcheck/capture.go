package visualcheck

import (
	"context"
	"net/http"

	"github.com/assay-qa/assay/evidence/baseline"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa/code"
	"github.com/assay-qa/assay/tools/engine"
)

// Capture takes the pictures of a page and keeps them as a version of a baseline:
// in force where there is none, and else proposed. masks are places that changed
// by themselves within a second; they are offered, not applied.
func Capture(ctx context.Context, call Call, o Options, job Job) (v *Check, kept baseline.Version, masks []Mask, err error) {
	v = newCheck(call, o, job)
	v.capturing = true
	if err := v.prepare(ctx); err != nil {
		return v, baseline.Version{}, nil, err
	}
	if v.status >= http.StatusInternalServerError {
		return v, baseline.Version{}, nil,
			&engine.Error{Code: code.NavigationFailed, Message: pagetext.Sentencef("nothing was captured: the page answers status %d", v.status), Hint: "look at the server's log", Retriable: true}
	}
	for _, p := range v.Pictures {
		if err := v.look(ctx, p); err != nil {
			return v, baseline.Version{}, nil, err
		}
		if p.restless != nil {
			err := v.restlessError(p)
			return v, baseline.Version{}, nil, err
		}
		if p.before.SHA256 != "" {
			if err := v.compare(p); err != nil {
				v.Warnings = append(v.Warnings, "the picture in force can't be compared with: "+engine.AsError(v.Tool, err).Message)
			}
		}
	}
	n, err := v.proposed()
	if err != nil {
		return v, baseline.Version{}, nil, err
	}
	kept, err = v.Baselines.Capture(ctx, n)
	if err != nil {
		return v, baseline.Version{}, nil, err
	}
	masks = v.offerMasks(ctx)
	return v, kept, masks, nil
}

// restlessError says that a page that keeps moving, or a picture that lacks
// something, can't be a baseline.
func (v *Check) restlessError(p *Picture) error {
	e := engine.AsError(v.Tool, p.unrest)
	out := &engine.Error{Code: e.Code, Message: e.Message, Hint: p.quieting(), Retriable: e.Retriable}
	for _, r := range p.moving {
		if r.Cause && len(out.Page) < MaxCauses {
			out.Page = addedText(out.Page, pagetext.Text(r.Text))
		}
	}
	return out
}
