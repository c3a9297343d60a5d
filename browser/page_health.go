package browser

import (
	"context"
	"fmt"
	"time"

	"github.com/assay-qa/assay/browser/redact"
	"github.com/assay-qa/assay/browser/rest"
)

const brokenImages = `() => [...document.images].filter(i => i.currentSrc && i.complete && i.naturalWidth === 0 && i.naturalHeight === 0).map(i => i.currentSrc.slice(0, 500)).slice(0, 50)`

// BrokenImages lists the images of the page's main frame that have loaded
// without a picture. Those that a rule of ours refused are not the page's fault.
func (s *pageReader) BrokenImages(ctx context.Context) ([]string, error) {
	return on(ctx, s.livePage, "look at images", "", func(_ context.Context, t *tab) ([]string, error) {
		got, err := t.page.Evaluate(brokenImages)
		if err != nil {
			return nil, err
		}
		list, ok := got.([]any)
		if !ok {
			return nil, fmt.Errorf("the page answered %T for its images", got)
		}
		urls := []string{}
		for _, item := range list {
			if u, ok := item.(string); ok && !s.log.RefusedHost(u) {
				urls = append(urls, redact.URL(u))
			}
		}
		return urls, nil
	})
}

// Quiet waits, for a bounded time, until the requests of the current document
// have been answered, and tells what they came to.
func (s *actions) Quiet(ctx context.Context) (Effects, error) {
	return on(ctx, s.livePage, "wait for the page", "", func(ctx context.Context, t *tab) (Effects, error) {
		return s.settle(ctx, t, s.log.DocumentMark(t.page), false)
	})
}

// PageFacts describes what the health of a page is judged by: see
// browser/outline/page_health.js. Frames of the same site and open shadow roots are
// included.
type PageFacts struct {
	URL         string     `json:"url"`
	Status      int        `json:"-"` // of the document; 0: unknown
	ContentType string     `json:"type"`
	Title       string     `json:"title"`
	Lang        string     `json:"lang"`
	ParseError  bool       `json:"parser"` // malformed XML, as the browser tells it
	Texts       []PageText `json:"texts"`
	Words       int        `json:"words"`    // characters of all painted texts
	Codes       int        `json:"codes"`    // pieces of code
	Drawn       int        `json:"drawn"`    // pictures, drawings, videos and frames
	Below       int        `json:"below"`    // of these, outside of the viewport
	InView      int        `json:"inView"`   // texts and controls in the viewport
	Canvases    int        `json:"canvases"` // of these
	Controls    int        `json:"controls"`
	Passwords   int        `json:"passwords"`

	NewPasswords int         `json:"newPasswords"` // of Passwords, those of a form that asks for a new one
	Unread       int         `json:"unread"`       // frames that could not be read
	Overlays     []string    `json:"overlays"`     // elements of development servers
	Cover        *PageCover  `json:"cover"`
	Dialog       *PagePlace  `json:"dialog"`
	Waiting      []PageWait  `json:"waiting"`
	Images       []PagePlace `json:"images"`
	Frames       []PagePlace `json:"frames"`
	Capped       bool        `json:"capped"`

	Sheets []PageSheet `json:"sheets"`  // that the page links, and that count now
	Rules  int         `json:"rules"`   // of its own style elements
	Fonts  []string    `json:"fonts"`   // families that came and can't be used
	Wide   *PagePlace  `json:"wide"`    // what makes the page wider than its window; Kind: by how many pixels
	Shift  *PagePlace  `json:"shift"`   // what moved after the load, and no act asked for it; Kind: by how many pixels
	Glyphs []PagePlace `json:"glyphs"`  // icons, by their codes (Kind), that their fonts (Text) do not have
	Blank  []PagePlace `json:"scripts"` // scripts that came empty, where the page has no other
	Open   []PagePlace `json:"open"`    // fields for a password that show it; Kind shown: it may be no password, or can be hidden
}

// PageSheet holds a linked style sheet.
type PageSheet struct {
	URL   string `json:"u"`
	Rules int    `json:"n"` // -1: unknown, as it is another site's
}

// PageText holds one painted text: the content of a block without a break.
type PageText struct {
	Text     string   `json:"t"`
	Tag      string   `json:"g"`
	Level    int      `json:"h"` // of a heading
	Font     int      `json:"f"` // in pixels
	Where    string   `json:"w"` // code, pre, edit, user, alert, prose, cell, link, button
	Own      []string `json:"o"` // undefined, NaN and null in an element of their own
	Selector string   `json:"s"`
}

// PageCover holds the one element that covers all texts and controls.
type PageCover struct {
	Selector string `json:"s"`
	Opaque   bool   `json:"o"`
	Waits    bool   `json:"k"` // it holds a spinner
	Over     int    `json:"n"`
}

// PagePlace holds an element, with what it is or says.
type PagePlace struct {
	Selector string `json:"s"`
	Kind     string `json:"k"`
	URL      string `json:"u"`
	Text     string `json:"t"`
}

// PageWait holds a spinner or a skeleton.
type PageWait struct {
	Kind     string  `json:"k"`
	Selector string  `json:"s"`
	Share    float64 `json:"a"` // of the viewport that has nothing but it
}

// Facts looks once at the page, as it is now. Images that a rule of ours
// refused are left out.
func (s *pageReader) Facts(ctx context.Context) (PageFacts, error) {
	return on(ctx, s.livePage, "look at the page's health", "", func(ctx context.Context, t *tab) (PageFacts, error) {
		var out PageFacts
		ask := engineAsk{Op: "health", Values: s.secretValues()}
		if err := askEngine(t.page.Locator(ask.query()), time.Duration(*left(ctx, rest.FactsLimit))*time.Millisecond, &out); err != nil {
			return out, err
		}
		state := s.log.PageState(t.page, out.Title)
		out.Status, out.URL = state.Status, state.URL
		images := out.Images[:0]
		for _, i := range out.Images {
			if i.URL != "" && s.log.RefusedHost(i.URL) {
				continue
			}
			i.URL = redact.URL(i.URL)
			images = append(images, i)
		}
		out.Images = images
		return out, nil
	})
}
