package suite_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/assay-qa/assay/agent/suite"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/flow"
)

func rules() suite.Rules {
	return suite.Rules{Flow: flow.Rules{Selector: func(s string) error {
		if strings.Contains(s, "((") {
			return errors.New("the selector is not closed")
		}
		return nil
	}}}
}

// A2, E1: a whole task, in both formats, is the same task.
func TestLoadTask(t *testing.T) {
	inTOML := `
goal = "the dashboard shows the right figures"
route = "/dashboard"
role = "analyst"
tags = ["smoke", "kpi"]
metadata = { iteration = "3" }
expectations = [
  { text = "the console stays clean" },
  { text = "the filter is there", selector = 'combobox "Range"', assertion = { type = "visible" } },
]
[kpiSpec]
type = "apiEndpoint"
url = "/api/kpi"
map = { Revenue = "/revenue" }
params = { year = 2026, "new only" = true }
[tolerance]
absolute = 1
perKpi = { Orders = { percent = 0.5 } }
[budgets]
maxToolCalls = 40
[[ranges]]
name = "7d"
params = { range = "7d" }
[[ranges.steps]]
action = "navigate"
url = "/dashboard?range=7d"
[[ranges.steps]]
action = "select"
selector = 'combobox "Range"'
option = "Last 7 days"
`
	inJSON := `{"goal": "the dashboard shows the right figures", "route": "/dashboard", "role": "analyst", "tags": ["smoke", "kpi"], "metadata": {"iteration": "3"},
"expectations": [{"text": "the console stays clean"}, {"text": "the filter is there", "selector": "combobox \"Range\"", "assertion": {"type": "visible"}}],
"kpiSpec": {"type": "apiEndpoint", "url": "/api/kpi", "map": {"Revenue": "/revenue"}, "params": {"year": 2026, "new only": true}},
"tolerance": {"absolute": 1, "perKpi": {"Orders": {"percent": 0.5}}}, "budgets": {"maxToolCalls": 40},
"ranges": [{"name": "7d", "params": {"range": "7d"}, "steps": [{"action": "navigate", "url": "/dashboard?range=7d"}, {"action": "select", "selector": "combobox \"Range\"", "option": "Last 7 days"}]}]}`
	for name, data := range map[string]string{"sales.task.toml": inTOML, "sales.task.json": inJSON} {
		task, problems := suite.Load(name, []byte(data), "http://shop.test/app", rules())
		if len(problems) > 0 {
			t.Errorf("%s: %v", name, problems)
			continue
		}
		if task.ID != "sales" || task.KPISpec.Map["Revenue"] != "/revenue" || task.KPISpec.Params["year"] != "2026" || task.KPISpec.Params["new only"] != "true" || task.Tolerance.For("Orders").Percent != 0.5 || task.Tolerance.For("Revenue").Absolute != 1 ||
			task.Budgets.MaxToolCalls != 40 || task.Expectations[1].ID != "E2" || task.Ranges[0].Params["range"] != "7d" || task.Metadata["iteration"] != "3" || len(task.Tags) != 2 {
			t.Errorf("%s: read %+v", name, task)
		}
		if url := task.Ranges[0].Steps[0].URL; url != "http://shop.test/dashboard?range=7d" {
			t.Errorf("%s: the range's step opens %s", name, url)
		}
	}
}

