package browser

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/mxschmitt/playwright-go"

	"github.com/assay-qa/assay/browser/explain"
	"github.com/assay-qa/assay/browser/rest"
	"github.com/assay-qa/assay/browser/selectors"
)

// Readings describes what a page says, run of text by run of text, with where it
// stands. Frames and open shadow roots are included.
type Readings struct {
	Texts    []Reading
	Boxes    []ReadingBox
	Lang     string          // of the document, as it declares it
	URL      string          // of the page
	Canvases int             // pictures drawn by a script, whose texts can't be read
	Capped   bool            // the page has more texts than are read
	Unread   []string        // frames that could not be read, with the reason
	Writings []NumberWriting // of the languages that its documents declare, and of those that were asked for
	Stood    time.Duration   // of Figures: for so long nothing of the page was changed, and nothing is on its way; 0: not known
	Asked    []AskedElement  // what each selector that was asked about finds
	Own      [][]Reading     // the texts of the page, parted where some of these elements begin and end
}

// AskedElement says what a selector finds in the page's own document.
type AskedElement struct {
	Known bool // it was looked for
	Count int
	Own   int // where the texts are parted at it, an index of Readings.Own
	Box   int // of the only one, an index of Boxes; -1: it has none
}

// Reading holds one run of text: the content of a line or a block without a
// break, whatever elements dress its parts.
type Reading struct {
	Text       string
	Selector   string  // finds the element again; the page may change what it says
	Kind       string  // text, unseen, name (of an element, for screen readers), title (of a part of an SVG) or picture (without a text, Doubt says of what)
	Box        int     // the element it stands in: an index of Boxes
	X, Y, W, H float64 // in CSS pixels of the document
	Font       float64 // size in pixels; 0 when it isn't painted
	Weight     int     // of the font
	Cuts       []int   // where one element ends and another begins, in characters of Text
	Why        string  // why it is not seen, such as transparent; empty for what is
	Doubt      string  // what of it could not be read, or in more than one way
	Stir       int     // the number of the last change of its text since it was first read
}

// ReadingBox holds an element around texts.
type ReadingBox struct {
	Parent int // -1: none
	Tag    string
	Role   string
	Name   string // aria-label, or what aria-labelledby leads to
	TestID string
	KPI    string // data-kpi
	ID     string
	Lang   string // as the element declares it
	Col    int    // of a cell, from 0; -1: no cell
	Span   int    // columns of a cell
	Asked  bool
}

// readingAnswer describes what the engine answers of one text.
type readingAnswer struct {
	Text   string     `json:"t"`
	Line   string     `json:"s"`
	Stable string     `json:"z"`
	Kind   string     `json:"k"`
	Box    int        `json:"x"`
	Rect   [4]float64 `json:"b"`
	Font   float64    `json:"f"`
	Weight int        `json:"h"`
	Cuts   []int      `json:"c"`
	Why    string     `json:"y"`
	Doubt  string     `json:"d"`
	Stir   int        `json:"m"`
}

// readingsAnswer describes what the engine answers for one document.
type readingsAnswer struct {
	Texts []readingAnswer   `json:"texts"`
	Own   [][]readingAnswer `json:"own"`   // the texts parted at the elements that are asked about
	About map[string][2]int `json:"about"` // by name, which of Own, and the box
	Boxes []struct {
		Parent int    `json:"p"`
		Tag    string `json:"g"`
		Role   string `json:"r"`
		Name   string `json:"n"`
		TestID string `json:"t"`
		KPI    string `json:"k"`
		ID     string `json:"i"`
		Lang   string `json:"l"`
		Col    int    `json:"c"`
		Span   int    `json:"w"`
		Asked  int    `json:"z"`
	} `json:"boxes"`
	Frames []struct {
		Head string     `json:"h"`
		Rect [4]float64 `json:"b"`
		Box  int        `json:"x"`
	} `json:"frames"`
	Canvases int             `json:"canvases"`
	Capped   bool            `json:"capped"`
	Lang     string          `json:"lang"`
	Writing  []writingAnswer `json:"writing"`
}

// Readings reads the page once, as it is now. With a selector, the box of the
// one element that it finds has Asked set; without, none has. A page that does
// not answer within the caller's time-out is a TIMEOUT error; the time-out is
// at least that of one look.
func (s *pageReader) Readings(ctx context.Context, selector string, timeout time.Duration, languages ...string) (Readings, error) {
	return on(ctx, s.livePage, "read the figures", explain.Quoting(selector), func(ctx context.Context, t *tab) (Readings, error) {
		r := figureReader{page: t.page, patience: max(rest.FramesLimit, timeout) / 2, asked: selector, languages: languages}
		r.out.URL = t.page.URL()
		at, hops := t.page.Locator(r.ask().query()), []selectors.Line(nil)
		if selector != "" {
			found, err := outlineRoot(t.page, selector)
			if err != nil {
				return r.out, err
			}
			r.hops = found.Frames
			r.inner = found.locator(t.page).Locator(r.ask().query())
			if len(found.Frames) == 0 {
				at = r.inner
			}
		}
		deadline := *left(ctx, max(timeout, rest.LookLimit))
		err := r.read(at, hops, -1, [2]float64{}, time.Duration(deadline)*time.Millisecond)
		return r.out, err
	})
}

