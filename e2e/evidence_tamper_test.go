package e2e_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-qa/assay/evidence/ledger"
)

// filed is a data folder with evidence of all kinds, which nobody uses any more.
type filed struct {
	data           string
	failed, passed string // ids of runs
}

// story has a server make two runs: one fails, with pictures, a finding and a
// trace; one passes, with a picture that is compared; two look at nothing. Many entries
// fill the log.
func story(t *testing.T) filed {
	t.Helper()
	needsBrowser(t)
	w := alone(t, november25, tracing(true))
	for range 2 {
		w.emptyRun()
	}
	fillTile(t, w.data)
	url, _ := report(t)
	w.do("run_start", map[string]any{"goal": "the report has a footer", "expectations": []map[string]any{{"text": "there is a footer"}}})
	w.do("page_navigate", map[string]any{"url": url})
	w.do("page_screenshot", map[string]any{"name": "report"})
	w.do("page_screenshot", map[string]any{"name": "whole", "full_page": true})
	w.do("verify_element_exists", map[string]any{"selector": `heading "Sales of the week"`})
	if a := w.call("verify_element_exists", map[string]any{"selector": "contentinfo", "expects": []string{"E1"}, "timeout_ms": 200}); a.envelope.Screenshot == nil {
		t.Errorf("a failed check without a picture: %s", a.text())
	}
	captured := field[string](w, w.do("capture_visual_baseline", map[string]any{"name": "report"}), "baseline_id")
	failed := w.finishes()
	if out, err := w.person("baseline", "approve", captured, "--name", "Ada L.", "--reason", "as it should be"); err != nil {
		t.Fatalf("approve: %v: %s", err, out)
	}
	w.do("run_start", map[string]any{"goal": "the report looks as it did"})
	w.do("page_navigate", map[string]any{"url": url})
	w.do("compare_visual_regression", map[string]any{"name": "report"})
	passed := w.finishes()
	if failed.status != "failed" || passed.status != "passed" {
		t.Fatalf("%s and %s, want failed and passed: %s %s", failed.status, passed.status, failed.text, passed.text)
	}
	w.hangUp()
	if code := w.exit(patience); code != 0 {
		t.Fatalf("exit code %d", code)
	}
	return filed{w.data, failed.run, passed.run}
}

// fillTile appends as many entries to the log as are cut off together, under one signature.
func fillTile(t *testing.T, data string) {
	t.Helper()
	must(t, ledger.Open(data, time.Now, ledger.Options{}).Update(t.Context(), func(tx *ledger.Tx) error {
		for range 64 {
			if _, err := tx.Append(ledger.Event{Actor: ledger.Actor{Kind: "human", ID: "Ada L."}, Action: "log filled", Record: "a test", Subject: []string{}}); err != nil {
				return err
			}
		}
		return nil
	}))
}

// B8: what a server filed verifies, run by run and as a whole; whatever is done
// to a file of it afterwards is found, and the file is named.
func TestEvidenceTampered(t *testing.T) {
	t.Parallel()
	s := story(t)
	for run, status := range map[string]string{s.failed: "failed", s.passed: "passed"} {
		v := verified(t, s.data, run)
		if files := filesIn(t, filepath.Join(s.data, "runs", run)); v.Status != status || v.Files < len(files)-1 {
			t.Errorf("%s: status %q, %d files of %d: %s", run, v.Status, v.Files, len(files), v)
		}
	}
	if v := verified(t, s.data, "--all"); v.Runs != 4 || v.Entries < 72 {
		t.Errorf("%d runs and %d entries, want all 4, with two entries each, and those that fill a tile: %s", v.Runs, v.Entries, v)
	}
	for _, want := range []string{"trace.zip", "screenshots/001-report.png", "evidence.json", "events.jsonl", "junit.xml"} {
		if !slices.ContainsFunc(filesIn(t, filepath.Join(s.data, "runs", s.failed)), func(name string) bool { return strings.Contains(name, strings.TrimSuffix(want, ".zip")) }) {
			t.Errorf("the run holds no %s: %v", want, filesIn(t, filepath.Join(s.data, "runs", s.failed)))
		}
	}
	t.Run("flips", s.flips)
	for i, c := range s.crimes() {
		t.Run(c.name, func(t *testing.T) {
			data := copied(t, s.data)
			c.commit(t, data)
			examineHere(t, data, "--all").blames(t, c.names, "--all")
			if i == 0 || soak() {
				tampered(t, c.names, data, "--all")
			}
		})
	}
	verified(t, s.data, "--all") // the copies shared nothing with it
}

