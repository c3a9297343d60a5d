package demo_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/assay-qa/assay/internal/demo"
)

// A8: five healthy looks and at least twelve single faults, each with what a
// good tester says of it.
func TestVariantsAreWhole(t *testing.T) {
	healthy, faulty := 0, 0
	var names []string
	for _, v := range demo.Variants() {
		if slices.Contains(names, v.Name) || v.Description == "" {
			t.Errorf("%s: named twice, or not described: %+v", v.Name, v)
		}
		names = append(names, v.Name)
		switch e := v.Expect; {
		case v.Healthy:
			healthy++
			if e.Status != "passed" || e.Category != "" || e.KPIs != nil {
				t.Errorf("%s is healthy and expects %+v", v.Name, e)
			}
		case e.Status == "failed" && e.Category == "" && e.Check == "" || e.Status == "passed" || e.Cause != "" && len(e.KPIs) == 0:
			t.Errorf("%s has a fault and expects %+v", v.Name, e)
		default:
			faulty++
		}
		if v.Name != demo.VariantPlain {
			site, err := demo.Start(t.Context(), demo.Options{Variant: v.Name, Broken: true})
			if err == nil {
				t.Errorf("%s is served together with the five faults: %s", v.Name, site.URL())
			}
		}
	}
	if healthy < 5 || faulty < 12 {
		t.Errorf("%d healthy variants and %d with a fault", healthy, faulty)
	}
	if _, err := demo.Start(t.Context(), demo.Options{Variant: "nonsense"}); err == nil || !strings.Contains(err.Error(), "wrong-range") {
		t.Errorf("a variant that there is not: %v", err)
	}
}

// The faults in the browser are served where they are wanted, and nowhere else;
// the API is right in every variant.
func TestVariantsLeaveTheAPIAlone(t *testing.T) {
	plain := signedIn(t, demo.Options{}).get("/api/kpi?range=7d&category=Hardware").body
	for _, v := range demo.Variants() {
		if v.Name == "slow" {
			continue // its answers are late; e2e has it
		}
		visitor := signedIn(t, demo.Options{Variant: v.Name})
		if got := visitor.get("/api/kpi?range=7d&category=Hardware").body; got != plain {
			t.Errorf("%s: the API answers %s", v.Name, got)
		}
		script := visitor.get("/assets/settings.js")
		page := visitor.get("/dashboard").body
		if chosen := strings.Contains(script.body, `faults['`+v.Name+`']`); script.status == http.StatusOK && !chosen || chosen != strings.Contains(page, "settings.js") || v.Healthy && chosen {
			t.Errorf("%s: the script answers %d, with the fault %v", v.Name, script.status, chosen)
		}
		if strings.Contains(page, "fault") || !v.Healthy && strings.Contains(page, v.Name) || visitor.get("/assets/faults.js").status != http.StatusNotFound {
			t.Errorf("%s: the page tells what is wrong with it", v.Name)
		}
	}
}

// The tasks carry the address that they are given, and the demo's own account.
func TestTasks(t *testing.T) {
	files := demo.Tasks("http://127.0.0.1:4242")
	for name, texts := range map[string][]string{
		"mcp.toml":         {`base_url   = "http://127.0.0.1:4242"`, "[env.demo.roles.analyst]"},
		"login.flow.toml":  {demo.Email, demo.Password},
		"sanity.task.toml": {`role  = "analyst"`, demo.KPIRevenue, demo.KPIOrders, demo.KPIConversion, demo.KPIOrderValue, demo.KPIRefunds, demo.KPIUsers},
	} {
		for _, text := range texts {
			if !strings.Contains(string(files[name]), text) {
				t.Errorf("%s lacks %q", name, text)
			}
		}
	}
}
