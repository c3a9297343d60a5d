package qa

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-qa/assay/internal/pattern"
)

// TaskSpec holds the task of a run. Only Goal is mandatory.
type TaskSpec struct {
	ID           string            `json:"id,omitempty"`
	Goal         string            `json:"goal"`
	Route        string            `json:"route,omitempty" jsonschema:"path or URL to start at"`
	Role         string            `json:"role,omitempty"`
	KPISpec      *KPISpec          `json:"kpiSpec,omitempty"`
	Ranges       []Range           `json:"ranges,omitempty"`
	Visual       []VisualCheck     `json:"visual,omitempty" jsonschema:"pictures compared with baselines"`
	Expectations []Expectation     `json:"expectations,omitempty" jsonschema:"numbered E1, E2…; assertion: as in verify_assertion"`
	Budgets      *Budgets          `json:"budgets,omitempty"`
	Tolerance    *Tolerances       `json:"tolerance,omitempty" jsonschema:"perKpi: KPI=1% or KPI=0.5"`
	Viewport     *Viewport         `json:"viewport,omitempty"`
	Device       string            `json:"device,omitempty"`
	Locale       string            `json:"locale,omitempty"`
	Timezone     string            `json:"timezone,omitempty"`
	NumberLocale string            `json:"number_locale,omitempty" jsonschema:"how pages write figures, whatever language they declare, such as de-DE"`
	WatchMS      *int              `json:"watch_ms,omitempty" jsonschema:"how long pages are watched after their last change where a check ends; 0: not at all"`
	Tags         []string          `json:"tags,omitempty"`
	Metadata     map[string]string `json:"metadata,omitempty"`
}

// Viewport holds the visible area of a page, in CSS pixels.
type Viewport struct {
	Width  int `json:"width"`
	Height int `json:"height"`
}

// maxSide bounds a side of a viewport.
const maxSide = 10_000

var localeForm = pattern.New(`^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$`)

// validateBrowser reports what is wrong with how the task's pages are to be shown.
// Devices and time zones are the browser's to know.
func (t TaskSpec) validateBrowser() (errs []error) {
	if v := t.Viewport; v != nil {
		if v.Width < 1 || v.Height < 1 || v.Width > maxSide || v.Height > maxSide {
			errs = append(errs, fmt.Errorf("viewport is %d×%d: use 1 to %d pixels a side, such as 1280×720", v.Width, v.Height, maxSide))
		}
		if t.Device != "" {
			errs = append(errs, fmt.Errorf("device %q has a viewport of its own: leave one of the two out", t.Device))
		}
	}
	if t.Locale != "" && !localeForm.MatchString(t.Locale) {
		errs = append(errs, fmt.Errorf("locale %q is no language tag: use one such as en-US", t.Locale))
	}
	if t.NumberLocale != "" && !localeForm.MatchString(t.NumberLocale) {
		errs = append(errs, fmt.Errorf("number_locale %q is no language tag: use one such as de-DE", t.NumberLocale))
	}
	return errs
}

// maxWatchMS bounds how long a page is watched.
const maxWatchMS = 60_000

// KPISpec names the source of expected values: the oracle.
type KPISpec struct {
	Type      KPISource         `json:"type" jsonschema:"staticValues or apiEndpoint"`
	Values    map[string]string `json:"values,omitempty" jsonschema:"KPI to expected value, for staticValues"`
	URL       string            `json:"url,omitempty" jsonschema:"endpoint that answers JSON, for apiEndpoint"`
	Params    map[string]string `json:"params,omitempty" jsonschema:"query parameters of the endpoint"`
	Map       map[string]string `json:"map,omitempty" jsonschema:"KPI to JSON pointer in the endpoint's answer"`
	TimeoutMS int               `json:"timeoutMs,omitempty" jsonschema:"bound on the endpoint's answer in milliseconds"`
	Units     map[string]string `json:"units,omitempty" jsonschema:"KPI to the unit of its expected value: ratio, percent, or a currency code such as USD"`
	Selectors map[string]string `json:"selectors,omitempty" jsonschema:"KPI to the element that shows it, where its label does not lead there"`
	Sums      []KPISum          `json:"sums,omitempty" jsonschema:"parts on the page that must add up to a KPI"`
}

