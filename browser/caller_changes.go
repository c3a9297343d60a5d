package browser

import (
	"context"
	"encoding/json"
	"regexp"
	"time"
)

// Made is what a caller has made of the page that the session shows.
type Made struct {
	URL     string // of the page
	Script  bool   // a script of the caller ran in this document, and it is not sure that it only read
	Mocked  string // the network_intercept pattern that answered a request of the page
	Refused string // the one that refused a request of it
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
