package kpicheck

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/internal/wait"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/code"
	"github.com/assay-qa/assay/qa/kpi"
	"github.com/assay-qa/assay/tools/engine"
)

// reading holds one look at the page: where each KPI is, and what it says.
type reading struct {
	at     time.Time
	page   kpi.Page
	picks  map[string]kpi.Pick
	errors map[string]string // KPIs whose selector finds several elements
	unread []string
	capped bool
	stood  time.Duration // for so long nothing of the page was changed, and nothing is known to come; 0: not known
}

// look reads the page once, with the elements that KPIs are asked of by selectors.
func (k *check) look(ctx context.Context) (reading, error) {
	var about []string
	for _, label := range k.labels {
		if selector := k.selectorOf(label); selector != "" {
			about = append(about, selector)
		}
	}
	r, err := k.Session.Figures(ctx, browser.FiguresAsk{About: about, Within: k.waits.FigureStill, Timeout: k.readingTime(), Languages: []string{k.locale()}})
	if err != nil {
		return reading{}, err
	}
	l := reading{page: pageOf(r, k.NumberLocale), picks: map[string]kpi.Pick{}, errors: map[string]string{}, unread: r.Unread, capped: r.Capped, stood: r.Stood}
	l.page.Settle()
	own := make([]kpi.Page, len(r.Own))
	for i, texts := range r.Own {
		own[i] = l.page
		own[i].Texts = textsOf(texts)
		own[i].Settle()
	}
	asked := 0
	for _, label := range k.labels {
		if k.selectorOf(label) == "" {
			l.picks[label] = l.page.Pick(label, k.Spec.Units[label], k.labels)
			continue
		}
		element := r.Asked[asked]
		asked++
		if element.Known && element.Count == 1 {
			l.picks[label] = k.askedOf(own[element.Own], element.Box, label)
		} else if err := k.lookAlone(ctx, label, &l); err != nil {
			return l, err
		}
	}
	l.at = k.Oracle.Now()
	return l, nil
}

// selectorOf returns the selector by which the value of a KPI is found; "" where its label
// leads to it.
func (k *check) selectorOf(label string) string {
	return cmp.Or(k.Spec.Selectors[label], k.Selectors[label])
}

// askedOf returns the value of a KPI from one element of a page; box -1 is none.
func (k *check) askedOf(p kpi.Page, box int, label string) kpi.Pick {
	if box < 0 { // nothing is in it
		return kpi.Pick{}
	}
	p.Boxes = slices.Clone(p.Boxes)
	p.Boxes[box].Asked = true
	pick := p.Asked(label)
	if pick.Best != nil {
		pick.Best.Selector = k.selectorOf(label)
	}
	return pick
}

// lookAlone reads the page for one KPI whose element is in a frame, or is not the only one.
func (k *check) lookAlone(ctx context.Context, label string, l *reading) error {
	asked, err := k.readings(ctx, k.selectorOf(label))
	if err != nil {
		e := engine.AsError(k.Tool, err)
		switch e.Code {
		case code.ElementNotFound:
			l.picks[label] = kpi.Pick{}
		case code.SelectorAmbiguous:
			l.errors[label] = e.Message.Line()
		default:
			return err
		}
		return nil
	}
	p := pageOf(asked, k.NumberLocale)
	p.Settle()
	box := slices.IndexFunc(p.Boxes, func(b kpi.Box) bool { return b.Asked })
	l.picks[label] = k.askedOf(p, box, label)
	return nil
}

// readings reads the page, or one element of it.
func (k *check) readings(ctx context.Context, selector string) (browser.Readings, error) {
	return k.Session.Readings(ctx, selector, k.readingTime(), k.locale())
}

// locale returns how figures are written where the page does not say.
func (k *check) locale() string { return cmp.Or(k.NumberLocale, k.Locale) }

