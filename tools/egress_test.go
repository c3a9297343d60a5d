package tools_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/tools/pagehealth"
)

// B4: a host that our own rules refuse is no fault of the site: the tools
// could not look, and the run is inconclusive.
func TestBlockedHostIsInconclusive(t *testing.T) {
	t.Parallel()
	all := online(t)
	for name, args := range map[string]string{
		"verify_page_loads":      `{"url": "http://169.254.169.254/", "expects": ["E1"]}`,
		"verify_element_exists":  `{"url": "http://169.254.169.254/", "selector": "heading \"Cart\"", "expects": ["E1"]}`,
		"analyze_console_errors": `{"url": "http://169.254.169.254/", "expects": ["E1"]}`,
	} {
		t.Run(name, func(t *testing.T) {
			d := all
			d.t = t
			d.ok("run_start", `{"goal": "g", "expectations": [{"text": "the console is clean"}]}`)
			a := d.raw(name, args)
			if a.OK || a.Error.Code != "HOST_BLOCKED" || !strings.Contains(a.Error.Message, "169.254.169.254") {
				t.Errorf("%s", a.text)
			}
			if status, reason := d.finish(); status != "inconclusive" {
				t.Errorf("%s: %s", status, reason)
			}
		})
	}
}

// A session opened with allowed_hosts reaches these alone, and its answers say
// what they refused, by count and rule.
func TestLaunchWithAllowedHosts(t *testing.T) {
	t.Parallel()
	url := site(t, map[string]string{"/": `<title>Home</title><img src="http://cdn.test/a.png"><img src="http://cdn.test/b.png">`})
	d := online(t)
	d.ok("browser_launch", `{"options": {"allowed_hosts": ["127.0.0.1"]}}`)
	a := d.ok("page_navigate", `{"url": %q}`, url)
	if !strings.Contains(a.text, "requests blocked by allowed_hosts of the session: 2") || !strings.Contains(a.text, "http://cdn.test/a.png") || strings.Contains(a.text, "failed request") || strings.Contains(a.text, "console error") {
		t.Errorf("%s", a.text)
	}
	if a := d.call("page_navigate", `{"url": "http://other.test/"}`); a.Error.Code != "HOST_BLOCKED" || !strings.Contains(a.Error.Hint, "options.allowed_hosts") {
		t.Errorf("%s", a.text)
	}
	if a := d.ok("page_get_network_logs", `{"filter": "cdn.test"}`); strings.Count(a.text, "blocked by allowed_hosts") != 2 {
		t.Errorf("%s", a.text)
	}
	if a := d.call("browser_launch", `{"options": {"allowed_hosts": ["http://127.0.0.1/"]}}`); a.Error.Code != "INVALID_INPUT" || !strings.Contains(a.Error.Hint, "without scheme") {
		t.Errorf("%s", a.text)
	}
}

// A page is not failed for what our own rules refused it: requests, pictures
// and the browser's complaints about them.
func TestCheckPageLeavesOutWhatWasBlocked(t *testing.T) {
	t.Parallel()
	url := site(t, map[string]string{"/": `<title>Home</title><img src="http://169.254.169.254/a.png"><img src="https://169.254.169.254/b.png"><script src="http://169.254.169.254/c.js"></script>
		<script>fetch('http://169.254.169.254/d').catch(() => {}); new WebSocket('ws://169.254.169.254/e')</script>`,
		"/own": `<title>Home</title><img src="http://169.254.169.254/a.png"><img src="/none.png">`})
	d := online(t)
	r, _, err := pagehealth.CheckPage(t.Context(), d.Workspace, url, 10*time.Second)
	if err != nil || r.Status != qa.Passed || !strings.Contains(fmt.Sprint(r.Checks), "0; 5 blocked by the ban on cloud metadata") {
		t.Errorf("%s: %s, %+v, %v", r.Status, r.StatusReason, r.Checks, err)
	}
	r, _, err = pagehealth.CheckPage(t.Context(), d.Workspace, url+"/own", 10*time.Second)
	if err != nil || r.Status != qa.Failed || !strings.Contains(fmt.Sprint(r.Checks), "/none.png") {
		t.Errorf("the page's own faults: %s, %+v, %v", r.Status, r.Checks, err)
	}
}
