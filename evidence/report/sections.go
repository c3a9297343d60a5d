package report

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/assay-qa/assay/qa"
)

// openRows is how many rows of a timeline are shown unfolded.
const openRows = 60

// moment is a line of the timeline with its bar, in percent of the run's time.
type moment struct {
	qa.TimelineEntry
	From, Length float64
	Inner        bool // a step within the call above
}

// Moments are the lines of the timeline.
func (p page) Moments() []moment {
	end := p.FinishedAt
	for _, t := range p.Timeline {
		if e := t.StartedAt.Add(time.Duration(t.DurationMS) * time.Millisecond); e.After(end) {
			end = e
		}
	}
	total := float64(end.Sub(p.StartedAt).Milliseconds())
	out := make([]moment, len(p.Timeline))
	for i, t := range p.Timeline {
		m := moment{TimelineEntry: t, Inner: strings.HasPrefix(t.Name, "step ")}
		if total > 0 {
			m.From = min(99, max(0, float64(t.StartedAt.Sub(p.StartedAt).Milliseconds())/total*100))
			m.Length = min(100-m.From, max(0, float64(t.DurationMS)/total*100))
		}
		out[i] = m
	}
	return out
}

// Unfolded reports whether the timeline is short enough to be shown at once.
func (p page) Unfolded() bool { return len(p.Timeline) <= openRows }

// Style of a bar: numbers only, so nothing of a page gets into it.
func (m moment) Style() markup {
	return markup(fmt.Sprintf("margin-inline-start:%.2f%%;width:%.2f%%", m.From, m.Length))
}

// Complaints are the console's entries, exceptions and errors first.
func (p page) Complaints() []qa.ConsoleEntry {
	out := slices.Clone(p.Console)
	order := []string{"exception", "error", "warning"}
	at := func(e qa.ConsoleEntry) int {
		if i := slices.Index(order, e.Level); i >= 0 {
			return i
		}
		return len(order)
	}
	slices.SortStableFunc(out, func(a, b qa.ConsoleEntry) int { return at(a) - at(b) })
	return out
}

// request is a request with its place in the page.
type request struct {
	qa.NetworkEntry
	Anchor string
}

// Requests are the requests that went wrong: without an answer first, then the
// server's errors, then the others.
func (p page) Requests() []request {
	sorted := slices.Clone(p.Network)
	grave := func(e qa.NetworkEntry) int {
		switch {
		case e.Status == 0:
			return 0
		case e.Status >= 500:
			return 1
		default:
			return 2
		}
	}
	slices.SortStableFunc(sorted, func(a, b qa.NetworkEntry) int { return cmp.Or(grave(a)-grave(b), a.Time.Compare(b.Time)) })
	out := make([]request, len(sorted))
	for i, e := range sorted {
		out[i] = request{e, fmt.Sprintf("request-%d", i+1)}
	}
	return out
}

// RequestAnchor is the place of a request in the page, or "".
func (p page) RequestAnchor(id string) string {
	for _, r := range p.Requests() {
		if id != "" && r.RequestID == id {
			return r.Anchor
		}
	}
	return ""
}

// Mark is the request's mark: a server's error is graver than a missing file.
func (r request) Mark() mark {
	if r.Status >= 400 && r.Status < 500 {
		return mark{"open", "!", fmt.Sprint(r.Status)}
	}
	if r.Status == 0 {
		return mark{"bad", "✕", "No answer"}
	}
	return mark{"bad", "✕", fmt.Sprint(r.Status)}
}

// OmittedConsole counts the messages that are not listed.
func (p page) OmittedConsole() int { return p.omitted().Console }

// OmittedNetwork counts the requests that are not listed.
func (p page) OmittedNetwork() int { return p.omitted().Network }

// OmittedTimeline counts the calls that are not listed.
func (p page) OmittedTimeline() int { return p.omitted().Timeline }

