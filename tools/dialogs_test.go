package tools_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/assay-qa/assay/tools/pagehealth"
)

// A8: a dialog at load that nothing asked for fails whatever looks at the page; one
// after an act is a minor finding, unless a step names it.
func TestDialogs(t *testing.T) {
	t.Parallel()
	d := patient(t)
	url := site(t, map[string]string{
		"/load":  `<title>t</title><h1>Fine</h1><script>alert('Oops')</script>`,
		"/late":  `<title>t</title><h1>Fine</h1><script>setTimeout(() => { alert('Late'); document.title = 'shown' }, 300)</script>`,
		"/ask":   `<title>t</title><h1>Fine</h1><button onclick="if (confirm('Sure?')) this.textContent = 'Gone'">Delete</button>`,
		"/quiet": `<title>t</title><h1>Fine</h1>`,
	})
	report, _, err := pagehealth.CheckPage(t.Context(), d.Workspace, url+"/load", 0)
	if err != nil || report.Status != "failed" || !strings.Contains(string(report.StatusReason), `alert "Oops"`) {
		t.Errorf("check: %s: %s, %v", report.Status, report.StatusReason, err)
	}
	if a := d.ok("verify_page_loads", `{"url": %q}`, url+"/load"); a.Data["success"] != false || !strings.Contains(a.Data["reason"].(string), `alert "Oops"`) {
		t.Errorf("verify_page_loads: %v", a.Data)
	}
	if a := d.ok("verify_page_loads", `{"url": %q}`, url+"/quiet"); a.Data["success"] != true {
		t.Errorf("verify_page_loads: %v", a.Data)
	}
	fine := `{"action": "assert", "selector": "h1", "assertion": {"type": "text_equals", "expected": "Fine"}}`
	click := `{"action": "click", "selector": "button \"Delete\""}`
	for name, c := range map[string]struct {
		steps   string
		success bool
		want    string // in the reason, or in the findings of the run
	}{
		"at load":     {`{"action": "navigate", "url": "` + url + `/load"}, ` + fine, false, `alert "Oops" on ` + url + `/load`},
		"later":       {`{"action": "navigate", "url": "` + url + `/late"}, {"action": "assert", "assertion": {"type": "title_equals", "expected": "shown"}}`, false, `alert "Late"`},
		"expected":    {`{"action": "dialog", "value": "accept"}, {"action": "navigate", "url": "` + url + `/load"}, ` + fine, true, ""},
		"not named":   {`{"action": "navigate", "url": "` + url + `/ask"}, ` + fine + `, ` + click + `, ` + fine, true, `confirm "Sure?"`},
		"named":       {`{"action": "navigate", "url": "` + url + `/ask"}, {"action": "dialog", "value": "accept"}, ` + click + `, {"action": "assert", "selector": "css=button", "assertion": {"type": "text_equals", "expected": "Gone"}}`, true, ""},
		"none at all": {`{"action": "navigate", "url": "` + url + `/quiet"}, ` + fine, true, ""},
	} {
		d.ok("run_start", `{"goal": "it works"}`)
		a := d.ok("verify_user_flow", `{"steps": [%s]}`, c.steps)
		report := d.ok("run_finish", `{}`)
		findings := fmt.Sprint(report.Data["findings"])
		if a.Data["success"] != c.success || (report.Data["status"] == "passed") != c.success {
			t.Errorf("%s: %v; the run: %v", name, a.Data, report.Data["statusReason"])
		}
		switch {
		case !c.success && !strings.Contains(fmt.Sprint(a.Data["failure_reason"]), c.want):
			t.Errorf("%s: %v", name, a.Data["failure_reason"])
		case c.success && !strings.Contains(findings, c.want), c.success && c.want == "" && findings != "[]":
			t.Errorf("%s: findings %s", name, findings)
		}
	}
}
