package kpicheck

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/browser/input"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/internal/text"
	"github.com/assay-qa/assay/internal/wait"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/code"
	"github.com/assay-qa/assay/qa/kpi"
	"github.com/assay-qa/assay/tools/engine"
)

// DefaultTimeout sets how long the page may take to show what is expected, where
// the caller gives no time-out.
const DefaultTimeout = 5 * time.Second

// Call names what a check needs of the call that runs it.
type Call interface {
	// Progress reports what is being done.
	Progress(message string)
	// Bring does the steps that bring the page to a range. problem says which of
	// them the page made impossible; empty: none.
	Bring(ctx context.Context, r qa.Range) (problem string, err error)
	// SignedIn returns an error where the session's sign-in has ended: what the
	// page shows then is not what the range is about.
	SignedIn(ctx context.Context) error
	// Keep stores a picture in the run and returns its name. It returns "" where
	// the run's budget has no picture left: the figures are worth more.
	Keep(name string, data []byte) (string, error)
}

// Options say what is compared with what.
type Options struct {
	Session      *browser.Session
	Oracle       OracleSite
	Spec         qa.KPISpec
	Labels       []string // of the KPIs; none: those of Spec, else those of the oracle's answer
	Ranges       []qa.Range
	Tolerance    *qa.Tolerances
	Selectors    map[string]string // KPI to a selector of the caller's
	Expects      []string          // ids of expectations that the checks are to prove
	About        qa.Check          // the check as a whole: its kind, subject and expected value
	Timeout      time.Duration     // for a range; 0: [DefaultTimeout], and less where waiting promises nothing
	Locale       string            // of the session, in which expected values are written where no number locale is declared
	NumberLocale string            // how pages write figures, by the task or the environment; "" for as they declare
	MaxPixels    int               // of the largest picture that is decoded
	Tool         string            // that errors name

	OwnSpec      *qa.KPISpec // the caller's: what it chooses proves no sentence
	OwnTolerance bool        // Tolerance is the caller's
}

// Result holds what came of a check.
type Result struct {
	Rows     []qa.KPIRow
	Sums     []Sum
	Records  engine.Records      // for the run, in their order
	Observed string              // what the check as a whole observed
	Failed   int                 // what does not hold
	Unsure   int                 // what could not be compared
	Problems []pagetext.Text     // a line for each of both
	Hints    []pagetext.Sentence // what settles them
}

// Sum holds one sum on the page that was added up.
type Sum struct {
	Subject  string `json:"subject"`
	Range    string `json:"range,omitempty"`
	Expected string `json:"expected" jsonschema:"what the parts add up to"`
	Observed string `json:"observed" jsonschema:"what the page shows as the total"`
	Passed   bool   `json:"passed"`
	Note     string `json:"note,omitempty"`
}

// Run brings the page to each range, compares its figures with the oracle's, and
// returns what it found. The error says that nothing could be compared.
func Run(ctx context.Context, call Call, o Options) (Result, error) {
	k := &check{Options: o, call: call, labels: o.Labels, waits: o.Session.Waits(), out: Result{Rows: []qa.KPIRow{}, Sums: []Sum{}}}
	for _, r := range o.Ranges {
		k.ranges = append(k.ranges, newRange(r))
	}
	if err := k.prepare(ctx); err != nil {
		return k.out, err
	}
	if err := k.visitAll(ctx); err != nil {
		return k.out, err
	}
	k.record()
	k.out.Observed = fmt.Sprintf("%d KPIs in %d ranges, %d problems", len(k.labels), len(k.ranges), k.out.Failed)
	return k.out, nil
}

// check holds one comparison on its way.
type check struct {
	Options
	call    Call
	labels  []string
	ranges  []*rangeCheck
	visited int // ranges that are done
	waits   wait.Waits
	out     Result
}

// rangeCheck holds one range, and what was found in it.
type rangeCheck struct {
	qa.Range
	since   time.Time // what the page asked for since then belongs to it
	want    map[string]kpi.Expected
	source  string
	look    reading
	tracks  map[string]*stability
	sums    []kpi.Sum              // of the last look
	asked   int                    // how many of them, the first ones, are declared
	charts  []kpi.Sum              // parts of charts that do not make the KPI
	pending []browser.NetworkEvent // requests that were never answered
	refused []browser.NetworkEvent // requests that failed
	carried map[string]string      // KPI to the request that brought its value
	shots   map[string]string      // KPI to a stored picture
	page    string                 // the stored picture of the page
	err     error                  // why it could not be looked at
	broken  bool                   // a step failed by the page's fault, which is filed
}

// together holds ranges that are looked at as one, since no act parts them. What is read
// of the page is the same for all; what is expected, and what comes of it, is each one's own.
type together []*rangeCheck

// live returns those that can be compared.
func (all together) live() together {
	return slices.DeleteFunc(slices.Clone(all), func(r *rangeCheck) bool { return r.err != nil })
}