// E1: what is wrong in a task file is told with its line and the nearest key,
// all at once, and nothing is guessed.
func TestBadTasks(t *testing.T) {
	for name, c := range map[string]struct {
		file, data, base string
		want             []string
	}{
		"unknown keys":      {"a.task.toml", "goal = \"g\"\nroutee = \"/\"\n[kpiSpec]\ntyp = \"x\"\n", "http://a.test", []string{`a.task.toml:2: unknown key "routee"; did you mean "route"?`, `a.task.toml:4: unknown key "typ"; did you mean "type"?`}},
		"embedded keys":     {"a.task.toml", "goal = \"g\"\n[tolerance]\nabsolut = 1\n", "http://a.test", []string{`a.task.toml:3: unknown key "absolut"; did you mean "absolute"?; accepted here: absolute, percent, perKpi`}},
		"wrong kinds":       {"a.task.json", "{\"goal\": \"g\",\n\"budgets\": {\"maxToolCalls\": \"many\"},\n\"tolerance\": {\"percent\": \"1\"},\n\"tags\": \"x\"}", "http://a.test", []string{"a.task.json:2: budgets.maxToolCalls is a text; expected a whole number", "a.task.json:3: tolerance.percent is a text; expected a number", "a.task.json:4: tags is a text; expected a list"}},
		"wrong values":      {"a.task.toml", "goal = \" \"\n[budgets]\nmaxTimeMs = -5\n[[expectations]]\ntext = \"x\"\n[[expectations]]\ntext = \"y\"\nselector = 'css=(('\n[expectations.assertion]\ntype = \"visble\"\n", "http://a.test", []string{"a.task.toml:1: goal is empty", "a.task.toml:3: budgets.maxTimeMs is -5", "a.task.toml:8: expectations[1].selector: the selector is not closed", `a.task.toml:9: expectations[1].assertion: type is "visble"`}},
		"steps of a range":  {"a.task.toml", "goal = \"g\"\n[[ranges]]\nname = \"7d\"\n[[ranges.steps]]\naction = \"selct\"\n[[ranges]]\nname = \"\"\n", "http://a.test", []string{`a.task.toml:5: ranges[0]: step 1 (selct): action "selct" is unknown; did you mean "select"?`, "a.task.toml:7: ranges[1].name is empty"}},
		"pictures":          {"a.task.toml", "goal = \"g\"\nvisual = [\n  { name = \"a\" },\n  { name = \"\", threshold = 2 },\n  { name = \"b\", mask = [\"\"] },\n  { name = \"a\" },\n]\n", "http://a.test", []string{"a.task.toml:4: visual[1].name is empty", "a.task.toml:4: visual[1].threshold is 2", "a.task.toml:5: visual[2].mask[0] is empty", "a.task.toml:6: visual[3] is the same picture as visual[0]"}},
		"keys of pictures":  {"a.task.toml", "goal = \"g\"\n[[visual]]\nname = \"a\"\ntreshold = 0\n", "http://a.test", []string{`a.task.toml:4: unknown key "treshold"; did you mean "threshold"?; accepted here: name, selector, full_page`}},
		"relative, no base": {"a.task.toml", "goal = \"g\"\nroute = \"/x\"\n", "", []string{"a.task.toml:2: route /x is relative"}},
		"no route, no base": {"a.task.toml", "goal = \"g\"\n", "", []string{"a.task.toml: route is missing"}},
		"no TOML":           {"a.task.toml", "goal = \"g\"\nroute = \n", "http://a.test", []string{"a.task.toml:2: not valid TOML"}},
		"no JSON":           {"a.task.json", "{\"goal\": \"g\",\n\"route\"}", "http://a.test", []string{"a.task.json:2: not valid JSON"}},
		"set twice":         {"a.task.json", "{\"goal\": \"g\",\n\"metadata\": {\"a\": \"1\",\n\"a\": \"2\"}}", "http://a.test", []string{`a.task.json:3: key "a" is set twice`}},
		"far too big":       {"a.task.json", strings.Repeat(" ", flow.MaxFileBytes+1), "http://a.test", []string{"Is this the right file?"}},
	} {
		_, problems := suite.Load(c.file, []byte(c.data), c.base, rules())
		if len(problems) != len(c.want) {
			t.Errorf("%s: %d problems, want %d:\n%v", name, len(problems), len(c.want), problems)
			continue
		}
		for i, want := range c.want {
			if !strings.Contains(problems[i].Error(), want) {
				t.Errorf("%s: %q, want %q", name, problems[i].Error(), want)
			}
		}
	}
}

func passes(name string) suite.Case {
	return suite.Case{Name: name, Path: name + ".task.toml", Hash: "h-" + name, Run: func(context.Context) (suite.Result, error) {
		return suite.Result{TestCase: qa.TestCase{Name: name, Status: qa.TestPassed, RunID: "run-" + name}}, nil
	}}
}

func fails(name string) suite.Case {
	c := passes(name)
	c.Run = func(context.Context) (suite.Result, error) {
		return suite.Result{TestCase: qa.TestCase{Name: name, Status: qa.TestFailed, RunID: "run-" + name}}, nil
	}
	return c
}

func states(s suite.Suite) string {
	var out []string
	for _, e := range s.Entries {
		out = append(out, string(e.State))
	}
	return strings.Join(out, " ")
}

// A13, D3: cases run side by side, as many as asked for and no more, and the
// results stand in the order of the files.
func TestSideBySide(t *testing.T) {
	const parallel = 3
	var mu sync.Mutex
	running, most := 0, 0
	all, release := make(chan struct{}), make(chan struct{})
	var cases []suite.Case
	for i := range 7 {
		c := passes(fmt.Sprint(i))
		inner := c.Run
		c.Run = func(ctx context.Context) (suite.Result, error) {
			mu.Lock()
			running++
			if most = max(most, running); running == parallel {
				select {
				case <-all:
				default:
					close(all)
				}
			}
			mu.Unlock()
			<-release
			mu.Lock()
			running--
			mu.Unlock()
			return inner(ctx)
		}
		cases = append(cases, c)
	}
	go func() { <-all; close(release) }()
	s, err := suite.Run(t.Context(), suite.Queue("s", "", nil, cases), cases, suite.Options{Parallel: parallel, Now: time.Now})
	if err != nil || most != parallel || s.FinishedAt.IsZero() {
		t.Errorf("%d side by side, finished %v, %v", most, s.FinishedAt, err)
	}
	for i, c := range s.Cases() {
		if c.Name != fmt.Sprint(i) || c.Status != qa.TestPassed {
			t.Errorf("case %d is %+v", i, c)
		}
	}
}

