package spec_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/assay-qa/assay/qa/flow"
	"github.com/assay-qa/assay/suite/spec"
)

func rules() spec.TaskRules {
	return spec.TaskRules{Flow: flow.Rules{Selector: func(s string) error {
		if strings.Contains(s, "((") {
			return errors.New("the selector is not closed")
		}
		return nil
	}}}
}

// A2, E1: a whole task, in both formats, is the same task.
func TestLoadTask(t *testing.T) {
	inTOML := `
goal = "the dashboard shows the right figures"
route = "/dashboard"
role = "analyst"
tags = ["smoke", "kpi"]
metadata = { iteration = "3" }
expectations = [
  { text = "the console stays clean" },
  { text = "the filter is there", selector = 'combobox "Range"', assertion = { type = "visible" } },
]
[kpiSpec]
type = "apiEndpoint"
url = "/api/kpi"
map = { Revenue = "/revenue" }
params = { year = 2026, "new only" = true }
[tolerance]
absolute = 1
perKpi = { Orders = { percent = 0.5 } }
[budgets]
maxToolCalls = 40
[[ranges]]
name = "7d"
params = { range = "7d" }
[[ranges.steps]]
action = "navigate"
url = "/dashboard?range=7d"
[[ranges.steps]]
action = "select"
selector = 'combobox "Range"'
option = "Last 7 days"
`
	inJSON := `{"goal": "the dashboard shows the right figures", "route": "/dashboard", "role": "analyst", "tags": ["smoke", "kpi"], "metadata": {"iteration": "3"},
"expectations": [{"text": "the console stays clean"}, {"text": "the filter is there", "selector": "combobox \"Range\"", "assertion": {"type": "visible"}}],
"kpiSpec": {"type": "apiEndpoint", "url": "/api/kpi", "map": {"Revenue": "/revenue"}, "params": {"year": 2026, "new only": true}},
"tolerance": {"absolute": 1, "perKpi": {"Orders": {"percent": 0.5}}}, "budgets": {"maxToolCalls": 40},
"ranges": [{"name": "7d", "params": {"range": "7d"}, "steps": [{"action": "navigate", "url": "/dashboard?range=7d"}, {"action": "select", "selector": "combobox \"Range\"", "option": "Last 7 days"}]}]}`
	for name, data := range map[string]string{"sales.task.toml": inTOML, "sales.task.json": inJSON} {
		task, problems := spec.LoadTask(name, []byte(data), "http://shop.test/app", rules())
		if len(problems) > 0 {
			t.Errorf("%s: %v", name, problems)
			continue
		}
		if task.ID != "sales" || task.KPISpec.Map["Revenue"] != "/revenue" || task.KPISpec.Params["year"] != "2026" || task.KPISpec.Params["new only"] != "true" || task.Tolerance.For("Orders").Percent != 0.5 || task.Tolerance.For("Revenue").Absolute != 1 ||
			task.Budgets.MaxToolCalls != 40 || task.Expectations[1].ID != "E2" || task.Ranges[0].Params["range"] != "7d" || task.Metadata["iteration"] != "3" || len(task.Tags) != 2 {
			t.Errorf("%s: read %+v", name, task)
		}
		if url := task.Ranges[0].Steps[0].URL; url != "http://shop.test/dashboard?range=7d" {
			t.Errorf("%s: the range's step opens %s", name, url)
		}
	}
}

