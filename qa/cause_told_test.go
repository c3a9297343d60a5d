package qa_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/code"
)

// one returns one of several values.
func one[T any](r *rand.Rand, of ...T) T { return of[r.IntN(len(of))] }

// anyFacts makes facts of all kinds, whether they fit each other or not. Their words are
// those of other causes: nothing may follow from them.
func anyFacts(r *rand.Rand) qa.Facts {
	codes := []string{code.ElementNotFound, code.SelectorAmbiguous, code.NotActionable, code.Timeout, code.NavigationFailed, code.Dialog, code.InvalidInput, code.DriverMissing,
		code.HostBlocked, code.ActionBlocked, code.NeedsHuman, code.PageCrashed, code.BrowserCrashed, code.SessionNotFound, code.Internal, code.DiskFull, "NEW_CODE"}
	f := qa.Facts{Why: one[pagetext.Text](r, "", "", "net::ERR_PROXY_CONNECTION_FAILED", "no element matches", "passed", "does not look as its baseline")}
	if r.IntN(2) == 0 {
		f.Code = one(r, codes...)
	}
	switch r.IntN(12) {
	case 0:
		f.Net = one(r, "ERR_CONNECTION_REFUSED", "ERR_PROXY_CONNECTION_FAILED", "ERR_UNSAFE_PORT", "ERR_NEW")
	case 1:
		f.Status = one(r, 200, 401, 404, 500)
	case 2:
		f.LimitMS = 10_000
	case 3:
		f.Count, f.Found = 2, pagetext.Of("a", "b")
	case 4:
		f.Missing = true
	case 5:
		f.Unseen = true
	case 6:
		f.Open = true
	case 7:
		f.OutOfTime = true
	case 8:
		f.Download = true
	case 9:
		f.ClosedSelf = true
	case 10:
		f.NoBaseline, f.Approvable, f.Proposed = true, "b-1", r.IntN(2) == 0
	case 11:
		f.NotApproved, f.Approvable = true, "b-1"
	}
	return f
}

func anyCheck(r *rand.Rand, id int) qa.Check {
	c := qa.Check{ID: fmt.Sprint("C", id), Kind: one(r, "text_equals", "visible", "kpi", "visual", "title", "page_loads", "http_status", "click", "verify_user_flow", "console_clean"),
		Subject: "s", Source: one(r, qa.SourceTool, qa.SourceRule, qa.SourceModel), Finding: one(r, "", "", "F1", "F2")}
	c.Take(qa.Outcome{Passed: r.IntN(3) > 0, Expected: "30", Observed: one[pagetext.Text](r, "31", "net::ERR_PROXY_X", "passed"), Facts: anyFacts(r)})
	if c.Passed && r.IntN(4) == 0 {
		c.Void = []string{"the caller made it"}
	}
	c.Held, c.NeverSeen = r.IntN(3) == 0, r.IntN(5) == 0
	if r.IntN(3) == 0 {
		c.Expects = []string{"E1"}
	}
	return c
}

func anyRecord(r *rand.Rand) qa.Record {
	var out qa.Record
	for i := range r.IntN(5) {
		out.Checks = append(out.Checks, anyCheck(r, i+1))
	}
	for i := range r.IntN(3) {
		out.Findings = append(out.Findings, qa.Finding{ID: fmt.Sprint("F", i+1), Severity: one(r, qa.Severities()...), Assertion: "something holds", Observed: "it does not"})
	}
	if r.IntN(4) == 0 {
		out.Interruptions = append(out.Interruptions, qa.Interruption{Kind: one(r, qa.BudgetSpent, qa.Crashed, qa.NotExecuted), Subject: "x", Detail: "2 checks passed"})
	}
	if r.IntN(3) == 0 {
		out.Expectations = []qa.Expectation{{ID: "E1", Text: "failed", Assertion: &qa.Assertion{Type: qa.TextEquals, Expected: "30"}, Selector: "s"}}
	}
	return out
}

// said is a sentence, with the condition under which it is true.
type said[T any] struct {
	begins string // %d stands for a number
	when   func(T) bool
}

