package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/internal/wiretest"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/suite"
)

const orderPage = `<!doctype html><html lang="en"><title>Orders</title><link rel="icon" href="data:,"><h1>Orders</h1>
<label>What <input name="what"></label><label>Password <input type="password" name="pw"></label>
<button data-testid="order" onclick="document.getElementById('s').textContent = 'Ordered ' + document.querySelector('[name=what]').value">Order</button>
<button onclick="document.getElementById('s').textContent = 'Nothing is ordered'">Empty</button><p role="status" id="s"></p>`

const orderSpec = "---\nauth: none\nsecrets: [PASSWORD]\n---\n# The order\n## Steps\n1. Open /orders\n2. Order tea with {{secret:PASSWORD}}\n   - Expected: \"Ordered tea\" is shown\n## Cleanup\n1. Empty the order\n"

func act(name, selector string, more ...any) wiretest.Call {
	args := map[string]any{"selector": selector}
	for i := 0; i+1 < len(more); i += 2 {
		args[more[i].(string)] = more[i+1]
	}
	return wiretest.Call{Name: name, Args: args}
}

func orderScript() []wiretest.Say {
	return inTurn(opens("/orders"), through(1), act("page_fill", "css=[name=what]", "value", "tea"), act("page_fill", `textbox "Password"`, "value", "${secret:PASSWORD}"),
		act("page_click", `button "Order"`, "timeout_ms", 1000), act("verify_assertion", "css=#s"), // without its assertion: refused, and not recorded
		wiretest.Call{Name: "verify_assertion", Args: map[string]any{"expects": []string{"E1"}, "timeout_ms": 1000}},
		through(2), ends("ordered"), act("page_click", `button "Empty"`), through(3), ends("tidy"))
}

// orderSite is a site with one page, which a test can change.
func orderSite(t *testing.T) (string, *atomic.Pointer[string]) {
	t.Helper()
	var page atomic.Pointer[string]
	first := orderPage
	page.Store(&first)
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = fmt.Fprint(w, *page.Load())
	}))
	t.Cleanup(site.Close)
	return site.URL, &page
}

func (r *specRun) result(t *testing.T, w worked) suite.Result {
	t.Helper()
	return *r.book(t, w.result.TestRunID).Entries[0].Result
}