// FiguresAsk says what a reading of a page's figures is to find out in the same trip.
type FiguresAsk struct {
	About     []string      // selectors of elements; one in a frame is not known
	Within    time.Duration // what may come by itself within so long counts as coming
	Timeout   time.Duration // as [Session.Readings] takes it
	Languages []string
}

// Figures reads the page once, with what is asked about it.
func (s *pageReader) Figures(ctx context.Context, ask FiguresAsk) (Readings, error) {
	return on(ctx, s.livePage, "read the figures", "", func(ctx context.Context, t *tab) (Readings, error) {
		timeout := ask.Timeout
		r := figureReader{page: t.page, patience: max(rest.FramesLimit, timeout) / 2, languages: ask.Languages, whole: &ask}
		r.out.URL = t.page.URL()
		deadline := *left(ctx, max(timeout, rest.LookLimit))
		err := r.read(t.page.Locator(r.ask().query()), nil, -1, [2]float64{}, time.Duration(deadline)*time.Millisecond)
		if pending, unanswered, quiet := s.log.AwaitedNow(t.page, nil); len(pending)+len(unanswered) > 0 || s.log.Loading(t.page) != "" {
			r.out.Stood = 0
		} else {
			r.out.Stood = min(r.out.Stood, quiet, s.pool.Now().Sub(s.settledAt()))
		}
		if err == nil {
			s.noteTimers(t, r.set)
		}
		return r.out, err
	})
}

// figureReader gathers the readings of a page and of the frames in it.
type figureReader struct {
	page     playwright.Page
	out      Readings
	patience time.Duration // what may still be spent on frames that don't answer
	frames   int
	asked    string
	hops     []selectors.Line   // to the document of the element that was asked for
	inner    playwright.Locator // asks in that document

	languages []string
	whole     *FiguresAsk // what is asked about the page's own document; nil: nothing
	set       timersSaid
}

func (r *figureReader) ask() engineAsk { return engineAsk{Op: "readings", Names: r.languages} }

// read adds one document, whose place in its page's is given, and its frames.
func (r *figureReader) read(at playwright.Locator, hops []selectors.Line, parent int, origin [2]float64, timeout time.Duration) error {
	answer, err := r.answer(at, hops, max(timeout, rest.Least))
	if err != nil {
		return err
	}
	if len(hops) == 0 {
		r.out.Lang = answer.Lang
	}
	r.out.Canvases += answer.Canvases
	r.out.Capped = r.out.Capped || answer.Capped
	for _, w := range answer.Writing {
		if !slices.ContainsFunc(r.out.Writings, func(known NumberWriting) bool { return known.Lang == w.Lang }) {
			r.out.Writings = append(r.out.Writings, w.writing())
		}
	}
	base, prefix := len(r.out.Boxes), selectors.Selector{Frames: hops}.Prefix()
	for _, b := range answer.Boxes {
		up := parent
		if b.Parent >= 0 {
			up = base + b.Parent
		}
		r.out.Boxes = append(r.out.Boxes, ReadingBox{Parent: up, Tag: b.Tag, Role: b.Role, Name: b.Name,
			TestID: b.TestID, KPI: b.KPI, ID: b.ID, Lang: b.Lang, Col: b.Col, Span: b.Span, Asked: b.Asked == 1})
	}
	add := func(to *[]Reading, texts []readingAnswer) {
		for _, x := range texts {
			selector := prefix + x.Line
			if len(hops) == 0 && x.Stable != "" {
				selector = x.Stable
			}
			box := parent
			if x.Box >= 0 {
				box = base + x.Box
			}
			*to = append(*to, Reading{Text: x.Text, Selector: selector, Kind: x.Kind, Box: box,
				X: x.Rect[0] + origin[0], Y: x.Rect[1] + origin[1], W: x.Rect[2], H: x.Rect[3], Font: x.Font, Weight: x.Weight,
				Cuts: x.Cuts, Why: x.Why, Doubt: x.Doubt, Stir: x.Stir})
		}
	}
	add(&r.out.Texts, answer.Texts)
	for _, texts := range answer.Own {
		r.out.Own = append(r.out.Own, nil)
		add(&r.out.Own[len(r.out.Own)-1], texts)
	}
	for _, f := range answer.Frames {
		r.enter(f.Head, hops, base+f.Box, [2]float64{origin[0] + f.Rect[0], origin[1] + f.Rect[1]})
	}
	return nil
}