// KPISum declares that the numbers shown in an element add up to a KPI's value
// on the same page, such as the rows of a table or the points of a chart.
type KPISum struct {
	KPI      string `json:"kpi" jsonschema:"label of the KPI that is the total"`
	Selector string `json:"selector" jsonschema:"element that shows the parts: a table, a column header, a chart, a list"`
}

// KPISource names the kind of oracle behind a KPISpec.
type KPISource string

// The oracles a KPISpec can name.
const (
	StaticValues KPISource = "staticValues"
	APIEndpoint  KPISource = "apiEndpoint"
)

// Range holds one date range or filter setting of a dashboard.
type Range struct {
	Name   string            `json:"name" jsonschema:"name shown in the report, such as 7d"`
	Params map[string]string `json:"params,omitempty" jsonschema:"query parameters for the oracle"`
	Steps  []FlowStep        `json:"steps,omitempty" jsonschema:"steps that bring the page to this range"`
}

// FlowStep holds one step of a user flow.
type FlowStep struct {
	Action      string         `json:"action" jsonschema:"navigate, back, click, double_click, fill, select, press, hover, drag, tab, popup, color_scheme, evaluate, wait, assert, screenshot, visual, upload, drop, dialog or gap"`
	URL         string         `json:"url,omitempty" jsonschema:"address to open, for navigate"`
	Selector    string         `json:"selector,omitempty" jsonschema:"snapshot line or other selector the step acts on"`
	To          string         `json:"to,omitempty" jsonschema:"for drag: selector of what it is dropped on"`
	Value       string         `json:"value,omitempty" jsonschema:"text to fill, milliseconds to wait, dark or light, a script, or, for tab, the number of a tab in the order in which they were opened, or close"`
	DelayMS     int            `json:"delay_ms,omitempty" jsonschema:"for fill: type key by key, with this time between two keys"`
	Exact       bool           `json:"exact,omitempty" jsonschema:"for fill: the field must hold the very text, not one formatted"`
	Option      string         `json:"option,omitempty" jsonschema:"option to select, by label or value"`
	Key         string         `json:"key,omitempty" jsonschema:"key to press, such as Enter"`
	TimeoutMS   int            `json:"timeout_ms,omitempty" jsonschema:"bound on this step in milliseconds"`
	Assertion   *Assertion     `json:"assertion,omitempty" jsonschema:"what must hold, for assert"`
	Changed     bool           `json:"changed,omitempty" jsonschema:"for assert: it must not have held before the act that precedes it"`
	Unchanged   bool           `json:"unchanged,omitempty" jsonschema:"for assert: it must have held before the act that precedes it, too"`
	Name        string         `json:"name,omitempty" jsonschema:"name of the screenshot or baseline"`
	Description string         `json:"description,omitempty" jsonschema:"what the step is for, shown in reports"`
	Visual      *VisualOptions `json:"visual,omitempty" jsonschema:"how the picture is compared, for visual"`
	Intent      string         `json:"intent,omitempty" jsonschema:"what the caller wants to achieve, kept for replay and repair"`
}

// Expectation holds one thing that must hold for a run to pass. Only an
// executed check that is bound to it proves it (see [Unproven]).
type Expectation struct {
	ID        string     `json:"id,omitempty" jsonschema:"given by the server"`
	Text      string     `json:"text" jsonschema:"what must hold; quoted texts and numbers must occur in the check that proves it"`
	Assertion *Assertion `json:"assertion,omitempty" jsonschema:"the check that proves it"`
	Selector  string     `json:"selector,omitempty" jsonschema:"element the check is about"`

	ByCaller   bool   `json:"by_caller,omitempty"`   // the assertion is the reading of who called run_start
	AcceptedBy string `json:"accepted_by,omitempty"` // who accepted the assertion as the reading of the text

	AmendedFrom string `json:"amended_from,omitempty"` // the caller's first wording, which was not read
}

