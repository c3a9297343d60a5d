package generate

import (
	"regexp"
	"strings"
	"testing"

	"github.com/assay-qa/assay/author/plan"
	"github.com/assay-qa/assay/author/site"
	"github.com/assay-qa/assay/qa"
)

// Req 0032/3: a test waits for the page that a step of its way leads to, whatever record that
// shows, and not for one that the exploration named.
func TestWhereAStepLeads(t *testing.T) {
	m := maker{base: "https://a.test", plan: plan.Plan{Records: plan.Records{Mark: "sapunuzo"}}}
	for link, one := range map[string]struct{ fits, not []string }{
		"https://a.test/orders/12?new=1": {[]string{"https://a.test/orders/7", "https://a.test/orders/7?tab=1#x"}, []string{"https://a.test/orders/new", "https://a.test/orders", "https://a.test/orders/7/edit"}},
		"https://a.test/#/orders/12":     {[]string{"https://a.test/#/orders/9", "https://a.test/#/orders/9?tab=1"}, []string{"https://a.test/#/orders/create", "https://a.test/"}},
		"https://a.test/app#!/orders":    {[]string{"https://a.test/app#!/orders?sort=id"}, []string{"https://a.test/app#!/order", "https://a.test/app"}},
		"https://a.test/wiki/Sapunuzo":   {}, "https://other.test/": {},
	} {
		expr, ok := m.leads(link)
		expr = strings.TrimPrefix(expr, "re:")
		if ok != (len(one.fits) > 0) {
			t.Errorf("%s: %q %t", link, expr, ok)
			continue
		}
		for _, at := range one.fits {
			if !regexp.MustCompile(expr).MatchString(at) {
				t.Errorf("%s: %s does not fit %s", link, at, expr)
			}
		}
		for _, at := range one.not {
			if regexp.MustCompile(expr).MatchString(at) {
				t.Errorf("%s: %s fits %s", link, at, expr)
			}
		}
	}
	save := site.Element{Role: "button", Name: "Save"}
	p := m.path(plan.Flow{Name: "x", Ask: &plan.Ask{}, Steps: []plan.Step{
		{Kind: site.Navigate, Link: "https://a.test/orders/new", Part: plan.Way},
		{Kind: site.Click, Selector: `button "Save"`, Element: &save, Part: plan.Way, Edge: &site.Edge{Wrote: true, Changes: site.Changes{URL: "https://a.test/orders/12"}}},
	}}, 0)
	p.Steps[1].Act.Target = Target{Locators: []string{`button "Save"`}}
	p.Steps[1].expectPage(qa.Assertion{Type: qa.TitleEquals, Expected: "Order"})
	f, err := makeFile(p, Options{BaseURL: "https://a.test"})
	if want := `await page.waitForURL(new RegExp("/orders/\\d+(?:\\?[^#]*)?(?:#.*)?$"));`; err != nil || !strings.Contains(f.Text, want) {
		t.Errorf("%v: the test lacks %s:\n%s", err, want, f.Text)
	}
}
