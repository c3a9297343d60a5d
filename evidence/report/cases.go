package report

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
)

// testCase holds one line of the views that CI systems read: a check, a
// picture beside its baseline, a finding that fails the run, an unproved
// expectation, or the verdict.
type testCase struct {
	ID, Name, Class string
	Status          qa.TestStatus
	Reason          pagetext.Text // why it did not pass
	Type            string        // of the failure, in one word
	Detail          []pagetext.Text
	Took            int64 // ms
	Start           time.Time
	Files           []qa.Artifact
	Expects         []string
	finding         bool // it has no check: several findings of one assertion are one case
}

// The words of a failure's type.
const (
	notEqual     = "mismatch"
	notProved    = "not-proved"
	inconclusive = "inconclusive"
)

// testCases lists what a CI system shows of a report. As many of them fail, or
// are errors, as the verdict needs: a run that has not passed never looks
// green, and one that has passed never looks red.
func testCases(r qa.QAReport) []testCase {
	files := map[string]qa.Artifact{}
	for _, a := range r.Artifacts {
		files[a.Name] = a
	}
	var cases []testCase
	steps := stepTimes(r.Timeline)
	pictures := pictureCases(r, files)
	linked := map[string]bool{}
	for _, c := range r.Checks {
		tc := checkCase(c, files)
		if at := slices.IndexFunc(r.Findings, func(f qa.Finding) bool { return c.Status() == qa.Failed && f.ID == c.Finding && f.ID != "" }); at >= 0 {
			tc.explain(r.Findings[at], r.Checks, !linked[c.Finding])
			linked[c.Finding] = true
		}
		if p := pictures.checked(c, files); p != nil && p.Status == tc.Status {
			tc, p.told = p.as(tc), true
		}
		if t, ok := steps[c.Step]; ok { // the first check of a call bears its time
			tc.Took, tc.Start = t.DurationMS, t.StartedAt
			delete(steps, c.Step)
		}
		cases = append(cases, tc)
	}
	for _, p := range pictures {
		if !p.told {
			cases = append(cases, p.testCase)
		}
	}
	for _, f := range r.Findings {
		if f.Severity.Fails() && !linked[f.ID] && !pictures.found(f, files) && !f.RepeatsCheck(r.Checks) {
			cases = append(cases, findingCase(f, files))
		}
	}
	if r.Status != qa.Passed {
		for _, u := range qa.Unproven(r.Task.Expectations, r.Checks) {
			cases = append(cases, testCase{ID: u.ID, Name: cmp.Or(expectationText(u.Expectation), u.ID), Class: "expectation",
				Status: qa.TestError, Reason: pagetext.Text(u.Reason), Type: notProved, Start: r.FinishedAt})
		}
	}
	return distinct(append(cases, verdictCases(r, cases)...))
}

// distinct gives each case a name of its own that is the same in the next run of the task:
// CI systems tell a test's history by its name. It is made of what was to hold and of what,
// never of what came of it, and without ports. Of equal checks the later ones are numbered
// in the order of the steps; equal findings are one case, as how many there are is an outcome.
func distinct(cases []testCase) (out []testCase) {
	given := map[string]int{} // how often
	first := map[string]int{} // where, of findings
	for _, c := range cases {
		c.Name, c.Class = withoutPorts(c.Name), withoutPorts(c.Class)
		key := c.Class + " " + c.Name
		if at, ok := first[key]; ok && c.finding {
			out[at].Detail = append(append(out[at].Detail, c.Reason), c.Detail...)
			out[at].Files = append(out[at].Files, c.Files...)
			continue
		}
		first[key] = len(out)
		if given[key]++; given[key] > 1 {
			c.Name = fmt.Sprintf("%s (%d)", c.Name, given[key])
		}
		out = append(out, c)
	}
	return out
}

// withoutPorts returns a name without the ports of the addresses in it: a server of tests
// takes any port that is free.
func withoutPorts(name string) string {
	words := strings.Split(name, " ")
	for i, word := range words {
		begin, rest, quoted := "", word, strings.HasPrefix(word, `"`)
		if quoted || strings.HasPrefix(word, "(") {
			begin, rest = word[:1], word[1:]
		}
		u, err := url.Parse(strings.TrimRight(rest, `")`))
		if err == nil && u.Port() != "" && (u.Scheme == "http" || u.Scheme == "https") {
			words[i] = begin + strings.Replace(rest, ":"+u.Port(), "", 1)
		}
	}
	return strings.Join(words, " ")
}

