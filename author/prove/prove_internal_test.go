package prove

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-qa/assay/author/testrun"
)

// line is a place in a test.
func line(n int) *testrun.Location { return &testrun.Location{File: "/p/a.spec.ts", Line: n} }

// watched is a control run: a page is opened, a button pressed, and a text compared.
func watched() record {
	page := request{Method: "GET", Path: "/", Origin: "http://x", URL: "http://x/", Type: "document", Status: 200, Navigation: true, MIME: "text/html"}
	data := request{Method: "GET", Path: "/api", Origin: "http://x", Type: "fetch", Status: 200, Digest: "d1", Shape: &shape{List: 3, Varied: true, Numbers: true, Words: true}}
	newer := data
	newer.Digest = "d2"
	return record{Test: "/p/a.spec.ts\na", Ops: []op{
		{Key: "goto", N: 1, Kind: goTo, Method: "goto", At: line(3), OK: true, Requests: []request{page, {Method: "GET", Path: "/app.js", Origin: "http://x", Type: "script", Status: 200}, data}},
		{Key: "click", N: 1, Kind: act, Method: "click", Selector: "button", At: line(4), OK: true, MS: 1200, Elements: []target{{Tag: "button", Text: "Load", Type: "submit", Control: true}}, Requests: []request{newer, {Method: "POST", Path: "/api", Type: "fetch", Status: 200}}},
		{Key: "text", N: 1, Kind: expect, Method: "to.have.text", Selector: "#sum", At: line(5), OK: true, Expected: []string{"$42"}, Elements: []target{{Tag: "p", Text: "$42"}}},
		{Key: "none", N: 1, Kind: expect, Method: "to.be.visible", Selector: ".error", At: line(6), OK: true, Not: true},
	}}
}

// E7: mutants come from what a test does and looks at, and each class has its own.
func TestMutantsOfAControlRun(t *testing.T) {
	kinds := map[Class][]string{}
	for _, m := range mutantsOf(watched(), 2000) {
		kinds[m.Class] = append(kinds[m.Class], m.Kind)
	}
	for _, m := range mutantsOf(watched(), 2000) {
		if m.Kind == "other-data" && (!slices.Contains(m.spec.Keep, "$42") || !slices.Contains(m.spec.Keep, "button") || m.spec.Request != "GET /api") {
			t.Errorf("other data that the test names, or of another request: %+v", m.spec)
		}
	}
	want := map[Class][]string{
		Navigation:  {"answer 500", "answer 404", "answer 403"},
		Script:      {"script 500", "exception"},
		NoEffect:    {"swallowed", "write-dropped"},
		Missing:     {"removed", "disabled", "hidden", "covered", "removed"},
		WrongEffect: {"answer-empty", "answer-short", "answer-doubled", "answer-tenfold", "answer-unsorted", "stale", "answer-empty", "answer-short", "answer-doubled", "answer-tenfold", "answer-unsorted", "plus-one", "times-ten", "minus-one", "nan", "other-label", "emptied"},
		Equivalent:  {"other-data", "wrapped", "delayed", "attribute-order", "banner"},
	}
	if diff := cmp.Diff(want, kinds); diff != "" {
		t.Error(diff)
	}
}

// The same seed chooses the same mutants; each place that asserts has one, and the
// number is bounded.
func TestChoiceOfMutants(t *testing.T) {
	all := mutantsOf(watched(), 2000)
	first := choose(watched(), all, 7, 0, nil)
	if diff := cmp.Diff(first, choose(watched(), all, 7, 0, nil), cmp.AllowUnexported(Mutant{}, spec{})); diff != "" {
		t.Errorf("the same seed: %s", diff)
	}
	if cmp.Equal(first, choose(watched(), all, 8, 0, nil), cmp.AllowUnexported(Mutant{}, spec{})) {
		t.Error("another seed chooses the same")
	}
	if few := choose(watched(), all, 7, 3, nil); len(few) != 3+mostEqual {
		t.Errorf("%d mutants, and not 3 faults and %d others", len(few), mostEqual)
	}
	has := func(fits func(Mutant) bool) bool { return slices.ContainsFunc(first, fits) }
	if !has(func(m Mutant) bool { return !m.OfAct && m.At.Line == 5 }) || !has(func(m Mutant) bool { return m.Kind == "swallowed" }) {
		t.Errorf("no mutant of the expectation or of the act: %+v", first)
	}
	for class, n := range map[Class]int{Equivalent: mostEqual, Navigation: 1, Script: 1, WrongEffect: 1} {
		got := 0
		for _, m := range first {
			if m.Class == class {
				got++
			}
		}
		if got < n || len(first) > fewFaults+mostEqual {
			t.Errorf("%s: %d of %d mutants", class, got, len(first))
		}
	}
}

