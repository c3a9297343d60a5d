package demo_test

import (
	"math"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-qa/assay/internal/demo"
)

// answer is /api/kpi as its readers know it, spelt independently of the code.
type answer struct {
	Range, Category string
	GeneratedAt     time.Time
	KPIs            map[string]struct {
		Value float64
		Unit  string
	}
	Series []struct {
		Label string
		Value float64
		Parts []amount
	}
	Breakdown []amount
	Orders    []struct {
		ID       string
		PlacedAt time.Time
		Category string
		Items    []struct {
			Quantity int
			Price    float64
		}
		Total float64
	}
	OrdersTotal float64
}

type amount struct {
	Category string
	Value    float64
}

// cents makes sums of dollars exact.
func cents(dollars float64) int { return int(math.Round(dollars * 100)) }

// A8: the oracle, the API and every sum on the page agree, for each selection
// and in both variants.
func TestNumbersAgree(t *testing.T) {
	ranges, categories := selections()
	for _, broken := range []bool{false, true} {
		v := signedIn(t, demo.Options{Broken: broken})
		for _, r := range ranges {
			for _, c := range categories {
				var got answer
				v.json("/api/kpi?range="+r+"&category="+c, http.StatusOK, &got)
				t.Run(r+"/"+c, func(t *testing.T) { checkSums(t, got, r, c) })
			}
		}
	}
}

func checkSums(t *testing.T, got answer, r, c string) {
	if got.Range != r || got.Category != c {
		t.Fatalf("asked for %s and %s, got %s and %s", r, c, got.Range, got.Category)
	}
	shown := map[string]float64{}
	for label, kpi := range got.KPIs {
		shown[label] = kpi.Value
	}
	if diff := cmp.Diff(demo.KPIs(r, c), shown); diff != "" {
		t.Errorf("oracle and API differ (-oracle +API):\n%s", diff)
	}
	bars, parts, legend, rows := 0, map[string]int{}, map[string]int{}, 0
	for _, point := range got.Series {
		stack := 0
		for _, p := range point.Parts {
			stack += cents(p.Value)
			parts[p.Category] += cents(p.Value)
		}
		if stack != cents(point.Value) {
			t.Errorf("bar %s is %v, its parts are %d cents", point.Label, point.Value, stack)
		}
		bars += stack
	}
	for _, p := range got.Breakdown {
		legend[p.Category] += cents(p.Value)
	}
	for _, o := range got.Orders {
		items := 0
		for _, item := range o.Items {
			items += item.Quantity * cents(item.Price)
		}
		if items != cents(o.Total) {
			t.Errorf("order %s is %v, its items are %d cents", o.ID, o.Total, items)
		}
		if c != demo.CategoryAll && o.Category != c {
			t.Errorf("order %s is of %s, the filter is %s", o.ID, o.Category, c)
		}
		rows += items
	}
	revenue := cents(shown[demo.KPIRevenue])
	if bars != revenue {
		t.Errorf("the bars sum to %d cents, Revenue is %d", bars, revenue)
	}
	if diff := cmp.Diff(legend, parts); diff != "" {
		t.Errorf("legend and bars differ (-legend +bars):\n%s", diff)
	}
	if rows != cents(got.OrdersTotal) {
		t.Errorf("the rows sum to %d cents, the total row is %v", rows, got.OrdersTotal)
	}
	if rows > revenue {
		t.Errorf("the recent orders, %d cents, are more than the revenue of %d", rows, revenue)
	}
}

func TestRangesAndCategoriesNest(t *testing.T) {
	ranges, categories := selections()
	for i, r := range ranges {
		for _, label := range []string{demo.KPIRevenue, demo.KPIOrders, demo.KPIRefunds} {
			sum := 0
			for _, c := range categories[1:] {
				sum += cents(demo.KPIs(r, c)[label])
			}
			if all := cents(demo.KPIs(r, demo.CategoryAll)[label]); all != sum {
				t.Errorf("%s of %s: All is %d, the categories sum to %d", label, r, all, sum)
			}
			if i == 0 {
				continue
			}
			for _, c := range categories {
				if longer, shorter := demo.KPIs(r, c)[label], demo.KPIs(ranges[i-1], c)[label]; longer <= shorter {
					t.Errorf("%s of %s in %s is %v, not more than %v of %s", label, r, c, longer, shorter, ranges[i-1])
				}
			}
		}
	}
}

