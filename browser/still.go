package browser

import (
	"bytes"
	"context"
	"slices"
	"time"
)

// StillOptions say of what to take a picture that can be compared with a later
// one.
type StillOptions struct {
	Selector string        // one element only, whatever FullPage says; else the page
	FullPage bool          // the whole scrollable page, not the viewport only
	Mask     []string      // painted over: selectors, or box=x,y,width,height in CSS pixels of the picture
	Find     []string      // selectors, or boxes, whose places in the picture are wanted
	Known    []byte        // a still of it, as PNG: a first picture that equals it is at rest like it, and no second one is taken
	Freeze   *time.Time    // load the page again first, with the clock standing at this time; see [Session.Freeze]
	Timeout  time.Duration // until two pictures in a row must be equal; 0: 10 s
}

// Still is a picture of a page at rest, with what it consists of.
type Still struct {
	Shot
	Elements  []LayoutElement   // none where the picture equals StillOptions.Known: reading them takes longer than the picture
	Masked    []Area            // what was painted over, in pixels of the picture
	Found     map[string][]Area // where each of Find is, in pixels of the picture; none where it has no place in it
	Unmatched []string          // those of Mask that match nothing: a mask that hides nothing is probably misspelt
	Tries     int               // pictures that were taken
}

// LayoutElement is one element that has a box in a picture; see
// visual/layout.Element, which it converts to.
type LayoutElement struct {
	Selector string
	Path     string
	Parent   int
	X        int
	Y        int
	Width    int
	Height   int
	Offset   [2]int
	Text     string
	Image    string
	Styles   map[string]string
}

// RestlessError is the cause of a TIMEOUT error: a page did not come to rest. No
// two pictures in a row were equal, or something of it was still loading. It
// carries the last two pictures, painted over like any other, so that the caller
// can tell where they differ; they are empty where none could be taken.
type RestlessError struct {
	Last     [2][]byte          // PNG
	Elements [2][]LayoutElement // what the page consisted of at the end, and a moment later
}

func (*RestlessError) Error() string { return "the page does not come to rest" }

const stillOp = "take a picture"

// stillPatience bounds the way to a still whose caller does not.
const stillPatience = 10 * time.Second

// Still takes a picture of a page at rest, as PNG: animations are at their end,
// or at their beginning if they have no end, the caret is hidden, fonts and
// images are awaited, what loads when it is scrolled to is loaded (whole page
// only), and pictures are taken until two in a row are equal in every byte. The
// pointer stays where it is: what it hovers over may be what is looked at. A
// whole page, or an element, is taken with the page at its beginning; fixed and
// sticky parts appear once, where they are then. Of what lies beyond the
// viewport Chromium takes a picture by changing the window's size for a moment,
// of which the page hears, as with any such picture. The page is as before
// afterwards, but for the frozen clock. Controls that hold a password or a
// secret are painted over.
//
// Requests are awaited, too, for 5 s each: one that takes longer is taken for
// one that stays open by design. Errors: those of [Session.Screenshot], and
// TIMEOUT with a [RestlessError] as its cause.
func (s *screenshotter) Still(ctx context.Context, o StillOptions) (Still, error) {
	if o.Timeout <= 0 {
		o.Timeout = stillPatience
	}
	shoot := stillShoot{s: s, o: o}
	if err := shoot.parse(); err != nil {
		return Still{}, err
	}
	if o.Freeze != nil {
		thaw, err := s.reloadFrozen(ctx, *o.Freeze)
		if err != nil {
			return Still{}, err
		}
		defer thaw()
	}
	return on(ctx, s.livePage, stillOp, o.Selector, func(ctx context.Context, t *tab) (Still, error) {
		shoot.t = t
		defer shoot.unpose(ctx)
		return shoot.settle(ctx)
	})
}

// stillShoot is the work on one still.
type stillShoot struct {
	s       *screenshotter
	t       *tab
	o       StillOptions
	of      *target // the element; nil: the page
	masks   []place
	finds   []place
	waits   []string // what the page was waited for last
	brought bool     // the element was scrolled into view

	document string  // that holds the pose
	seen     [2]view // the last two
	tries    int
}

// view is one picture with what was true when it was taken.
type view struct {
	shot   Shot
	at     part
	hidden []Area // in CSS pixels of the picture

	document string
}

func (k *stillShoot) parse() error {
	if k.o.Selector != "" {
		t, err := parseSelector(k.o.Selector)
		if err != nil {
			return err
		}
		k.of = &t
	}
	var err error
	if k.masks, err = parsePlaces(k.o.Mask); err != nil {
		return err
	}
	k.finds, err = parsePlaces(k.o.Find)
	return err
}

// stillPauses returns the waits before the first pictures; the last one goes on. What
// changes every few frames must have changed between two of them: taken at
// once, two pictures of it may be equal.
func stillPauses() []time.Duration {
	return []time.Duration{0, 100 * time.Millisecond, 100 * time.Millisecond, 250 * time.Millisecond, 500 * time.Millisecond, time.Second}
}