// A16: an interruption lets those that run end by themselves and skips the
// others.
func TestInterruption(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	hangs := passes("hangs")
	hangs.Run = func(ctx context.Context) (suite.Result, error) {
		cancel()
		<-ctx.Done()
		return suite.Result{TestCase: qa.TestCase{Name: "hangs", Status: qa.TestError}}, nil
	}
	cases := []suite.Case{passes("first"), hangs, passes("last")}
	s, err := suite.Run(ctx, suite.Queue("s", "", nil, cases), cases, suite.Options{Parallel: 1, Now: time.Now})
	if err != nil || states(s) != "done done skipped" || s.Cases()[2].Status != qa.TestSkipped {
		t.Errorf("%s, %v", states(s), err)
	}
}

// Nothing to run with ends the suite: the others are not tried, too.
func TestNothingToRunWith(t *testing.T) {
	none := errors.New("no browser")
	broken := passes("broken")
	broken.Run = func(context.Context) (suite.Result, error) { return suite.Result{}, none }
	cases := []suite.Case{broken, passes("last")}
	s, err := suite.Run(t.Context(), suite.Queue("s", "", nil, cases), cases, suite.Options{Parallel: 1, Now: time.Now})
	if !errors.Is(err, none) || s.Entries[1].State != suite.Skipped {
		t.Errorf("%s, %v", states(s), err)
	}
}

// Issue 4.7: a suite is in the books after each change, whole; what is taken up
// again keeps what passed, and runs the rest with the reason.
func TestResume(t *testing.T) {
	book := suite.Book{Dir: filepath.Join(t.TempDir(), "suites")}
	skipped := passes("skipped")
	cases := []suite.Case{passes("good"), fails("bad"), passes("edited"), skipped, passes("gone")}
	old := suite.Queue("20260101T000000.000Z-aaaaaa", "http://a.test", []string{"."}, cases)
	changes := 0
	old, err := suite.Run(t.Context(), old, cases, suite.Options{Parallel: 2, Now: time.Now, Changed: func(s suite.Suite, _ int) error {
		changes++
		if err := book.Write(s); err != nil {
			return err
		}
		kept, err := book.Find(s.ID)
		if err != nil || states(kept) != states(s) {
			return fmt.Errorf("the book has %q, not %q: %w", states(kept), states(s), err)
		}
		return nil
	}})
	if err != nil || changes != 11 {
		t.Fatalf("%d changes, %v", changes, err)
	}
	old.Entries[3].State, old.Entries[3].Result = suite.Skipped, nil
	if err := book.Write(old); err != nil {
		t.Fatal(err)
	}
	found, err := book.Find("run-bad")
	if err != nil || found.ID != old.ID {
		t.Fatalf("by its run: %+v, %v", found, err)
	}
	edited := passes("edited")
	edited.Hash = "another"
	again := []suite.Case{passes("good"), passes("bad"), edited, skipped, passes("new")}
	s := suite.Resume(suite.Queue("20260102T000000.000Z-bbbbbb", "http://a.test", found.Paths, again), found)
	want := map[string]string{"good": "", "bad": "it had not passed: failed", "edited": "its file was changed", "skipped": "it was not run", "new": "it is new"}
	for _, e := range s.Entries {
		if e.Note != want[e.Name] || (e.State == suite.Kept) != (want[e.Name] == "") {
			t.Errorf("%s: %s, %q", e.Name, e.State, e.Note)
		}
	}
	ran := map[string]bool{}
	for i := range again {
		inner := again[i].Run
		again[i].Run = func(ctx context.Context) (suite.Result, error) { ran[again[i].Name] = true; return inner(ctx) }
	}
	s, err = suite.Run(t.Context(), s, again, suite.Options{Parallel: 1, Now: time.Now})
	if err != nil || len(ran) != 4 || ran["good"] || s.Resumes != old.ID {
		t.Errorf("ran %v, %v", ran, err)
	}
	if result := qa.SumUp(s.ID, s.StartedAt, s.FinishedAt, s.Cases()); result.Status != qa.TestPassed || result.Summary.Passed != 5 {
		t.Errorf("in all: %+v", result.Summary)
	}
	elsewhere := suite.Resume(suite.Queue("c", "http://b.test", nil, again), found)
	if states(elsewhere) != "queued queued queued queued queued" {
		t.Errorf("against another address: %s", states(elsewhere))
	}
	for _, id := range []string{"run-none", "", "../../etc", "a/b"} {
		if _, err := book.Find(id); !errors.Is(err, suite.ErrNoSuite) {
			t.Errorf("%q: %v", id, err)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(book.Dir, "*", "*.tmp")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	if err := os.WriteFile(filepath.Join(book.Folder(old.ID), "suite.json"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := book.Find(old.ID); err == nil || errors.Is(err, suite.ErrNoSuite) {
		t.Errorf("half a book: %v", err)
	}
}