// E7: a mutant counts only if it reached the page; only an expectation kills strongly.
func TestOutcomes(t *testing.T) {
	no := false
	failed := testrun.Test{Status: "failed", Errors: []testrun.Failure{{Message: "boom"}}, Steps: []testrun.Step{{Category: "expect", Location: line(5), Error: &testrun.Failure{Message: "boom"}}}}
	timedOut := testrun.Test{Status: "failed", Errors: []testrun.Failure{{Message: "boom"}}, Steps: []testrun.Step{{Category: "pw:api", Error: &testrun.Failure{}}}}
	passed := testrun.Test{Status: "passed"}
	says := func(steps ...testrun.Step) testrun.Test {
		return testrun.Test{Status: "failed", Errors: []testrun.Failure{{Message: "boom", Location: line(7)}}, Steps: steps}
	}
	waits, throws := &proof{Reached: true, Changed: 1, Waited: line(7)}, &proof{Reached: true, Changed: 1, Thrown: true}
	inVain := testrun.Step{Category: "pw:api", Error: &testrun.Failure{}}
	for name, c := range map[string]struct {
		class Class
		test  testrun.Test
		proof *proof
		want  Outcome
	}{
		"by an expectation":      {NoEffect, failed, &proof{Reached: true, Changed: 1}, Strong},
		"by a time-out":          {Missing, timedOut, &proof{Reached: true, Changed: 1}, Weak},
		"by a wait for a state":  {NoEffect, says(inVain), waits, Strong},
		"by a click":             {NoEffect, says(inVain), throws, Weak},
		"by a wait of a hook":    {NoEffect, says(testrun.Step{Category: "hook", Error: &testrun.Failure{}}, inVain), waits, Weak},
		"by a hook after it":     {NoEffect, says(testrun.Step{Category: "hook"}, testrun.Step{Category: "hook", Error: &testrun.Failure{}}), throws, Weak},
		"by node's assert":       {NoEffect, says(testrun.Step{Category: "hook"}), throws, Strong},
		"by JavaScript itself":   {NoEffect, says(), &proof{Reached: true, Changed: 1}, Weak},
		"by the time of all":     {NoEffect, testrun.Test{Status: "timedOut", Errors: []testrun.Failure{{Message: "boom"}}}, throws, Weak},
		"not at all":             {NoEffect, passed, &proof{Reached: true, Changed: 1}, Survived},
		"not watched":            {NoEffect, failed, nil, Invalid},
		"not reached":            {NoEffect, failed, &proof{Changed: 1}, Invalid},
		"nothing changed":        {NoEffect, failed, &proof{Reached: true}, Invalid},
		"could not be":           {NoEffect, failed, &proof{Reached: true, Changed: 1, Why: "gone"}, Invalid},
		"undone":                 {WrongEffect, passed, &proof{Reached: true, Changed: 1, Held: &no}, Invalid},
		"undone after the kill":  {WrongEffect, failed, &proof{Reached: true, Changed: 1, Held: &no}, Strong},
		"equivalent, as it must": {Equivalent, passed, &proof{Reached: true, Changed: 1}, Tolerant},
		"equivalent, brittle":    {Equivalent, failed, &proof{Reached: true, Changed: 1}, Brittle},
	} {
		tried := Tried{Mutant: Mutant{Class: c.class}}
		tried.judge(c.test, c.proof)
		if tried.Outcome != c.want {
			t.Errorf("%s: %s, not %s (%s)", name, tried.Outcome, c.want, tried.Why)
		}
	}
}

// tries is a test with mutants that a pass has tried, and its control runs by block.
func tries(mutants int, reds ...int) *planned {
	t := &planned{greens: 1}
	for range mutants {
		t.tried = append(t.tried, Tried{Outcome: Strong, Mutant: Mutant{Class: NoEffect}})
	}
	for _, block := range reds {
		t.controlled(block, testrun.Test{Status: "failed"})
	}
	return t
}

