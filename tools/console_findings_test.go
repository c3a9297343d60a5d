package tools_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/tools/pagehealth"
)

// manyLines is more than any log of ordinary lines holds.
const manyLines = "for (let i = 0; i < 5000; i++) console.log(i)"

// A8, A3: an error is found however much was logged after it, by whatever looks
// for one.
func TestErrorsOutlastTheLog(t *testing.T) {
	t.Parallel()
	d := patient(t)
	url := site(t, map[string]string{"/": `<title>t</title><script>console.error('early'); setTimeout(() => { throw new Error('thrown') }); onload = () => { ` + manyLines + ` }</script>`})
	d.ok("run_start", `{"goal": "it works"}`)
	d.ok("page_navigate", `{"url": %q}`, url)
	if a := d.ok("page_get_console_logs", `{"level": "error"}`); a.Data["matched"] != 2.0 || a.Data["dropped"] != 0.0 {
		t.Errorf("page_get_console_logs: %v", a.Data)
	}
	if a := d.ok("verify_assertion", `{"assertion": {"type": "console_clean"}, "timeout_ms": 1}`); a.Data["passed"] != false || !strings.Contains(a.Data["observed"].(string), "2 console errors; first: early") {
		t.Errorf("console_clean: %v", a.Data)
	}
	if a := d.ok("analyze_console_errors", `{}`); a.Data["has_errors"] != true || len(a.Data["errors"].([]any)) != 2 {
		t.Errorf("analyze_console_errors: %v", a.Data)
	}
	if report := d.ok("run_finish", `{}`); report.Data["status"] != "failed" || !strings.Contains(fmt.Sprint(report.Data["findings"]), "thrown") {
		t.Errorf("%v", report.Data)
	}
	if report, _, err := pagehealth.CheckPage(t.Context(), d.Workspace, url, 0); err != nil || !strings.Contains(string(report.StatusReason), "console_errors") || !strings.Contains(string(report.StatusReason), "early") {
		t.Errorf("assay check: %s, %v", report.StatusReason, err)
	}
}

// A8: console_clean is about the flow or the run since it began, whatever page is
// shown now. Outside of a run it is about the site.
func TestConsoleCleanSinceTheStart(t *testing.T) {
	t.Parallel()
	d := patient(t)
	url := site(t, map[string]string{
		"/bad":  `<title>Bad</title><script>console.error('of bad')</script>`,
		"/good": `<title>Good</title><p>fine</p>`,
	})
	other := site(t, map[string]string{"/": `<title>Other</title>`})
	clean := func(want bool, what string) {
		t.Helper()
		a := d.ok("verify_assertion", `{"assertion": {"type": "console_clean"}, "timeout_ms": 1}`)
		if a.Data["passed"] != want {
			t.Errorf("%s: %v", what, a.Data)
		}
		if b := d.ok("analyze_console_errors", `{}`); b.Data["has_errors"] == want {
			t.Errorf("%s: analyze_console_errors: %v", what, b.Data)
		}
		if !want && !strings.Contains(a.Data["observed"].(string), "of bad (on "+url+"/bad)") {
			t.Errorf("%s: it does not say of which page: %v", what, a.Data)
		}
	}
	open := func(address string) { t.Helper(); d.ok("page_navigate", `{"url": %q}`, address) }
	open(url + "/bad")
	open(url + "/good")
	clean(false, "outside of a run, later on the same site")
	open(other)
	clean(true, "outside of a run, on another site")

	d.ok("run_start", `{"goal": "the first"}`)
	open(url + "/good")
	clean(true, "in a run, after an error before it")
	open(url + "/bad")
	open(other)
	clean(false, "in a run, after an error in it")
	d.ok("run_finish", `{}`)

	steps := `[{"action": "navigate", "url": "%[1]s/good"}, {"action": "assert", "assertion": {"type": "console_clean"}, "timeout_ms": 1}]`
	if a := d.call("verify_user_flow", `{"start_url": "%[1]s/bad", "steps": `+steps+`}`, url); a.Data["success"] != false || !strings.Contains(fmt.Sprint(a.Data["failure_reason"]), "of bad") {
		t.Errorf("a flow forgot its first page: %v", a.Data)
	}
	open(url + "/bad")
	id := d.Pool.SessionIDs()[0]
	if a := d.call("verify_user_flow", `{"session_id": %[2]q, "steps": `+steps+`}`, url, id); a.Data["success"] != true {
		t.Errorf("a flow counts what was before it: %v", a.Data)
	}
}