// pageOf hands what the browser read to the one that judges it.
func pageOf(r browser.Readings, numberLocale string) kpi.Page {
	p := kpi.Page{Lang: r.Lang, NumberLocale: numberLocale, Texts: textsOf(r.Texts), Boxes: make([]kpi.Box, len(r.Boxes))}
	for _, w := range r.Writings {
		p.Writings = append(p.Writings, kpi.Writing(w))
	}
	for i, b := range r.Boxes {
		p.Boxes[i] = kpi.Box(b)
	}
	return p
}

func textsOf(read []browser.Reading) []kpi.Text {
	out := make([]kpi.Text, len(read))
	for i, t := range read {
		out[i] = kpi.Text(t)
	}
	return out
}

// shown returns what a look found for a label, in one line: the digest by which two
// looks are compared. A text that changed between them and came back differs.
func (l reading) shown(label string) string {
	pick := l.picks[label]
	var parts []string
	if pick.Best != nil {
		parts = append(parts, fmt.Sprint(pick.Best.Value.Text, " ", pick.Best.Stir))
	}
	for _, list := range [][]kpi.Place{pick.Others, pick.Ambiguous} {
		for _, p := range list {
			parts = append(parts, fmt.Sprint(p.Value.Text, " ", p.Stir))
		}
	}
	return strings.Join(append(parts, l.errors[label]), "\n")
}

// pauses separates two looks. They differ, so that a figure that ticks as
// regularly as we look can't pass for one that stands still.
var pauses = [...]time.Duration{50 * time.Millisecond, 100 * time.Millisecond, 70 * time.Millisecond}

// stability holds how one KPI's text changed while it was looked at.
type stability struct {
	text    string
	since   time.Time // when it was first seen like this
	changes int
}

// see notes what a look shows.
func (t *stability) see(text string, now time.Time) {
	switch {
	case t.since.IsZero():
		t.text, t.since = text, now
	case text != t.text:
		t.text, t.since, t.changes = text, now, t.changes+1
	}
}

// still reports whether the value has stood still for the whole window.
func (t *stability) still(now time.Time, window time.Duration) bool {
	return !t.since.IsZero() && now.Sub(t.since) >= window
}

// settle looks at the page until every KPI holds and has stood still for the
// window, or time is up; the window's time is its own, on top of the time-out.
// It queries the oracle when the page has come to rest, and once more before a
// difference counts: a figure that moves is no fault of the page. Time is up
// early when more of it is useless: see [check.waitingIsUseless].
func (k *check) settle(ctx context.Context, all together) error {
	start := k.Oracle.Now()
	patience := k.patience(ctx, start, len(all))
	asked := 0
	for looks := 0; len(all.live()) > 0; looks++ {
		if err := k.lookOnce(ctx, all); err != nil {
			return err
		}
		resting := !all.awaits() && k.allStill(all)
		spent := all[0].look.at.Sub(start)
		over := spent >= patience && (k.allStill(all) || spent >= patience+k.waits.FigureRest) || resting && k.waitingIsUseless(all, start)
		again := asked == 1 && over && k.Spec.Type == qa.APIEndpoint && !k.allHold(all)
		if asked == 0 && (resting || over) || again {
			asked++
			if err := k.consultAll(ctx, all); err != nil {
				return err
			}
		}
		done := over || asked > 0 && resting && k.allHold(all)
		if done {
			if err := k.addUp(ctx, all); err != nil {
				return err
			}
		}
		sure := asked > 1 || k.Spec.Type != qa.APIEndpoint || k.allHold(all) // a difference is believed when the oracle has said it twice
		if sure && (over || done && all[0].sumsHold()) {
			if !k.allHold(all) {
				return nil
			}
			if ran, err := k.Session.AwaitTimers(ctx, start); err != nil || !ran {
				return err
			}
			continue
		}
		if err := wait.For(ctx, k.pause(looks, all[0].look.stood)); err != nil {
			return err
		}
	}
	return nil
}

