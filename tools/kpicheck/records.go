package kpicheck

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/kpi"
	"github.com/assay-qa/assay/tools/engine"
	"github.com/assay-qa/assay/visual"
)

// record makes rows, checks and findings of every range.
func (k *check) record() {
	for _, r := range k.ranges {
		switch {
		case r.broken:
			continue
		case r.err != nil:
			e := engine.AsError(k.Tool, r.err)
			k.notCompared(e.Code, ofRange(r.Name, e.Message))
			k.out.Unsure++
			k.out.Problems = append(k.out.Problems, pagetext.Sprintf("%s: %s", r.Name, e.Sentence()))
			if e.Hint != "" {
				k.out.Hints = append(k.out.Hints, pagetext.Sentencef("%s", e.Hint))
			}
			continue
		}
		k.recordRefused(r)
		for _, label := range k.labels {
			k.recordKPI(r, label)
		}
		k.recordSums(r)
	}
}

// ofRange says in which range something happened.
func ofRange(name string, what pagetext.Sentence) pagetext.Sentence {
	if name == "" {
		return what
	}
	return pagetext.Sentencef("%s %s", name, what)
}

// notCompared records that the check as a whole was not executed.
func (k *check) notCompared(code string, detail pagetext.Sentence) {
	k.out.Records.AddNotExecuted(engine.NotExecuted{Kind: k.About.Kind, Subject: k.About.Subject, Expected: k.About.Expected, Code: code, Detail: detail})
}

// recordRefused makes findings of data requests that failed while the range was loading: what
// the page shows then is stale, whatever it shows.
func (k *check) recordRefused(r *rangeCheck) {
	for _, e := range r.refused[:min(3, len(r.refused))] {
		what := fmt.Sprintf("%s %s", e.Method, e.URL)
		said := fmt.Sprintf("status %d", e.Status)
		if e.Status == 0 {
			said = "no answer: " + e.Failure
		}
		line := strings.TrimSpace("the data request " + what + " failed " + rangeWords(r.Name))
		evidence := []qa.EvidenceRef{{NetworkRequestID: e.RequestID, ScreenshotRef: r.page, Time: &e.Start}}
		k.out.Records.AddFinding(qa.Finding{Severity: qa.Critical, Category: qa.Functional, Source: qa.SourceRule, Confidence: 1,
			Title:     pagetext.Text(line + ": " + said),
			Assertion: pagetext.Text(strings.TrimSpace(what + " answers " + rangeWords(r.Name))), Expected: "status 2xx", Observed: pagetext.Text(said), Evidence: evidence,
			SuggestedFix: "look at the server's log of this request; figures on the page were not refreshed by it"})
		k.out.Failed++
		k.out.Problems = append(k.out.Problems, pagetext.Text(line+": "+said))
	}
}

func rangeWords(name string) string {
	if name == "" {
		return ""
	}
	return "for " + name
}

