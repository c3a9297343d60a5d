package browser

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/mxschmitt/playwright-go"

	"github.com/assay-qa/assay/browser/selectors"
)

// Beyond describes what is known, of something that a document does not show, about all
// that lies beyond this document.
type Beyond struct {
	Look           // of what the selector finds in the other frames, all together
	Frame string   // the first frame in which one was seen, or else found
	Into  int      // how many frames were looked into
	Blind []string // what was not looked into, such as "1 canvas"
}

// LookBeyond looks for what selector finds in every other frame of the page,
// whatever its site, and tells what can't be looked into. A selector that enters
// a frame, or is of CSS, XPath or a test id, means its own document alone: frames
// are not looked into then. An empty selector means the page's texts, which are
// looked for in all frames anyway: see [Session.ReadAs].
func (s *looker) LookBeyond(ctx context.Context, selector string) (Beyond, error) {
	var of target
	if selector != "" {
		var err error
		if of, err = parseSelector(selector); err != nil {
			return Beyond{}, err
		}
	}
	return on(ctx, s.livePage, "look at", selector, func(ctx context.Context, t *tab) (Beyond, error) {
		b := beyond{looker: s, tab: t, of: of, blind: map[string]int{}}
		err := b.lookAll(ctx)
		b.out.Blind = b.blindness()
		return b.out, err
	})
}

// beyond is one such look, while it is made.
type beyond struct {
	looker *looker
	tab    *tab
	of     target
	out    Beyond
	blind  map[string]int
}

// blindKinds are what can't be looked into, as the engine calls it and in words.
var blindKinds = [][2]string{{"closed", "possible closed shadow root"}, {"canvas", "canvas"}, {"picture", "picture"}, {"video", "video"}, {"frame", "frame"}}

func (b *beyond) lookAll(ctx context.Context) error {
	frames := inner(b.tab.page)
	switch {
	case len(b.of.Parts) == 0 || b.of.wide(): // any frame
	default:
		b.blind["frame"], frames = max(0, len(frames)-len(b.of.Frames)), nil
	}
	if err := b.survey(b.tab.page.MainFrame()); err != nil {
		return err
	}
	for i, frame := range frames {
		if i == maxForeign {
			b.out.Doubt = fmt.Sprintf("only %d of %d frames are looked into", maxForeign, len(frames))
			return nil
		}
		err := b.survey(frame)
		if err == nil && len(b.of.Parts) > 0 {
			err = b.lookIn(ctx, frame)
		}
		switch {
		case err != nil && frame.IsDetached():
		case err != nil && ctx.Err() != nil:
			return err
		case err != nil:
			b.out.Doubt = unreadFrame(frame, err)
		default:
			b.out.Into++
		}
	}
	return nil
}

// lookIn looks into one frame.
func (b *beyond) lookIn(ctx context.Context, frame playwright.Frame) error {
	found, err := b.looker.lookAtAll(ctx, b.tab, target{frame: frame, Selector: selectors.Selector{Parts: b.of.Parts}})
	if err != nil {
		return err
	}
	if found.Count > 0 && b.out.Count == 0 || found.Seen > 0 && b.out.Seen == 0 {
		b.out.Frame = frameName(frame)
	}
	b.out.Count, b.out.Seen, b.out.Paintless = b.out.Count+found.Count, b.out.Seen+found.Seen, b.out.Paintless+found.Paintless
	for _, why := range found.Unseen {
		b.out.unseen(why)
	}
	if found.Doubt != "" {
		b.out.Doubt = "one stands in the frame " + frameName(frame) + ": " + found.Doubt
	}
	return nil
}

// survey counts what of a document can't be looked into.
func (b *beyond) survey(frame playwright.Frame) error {
	var answer map[string]int
	if err := askEngine(frame.Locator(engineAsk{Op: "blind"}.query()), lookTimeout, &answer); err != nil {
		return err
	}
	for kind, n := range answer {
		b.blind[kind] += n
	}
	return nil
}

func (b *beyond) blindness() []string {
	var out []string
	for _, kind := range blindKinds {
		if n := b.blind[kind[0]]; n > 0 {
			out = append(out, strings.Replace(plural(n, kind[1]), "canvass", "canvases", 1))
		}
	}
	return out
}

// wide reports whether a target means what a person names, wherever it stands: a
// line of a snapshot, a text, a label, a role.
func (t target) wide() bool {
	return len(t.Frames) == 0 && !slices.ContainsFunc(t.Parts, func(p selectors.Part) bool {
		return p.Line == nil && !slices.Contains([]string{"text", "label", "role", "nth", "visible"}, p.Engine)
	})
}
