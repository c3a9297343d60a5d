package e2e_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-qa/assay/internal/demo"
)

// readFigures waits until the dashboard shows the same for a third of a second,
// and tells what that is: every figure by a name.
const readFigures = `async () => {
	const text = (selector) => document.querySelector(selector)?.textContent ?? 'absent';
	const read = () => ({
		...Object.fromEntries([...document.querySelectorAll('article.card')].map((card) => ['card ' + card.querySelector('h3').textContent, card.querySelector('.value').textContent])),
		legend: text('#legend'), chart: text('#chart-total'), rows: text('#order-rows'), total: text('#orders-total'),
		problem: document.querySelector('#problem').hidden ? '' : text('#problem'),
	});
	const settled = () => document.querySelector('#data').getAttribute('aria-busy') === 'false' && text('#status') !== 'Loading…';
	for (let last = '', same = 0, i = 0; i < 300 && same < 6; i++) {
		const now = JSON.stringify(read());
		same = settled() && now === last ? same + 1 : 0;
		last = now;
		await new Promise((done) => setTimeout(done, 60));
	}
	return read();
}`

// figures are what the dashboard shows in one state, by name.
type figures map[string]string

// states of the dashboard, in the order in which they are visited.
func states() []string { return []string{"today", "7d", "Hardware"} }

// entersDemo signs in to a demo.
func (w *wire) entersDemo(url string) {
	w.t.Helper()
	w.do("page_navigate", map[string]any{"url": url + "/login"})
	w.do("page_fill", map[string]any{"selector": `textbox "Email"`, "value": demo.Email})
	w.do("page_fill", map[string]any{"selector": `textbox "Password"`, "value": demo.Password})
	w.do("page_click", map[string]any{"selector": `button "Sign in"`})
}

// visits reads the dashboard in every state.
func (w *wire) visits() map[string]figures {
	w.t.Helper()
	out := map[string]figures{}
	for _, state := range states() {
		switch state {
		case "7d":
			w.do("page_select", map[string]any{"selector": `combobox "Range"`, "option": "Last 7 days"})
		case "Hardware":
			w.do("page_select", map[string]any{"selector": `combobox "Range"`, "option": "Today"})
			w.do("page_select", map[string]any{"selector": `combobox "Category"`, "option": "Hardware"})
		}
		out[state] = field[figures](w, w.do("page_evaluate", map[string]any{"script": readFigures}), "result")
	}
	return out
}

