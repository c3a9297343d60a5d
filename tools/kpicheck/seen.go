package kpicheck

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/kpi"
	"github.com/assay-qa/assay/tools/engine"
)

// confirmSeen checks whether a person sees the value of each KPI that would
// hold, as every other check does: by pictures where rules can't decide. The
// reading of a page's figures uses cheap rules alone, because it reads all of
// them, and does not scroll: what these rules take for unseen is checked
// again, too.
//
// Those that are seen where the page stands are known by one look at all of them.
func (k *check) confirmSeen(ctx context.Context, all together) error {
	known := k.seenTogether(ctx, all)
	for _, r := range all {
		for _, label := range k.labels {
			if err := k.confirmOne(ctx, r, label, known); err != nil {
				return err
			}
		}
	}
	return nil
}

// seenTogether looks once at all values that would hold, and returns those that are seen, by
// selector and text.
func (k *check) seenTogether(ctx context.Context, all together) map[[2]string]sighted {
	known := map[[2]string]sighted{}
	var subjects []browser.Subject
	for _, r := range all {
		for _, label := range k.labels {
			best := r.look.picks[label].Best
			if best == nil || k.judge(r, label).status != qa.KPIOk {
				continue
			}
			subject := browser.Subject{Kind: browser.OfText, Selector: best.Selector, Wanted: strings.TrimSpace(best.Value.Text), How: browser.AnyPart}
			if !slices.Contains(subjects, subject) {
				subjects = append(subjects, subject)
			}
		}
	}
	for i, sight := range k.Session.Together().Look(ctx, subjects) {
		if sight.Known && sight.Text.Fits && sight.Text.Doubt == "" {
			known[[2]string{subjects[i].Selector, subjects[i].Wanted}] = sighted{}
		}
	}
	return known
}

// sighted says why a value is not seen, or why that can't be decided.
type sighted struct{ why, doubt string }

// confirmOne checks whether a person sees the value of one KPI in one range. known holds what
// was found out, by selector and text.
func (k *check) confirmOne(ctx context.Context, r *rangeCheck, label string, known map[[2]string]sighted) error {
	pick := r.look.picks[label]
	hidden := pick.Best == nil && pick.Hidden != nil && len(pick.Ambiguous) == 0 && askable(pick.Hidden.Why)
	if hidden {
		found := *pick.Hidden
		found.Why = ""
		pick.Best, pick.Hidden = &found, nil
		if kpi.Compare(found.Value, r.want[label], k.Tolerance.For(label)).Status != qa.KPIOk {
			return nil // whoever sees it, it is not the value
		}
	} else if pick.Best == nil || k.judge(r, label).status != qa.KPIOk {
		return nil
	}
	key := [2]string{pick.Best.Selector, strings.TrimSpace(pick.Best.Value.Text)}
	sight, ok := known[key]
	if !ok {
		var err error
		if sight, err = k.sight(ctx, key[0], key[1], hidden); err != nil {
			return err
		}
		known[key] = sight
	}
	switch {
	case hidden && (sight.why != "" || sight.doubt != ""):
		return nil
	case sight.doubt != "":
		best := *pick.Best
		best.Doubt = cmp.Or(best.Doubt, "whether it is seen: "+sight.doubt)
		pick.Best = &best
	case sight.why != "":
		best := *pick.Best
		best.Why = sight.why
		pick.Best, pick.Hidden = nil, &best
	}
	r.look.picks[label] = pick
	return nil
}

// sight looks whether a value is seen. hidden: the cheap rules say that it is not, and it may
// come in now that the look has scrolled to it, which takes a moment. The error says that the
// call is over.
func (k *check) sight(ctx context.Context, selector, text string, hidden bool) (sighted, error) {
	why, doubt, err := k.unseen(ctx, selector, text)
	if hidden && why != "" && err == nil {
		if _, err = k.Session.Rest(ctx, browser.RestOptions{}); err == nil {
			why, doubt, err = k.unseen(ctx, selector, text)
		}
	}
	if err != nil {
		if ctx.Err() != nil {
			return sighted{}, err
		}
		doubt = engine.AsError(k.Tool, err).Message.Line()
	}
	return sighted{why, doubt}, nil
}

// askable reports whether a value that the cheap rules take for unseen may be
// seen after all: what lies under something may be scrolled from under it, and
// what is transparent may come in when it is scrolled to.
func askable(why string) bool {
	return why == "transparent" || strings.HasPrefix(why, "covered")
}

// unseen returns why a person does not see a value, or why that can't be
// decided. A value that is put together of several texts, and is not found as
// it is written, is seen with its element.
func (k *check) unseen(ctx context.Context, selector, text string) (why, doubt string, err error) {
	read, err := k.Session.Read(ctx, selector, text, false)
	if err != nil || read.Fits || read.Why != "" || read.Doubt != "" {
		return read.Why, read.Doubt, err
	}
	look, err := k.Session.Look(ctx, selector, browser.FactCount, "")
	if err != nil || look.Seen > 0 {
		return "", "", err
	}
	return cmp.Or(strings.Join(look.Unseen, ", "), "gone"), look.Doubt, nil
}