// flips changes a bit of every file, at its beginning, in its middle and at its
// end, and looks whether that file is named.
func (s filed) flips(t *testing.T) {
	data, flips := copied(t, s.data), 0
	for _, name := range filesIn(t, data) {
		subject, named := "--all", name
		if inRuns, ok := strings.CutPrefix(name, "runs/"); ok {
			subject, named, _ = strings.Cut(inRuns, "/")
		}
		switch {
		case subject != "--all" && subject != s.failed, // one run will do
			name == "log/key",  // it signs what comes next, and nothing rests on it afterwards
			name == "assay.db": // it has pages that are free: see crimes
			continue
		}
		path := filepath.Join(data, name)
		whole := readFile(t, path)
		for _, at := range []int{0, len(whole) / 2, len(whole) - 2} {
			broken := bytes.Clone(whole)
			broken[at] ^= 1
			writeFile(t, path, broken)
			examineHere(t, data, subject).blames(t, named, subject)
			if flips == 0 || soak() {
				tampered(t, named, data, subject)
			}
			if t.Failed() {
				t.Fatalf("byte %d of %d of %s", at, len(whole), name)
			}
			flips++
		}
		writeFile(t, path, whole)
	}
	verified(t, data, "--all")
	t.Logf("%d flips, all found", flips)
}

// crime is something that is done to stored evidence as a whole. What is done to files and
// journals of a run, and to blobs, is found by evidence/verify in folders that are made by hand.
type crime struct {
	name   string
	names  string // file or run that must be named
	commit func(t *testing.T, data string)
}

// crimes are about a whole run, the database, and the log beside it.
func (s filed) crimes() []crime {
	inDB := func(old, replaced string) func(*testing.T, string) {
		return func(t *testing.T, data string) {
			path := filepath.Join(data, "assay.db")
			db := readFile(t, path)
			if len(old) != len(replaced) || !bytes.Contains(db, []byte(old)) {
				t.Fatalf("the database holds no %q", old)
			}
			writeFile(t, path, bytes.ReplaceAll(db, []byte(old), []byte(replaced)))
		}
	}
	return []crime{
		{"another run in its place", s.failed, func(t *testing.T, data string) {
			dir := filepath.Join(data, "runs", s.failed)
			must(t, os.RemoveAll(dir))
			must(t, os.CopyFS(dir, os.DirFS(filepath.Join(data, "runs", s.passed))))
		}},
		{"an entry edited", "assay.db", inDB(`"run finished","record":"`+s.failed, `"run finished","record":"`+s.passed)},
		{"a verdict in the log edited", "assay.db", inDB(`"reason":"failed"`, `"reason":"passed"`)},
		{"the database cut", "assay.db", func(t *testing.T, data string) { must(t, os.Truncate(filepath.Join(data, "assay.db"), 9000)) }},
		{"the database emptied", "assay.db", func(t *testing.T, data string) { must(t, os.Truncate(filepath.Join(data, "assay.db"), 0)) }},
		{"noise in the place of the database", "assay.db", func(t *testing.T, data string) {
			writeFile(t, filepath.Join(data, "assay.db"), bytes.Repeat([]byte("noise"), 9999))
		}},
		{"the database gone", "assay.db", func(t *testing.T, data string) { must(t, os.Remove(filepath.Join(data, "assay.db"))) }},
		{"the checkpoint edited", "log/checkpoint", func(t *testing.T, data string) {
			path := filepath.Join(data, "log/checkpoint")
			lines := strings.SplitN(string(readFile(t, path)), "\n", 3)
			writeFile(t, path, []byte(lines[0]+"\n2\n"+lines[2]))
		}},
	}
}
