package report

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/assay-qa/assay/internal/pattern"
	"github.com/assay-qa/assay/qa"
)

// openRows bounds the rows of a list that are shown unfolded.
const openRows = 6

// moment holds a line of the timeline with its bar, in percent of the run's
// time.
type moment struct {
	qa.TimelineEntry
	From, Length float64
	Inner        bool // a step within the call above
	First        bool // of its call
	Failed       bool // a check of the call failed
}

func (m moment) failed() bool { return m.Failed || m.ErrorCode != "" }

// failedSteps names the first step that failed, and counts the others; "" for none.
func failedSteps(r qa.QAReport) string {
	first, n := "", 0
	for _, m := range moments(r) {
		if m.failed() && (m.Inner || first == "") {
			first = strings.TrimSpace(visible(m.Name) + " " + visible(m.Detail))
		}
		if m.failed() {
			n++
		}
	}
	if n == 0 {
		return ""
	}
	head, whole := clip(first, 80)
	if !whole {
		head += "…"
	}
	return fmt.Sprintf("%d failed: %s", n, head)
}

// inTimeline reports whether a call has a row in the timeline.
func (p page) inTimeline(step int) bool {
	return slices.ContainsFunc(p.Timeline, func(t qa.TimelineEntry) bool { return t.Step == step })
}

// moments returns the lines of the timeline.
func moments(r qa.QAReport) []moment {
	end := r.FinishedAt
	for _, t := range r.Timeline {
		if e := t.StartedAt.Add(time.Duration(t.DurationMS) * time.Millisecond); e.After(end) {
			end = e
		}
	}
	total := float64(end.Sub(r.StartedAt).Milliseconds())
	out := make([]moment, len(r.Timeline))
	failed, seen := map[int]bool{}, map[int]bool{}
	for _, c := range r.Checks {
		failed[c.Step] = failed[c.Step] || c.Status() == qa.Failed && c.Step > 0
	}
	for i, t := range r.Timeline {
		m := moment{TimelineEntry: t, Inner: strings.HasPrefix(t.Name, "step "), First: !seen[t.Step] && t.Step > 0}
		m.Failed = failed[t.Step] && !m.Inner
		seen[t.Step] = true
		if total > 0 {
			m.From = min(99, max(0, float64(t.StartedAt.Sub(r.StartedAt).Milliseconds())/total*100))
			m.Length = min(100-m.From, max(0, float64(t.DurationMS)/total*100))
		}
		out[i] = m
	}
	return out
}

// Style of a bar: numbers only, so nothing of a page gets into it.
func (m moment) Style() markup {
	return markup(fmt.Sprintf("margin-inline-start:%.2f%%;width:%.2f%%", m.From, m.Length))
}

// gravestEntries returns the console's entries, exceptions and errors first.
func gravestEntries(console []qa.ConsoleEntry) []qa.ConsoleEntry {
	out := slices.Clone(console)
	order := []string{"exception", "error", "warning"}
	at := func(e qa.ConsoleEntry) int {
		if i := slices.Index(order, e.Level); i >= 0 {
			return i
		}
		return len(order)
	}
	sort.SliceStable(out, func(i, j int) bool { return at(out[i]) < at(out[j]) })
	return out
}

// request holds a request with its place in the page.
type request struct {
	qa.NetworkEntry
	Anchor string
}

