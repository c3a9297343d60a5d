package browser

import (
	"context"
	"strconv"

	"github.com/mxschmitt/playwright-go"

	"github.com/assay-qa/assay/browser/guard"
)

// scriptGuard keeps a caller's script from clicking what the caller may not
// click: the elements of a page that are destructive when the script begins.
// What the script itself puts into the page, and what it sends, is for the
// request guard.
type scriptGuard struct {
	session *sessionGuard
	watched []playwright.Frame
}

// guardScript judges the elements of a page before a script runs in it, and
// returns what ends the watch.
func (s *sessionGuard) guardScript(ctx context.Context, t *tab) (*scriptGuard, error) {
	g := &scriptGuard{session: s}
	if s.guardPolicy().Guard == nil {
		return g, nil
	}
	_, err := within(ctx, t, 2*lookTimeout, func() (struct{}, error) {
		for _, frame := range t.page.Frames() {
			var actors []actionElement
			if err := askEngine(frame.Locator(engineAsk{Op: "actors"}.query()), lookTimeout, &actors); err != nil {
				if frame == t.page.MainFrame() {
					return struct{}{}, err
				}
				continue // a frame that goes away, or of another site, which no script of this page reaches
			}
			var stop []int
			for i, a := range actors {
				if s.destructiveRule(a) != "" {
					stop = append(stop, i)
				}
			}
			if len(stop) == 0 {
				continue
			}
			var n int
			if err := askEngine(frame.Locator(engineAsk{Op: "watchScript", Items: stop}.query()), lookTimeout, &n); err != nil {
				return struct{}{}, err
			}
			g.watched = append(g.watched, frame)
		}
		return struct{}{}, nil
	})
	return g, err
}

// report logs the clicks that the watch stopped since it was last asked; last
// takes it away.
func (g *scriptGuard) report(ctx context.Context, t *tab, last bool) {
	if len(g.watched) == 0 {
		return
	}
	_, _ = within(context.WithoutCancel(ctx), t, 2*lookTimeout, func() (struct{}, error) { // a document that has gone took its watch along
		for _, frame := range g.watched {
			var names []string
			if err := askEngine(frame.Locator(engineAsk{Op: "scriptClicks", Last: last}.query()), lookTimeout, &names); err != nil {
				continue
			}
			for _, name := range names {
				rule, _ := g.session.guardPolicy().Guard.Act(guard.Element{Names: []string{name}})
				if rule == "" {
					rule = "what it does"
				}
				g.session.EventLog.addStop(guardStop{what: "a script's click on " + strconv.Quote(cut(name, maxNote)) + " (rule: " + rule + ")", rule: rule})
			}
		}
		return struct{}{}, nil
	})
}