// begun reports whether a text begins with the sentence.
func begun(text, sentence string) bool {
	for i, part := range strings.Split(sentence, "%d") {
		if i > 0 {
			rest := strings.TrimLeft(text, "0123456789")
			if rest == text {
				return false
			}
			text = rest
		}
		var ok bool
		if text, ok = strings.CutPrefix(text, part); !ok {
			return false
		}
	}
	return true
}

func endedAs(s qa.Status) func(qa.Check) bool {
	return func(c qa.Check) bool { return c.Ended().Ending.Status() == s }
}

func grave(f qa.Finding) bool {
	return slices.Contains([]qa.Severity{qa.Blocker, qa.Critical, qa.Major}, f.Severity)
}

// verdictSentences lists each sentence in which a verdict is told, and when it is true.
func verdictSentences() map[string]said[qa.Record] {
	failed := func(r qa.Record) bool { return slices.ContainsFunc(r.Checks, endedAs(qa.Failed)) }
	fault := func(r qa.Record) bool { return failed(r) || slices.ContainsFunc(r.Findings, grave) }
	undecided := func(r qa.Record) bool {
		return len(r.Interruptions) > 0 || slices.ContainsFunc(r.Checks, func(c qa.Check) bool { return endedAs(qa.Inconclusive)(c) && (!c.Passed || len(c.Void) == 0) })
	}
	unproved := func(r qa.Record) bool { return len(qa.Unproven(r.Expectations, r.Checks)) > 0 }
	executed := func(c qa.Check) bool { return c.Source != qa.SourceModel }
	proofs := func(r qa.Record) (out []qa.Check) {
		for _, c := range r.Checks {
			if executed(c) && len(c.Void) == 0 && endedAs(qa.Passed)(c) {
				out = append(out, c)
			}
		}
		return out
	}
	brought := func(c qa.Check) bool { return c.Kind == "console_clean" || !c.Held && !c.NeverSeen }
	none := func(r qa.Record) bool { return !fault(r) && !undecided(r) && !unproved(r) && len(proofs(r)) == 0 }
	rest := func(r qa.Record) bool { return !fault(r) && !undecided(r) && !unproved(r) && len(proofs(r)) > 0 }
	acted := func(c qa.Check) bool { return c.Kind != "console_clean" && brought(c) }
	held := func(c qa.Check) bool { return c.Held && c.Kind != "console_clean" }
	never := func(c qa.Check) bool { return c.NeverSeen }
	nothing := func(r qa.Record) bool { return rest(r) && !slices.ContainsFunc(proofs(r), acted) }
	return map[string]said[qa.Record]{
		"a check failed": {"%d check", func(r qa.Record) bool {
			return failed(r) || rest(r) && !(nothing(r) && slices.ContainsFunc(proofs(r), func(c qa.Check) bool { return held(c) || never(c) }))
		}},
		"findings alone":  {"%d finding", func(r qa.Record) bool { return !failed(r) && fault(r) }},
		"an interruption": {"", func(r qa.Record) bool { return !fault(r) && undecided(r) }},
		"not proved":      {"%d expectation not proved; first: ", func(r qa.Record) bool { return !fault(r) && !undecided(r) && unproved(r) }},
		"nothing looked":  {"no check was executed", func(r qa.Record) bool { return none(r) && !slices.ContainsFunc(r.Checks, executed) }},
		"all void":        {"no executed check proves anything", func(r qa.Record) bool { return none(r) && slices.ContainsFunc(r.Checks, executed) }},
		"held before":     {"nothing that was checked was brought about", func(r qa.Record) bool { return nothing(r) && slices.ContainsFunc(proofs(r), held) }},
		"never seen": {"nothing was proved but the absence", func(r qa.Record) bool {
			return nothing(r) && !slices.ContainsFunc(proofs(r), held) && slices.ContainsFunc(proofs(r), never)
		}},
	}
}

