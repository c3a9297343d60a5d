package demo

import (
	"html"
	"strings"
)

// loginForm holds what login.html is made from.
type loginForm struct {
	DemoEmail, DemoPassword string
	Email                   string // as typed before
	Error                   string
}

// values lists what stands for the names in login.html.
func (f loginForm) values() map[string]string {
	v := map[string]string{
		"email": escaped(f.DemoEmail), "password": escaped(f.DemoPassword), "typed": escaped(f.Email),
		"problem": "", "described": `aria-describedby="login-help"`,
	}
	if f.Error != "" {
		v["problem"] = "\n      <p class=\"error\" id=\"login-error\" role=\"alert\">" + escaped(f.Error) + "</p>"
		v["described"] = `aria-invalid="true" aria-describedby="login-error login-help"`
	}
	return v
}

// card holds one KPI on the dashboard.
type card struct {
	Label  string // its name in [KPIs]
	TestID string
	Note   string // what is counted, without digits: they would read as values
}

// dashboardPage holds what dashboard.html is made from.
type dashboardPage struct {
	Ranges     []rangeOption
	Categories []string
	Cards      []card
	Avatar     string
	Lang       string // of numbers and dates
	Figures    string // rounded, or "" for all digits
	Motion     string // count-up, or "" for none
	Fault      string // which one of faults.js; the page does not name it
	Script     string // with the faults; "" for none
}

// values lists what stands for the names in dashboard.html.
func (p dashboardPage) values() map[string]string {
	v := map[string]string{"lang": escaped(p.Lang), "avatar": escaped(p.Avatar), "figures": "", "motion": "", "script": ""}
	if p.Figures != "" {
		v["figures"] = ` data-figures="` + escaped(p.Figures) + `"`
	}
	if p.Motion != "" {
		v["motion"] = ` data-motion="` + escaped(p.Motion) + `"`
	}
	if p.Script != "" {
		v["script"] = "\n  <script type=\"module\" src=\"/assets/" + escaped(p.Script) + "\"></script>"
	}
	var ranges, categories, cards strings.Builder
	for _, r := range p.Ranges {
		ranges.WriteString(option(r.Name, r.Label))
	}
	for _, c := range p.Categories {
		categories.WriteString(option(c, c))
	}
	for _, c := range p.Cards {
		cards.WriteString(c.html())
	}
	v["ranges"], v["categories"], v["cards"] = ranges.String(), categories.String(), cards.String()
	return v
}

func option(name, label string) string {
	return "\n              <option value=\"" + escaped(name) + "\">" + escaped(label) + "</option>"
}

func (c card) html() string {
	label := escaped(c.Label)
	return `
            <article class="panel card" aria-label="` + label + `" data-testid="` + escaped(c.TestID) + `">
              <h3>` + label + `</h3>
              <p class="value" data-kpi="` + label + `">–</p>
              <p class="note">` + escaped(c.Note) + `</p>
            </article>`
}

// escaped returns a text for text and for attributes in double quotes.
func escaped(s string) string { return html.EscapeString(s) }

// fill puts the values, which are HTML, in the place of their {{names}}.
func fill(page string, values map[string]string) string {
	var pairs []string
	for name, v := range values {
		pairs = append(pairs, "{{"+name+"}}", v)
	}
	return strings.NewReplacer(pairs...).Replace(page)
}