// recordKPI records one KPI in one range.
func (k *check) recordKPI(r *rangeCheck, label string) {
	v, want := k.final(r, label), r.want[label]
	row := qa.KPIRow{Label: label, Range: r.Name, Expected: want.Text, Observed: v.observed, Difference: v.difference, Status: v.status,
		ScreenshotRef: r.shots[label], NetworkRequestID: r.carried[label]}
	if v.place != nil {
		row.Selector = v.place.Selector
	}
	if v.status == qa.KPIMismatch {
		row.Observed = differing(want.Text, v)
	}
	cause, sentence := k.explain(r, label, v)
	subject := Subject(label, r.Name)
	if v.status != qa.KPIOk {
		row.Cause = cause
		if row.ScreenshotRef == "" {
			row.ScreenshotRef = r.page
		}
		line := fmt.Sprintf("%s: expected %s", sentence, want.Text)
		if v.status == qa.KPIMismatch {
			line += ", observed " + orNothing(row.Observed)
		}
		if v.difference != "" {
			line += ", " + v.difference
		}
		k.out.Problems = append(k.out.Problems, pagetext.Text(line))
		if v.hint != "" && !slices.Contains(k.out.Hints, v.hint) && len(k.out.Hints) < 5 {
			k.out.Hints = append(k.out.Hints, v.hint)
		}
	}
	if v.status == qa.KPIAmbiguous || v.status == qa.KPIUnsettled {
		k.out.Unsure++
		k.out.Records.AddNotExecuted(engine.NotExecuted{Kind: qa.KPIKind, Subject: subject, Expected: want.Text, Code: string(v.status), Detail: v.hint})
		k.addRow(row)
		return
	}
	compared := qa.Check{Kind: qa.KPIKind, Subject: subject, Selector: row.Selector, Source: qa.SourceTool, Expects: k.Expects}
	o := qa.Outcome{Passed: v.status == qa.KPIOk, Expected: want.Text, Observed: pagetext.Text(orNothing(row.Observed)), Void: k.bent(label)}
	if v.hidden != nil {
		o.Facts = qa.Facts{Unseen: true, Why: pagetext.Text(sentence)}
	}
	compared.Take(o)
	if ref := row.ScreenshotRef; ref != "" {
		compared.Evidence = []string{ref}
	} else if r.page != "" {
		compared.Evidence = []string{r.page}
	}
	if v.status == qa.KPIOk {
		k.out.Records.AddCheck(compared)
	} else {
		k.out.Failed++
		k.out.Records.AddFailed(compared, k.finding(r, row, v, sentence))
	}
	k.addRow(row)
}

// differing returns the figure that the page shows, with how it was read where it looks like
// the expected one: both were read by the locale of who wrote them.
func differing(expected string, v verdict) string {
	if !pagetext.Text(v.observed).LooksLike(expected) || v.place == nil || len(v.place.Value.Readings) == 0 {
		return v.observed
	}
	return fmt.Sprintf("%s, which the page writes for %s", strings.TrimSpace(v.observed), kpi.Shown(v.place.Value.Readings[0].Value))
}

// bent says how the caller of check_kpis has changed how a figure is found and
// compared: such a comparison proves no sentence.
func (k *check) bent(label string) []string {
	var out []string
	if k.OwnTolerance {
		out = append(out, "its tolerance was chosen by the caller")
	}
	if s := k.OwnSpec; k.Selectors[label] != "" || s != nil && s.Selectors[label] != "" {
		out = append(out, "its element was chosen by the caller")
	}
	if s := k.OwnSpec; s != nil && s.Units[label] != "" {
		out = append(out, "its unit was chosen by the caller")
	}
	return out
}

func (k *check) addRow(row qa.KPIRow) {
	k.out.Rows = append(k.out.Rows, row)
	k.out.Records.AddKPI(row)
}

func orNothing(text string) string {
	if text == "" {
		return "nothing"
	}
	return text
}

// finding returns the finding of a KPI that does not hold.
func (k *check) finding(r *rangeCheck, row qa.KPIRow, v verdict, sentence string) qa.Finding {
	f := qa.Finding{Severity: qa.Major, Category: qa.DataConsistency, Source: qa.SourceTool, Confidence: 1, Assertion: pagetext.Text(sentence),
		Expected: pagetext.Text(row.Expected), Observed: pagetext.Text(orNothing(row.Observed)), SuggestedFix: k.fix(r, row, v)}
	if row.Difference != "" {
		f.Observed += pagetext.Text(aside(row.Difference))
	}
	f.Title = pagetext.Sprintf("%s shows %s instead of %s", Subject(row.Label, r.Name), f.Observed, row.Expected)
	if row.Status == qa.KPIMissing {
		f.Category = qa.Functional
		f.Title = pagetext.Text(sentence)
	}
	if tol := k.Tolerance.For(row.Label); tol != (qa.Tolerance{}) {
		f.Tolerance = &tol
	}
	f.Evidence = []qa.EvidenceRef{{ScreenshotRef: row.ScreenshotRef, Selector: row.Selector, NetworkRequestID: row.NetworkRequestID, Time: &r.look.at}}
	if v.rival != nil {
		f.Evidence = append(f.Evidence, qa.EvidenceRef{Selector: v.rival.Selector, ScreenshotRef: r.page})
	}
	return f
}