// E2, E7, A12, E5: a spec that a model worked to a pass is recorded, and from then
// on replayed without a model or its key; its secret is in no file. What changes
// on the page is a failure, healed, or drift; what changes in the spec, or is not
// recorded, is for a model, or inconclusive.
func TestRecordAndReplaySpec(t *testing.T) {
	t.Parallel()
	site, page := orderSite(t)
	r := specWork(t, site, map[string]string{"order.md": orderSpec}, map[string][]wiretest.Say{"The order": orderScript()})
	recording := filepath.Join(r.dir, "specs", "order.md.flow.json")

	without := r.run(t.Context(), t, "--replay", "only")
	if reason := r.result(t, without).FailureReason; without.code != exitFailed || !strings.Contains(string(reason), "it has no recording") || !strings.Contains(string(reason), "assay run --replay prefer --update-flows") {
		t.Errorf("without a recording: exit %d, %s", without.code, reason)
	}
	if n := len(r.model.Requests()); n != 0 {
		t.Errorf("%d requests to a model although replay is only", n)
	}
	if err := os.Mkdir(filepath.Join(r.dir, ".git"), 0o700); err != nil {
		t.Fatal(err)
	}
	w := r.run(t.Context(), t, "--replay", "prefer")
	text, err := os.ReadFile(recording)
	if notes := string(pagetext.Join(r.result(t, w).Notes, "; ")); w.code != exitPassed || err != nil || !strings.Contains(notes, "recorded: 5 steps") {
		t.Fatalf("exit %d, notes %q, %v\n%s", w.code, notes, err, w.stderr)
	}
	if bytes.Contains(text, []byte("correct-horse")) || !bytes.Contains(text, []byte("${secret:PASSWORD}")) || !bytes.Contains(text, []byte(`"start_url": "/orders"`)) {
		t.Errorf("the recording: %s", text)
	}

	if got := r.result(t, r.run(t.Context(), t, "--replay", "off", "--write-tests")); got.Status != qa.TestPassed || !strings.Contains(string(pagetext.Join(got.Notes, "; ")), "was not replayed") {
		t.Errorf("a test of a recording that nobody replayed: %s, %q", got.Status, got.Notes)
	}

	// No key, no provider: the configuration names one that can't be reached.
	config := "schema_version = 1\n[agent]\nprovider = \"openai\"\n[secrets]\nPASSWORD = \"env:SHOP_PW\"\n"
	if err := os.WriteFile(filepath.Join(r.dir, "mcp.toml"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	r.vars["OPENAI_API_KEY"] = ""
	asked := len(r.model.Requests())
	for name, c := range map[string]struct {
		old, new, args string
		want           qa.TestStatus
		why            string
	}{
		"unchanged, in CI":              {"Orders", "Orders", "auto", qa.TestPassed, "replayed, without a model"},
		"the page is broken":            {"'Ordered '", "'Odered '", "auto", qa.TestFailed, "Odered tea"},
		"the test id is gone":           {` data-testid="order"`, "", "auto", qa.TestPassed, "replayed, without a model"}, // role and name lead there
		"the name is written otherwise": {">Order</button>", ">Order!</button>", "auto", qa.TestPassed, `healed: step 3: button "Order" → testid=order`},
		"the button is gone":            {`<button data-testid="order"`, `<a data-testid="order"`, "prefer", qa.TestError, "it drifted in step 2 of the spec: Order tea"},
	} {
		changed := strings.Replace(orderPage, c.old, c.new, 1)
		page.Store(&changed)
		r.vars["CI"] = "true"
		w := r.run(t.Context(), t, "--log", "json", "--replay", c.args, "--write-tests")
		got := r.result(t, w)
		r.hasTest(t, name, got)
		said := string(got.FailureReason+" ") + string(pagetext.Join(got.Notes, "; "))
		if got.Status != c.want || !strings.Contains(said, c.why) || len(r.model.Requests()) != asked {
			t.Errorf("%s: %s: %s\n%s", name, got.Status, said, w.stderr)
		}
		if healed := strings.Contains(w.stderr, `"event":"heal.attempted"`); healed != strings.Contains(said, "heal") && healed != strings.Contains(said, "DRIFT") {
			t.Errorf("%s: event heal.attempted: %v", name, healed)
		}
		report, err := os.ReadFile(strings.Replace(got.Report, "report.html", "report.json", 1))
		if bytes.Contains(report, []byte("DRIFT: DRIFT")) {
			t.Errorf("%s: the report says it twice: %s", name, report)
		}
		var told qa.QAReport
		if err != nil || json.Unmarshal(report, &told) != nil || told.Costs.TokensInput+told.Costs.TokensOutput != 0 {
			t.Errorf("%s: a replay took tokens: %+v, %v", name, told.Costs, err)
		}
		if drifted := strings.Contains(said, "DRIFT"); drifted != (c.want == qa.TestError) {
			t.Errorf("%s: drift: %v: %s", name, drifted, said)
		}
		if got.Status != qa.TestPassed && !strings.Contains(string(report), `"Nothing is ordered"`) && !hasStep(t, got, `button "Empty"`) {
			t.Errorf("%s: it was not tidied up", name)
		}
	}
	kept, err := os.ReadFile(recording)
	if err != nil || !bytes.Equal(kept, text) {
		t.Errorf("the recording was changed without --update-flows: %v", err)
	}

	// What was healed is kept when that is asked for.
	changed := strings.Replace(orderPage, ">Order</button>", ">Order!</button>", 1)
	page.Store(&changed)
	w = r.run(t.Context(), t, "--replay", "only", "--update-flows")
	kept, err = os.ReadFile(recording)
	if w.code != exitPassed || err != nil || bytes.Contains(kept, []byte(`"selector": "button \"Order\""`)) || !bytes.Contains(kept, []byte(`"start_url": "/orders"`)) {
		t.Errorf("exit %d, %v: %s", w.code, err, kept)
	}

	// It also runs alone, as an ordinary flow, which heals nothing. An edited step is no longer
	// the recorded one.
	if err := os.WriteFile(filepath.Join(r.dir, "specs", "order.md"), []byte(strings.Replace(orderSpec, "Order tea with", "Order green tea with", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	w = r.run(t.Context(), t, "--replay", "only", recording)
	got := map[string]suite.Result{}
	for _, e := range r.book(t, w.result.TestRunID).Entries {
		got[filepath.Base(e.Path)] = *e.Result
	}
	if alone, edited := got["order.md.flow.json"], got["order.md"]; alone.Status != qa.TestPassed || edited.Status != qa.TestError || !strings.Contains(string(edited.FailureReason), "step 2 (Order green tea with") {
		t.Errorf("alone %s: %s; edited %s: %s\n%s", alone.Status, alone.FailureReason, edited.Status, edited.FailureReason, w.stderr)
	}
}

// hasStep reports whether a replay's flow went through a step.
func hasStep(t *testing.T, r suite.Result, selector string) bool {
	t.Helper()
	data, err := os.ReadFile(strings.Replace(r.Report, "report.html", "flow.json", 1))
	if err != nil {
		t.Fatal(err)
	}
	var stored struct {
		Steps []struct{ Selector, Status string }
	}
	if err := json.Unmarshal(data, &stored); err != nil {
		t.Fatal(err)
	}
	for _, s := range stored.Steps {
		if s.Selector == selector && s.Status == "passed" {
			return true
		}
	}
	return false
}

// D2, E7: a sign-in is replayed like any spec, and those that depend on it start
// signed in.
func TestReplaySignIn(t *testing.T) {
	t.Parallel()
	site, logins := greeter(t)
	r := specWork(t, site.URL, map[string]string{"AUTH_LOGIN.md": signInSpec, "greeting.md": "# The greeting\n## Steps\n1. Open /\n   - Expected: \"Hello ada\" is shown\n"},
		map[string][]wiretest.Say{"The sign-in": signing("${secret:PASSWORD}"), "The greeting": inTurn(opens("/"), proves("E1"), through(1), ends("ok"))})
	recorded := r.run(t.Context(), t, "--replay", "prefer", "--record")
	asked, before := len(r.model.Requests()), logins.Load()
	w := r.run(t.Context(), t, "--replay", "only")
	if recorded.code != exitPassed || w.code != exitPassed || len(w.result.TestCases) != 2 || len(r.model.Requests()) != asked || logins.Load() != before+1 {
		t.Errorf("exit %d, then %d, %d sign-ins: %q, then %q", recorded.code, w.code, logins.Load()-before, r.book(t, recorded.result.TestRunID).Entries[1].Result.Notes, w.result.TestCases[1].FailureReason)
	}
}