// The numbers are pinned because stored baselines and specs hold them: change
// them only on purpose.
func TestKPIsStayWhatTheyWere(t *testing.T) {
	for _, c := range []struct {
		rangeName, category string
		want                map[string]float64
	}{
		{demo.RangeToday, demo.CategoryAll, map[string]float64{
			"Revenue": 22236.07, "Orders": 188, "Conversion rate": 2.76,
			"Average order value": 118.28, "Refunds": 504.71, "Active users": 5583,
		}},
		{demo.Range7Days, demo.CategorySoftware, map[string]float64{
			"Revenue": 36439.53, "Orders": 616, "Conversion rate": 3.02,
			"Average order value": 59.16, "Refunds": 922.69, "Active users": 11842,
		}},
	} {
		if diff := cmp.Diff(c.want, demo.KPIs(c.rangeName, c.category)); diff != "" {
			t.Errorf("%s, %s (-want +got):\n%s", c.rangeName, c.category, diff)
		}
	}
}

func TestUnknownSelections(t *testing.T) {
	v := signedIn(t, demo.Options{})
	for query, accepted := range map[string]string{
		"range=1y":                    "today, 7d, 30d",
		"range=7d&category=hardware":  "All, Hardware, Software, Services",
		"category=All%00&range=today": "All, Hardware, Software, Services",
	} {
		var got struct{ Error string }
		v.json("/api/kpi?"+query, http.StatusBadRequest, &got)
		if !strings.Contains(got.Error, accepted) {
			t.Errorf("%s: %q does not name what is accepted: %s", query, got.Error, accepted)
		}
	}
	if got := demo.KPIs("1y", demo.CategoryAll); got != nil {
		t.Errorf("KPIs of an unknown range: %v, want nil", got)
	}
	if got := demo.KPIs(demo.RangeToday, ""); got != nil {
		t.Errorf("KPIs of an unknown category: %v, want nil", got)
	}
	var got answer
	v.json("/api/kpi", http.StatusOK, &got)
	if got.Range != demo.RangeToday || got.Category != demo.CategoryAll {
		t.Errorf("without parameters: %s and %s, want today and All, as the page opens", got.Range, got.Category)
	}
}

func TestClockMovesDatesOnly(t *testing.T) {
	leapDay := time.Date(2028, time.February, 29, 1, 0, 0, 0, time.FixedZone("", 2*60*60))
	var still, moved answer
	signedIn(t, demo.Options{}).json("/api/kpi?range=7d", http.StatusOK, &still)
	signedIn(t, demo.Options{Clock: func() time.Time { return leapDay }}).json("/api/kpi?range=7d", http.StatusOK, &moved)
	if diff := cmp.Diff(still.KPIs, moved.KPIs); diff != "" {
		t.Errorf("the clock changed numbers (-still +moved):\n%s", diff)
	}
	if still.OrdersTotal != moved.OrdersTotal {
		t.Errorf("the clock changed the orders: %v, then %v", still.OrdersTotal, moved.OrdersTotal)
	}
	if got := moved.Series[len(moved.Series)-1].Label; got != "Feb 28" {
		t.Errorf("the last bar is %q, want Feb 28: days are counted in UTC", got)
	}
	if !moved.GeneratedAt.Equal(leapDay) {
		t.Errorf("generated at %v, want the clock's %v", moved.GeneratedAt, leapDay)
	}
	if newest := moved.Orders[0].PlacedAt; newest.After(leapDay) {
		t.Errorf("the newest order is of %v, in the future of %v", newest, leapDay)
	}
}