// E1: what is wrong in a task file is told with its line and the nearest key,
// all at once, and nothing is guessed.
func TestBadTasks(t *testing.T) {
	for name, c := range map[string]struct {
		file, data, base string
		want             []string
	}{
		"unknown keys":      {"a.task.toml", "goal = \"g\"\nroutee = \"/\"\n[kpiSpec]\ntyp = \"x\"\n", "http://a.test", []string{`a.task.toml:2: unknown key "routee"; did you mean "route"?`, `a.task.toml:4: unknown key "typ"; did you mean "type"?`}},
		"embedded keys":     {"a.task.toml", "goal = \"g\"\n[tolerance]\nabsolut = 1\n", "http://a.test", []string{`a.task.toml:3: unknown key "absolut"; did you mean "absolute"?; accepted here: absolute, percent, perKpi`}},
		"wrong kinds":       {"a.task.json", "{\"goal\": \"g\",\n\"budgets\": {\"maxToolCalls\": \"many\"},\n\"tolerance\": {\"percent\": \"1\"},\n\"tags\": \"x\"}", "http://a.test", []string{"a.task.json:2: budgets.maxToolCalls is a text; expected a whole number", "a.task.json:3: tolerance.percent is a text; expected a number", "a.task.json:4: tags is a text; expected a list"}},
		"wrong values":      {"a.task.toml", "goal = \" \"\n[budgets]\nmaxTimeMs = -5\n[[expectations]]\ntext = \"x\"\n[[expectations]]\ntext = \"y\"\nselector = 'css=(('\n[expectations.assertion]\ntype = \"visble\"\n", "http://a.test", []string{"a.task.toml:1: goal is empty", "a.task.toml:3: budgets.maxTimeMs is -5", "a.task.toml:8: expectations[1].selector: the selector is not closed", `a.task.toml:9: expectations[1].assertion: type is "visble"`}},
		"steps of a range":  {"a.task.toml", "goal = \"g\"\n[[ranges]]\nname = \"7d\"\n[[ranges.steps]]\naction = \"selct\"\n[[ranges]]\nname = \"\"\n", "http://a.test", []string{`a.task.toml:5: ranges[0]: step 1 (selct): action "selct" is unknown; did you mean "select"?`, "a.task.toml:7: ranges[1].name is empty"}},
		"pictures":          {"a.task.toml", "goal = \"g\"\nvisual = [\n  { name = \"a\" },\n  { name = \"\", threshold = 2 },\n  { name = \"b\", mask = [\"\"] },\n  { name = \"a\" },\n]\n", "http://a.test", []string{"a.task.toml:4: visual[1].name is empty", "a.task.toml:4: visual[1].threshold is 2", "a.task.toml:5: visual[2].mask[0] is empty", "a.task.toml:6: visual[3] is the same picture as visual[0]"}},
		"keys of pictures":  {"a.task.toml", "goal = \"g\"\n[[visual]]\nname = \"a\"\ntreshold = 0\n", "http://a.test", []string{`a.task.toml:4: unknown key "treshold"; did you mean "threshold"?; accepted here: name, selector, full_page`}},
		"relative, no base": {"a.task.toml", "goal = \"g\"\nroute = \"/x\"\n", "", []string{"a.task.toml:2: route /x is relative"}},
		"no route, no base": {"a.task.toml", "goal = \"g\"\n", "", []string{"a.task.toml: route is missing"}},
		"no TOML":           {"a.task.toml", "goal = \"g\"\nroute = \n", "http://a.test", []string{"a.task.toml:2: not valid TOML"}},
		"no JSON":           {"a.task.json", "{\"goal\": \"g\",\n\"route\"}", "http://a.test", []string{"a.task.json:2: not valid JSON"}},
		"set twice":         {"a.task.json", "{\"goal\": \"g\",\n\"metadata\": {\"a\": \"1\",\n\"a\": \"2\"}}", "http://a.test", []string{`a.task.json:3: key "a" is set twice`}},
		"far too big":       {"a.task.json", strings.Repeat(" ", flow.MaxFileBytes+1), "http://a.test", []string{"Is this the right file?"}},
	} {
		_, problems := spec.LoadTask(c.file, []byte(c.data), c.base, rules())
		if len(problems) != len(c.want) {
			t.Errorf("%s: %d problems, want %d:\n%v", name, len(problems), len(c.want), problems)
			continue
		}
		for i, want := range c.want {
			if !strings.Contains(problems[i].Error(), want) {
				t.Errorf("%s: %q, want %q", name, problems[i].Error(), want)
			}
		}
	}
}
