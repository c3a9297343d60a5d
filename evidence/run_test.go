package evidence_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-qa/assay/evidence"
	"github.com/assay-qa/assay/qa"
)

const png = "\x89PNG\r\n\x1a\n and the rest"

// clock goes on by a second with every look at it.
type clock struct {
	mu sync.Mutex
	t  time.Time
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.t = c.t.Add(time.Second)
	return c.t
}

func openStore(t testing.TB) (*evidence.Store, string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "data")
	c := clock{t: time.Date(2026, 11, 21, 5, 50, 35, 123e6, time.UTC)}
	s, err := evidence.Open(dir, c.now)
	if err != nil {
		t.Fatal(err)
	}
	return s, dir
}

func startRun(t testing.TB, s *evidence.Store, expectations ...string) *evidence.Run {
	t.Helper()
	task := qa.TaskSpec{ID: "T1", Goal: "check the cart"}
	for _, text := range expectations {
		task.Expectations = append(task.Expectations, qa.Expectation{Text: text})
	}
	r, err := s.Start(task)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func look(kind, subject string, passed bool, expects ...string) qa.Check {
	return qa.Check{Step: 1, Kind: kind, Subject: subject, Expected: "x", Observed: "x", Passed: passed, Source: qa.SourceTool, Expects: expects}
}

// demanded returns the check that the sentence of expectation E1 wants, as it passed.
func demanded(t testing.TB, sentence string) qa.Check {
	t.Helper()
	demands, err := qa.Expectation{ID: "E1", Text: sentence}.Demands()
	if err != nil || len(demands) != 1 {
		t.Fatalf("%s demands %+v, %v; want one check", sentence, demands, err)
	}
	check := demands[0].Assertion.Check(demands[0].Selector)
	check.Step, check.Passed, check.Source, check.Expects = 1, true, qa.SourceTool, []string{"E1"}
	return check
}

// screenshots.format may be jpeg (B12).
func TestScreenshotMayBeJPEG(t *testing.T) {
	s, _ := openStore(t)
	r := startRun(t, s)
	a, err := r.SaveScreenshot("photo", []byte("\xff\xd8\xff\xe0jpeg"), 1, 1, 0)
	if err != nil || a.MIMEType != "image/jpeg" || !strings.HasSuffix(a.Name, "-photo.jpg") {
		t.Errorf("a JPEG is stored as %+v, %v", a, err)
	}
}

func must[T any](t testing.TB) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func views(r qa.QAReport) (map[string][]byte, error) {
	return map[string][]byte{"report.html": []byte("<p>" + r.Status), "report.md": []byte("# " + r.Status)}, nil
}

// TestRunIsKeptWhole walks through a run and reads everything back (A7, A14, B8).
func TestRunIsKeptWhole(t *testing.T) {
	s, dir := openStore(t)
	const paid = `the page shows "Paid"`
	r := startRun(t, s, paid)
	step := r.NextStep()
	shot := must[qa.Artifact](t)(r.SaveScreenshot("Log in: page/1", []byte(png), 1280, 720, step))
	if shot.Name != "screenshots/001-Log-in-page-1.png" || shot.Width != 1280 || shot.Size != int64(len(png)) || len(shot.SHA256) != 64 {
		t.Errorf("artefact = %+v", shot)
	}
	if err := r.Event(evidence.Event{Step: step, Tool: "page_navigate", DurationMS: 12, Input: json.RawMessage(`{ "url": "http://shop.test/" }`), Screenshot: shot.Name}); err != nil {
		t.Fatal(err)
	}
	seen := demanded(t, paid)
	seen.Evidence = []string{"001-Log-in-page-1.png"}
	check := must[qa.Check](t)(r.AddCheck(seen))
	if check.ID != "C1" || check.Time.IsZero() || check.Evidence[0] != shot.Name {
		t.Errorf("check = %+v", check)
	}
	finding := must[qa.Finding](t)(r.AddFinding(qa.Finding{Severity: qa.Minor, Category: qa.Visual, Assertion: "aligned", Evidence: []qa.EvidenceRef{{ScreenshotRef: "001-Log-in-page-1.png"}}}))
	if finding.ID != "F1" || finding.Evidence[0].ScreenshotRef != shot.Name {
		t.Errorf("finding = %+v", finding)
	}
	console := must[qa.Artifact](t)(r.SaveFile("console.jsonl", "application/jsonl", []byte("{}\n"), step))
	env := qa.Environment{AssayVersion: "1", OS: "linux", Arch: "amd64"}
	got := must[qa.QAReport](t)(r.Finish("all is well", env, views))

	if got.Status != qa.Passed || got.RunID != r.ID() || got.TaskID != "T1" || got.Task.Expectations[0].ID != "E1" || got.Environment != env {
		t.Errorf("report = %+v", got)
	}
	if got.Costs.ToolCalls != 1 || got.Costs.Screenshots != 1 || got.Costs.DurationMS <= 0 {
		t.Errorf("costs = %+v", got.Costs)
	}
	if diff := cmp.Diff([]qa.Artifact{shot, console}, got.Artifacts); diff != "" {
		t.Errorf("artefacts (-want +got):\n%s", diff)
	}
	stored := must[qa.QAReport](t)(s.Report(r.ID()))
	if diff := cmp.Diff(got, stored); diff != "" {
		t.Errorf("stored report (-returned +stored):\n%s", diff)
	}
	for name, want := range map[string]string{
		shot.Name: png, filepath.Base(shot.Name): png, "console.jsonl": "{}\n", "report.html": "<p>passed", "report.md": "# passed",
	} {
		data, mime, err := s.Artifact(r.ID(), name)
		if err != nil || string(data) != want || mime == "" {
			t.Errorf("Artifact(%s) = %q, %q, %v; want %q", name, data, mime, err, want)
		}
	}
	requirePrivate(t, dir)
	requireEvents(t, r, "run.started", "artifact.stored", "tool.called", "check.executed", "finding.recorded", "artifact.stored", "run.finished")
}

// requirePrivate: nobody else may read the evidence, and no temporary file stays.
func requirePrivate(t *testing.T, dir string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has mode %v", path, info.Mode())
		}
		if strings.HasSuffix(path, ".tmp") {
			t.Errorf("%s is left behind", path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func requireEvents(t *testing.T, r *evidence.Run, want ...string) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(r.Dir(), "events.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for line := range strings.Lines(string(data)) {
		var e evidence.Event
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatalf("event %q: %v", line, err)
		}
		if e.RunID != r.ID() || e.Time.IsZero() {
			t.Errorf("event without run or time: %s", line)
		}
		got = append(got, string(e.Name))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
}

func TestNothingIsWrittenWhenUnused(t *testing.T) {
	s, dir := openStore(t)
	r := startRun(t, s)
	r.NextStep()
	if _, ok := r.Stored("001-a.png"); ok || !r.Empty() {
		t.Error("an unused run holds something")
	}
	if runs, err := s.Runs(); err != nil || len(runs) != 0 {
		t.Errorf("Runs = %v, %v; want none", runs, err)
	}
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%s exists (%v), though nothing was kept", dir, err)
	}
	if err := r.Event(evidence.Event{Tool: "page_click"}); err != nil || r.Empty() {
		t.Errorf("after an event: %v, empty %v", err, r.Empty())
	}
}

func TestOpenRefuses(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	withRuns := t.TempDir()
	if err := os.WriteFile(filepath.Join(withRuns, "runs"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"", file, filepath.Join(file, "below"), withRuns} {
		if _, err := evidence.Open(dir, time.Now); err == nil {
			t.Errorf("Open(%q) accepted", dir)
		}
	}
	if _, err := evidence.Open(t.TempDir(), nil); err == nil {
		t.Error("Open without a clock accepted")
	}
}

func TestStartRefusesABadTask(t *testing.T) {
	s, _ := openStore(t)
	if _, err := s.Start(qa.TaskSpec{}); err == nil || !strings.Contains(err.Error(), "goal is empty") {
		t.Errorf("Start without a goal: %v", err)
	}
}

func TestRunIDsSortByTime(t *testing.T) { // A14
	times := []time.Time{ // the clock stands still, and goes back
		time.Date(2026, 11, 21, 5, 50, 36, 0, time.UTC), time.Date(2026, 11, 21, 5, 50, 36, 0, time.UTC),
		time.Date(2026, 11, 21, 4, 0, 0, 0, time.UTC), time.Date(2026, 11, 21, 5, 50, 37, 0, time.FixedZone("", 3600)),
		time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC),
	}
	i := -2 // opening the store looks once
	s := must[*evidence.Store](t)(evidence.Open(t.TempDir(), func() time.Time { i++; return times[max(i, 0)] }))
	last := ""
	for range times {
		id := startRun(t, s).ID()
		if id <= last {
			t.Errorf("run %s was started after %s but sorts before it", id, last)
		}
		last = id
	}
	if !strings.HasPrefix(last, "20270101T000000.000Z-") {
		t.Errorf("id %s doesn't tell its time", last)
	}
}

// The run numbers and signs; the caller cannot.
func TestRunRefuses(t *testing.T) {
	s, _ := openStore(t)
	r := startRun(t, s)
	for _, name := range []string{"", ".", "..", "../x", "a/b", "/etc/passwd", `a\b`, "events.jsonl", "report.json", "report.html", "CON:", ".hidden", "a\x00"} {
		if a, err := r.SaveFile(name, "text/plain", nil, 0); err == nil {
			t.Errorf("SaveFile(%q) accepted as %s", name, a.Name)
		}
	}
	if _, err := r.SaveScreenshot("a", []byte("<html>"), 1, 1, 0); err == nil {
		t.Error("a screenshot that is no PNG was accepted")
	}
	if err := r.Event(evidence.Event{Name: evidence.RunFinished}); err == nil {
		t.Error("a caller's run.finished was accepted")
	}
	_, err := r.AddFinding(qa.Finding{Severity: qa.Major, Category: qa.Visual, Assertion: "a", Evidence: []qa.EvidenceRef{{ScreenshotRef: "009-no.png"}}})
	if err == nil || !strings.Contains(err.Error(), `"009-no.png" names no stored artefact`) {
		t.Errorf("a finding on evidence that is not stored: %v", err)
	}
	if !r.Empty() {
		t.Error("a refused call left something")
	}
}

func TestScreenshotNames(t *testing.T) { // B3, E6
	s, _ := openStore(t)
	r := startRun(t, s)
	for i, tt := range [][2]string{
		{"login", "login"}, {"", "screenshot"}, {"../../etc/passwd", "etc-passwd"}, {"a  b", "a-b"}, {"...", "screenshot"},
		{"Übersicht 7 Tage", "Übersicht-7-Tage"}, {"ダッシュボード", "ダッシュボード"}, {"\xff\x00|<>:\"", "screenshot"}, {"a\u202egnp.exe", "a-gnp-exe"},
		{strings.Repeat("x", 500), strings.Repeat("x", 60)}, {"login", "login"},
	} {
		a, err := r.SaveScreenshot(tt[0], []byte(png), 1, 1, 0)
		if want := fmt.Sprintf("screenshots/%03d-%s.png", i+1, tt[1]); err != nil || a.Name != want {
			t.Errorf("SaveScreenshot(%q) = %q, %v; want %q", tt[0], a.Name, err, want)
		}
		for _, reference := range []string{a.Name, strings.TrimPrefix(a.Name, "screenshots/"), evidence.ArtifactURI(r.ID(), a.Name), filepath.Join(r.Dir(), a.Name)} {
			if found, ok := r.Stored(reference); !ok || found.Name != a.Name {
				t.Errorf("%s leads to %q, want %s", reference, found.Name, a.Name)
			}
		}
	}
}

// A file's digest leads to it, in the length in which answers give it; what is shorter, of
// another run, or outside of the folder leads nowhere.
func TestStoredByReference(t *testing.T) { // A6
	s, _ := openStore(t)
	r := startRun(t, s)
	a, err := r.SaveScreenshot("login", []byte(png), 1, 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, reference := range []string{a.SHA256, strings.ToUpper(a.SHA256), a.SHA256[:12], "sha256:" + a.SHA256} {
		if found, ok := r.Stored(reference); !ok || found.Name != a.Name {
			t.Errorf("%s leads to %q, want %s", reference, found.Name, a.Name)
		}
	}
	for _, reference := range []string{"", a.SHA256[:11], strings.Repeat("0", 64), evidence.ArtifactURI("another", a.Name), evidence.ArtifactURI(r.ID(), ""),
		filepath.Join(r.Dir(), "..", filepath.Base(r.Dir())+"x", a.Name), "../" + a.Name, r.Dir(), "screenshots"} {
		if found, ok := r.Stored(reference); ok {
			t.Errorf("%q leads to %s", reference, found.Name)
		}
	}
}

func TestFilesAreNeverOverwritten(t *testing.T) {
	s, _ := openStore(t)
	r := startRun(t, s)
	for _, want := range []string{"console.jsonl", "console-2.jsonl", "console-3.jsonl"} {
		a, err := r.SaveFile("console.jsonl", "application/jsonl", []byte(want), 0)
		if err != nil || a.Name != want {
			t.Errorf("SaveFile = %q, %v; want %q", a.Name, err, want)
		}
	}
	if data, _, err := s.Artifact(r.ID(), "console.jsonl"); err != nil || string(data) != "console.jsonl" {
		t.Errorf("the first file holds %q, %v", data, err)
	}
}

func TestFinishEndsTheRun(t *testing.T) {
	s, _ := openStore(t)
	r := startRun(t, s)
	first := must[qa.QAReport](t)(r.Finish("", qa.Environment{}, nil))
	if first.Status != qa.Inconclusive {
		t.Errorf("a run without checks is %s", first.Status)
	}
	_, again := r.Finish("", qa.Environment{}, nil)
	_, check := r.AddCheck(look("visible", "a", false))
	_, finding := r.AddFinding(qa.Finding{Severity: qa.Major, Category: qa.Visual, Assertion: "a"})
	_, shot := r.SaveScreenshot("a", []byte(png), 1, 1, 0)
	_, file := r.SaveFile("a.txt", "text/plain", nil, 0)
	for name, err := range map[string]error{"Finish": again, "AddCheck": check, "AddFinding": finding, "SaveScreenshot": shot, "SaveFile": file, "Event": r.Event(evidence.Event{})} {
		if !errors.Is(err, evidence.ErrFinished) {
			t.Errorf("%s after Finish: %v, want ErrFinished", name, err)
		}
	}
	data, _, err := s.Artifact(r.ID(), "report.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, list := range []string{"findings", "checks", "kpiTable", "artifacts"} {
		if strings.Contains(string(data), `"`+list+`": null`) {
			t.Errorf("%s is null in report.json, want an array", list)
		}
	}
}

// A view that can't be made costs the view, not the verdict.
func TestFinishKeepsTheVerdictWhenAViewFails(t *testing.T) {
	s, _ := openStore(t)
	r := startRun(t, s)
	broken := errors.New("template is broken")
	got, err := r.Finish("", qa.Environment{}, func(qa.QAReport) (map[string][]byte, error) { return nil, broken })
	if !errors.Is(err, broken) || got.Status != qa.Inconclusive {
		t.Errorf("Finish = %s, %v", got.Status, err)
	}
	if stored, err := s.Report(r.ID()); err != nil || stored.Links != (qa.Links{RawTranscriptURL: "events.jsonl"}) {
		t.Errorf("stored report: links %+v, %v", stored.Links, err)
	}
}

// A tool that could not look keeps the run from passing, until it could.
func TestNotExecuted(t *testing.T) {
	s, _ := openStore(t)
	r := startRun(t, s)
	status := func() qa.Status { return qa.Judge(r.Record()).Status }
	add := func(c qa.Check) { must[qa.Check](t)(r.AddCheck(c)) }

	add(look("visible", "logo", true))
	r.NotExecuted("visible", "cart", "x", "TIMEOUT", "10 s")
	if status() != qa.Inconclusive {
		t.Errorf("after a check that could not be made: %s", status())
	}
	add(look("visible", "menu", true))
	add(look("hidden", "cart", true))
	other := look("visible", "cart", true) // the same words, another expectation
	other.Expected = "y"
	add(other)
	said := look("visible", "cart", true)
	said.Source = qa.SourceModel
	add(said)
	if status() != qa.Inconclusive {
		t.Errorf("after other checks: %s", status())
	}
	if in := r.Record().Interruptions; len(in) != 1 || in[0] != (qa.Interruption{Kind: qa.NotExecuted, Subject: "visible cart", Detail: "TIMEOUT: 10 s"}) {
		t.Errorf("interruptions = %+v", in)
	}
	add(look("visible", "cart", true))
	if status() != qa.Passed {
		t.Errorf("after the check was made: %s", status())
	}
	r.Interrupt(qa.Interruption{Kind: qa.BudgetSpent, Subject: "maxToolCalls"})
	if status() != qa.Inconclusive {
		t.Errorf("after an interruption: %s", status())
	}
}

// A check on evidence that doesn't exist is our own bug; it mustn't turn a
// failed run into a passed one.
func TestCheckThatCanNotBeRecordedSpoilsTheRun(t *testing.T) {
	s, _ := openStore(t)
	r := startRun(t, s)
	must[qa.Check](t)(r.AddCheck(look("visible", "a", true)))
	bad := look("visible", "b", false)
	bad.Evidence = []string{"009-no.png"}
	if _, err := r.AddCheck(bad); err == nil {
		t.Error("a check on evidence that is not stored was accepted")
	}
	if got := qa.Judge(r.Record()); got.Status != qa.Inconclusive {
		t.Errorf("verdict = %+v, want inconclusive", got)
	}
}

func TestConcurrentWriters(t *testing.T) {
	s, _ := openStore(t)
	r := startRun(t, s)
	const writers = 8
	var wg sync.WaitGroup
	for i := range writers {
		wg.Go(func() {
			for range 10 {
				step := r.NextStep()
				if _, err := r.SaveScreenshot(fmt.Sprint("w", i), []byte(png), 1, 1, step); err != nil {
					t.Error(err)
				}
				if _, err := r.AddCheck(look("visible", "a", true)); err != nil {
					t.Error(err)
				}
				if err := r.Event(evidence.Event{Step: step, Tool: "page_click"}); err != nil {
					t.Error(err)
				}
				r.NotExecuted("hidden", "b", "x", "TIMEOUT", "")
				if _, err := s.Runs(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	report := must[qa.QAReport](t)(r.Finish("", qa.Environment{}, views))
	if len(report.Checks) != 10*writers || len(report.Artifacts) != 10*writers || report.Costs.ToolCalls != 10*writers {
		t.Errorf("%d checks, %d artefacts, %d calls; want %d of each", len(report.Checks), len(report.Artifacts), report.Costs.ToolCalls, 10*writers)
	}
	seen := map[string]bool{}
	for _, c := range report.Checks {
		seen[c.ID] = true
	}
	for _, a := range report.Artifacts {
		seen[a.Name[:len("screenshots/001")]] = true
	}
	if len(seen) != 20*writers {
		t.Errorf("%d different ids and numbers, want %d", len(seen), 20*writers)
	}
}

// Two processes on one data folder each have runs of their own.
func TestTwoStoresOnOneFolder(t *testing.T) {
	a, dir := openStore(t)
	b := must[*evidence.Store](t)(evidence.Open(dir, time.Now))
	ra, rb := startRun(t, a), startRun(t, b)
	must[qa.QAReport](t)(ra.Finish("", qa.Environment{}, nil))
	must[qa.QAReport](t)(rb.Finish("", qa.Environment{}, nil))
	for _, s := range []*evidence.Store{a, b} {
		if runs, err := s.Runs(); err != nil || len(runs) != 2 {
			t.Errorf("Runs = %+v, %v; want both", runs, err)
		}
	}
}

// A sentence is worded anew before the first check, and a run that goes on from this one has the
// new wording.
func TestAmend(t *testing.T) {
	s, _ := openStore(t)
	r := startRun(t, s, `"Paid" is where it should be`, "all is well")
	if err := r.Event(evidence.Event{Tool: "run_start"}); err != nil {
		t.Fatal(err)
	}
	const now = `the page shows "Paid"`
	if err := r.Amend(map[string]string{"E1": now, "E2": "nonsense"}); err == nil || r.Task().Expectations[0].Text == now {
		t.Errorf("a part of it is taken: %v", err)
	}
	if err := r.Amend(map[string]string{"E1": now}); err != nil {
		t.Fatal(err)
	}
	if task, _, err := s.Unfinished(r.ID()); err != nil || task.Expectations[0].Text != now || task.Expectations[0].AmendedFrom == "" || task.Goal != "check the cart" {
		t.Errorf("%+v, %v", task, err)
	}
	if _, err := r.AddCheck(look("visible", "css=h1", true)); err != nil {
		t.Fatal(err)
	}
	if err := r.Amend(map[string]string{"E2": now}); err == nil || !strings.Contains(err.Error(), "made a check already") {
		t.Errorf("after a check: %v", err)
	}
}