// An exception that is thrown again and again is one finding.
func TestRepeatedExceptionIsOneFinding(t *testing.T) {
	t.Parallel()
	d := patient(t)
	url := site(t, map[string]string{"/": `<title>t</title><script>for (let i = 0; i < 1500; i++) setTimeout(() => { throw new Error('again') }); for (let i = 0; i < 3; i++) setTimeout(() => { throw new Error('nr ' + i) })</script>`})
	d.ok("run_start", `{"goal": "it works"}`)
	d.ok("page_navigate", `{"url": %q}`, url)
	d.ok("verify_assertion", `{"assertion": {"type": "title_equals", "expected": "t"}}`)
	report := d.ok("run_finish", `{}`)
	if text := fmt.Sprint(report.Data["findings"]); len(report.Data["findings"].([]any)) > 12 || !strings.Contains(text, "again (") || !strings.Contains(text, "nr 2") {
		t.Errorf("%d findings: %s", len(report.Data["findings"].([]any)), text)
	}
}

// E3: the first exception of a run has a picture of the page, the others need none.
func TestFirstExceptionHasAPicture(t *testing.T) {
	t.Parallel()
	d := patient(t)
	url := site(t, map[string]string{"/": `<title>t</title><button onclick="throw new Error('later')">Go</button><script>setTimeout(() => { throw new Error('first') })</script>`})
	d.ok("run_start", `{"goal": "it works"}`)
	d.ok("page_navigate", `{"url": %q}`, url)
	d.ok("page_click", `{"selector": "button \"Go\""}`)
	shots := map[string]string{}
	for _, f := range d.report().Findings {
		if f.Severity == qa.Blocker && len(f.Evidence) == 1 {
			shots[string(f.Observed)] = f.Evidence[0].ScreenshotRef
		}
	}
	if len(shots) != 2 || shots["Error: first"] == "" || shots["Error: later"] != "" {
		t.Errorf("pictures of exceptions: %v", shots)
	}
}

// A page's line has its own errors, and a script that is missing has its status.
func TestPageLineIsThePages(t *testing.T) {
	t.Parallel()
	d := patient(t)
	url := site(t, map[string]string{
		"/bad":  `<title>Bad</title><script src="/gone.js"></script><link rel=stylesheet href="/gone.css">`,
		"/good": `<title>Good</title>`, "/gone.js": "404|<p>none", "/gone.css": "404|<p>none",
	})
	a := d.ok("page_navigate", `{"url": %q}`, url+"/bad")
	if !strings.Contains(a.text, "console errors: ") {
		t.Errorf("%s", a.text)
	}
	if a := d.ok("page_get_network_logs", `{"status": -1}`); a.Data["matched"] != 2.0 {
		t.Errorf("%v", d.ok("page_get_network_logs", `{}`).text)
	}
	if a := d.ok("page_navigate", `{"url": %q}`, url+"/good"); strings.Contains(a.text, "console errors") {
		t.Errorf("%s", a.text)
	}
	report, _, err := pagehealth.CheckPage(t.Context(), d.Workspace, url+"/bad", 0)
	if err != nil || !strings.Contains(fmt.Sprint(report.Checks), "/gone.js status 404") || !strings.Contains(fmt.Sprint(report.Checks), "/gone.css status 404") {
		t.Errorf("assay check: %+v, %v", report.Checks, err)
	}
}