// requestsOf returns the requests that went wrong: without an answer first, then the
// server's errors, then the others.
func requestsOf(network []qa.NetworkEntry) []request {
	sorted := slices.Clone(network)
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

// requestAnchor returns the place of a request in the page, or "".
func requestAnchor(requests []request, id string) string {
	for _, r := range requests {
		if id != "" && r.RequestID == id {
			return r.Anchor
		}
	}
	return ""
}

// Mark returns the request's mark: a server's error is graver than a missing
// file.
func (r request) Mark() mark {
	if r.Status >= 400 && r.Status < 500 {
		return mark{"open", "!", fmt.Sprint(r.Status)}
	}
	if r.Status == 0 {
		return mark{"bad", "✕", "No answer"}
	}
	return mark{"bad", "✕", fmt.Sprint(r.Status)}
}

// omitted counts what the report does not list.
func omitted(r qa.QAReport) qa.Omitted {
	if r.Omitted == nil {
		return qa.Omitted{}
	}
	return *r.Omitted
}

// kpisOK counts the KPIs that are as expected.
func kpisOK(rows []qa.KPIRow) (n int) {
	for _, k := range rows {
		if k.Status == qa.KPIOk {
			n++
		}
	}
	return n
}

// offFirst returns the rows of the KPI table, what is not right first.
func offFirst(rows []qa.KPIRow) []qa.KPIRow {
	out := slices.Clone(rows)
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
	sort.SliceStable(out, func(i, j int) bool { return at(out[i]) < at(out[j]) })
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

// plainWord matches what may stand in a command that a person copies.
var plainWord = pattern.New(`^[A-Za-z0-9][A-Za-z0-9._-]*$`)

// traceName matches the name of a trace of one of the run's sessions.
var traceName = pattern.New(`^trace(-[0-9]+)?\.zip$`)

// repeated matches a command of ours that a person may copy: a shell finds
// only words in it. Metadata may come from anybody.
var repeated = pattern.New(`^assay run(?: --env [A-Za-z0-9][A-Za-z0-9._-]*)?(?: --base-url ` +
	`'https?://[^'[:cntrl:][:space:]]+')? (?:[A-Za-z0-9./_][A-Za-z0-9./_-]*|'https?://[^'[:cntrl:][:space:]]+')$`)

// rechecked matches a command that checks a page, as repeated does others.
var rechecked = pattern.New(`^assay check(?: --device '[A-Za-z0-9 ()+./_×-]+')?(?: --ignore-hosts '[A-Za-z0-9.,:*_-]+')? 'https?://[^'[:cntrl:][:space:]]+'$`)

// explored matches a command that explores a site, as repeated does others.
var explored = pattern.New(`^assay explore 'https?://[^'[:cntrl:][:space:]]+'(?: --role [A-Za-z0-9][A-Za-z0-9._-]*)?(?: --allow-writes)?$`)

// mayCopy reports whether a person may copy a command.
func mayCopy(line string) bool {
	return repeated.MatchString(line) || rechecked.MatchString(line) || explored.MatchString(line)
}

// command holds one line to repeat the run, or to look into it.
type command struct{ Why, Line string }

// commands returns what leads back to what happened. Nothing of a page is in them.
func commands(r qa.QAReport, files *fileSet) []command {
	var out []command
	env := ""
	if plainWord.MatchString(r.Environment.Name) {
		env = " --env " + r.Environment.Name
	}
	switch line := r.Task.Metadata[qa.CommandKey]; {
	case files.find(qa.RepeatFlow) != nil:
		out = append(out, command{"Save " + qa.RepeatFlow + ", a file of this run: it makes the calls again, as far as a flow can, without a client or a model",
			"assay run" + env + " " + qa.RepeatFlow})
		if plainWord.MatchString(r.RunID) {
			out = append(out, command{"Keep these calls as a flow", "assay export --flow " + r.RunID}, command{"Or as a Playwright test", "assay export --playwright " + r.RunID})
		}
	case mayCopy(line):
		out = append(out, command{"Run it again", line})
	}
	for _, a := range r.Artifacts {
		if traceName.MatchString(a.Name) {
			out = append(out, command{"Go through the recorded browser, step by step", "npx playwright show-trace " + a.Name})
		}
	}
	if plainWord.MatchString(r.RunID) {
		out = append(out, command{"Verify the run, and show its report again", "assay report " + r.RunID})
	}
	return out
}

// repeats reports whether one of the commands does again what the run did.
func repeats(task qa.TaskSpec, files *fileSet) bool {
	return files.find(qa.RepeatFlow) != nil || mayCopy(task.Metadata[qa.CommandKey])
}

// condition holds a line about the environment under test.
type condition struct{ Name, Value string }

// conditions returns what is known of the environment under test.
func conditions(e qa.Environment) (out []condition) {
	for _, c := range []condition{{"Environment", e.Name}, {"Address", e.BaseURL}, {"Viewport", e.Viewport}, {"Locale", e.Locale}, {"Time zone", e.Timezone}} {
		if c.Value != "" {
			out = append(out, c)
		}
	}
	return out
}

// tokens returns the model's tokens, in and out.
func tokens(c qa.Costs) string {
	cached := ""
	if n := c.TokensCached; n > 0 {
		cached = " (" + grouped(int64(n)) + " from the cache)"
	}
	return grouped(int64(c.TokensInput)) + cached + ", " + grouped(int64(c.TokensOutput))
}
