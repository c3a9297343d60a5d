package author

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"time"

	"github.com/assay-qa/assay/author/explore"
	"github.com/assay-qa/assay/author/site"
	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/browser/explain"
	"github.com/assay-qa/assay/browser/guard"
	"github.com/assay-qa/assay/browser/scan"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/internal/wait"
	"github.com/assay-qa/assay/tools/pagehealth"
	"github.com/assay-qa/assay/tools/signin"
)

// livePage is a session as an exploration works on it.
type livePage struct {
	session *browser.Session
	state   []byte // stored sign-in; an empty one for nobody
	role    string
	signIn  *signin.SignIn // nil: nobody is signed in
	options scan.Options
	guard   *guard.Guard
	ignore  []string // findings of page health that are left out
	now     func() time.Time
	waits   Waits

	seen    time.Time // until when faults have been told
	refused bool      // a request of the newest act or load was stopped

	check func(ctx context.Context) (bool, error) // reports whether the stored sign-in works
	renew func(ctx context.Context) error         // signs in again; nil: nobody is signed in
}

var _ explore.Page = (*livePage)(nil)

// quietWindow is how long a page has stood still when it is read.
const quietWindow = 50 * time.Millisecond

// Open loads an address in a fresh context that has the stored sign-in.
func (p *livePage) Open(ctx context.Context, address string) (explore.Effect, error) {
	if err := p.session.Adopt(ctx, p.state); err != nil {
		return explore.Effect{}, err
	}
	if _, err := p.session.RunScripts(ctx); err != nil { // from here on they are counted
		return explore.Effect{}, err
	}
	return p.load(ctx, address, p.session.Navigate)
}

// Visit loads an address in the context at hand, also one that differs by its hash alone.
func (p *livePage) Visit(ctx context.Context, address string) (explore.Effect, error) {
	return p.load(ctx, address, p.session.NavigateAnew)
}

func (p *livePage) load(ctx context.Context, address string, open browser.Opening) (explore.Effect, error) {
	began := p.now()
	p.refused = false
	_, err := open(ctx, address, "load", 0)
	var be *explain.Error
	if errors.As(err, &be) && be.Code == explain.ActionBlocked {
		return explore.Effect{}, &explore.Refused{Why: be.Message}
	}
	if err != nil {
		return explore.Effect{}, silent(err)
	}
	if err := p.rest(ctx, p.waits.Navigation); err != nil {
		return explore.Effect{}, silent(err)
	}
	return p.effect(ctx, began), nil
}

// rest waits until the page is quiet, for a bounded time, after a pause that the
// settings want.
func (p *livePage) rest(ctx context.Context, first time.Duration) error {
	if err := pause(ctx, first); err != nil {
		return err
	}
	_, err := p.session.Rest(ctx, browser.RestOptions{Window: quietWindow, Limit: p.waits.Quiet, Brief: true})
	return err
}

// silent marks an error that says that the page does not answer.
func silent(err error) error {
	if browser.IsNoAnswer(err) {
		return &explore.Unanswered{Cause: err}
	}
	return err
}

func pause(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return nil
	}
	return wait.For(ctx, d)
}

// Do does one act by the first of the selectors that leads to an element.
func (p *livePage) Do(ctx context.Context, a explore.Act) (explore.Effect, error) {
	if err := pause(ctx, p.waits.Before); err != nil {
		return explore.Effect{}, err
	}
	began := p.now()
	p.refused = false
	p.session.ActOn(a.As, a.Record)
	defer p.session.ActOn(0, "")
	err := errors.New("it has no selector")
	for i, selector := range a.Selectors {
		limit := p.waits.Act
		if i > 0 || a.Stands {
			limit /= 4
		}
		if err = p.act(ctx, selector, a, limit); err == nil || ctx.Err() != nil || !elsewhere(err) {
			break
		}
	}
	var be *explain.Error
	if errors.As(err, &be) && (be.Code == explain.ActionBlocked || be.Code == explain.NeedsHuman) {
		if stopped := p.session.TakeStopped(); len(stopped) > 0 && be.Done {
			effect := p.effect(ctx, began)
			effect.Stopped, p.refused = stopped, true
			return effect, p.rest(ctx, p.waits.After)
		}
		return explore.Effect{}, &explore.Refused{Why: be.Message, Rule: be.Rule}
	}
	if elsewhere(err) {
		err = &explore.Gone{Cause: err}
	}
	if err != nil {
		return explore.Effect{}, silent(err)
	}
	after := p.waits.After
	if p.navigated(began) {
		after += p.waits.Navigation
	}
	if err := p.rest(ctx, after); err != nil {
		return explore.Effect{}, silent(err)
	}
	return p.effect(ctx, began), nil
}

