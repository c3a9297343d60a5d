package demo

import (
	"bytes"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/assay-qa/assay/internal/wait"
)

// VariantPlain names the healthy dashboard without a variant.
const VariantPlain = "plain"

// Variant describes one way the demo can look: healthy, in looks of its own,
// or with a single fault on an otherwise healthy page.
type Variant struct {
	Name        string `json:"name"`
	Healthy     bool   `json:"healthy"`
	Description string `json:"description"`
	Expect      Expect `json:"expect"`

	page  dashboardPage // what differs: language, figures, motion, fault
	delay time.Duration // before the figures are answered
}

// Expect holds the right verdict and findings for a variant, in the words of
// its report; of a healthy one only Status is set.
type Expect struct {
	Status   string   `json:"status"`             // passed, failed or inconclusive
	Category string   `json:"category,omitempty"` // of the finding
	Cause    string   `json:"cause,omitempty"`    // of the KPIs, where one is given
	KPIs     []string `json:"kpis,omitempty"`     // that are wrong
	Ranges   []string `json:"ranges,omitempty"`   // in which they are wrong; none: in all
	Check    string   `json:"check,omitempty"`    // kind of the check that fails, where there is no finding
	Unread   bool     `json:"unread,omitempty"`   // KPIs of these ranges can't be read, whatever it says of them
}

// slowness says how late the figures of the slow variant come.
const slowness = 1500 * time.Millisecond

// kpiOrdersTotal names the total of the orders table in the sanity task.
const kpiOrdersTotal = "Orders total"

// rangeFiltered names the sanity task's range with a filter.
const rangeFiltered = "Hardware"

// Variants lists every variant, the healthy ones first.
func Variants() []Variant {
	const data, functional = "data-consistency", "functional"
	cards := []string{KPIRevenue, KPIOrders, KPIConversion, KPIOrderValue, KPIRefunds, KPIUsers}
	every := append(slices.Clone(cards), kpiOrdersTotal)
	return []Variant{
		healthy(VariantPlain, "The dashboard as it is.", dashboardPage{}),
		healthy("rounded", "The cards round: $12.3K, 1.2M.", dashboardPage{Figures: "rounded"}),
		healthy("locale", "German: 1.234,56 $ and 4,23 %; the labels stay English.", dashboardPage{Lang: "de-DE"}),
		{Name: "slow", Healthy: true, Description: "The figures come 1.5 s late, after every change of a filter, too.", Expect: Expect{Status: "passed"}, delay: slowness},
		healthy("animated", "The figures count up, and the bars grow, for a second.", dashboardPage{Motion: "count-up"}),

		faulty("wrong-value", "The Orders card shows 7 too many.", Expect{Category: data, Cause: "wrong-value", KPIs: []string{KPIOrders}}),
		faulty("wrong-range", "Last 7 days shows the figures of today.", Expect{Category: data, Cause: "stale", KPIs: every, Ranges: []string{Range7Days}}),
		faulty("stale-filter", "A change of the category does not reach the cards.", Expect{Category: data, Cause: "stale", KPIs: cards, Ranges: []string{rangeFiltered}}),
		faulty("slip-1000", "The Revenue card shows thousands as if they were dollars.", Expect{Category: data, Cause: "unit-slip", KPIs: []string{KPIRevenue}}),
		faulty("slip-100", "The Conversion rate card shows a ratio as if it were percent.", Expect{Category: data, Cause: "unit-slip", KPIs: []string{KPIConversion}}),
		faulty("sign", "The Refunds card shows a negative amount.", Expect{Category: data, Cause: "sign", KPIs: []string{KPIRefunds}}),
		faulty("subtotal", "The total of the orders table is not the sum of its rows.", Expect{Category: data, KPIs: []string{kpiOrdersTotal}}),
		faulty("currency", "Amounts of US dollars are shown with €.", Expect{Category: data, Cause: "currency", KPIs: []string{KPIRevenue, KPIOrderValue, KPIRefunds, kpiOrdersTotal}}),
		faulty("swapped", "The cards Orders and Active users show each other's figure.", Expect{Category: data, Cause: "swapped", KPIs: []string{KPIOrders, KPIUsers}}),
		faulty("missing-card", "The Refunds card is not on the page.", Expect{Category: functional, Cause: "not-shown", KPIs: []string{KPIRefunds}}),
		faulty("chart-cards", "The chart's legend and total are lower than the Revenue card.", Expect{Category: data, KPIs: []string{KPIRevenue}}),
		faulty("console-error", "The page logs an error while it loads.", Expect{Category: "reliability", Check: "analyze_console_errors"}),
		faulty("refresh-500", "Once the page has its first figures, every further request for figures answers 500.",
			Expect{Category: functional, Ranges: []string{Range7Days, rangeFiltered}, Unread: true}),
		// A tester that has just signed in anew may tell it from a stored sign-in that is old.
		{Name: "expired-session", Description: "A sign-in lasts for one look at the dashboard; the next one lands on the sign-in page.", Expect: Expect{Status: "failed", Category: "reliability"}},
	}
}