// The verdict is told in one of a closed list of sentences, and each exactly where it is
// true, whatever the texts in the record say.
func TestVerdictSentences(t *testing.T) {
	t.Parallel()
	r, told, sentences := rand.New(rand.NewPCG(29, 1)), map[string]int{}, verdictSentences()
	for range 8_000 {
		record := anyRecord(r)
		v := qa.Judge(record)
		name1 := ""
		for name, s := range sentences {
			holds := s.when(record)
			if name == "an interruption" { // it begins with the kind
				s.begins = "none of the kinds"
				for _, k := range []qa.InterruptionKind{qa.BudgetSpent, qa.Crashed, qa.NotExecuted, qa.NeedsHuman} {
					if begun(string(v.Reason), string(k)+": ") {
						s.begins = string(k) + ": "
					}
				}
			}
			if begun(string(v.Reason), s.begins) != holds {
				t.Fatalf("%s is true: %v, and the verdict says %q of %+v", name, holds, v.Reason, record)
			}
			if holds {
				name1, told[name] = name, told[name]+1
			}
		}
		if name1 == "" {
			t.Fatalf("no sentence of the list is true of %+v: %q", record, v.Reason)
		}
		counted(t, record, v)
	}
	for name := range sentences {
		if told[name] == 0 {
			t.Errorf("no record was told so: %s", name)
		}
	}
}

// counted makes sure that the numbers of a verdict's sentence are those of the record.
func counted(t *testing.T, record qa.Record, v qa.Verdict) {
	t.Helper()
	failed, faults, passed := 0, map[string]bool{}, 0
	for i, c := range record.Checks {
		switch c.Status() {
		case qa.Failed:
			failed++
			if c.Finding == "" {
				faults[fmt.Sprint("of check ", i)] = true
			} else {
				faults[c.Finding] = true
			}
		case qa.Passed:
			if c.Source != qa.SourceModel && len(c.Void) == 0 {
				passed++
			}
		}
	}
	reason := string(v.Reason)
	var a, b int
	switch {
	case v.Status == qa.Passed:
		if _, err := fmt.Sscanf(reason, "%d check", &a); err != nil || a != passed {
			t.Fatalf("%d checks prove something, and the verdict says %q", passed, reason)
		}
	case failed > 0:
		noun := "checks"
		if failed == 1 {
			noun = "check"
		}
		if _, err := fmt.Sscanf(reason, "%d "+noun+" of %d failed", &a, &b); err != nil || a != failed || b != len(record.Checks) {
			t.Fatalf("%d of %d checks failed, and the verdict says %q", failed, len(record.Checks), reason)
		}
		if by := fmt.Sprintf(" by %d fault", len(faults)); strings.Contains(reason, by) != (len(faults) != failed) {
			t.Fatalf("%d checks failed by %d faults, and the verdict says %q", failed, len(faults), reason)
		}
	}
}

// titleSentences lists the forms of a finding's title that say more than what was observed,
// and when they are true of the check that they are about.
func titleSentences() []said[qa.Check] {
	ending := func(want ...qa.Ending) func(qa.Check) bool {
		return func(c qa.Check) bool { return slices.Contains(want, c.Ended().Ending) && c.Kind != "page_loads" }
	}
	fails := func(kind string, more func(qa.Facts) bool) func(qa.Check) bool {
		return func(c qa.Check) bool {
			f := c.Ended().Facts
			return c.Kind == kind && c.Ended().Ending == qa.DoesNotHold && f.Code == "" && (f.Count == 0 || kind != "console_clean") && more(f)
		}
	}
	plain := func(f qa.Facts) bool { return !f.Missing }
	always := func(qa.Facts) bool { return true }
	return []said[qa.Check]{
		{"Not judged: ", ending(qa.Unable)},
		{"Not judged, as something is set wrong: ", ending(qa.Misset)},
		{"Not judged, as a rule stopped it: ", ending(qa.Guarded)},
		{"A person has to decide: ", ending(qa.NeedsPerson)},
		{"Not judged, as the page was lost: ", ending(qa.Gone)},
		{"S does not look as its baseline: ", func(c qa.Check) bool {
			f := c.Ended().Facts
			return c.Kind == "visual" && !c.Passed && f.Code == "" && !f.NoBaseline && !f.Open && !f.OutOfTime
		}},
		{"The page has no title", fails("title", always)},
		{"s answers ", fails("http_status", always)},
		{`s shows "`, fails("text_equals", plain)},
		{"s is not visible", fails("visible", plain)},
		{"%d console errors: ", func(c qa.Check) bool {
			return c.Kind == "console_clean" && c.Status() == qa.Failed && c.Ended().Count > 0
		}},
		{"No element matches s", func(c qa.Check) bool {
			f := c.Ended().Facts
			return (c.Kind == "text_equals" || c.Kind == "visible" || c.Kind == "click" || c.Kind == "console_clean") && c.Status() == qa.Failed && f.Code == "" && f.Missing
		}},
		{"s was not judged: the tester's own time was over", func(c qa.Check) bool { return c.Kind == "page_loads" && c.Ended().OutOfTime }},
		{"s did not load within 10 s", func(c qa.Check) bool { return c.Kind == "page_loads" && c.Ended().LimitMS > 0 }},
		{"Nothing answers at s (connection refused)", func(c qa.Check) bool { return c.Kind == "page_loads" && c.Ended().Net == "ERR_CONNECTION_REFUSED" }},
		{"The proxy to s does not answer", func(c qa.Check) bool { return c.Kind == "page_loads" && c.Ended().Net == "ERR_PROXY_CONNECTION_FAILED" }},
	}
}

