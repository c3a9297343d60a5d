package agent

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/internal/text"
	"github.com/assay-qa/assay/qa"
)

// maxFinalText bounds each text of a model's final answer, in bytes.
const maxFinalText = 4000

// looksFinal takes the JSON out of a text that is meant to be a [Final].
func looksFinal(text string) (data []byte, ok bool) {
	text = strings.TrimSpace(text)
	if rest, fenced := strings.CutPrefix(text, "```"); fenced {
		rest = strings.TrimPrefix(rest, "json")
		text = strings.TrimSpace(strings.TrimSuffix(rest, "```"))
	}
	return []byte(text), strings.HasPrefix(text, "{")
}

// readFinal reads how a model ends its work, and says all that is wrong with it.
func readFinal(data []byte) (Final, error) {
	var f Final
	if len(data) == 0 {
		return f, nil
	}
	if err := json.Unmarshal(data, &f); err != nil {
		return f, fmt.Errorf("the final answer can't be read: %w", err)
	}
	var errs []error
	if f.Status != "" && !slices.Contains([]qa.Status{qa.Passed, qa.Failed, qa.Inconclusive}, qa.Status(f.Status)) {
		errs = append(errs, fmt.Errorf("status is %q: use passed, failed or inconclusive", f.Status))
	}
	if f.Summary == "" && f.Status == "" && len(f.Findings) == 0 {
		errs = append(errs, errors.New("summary, status and findings are all missing"))
	}
	for i, finding := range f.Findings {
		if err := finding.filed().Validate(func(string) bool { return false }); err != nil {
			errs = append(errs, fmt.Errorf("findings[%d]: %w", i, err))
		}
	}
	return f, errors.Join(errs...)
}

// filed converts the model's finding to one that the run files, with its texts
// shortened.
func (f FinalFinding) filed() qa.Finding {
	return qa.Finding{Severity: qa.Severity(f.Severity), Category: qa.Category(f.Category), Assertion: pagetext.Text(text.Bytes(f.Assertion, maxFinalText)),
		Expected: pagetext.Text(text.Bytes(f.Expected, maxFinalText)), Observed: pagetext.Text(text.Bytes(f.Observed, maxFinalText)), SuggestedFix: pagetext.Text(text.Bytes(f.Fix, maxFinalText)),
		Confidence: f.Certainty, Source: qa.SourceModel, Evidence: []qa.EvidenceRef{}}
}

// normalizeFinding replaces invalid fields by defaults, so that a malformed
// finding is kept: it may report a fault.
func normalizeFinding(f qa.Finding) qa.Finding {
	if !slices.Contains(qa.Severities(), f.Severity) {
		f.Severity = qa.Major
	}
	if !slices.Contains(qa.Categories(), f.Category) {
		f.Category = qa.Functional
	}
	f.Assertion = cmp.Or(f.Assertion.Trim(), f.Observed.Trim(), "the model found a fault and did not say which")
	if !(f.Confidence >= 0 && f.Confidence <= 1) { // this way round it catches NaN, too
		f.Confidence = 0
	}
	return f
}

// end takes the model's final answer. It refuses it once, with the reason,
// where it is malformed or something is missing; the next one is accepted as
// it is, and the work ends.
func (l *loop) end(data []byte, plain string) (refused string) {
	f, err := readFinal(data)
	if !l.corrected {
		if err != nil {
			l.corrected = true
			return err.Error() + ": say it again as the schema has it"
		}
		if missing := l.missing(); missing != "" && f.Status != string(qa.Inconclusive) {
			l.corrected = true
			return missing
		}
	}
	l.done = true
	l.final.Summary = cmp.Or(l.final.Summary, text.Bytes(cmp.Or(f.Summary, plain), maxFinalText))
	l.final.Status = cmp.Or(l.final.Status, f.Status)
	l.final.Findings = append(l.final.Findings, f.Findings...)
	return ""
}

// conclude files what the model's final answer says. None of it can better the
// verdict: findings can fail a run, and a claim is a remark.
func (l *loop) conclude() error {
	record, _, err := l.Record.Record()
	if err != nil {
		return err
	}
	errs := []error{l.claimed()}
	known := map[pagetext.Text]bool{}
	for _, f := range record.Findings {
		known[f.Assertion.Trim().Map(strings.ToLower)] = true
	}
	for _, final := range l.final.Findings {
		f := normalizeFinding(final.filed())
		if key := f.Assertion.Map(strings.ToLower); !known[key] {
			known[key] = true
			errs = append(errs, l.Record.Find(f))
		}
	}
	if record, _, err = l.Record.Record(); err != nil {
		return errors.Join(append(errs, err)...)
	}
	if v := qa.Judge(record); l.final.Status != "" && l.final.Status != string(v.Status) {
		errs = append(errs, l.Record.Find(qa.Finding{Severity: qa.Info, Category: qa.Reliability, Source: qa.SourceRule, Confidence: 1,
			Title: pagetext.Sprintf("The model said %s; the checks say %s", l.final.Status, v.Status), Assertion: "the model's view agrees with the checks", Expected: pagetext.Text(string(v.Status)),
			Observed: pagetext.Sprintf("the model said %s; the checks say %s", l.final.Status, v.Status), Evidence: []qa.EvidenceRef{}}))
	}
	return errors.Join(errs...)
}
