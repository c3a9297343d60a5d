package main

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/assay-qa/assay/agent/rules"
	"github.com/assay-qa/assay/internal/demo"
	"github.com/assay-qa/assay/internal/starter"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/suite/spec"
)

// Issue 15: the demo's tasks in sentences, in four languages, pass on the healthy
// dashboard; where one figure is wrong, each fails for the sentence about it, and
// for no other.
func TestDemoSentences(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("needs the browser")
	}
	const aboutRevenue = "E7"
	for variant, status := range map[string]qa.Status{demo.VariantPlain: qa.Passed, "slip-1000": qa.Failed} {
		if status == qa.Passed && os.Getenv("SOAK") == "" {
			continue // where one figure is wrong, all other sentences must pass
		}
		t.Run(variant, func(t *testing.T) {
			t.Parallel()
			site, err := demo.Start(t.Context(), demo.Options{Variant: variant})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() {
				if err := site.Close(); err != nil {
					t.Error(err)
				}
			})
			dir, cases := t.TempDir(), 4
			if os.Getenv("SOAK") == "" {
				cases = 1 // TestSentencesSayTheSame holds the languages together
			}
			for file, data := range demo.Tasks(site.URL()) {
				if file == "sanity.task.toml" || cases == 1 && strings.HasPrefix(file, "dashboard.") && file != "dashboard.zh.task.toml" {
					continue
				}
				if err := os.WriteFile(filepath.Join(dir, file), data, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			var stdout, stderr bytes.Buffer
			a := here(bytes.NewReader(nil), &stdout, &stderr, os.Getenv)
			a.run(t.Context(), []string{"run", "--json", "--config", filepath.Join(dir, "mcp.toml"), "--data-dir", filepath.Join(dir, "data"), dir})
			var result qa.TestResult
			if err := json.Unmarshal(stdout.Bytes(), &result); err != nil || len(result.TestCases) != cases { // the sign-in is none
				t.Fatalf("%d cases, %v\n%s", len(result.TestCases), err, stderr.String())
			}
			for _, c := range result.TestCases {
				if !strings.HasPrefix(string(c.Name), "demo-dashboard-") {
					continue
				}
				var report qa.QAReport
				doc, err := os.ReadFile(filepath.Join(filepath.Dir(c.Report), "report.json"))
				if err == nil {
					err = json.Unmarshal(doc, &report)
				}
				if err != nil {
					t.Fatal(err)
				}
				if report.Status != status {
					t.Errorf("%s: %s (%s)", c.Name, report.Status, report.StatusReason)
				}
				for _, e := range report.Task.Expectations {
					if fails := failedFor(report, e.ID); fails != (status == qa.Failed && e.ID == aboutRevenue) {
						t.Errorf("%s: %s %s: fails is %t", c.Name, e.ID, e.Text, fails)
					}
				}
			}
		})
	}
}

// Issue 15: the tasks in sentences say the same in each language, so all of them
// ask for the same checks.
func TestSentencesSayTheSame(t *testing.T) {
	t.Parallel()
	files := demo.Tasks(demo.TasksURL)
	var first []string
	for _, language := range []string{"en", "de", "it", "zh"} {
		var asked []string
		for line := range strings.Lines(string(files["dashboard."+language+".task.toml"])) {
			sentence, ok := strings.CutPrefix(strings.TrimSpace(line), "text = '")
			if !ok {
				continue
			}
			demands, err := qa.Demands(strings.TrimSuffix(sentence, "'"))
			if err != nil {
				t.Errorf("%s: %v", sentence, err)
			}
			for _, d := range demands {
				asked = append(asked, d.Means)
			}
		}
		if first == nil {
			first = asked
		}
		if len(asked) < 11 || !slices.Equal(asked, first) {
			t.Errorf("%s asks for %q, English for %q", language, asked, first)
		}
	}
}

// Every sentence that assay init writes is read by a closed form, and its spec needs no
// model: rules read its steps, too.
func TestStarterSentences(t *testing.T) {
	t.Parallel()
	read := 0
	files, err := starter.Project{Base: &url.URL{Scheme: "http", Host: "localhost"}, Provider: "openai", Headless: true}.Files()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		file, data := f.To, f.Text
		if file != "specs/first.md" && file != "tasks/first.task.toml" {
			continue
		}
		for line := range strings.Lines(data) {
			sentence, spec := strings.CutPrefix(strings.TrimSpace(line), "- Expected: ")
			if text, task := strings.CutPrefix(strings.TrimSpace(line), `text = "`); task {
				sentence = strings.TrimSuffix(text, `"`)
			} else if !spec {
				continue
			}
			read++
			if _, err := qa.Demands(sentence); err != nil {
				t.Errorf("%s: %s: %v", file, sentence, err)
			}
		}
	}
	if read != 3 {
		t.Errorf("%d sentences were read, want 3", read)
	}
	at := slices.IndexFunc(files, func(f starter.File) bool { return f.To == "specs/first.md" })
	source, problems := spec.Load("first.md", spec.Options{Read: func(name string) ([]byte, error) {
		if name != "first.md" {
			return nil, fs.ErrNotExist
		}
		return []byte(files[at].Text), nil
	}})
	if len(source.Specs) != 1 || len(problems) > 0 {
		t.Fatalf("%d specs, %v", len(source.Specs), problems)
	}
	if unread := rules.UnreadSentences(source.Specs[0].Task(), source.Specs[0].Procedure()); len(unread) > 0 {
		t.Errorf("not read: %v", unread)
	}
}

// failedFor reports whether a check of an expectation failed.
func failedFor(report qa.QAReport, id string) bool {
	for _, c := range report.Checks {
		for _, e := range c.Expects {
			if e == id && !c.Passed {
				return true
			}
		}
	}
	return false
}
