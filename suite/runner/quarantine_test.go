package runner

import (
	"bytes"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assay-qa/assay/config"
	"github.com/assay-qa/assay/evidence/report"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/suite"
)

// 33 E: a quarantine holds up to its last day, says why, and takes nothing but its file out of the verdict; where nothing
// else has passed, a suite proves nothing.
func TestQuarantine(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "pay.flow.toml")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	var logged bytes.Buffer
	day := time.Date(2026, 12, 31, 23, 0, 0, 0, time.UTC)
	log := slog.New(slog.NewTextHandler(&logged, nil))
	all := map[string]config.Quarantine{"SHOP-12": {File: file, Reason: "late answers", Until: "2026-12-31"}}
	statuses := func(pay, other qa.TestStatus) (suite.Suite, string) {
		t.Helper()
		entries := []suite.Entry{{File: file, State: suite.Done, Result: &suite.Result{TestCase: qa.TestCase{Status: pay}}}}
		if other != "" {
			entries = append(entries, suite.Entry{File: filepath.Join(dir, "other.flow.toml"), State: suite.Done, Result: &suite.Result{TestCase: qa.TestCase{Status: other}}})
		}
		if err := quarantine(entries, all, day, log); err != nil {
			t.Fatal(err)
		}
		s := suite.Suite{Entries: entries, FinishedAt: day}
		if view, sum := s.View("").Status(), s.Sum().Status.Verdict(); view != sum {
			t.Errorf("%s beside %s: the view says %s, the sum %s", pay, other, view, sum)
		}
		return s, string(s.Sum().Status)
	}
	for _, c := range []struct{ pay, other, want qa.TestStatus }{
		{qa.TestFailed, qa.TestPassed, qa.TestPassed}, {qa.TestError, qa.TestPassed, qa.TestPassed}, {qa.TestPassed, qa.TestPassed, qa.TestPassed},
		{qa.TestFailed, qa.TestFailed, qa.TestFailed}, {qa.TestFailed, qa.TestError, qa.TestError}, {qa.TestFailed, "", qa.TestError},
	} {
		s, got := statuses(c.pay, c.other)
		if got != string(c.want) {
			t.Errorf("%s in quarantine beside %q is %s, want %s", c.pay, c.other, got, c.want)
		}
		if line := s.View("").Line(); (c.pay != qa.TestPassed) != strings.Contains(line, "1 in quarantine") || s.Entries[0].Quarantine != "SHOP-12, until 2026-12-31: late answers" {
			t.Errorf("%s, %+v", line, s.Entries[0])
		}
	}
	s, _ := statuses(qa.TestFailed, qa.TestPassed)
	junit, err := report.SuiteJUnit(s.View(""))
	if err != nil || !strings.Contains(string(junit), `failures="0"`) || !strings.Contains(string(junit), `<skipped message="in quarantine, so it does not count (SHOP-12, until 2026-12-31: late answers)`) {
		t.Errorf("JUnit: %v\n%s", err, junit)
	}
	ctrf, err := report.SuiteCTRF(s.View(""))
	if err != nil || !strings.Contains(string(ctrf), `"rawStatus": "failed"`) || !strings.Contains(string(ctrf), `"skipped": 1`) {
		t.Errorf("CTRF: %v\n%s", err, ctrf)
	}
	day = day.Add(2 * time.Hour)
	if _, got := statuses(qa.TestFailed, qa.TestPassed); got != string(qa.TestFailed) || !strings.Contains(logged.String(), "a quarantine is over") {
		t.Errorf("a day later it is %s: %s", got, &logged)
	}
	for name, q := range map[string]config.Quarantine{"no reason": {File: file, Until: "2026-12-31"}, "no end": {File: file, Reason: "x"}, "no file": {File: file + "x", Reason: "x", Until: "2026-12-31"}} {
		if err := quarantine(nil, map[string]config.Quarantine{"Q": q}, day, log); err == nil || !strings.Contains(err.Error(), "quarantine.Q") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