// A test that is red without a mutant, before or after, makes those between invalid; beside
// others it makes all of them open, to be tried alone.
func TestRedControlRunsCountForNothing(t *testing.T) {
	one := tries(4*blockOfSlots, 1)
	one.settle(false, false)
	for i, m := range one.tried {
		red := i/blockOfSlots == 1 || i/blockOfSlots == 2 // before and after the red run
		if (m.Outcome == Invalid) != red {
			t.Errorf("mutant %d: %s (%s)", i, m.Outcome, m.Why)
		}
	}
	if one = tries(4*blockOfSlots, 1); len(one.settle(true, false)) != len(one.tried) || one.open() != len(one.tried) {
		t.Errorf("beside others: %d of %d are open", one.open(), len(one.tried))
	}
	one = tries(2, -1)
	one.greens, one.tried[1].Outcome = 0, Open
	one.settle(false, false)
	if verdict, why := one.verdict(); verdict != Unproved || !strings.Contains(why, "leaves something behind") {
		t.Errorf("red when it runs again: %s (%s)", verdict, why)
	}
}

// Of a proof that ended early, what was tried counts, and what was not is said.
func TestOpenMutants(t *testing.T) {
	one := tries(3)
	one.tried[2].Outcome = Open
	one.settle(false, true)
	if verdict, _ := one.verdict(); verdict != CanFail || one.open() != 1 {
		t.Errorf("%s, %d open", verdict, one.open())
	}
	one.tried[0].Outcome, one.tried[1].Outcome = Survived, Survived
	if verdict, why := one.verdict(); verdict != Unproved || why != "1 of 3 mutants were not tried yet" {
		t.Errorf("%s (%s)", verdict, why)
	}
	one.settle(false, false)
	if one.tried[2].Outcome != Invalid {
		t.Errorf("a mutant that was not run: %s", one.tried[2].Outcome)
	}
}