func newRange(r qa.Range) *rangeCheck {
	return &rangeCheck{Range: r, tracks: map[string]*stability{}, carried: map[string]string{}, shots: map[string]string{}}
}

// prepare finds out which KPIs there are, and checks the selectors that the
// caller gives.
func (k *check) prepare(ctx context.Context) error {
	if len(k.labels) == 0 {
		k.labels = k.Spec.Labels()
	}
	if len(k.Labels) == 0 && k.Spec.Type == qa.APIEndpoint && len(k.Spec.Map) == 0 { // only the endpoint's answer lists them
		answer, err := k.Oracle.Ask(ctx, k.Spec, k.ranges[0].Params)
		if err != nil {
			return err
		}
		k.labels = slices.Sorted(maps.Keys(answer.Values))
	}
	if len(k.labels) == 0 {
		return engine.InvalidInput("name the KPIs in the spec's values or map", "the oracle has no KPI: nothing would be compared")
	}
	for _, label := range slices.Sorted(maps.Keys(k.Selectors)) {
		if !slices.Contains(k.labels, label) {
			return engine.InvalidInput("the oracle has: "+strings.Join(k.labels, ", "), "selectors: %q is no KPI of the oracle%s", label, text.Hint(label, k.labels))
		}
		if err := input.CheckSelector(k.Selectors[label]); err != nil {
			return err
		}
	}
	return nil
}

// visitAll brings the page to each range and looks. What could not be looked at
// is noted with its range; the error says that nothing could.
func (k *check) visitAll(ctx context.Context) error {
	for k.visited < len(k.ranges) {
		r := k.ranges[k.visited]
		k.call.Progress(fmt.Sprintf("KPIs %d/%d %s", k.visited+1, len(k.ranges), r.Name))
		done := k.visit(ctx, k.sameState())
		k.visited += len(done)
		for _, r := range done {
			if r.err != nil && (isInvalid(r.err) || ctx.Err() != nil || len(k.ranges) == 1) {
				return r.err
			}
		}
	}
	if !slices.ContainsFunc(k.ranges, func(r *rangeCheck) bool { return r.err == nil }) {
		return k.ranges[0].err
	}
	return nil
}

func isInvalid(err error) bool {
	var wrong *engine.Error
	return errors.As(err, &wrong) && wrong.Code == code.InvalidInput
}

// sameState returns the next range, and those behind it that need no act: the page
// stands for all of them as it stands for the first.
func (k *check) sameState() together {
	end := k.visited + 1
	for end < len(k.ranges) && len(k.ranges[end].Steps) == 0 {
		end++
	}
	return k.ranges[k.visited:end]
}

// visit brings the page to the first of several ranges and looks for all of them. It
// returns those that are done, each with its error: the first alone where the page could
// not be brought there.
func (k *check) visit(ctx context.Context, all together) together {
	first := all[0]
	for _, r := range all {
		r.since, r.tracks = k.Session.DocumentSince(), first.tracks
	}
	if first.err = k.arrive(ctx, first); first.err != nil || first.broken {
		return all[:1]
	}
	if err := k.lookAt(ctx, all); err != nil {
		for _, r := range all.live() {
			r.err = err
		}
	}
	return all
}

// arrive does the steps of a range.
func (k *check) arrive(ctx context.Context, r *rangeCheck) error {
	if len(r.Steps) == 0 {
		return nil
	}
	r.since = k.Oracle.Now().Add(-time.Nanosecond)
	problem, err := k.call.Bring(ctx, r.Range)
	if problem != "" {
		r.broken = true
		k.out.Failed++
		k.out.Problems = append(k.out.Problems, pagetext.Text(problem))
	}
	return err
}

// lookAt looks at the figures of ranges that the page stands for.
func (k *check) lookAt(ctx context.Context, all together) error {
	if err := k.settle(ctx, all); err != nil || len(all.live()) == 0 {
		return err
	}
	if err := k.refuseBlank(ctx); err != nil {
		return err
	}
	if err := k.call.SignedIn(ctx); err != nil {
		return err
	}
	if err := k.confirmSeen(ctx, all.live()); err != nil {
		return err
	}
	for _, r := range all.live() {
		r.refused = k.refusedIn(r)
		k.carry(ctx, r)
	}
	return k.picture(ctx, all.live())
}

// refuseBlank returns an error where the session shows no page at all, as after a crash
// whose page could not be loaded again: figures that are not there then are not missing.
func (k *check) refuseBlank(ctx context.Context) error {
	state, err := k.Session.State(ctx)
	if err != nil || state.URL != "about:blank" {
		return err
	}
	return &engine.Error{Code: code.NavigationFailed, Message: "the page is blank: none was opened, or it could not be loaded again after a crash",
		Hint: "page_navigate to the page with the figures, then check again"}
}