// A title is a function of the cause: each form stands exactly where it is true.
func TestTitleSentences(t *testing.T) {
	t.Parallel()
	r, told, sentences := rand.New(rand.NewPCG(29, 2)), map[string]int{}, titleSentences()
	for i := range 8_000 {
		c := anyCheck(r, i)
		if c.Status() == qa.Passed {
			continue
		}
		title := string(c.AsFinding().Headline())
		for _, s := range sentences {
			if begun(title, s.begins) != s.when(c) {
				t.Fatalf("%q is true: %v, and the title is %q of %+v, cause %+v", s.begins, s.when(c), title, c, c.Cause)
			}
			if s.when(c) {
				told[s.begins]++
			}
		}
	}
	for _, s := range sentences {
		if told[s.begins] == 0 {
			t.Errorf("no check has such a title: %s", s.begins)
		}
	}
}

// What is shown of an ending agrees: word, exit code, look, status of a test case, and
// whether something is said to be done.
func TestWhatEndingsAreToldAs(t *testing.T) {
	t.Parallel()
	for ending, want := range map[qa.Ending]struct {
		status qa.Status
		word   string
		code   int
		class  string
		test   qa.TestStatus
		stops  qa.InterruptionKind
	}{
		qa.Holds:       {qa.Passed, "PASSED", 0, "good", qa.TestPassed, qa.NotExecuted},
		qa.DoesNotHold: {qa.Failed, "FAILED", 1, "bad", qa.TestFailed, qa.NotExecuted},
		qa.Unable:      {qa.Inconclusive, "INCONCLUSIVE", 1, "open", qa.TestError, qa.NotExecuted},
		qa.Misset:      {qa.Inconclusive, "INCONCLUSIVE", 1, "open", qa.TestError, qa.NotExecuted},
		qa.Guarded:     {qa.Inconclusive, "INCONCLUSIVE", 1, "open", qa.TestError, qa.NotExecuted},
		qa.NeedsPerson: {qa.Inconclusive, "INCONCLUSIVE", 1, "open", qa.TestError, qa.NeedsHuman},
		qa.Gone:        {qa.Inconclusive, "INCONCLUSIVE", 1, "open", qa.TestError, qa.Crashed},
		"of later":     {qa.Inconclusive, "INCONCLUSIVE", 1, "open", qa.TestError, qa.NotExecuted},
	} {
		s := ending.Status()
		if s != want.status || s.Shouted() != want.word || s.ExitCode() != want.code || s.Look().Class != want.class || s.TestStatus() != want.test || ending.Interruption() != want.stops {
			t.Errorf("%s: %s %s %d %+v %s %s", ending, s, s.Shouted(), s.ExitCode(), s.Look(), s.TestStatus(), ending.Interruption())
		}
		if s.TestStatus().Verdict() != s {
			t.Errorf("%s: %s comes back as %s", ending, s, s.TestStatus().Verdict())
		}
	}
	r := rand.New(rand.NewPCG(29, 3))
	for range 4_000 {
		c := qa.CauseOf(r.IntN(2) == 0, anyFacts(r))
		next := c.Next()
		for words, when := range map[string]bool{
			"": c.Ending == qa.Holds || c.Approvable == "" && c.Net != "ERR_CONNECTION_REFUSED" && c.Net != "ERR_PROXY_CONNECTION_FAILED" && c.Net != "ERR_UNSAFE_PORT",
			"if this picture is wanted, a person approves it: assay baseline approve b-1":                     c.Ending != qa.Holds && c.NoBaseline && c.Proposed,
			"the next run compares with it; a person looks at it and approves it: assay baseline approve b-1": c.Ending != qa.Holds && c.NoBaseline && !c.Proposed,
			"a person looks at it and approves it: assay baseline approve b-1":                                c.Ending == qa.NeedsPerson && c.NotApproved,
			"if the change is wanted, a person approves it: assay baseline approve b-1":                       c.Ending != qa.Holds && c.Ending != qa.NeedsPerson && c.NotApproved,
			"fix the proxy that this machine is configured with":                                              c.Net == "ERR_PROXY_CONNECTION_FAILED" && c.Ending != qa.Holds,
		} {
			if said := next == words || words != "" && strings.HasPrefix(next, words+" "); said != when {
				t.Fatalf("%q is due: %v, and next is %q of %+v", words, when, next, c)
			}
		}
	}
}

