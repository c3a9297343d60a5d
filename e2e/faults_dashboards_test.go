package e2e_test

// watched is a page of a public dashboard, and what a sensible tester looks for
// on it. The faults are put where these look, and nowhere else.
type watched struct {
	name, module, root, page string
	title, heading           string
	figures                  [][2]string // selector and text, as the page shows it
	cards                    string      // selector of the figures' cards
	count                    string      // how many there are
	control                  string      // a button or link that people see
	button                   bool        // it is a button, which can be disabled
	act                      map[string]any
	effect                   []string  // type, selector and expected of what is there afterwards
	wrong                    [2]string // a figure in the page's source, and a wrong one
}

func dashboards() []watched {
	return []watched{
		{name: "SB Admin 2", module: "startbootstrap-sb-admin-2", page: "index.html", title: "SB Admin 2 - Dashboard", heading: "Dashboard",
			figures: [][2]string{{".border-left-success .h5", "$215,000"}, {".border-left-primary .h5", "$40,000"}, {".border-left-warning .h5", "18"}},
			cards:   ".card[class*=border-left-]", count: "4", control: "#sidebarToggle", button: true,
			act: map[string]any{"action": "click", "selector": "#userDropdown"}, effect: []string{"visible", "[aria-labelledby=userDropdown]", ""}, wrong: [2]string{">$215,000<", ">$251,000<"}},
		{name: "Gentelella", module: "gentelella", root: "dist", page: "production/index3.html", title: "Sales dashboard | Gentelella 2026 v4", heading: "Pipeline & performance",
			figures: [][2]string{{".row.col-4 .card:nth-child(1) .card-body > div:first-child", "$1,284,500"}, {".row.col-4 .card:nth-child(3) .card-body > div:first-child", "31.2%"}, {".row.col-4 .card:nth-child(2) .card-body > div:first-child", "$284,300"}},
			cards:   ".row.col-4 > .card", count: "4", control: ".page-actions .btn-primary", button: true,
			act: map[string]any{"action": "click", "selector": `button "Tables"`}, effect: []string{"visible", "a.nav-sublink[href='tables_dynamic.html']", ""}, wrong: [2]string{">$1,284,500<", ">$1,284,600<"}},
		{name: "Adminator", module: "adminator-admin-dashboard", root: "dist", page: "index.html", title: "Dashboard · 2026 Redesign Preview", heading: "Welcome back",
			figures: [][2]string{{".kpi-card:nth-child(1) .kpi-value", "1.24M"}, {".kpi-card:nth-child(2) .kpi-value", "4.08M"}, {".kpi-card:nth-child(4) .kpi-value", "33%"}},
			cards:   ".kpi-card", count: "4", control: ".hero-actions .btn--primary", button: true,
			act: map[string]any{"action": "click", "selector": `button "Toggle theme"`}, effect: []string{"attribute_equals", "html", "dark"}, wrong: [2]string{">1.24<", ">1.42<"}},
		{name: "Soft UI", module: "soft-ui-dashboard", page: "pages/dashboard.html", title: "Soft UI Dashboard by Creative Tim", heading: "Dashboard",
			figures: [][2]string{{"xpath=(//div[@class='numbers']/h5)[1]", "$53,000"}, {"xpath=(//div[@class='numbers']/h5)[2]", "2,300"}, {"xpath=(//div[@class='numbers']/h5)[4]", "$103,430"}},
			cards:   ".numbers", count: "4", control: "aside .btn",
			act: map[string]any{"action": "fill", "selector": ".navbar input", "value": "orders"}, effect: []string{"value_equals", ".navbar input", "orders"}, wrong: [2]string{"$53,000", "$53,100"}},
		{name: "AdminLTE", module: "admin-lte", root: "dist", page: "widgets/small-box.html", title: "AdminLTE 4 | Widgets - Small Box", heading: "Small Box",
			figures: [][2]string{{".small-box.text-bg-primary h3", "150"}, {".small-box.text-bg-success h3", "53%"}, {".small-box.text-bg-danger h3", "65"}},
			cards:   ".small-box", count: "4", control: ".small-box.text-bg-success .small-box-footer",
			act: map[string]any{"action": "click", "selector": `xpath=//a[.//p[contains(.,"Layout Options")]]`}, effect: []string{"visible", "a[href='../layout/fixed-sidebar.html']", ""}, wrong: [2]string{"<h3>150</h3>", "<h3>160</h3>"}},
	}
}

// headingOf is where the page's heading stands.
func (d watched) headingOf() string {
	switch d.name {
	case "Soft UI":
		return "nav .breadcrumb + h6"
	case "AdminLTE":
		return ".app-content-header h3"
	default:
		return "h1"
	}
}

// steps are the tester's flow on the page, with at least eleven assertions.
func (d watched) steps() []map[string]any {
	assert := func(kind, selector, expected string) map[string]any {
		a := map[string]any{"type": kind}
		if expected != "" {
			a["expected"] = expected
		}
		s := map[string]any{"action": "assert", "assertion": a}
		if selector != "" {
			s["selector"] = selector
		}
		return s
	}
	steps := []map[string]any{assert("title_equals", "", d.title), assert("url_matches", "", "/"+d.page), assert("text_contains", d.headingOf(), d.heading)}
	for _, f := range d.figures {
		steps = append(steps, assert("text_contains", f[0], f[1]))
	}
	steps = append(steps, assert("count_equals", d.cards, d.count), assert("visible", d.control, ""))
	if d.button {
		steps = append(steps, assert("enabled", d.control, ""))
	}
	effect := assert(d.effect[0], d.effect[1], d.effect[2])
	if d.effect[0] == "attribute_equals" {
		effect["assertion"].(map[string]any)["attribute"] = "data-theme"
	}
	return append(steps, d.act, effect, assert("console_clean", "", ""))
}