// navigated reports whether a document was asked for since a moment.
func (p *livePage) navigated(since time.Time) bool {
	return p.waits.Navigation > 0 && slices.ContainsFunc(p.session.Network("", 0, since, 0).Events, func(r browser.NetworkEvent) bool { return r.Type == "document" })
}

// elsewhere reports whether an error says that a selector found nothing, or several.
func elsewhere(err error) bool {
	var be *explain.Error
	return errors.As(err, &be) && (be.Code == explain.ElementNotFound || be.Code == explain.SelectorAmbiguous)
}

func (p *livePage) act(ctx context.Context, selector string, a explore.Act, limit time.Duration) error {
	var err error
	switch a.Kind {
	case site.Fill:
		_, _, err = p.session.Fill(ctx, selector, a.Value, limit)
	case site.Select:
		_, err = p.session.Select(ctx, selector, a.Option, limit)
	case site.DoubleClick:
		_, err = p.session.DoubleClick(ctx, selector, limit)
	case site.Press:
		_, err = p.session.Press(ctx, selector, a.Key, limit)
	case site.Check:
		if a.On {
			var look browser.Look
			if look, err = p.session.Look(ctx, selector, browser.FactChecked, ""); err == nil && look.On != nil && *look.On {
				return nil
			}
		}
		_, err = p.session.Click(ctx, selector, limit)
	default:
		_, err = p.session.Click(ctx, selector, limit)
	}
	return err
}

// effect gathers what happened since a moment, and closes what has opened.
func (p *livePage) effect(ctx context.Context, began time.Time) explore.Effect {
	var out explore.Effect
	for _, kind := range []struct {
		name string
		to   *string
	}{{"dialog", &out.Dialog}, {"popup", &out.Popup}, {"download", &out.Download}} {
		found, _ := p.session.SinceAct(kind.name)
		for _, f := range found {
			*kind.to = f.Text
		}
	}
	p.session.TakeDownloads() // they are recorded, and never opened
	if current, open := p.session.CurrentTab(); len(open) > 1 {
		for _, id := range open {
			if id != current {
				_, _, _ = p.session.CloseTab(ctx, id) // it may have closed by itself
			}
		}
	}
	for _, r := range p.session.Network("", 0, began, 0).Events {
		switch r.Method {
		case http.MethodGet, http.MethodHead, http.MethodOptions:
		default:
			if r.Blocked == "" {
				out.Wrote, out.WroteTo = true, append(out.WroteTo, r.Method+" "+r.URL)
			}
		}
		out.Loaded = out.Loaded || r.Type == "document" && r.Blocked == ""
	}
	out.Stopped = p.session.TakeStopped()
	p.refused = p.refused || len(out.Stopped) > 0
	return out
}

// Scan looks at the page as it is.
func (p *livePage) Scan(ctx context.Context) (scan.Page, error) {
	page, err := p.session.Scan(ctx, p.options)
	page.Links = slices.DeleteFunc(page.Links, func(l scan.Link) bool {
		_, destructive := p.guard.Act(guard.Element{Names: []string{l.Text}, Requests: []guard.Request{{Method: http.MethodGet, URL: l.Href}}})
		return destructive
	})
	return page, silent(err)
}