// fix says where to look first.
func (k *check) fix(r *rangeCheck, row qa.KPIRow, v verdict) pagetext.Text {
	switch {
	case len(r.refused) > 0:
		return pagetext.Sprintf("the page's own request %s %s failed: fix that first", r.refused[0].Method, r.refused[0].URL)
	case v.hint != "":
		return v.hint.Text()
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
		return pagetext.Text("the answer of request "+row.NetworkRequestID) + " already carries the wrong value: look at the server"
	}
	return "the page shows what no answer of its own carries: look at how it computes or formats the value"
}

// maxCarriers bounds the answers that are searched for the figures of a range.
const maxCarriers = 6

// carry finds the requests whose answers carried the values. It is evidence, so
// an answer that can't be read is passed over.
func (k *check) carry(ctx context.Context, r *rangeCheck) {
	scores := map[string]int{}
	all := k.Session.DataRequests(r.since)
	read := 0
	for _, e := range slices.Backward(all) {
		if e.Pending || e.Status/100 != 2 || !k.Session.IsJSON(e.RequestID) {
			continue
		}
		if read++; read > maxCarriers {
			return
		}
		body, err := k.Session.DataBody(ctx, e.RequestID)
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

// cropMargin sets how much of its surroundings the picture of a value shows, in
// CSS pixels.
const cropMargin = 48

// picture stores what the page looked like, once for all ranges that it stands for, and each
// value that does not hold.
func (k *check) picture(ctx context.Context, all together) error {
	bottom, wrong := 0.0, 0
	for _, r := range all {
		for _, place := range k.wrongPlaces(r) {
			wrong++
			bottom = max(bottom, place.Y+place.H)
		}
	}
	info := k.Session.Info()
	full := wrong > 0 && bottom > float64(info.Height)
	shot, err := k.Session.Screenshot(ctx, browser.ShotOptions{FullPage: full, Format: "png"})
	if err != nil {
		return err
	}
	page, err := k.call.Keep("kpis "+all[0].Name, shot.Data)
	if err != nil {
		return err
	}
	for _, r := range all {
		r.page = page
		if err := k.cutOut(r, shot, info.Width); err != nil {
			return err
		}
	}
	return nil
}

// wrongPlaces returns where the values stand that do not hold, by label.
func (k *check) wrongPlaces(r *rangeCheck) map[string]*kpi.Place {
	out := map[string]*kpi.Place{}
	for _, label := range k.labels {
		if v := k.final(r, label); v.status != qa.KPIOk && v.place != nil {
			out[label] = v.place
		}
	}
	return out
}

// cutOut stores a picture of each value of a range that does not hold. width is that of the
// window in CSS pixels.
func (k *check) cutOut(r *rangeCheck, shot browser.Shot, width int) error {
	places := k.wrongPlaces(r)
	if len(places) == 0 || width == 0 {
		return nil
	}
	scale := float64(shot.Width) / float64(width)
	w, h := float64(shot.Width)/scale, float64(shot.Height)/scale
	labels := slices.Sorted(maps.Keys(places))
	var parts []visual.Part
	for _, label := range labels {
		t := places[label]
		parts = append(parts, visual.Part{X: max(0, t.X-cropMargin) / w, Y: max(0, t.Y-cropMargin) / h, W: (t.W + 2*cropMargin) / w, H: (t.H + 2*cropMargin) / h})
	}
	crops, err := visual.Crop(shot.Data, parts, k.MaxPixels)
	if err != nil {
		return err
	}
	for i, label := range labels {
		if crops[i] == nil {
			continue
		}
		if r.shots[label], err = k.call.Keep("kpi "+Subject(label, r.Name), crops[i]); err != nil {
			return err
		}
	}
	return nil
}