// pause returns how long to wait for the next look. Of a page that stands still, and in which
// every change is noted, it is the rest of the window: a look within it would see the same.
func (k *check) pause(looks int, stood time.Duration) time.Duration {
	short := pauses[looks%len(pauses)]
	if stood == 0 {
		return short
	}
	return max(short, k.waits.FigureStill-stood)
}

// lookOnce reads the page for all ranges, and notes what changed.
func (k *check) lookOnce(ctx context.Context, all together) error {
	look, err := k.look(ctx)
	if err != nil {
		return err
	}
	for _, label := range k.labels {
		k.track(all[0], label).see(look.shown(label), look.at)
	}
	for _, r := range all {
		r.look = look
		r.look.picks = maps.Clone(look.picks)
		r.pending = slices.DeleteFunc(k.Session.DataRequests(r.since), func(e browser.NetworkEvent) bool { return !e.Pending })
	}
	return nil
}

// awaits reports whether a request of the page is under way.
func (all together) awaits() bool {
	return slices.ContainsFunc(all, func(r *rangeCheck) bool { return len(r.pending) > 0 })
}

// patience returns how long so many ranges may take to settle together: the time-out, or
// their share of what is left of the call.
func (k *check) patience(ctx context.Context, now time.Time, ranges int) time.Duration {
	wanted := cmp.Or(k.Timeout, DefaultTimeout)
	if deadline, ok := ctx.Deadline(); ok {
		share := (deadline.Sub(now) - 3*time.Second) * time.Duration(ranges) / time.Duration(max(1, len(k.ranges)-k.visited))
		wanted = min(wanted, max(share, k.waits.FigureStill))
	}
	return wanted
}

func (k *check) track(r *rangeCheck, label string) *stability {
	if r.tracks[label] == nil {
		r.tracks[label] = &stability{}
	}
	return r.tracks[label]
}

func (k *check) allStill(all together) bool {
	return !slices.ContainsFunc(k.labels, func(label string) bool {
		return !k.isStill(all[0], label)
	})
}

// isStill reports whether a figure has stood still for its window: as it was looked at, or
// with all of the page, which may have begun before.
func (k *check) isStill(r *rangeCheck, label string) bool {
	return r.look.stood >= k.waits.FigureStill || r.tracks[label].still(r.look.at, k.waits.FigureStill)
}

func (k *check) allHold(all together) bool {
	return !slices.ContainsFunc(all.live(), func(r *rangeCheck) bool { return !k.holds(r) })
}

func (k *check) holds(r *rangeCheck) bool {
	return !slices.ContainsFunc(k.labels, func(label string) bool { return k.judge(r, label).status != qa.KPIOk })
}

// consultAll asks the oracle about each range. Where it has no answer for one, that range
// can't be compared; the error concerns all.
func (k *check) consultAll(ctx context.Context, all together) error {
	for _, r := range all.live() {
		r.err = k.consult(ctx, r)
		if r.err != nil && (isInvalid(r.err) || ctx.Err() != nil) {
			return r.err
		}
	}
	return nil
}

// consult asks the oracle about a range.
func (k *check) consult(ctx context.Context, r *rangeCheck) error {
	answer, err := k.Oracle.Ask(ctx, k.Spec, r.Params)
	if err != nil {
		return err
	}
	r.source, r.want = answer.Source, map[string]kpi.Expected{}
	for label, text := range answer.Values {
		if r.want[label], err = kpi.ParseExpected(text, k.Spec.Units[label], r.look.page.WritingsOf(cmp.Or(k.NumberLocale, k.Locale), r.look.page.Lang)...); err != nil {
			return engine.InvalidInput("", "units of %s: %v", label, err)
		}
	}
	for _, label := range k.labels {
		if _, ok := r.want[label]; !ok {
			return OracleFailed(nil, "complete kpiSpec.map, so that every range has the same KPIs", "%s: no value for %s", answer.Source, label)
		}
	}
	return nil
}

// readingTime returns how long the page may take to be read: as long as its figures
// may take to come.
func (k *check) readingTime() time.Duration {
	return cmp.Or(k.Timeout, DefaultTimeout)
}