// DoubleClicks returns what answers a double click.
func (p *livePage) DoubleClicks(ctx context.Context) ([]scan.Element, error) {
	return p.session.DoubleClicks(ctx)
}

// Pause waits for what changes by itself.
func (p *livePage) Pause(ctx context.Context, d time.Duration) error {
	p.session.LetPass(ctx, min(d, p.session.Waits().Changes))
	return ctx.Err()
}

// Picture takes a picture of the viewport.
func (p *livePage) Picture(ctx context.Context) (data []byte, ext string, err error) {
	shot, err := p.session.Screenshot(ctx, browser.ShotOptions{Format: "jpeg", Quality: 70, CSS: true})
	return shot.Data, ".jpg", err
}

// Scripts returns which blocks of scripts ran since the last call.
func (p *livePage) Scripts(ctx context.Context) ([]scan.Script, error) {
	return p.session.RunScripts(ctx)
}

// Faults returns what went wrong since the last call.
func (p *livePage) Faults() []site.Finding {
	var out []site.Finding
	because := ""
	if p.refused {
		because = site.Refused
	}
	thrown, _ := p.session.TakeExceptions()
	for _, t := range thrown {
		out = append(out, site.Finding{Kind: "exception", Message: firstLine(t.Text), URL: pagetext.Text(t.Page), At: placeOf(t), Because: because})
	}
	for _, t := range p.session.TakeErrors() {
		if t.Text.HasPrefix("Failed to load resource") || t.Text.Contains("ERR_BLOCKED_BY_CLIENT") {
			continue // the request itself is told
		}
		out = append(out, site.Finding{Kind: "console", Message: firstLine(t.Text), URL: pagetext.Text(t.Page), At: placeOf(t), Because: because})
	}
	since := p.seen
	p.seen = p.now()
	for _, r := range p.session.Network("", 0, since, 0).Events {
		if r.Status >= http.StatusBadRequest && r.Type != "document" && r.Blocked == "" {
			out = append(out, site.Finding{Kind: "http", Message: pagetext.Sprintf("%s answers %d %s", r.Method, r.Status, http.StatusText(r.Status)),
				URL: pagetext.Text(r.URL), Request: &site.Request{Method: r.Method, URL: r.URL}, Status: r.Status, Because: because})
		}
	}
	return out
}

// placeOf returns where in a script a line of the console arose; nil: that is not known.
func placeOf(e browser.LogEntry) *site.Place {
	if e.URL == "" || e.Line == 0 {
		return nil
	}
	return &site.Place{URL: e.URL, Line: e.Line, Column: e.Column}
}

func firstLine(text pagetext.Text) pagetext.Text {
	line, _, _ := text.Cut("\n")
	return line
}

// Health returns what anybody would call broken on the page.
func (p *livePage) Health(ctx context.Context) ([]site.Finding, error) {
	found, err := pagehealth.Judge(ctx, p.session, p.ignore)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	var out []site.Finding
	state, err := p.session.State(ctx)
	for _, f := range found {
		out = append(out, site.Finding{Kind: "health", Message: pagetext.Text(f.Name) + ": " + f.Observed, URL: pagetext.Text(state.URL)})
	}
	return out, err
}

// Principal returns the role, unless the page asks to sign in.
func (p *livePage) Principal(address string, status int) string {
	if p.signIn == nil || p.signIn.Role.AsksToSignIn(address) || status == http.StatusUnauthorized {
		return ""
	}
	return p.role
}

// SignedIn reports whether the stored sign-in works, as a fresh session finds it.
func (p *livePage) SignedIn(ctx context.Context) (bool, error) {
	if p.check == nil {
		return true, nil
	}
	return p.check(ctx)
}

// Renew signs in again by the role's login flow.
func (p *livePage) Renew(ctx context.Context) error {
	if p.renew == nil {
		return errors.New("nobody is signed in")
	}
	return p.renew(ctx)
}
