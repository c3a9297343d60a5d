package tools_test

import (
	"strings"
	"testing"
	"time"

	"github.com/assay-qa/assay/tools/pagehealth"
)

// A page that freezes as soon as it has loaded, or a little later, ends in bounded
// time, and the report says that it could not be looked at.
func TestCheckOfAPageThatFreezes(t *testing.T) {
	t.Parallel()
	d := patient(t)
	url := site(t, map[string]string{
		"/":      `<title>t</title><h1>Fine</h1><script>onload = () => setTimeout(() => { for (;;); })</script>`,
		"/later": `<title>t</title><h1>Fine</h1><script>Object.defineProperty(document, 'images', {get() { for (;;); }})</script>`,
	})
	for _, path := range []string{"/", "/later"} {
		report, _, err := pagehealth.CheckPage(t.Context(), d.Workspace, url+path, 3*time.Second)
		if err != nil || report.Status != "inconclusive" || !strings.Contains(string(report.StatusReason), "page_loads "+url) || !strings.Contains(string(report.StatusReason), "TIMEOUT") {
			t.Errorf("%s: %s: %s, %v", path, report.Status, report.StatusReason, err)
		}
	}
}

// run_start refuses a role that nobody is, as assay run does.
func TestRunStartKnowsItsRoles(t *testing.T) {
	t.Parallel()
	d := offline(t)
	if a := d.call("run_start", `{"goal": "it works", "role": "analyst"}`); a.Error.Code != "INVALID_INPUT" || !strings.Contains(a.Error.Message, `role "analyst": no roles are configured`) {
		t.Errorf("%+v", a.Error)
	}
}