func healthy(name, description string, page dashboardPage) Variant {
	return Variant{Name: name, Healthy: true, Description: description, Expect: Expect{Status: "passed"}, page: page}
}

func faulty(name, description string, e Expect) Variant {
	e.Status = "failed"
	return Variant{Name: name, Description: description, Expect: e, page: dashboardPage{Fault: name, Script: servedFaults}}
}

// faultsScript names the script with the faults in the browser. It is served
// under an unremarkable name, with the wanted fault written into it: a tester
// that reads elements and their attributes can't find out which it is.
const (
	faultsScript = "faults.js"
	servedFaults = "settings.js"
)

// faultAsset serves the faults with one switched on.
func faultAsset(fault string) http.HandlerFunc {
	content, err := files.ReadFile("site/assets/" + faultsScript)
	if err != nil {
		panic("demo: embedded asset " + faultsScript + " is missing: " + err.Error())
	}
	content = bytes.ReplaceAll(content, []byte("'FAULT'"), []byte("'"+fault+"'"))
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/javascript; charset=utf-8")
		http.ServeContent(w, r, servedFaults, time.Time{}, bytes.NewReader(content))
	}
}

// findVariant returns the variant of that name; none means plain.
func findVariant(name string) (Variant, error) {
	all := Variants()
	if name == "" {
		return all[0], nil
	}
	if i := slices.IndexFunc(all, func(v Variant) bool { return v.Name == name }); i >= 0 {
		return all[i], nil
	}
	var names []string
	for _, v := range all {
		names = append(names, v.Name)
	}
	return Variant{}, fmt.Errorf("demo: variant %q is unknown; there are: %s", name, strings.Join(names, ", "))
}

// variant returns the variant that the options choose.
func (o Options) variant() (Variant, error) {
	v, err := findVariant(o.Variant)
	if err == nil && o.Broken && v.Name != VariantPlain {
		err = fmt.Errorf("demo: broken and variant %s exclude each other: each is a page of its own", v.Name)
	}
	return v, err
}

// dress applies what a variant changes in the page itself.
func (v Variant) dress(p *dashboardPage) {
	p.Lang, p.Figures, p.Motion, p.Fault, p.Script = "en-US", v.page.Figures, v.page.Motion, v.page.Fault, v.page.Script
	if v.page.Lang != "" {
		p.Lang = v.page.Lang
	}
	if v.Name == "missing-card" {
		p.Cards = slices.DeleteFunc(p.Cards, func(c card) bool { return c.Label == KPIRefunds })
	}
}

// late holds an answer back as the slow variant does.
func (v Variant) late(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if v.delay > 0 {
			if wait.For(r.Context(), v.delay) != nil {
				return
			}
		}
		// The page of refresh-500 marks what it asks for again.
		if v.Name == "refresh-500" && r.URL.Query().Get("refresh") != "" {
			http.Error(w, `{"error":"The figures are not available."}`, http.StatusInternalServerError)
			return
		}
		next(w, r)
	}
}
