package demo

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// report holds the answer of /api/kpi: everything the dashboard shows.
type report struct {
	Range       string           `json:"range"`
	Category    string           `json:"category"`
	GeneratedAt time.Time        `json:"generatedAt"`
	KPIs        map[string]value `json:"kpis"`
	Series      []point          `json:"series"`
	Breakdown   []part           `json:"breakdown"`
	Orders      []order          `json:"orders"`
	OrdersTotal float64          `json:"ordersTotal"`
}

// value holds a KPI and how to write it: USD, percent or count.
type value struct {
	Value float64 `json:"value"`
	Unit  string  `json:"unit"`
}

// apiError holds the answer to a request that could not be met.
type apiError struct {
	Error string `json:"error"`
}

// apiOnly lets signed-in callers through and answers others in JSON: a script
// can't follow a redirect to a form.
func (s *site) apiOnly(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if !s.sessions.signedIn(r) {
			s.writeJSON(w, http.StatusUnauthorized, apiError{"Not signed in. POST email and password to /login and send the cookie it sets."})
			return
		}
		next(w, r)
	}
}

// kpi answers the right numbers in both variants; what is wrong in the broken
// one goes wrong on the page. Parameters left out mean today and All.
func (s *site) kpi(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	rangeName := cmp.Or(query.Get("range"), RangeToday)
	category := cmp.Or(query.Get("category"), CategoryAll)
	span, known := findRange(rangeName)
	if !known {
		s.refuse(w, "range", rangeName, RangeToday, Range7Days, Range30Days)
		return
	}
	lines := categoriesOf(category)
	if lines == nil {
		s.refuse(w, "category", category, append([]string{CategoryAll}, categoryNames()...)...)
		return
	}
	now := s.opts.Clock().UTC()
	orders, total := recentOrders(rowsIn(span), lines, now)
	s.writeJSON(w, http.StatusOK, report{
		Range:       rangeName,
		Category:    category,
		GeneratedAt: now,
		KPIs:        values(KPIs(rangeName, category)),
		Series:      series(span, lines, now),
		Breakdown:   breakdown(span, lines),
		Orders:      orders,
		OrdersTotal: total,
	})
}

func values(kpis map[string]float64) map[string]value {
	units := units()
	all := make(map[string]value, len(kpis))
	for label, v := range kpis {
		all[label] = value{v, units[label]}
	}
	return all
}

// refuse answers a parameter with an unknown value, and lists the accepted
// ones.
func (s *site) refuse(w http.ResponseWriter, name, got string, accepted ...string) {
	s.writeJSON(w, http.StatusBadRequest, apiError{
		fmt.Sprintf("Unknown %s %q; use one of: %s.", name, got, strings.Join(accepted, ", ")),
	})
}

func (s *site) writeJSON(w http.ResponseWriter, status int, answer any) {
	body, err := json.Marshal(answer)
	if err != nil {
		s.opts.Log.Error("demo: answer not encoded", "error", err)
		http.Error(w, "The demo could not encode its answer.", http.StatusInternalServerError)
		return
	}
	s.send(w, status, "application/json; charset=utf-8", append(body, '\n'))
}