// answer reads one document. In the page's own one it has the elements found that are asked
// about, in the same trip.
func (r *figureReader) answer(at playwright.Locator, hops []selectors.Line, timeout time.Duration) (out readingsAnswer, err error) {
	if r.whole == nil || len(hops) > 0 {
		err = askEngine(at, timeout, &out)
		return out, err
	}
	var query string
	about := r.whole.About
	names, inFrame := make([]string, len(about)), make([]bool, len(about))
	for i, selector := range about {
		of, err := parseSelector(selector)
		if err != nil {
			return out, err
		}
		if names[i], inFrame[i] = fmt.Sprintf("figure %d", i), len(of.Frames) > 0; !inFrame[i] {
			query = either(query, of.query()+" >> "+engineAsk{Op: "beside", Name: names[i], Asks: []engineAsk{{Op: "asked", Name: names[i]}}}.query())
		}
	}
	var answer struct {
		Beside []struct{ N int }
		Own    []struct {
			readingsAnswer
			stillAnswer
		}
	}
	all := engineAsk{Op: "together", Names: names, Asks: []engineAsk{r.ask(), {Op: "still", Within: int(r.whole.Within.Milliseconds())}}}
	if err := askEngine(r.page.Locator(either(query, all.query())), timeout, &answer); err != nil {
		return out, err
	}
	if len(answer.Own) != 2 || len(answer.Beside) != len(names) {
		return out, errNotTold
	}
	r.out.Stood, r.set = milliseconds(answer.Own[1].Ago), answer.Own[1].Set
	for i := range about {
		one := AskedElement{Known: !inFrame[i], Count: answer.Beside[i].N, Box: -1}
		if at, ok := answer.Own[0].About[names[i]]; ok {
			one.Own, one.Box = at[0], at[1]
		}
		r.out.Asked = append(r.out.Asked, one)
	}
	return answer.Own[0].readingsAnswer, nil
}

// enter reads a frame. One that can't be read is noted.
func (r *figureReader) enter(head string, hops []selectors.Line, box int, origin [2]float64) {
	name := selectors.Selector{Frames: hops}.Prefix() + head
	if r.frames++; r.frames > maxFrames || len(hops) >= maxFrameDepth {
		r.out.Unread = append(r.out.Unread, name+": too many frames")
		return
	}
	hop, _, ok, err := selectors.ScanLine(head)
	if !ok || err != nil {
		r.out.Unread = append(r.out.Unread, name+": its name is no selector")
		return
	}
	inner := append(append([]selectors.Line(nil), hops...), hop)
	at := inFrames(r.page, inner, r.ask().query())
	if r.inner != nil && (selectors.Selector{Frames: inner}).Prefix() == (selectors.Selector{Frames: r.hops}).Prefix() {
		at = r.inner
	}
	timeout := min(rest.FrameLimit, r.patience)
	if err := r.read(at, inner, box, origin, timeout); err != nil {
		if errors.Is(err, playwright.ErrTimeout) {
			r.patience -= timeout
		}
		r.out.Unread = append(r.out.Unread, name+": "+frameTrouble(r.page, inner, err, timeout))
	}
}

// NumberWriting says how a language writes numbers, as the browser's own Intl does.
// A language that Intl does not know has no more than its name.
type NumberWriting struct {
	Lang     string   // as the document declares it
	Decimals []string // the marks before decimals, of Latin digits first
	OfMoney  []string // the marks before decimals of amounts of money
	Scales   []struct {
		Before, Behind string // the words around the digits; one of both may be empty
		Power          int    // of ten
		Alone          bool   // Before stands without digits, for one
	}
	Money   []struct{ Sign, Code string } // signs of money that are no ISO 4217 codes
	Months  []string                      // words of their names
	Spans   []string                      // words beside a number of days, hours and the like
	Periods []string                      // words for days and for spans of time by now, such as today and last month
	Days    []string                      // what stands behind the number of a day, with {m} for the name of its month or # for its number, such as de {m}
}

// writingAnswer describes what the engine answers of one language.
type writingAnswer struct {
	Lang     string      `json:"l"`
	Decimals []string    `json:"d"`
	OfMoney  []string    `json:"e"`
	Scales   [][3]any    `json:"s"`
	Money    [][2]string `json:"m"`
	Times    [4][]string `json:"t"`
}

func (a writingAnswer) writing() NumberWriting {
	w := NumberWriting{Lang: a.Lang, Decimals: a.Decimals, OfMoney: a.OfMoney, Months: a.Times[0], Spans: a.Times[1], Periods: a.Times[2], Days: a.Times[3]}
	for _, s := range a.Scales {
		before, _ := s[0].(string)
		behind, digits := s[1].(string)
		power, _ := s[2].(float64)
		w.Scales = append(w.Scales, struct {
			Before, Behind string
			Power          int
			Alone          bool
		}{before, behind, int(power), !digits})
	}
	for _, m := range a.Money {
		w.Money = append(w.Money, struct{ Sign, Code string }{m[0], m[1]})
	}
	return w
}