// Only tests with open mutants have slots; a control run comes first and after each block.
func TestSlotsOfOpenMutants(t *testing.T) {
	p := plan{tests: []*planned{tries(blockOfSlots + 2), tries(1)}}
	p.tests[0].tried[1].Outcome, p.tests[0].tried[blockOfSlots+1].Outcome, p.tests[1].tried[0].Outcome = Open, Open, Open
	var got []string
	for _, slot := range p.slots() {
		got = append(got, fmt.Sprint(slot.Name, " ", len(slot.Tests)))
	}
	want := []string{"control-00 2", "mutant-01 1", "mutant-02 1", "control-01 2", "mutant-08 1", "control-02 1"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// A journal gives back what came of mutants of the same tests, but for what is not known; its
// last line may be cut. It is no other proof's, and goes with one that is whole.
func TestJournal(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "a.spec.ts")
	write := func(path, text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	proof := func(resume bool) (Prover, *plan) {
		t.Helper()
		j, err := OpenJournal(folder, resume, "asked")
		if err != nil {
			t.Fatal(err)
		}
		one := &planned{control: testrun.Test{Titles: []string{"a"}, Location: testrun.Location{File: file}}}
		for i := range 4 {
			one.tried = append(one.tried, Tried{Outcome: Open, Mutant: Mutant{Class: Missing, Kind: "removed", At: line(i)}})
		}
		return Prover{Journal: j}, &plan{tests: []*planned{one}}
	}
	write(file, "test")
	p, first := proof(false)
	one := first.tests[0]
	one.tried[0].Outcome, one.tried[1].Outcome, one.tried[2].Outcome = Strong, Invalid, Weak
	if err := p.Journal.add(p, one, []int{0, 1, 2}); err != nil {
		t.Fatal(err)
	}
	one.tried[2].Outcome = Open
	if err := p.Journal.add(p, one, []int{2}); err != nil {
		t.Fatal(err)
	}
	known, err := os.ReadFile(p.Journal.Path)
	if err != nil {
		t.Fatal(err)
	}
	write(p.Journal.Path, string(known)+`{"file":"`)
	resumed := func() (out []Outcome) {
		t.Helper()
		p, again := proof(true)
		if err := p.recall(again); err != nil {
			t.Fatal(err)
		}
		for _, m := range again.tests[0].tried {
			out = append(out, m.Outcome)
		}
		return out
	}
	if diff := cmp.Diff([]Outcome{Strong, Open, Open, Open}, resumed()); diff != "" {
		t.Error(diff)
	}
	write(file, "another test")
	if diff := cmp.Diff([]Outcome{Open, Open, Open, Open}, resumed()); diff != "" {
		t.Errorf("another file: %s", diff)
	}
	if err := p.Journal.Close(Report{}); err != nil {
		t.Error(err)
	}
	if _, err := OpenJournal(folder, true, "asked"); err == nil {
		t.Error("a proof that is whole is gone on with")
	}
}

// A test that acts has to notice what its acts do.
func TestVerdicts(t *testing.T) {
	tried := func(ofAct bool, class Class, o Outcome) Tried {
		return Tried{Mutant: Mutant{OfAct: ofAct, Class: class}, Outcome: o}
	}
	shown := func(o Outcome) Tried {
		m := tried(false, Navigation, o)
		m.Kind = otherPage
		return m
	}
	looks := func(class Class, o Outcome) Tried {
		m := tried(false, class, o)
		if m.At = line(5); o == Strong {
			m.KilledAt = line(5)
		}
		return m
	}
	for name, c := range map[string]struct {
		tried []Tried
		want  Verdict
	}{
		"notices an act":          {[]Tried{tried(true, NoEffect, Strong)}, CanFail},
		"has no act":              {[]Tried{tried(false, WrongEffect, Strong)}, CanFail},
		"always there":            {[]Tried{tried(true, NoEffect, Survived), tried(false, Missing, Strong)}, CannotFail},
		"times out only":          {[]Tried{tried(true, NoEffect, Weak), tried(true, Missing, Weak)}, CannotFail},
		"notices nothing":         {[]Tried{tried(false, WrongEffect, Survived)}, CannotFail},
		"nothing reached it":      {[]Tried{tried(true, NoEffect, Invalid)}, Unproved},
		"equivalents are no say":  {[]Tried{tried(false, Equivalent, Brittle)}, Unproved},
		"an error page of an act": {[]Tried{tried(true, NoEffect, Survived), tried(true, Navigation, Strong)}, CannotFail},
		"holds on another page":   {[]Tried{shown(Survived), tried(false, Missing, Strong), tried(false, WrongEffect, Strong)}, CannotFail},
		"holds on its own page":   {[]Tried{shown(Strong)}, CanFail},
		"compares nothing":        {[]Tried{looks(WrongEffect, Survived), looks(Missing, Strong)}, CannotFail},
		"may compare nothing":     {[]Tried{looks(WrongEffect, Open), looks(Missing, Strong)}, Unproved},
		"may act without effect":  {[]Tried{tried(true, NoEffect, Open), tried(false, WrongEffect, Strong)}, Unproved},
		"compares something":      {[]Tried{looks(WrongEffect, Survived), looks(WrongEffect, Strong), looks(Missing, Strong)}, CanFail},
	} {
		if got, why := (&planned{tried: c.tried}).verdict(); got != c.want {
			t.Errorf("%s: %s (%s)", name, got, why)
		}
	}
}

// What a hook does tells nothing of a test that does something itself; of one that does not, it is all there is.
func TestOwnMutants(t *testing.T) {
	of := func(key string, class Class) Mutant { return Mutant{Class: class, spec: spec{Key: key, N: 1}} }
	r := record{Ops: []op{{Key: "sign in", N: 1, hook: true}, {Key: "save", N: 1}}}
	page, hook, own := of("", Equivalent), of("sign in", NoEffect), of("save", NoEffect)
	if got := ownOnes(r, []Mutant{page, hook, own}); len(got) != 2 || got[0].spec.Key != "" || got[1].spec.Key != "save" {
		t.Errorf("of its own: %+v", got)
	}
	if got := ownOnes(r, []Mutant{page, hook}); len(got) != 2 {
		t.Errorf("of its hook alone: %+v", got)
	}
}

// A wait has its own limit, and the test one in all.
func TestLimits(t *testing.T) {
	one := &planned{control: testrun.Test{DurationMS: 4000}, record: record{Ops: []op{{Key: "click", MS: 1000}, {Key: "fill", MS: 10}}, Waits: map[string]int64{"waitForURL|a:1": 5000, "waitFor|a:2": 3}}}
	if diff := cmp.Diff(map[string]int64{"": 3000, "click": 3000, "fill": 2000, "waitForURL|a:1": 15000, "waitFor|a:2": 2000, whole: 22000}, one.limits()); diff != "" {
		t.Error(diff)
	}
}

// That a field holds what was typed into it says nothing of what the test does then, unless it does nothing else.
func TestTypedTextsReadBack(t *testing.T) {
	types := Tried{Outcome: Strong, KilledAt: line(5), Mutant: Mutant{Class: NoEffect, Kind: inputIgnored, OfAct: true}}
	submits := func(o Outcome) Tried {
		return Tried{Outcome: o, KilledAt: line(9), Mutant: Mutant{Class: NoEffect, Kind: "submit-ignored", OfAct: true}}
	}
	for name, c := range map[string]struct {
		echo  bool
		tried []Tried
		want  Verdict
	}{
		"then submits":              {true, []Tried{types, submits(Survived)}, CannotFail},
		"then submits, and notices": {true, []Tried{types, submits(Strong)}, CanFail},
		"submits, not tried yet":    {true, []Tried{types, submits(Open)}, Unproved},
		"does nothing else":         {true, []Tried{types}, CanFail},
		"the page has changed it":   {false, []Tried{types, submits(Survived)}, CanFail},
	} {
		one := &planned{tried: c.tried, record: record{Ops: []op{{Kind: expect, At: line(5), Echo: c.echo}, {Kind: expect, At: line(9)}}}}
		if got, why := one.verdict(); got != c.want {
			t.Errorf("%s: %s (%s)", name, got, why)
		}
	}
}

// What hooks do and expect before a test is not what the test does and expects.
func TestHooksAreNotTheTest(t *testing.T) {
	step := func(category string, depth, at int) testrun.Step {
		return testrun.Step{Category: category, Depth: depth, Location: line(at)}
	}
	one := &planned{control: testrun.Test{Steps: []testrun.Step{{Category: "hook"}, step("hook", 1, 2), step("pw:api", 2, 4), step("expect", 2, 5), step("expect", 0, 6), {Category: "hook"}, step("expect", 1, 5)}}}
	one.record.Ops = []op{{Key: "click", N: 1, Kind: act, At: line(4)}, {Key: "text", N: 1, Kind: expect, At: line(5)}, {Key: "click", N: 2, Kind: act, At: line(4)}, {Key: "none", N: 1, Kind: expect, At: line(6)}}
	one.findHooks()
	var hooks []bool
	for _, o := range one.record.Ops {
		hooks = append(hooks, o.hook)
	}
	if diff := cmp.Diff([]bool{true, true, false, false}, hooks); diff != "" {
		t.Error(diff)
	}
	noticed := func(at int) Tried {
		return Tried{Outcome: Strong, KilledAt: line(at), Mutant: Mutant{Class: NoEffect, OfAct: true, spec: spec{Key: "click", N: 2}}}
	}
	one.tried = []Tried{noticed(5)}
	if verdict, why := one.verdict(); verdict != CannotFail || !strings.Contains(why, "hooks") {
		t.Errorf("noticed by a hook: %s (%s)", verdict, why)
	}
	one.tried = []Tried{noticed(6)}
	if verdict, why := one.verdict(); verdict != CanFail {
		t.Errorf("noticed by the test: %s (%s)", verdict, why)
	}
}

// A test that is marked to fail is green while it fails: no page turns it red.
func TestMarkedToFail(t *testing.T) {
	green := testrun.Result{Tests: []testrun.Test{{Project: control, Expected: "failed", Status: "failed"}}}
	if got := newPlan(green, nil, 1, 0, nil).report(); got[0].Verdict != CannotFail {
		t.Errorf("%s (%s)", got[0].Verdict, got[0].Reason)
	}
}

// What is read twice without an act between is changed before it is read first: a value that is
// compared with itself notices nothing. A test without acts gets another page.
func TestReadTwice(t *testing.T) {
	text := op{Kind: read, Method: "textContent", Selector: "p", OK: true, Elements: []target{{Text: "5"}}}
	first, second := text, text
	first.Key, first.At, second.Key, second.At = "a", line(1), "b", line(2)
	for _, m := range mutantsOf(record{Ops: []op{first, second}}, 0) {
		if m.Kind != otherPage && m.At.Line != 1 {
			t.Errorf("%s at line %d", m.Kind, m.At.Line)
		}
	}
	if all := mutantsOf(record{Ops: []op{first, {Kind: act, OK: true}, second}}, 0); !slices.ContainsFunc(all, func(m Mutant) bool { return m.At != nil && m.At.Line == 2 }) ||
		slices.ContainsFunc(all, func(m Mutant) bool { return m.Kind == otherPage }) {
		t.Errorf("with an act between: %+v", all)
	}
}
