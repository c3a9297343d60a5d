package visualcheck

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/assay-qa/assay/evidence/baseline"
	"github.com/assay-qa/assay/qa"
)

// seenAs is a picture and what became of it, with what may be said of it.
type seenAs struct {
	err      error
	status   qa.VisualStatus
	approved bool
	proposal string
	want     qa.Status
	differs  bool // only then is it said that it does not look as its baseline
}

func ways() map[string]seenAs {
	return map[string]seenAs{
		"no time":               {err: context.DeadlineExceeded, want: qa.Inconclusive},
		"an error":              {err: errors.New("it does not look as its baseline"), want: qa.Inconclusive},
		"captured":              {status: qa.VisualCaptured, want: qa.Inconclusive},
		"proposed as the first": {status: qa.VisualCaptured, proposal: "b-9", want: qa.Inconclusive},
		"elsewhere":             {status: qa.VisualForeign, approved: true, proposal: "b-9", want: qa.Inconclusive},
		"restless":              {status: qa.VisualUnsettled, approved: true, want: qa.Inconclusive},
		"equal, not approved":   {status: qa.VisualSame, want: qa.Inconclusive},
		"within, not approved":  {status: qa.VisualWithin, want: qa.Inconclusive},
		"equal":                 {status: qa.VisualSame, approved: true, want: qa.Passed},
		"within":                {status: qa.VisualWithin, approved: true, want: qa.Passed},
		"changed":               {status: qa.VisualChanged, approved: true, proposal: "b-9", want: qa.Failed, differs: true},
		"changed, not approved": {status: qa.VisualChanged, proposal: "b-9", want: qa.Failed, differs: true},
	}
}

// recordOf returns what a run holds of what was filed.
func recordOf(v *Check, pictures []*Picture) (out qa.Record, said string) {
	for _, p := range pictures {
		for _, r := range v.Records(p) {
			switch {
			case r.Check != nil:
				check := *r.Check
				check.ID = fmt.Sprint("C", len(out.Checks)+1)
				out.Checks = append(out.Checks, check)
				if check.Status() != qa.Passed {
					said += string(check.AsFinding().Title) + "\n"
				}
			case r.NotExecuted != nil:
				out.Interruptions = append(out.Interruptions, qa.Interruption{Kind: qa.NotExecuted, Subject: r.NotExecuted.Subject, Detail: r.NotExecuted.Detail.Text()})
			}
			if r.Finding != nil {
				out.Findings = append(out.Findings, *r.Finding)
			}
		}
	}
	return out, said
}

// B2, issue 29, item 1: what the answer says of one or two pictures, the verdict of the run
// that holds their records, and what README and docs/visual.md promise are one thing; only
// a picture that was compared and differs "does not look as its baseline", and what to do
// next is about the picture that decided.
func TestPicturesAndVerdictSayOneThing(t *testing.T) {
	t.Parallel()
	for first, a := range ways() {
		for second, b := range ways() {
			v := &Check{name: "home", inForce: true, version: baseline.Version{ID: "b-1"}}
			v.Outcome.Status = qa.Passed
			if a.status == qa.VisualCaptured && a.proposal == "" && b.status == qa.VisualCaptured {
				v.First = "b-1"
			}
			var pictures []*Picture
			for i, w := range []seenAs{a, b} {
				part := []string{"", "#part"}[i]
				pictures = append(pictures, &Picture{Part: part, err: w.err, Row: qa.VisualRow{Name: "home", Part: part, BaselineID: "b-1", Version: 1, Status: w.status, Approved: w.approved, ProposalID: w.proposal, Reason: "as it was measured"}})
			}
			record, said := recordOf(v, pictures)
			name := first + " and " + second
			want := a.want.Worse(b.want)
			if v.Outcome.Status != want || v.Outcome.Cause.Ending.Status() != want {
				t.Errorf("%s: the answer says %s (%s), want %s", name, v.Outcome.Status, v.Outcome.Cause.Ending, want)
			}
			if got := qa.Judge(record); got.Status != want {
				t.Errorf("%s: the run is %s (%s), want %s", name, got.Status, got.Reason, want)
			}
			if differs := a.differs || b.differs; strings.Contains(said, "does not look as its baseline") != differs {
				t.Errorf("%s: it differs: %v, and it is said: %s", name, differs, said)
			}
			next := v.Next()
			if want == qa.Failed && next != "if the change is wanted, a person approves it: "+qa.Approving("b-9") || want == qa.Passed && next != "" {
				t.Errorf("%s: %s, and next is %q", name, want, next)
			}
			if strings.Contains(next, "the next run compares with it") && v.First == "" {
				t.Errorf("%s: nothing was captured, and next is %q", name, next)
			}
		}
	}
	for _, name := range []string{"equal, not approved", "within, not approved"} {
		w := ways()[name]
		v := &Check{name: "home", inForce: true, version: baseline.Version{ID: "b-1"}}
		record, _ := recordOf(v, []*Picture{{Row: qa.VisualRow{Name: "home", BaselineID: "b-1", Version: 1, Status: w.status, Reason: "as it was measured"}}})
		c := record.Checks[0]
		if c.Ended().Ending != qa.NeedsPerson || c.Status().ExitCode() != 1 || len(c.Void) == 0 || c.CountsAsProof() || v.Next() != "a person looks at it and approves it: "+qa.Approving("b-1") {
			t.Errorf("%s: %+v, next %q", name, c, v.Next())
		}
	}
}
