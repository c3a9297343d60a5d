package e2e_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/assay-qa/assay/internal/demo"
)

// maxInstructions bounds what every client pays for attaching.
const maxInstructions = 1500

// JSON-RPC's codes.
const (
	parseError     = -32700
	invalidRequest = -32600
	methodNotFound = -32601
	invalidParams  = -32602
)

// dashboard serves the sample dashboard for one test.
func dashboard(t *testing.T) string {
	t.Helper()
	site, err := demo.Start(t.Context(), demo.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := site.Close(); err != nil {
			t.Error(err)
		}
	})
	return site.URL()
}

// A4, B1, B2: the same conversation in every revision. What is said of each
// message's form is checked by the audit.
func TestConversation(t *testing.T) {
	t.Parallel()
	for _, r := range revisions() {
		t.Run(string(r), func(t *testing.T) {
			needsBrowser(t)
			w := attach(t, r)
			w.greeted()
			w.pinged()
			w.catalogued()
			w.refusesUnknownMethod()
			w.signsIn(dashboard(t))
		})
	}
}

// greeted checks what the server said of itself.
func (w *wire) greeted() {
	w.t.Helper()
	var hello struct {
		ProtocolVersion   revision
		SupportedVersions []revision
		Instructions      string
		Capabilities      struct{ Tools, Resources map[string]any }
	}
	decode(w.t, w.hello.Result, &hello)
	if w.revision.modern() && !slices.Contains(hello.SupportedVersions, w.revision) {
		w.t.Errorf("supportedVersions %v lack %s", hello.SupportedVersions, w.revision)
	}
	if !w.revision.modern() && hello.ProtocolVersion != w.revision {
		w.t.Errorf("protocolVersion %q, want %q", hello.ProtocolVersion, w.revision)
	}
	if n := utf8.RuneCountInString(hello.Instructions); n == 0 || n >= maxInstructions {
		w.t.Errorf("instructions have %d characters, want 1 to %d", n, maxInstructions-1)
	}
	if hello.Capabilities.Tools == nil || hello.Capabilities.Resources == nil {
		w.t.Errorf("capabilities name no tools or no resources: %s", brief(w.hello.Result))
	}
}

// pinged: the newest revision has no ping any more.
func (w *wire) pinged() {
	w.t.Helper()
	m := w.answer(w.send("ping", nil))
	switch {
	case w.revision.modern() && (m.Error == nil || m.Error.Code != methodNotFound):
		w.t.Errorf("ping is no method of %s: %s", w.revision, m.line)
	case !w.revision.modern() && m.Error != nil:
		w.t.Errorf("ping: %s", m.line)
	}
}

func (w *wire) refusesUnknownMethod() {
	w.t.Helper()
	m := w.answer(w.send("tools/dance", nil))
	if m.Error == nil || m.Error.Code != methodNotFound {
		w.t.Errorf("an unknown method: %s", m.line)
	}
}

// signsIn does the job that the server is for: sign in and look.
func (w *wire) signsIn(url string) {
	w.t.Helper()
	opened := w.do("page_navigate", map[string]any{"url": url})
	if !mark.MatchString(opened.text()) {
		w.t.Errorf("the page's title stands outside of marks: %s", opened.text())
	}
	outline := w.do("page_snapshot", nil).text()
	for _, line := range []string{`textbox "Email"`, `textbox "Password"`, `button "Sign in"`} {
		if !strings.Contains(outline, line) {
			w.t.Errorf("the outline lacks %s:\n%s", line, outline)
		}
	}
	w.do("page_fill", map[string]any{"selector": `textbox "Email"`, "value": demo.Email})
	filled := w.do("page_fill", map[string]any{"selector": `textbox "Password"`, "value": demo.Password})
	if strings.Contains(filled.text()+string(filled.StructuredContent), demo.Password) {
		w.t.Errorf("the answer tells the password: %s", filled.text())
	}
	w.do("page_click", map[string]any{"selector": `button "Sign in"`})
	seen := w.do("verify_element_exists", map[string]any{"selector": `heading "Dashboard"`})
	if !field[bool](w, seen, "exists") {
		w.t.Errorf("no dashboard after the sign-in: %s", seen.text())
	}
	values := demo.KPIs(demo.RangeToday, demo.CategoryAll)
	shown := w.do("verify_assertion", map[string]any{
		"selector":  `css=[data-kpi="` + demo.KPIRevenue + `"]`,
		"assertion": map[string]any{"type": "text_equals", "expected": demo.Display(demo.KPIRevenue, values[demo.KPIRevenue])},
	})
	if !field[bool](w, shown, "passed") {
		w.t.Errorf("the revenue: %s", shown.text())
	}
	w.do("browser_close", nil)
}
