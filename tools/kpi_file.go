package tools

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/engine"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/kpi"
	"github.com/assay-qa/assay/visual"
)

// file records all that was found, and the check as a whole.
func (k *kpiCheck) file() error {
	if err := k.fileRanges(); err != nil || k.unsure > 0 {
		return err
	}
	whole := k.c.about
	whole.Step, whole.Source, whole.Passed = k.c.step, qa.SourceTool, k.failed == 0
	whole.Observed = fmt.Sprintf("%d KPIs in %d ranges, %d problems", len(k.labels), len(k.ranges), k.failed)
	_, err := k.c.run.AddCheck(whole)
	return err
}

// fileRanges records rows, checks and findings of every range.
func (k *kpiCheck) fileRanges() error {
	for _, r := range k.ranges {
		switch {
		case r.broken:
			continue
		case r.err != nil:
			e := engine.AsError(k.c.spec.name, r.err)
			about := k.c.about
			k.c.run.NotExecuted(about.Kind, about.Subject, about.Expected, e.Code, strings.TrimSpace(r.Name+" "+e.Message))
			k.unsure++
			k.problems = append(k.problems, r.Name+": "+e.Code+": "+e.Message)
			if e.Hint != "" {
				k.hints = append(k.hints, e.Hint)
			}
			continue
		}
		if err := k.fileRefused(r); err != nil {
			return err
		}
		for _, label := range k.labels {
			if err := k.fileKPI(r, label); err != nil {
				return err
			}
		}
		if err := k.fileSums(r); err != nil {
			return err
		}
	}
	return nil
}

// fileRefused files data requests that failed while the range was loading: what
// the page shows then is stale, whatever it shows.
func (k *kpiCheck) fileRefused(r *kpiRange) error {
	for _, e := range r.refused[:min(3, len(r.refused))] {
		what := fmt.Sprintf("%s %s", e.Method, e.URL)
		said := fmt.Sprintf("status %d", e.Status)
		if e.Status == 0 {
			said = "no answer: " + e.Failure
		}
		line := strings.TrimSpace("the data request " + what + " failed " + rangeWords(r.Name))
		evidence := []qa.EvidenceRef{{NetworkRequestID: e.RequestID, ScreenshotRef: r.page, Time: &e.Start}}
		if _, err := k.c.run.AddFinding(qa.Finding{Severity: qa.Critical, Category: qa.Functional, Source: qa.SourceRule, Confidence: 1,
			Assertion: strings.TrimSpace(what + " answers " + rangeWords(r.Name)), Expected: "status 2xx", Observed: said, Evidence: evidence,
			SuggestedFix: "look at the server's log of this request; figures on the page were not refreshed by it"}); err != nil {
			return err
		}
		k.failed++
		k.problems = append(k.problems, line+": "+said)
	}
	return nil
}

func rangeWords(name string) string {
	if name == "" {
		return ""
	}
	return "for " + name
}

// fileKPI files one KPI in one range.
func (k *kpiCheck) fileKPI(r *kpiRange, label string) error {
	v, want := k.final(r, label), r.want[label]
	row := qa.KPIRow{Label: label, Range: r.Name, Expected: want.Text, Observed: v.observed, Difference: v.difference, Status: v.status,
		ScreenshotRef: r.shots[label], NetworkRequestID: r.carried[label]}
	if v.place != nil {
		row.Selector = v.place.Selector
	}
	cause, sentence := k.explain(r, label, v)
	subject := subjectOf(label, r.Name)
	if v.status != qa.KPIOk {
		row.Cause = cause
		if row.ScreenshotRef == "" {
			row.ScreenshotRef = r.page
		}
		line := fmt.Sprintf("%s: expected %s, observed %s", sentence, want.Text, orNothing(v.observed))
		if v.difference != "" {
			line += ", " + v.difference
		}
		k.problems = append(k.problems, line)
		if v.hint != "" && !slices.Contains(k.hints, v.hint) && len(k.hints) < 5 {
			k.hints = append(k.hints, v.hint)
		}
	}
	if v.status == qa.KPIAmbiguous || v.status == qa.KPIUnsettled {
		k.unsure++
		k.c.run.NotExecuted(qa.KPIKind, subject, want.Text, string(v.status), v.hint)
		return k.addRow(row)
	}
	check := qa.Check{Step: k.c.step, Kind: qa.KPIKind, Subject: subject, Selector: row.Selector, Expected: want.Text, Observed: orNothing(v.observed),
		Passed: v.status == qa.KPIOk, Source: qa.SourceTool, Expects: k.in.Expects, Void: k.bent(label)}
	if ref := row.ScreenshotRef; ref != "" {
		check.Evidence = []string{ref}
	} else if r.page != "" {
		check.Evidence = []string{r.page}
	}
	filed, err := k.c.addCheck(check)
	if err != nil {
		return err
	}
	k.out.CheckIDs = append(k.out.CheckIDs, filed.ID)
	if v.status != qa.KPIOk {
		k.failed++
		if err := k.fileFinding(r, row, v, sentence); err != nil {
			return err
		}
	}
	return k.addRow(row)
}

// bent says how the caller of check_kpis has changed how a figure is found and
// compared: such a comparison proves no sentence.
func (k *kpiCheck) bent(label string) []string {
	var out []string
	if k.in.Tolerance != nil {
		out = append(out, "its tolerance was chosen by the caller")
	}
	if s := k.in.Spec; k.in.Selectors[label] != "" || s != nil && s.Selectors[label] != "" {
		out = append(out, "its element was chosen by the caller")
	}
	if s := k.in.Spec; s != nil && s.Units[label] != "" {
		out = append(out, "its unit was chosen by the caller")
	}
	return out
}