// Tolerance bounds the accepted difference between observed and expected
// values.
type Tolerance struct {
	Absolute float64 `json:"absolute,omitempty" jsonschema:"accepted difference in the value's own unit"`
	Percent  float64 `json:"percent,omitempty" jsonschema:"accepted difference in percent of the expected value"`
}

// Tolerances holds the accepted differences of a task's KPIs.
type Tolerances struct {
	Tolerance
	PerKPI map[string]Tolerance `json:"perKpi,omitempty" jsonschema:"KPI to its own tolerance, instead of the common one"`
}

// For returns the tolerance of one KPI.
func (t *Tolerances) For(kpi string) Tolerance {
	if t == nil {
		return Tolerance{}
	}
	if own, ok := t.PerKPI[kpi]; ok {
		return own
	}
	return t.Tolerance
}

func (t Tolerances) validate() error {
	errs := []error{t.Tolerance.validate()}
	for _, kpi := range slices.Sorted(maps.Keys(t.PerKPI)) {
		if err := t.PerKPI[kpi].validate(); err != nil {
			errs = append(errs, fmt.Errorf("perKpi[%q]: %w", kpi, err))
		}
	}
	return errors.Join(errs...)
}

func (t Tolerance) validate() error {
	for _, v := range []float64{t.Absolute, t.Percent} {
		if !(v >= 0) || math.IsInf(v, 1) {
			return fmt.Errorf("tolerance %v is no accepted difference: use a number from 0 up", v)
		}
	}
	return nil
}

// Budgets holds a task's limits. Zero means unlimited.
type Budgets struct {
	MaxToolCalls   int `json:"maxToolCalls,omitempty" jsonschema:"number of tool calls"`
	MaxTimeMS      int `json:"maxTimeMs,omitempty" jsonschema:"wall time in milliseconds"`
	MaxScreenshots int `json:"maxScreenshots,omitempty" jsonschema:"number of screenshots"`
	MaxTokens      int `json:"maxTokens,omitempty" jsonschema:"model tokens, in and out"`
}

// maxEntries bounds the expectations of a task, and its ranges.
const maxEntries = 500

// Validate reports everything that is wrong with the task, all at once.
func (t TaskSpec) Validate() error {
	for name, n := range map[string]int{"expectations": len(t.Expectations), "ranges": len(t.Ranges)} {
		if n > maxEntries {
			return fmt.Errorf("%s are %d: at most %d; split the task", name, n, maxEntries)
		}
	}
	var errs []error
	if strings.TrimSpace(t.Goal) == "" {
		errs = append(errs, errors.New("goal is empty: say in one sentence what the run has to find out"))
	}
	if t.WatchMS != nil && (*t.WatchMS < 0 || *t.WatchMS > maxWatchMS) {
		errs = append(errs, fmt.Errorf("watch_ms is %d: use 0 (no watch) to %d", *t.WatchMS, maxWatchMS))
	}
	if b := t.Budgets; b != nil {
		for _, f := range []struct {
			name  string
			value int
		}{{"maxToolCalls", b.MaxToolCalls}, {"maxTimeMs", b.MaxTimeMS}, {"maxScreenshots", b.MaxScreenshots}, {"maxTokens", b.MaxTokens}} {
			if f.value < 0 {
				errs = append(errs, fmt.Errorf("budgets.%s is %d: use a positive number, or leave it out for no limit", f.name, f.value))
			}
		}
	}
	errs = append(errs, t.validateKPIs()...)
	errs = append(errs, t.validateVisuals()...)
	errs = append(errs, t.validateBrowser()...)
	if t.Tolerance != nil {
		errs = append(errs, t.Tolerance.validate())
	}
	for i, e := range t.Expectations {
		errs = append(errs, e.validate(fmt.Sprintf("expectations[%d]", i))...)
	}
	return errors.Join(errs...)
}

// Number returns the task with its expectations numbered E1, E2 and so on.
// The caller's own slice stays as it was.
func (t TaskSpec) Number() TaskSpec {
	t.Expectations = slices.Clone(t.Expectations)
	for i := range t.Expectations {
		t.Expectations[i].ID = "E" + strconv.Itoa(i+1)
	}
	return t
}
