package browser

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"time"

	"github.com/mxschmitt/playwright-go"
)

//go:embed databases.js
var databasesScript string

// Bounds on IndexedDB databases in a storage state.
const (
	maxDatabases  = 16 << 20        // bytes of JSON for one origin
	databaseLimit = 5 * time.Second // for the databases of one origin
)

// originDatabases are the IndexedDB databases of one origin, as Playwright's
// storage state spells them. Its Go binding doesn't know them.
type originDatabases struct {
	Origin    string          `json:"origin"`
	Databases json.RawMessage `json:"indexedDB"`
}

// restoreDatabases writes databases into a context that has no page yet. It does
// so from blank documents of their origins: no request leaves.
func restoreDatabases(context playwright.BrowserContext, all []originDatabases) (err error) {
	if len(all) == 0 {
		return nil
	}
	page, err := context.NewPage()
	if err != nil {
		return err
	}
	defer func() { _ = page.Close() }() // what matters is what was written
	if err := page.Route(everything, func(r playwright.Route) {
		_ = r.Fulfill(playwright.RouteFulfillOptions{ContentType: playwright.String("text/html"), Body: "<!doctype html>"}) // it fails with the page
	}); err != nil {
		return err
	}
	limit := playwright.Float(float64(databaseLimit.Milliseconds()))
	for _, o := range all {
		if _, err := page.Goto(o.Origin, playwright.PageGotoOptions{Timeout: limit}); err != nil {
			return notRestored(o.Origin, err)
		}
		if _, err := page.Evaluate(databasesScript, map[string]any{"restore": string(o.Databases)}); err != nil {
			return notRestored(o.Origin, err)
		}
	}
	return nil
}

// notRestored says that a state's databases are at fault, unless the browser is.
func notRestored(origin string, err error) error {
	if isClosed(err) {
		return err
	}
	return invalid("make it again with: assay login", "storage state: IndexedDB of %s can't be restored: %s", origin, firstLine(plain(err)))
}

// readDatabases reads the databases of every origin that a page of the context
// shows. lost tells what can't be stored, such as keys that no script can read.
func readDatabases(ctx context.Context, t *tab) (all []originDatabases, lost []string, err error) {
	seen := map[string]bool{}
	for _, page := range t.context.pw.Pages() {
		for _, frame := range framesOf(page) {
			origin := originOf(frame.URL())
			if origin == "" || seen[origin] {
				continue
			}
			seen[origin] = true
			databases, missing, err := readOrigin(ctx, t, frame)
			if err != nil {
				return nil, nil, fmt.Errorf("read IndexedDB of %s: %w", origin, err)
			}
			lost = append(lost, missing...)
			if databases != nil {
				all = append(all, originDatabases{origin, databases})
			}
		}
	}
	return all, lost, nil
}

func readOrigin(ctx context.Context, t *tab, frame playwright.Frame) (databases json.RawMessage, lost []string, err error) {
	got, err := within(ctx, t, databaseLimit, func() (any, error) {
		return frame.Evaluate(databasesScript, map[string]any{"limit": maxDatabases})
	})
	if err != nil {
		return nil, nil, err
	}
	text, _ := got.(string)
	var answer struct {
		Databases []json.RawMessage
		Lost      map[string]int
		Size      int
	}
	if err := json.Unmarshal([]byte(text), &answer); err != nil {
		return nil, nil, fmt.Errorf("the page's answer: %w", err)
	}
	for _, what := range slices.Sorted(maps.Keys(answer.Lost)) {
		lost = append(lost, fmt.Sprintf("%s (%d records)", what, answer.Lost[what]))
	}
	switch {
	case answer.Size > 0:
		return nil, []string{fmt.Sprintf("all IndexedDB databases (%d MB, more than %d)", answer.Size>>20, maxDatabases>>20)}, nil
	case len(answer.Databases) == 0:
		return nil, lost, nil
	}
	databases, err = json.Marshal(answer.Databases)
	return databases, lost, err
}

// originOf returns the origin of an address, or "" if it has none that keeps storage.
func originOf(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return ""
	}
	return u.Scheme + "://" + u.Host
}