// The numbers of a count of checks add up.
func TestTallyAddsUp(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(29, 4))
	for range 2_000 {
		var checks []qa.Check
		for i := range r.IntN(30) {
			checks = append(checks, anyCheck(r, i))
		}
		tally := qa.TallyOf(checks)
		var passed, all int
		if _, err := fmt.Sscanf(tally.Line(), "%d of %d check", &passed, &all); err != nil || passed != tally.Passed || all != len(checks) {
			t.Fatalf("%q of %d checks, %+v: %v", tally.Line(), len(checks), tally, err)
		}
		for _, c := range qa.FailedFirst(checks)[:tally.Failed] {
			if c.Status() != qa.Failed {
				t.Fatalf("%s stands before one that failed", c.Status())
			}
		}
		left, others := len(checks)-passed, 0
		for _, part := range strings.Split(tally.Line(), ", ")[1:] {
			var n int
			if _, err := fmt.Sscanf(part, "%d", &n); err != nil {
				t.Fatal(err)
			}
			others += n
		}
		if others != left {
			t.Fatalf("%q: %d did not pass, and %d are told", tally.Line(), left, others)
		}
	}
}

// No comparison that does not hold says that it expected what it observed.
func TestFailuresDifferFromWhatWasExpected(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(29, 5))
	texts := []string{"30", "30 ", "30\u00a0", "3\u00ad0", "\uff13\uff10", "31", "", "caf\u00e9", "cafe\u0301", "a\nb", "a b", "enabled", "not enabled", "true", "404"}
	failed := map[qa.AssertionType]bool{}
	for range 40_000 {
		a := qa.Assertion{Type: one(r, qa.AssertionTypes()...), Expected: one(r, texts...), Not: r.IntN(4) == 0, Value: "30", Op: one(r, "==", "<", ">"), Order: "asc", As: one(r, "text", "number"), Other: "#o", Attribute: "x"}
		o := qa.Observation{Count: r.IntN(3), Seen: r.IntN(2), TextFits: r.IntN(2) == 0, Why: one(r, "", "transparent"), Doubt: one(r, "", "", "it moves"), URL: one(r, texts...), Title: pagetext.Text(one(r, texts...)), Status: one(r, 0, 200, 404), Came: r.IntN(2), Items: texts[:r.IntN(4)], Values: texts[:r.IntN(3)], Disabled: r.IntN(2) == 0, Errors: pagetext.Of(texts[:r.IntN(2)]...), Lines: texts[:r.IntN(3)]}
		if r.IntN(4) > 0 {
			text, value, on := one(r, texts...), one(r, texts...), r.IntN(2) == 0
			o.Text, o.Value, o.On = &text, &value, &on
		}
		o.Keys = o.Items
		out := a.Compare(o)
		if out.Passed {
			continue
		}
		failed[a.Type] = true
		if out.Observed.LooksLike(out.Expected) {
			t.Fatalf("%s fails with expected %q and observed %q: %+v", a.Type, out.Expected, out.Observed, o)
		}
		c := a.Check("#x")
		c.Take(out)
		if title := string(c.AsFinding().Headline()); strings.Contains(title, "instead of") && out.Facts.Alike {
			t.Fatalf("the title is %s", title)
		}
	}
	for _, k := range qa.AssertionTypes() {
		if !failed[k] {
			t.Errorf("%s never failed", k)
		}
	}
}
