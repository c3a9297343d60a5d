package e2e_test

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// template is a public dashboard as its package brings it, and what its own
// page says.
type template struct {
	name, module, root, page string
	values, units            map[string]string
	wrong                    string // the KPI that is changed
	from, to                 string // in the page, as it is written there
}

func templates() []template {
	return []template{
		{"SB Admin 2", "startbootstrap-sb-admin-2", "", "index.html",
			map[string]string{"Earnings (Monthly)": "40000", "Earnings (Annual)": "215000", "Tasks": "50", "Pending Requests": "18", "Server Migration": "20"},
			map[string]string{"Earnings (Monthly)": "USD", "Earnings (Annual)": "USD", "Tasks": "percent", "Server Migration": "percent"},
			"Earnings (Annual)", ">$215,000<", ">$251,000<"},
		{"Gentelella", "gentelella", "dist", "production/index.html",
			map[string]string{"Total Users": "2500", "Avg Session": "123.5", "Orders": "1240", "Revenue": "24567", "Conversions": "2315", "Page Views": "47325"},
			map[string]string{"Revenue": "USD"},
			"Orders", ">1,240<", ">1,204<"},
		{"Gentelella, sales", "gentelella", "dist", "production/index3.html",
			map[string]string{"Open pipeline": "1284500", "Closed this month": "284300", "Win rate": "0.312", "Avg deal size": "16724"},
			map[string]string{"Open pipeline": "USD", "Closed this month": "USD", "Win rate": "ratio", "Avg deal size": "USD"},
			"Win rate", ">31.2%<", ">3.12%<"},
	}
}

// serve serves the template's folder, with one text of its page replaced.
func (d template) serve(t *testing.T, from, to string) string {
	t.Helper()
	root := filepath.Join(needsPackages(t, d.module), d.root)
	page, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(d.page)))
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(page, []byte(from)); from != "" && n != 1 {
		t.Fatalf("%s stands %d times in %s, want once", from, n, d.page)
	}
	if from != "" {
		page = bytes.ReplaceAll(page, []byte(from), []byte(to))
	}
	files := http.FileServer(http.Dir(root))
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/"+d.page {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = w.Write(page)
			return
		}
		files.ServeHTTP(w, r)
	}))
	t.Cleanup(site.Close)
	return site.URL + "/" + d.page
}

// kpiRow is what these tests read of a line of the KPI table.
type kpiRow struct{ Label, Expected, Observed, Status, Cause string }

// sanity checks the template's KPIs in a run of their own and returns the rows
// that are not ok, by label, with the verdict.
func (w *wire) sanity(d template, url string) (bad map[string]kpiRow, status string) {
	w.t.Helper()
	w.do("browser_launch", map[string]any{"options": map[string]any{"allowed_hosts": []string{"127.0.0.1"}}})
	defer w.do("browser_close", nil)
	w.do("run_start", map[string]any{"goal": d.name + " shows its own figures", "kpiSpec": map[string]any{"type": "staticValues", "values": d.values, "units": d.units}})
	w.do("page_navigate", map[string]any{"url": url})
	answer := w.do("check_kpis", nil)
	rows := field[[]kpiRow](w, answer, "kpiTable")
	if len(rows) != len(d.values) {
		w.t.Errorf("%d rows for %d KPIs: %s", len(rows), len(d.values), answer.text())
	}
	bad = map[string]kpiRow{}
	for _, row := range rows {
		if row.Status != "ok" {
			bad[row.Label] = row
		}
	}
	return bad, field[string](w, w.do("run_finish", nil), "status")
}

// A8: two public dashboards that nobody made for us: each shows the figures that
// its own page is written with, and one changed figure is found.
func TestPublicDashboards(t *testing.T) {
	t.Parallel()
	needsBrowser(t)
	for i, d := range templates() {
		if i > 0 && !soak() {
			break // TestFaultsAreCaught and TestCorpus look at others
		}
		t.Run(d.name, func(t *testing.T) {
			w := attach(t, november25)
			if bad, status := w.sanity(d, d.serve(t, "", "")); len(bad) > 0 || status != "passed" {
				t.Errorf("as it is: %s, %+v", status, bad)
			}
			bad, status := w.sanity(d, d.serve(t, d.from, d.to))
			row := bad[d.wrong]
			if diff := cmp.Diff([]string{d.wrong}, sortedKeysOf(bad)); diff != "" || status != "failed" || row.Status != "mismatch" {
				t.Errorf("with %s in place of %s: %s, %+v", d.to, d.from, status, bad)
			}
		})
	}
}

func sortedKeysOf(rows map[string]kpiRow) []string {
	var names []string
	for name := range rows {
		names = append(names, name)
	}
	return sortedNames(names)
}
