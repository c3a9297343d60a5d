package browser

import (
	"context"
	"encoding/json"
	"regexp"
	"strings"
	"time"

	"github.com/mxschmitt/playwright-go"
)

// Made is what a caller has made of the page that the session shows.
type Made struct {
	URL     string // of the page
	Script  bool   // a script of the caller ran in this document, and it is not sure that it only read
	Mocked  string // the network_intercept pattern that answered a request of the page
	Refused string // the one that refused a request of it
}

// Made tells it without asking the page. Requests count since the page's document
// was asked for, or since the act that led to it.
func (j *EventLog) Made() Made {
	page, first := j.page(), j.windowStart(SincePage)
	out := Made{URL: page.URL()}
	j.mu.Lock()
	defer j.mu.Unlock()
	if d := j.documents[page]; d != nil {
		out.Script = d.scripted
	}
	for i, x := range j.network.since(0) {
		if j.network.dropped()+i < first || x.of != nil && x.of != page {
			continue
		}
		if x.Mocked != "" {
			out.Mocked = x.Mocked
		}
		if pattern, ours := strings.CutPrefix(x.Blocked, interceptRule); ours {
			out.Refused = pattern
		}
	}
	return out
}

// scripts notes that a script of the caller runs in a page's document.
func (j *EventLog) scripts(page playwright.Page) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.documents[page] == nil {
		j.documents[page] = &pageDocument{id: j.newDocument()}
	}
	j.documents[page].scripted = true
}

// goesOn finds a script that may go on when it has returned. What runs then is not
// judged by the browser.
var goesOn = regexp.MustCompile(`\b(?:async|await|yield|Promise|then|import)\b`)

const readLimit = time.Second

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
	answer, err := within(ctx, t, 2*readLimit, func() (any, error) {
		return session.Send("Runtime.evaluate", map[string]any{"expression": whole, "throwOnSideEffect": true, "silent": true, "returnByValue": true, "timeout": readLimit.Milliseconds()})
	})
	fields, ok := answer.(map[string]any)
	return err == nil && ok && fields["exceptionDetails"] == nil
}
