package browser

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/mxschmitt/playwright-go"

	"github.com/assay-qa/assay/browser/eventlog"
	"github.com/assay-qa/assay/browser/explain"
	"github.com/assay-qa/assay/browser/rest"
	"github.com/assay-qa/assay/browser/scan"
	"github.com/assay-qa/assay/internal/address"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/internal/pattern"
)

// maxResult bounds what Evaluate returns, in bytes of JSON.
const maxResult = 64 << 10

// toJSON writes a value as JSON where it is, in the page: on the way to Go,
// Playwright's binding makes large numbers small ones and panics on others.
// What JSON has no word for becomes text. A result that is too long comes as
// its length.
const toJSON = `(value, limit) => {
	const text = JSON.stringify(value, (_, x) => {
		if (typeof x === 'bigint' || typeof x === 'number' && !isFinite(x) || typeof x === 'symbol' || x instanceof RegExp || x instanceof Error)
			return String(x);
		if (x instanceof Map || x instanceof Set)
			return [...x];
		if (x instanceof Node || x instanceof Window)
			return '<' + (x.nodeName || 'window').toLowerCase() + '>';
		return x;
	});
	return text === undefined ? 'null' : text.length > limit ? text.length : text;
}`

// Evaluate runs a JavaScript expression or function in the page and returns
// its result as JSON. It is the page's own world: a hostile page can lie.
func (s *actions) Evaluate(ctx context.Context, script string, arg any) (json.RawMessage, Effects, error) {
	type both struct {
		result json.RawMessage
		e      Effects
	}
	if strings.TrimSpace(script) == "" {
		return nil, Effects{}, explain.Invalid("give an expression, or a function such as () => document.title", "the script is empty")
	}
	b, err := on(ctx, s.livePage, "page_evaluate", "", func(ctx context.Context, t *tab) (both, error) {
		m := s.log.MarkAct(t.page)
		s.log.TouchByScript()
		defer s.guard.actsFor(ctx)()
		watch := &scriptGuard{session: s.guard}
		reads := onlyReads(ctx, t, script, arg)
		kept := storedBefore{}
		if !reads {
			kept = s.beforeScript(ctx, t)
			s.log.ScriptRan(t.page)
			var err error
			if watch, err = s.guard.guardScript(ctx, t); err != nil {
				return both{}, err
			}
		}
		result, err := evaluate(ctx, t, script, arg)
		watch.report(t, err != nil)
		if !reads {
			defer func() { s.noteKept(ctx, t, m, kept) }() // a script that failed may have written before
		}
		if err != nil {
			return both{}, err
		}
		e, err := s.settle(ctx, t, m, true)
		watch.report(t, true)
		if err == nil {
			err = s.guard.afterStop(m, "page_evaluate")
		}
		return both{result, e}, err
	})
	return b.result, b.e, err
}

// SetColorScheme tells the current tab which color scheme a person prefers: light, dark or
// no-preference. What the page does by it settles before it returns.
func (s *actions) SetColorScheme(ctx context.Context, scheme string) error {
	_, err := on(ctx, s.livePage, "color_scheme", explain.Quoting(scheme), func(ctx context.Context, t *tab) (Effects, error) {
		m := s.log.MarkAct(t.page)
		s.log.BeginAct()
		s.log.Touch(false)
		if _, err := within(ctx, t, rest.LookLimit, func() (int, error) {
			return 0, t.page.EmulateMedia(playwright.PageEmulateMediaOptions{ColorScheme: (*playwright.ColorScheme)(&scheme)})
		}); err != nil {
			return Effects{}, classify(err, "color_scheme")
		}
		return s.settle(ctx, t, m, false)
	})
	return err
}

// storedBefore holds what a page's site had in cookies and storage before a script ran, as far
// as scripts see it.
type storedBefore struct {
	texts  []string
	cookie string
	at     string // address of the page
}

// storedAnswer holds what a document answers of it, with what is seen on the page where that
// was asked for.
type storedAnswer struct {
	stoodAnswer
	Stored []string `json:"stored"`
	Cookie string   `json:"cookie"`
}

func askStored(ctx context.Context, t *tab, seen bool) (a storedAnswer) {
	ask := engineAsk{Op: "stored", All: seen}
	_, _ = within(ctx, t, rest.ChangesLimit, func() (int, error) { return 0, askEngine(t.page.Locator(ask.query()), rest.ChangesLimit, &a) }) // a page that does not answer has none
	return a
}

