package qa

import (
	"slices"
	"strings"

	"github.com/assay-qa/assay/internal/pagetext"
)

// AsFinding returns the finding of a failed check that no rule has filed one for.
// A report's readers look at findings first, so no fault may stand in the checks
// alone.
func (c Check) AsFinding() Finding { return c.AsFindingOf("") }

// AsFindingOf returns what AsFinding returns, with a title that calls the element as the
// page does; empty: by its selector.
func (c Check) AsFindingOf(called string) Finding {
	severity := Major
	if c.Status() != Failed { // the tester could not look: nobody is to blame
		severity = Info
	}
	f := Finding{Severity: severity, Category: c.category(), Source: c.Source, Confidence: 1, Title: c.title(called), Requests: c.Ended().Requests, Assertion: pagetext.Text(c.held()),
		Expected: pagetext.Text(c.Expected), Observed: c.Observed, Evidence: []EvidenceRef{}}
	for _, name := range c.Evidence {
		f.Evidence = append(f.Evidence, EvidenceRef{ScreenshotRef: name, Selector: c.Selector})
	}
	if len(f.Evidence) == 0 && c.Selector != "" {
		f.Evidence = append(f.Evidence, EvidenceRef{Selector: c.Selector})
	}
	return f
}

// held says what should have held, such as "not visible: #cart".
func (c Check) held() string {
	c.Void = nil
	what := strings.ReplaceAll(c.Called(), "_", " ")
	if c.Subject == "" {
		return what
	}
	return strings.TrimPrefix(what+": "+c.Subject, ": ")
}

// category sorts a failed check by what it hurts.
func (c Check) category() Category {
	switch c.Kind {
	case "visual":
		return Visual
	case KPIKind, "kpi_sum", "check_kpis":
		return DataConsistency
	case string(ConsoleClean), string(ResponseStatus), string(RequestMade), "console_errors", "failed_requests", "http_status", "page_loads", "verify_page_loads", "open_requests", "watch":
		return Reliability
	}
	return Functional
}

// RepeatsCheck reports whether a finding adds nothing to a failed check among
// checks: a list of both would show one fault twice.
func (f Finding) RepeatsCheck(checks []Check) bool {
	return slices.ContainsFunc(checks, func(c Check) bool {
		return !c.Passed && c.Finding == f.ID && f.ID != "" && f.Assertion.Equal(c.held()) && f.SuggestedFix == ""
	})
}
