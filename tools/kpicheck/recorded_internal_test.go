package kpicheck

import (
	"bufio"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/internal/wait"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/kpi"
	"github.com/assay-qa/assay/qa/kpi/kpitest"
)

// recordedPage is a page as a browser read it, with what its figures are to be found.
type recordedPage struct {
	Name    string
	Read    browser.Readings
	Figures []struct {
		Label, Want, Unit string
		Status            qa.KPIStatus
		Cause             qa.KPICause
	}
}

// locale is that of sessions that are given none.
const locale = "en-US"

// recordedPages reads the pages that the tests of tools have recorded:
// SOAK=1 go test ./tools -run 'TestFiguresCorpus|TestCheckKPIsFindsTheValue|TestCheckKPIsTellsWhatIsWrong' -update
func recordedPages(t *testing.T) (all []recordedPage) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", "*.jsonl"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		file, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(file)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			var page recordedPage
			if err := json.Unmarshal(lines.Bytes(), &page); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			all = append(all, page)
		}
		if err := lines.Err(); err != nil {
			t.Fatal(err)
		}
		if err := file.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

var writingsOnce = sync.OnceValues(func() (out []kpi.Writing, err error) {
	all, err := kpitest.Ask(context.Background(), []string{locale, "en", "de"}, nil)
	for _, l := range all {
		out = append(out, l.Writing)
	}
	return out, err
})

// recordedWritings returns how the languages of the recorded pages write, which the
// recordings leave out.
func recordedWritings(t *testing.T) []kpi.Writing {
	t.Helper()
	out, err := writingsOnce()
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// A5, issue 4, issue 14 item 5: of all pages of the tables, each right figure holds, and
// each wrong one is found, with the cause that it has.
func TestRecordedPages(t *testing.T) {
	t.Parallel()
	judged := map[qa.KPIStatus]int{}
	writings := recordedWritings(t)
	for _, page := range recordedPages(t) {
		now := time.Unix(1e9, 0)
		k := &check{Options: Options{Spec: qa.KPISpec{Type: qa.StaticValues, Units: map[string]string{}}}, waits: wait.Standard()}
		r := newRange(qa.Range{})
		for _, f := range page.Figures {
			k.labels = append(k.labels, f.Label)
			if f.Unit != "" {
				k.Spec.Units[f.Label] = f.Unit
			}
			r.tracks[f.Label] = &stability{since: now.Add(-k.waits.FigureStill)}
		}
		k.ranges = []*rangeCheck{r}
		r.look = reading{at: now, page: pageOf(page.Read, ""), picks: map[string]kpi.Pick{}, unread: page.Read.Unread, capped: page.Read.Capped}
		r.look.page.Writings = writings
		r.look.page.Settle()
		r.want = map[string]kpi.Expected{}
		for _, f := range page.Figures {
			r.look.picks[f.Label] = r.look.page.Pick(f.Label, f.Unit, k.labels)
			want, err := kpi.ParseExpected(f.Want, f.Unit, r.look.page.WritingsOf(locale)...)
			if err != nil {
				t.Fatal(page.Name, err)
			}
			r.want[f.Label] = want
		}
		k.record()
		for i, f := range page.Figures {
			row := k.out.Rows[i]
			if f.Status == "" {
				continue // it is only beside the other one
			}
			judged[row.Status]++
			if row.Status != f.Status && (f.Status != "wrong" || row.Status == qa.KPIOk) || f.Cause != "" && row.Cause != f.Cause {
				t.Errorf("%s, %s: %s %s, want %s %s (%q for %q)", page.Name, f.Label, row.Status, row.Cause, f.Status, f.Cause, row.Observed, f.Want)
			}
		}
	}
	if judged[qa.KPIOk] < 80 || judged[qa.KPIMismatch] < 50 || judged[qa.KPIMissing] < 20 || judged[qa.KPIAmbiguous] < 8 {
		t.Errorf("judged %v: the recordings are not whole", judged)
	}
}