// verdictCases adds the verdict itself where the other cases don't tell it.
func verdictCases(r qa.QAReport, cases []testCase) []testCase {
	has := func(s qa.TestStatus) bool {
		return slices.ContainsFunc(cases, func(c testCase) bool { return c.Status == s })
	}
	verdict := testCase{ID: "verdict", Name: strings.TrimSuffix("verdict: "+r.Task.Goal, ": "), Class: "verdict", Reason: r.StatusReason, Start: r.FinishedAt}
	switch {
	case r.Status == qa.Passed:
		return nil
	case r.Status == qa.Failed && !has(qa.TestFailed):
		verdict.Status, verdict.Type = qa.TestFailed, string(qa.Failed)
	case r.Status != qa.Failed: // inconclusive, or what we don't know: its reason is shown nowhere else
		verdict.Status, verdict.Type = qa.TestError, inconclusive
		verdict.Reason = cmp.Or(verdict.Reason, "the run has no verdict")
	default:
		return nil
	}
	return []testCase{verdict}
}

func stepTimes(timeline []qa.TimelineEntry) map[int]qa.TimelineEntry {
	out := map[int]qa.TimelineEntry{}
	for _, t := range timeline {
		if _, ok := out[t.Step]; !ok {
			out[t.Step] = t
		}
	}
	return out
}

func checkCase(c qa.Check, files map[string]qa.Artifact) testCase {
	tc := testCase{ID: c.ID, Name: nameOf(c), Class: "check." + c.Kind, Start: c.Time, Expects: c.Expects}
	tc.Detail = []pagetext.Text{pagetext.Text("expected: " + c.Expected), "observed: " + c.Observed}
	for _, why := range c.Void {
		tc.Detail = append(tc.Detail, pagetext.Text("it proves nothing: "+why))
	}
	for _, name := range c.Evidence {
		tc.Files = attach(tc.Files, files, name)
	}
	tc.Status, tc.Reason = c.Status().TestStatus(), c.Why()
	tc.Type = qa.Told(c.Status(), "", notEqual, inconclusive)
	if c.Status() == qa.Passed && c.Source == qa.SourceModel { // it can fail a run, never pass it
		tc.Status, tc.Reason = qa.TestSkipped, "a model's word: it proves nothing"
	}
	return tc
}

// nameOf says what a check was about, whatever came of it.
func nameOf(c qa.Check) string {
	about := target(c)
	if about == "" && qa.AssertionType(c.Kind).NeedsExpected() {
		about = strconv.Quote(c.Expected)
	}
	c.Held, c.Void = false, nil
	return strings.TrimSpace(c.Called() + " " + about)
}

// explain adds what the finding of a failed check says beyond it: the title, and once
// where it arose and what to do.
func (c *testCase) explain(f qa.Finding, checks []qa.Check, first bool) {
	if f.Title != "" {
		c.Reason = f.Title + ": " + c.Reason
	}
	if first {
		c.Detail = append(c.Detail, told(f, checks)...)
	}
}

// told returns where a finding arose, and what to do about it.
func told(f qa.Finding, checks []qa.Check) (lines []pagetext.Text) {
	if f.At != nil {
		lines = append(lines, pagetext.Text("thrown at: "+f.At.String()))
	}
	if todo := f.ToDo(checks); todo != "" {
		lines = append(lines, "what to do: "+todo)
	}
	return lines
}

func findingCase(f qa.Finding, files map[string]qa.Artifact) testCase {
	tc := testCase{ID: f.ID, Name: visible(cmp.Or(f.Assertion, f.Headline())), Class: "finding." + string(f.Category), Status: qa.TestFailed, Type: string(f.Severity), finding: true}
	tc.Reason = findingLine(f)
	tc.Detail = told(f, nil)
	for _, e := range f.Evidence {
		tc.Files = attach(tc.Files, files, e.ScreenshotRef)
		if e.Selector != "" {
			tc.Detail = append(tc.Detail, pagetext.Text("element: "+e.Selector))
		}
		if e.NetworkRequestID != "" {
			tc.Detail = append(tc.Detail, pagetext.Text("request: "+e.NetworkRequestID))
		}
		if e.Time != nil {
			tc.Start = *e.Time
		}
	}
	return tc
}

// attach adds a stored file by name, with or without its folder.
func attach(to []qa.Artifact, files map[string]qa.Artifact, name string) []qa.Artifact {
	if a, ok := fileOf(files, name); ok {
		return append(to, a)
	}
	return to
}

func fileOf(files map[string]qa.Artifact, name string) (qa.Artifact, bool) {
	for _, n := range []string{name, "screenshots/" + name} {
		if a, ok := files[n]; ok && name != "" {
			return a, true
		}
	}
	return qa.Artifact{}, false
}