// settle takes pictures until two in a row are equal.
func (k *stillShoot) settle(ctx context.Context) (Still, error) {
	bound, cancel := context.WithTimeout(ctx, k.o.Timeout)
	defer cancel()
	pauses := stillPauses()
	for try := 0; ; try++ {
		err := rest(bound, pauses[min(try, len(pauses)-1)])
		var now view
		if err == nil {
			now, err = k.look(bound)
		}
		switch {
		case err == nil:
			k.seen[0], k.seen[1] = k.seen[1], now
			k.tries++
			resting, err := k.resting()
			if err != nil {
				return Still{}, err
			}
			if !resting {
				continue
			}
			out, err := k.finish(ctx)
			if err == nil || !isPassing(err) {
				return out, err
			}
			k.begin(err)
		case ctx.Err() == nil && bound.Err() != nil:
			if err := k.missing(ctx); err != nil {
				return Still{}, err
			}
			return Still{}, k.restless(ctx)
		case isPassing(err):
			k.begin(err)
		default:
			return Still{}, err
		}
	}
}

// begin begins anew after a failure that passes: the next document, or the next
// frame, will do.
func (k *stillShoot) begin(passing error) {
	k.waits, k.brought = []string{"the page: " + firstLine(plain(passing))}, false
}

// missing says that the element is not there, when time is up: that is no page
// that does not come to rest.
func (k *stillShoot) missing(ctx context.Context) error {
	if k.of == nil {
		return nil
	}
	n, err := within(ctx, k.t, settleLimit, func() (int, error) { return k.of.count(k.t.page) })
	if err != nil || n == 1 {
		return err
	}
	what := stillOp + " " + k.of.String()
	if n > 1 {
		return prefixed(what, k.of.ambiguous(k.t.page, n))
	}
	return prefixed(what, k.of.notFound(k.t.page))
}

// look takes one picture, when nothing is awaited any more.
func (k *stillShoot) look(ctx context.Context) (view, error) {
	var v view
	if err := k.pose(ctx); err != nil {
		return v, err
	}
	v.document = k.document
	var err error
	if v.at, err = k.part(ctx); err != nil {
		return v, err
	}
	if v.hidden, err = k.hidden(ctx, v.at); err != nil {
		return v, err
	}
	v.shot, err = k.shoot(ctx, v.at)
	return v, err
}

// resting reports whether the last picture equals the one before it, or, if it is
// the first, the one that is known.
func (k *stillShoot) resting() (bool, error) {
	if k.tries > 1 || k.o.Known == nil {
		return k.same()
	}
	first, err := k.painted(k.seen[1], k.seen[1].hidden)
	return err == nil && bytes.Equal(first.Data, k.o.Known), err
}

// same reports whether the last two pictures are, where nothing is painted
// over, and what is painted over stands where it stood.
func (k *stillShoot) same() (bool, error) {
	a, b := &k.seen[0], &k.seen[1]
	if a.shot.Data == nil || a.document != b.document || a.at != b.at || !slices.Equal(a.hidden, b.hidden) {
		return false, nil
	}
	if bytes.Equal(a.shot.Data, b.shot.Data) {
		return true, nil
	}
	if len(b.hidden) == 0 {
		return false, nil
	}
	before, err := k.painted(*a, a.hidden)
	if err != nil {
		return false, err
	}
	after, err := k.painted(*b, b.hidden)
	return err == nil && bytes.Equal(before.Data, after.Data), err
}

// finish makes a still of the last picture.
func (k *stillShoot) finish(ctx context.Context) (Still, error) {
	v := k.seen[1]
	shot, err := k.painted(v, v.hidden)
	if err != nil {
		return Still{}, err
	}
	out := Still{Shot: shot, Masked: v.at.inPicture(k.s, v.hidden, shot), Found: map[string][]Area{}, Tries: k.tries}
	if k.o.Known == nil || !bytes.Equal(shot.Data, k.o.Known) {
		if out.Elements, err = k.elements(ctx, v.at); err != nil {
			return Still{}, err
		}
	}
	for _, p := range k.finds {
		areas, err := k.areas(ctx, p, v.at)
		if err != nil {
			return Still{}, err
		}
		out.Found[p.text] = v.at.inPicture(k.s, areas, shot)
	}
	for _, p := range k.masks {
		areas, err := k.areas(ctx, p, v.at)
		if err != nil {
			return Still{}, err
		}
		if len(areas) == 0 {
			out.Unmatched = append(out.Unmatched, p.text)
		}
	}
	return out, k.stays(ctx, v)
}

// elements returns what the page consists of, in the pose that was taken.
func (k *stillShoot) elements(ctx context.Context, at part) ([]LayoutElement, error) {
	return k.s.layoutOf(ctx, k.t, at.Area, at.pixels(k.s))
}