// beforeScript prepares for a script that may write to what outlives the document: it returns
// what is stored, keeps what is seen, and has the browser tell what is written from now on.
func (s *actions) beforeScript(ctx context.Context, t *tab) storedBefore {
	a := askStored(ctx, t, true)
	if s.log.WritesAnew() {
		stood := Stood{URL: t.page.URL()}
		if a.Texts != nil {
			stood.take(a.stoodAnswer)
		}
		s.stoodBeforeScript.Store(&stood)
	}
	s.watchStores(ctx, t)
	return storedBefore{texts: a.Stored, cookie: a.Cookie, at: t.page.URL()}
}

// noteKept notes what a script has stored and sent since a mark.
func (s *actions) noteKept(ctx context.Context, t *tab, m eventlog.Mark, before storedBefore) {
	now := askStored(ctx, t, false)
	texts := slices.DeleteFunc(now.Stored, func(text string) bool { return slices.Contains(before.texts, text) })
	s.log.KeptByCaller(m, texts)
	if now.Cookie != before.cookie && address.Site(t.page.URL()) == address.Site(before.at) { // of the next document too: a script may end with what opens it
		s.log.CallerKept("a cookie", before.at)
	}
	if len(texts) > 0 {
		s.log.CallerWrote(t.page, "the site's storage", t.page.URL())
	}
}

// StoodBeforeScript returns what was seen on the page before scripts of the caller wrote what
// outlives it, the first of them since something was done through the page.
func (s *actions) StoodBeforeScript() Stood {
	if stood := s.stoodBeforeScript.Load(); stood != nil {
		return *stood
	}
	return Stood{}
}

// storeEvents names what Chromium tells of writes to the stores of an origin.
var storeEvents = [...]struct{ event, what string }{
	{"DOMStorage.domStorageItemAdded", "the site's storage"},
	{"DOMStorage.domStorageItemUpdated", "the site's storage"},
	{"DOMStorage.domStorageItemRemoved", "the site's storage"},
	{"DOMStorage.domStorageItemsCleared", "the site's storage"},
	{"Storage.indexedDBContentUpdated", "a database of the browser"},
	{"Storage.indexedDBListUpdated", "a database of the browser"},
	{"Storage.cacheStorageContentUpdated", "a cache of the browser"},
	{"Storage.cacheStorageListUpdated", "a cache of the browser"},
}

// watchStores has Chromium tell what is written to the stores of the page's origin. Other
// browsers don't tell it.
func (s *actions) watchStores(ctx context.Context, t *tab) {
	at := t.page.URL()
	origin := eventlog.Origin(at)
	if s.opts.Type != "chromium" || !strings.HasPrefix(origin, "http") || slices.Contains(t.storesWatched, origin) {
		return
	}
	_, err := within(ctx, t, rest.LookLimit, func() (int, error) { return 0, s.askStoreEvents(t, origin) })
	if err != nil && !isClosed(err) {
		s.log.CallerKept("what the browser could not watch", at)
	}
}

func (s *actions) askStoreEvents(t *tab, origin string) error {
	session, err := t.tools()
	if err != nil {
		return err
	}
	orders := []string{"Storage.trackIndexedDBForOrigin", "Storage.trackCacheStorageForOrigin"}
	if len(t.storesWatched) == 0 {
		for _, of := range storeEvents {
			session.On(of.event, func(params map[string]any) {
				s.log.CallerWrote(t.page, of.what, storeAddress(params, t.page.URL()))
			})
		}
		orders = append(orders, "DOMStorage.enable")
	}
	t.storesWatched = append(t.storesWatched, origin)
	for _, order := range orders {
		if _, err := session.Send(order, map[string]any{"origin": origin}); err != nil {
			return err
		}
	}
	return nil
}

// storeAddress returns the origin whose store an event is about, and else the page's address.
func storeAddress(params map[string]any, page string) string {
	if id, ok := params["storageId"].(map[string]any); ok {
		params = id
	}
	for _, name := range []string{"origin", "securityOrigin", "storageKey"} {
		if of, _ := params[name].(string); of != "" {
			return of
		}
	}
	return page
}