// differs are the names of the figures that are not the same.
func differs(a, b figures) []string {
	all := maps.Clone(a)
	maps.Copy(all, b)
	var out []string
	for name := range all {
		x, inA := a[name]
		y, inB := b[name]
		if x != y || inA != inB {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

// A8: each variant of the demo has its one fault and no other: what it shows
// differs from the plain dashboard there, and nowhere else.
func TestVariantsDifferInTheirFaultAlone(t *testing.T) {
	t.Parallel()
	needsBrowser(t)
	cards := []string{"card Active users", "card Average order value", "card Conversion rate", "card Orders", "card Refunds", "card Revenue"}
	page := append(slices.Clone(cards), "chart", "legend", "rows", "total")
	always := func(names ...string) map[string][]string {
		return map[string][]string{"today": names, "7d": names, "Hardware": names}
	}
	faults := map[string]map[string][]string{
		"plain": always(), "slow": always(), "animated": always(), "console-error": always(),
		"rounded": withoutOrders(always(cards...)), "locale": withoutOrders(always(page...)), // three digits read the same everywhere
		"wrong-value": always("card Orders"), "wrong-range": {"7d": page}, "stale-filter": {"Hardware": cards},
		"slip-1000": always("card Revenue"), "slip-100": always("card Conversion rate"), "sign": always("card Refunds"), "subtotal": always("total"),
		"currency": always("card Average order value", "card Refunds", "card Revenue", "chart", "legend", "rows", "total"),
		"swapped":  always("card Active users", "card Orders"), "missing-card": always("card Refunds"), "chart-cards": always("chart", "legend"),
		"refresh-500": {"7d": append(slices.Clone(page), "problem"), "Hardware": append(slices.Clone(page), "problem")},
	}
	w := attach(t, november25)
	plain := map[string]figures{}
	for i, v := range demo.Variants() {
		if v.Name == "expired-session" || !soak() && i%9 != 0 && v.Name != demo.VariantPlain {
			continue // it shows no figures: see below; a ninth of the others by make test
		}
		t.Run(v.Name, func(t *testing.T) {
			w.t = t
			w.do("browser_launch", map[string]any{"options": map[string]any{}})
			defer w.do("browser_close", nil)
			w.entersDemo(serveDemo(t, v.Name))
			shown := w.visits()
			if v.Name == demo.VariantPlain {
				plain = shown
				w.showsTheOracle(shown["today"], demo.KPIs(demo.RangeToday, demo.CategoryAll))
				w.showsTheOracle(shown["7d"], demo.KPIs(demo.Range7Days, demo.CategoryAll))
				w.showsTheOracle(shown["Hardware"], demo.KPIs(demo.RangeToday, demo.CategoryHardware))
			}
			want, known := faults[v.Name]
			if !known {
				t.Fatalf("this test knows no variant %s", v.Name)
			}
			for _, state := range states() {
				if diff := cmp.Diff(sortedNames(want[state]), differs(plain[state], shown[state])); diff != "" {
					t.Errorf("%s: figures that differ from the plain dashboard (-want +got):\n%s\n%v", state, diff, shown[state])
				}
			}
			errors := field[bool](w, w.do("analyze_console_errors", nil), "has_errors")
			if want := v.Name == "console-error" || v.Name == "refresh-500"; errors != want {
				t.Errorf("console errors: %v, want %v", errors, want)
			}
			for place, text := range examples()[v.Name] {
				state, name, _ := strings.Cut(place, " ")
				if got := strings.ReplaceAll(shown[state][name], "\u00a0", " "); got != text {
					t.Errorf("%s shows %q, want %q", place, got, text)
				}
			}
			if v.Name == "wrong-range" && cmp.Diff(plain["today"], shown["7d"]) != "" || v.Name == "refresh-500" && shown["7d"]["card Revenue"] != plain["today"]["card Revenue"] {
				t.Errorf("7d does not show the figures of today: %v", shown["7d"])
			}
		})
	}
}

// withoutOrders leaves the count of orders of one day out.
func withoutOrders(names map[string][]string) map[string][]string {
	for _, day := range []string{"today", "Hardware"} {
		names[day] = slices.DeleteFunc(slices.Clone(names[day]), func(name string) bool { return name == "card Orders" })
	}
	return names
}

// examples are figures as a variant writes them.
func examples() map[string]map[string]string {
	return map[string]map[string]string{
		"rounded":   {"today card Revenue": "$22.2K"},
		"locale":    {"today card Revenue": "22.236,07 $", "7d card Conversion rate": "2,86 %"},
		"slip-1000": {"today card Revenue": "$22.24"},
		"slip-100":  {"7d card Conversion rate": "0.03%"},
		"currency":  {"today card Revenue": "€22,236.07"},
	}
}

func sortedNames(names []string) []string {
	names = slices.Clone(names)
	slices.Sort(names)
	return names
}

// showsTheOracle checks every card, the chart's total and the table's.
func (w *wire) showsTheOracle(shown figures, values map[string]float64) {
	w.t.Helper()
	for name, value := range values {
		if got, want := shown["card "+name], demo.Display(name, value); got != want {
			w.t.Errorf("%s shows %s, and the oracle says %s", name, got, want)
		}
	}
	if shown["chart"] != shown["card Revenue"] {
		w.t.Errorf("the chart's total %s is not that of the card, %s", shown["chart"], shown["card Revenue"])
	}
}

// serveDemo serves a variant for one test.
func serveDemo(t *testing.T, variant string) string {
	t.Helper()
	site, err := demo.Start(t.Context(), demo.Options{Variant: variant})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := site.Close(); err != nil {
			t.Error(err)
		}
	})
	return site.URL()
}

// A8: the slow variant answers late each time, the animated one shows other
// figures on its way, and a sign-in of expired-session lasts for one look.
func TestVariantsInTime(t *testing.T) {
	t.Parallel()
	needsBrowser(t)
	w := attach(t, november25)
	w.do("browser_launch", map[string]any{"options": map[string]any{}})
	t.Run("slow", func(t *testing.T) {
		w.t = t
		w.entersDemo(serveDemo(t, "slow"))
		w.visits()
		answer := w.do("page_get_network_logs", map[string]any{"filter": "**/api/kpi"})
		events := field[[]struct{}](w, answer, "events")
		if len(events) < 4 {
			t.Errorf("%d requests for figures, want one for each change of a filter: %s", len(events), answer.text())
		}
		// By the browser's own clock: what arrives here on a busy machine arrives late, a begin as well.
		took := field[[]float64](w, w.do("page_evaluate", map[string]any{"script": "performance.getEntriesByType('resource').filter(e => e.name.includes('/api/kpi')).map(e => e.duration)"}), "result")
		if len(took) < 4 || slices.Min(took) < 1499 {
			t.Errorf("figures after %v ms", took)
		}
	})
	t.Run("animated", func(t *testing.T) {
		w.t = t
		w.entersDemo(serveDemo(t, "animated"))
		seen := field[int](w, w.do("page_evaluate", map[string]any{"script": `async () => {
			const seen = new Set(), card = document.querySelector('[data-kpi="Revenue"]');
			new MutationObserver(() => seen.add(card.textContent)).observe(card, {childList: true, characterData: true, subtree: true});
			const range = document.querySelector('#range');
			range.value = '30d';
			range.dispatchEvent(new Event('change', {bubbles: true}));
			await new Promise((done) => setTimeout(done, 2500));
			return seen.size;
		}`}), "result")
		if seen < 4 {
			t.Errorf("the Revenue card showed %d figures on its way, want several", seen)
		}
	})
	t.Run("expired-session", func(t *testing.T) {
		w.t = t
		url := serveDemo(t, "expired-session")
		w.entersDemo(url)
		if shown := field[figures](w, w.do("page_evaluate", map[string]any{"script": readFigures}), "result"); !strings.HasPrefix(shown["card Revenue"], "$") {
			t.Errorf("the first look: %v", shown)
		}
		again := w.do("page_navigate", map[string]any{"url": url + "/dashboard"})
		if got := field[string](w, again, "url"); got != url+"/login" {
			t.Errorf("the second look is at %s, want the sign-in page", got)
		}
	})
}
