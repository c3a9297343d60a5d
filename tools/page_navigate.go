package tools

import (
	"context"

	"github.com/assay-qa/assay/browser"
)

type pageNavigateInput struct {
	onSession
	URL       string `json:"url"`
	WaitUntil string `json:"wait_until,omitempty" jsonschema:"load (default), commit, domcontentloaded or networkidle"`
	timeLimit
}

func (d *Desk) pageNavigate() Tool {
	return define(d, spec{
		name: "page_navigate", set: Core, changesPage: true,
		repeat:      repeat{failed: true, step: func(r *reproducer, in reproducibleInput) error { return r.open(in.URL, in.TimeoutMS) }},
		description: "Load an address: status, title, redirects, load time.",
	}, func(ctx context.Context, c *call, in pageNavigateInput) (browser.Navigation, error) {
		var err error
		if in.URL, err = d.address(in.URL); err != nil {
			return browser.Navigation{}, err
		}
		if err := browser.CheckURL(in.URL); err != nil {
			return browser.Navigation{}, err
		}
		s, err := c.sessionFor(ctx, in.SessionID)
		if err != nil {
			return browser.Navigation{}, err
		}
		c.progress("loading " + in.URL)
		nav, err := c.navigate(ctx, s, in.URL, in.WaitUntil, in.TimeoutMS.duration())
		if err != nil {
			return nav, err
		}
		c.say("loaded in %d ms, status %d", nav.LoadTimeMS, nav.Status)
		for _, r := range nav.Redirects {
			c.quote("redirected by %s (%d)", r.URL, r.Status)
		}
		nav.Effects.URLFrom = ""
		c.sayEffects(nav.Effects)
		return nav, nil
	})
}