func (p page) omitted() qa.Omitted {
	if p.Omitted == nil {
		return qa.Omitted{}
	}
	return *p.Omitted
}

// KPIsOK counts the KPIs that are as expected.
func (p page) KPIsOK() (n int) {
	for _, k := range p.KPITable {
		if k.Status == qa.KPIOk {
			n++
		}
	}
	return n
}

// KPIs are the rows of the KPI table, what is not right first.
func (p page) KPIs() []qa.KPIRow {
	out := slices.Clone(p.KPITable)
	at := func(k qa.KPIRow) int {
		switch k.Status {
		case qa.KPIOk:
			return 2
		case qa.KPIAmbiguous, qa.KPIUnsettled:
			return 1
		default:
			return 0
		}
	}
	slices.SortStableFunc(out, func(a, b qa.KPIRow) int { return at(a) - at(b) })
	return out
}

// cause says in words what a wrong KPI looks like.
func cause(c qa.KPICause) string {
	words := map[qa.KPICause]string{
		qa.CauseWrongValue: "another value", qa.CauseStale: "the value of another range or filter", qa.CauseUnitSlip: "off by a factor of its unit",
		qa.CauseSign: "the other sign", qa.CauseCurrency: "another currency", qa.CauseSwapped: "the value of another KPI",
		qa.CauseDuplicate: "shown more than once, with different values", qa.CauseNotShown: "not on the page", qa.CauseNotANumber: "not a number",
	}
	if w, ok := words[c]; ok {
		return w
	}
	return visible(string(c))
}

// plainWord is what may stand in a command that a person copies.
var plainWord = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*$`)

// traceName is a trace of one of the run's sessions.
var traceName = regexp.MustCompile(`^trace(-[0-9]+)?\.zip$`)

// repeated is a command of ours that a person may copy: no shell finds anything
// in it but words. Metadata may come from anybody.
var repeated = regexp.MustCompile(`^assay (?:run|check)(?: --env [A-Za-z0-9][A-Za-z0-9._-]*)?(?: --base-url 'https?://[^'[:cntrl:][:space:]]+')? (?:[A-Za-z0-9./_][A-Za-z0-9./_-]*|'https?://[^'[:cntrl:][:space:]]+')$`)

// command is one line to repeat the run, or to look into it.
type command struct{ Why, Line string }

// Commands lead back to what happened. Nothing of a page is in them.
func (p page) Commands() []command {
	var out []command
	env := ""
	if plainWord.MatchString(p.Environment.Name) {
		env = " --env " + p.Environment.Name
	}
	switch line := p.Task.Metadata[qa.CommandKey]; {
	case p.File(qa.RepeatFlow) != nil:
		out = append(out, command{"Save " + qa.RepeatFlow + ", a file of this run: it makes the calls again, without a client or a model", "assay run" + env + " " + qa.RepeatFlow})
	case repeated.MatchString(line):
		out = append(out, command{"Run it again", line})
	}
	for _, a := range p.Artifacts {
		if traceName.MatchString(a.Name) {
			out = append(out, command{"Go through the recorded browser, step by step", "npx playwright show-trace " + a.Name})
		}
	}
	if plainWord.MatchString(p.RunID) {
		out = append(out, command{"Verify the run, and show its report again", "assay report " + p.RunID})
	}
	return out
}

// Repeats reports whether one of the commands does again what the run did.
func (p page) Repeats() bool {
	return p.File(qa.RepeatFlow) != nil || repeated.MatchString(p.Task.Metadata[qa.CommandKey])
}

// condition is a line about the environment under test.
type condition struct{ Name, Value string }

// Conditions are what is known of the environment under test.
func (p page) Conditions() (out []condition) {
	e := p.Environment
	for _, c := range []condition{{"Environment", e.Name}, {"Address", e.BaseURL}, {"Viewport", e.Viewport}, {"Locale", e.Locale}, {"Time zone", e.Timezone}} {
		if c.Value != "" {
			out = append(out, c)
		}
	}
	return out
}
