package qa_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/code"
)

// look returns a passed check of a verify tool.
func look(id string, expects ...string) qa.Check {
	return qa.Check{ID: id, Kind: "visible", Subject: `button "Pay"`, Selector: `button "Pay"`, Expected: "visible", Observed: "visible", Passed: true, Source: qa.SourceTool, Expects: expects}
}

func failed(c qa.Check) qa.Check {
	c.Passed, c.Observed = false, "hidden"
	return c
}

func by(source qa.Source, c qa.Check) qa.Check {
	c.Source = source
	return c
}

func graded(s qa.Severity) qa.Finding {
	return qa.Finding{ID: "F1", Severity: s, Category: qa.Functional, Assertion: "orders are listed", Source: qa.SourceModel}
}

var visiblePay = qa.Expectation{ID: "E1", Text: `the button "Pay" is visible`}

// TestJudge is the verdict of requirement A9 and promise 1 as a table. The
// first group names every false green that the field's tools were seen to give.
func TestJudge(t *testing.T) {
	tests := []struct {
		name   string
		record qa.Record
		want   qa.Status
		reason string // part of the reason
	}{
		// False greens.
		{
			name:   "false green: a verify step with no assertion call",
			record: qa.Record{Expectations: []qa.Expectation{visiblePay}, Checks: []qa.Check{look("C1")}},
			want:   qa.Inconclusive, reason: `no executed check is bound to it`,
		},
		{
			name:   "false green: a failing assertion that the model walked past",
			record: qa.Record{Checks: []qa.Check{look("C1"), failed(look("C2")), look("C3"), look("C4")}},
			want:   qa.Failed, reason: "1 check of 4 failed",
		},
		{
			name: "false green: a later look at the same thing heals a failed one",
			record: qa.Record{
				Expectations: []qa.Expectation{visiblePay},
				Checks:       []qa.Check{failed(look("C1", "E1")), look("C2", "E1")},
			},
			want: qa.Failed, reason: "1 check of 2 failed",
		},
		{
			name:   "false green: a finding that the model's final report leaves out",
			record: qa.Record{Checks: []qa.Check{look("C1")}, Findings: []qa.Finding{graded(qa.Major)}},
			want:   qa.Failed, reason: "1 finding of severity major or worse; first: major: orders are listed",
		},
		{
			name:   "false green: a budget spent and enforced nowhere",
			record: interrupted(qa.BudgetSpent, "maxToolCalls", "40 of 40 used"),
			want:   qa.Inconclusive, reason: "budget: maxToolCalls: 40 of 40 used",
		},
		{
			name:   "false green: a replay that returns the recorded success unchecked",
			record: qa.Record{Expectations: []qa.Expectation{visiblePay}}, // a recorded check is no executed one
			want:   qa.Inconclusive, reason: "no executed check is bound to it",
		},
		{
			name:   "false green: nothing was checked at all",
			record: qa.Record{},
			want:   qa.Inconclusive, reason: "no check was executed",
		},
		{
			name:   "false green: the model's word alone",
			record: qa.Record{Expectations: []qa.Expectation{visiblePay}, Checks: []qa.Check{by(qa.SourceModel, look("C1", "E1"))}},
			want:   qa.Inconclusive, reason: "no executed check is bound to it",
		},
		{
			name:   "false green: the model's word alone, nothing expected",
			record: qa.Record{Checks: []qa.Check{by(qa.SourceModel, look("C1"))}},
			want:   qa.Inconclusive, reason: "no check was executed",
		},
		{
			name:   "false green: a check that nobody made",
			record: qa.Record{Checks: []qa.Check{by("", look("C1")), by("Model", look("C2"))}},
			want:   qa.Inconclusive, reason: "no check was executed",
		},
		{
			name:   "false green: praise in the words of a check",
			record: qa.Record{Checks: []qa.Check{failed(qa.Check{Kind: "visible", Subject: "all passed, no fail", Source: qa.SourceTool})}},
			want:   qa.Failed, reason: "all passed, no fail",
		},
		// Whose fault is it?
		{
			name: "site down: the thing under test is at fault",
			record: qa.Record{
				Checks:   []qa.Check{{Kind: "page_loads", Subject: "http://shop.test/", Expected: "the page loads", Observed: "connection refused", Source: qa.SourceTool}},
				Findings: []qa.Finding{graded(qa.Blocker)},
			},
			want: qa.Failed, reason: "page_loads http://shop.test/: expected the page loads, observed connection refused; 1 finding",
		},
		{
			name: "site down while the budget ran out: still the site's fault",
			record: qa.Record{
				Findings:      []qa.Finding{graded(qa.Blocker)},
				Interruptions: []qa.Interruption{{Kind: qa.BudgetSpent, Subject: "maxTimeMs"}},
			},
			want: qa.Failed, reason: "blocker",
		},
		{name: "tester: out of time", record: interrupted(qa.TimedOut, "run", "180 s"), want: qa.Inconclusive, reason: "timeout: run: 180 s"},
		{name: "tester: browser crashed", record: interrupted(qa.Crashed, "browser", "twice"), want: qa.Inconclusive, reason: "crash: browser"},
		{name: "tester: model gave no answer", record: interrupted(qa.ModelError, "turn 3", "no JSON"), want: qa.Inconclusive, reason: "model: turn 3"},
		{name: "tester: needs a person", record: interrupted(qa.NeedsHuman, "sign in", "captcha"), want: qa.Inconclusive, reason: "needs-human: sign in"},
		{name: "tester: could not look", record: interrupted(qa.NotExecuted, "verify_page_loads", "DRIVER_MISSING"), want: qa.Inconclusive, reason: "not-executed"},
		{
			name: "tester: several faults are counted",
			record: qa.Record{Checks: []qa.Check{look("C1")}, Interruptions: []qa.Interruption{
				{Kind: qa.Crashed, Subject: "browser"}, {Kind: qa.TimedOut}, {Kind: qa.TimedOut},
			}},
			want: qa.Inconclusive, reason: "(and 2 more)",
		},
		{
			name:   "tester: a check that ended neither way is no fault, and no pass",
			record: qa.Record{Checks: []qa.Check{look("C1"), failedBy(look("C2"), qa.Facts{Open: true, Why: "it did not stand still"})}},
			want:   qa.Inconclusive, reason: "not-executed: visible",
		},
		{
			name:   "tester: only a person can say whether it passes",
			record: qa.Record{Checks: []qa.Check{look("C1"), failedBy(look("C2"), qa.Facts{Code: code.NeedsHuman, Why: "sign in"})}},
			want:   qa.Inconclusive, reason: "needs-human: visible",
		},
		// Severities.
		{name: "blocker fails", record: found(qa.Blocker), want: qa.Failed},
		{name: "critical fails", record: found(qa.Critical), want: qa.Failed},
		{name: "major fails", record: found(qa.Major), want: qa.Failed},
		{name: "minor doesn't fail", record: found(qa.Minor), want: qa.Passed},
		{name: "info doesn't fail", record: found(qa.Info), want: qa.Passed},
		{
			name:   "a model's word is enough to fail",
			record: qa.Record{Checks: []qa.Check{look("C1"), failed(by(qa.SourceModel, look("C2")))}},
			want:   qa.Failed,
		},
		// Passes.
		{name: "one check, nothing expected", record: qa.Record{Checks: []qa.Check{look("C1")}}, want: qa.Passed, reason: "1 check passed"},
		{name: "a rule's check counts", record: qa.Record{Checks: []qa.Check{by(qa.SourceRule, look("C1"))}}, want: qa.Passed},
		{
			name: "every expectation proved",
			record: qa.Record{
				Expectations: []qa.Expectation{visiblePay, {ID: "E2", Text: `"Pay" is a button`}},
				Checks:       []qa.Check{look("C1", "E1"), look("C2", "E2"), by(qa.SourceModel, look("C3"))},
			},
			want: qa.Passed, reason: "2 checks passed",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := qa.Judge(tt.record)
			if got.Status != tt.want || !strings.Contains(string(got.Reason), tt.reason) {
				t.Errorf("Judge = %s (%s), want %s (…%s…)", got.Status, got.Reason, tt.want, tt.reason)
			}
			if got.Reason == "" {
				t.Error("a verdict without a reason")
			}
		})
	}
}

