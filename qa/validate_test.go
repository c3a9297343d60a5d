package qa_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-qa/assay/qa"
)

// requireProblems fails unless err names every wanted part (none: err is nil).
func requireProblems(t *testing.T, err error, want ...string) {
	t.Helper()
	if len(want) == 0 {
		if err != nil {
			t.Errorf("refused: %v", err)
		}
		return
	}
	if err == nil {
		t.Fatalf("accepted, want refused for %q", want)
	}
	for _, w := range want {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("error is %q, want it to say %q", err, w)
		}
	}
}

func TestTaskSpecValidate(t *testing.T) { // A7
	tests := []struct {
		name string
		task qa.TaskSpec
		want []string
	}{
		{"goal only", qa.TaskSpec{Goal: "check the cart"}, nil},
		{"no goal", qa.TaskSpec{}, []string{"goal is empty"}},
		{"a number locale", qa.TaskSpec{Goal: "g", NumberLocale: "de-DE"}, nil},
		{"a number locale that is none", qa.TaskSpec{Goal: "g", NumberLocale: "German!"}, []string{"number_locale", "German!", "de-DE"}},
		{"blank goal", qa.TaskSpec{Goal: " \n"}, []string{"goal is empty"}},
		{"zero budgets are unlimited", qa.TaskSpec{Goal: "g", Budgets: &qa.Budgets{}}, nil},
		{
			"everything wrong is named at once",
			qa.TaskSpec{Budgets: &qa.Budgets{MaxToolCalls: -1, MaxTimeMS: -2, MaxScreenshots: -3, MaxTokens: -4}},
			[]string{"goal is empty", "maxToolCalls is -1", "maxTimeMs is -2", "maxScreenshots is -3", "maxTokens is -4"},
		},
		{"unknown oracle", qa.TaskSpec{Goal: "g", KPISpec: &qa.KPISpec{Type: "guess"}}, []string{`kpiSpec.type is "guess"`}},
		{"known oracle", qa.TaskSpec{Goal: "g", KPISpec: &qa.KPISpec{Type: qa.APIEndpoint, URL: "/api/kpi"}}, nil},
		{"oracle without an address", qa.TaskSpec{Goal: "g", KPISpec: &qa.KPISpec{Type: qa.APIEndpoint}}, []string{"kpiSpec.url is empty"}},
		{"oracle without values", qa.TaskSpec{Goal: "g", KPISpec: &qa.KPISpec{Type: qa.StaticValues}}, []string{"kpiSpec.values is empty"}},
		{"values that would be ignored", qa.TaskSpec{Goal: "g", KPISpec: &qa.KPISpec{Type: qa.APIEndpoint, URL: "/k", Values: map[string]string{"A": "1"}}}, []string{"kpiSpec.values belongs to staticValues"}},
		{"settings that would be ignored", qa.TaskSpec{Goal: "g", KPISpec: &qa.KPISpec{Type: qa.StaticValues, Values: map[string]string{"A": "1"}, URL: "/k", TimeoutMS: 5, Map: map[string]string{"A": "/a"}}},
			[]string{"kpiSpec.url belongs", "kpiSpec.timeoutMs belongs", "kpiSpec.map belongs"}},
		{"empty values", qa.TaskSpec{Goal: "g", KPISpec: &qa.KPISpec{Type: qa.StaticValues, Values: map[string]string{"A": " ", "": "1"}}}, []string{`kpiSpec.values["A"] is empty`, "kpiSpec.values has an entry without a KPI"}},
		{"sum of nothing", qa.TaskSpec{Goal: "g", KPISpec: &qa.KPISpec{Type: qa.StaticValues, Values: map[string]string{"A": "1"}, Sums: []qa.KPISum{{KPI: "A"}}}}, []string{"kpiSpec.sums[0] needs kpi and selector"}},
		{"ranges alike", qa.TaskSpec{Goal: "g", Ranges: []qa.Range{{Name: "7d"}, {Name: " "}, {Name: "7d"}}}, []string{"ranges[1].name is empty", `ranges[2].name is "7d", as another range's`}},
		{"parameters for static values", qa.TaskSpec{Goal: "g", KPISpec: &qa.KPISpec{Type: qa.StaticValues, Values: map[string]string{"A": "1"}}, Ranges: []qa.Range{{Name: "7d", Params: map[string]string{"range": "7d"}}}}, []string{"ranges[0].params"}},
		{"negative tolerance", qa.TaskSpec{Goal: "g", Tolerance: &qa.Tolerances{Tolerance: qa.Tolerance{Percent: -1}}}, []string{"tolerance -1"}},
		{"endless tolerance", qa.TaskSpec{Goal: "g", Tolerance: &qa.Tolerances{Tolerance: qa.Tolerance{Absolute: math.Inf(1)}}}, []string{"tolerance +Inf"}},
		{"tolerance", qa.TaskSpec{Goal: "g", Tolerance: &qa.Tolerances{Tolerance: qa.Tolerance{Absolute: 0.01, Percent: 1}}}, nil},
		{"empty expectation", qa.TaskSpec{Goal: "g", Expectations: []qa.Expectation{{Text: "ok"}, {Text: " "}}}, []string{"expectations[1] says nothing"}},
		{
			"bad assertion of an expectation",
			qa.TaskSpec{Goal: "g", Expectations: []qa.Expectation{{Assertion: &qa.Assertion{Type: qa.Visible}}}},
			[]string{"expectations[0].assertion: visible is about an element"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { requireProblems(t, tt.task.Validate(), tt.want...) })
	}
}

func TestTaskSpecNumber(t *testing.T) {
	mine := []qa.Expectation{{Text: "a"}, {ID: "E9", Text: "b"}}
	got := qa.TaskSpec{Goal: "g", Expectations: mine}.Number().Expectations
	want := []qa.Expectation{{ID: "E1", Text: "a"}, {ID: "E2", Text: "b"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("numbered (-want +got):\n%s", diff)
	}
	if mine[0].ID != "" || mine[1].ID != "E9" {
		t.Errorf("Number changed the caller's own slice: %+v", mine)
	}
}

func TestAssertionValidate(t *testing.T) { // B3
	tests := []struct {
		name      string
		assertion qa.Assertion
		selector  string
		want      []string
	}{
		{"unknown type", qa.Assertion{Type: "looks_nice"}, "a", []string{`type is "looks_nice"`, "exists, visible", "response_status"}},
		{"no type", qa.Assertion{}, "a", []string{`type is ""`}},
		{"element without a selector", qa.Assertion{Type: qa.ValueEquals, Expected: "a"}, "", []string{"give its selector"}},
		{"empty value is a fair expectation", qa.Assertion{Type: qa.ValueEquals}, "input", nil},
		{"text of the page", qa.Assertion{Type: qa.TextContains, Expected: "Hello"}, "", nil},
		{"empty needle", qa.Assertion{Type: qa.TextContains}, "p", []string{"needs expected"}},
		{"blank needle", qa.Assertion{Type: qa.TextContains, Expected: " \t"}, "p", []string{"needs expected"}},
		{"title without expected", qa.Assertion{Type: qa.TitleEquals}, "", []string{"needs expected"}},
		{"console needs nothing", qa.Assertion{Type: qa.ConsoleClean}, "", nil},
		{"attribute without a name", qa.Assertion{Type: qa.AttributeEquals, Expected: "/"}, "a", []string{"needs attribute"}},
		{"attribute", qa.Assertion{Type: qa.AttributeEquals, Attribute: "href"}, "a", nil},
		{"count in words", qa.Assertion{Type: qa.CountEquals, Expected: "five"}, "li", []string{"whole number", `"five"`}},
		{"negative count", qa.Assertion{Type: qa.CountEquals, Expected: "-1"}, "li", []string{"whole number"}},
		{"count of none", qa.Assertion{Type: qa.CountEquals, Expected: "0"}, "li", nil},
		{"status in words", qa.Assertion{Type: qa.ResponseStatus, Expected: "OK"}, "", []string{"whole number"}},
		{"checked maybe", qa.Assertion{Type: qa.Checked, Expected: "maybe"}, "#a", []string{"true or false"}},
		{"not enabled", qa.Assertion{Type: qa.Enabled, Expected: "false"}, "#a", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { requireProblems(t, tt.assertion.Validate(tt.selector), tt.want...) })
	}
}

// Every assertion type of the contract is reachable and says whether it needs
// an element.
func TestAssertionTypes(t *testing.T) {
	page := map[qa.AssertionType]bool{
		qa.TextContains: true, qa.TextMatches: true, qa.AriaSnapshot: true, qa.URLMatches: true, qa.TitleEquals: true, qa.ConsoleClean: true,
		qa.RequestMade: true, qa.ResponseStatus: true, qa.ResponseOK: true, qa.Downloaded: true, qa.DialogShown: true, qa.PopupOpened: true, qa.Shown: true, qa.TitleContains: true,
	}
	if got := len(qa.AssertionTypes()); got != 44 {
		t.Errorf("%d assertion types, the contract has 41 and docs/decisions.md three more", got)
	}
	for _, typ := range qa.AssertionTypes() {
		if typ.NeedsSelector() == page[typ] {
			t.Errorf("%s: NeedsSelector = %v", typ, typ.NeedsSelector())
		}
	}
}

func TestFindingValidate(t *testing.T) { // A6, A7
	good := qa.Finding{Severity: qa.Minor, Category: qa.Visual, Assertion: "the logo is shown", Confidence: 0.5}
	with := func(change func(*qa.Finding)) qa.Finding {
		f := good
		change(&f)
		return f
	}
	when := time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)
	tests := []struct {
		name    string
		finding qa.Finding
		want    []string
	}{
		{"good", good, nil},
		{"everything wrong is named at once", qa.Finding{Severity: "bad", Category: "ugly", Confidence: 2},
			[]string{`severity is "bad"`, `category is "ugly"`, "assertion is empty", "confidence is 2"}},
		{"blank assertion", with(func(f *qa.Finding) { f.Assertion = " " }), []string{"assertion is empty"}},
		{"negative confidence", with(func(f *qa.Finding) { f.Confidence = -0.1 }), []string{"confidence is -0.1"}},
		{"confidence that is no number", with(func(f *qa.Finding) { f.Confidence = math.NaN() }), []string{"confidence is NaN"}},
		{"tolerance that is no number", with(func(f *qa.Finding) { f.Tolerance = &qa.Tolerance{Absolute: math.NaN()} }), []string{"tolerance NaN"}},
		{"stored evidence", with(func(f *qa.Finding) { f.Evidence = []qa.EvidenceRef{{ScreenshotRef: "001-a.png"}} }), nil},
		{"evidence that is not stored", with(func(f *qa.Finding) { f.Evidence = []qa.EvidenceRef{{Time: &when}, {ScreenshotRef: "002-b.png"}} }),
			[]string{`evidence[1].screenshotRef "002-b.png" names no stored artefact`}},
		{"evidence of nothing", with(func(f *qa.Finding) { f.Evidence = []qa.EvidenceRef{{}} }), []string{"evidence[0] points at nothing"}},
	}
	stored := func(name string) bool { return name == "001-a.png" }
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { requireProblems(t, tt.finding.Validate(stored), tt.want...) })
	}
	for _, s := range qa.Severities() {
		for _, c := range qa.Categories() {
			requireProblems(t, with(func(f *qa.Finding) { f.Severity, f.Category = s, c }).Validate(stored))
		}
	}
}