// evaluate runs the script. When ctx ends first, the page is free again as
// soon as it answers anything at all: a promise that never settles blocks no
// later call.
func evaluate(ctx context.Context, t *tab, script string, arg any) (json.RawMessage, error) {
	result, err := answerOf(ctx, func() (json.RawMessage, error) { return evaluateJSON(t.page, script, arg) }, rest.Policy{})
	if err != nil && ctx.Err() != nil {
		_, _ = readTitle(t.page) // its answer, not what it says, is what matters; its caller has gone
	}
	return result, err
}

func evaluateJSON(page playwright.Page, script string, arg any) (json.RawMessage, error) {
	handle, err := page.EvaluateHandle(script, arg)
	if err != nil {
		return nil, scriptError(err)
	}
	defer func() { _ = handle.Dispose() }() // it goes with the document at the latest
	got, err := handle.Evaluate(toJSON, maxResult)
	if err != nil {
		if isClosed(err) {
			return nil, err
		}
		return nil, explain.Invalid("return plain data: strings, numbers, arrays, objects", "page_evaluate: the result is no JSON: %s", firstLine(plain(err)))
	}
	text, ok := got.(string)
	if !ok || len(text) > maxResult {
		return nil, explain.Invalid("return less: pick fields, slice arrays", "page_evaluate: the result is longer than %d characters", maxResult)
	}
	if !json.Valid([]byte(text)) {
		return nil, explain.Invalid("the page replaced JSON.stringify; its answers prove nothing", "page_evaluate: the result is no JSON")
	}
	return json.RawMessage(text), nil
}

// firstLine leaves a stack trace out.
func firstLine(t pagetext.Text) pagetext.Text {
	first, _, _ := t.Cut("\n")
	return first
}

// scriptError distinguishes a fault of the caller's script from one of the browser.
func scriptError(err error) error {
	switch {
	case isClosed(err):
		return err
	case errors.Is(err, playwright.ErrTimeout), !isNavigating(err):
		return explain.ScriptThrew(firstLine(plain(err)), err)
	default:
		return explain.ScriptLost(err)
	}
}

// goesOn finds a script that may go on when it has returned. What runs then is not
// judged by the browser.
var goesOn = pattern.New(`\b(?:async|await|yield|Promise|then|import)\b`)

// onlyReads reports whether the browser is sure that a script changes nothing: it
// runs it, and breaks off before the first thing that could have an effect.
func onlyReads(ctx context.Context, t *tab, script string, arg any) bool {
	given, err := json.Marshal(arg)
	if err != nil || goesOn.MatchString(script) {
		return false
	}
	session, err := t.tools()
	if err != nil {
		return false // no browser that can tell
	}
	whole := "(() => { const f = (" + script + "\n); if (typeof f === 'function') f(" + string(given) + "); return 0 })()"
	answer, err := within(ctx, t, 2*rest.ScriptLimit, func() (any, error) {
		return session.Send("Runtime.evaluate", map[string]any{"expression": whole, "throwOnSideEffect": true, "silent": true, "returnByValue": true, "timeout": rest.ScriptLimit.Milliseconds()})
	})
	fields, ok := answer.(map[string]any)
	return err == nil && ok && fields["exceptionDetails"] == nil
}

// RunScripts returns which blocks of the page's scripts ran since the last call, as
// Chromium counts them; the first call for a page begins to count, and returns
// nothing. Other browsers don't count.
func (s *pageReader) RunScripts(ctx context.Context) ([]scan.Script, error) {
	if s.opts.Type != "chromium" {
		return nil, nil
	}
	return on(ctx, s.livePage, "count what scripts ran", "", func(ctx context.Context, t *tab) ([]scan.Script, error) {
		session, err := t.tools()
		if err != nil {
			return nil, err
		}
		if !t.counting {
			t.counting = true
			_, err := within(ctx, t, rest.LookLimit, func() (any, error) {
				if _, err := session.Send("Profiler.enable", map[string]any{}); err != nil {
					return nil, err
				}
				return session.Send("Profiler.startPreciseCoverage", map[string]any{"callCount": true, "detailed": true})
			})
			return nil, err
		}
		answer, err := within(ctx, t, rest.LookLimit, func() (any, error) { return session.Send("Profiler.takePreciseCoverage", map[string]any{}) })
		if err != nil {
			return nil, err
		}
		text, err := json.Marshal(answer)
		if err != nil {
			return nil, err
		}
		var counted struct {
			Result []scan.Script `json:"result"`
		}
		err = json.Unmarshal(text, &counted)
		return counted.Result, err
	})
}