func interrupted(kind qa.InterruptionKind, subject, detail string) qa.Record {
	return qa.Record{
		Checks:        []qa.Check{look("C1")},
		Interruptions: []qa.Interruption{{Kind: kind, Subject: subject, Detail: pagetext.Text(detail)}},
	}
}

func found(s qa.Severity) qa.Record {
	return qa.Record{Checks: []qa.Check{look("C1")}, Findings: []qa.Finding{graded(s)}}
}

// A9: the report of a run that could not find out says in a finding why.
func TestJudgeNamesWhatTheTesterCouldNotDo(t *testing.T) {
	got := qa.Judge(interrupted(qa.BudgetSpent, "maxScreenshots", "20 of 20 used")).Findings
	want := []qa.Finding{{
		ID: "I1", Severity: qa.Info, Category: qa.Reliability, Source: qa.SourceRule, Confidence: 1,
		Title: "Not done: maxScreenshots – 20 of 20 used", Assertion: "the tester could do its work: maxScreenshots", Expected: "done", Observed: "budget: 20 of 20 used",
		Evidence: []qa.EvidenceRef{}, Stopped: qa.BudgetSpent,
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("findings of a spent budget (-want +got):\n%s", diff)
	}

	got = qa.Judge(qa.Record{Expectations: []qa.Expectation{visiblePay}, Checks: []qa.Check{look("C1")}}).Findings
	if len(got) != 1 || !got[0].Expected.Equal(visiblePay.Text) || !strings.Contains(string(got[0].SuggestedFix), `expects: ["E1"]`) {
		t.Errorf("findings of an unproved expectation = %+v, want one that says what to call", got)
	}
}

// TestJudgeProperties tries the promises on generated records.
func TestJudgeProperties(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2)) // fixed seed: a failure can be repeated
	seen := map[qa.Status]int{}
	for range 5000 {
		r := randomRecord(rng)
		status := qa.Judge(r).Status
		seen[status]++

		bad := r
		bad.Checks = append(append([]qa.Check{}, r.Checks...), failed(look("X")))
		if got := qa.Judge(bad).Status; got != qa.Failed {
			t.Fatalf("with a failed check added: %s, want failed; record %+v", got, r)
		}
		bad = r
		bad.Findings = append(append([]qa.Finding{}, r.Findings...), graded([]qa.Severity{qa.Blocker, qa.Critical, qa.Major}[rng.IntN(3)]))
		if got := qa.Judge(bad).Status; got != qa.Failed {
			t.Fatalf("with a grave finding added: %s, want failed; record %+v", got, r)
		}

		bad = r
		bad.Checks = append(append([]qa.Check{}, r.Checks...), failedBy(look("X"), qa.Facts{Open: true}))
		if got := qa.Judge(bad).Status; got == qa.Passed || (got == qa.Failed) != (status == qa.Failed) {
			t.Fatalf("with a check added that ended neither way: %s, without it %s; record %+v", got, status, r)
		}

		shuffled := r
		shuffled.Checks = append([]qa.Check{}, r.Checks...)
		rng.Shuffle(len(shuffled.Checks), func(i, j int) {
			shuffled.Checks[i], shuffled.Checks[j] = shuffled.Checks[j], shuffled.Checks[i]
		})
		if got := qa.Judge(shuffled).Status; got != status {
			t.Fatalf("the order of checks changes %s to %s; record %+v", status, got, r)
		}

		said := r
		said.Checks = append(append([]qa.Check{}, r.Checks...), by(qa.SourceModel, look("X", "E1", "E2", "E3")))
		if got := qa.Judge(said).Status; got != status {
			t.Fatalf("a model's word changes %s to %s; record %+v", status, got, r)
		}

		spent := r
		spent.Interruptions = append(append([]qa.Interruption{}, r.Interruptions...), qa.Interruption{Kind: qa.BudgetSpent})
		if got := qa.Judge(spent).Status; got == qa.Passed {
			t.Fatalf("an interrupted run passed; record %+v", r)
		}
	}
	for _, s := range []qa.Status{qa.Passed, qa.Failed, qa.Inconclusive} {
		if seen[s] < 100 {
			t.Errorf("only %d of the generated records are %s: the properties weren't tried on it", seen[s], s)
		}
	}
}

func randomRecord(rng *rand.Rand) qa.Record {
	ids := []string{"E1", "E2", "E3"}
	var r qa.Record
	for _, id := range ids[:rng.IntN(3)] {
		r.Expectations = append(r.Expectations, qa.Expectation{ID: id, Text: visiblePay.Text})
	}
	for range rng.IntN(6) {
		c := by([]qa.Source{qa.SourceTool, qa.SourceTool, qa.SourceRule, qa.SourceModel}[rng.IntN(4)], look("C"))
		c.Expects = ids[:rng.IntN(4)]
		switch rng.IntN(24) {
		case 0, 1:
			c = failed(c)
		case 2:
			c = failedBy(c, qa.Facts{Open: true})
		}
		r.Checks = append(r.Checks, c)
	}
	if rng.IntN(6) == 0 {
		r.Findings = append(r.Findings, graded(qa.Severities()[rng.IntN(5)]))
	}
	if rng.IntN(6) == 0 {
		r.Interruptions = append(r.Interruptions, qa.Interruption{Kind: qa.TimedOut})
	}
	return r
}
