package generate

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/assay-qa/assay/internal/text"
)

// Player runs tests by their runner on the site as it is, several times each. It calls ended with
// the name of each file of which all runs have ended, one at a time; of the others nothing is
// known. With soft a test goes on after an expectation that is red.
type Player func(ctx context.Context, base, role string, files []File, soft bool, ended func(name string, red []Failed)) error

// Failed is a place where a test was red.
type Failed struct {
	Line int    // of the file; 0: it is not known
	Why  string // the runner's message
	How  string // how the run differs from others: "with late answers"; empty: not at all
}

// cause is what it has in common with others.
func (f Failed) cause() string { return strings.TrimSpace("the runner is red " + f.How) }

// String tells it in one line.
func (f Failed) String() string { return f.cause() + ": " + text.Shorten(oneLine(f.Why), 300) }

// importLine is what a test file takes from the runner, and softly what takes its place where a
// test goes on after what is red. Lines keep their numbers.
const (
	importLine = `import { expect, test } from "@playwright/test";`
	softly     = `import { expect as hard, test } from "@playwright/test"; const expect = hard.configure({ soft: true });`
)

// Soft returns the file's text as a test that goes on after an expectation that is red.
func (f File) Soft() string { return strings.Replace(f.Text, importLine, softly, 1) }

// played runs a batch, and returns the flows that go on to be proved. Of a test that is red the
// expectations that are red are taken out, and an act that is red with all that follows; what is
// left is run once more.
func (m *making) played(ctx context.Context, s source, batch []*pending) (left []*pending, err error) {
	green, red, err := m.play(ctx, s, batch, false)
	if err != nil || len(red) == 0 {
		return green, err
	}
	_, known, err := m.play(ctx, s, red, true) // one that is green now stays as red as it was
	if err != nil {
		return nil, err
	}
	var again []*pending
	for _, w := range known {
		cut, dropped, err := w.file.withoutRed(w.red, s.options)
		if err != nil {
			return green, err
		}
		w.Dropped = append(w.Dropped, dropped...)
		if cut.Text == "" {
			w.NotCovered = w.red[0].String()
			if err := m.finish(w); err != nil {
				return green, err
			}
			continue
		}
		w.file = cut
		if err := m.entitleAgain(w, s.options); err != nil {
			return green, err
		}
		again = append(again, w)
	}
	if len(again) == 0 {
		return green, nil
	}
	more, still, err := m.play(ctx, s, again, false)
	for _, w := range still {
		w.NotCovered = w.red[0].String()
		if err := m.finish(w); err != nil {
			return green, err
		}
	}
	return append(green, more...), err
}

// play runs the tests of flows once. The green ones are written at once where they are not proved,
// and else returned; the red ones are returned with all places that were red. With soft all that
// were run are returned as red.
func (m *making) play(ctx context.Context, s source, flows []*pending, soft bool) (green, red []*pending, err error) {
	files := make([]File, len(flows))
	for i, w := range flows {
		files[i] = w.file
	}
	m.say(Progress{Doing: "running " + text.Count(len(files), "test")})
	var failed error
	known := 0
	err = m.Play(ctx, s.options.BaseURL, s.role, files, soft, func(name string, places []Failed) {
		i := slices.IndexFunc(flows, func(w *pending) bool { return w.file.Name == name })
		if i < 0 || failed != nil {
			return
		}
		w := flows[i]
		known++
		switch {
		case soft || len(places) > 0:
			if !soft {
				w.red = nil
			}
			w.red = append(w.red, places...)
			red = append(red, w)
		case m.Prove != nil:
			green = append(green, w)
		default:
			failed = m.finish(w)
		}
	})
	if failed != nil {
		return green, red, failed
	}
	if err == nil && ctx.Err() == nil && known < len(flows) {
		err = fmt.Errorf("the runner ran %d of %s", known, text.Count(len(flows), "test"))
	}
	if err == nil {
		err = ctx.Err()
	}
	return green, red, err
}

// withoutRed returns a file without the expectations that were red, and without the steps from the
// first act on that was; and what it lost. The file has no text where nothing is left that can be
// asserted, or where it is not known which line was red.
func (f File) withoutRed(red []Failed, o Options) (File, []Dropped, error) {
	p := f.path
	end := len(p.Steps)
	var dropped []Dropped
	why := func(has func(int) bool) (cause, reason string) {
		for _, r := range red {
			if has(r.Line) {
				return r.cause(), r.String()
			}
		}
		return "", ""
	}
	for i := range p.Steps {
		if _, reason := why(f.acts[i].Has); reason != "" {
			for n, s := range p.Steps[i:] {
				if n > 0 {
					reason = "it follows a step that can't be done"
				}
				dropped = append(dropped, Dropped{Flow: p.Name, Step: s.Name, Where: s.Where, What: "step", Reason: reason})
			}
			end = i
			break
		}
	}
	p.Steps = slices.Clone(p.Steps[:end])
	cut, lost, err := f.with(p, o, func(at placed) (cause, reason string) { return why(at.lines.Has) })
	if err != nil || len(dropped)+len(lost) == 0 {
		return File{}, nil, err
	}
	return cut, append(dropped, lost...), nil
}