func (k *kpiCheck) addRow(row qa.KPIRow) error {
	k.out.KPITable = append(k.out.KPITable, row)
	return k.c.run.AddKPI(row)
}

func orNothing(text string) string {
	if text == "" {
		return "nothing"
	}
	return text
}

// fileFinding files a KPI that does not hold.
func (k *kpiCheck) fileFinding(r *kpiRange, row qa.KPIRow, v kpiVerdict, sentence string) error {
	f := qa.Finding{Severity: qa.Major, Category: qa.DataConsistency, Source: qa.SourceTool, Confidence: 1, Assertion: sentence,
		Expected: row.Expected, Observed: orNothing(row.Observed), SuggestedFix: k.fix(r, row, v)}
	if row.Difference != "" {
		f.Observed += aside(row.Difference)
	}
	if row.Status == qa.KPIMissing {
		f.Category = qa.Functional
	}
	if tol := k.tolerance.For(row.Label); tol != (qa.Tolerance{}) {
		f.Tolerance = &tol
	}
	f.Evidence = []qa.EvidenceRef{{ScreenshotRef: row.ScreenshotRef, Selector: row.Selector, NetworkRequestID: row.NetworkRequestID, Time: &r.look.at}}
	if v.rival != nil {
		f.Evidence = append(f.Evidence, qa.EvidenceRef{Selector: v.rival.Selector, ScreenshotRef: r.page})
	}
	_, err := k.c.run.AddFinding(f)
	return err
}

// fix says where to look first.
func (k *kpiCheck) fix(r *kpiRange, row qa.KPIRow, v kpiVerdict) string {
	switch {
	case len(r.refused) > 0:
		return "the page's own request " + r.refused[0].Method + " " + r.refused[0].URL + " failed: mend that first"
	case v.hint != "":
		return v.hint
	}
	switch row.Cause {
	case qa.CauseStale:
		return "the card keeps the value of another range: look at how it is updated when the filter changes"
	case qa.CauseUnitSlip:
		return "look at the unit in which the value is formatted: percent against ratio, or thousands"
	case qa.CauseSwapped:
		return "look at which field each card is bound to"
	case qa.CauseCurrency:
		return "look at the currency that the value is formatted in"
	case qa.CauseNotShown:
		return "look whether the card is rendered at all; if it is called otherwise, name it in selectors"
	case qa.CauseDuplicate:
		return "feed both places from the same value"
	}
	if row.NetworkRequestID != "" {
		return "the answer of request " + row.NetworkRequestID + " already carries the wrong value: look at the server"
	}
	return "the page shows what no answer of its own carries: look at how it computes or formats the value"
}

// maxCarriers bounds the answers that are searched for the figures of a range.
const maxCarriers = 6

// carry finds the requests whose answers carried the values. It is evidence, so
// an answer that can't be read is passed over.
func (k *kpiCheck) carry(ctx context.Context, r *kpiRange) {
	scores := map[string]int{}
	all := k.session.DataRequests(r.since)
	read := 0
	for _, e := range slices.Backward(all) {
		if e.Pending || e.Status/100 != 2 || !k.session.IsJSON(e.RequestID) {
			continue
		}
		if read++; read > maxCarriers {
			return
		}
		body, err := k.session.DataBody(ctx, e.RequestID)
		if err != nil {
			continue
		}
		for _, label := range k.labels {
			best := r.look.picks[label].Best
			if best == nil {
				continue
			}
			if score := kpi.Carries(body, label, best.Value); score > scores[label] {
				scores[label], r.carried[label] = score, e.RequestID
			}
		}
	}
}

// cropMargin is how much of its surroundings the picture of a value shows, in
// CSS pixels.
const cropMargin = 48

// picture files what the range looked like, and each value that does not hold.
func (k *kpiCheck) picture(ctx context.Context, r *kpiRange) error {
	var wrong []string
	bottom := 0.0
	for _, label := range k.labels {
		if v := k.final(r, label); v.status != qa.KPIOk && v.place != nil {
			wrong = append(wrong, label)
			bottom = max(bottom, v.place.Y+v.place.H)
		}
	}
	info := k.session.Info()
	full := len(wrong) > 0 && bottom > float64(info.Height)
	shot, err := k.session.Screenshot(ctx, browser.ShotOptions{FullPage: full, Format: "png"})
	if err != nil {
		return err
	}
	if r.page, err = k.keep("kpis "+r.Name, shot.Data); err != nil {
		return err
	}
	if len(wrong) == 0 || info.Width == 0 {
		return nil
	}
	scale := float64(shot.Width) / float64(info.Width)
	var parts []visual.Part
	for _, label := range wrong {
		t := k.final(r, label).place
		w, h := float64(shot.Width)/scale, float64(shot.Height)/scale
		parts = append(parts, visual.Part{X: max(0, t.X-cropMargin) / w, Y: max(0, t.Y-cropMargin) / h, W: (t.W + 2*cropMargin) / w, H: (t.H + 2*cropMargin) / h})
	}
	crops, err := visual.Crop(shot.Data, parts, k.c.desk.MaxPixels)
	if err != nil {
		return err
	}
	for i, label := range wrong {
		if crops[i] == nil {
			continue
		}
		if r.shots[label], err = k.keep("kpi "+subjectOf(label, r.Name), crops[i]); err != nil {
			return err
		}
	}
	return nil
}

// keep stores a picture in the run and returns its name.
func (k *kpiCheck) keep(name string, data []byte) (string, error) {
	if err := k.c.spendPicture(name); isOverBudget(err) { // the figures are worth more than their picture
		k.c.say("no screenshot: %s", engine.AsError(k.c.spec.name, err).Message)
		return "", nil
	}
	ref, err := k.c.keep(name, data)
	if err != nil {
		k.c.run.ReturnPicture()
		return "", err
	}
	return ref.Name, nil
}
