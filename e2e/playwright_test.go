package e2e_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/assay-qa/assay/author/testfile"
	"github.com/assay-qa/assay/internal/demo"
	"github.com/assay-qa/assay/internal/wiretest"
)

const figuresSpec = `---
auth: none
secrets: [DEMO_PASSWORD]
viewport: {width: 1100, height: 800}
---
# Figures by hand
## Steps
1. Open /login and sign in with {{secret:DEMO_PASSWORD}}.
   - Expected: the heading "Dashboard" is shown
2. Look at the figures of Hardware, and of all again.
   - Expected: the page shows "$22,236.07"
   - Expected: there are 5 buttons "View"
   - Expected: the console is clean
   - Expected: GET **/assets/avatar.svg returns 200
3. View the order A-10482.
   - Expected: a dialog shows "A-10482"
4. Close it.
   - Expected: the dialog is gone
## Cleanup
1. Sign out.
`

func figuresTurns(site string) []wiretest.Say {
	return []wiretest.Say{
		say(call("page_navigate", map[string]any{"url": site + "/login"})),
		say(typed("Email", demo.Email), typed("Password", "${secret:DEMO_PASSWORD}")),
		say(call("page_press", map[string]any{"selector": `textbox "Password"`, "key": "Enter"})),
		say(shows(`heading "Dashboard"`, "E1"), stepDone(1)),
		say(chosen("Category", "Hardware")), say(call("page_wait_for_selector", map[string]any{"selector": `css=#status:has-text("Hardware")`})),
		say(chosen("Category", "All")),
		say(proves("E2"), proves("E3"), proves("E4"), proves("E5"), holds("E2", `css=[data-kpi="Revenue"]`, "text_equals", "$22,236.07"), holds("E3", "css=#order-rows tr", "count_equals", "5"),
			holds("E4", "", "console_clean", ""), holds("E4", "", "request_made", "GET **/api/*"), holds("E4", "", "url_matches", "/dashboard?range=today"),
			call("verify_assertion", map[string]any{"expects": []string{"E5"}, "assertion": map[string]any{"type": "response_status", "url": "**/assets/avatar.svg", "expected": "200"}}),
			holds("E3", `rowheader "Total"`, "visible", ""), holds("E3", `combobox "Category"`, "value_equals", "All"), stepDone(2)),
		say(pressed(`button "View" [1]`)), say(proves("E6"), stepDone(3)),
		say(pressed(`button "Close"`)), say(proves("E7"), stepDone(4)), finish(),
		say(pressed(`button "Sign out"`), stepDone(5)), finish(),
	}
}

// batch are Playwright tests that one start of the runner works, each on a site of its
// own.
type batch struct {
	dir   string
	tests []batched
}

// batched is a file of a batch, and what must come of it.
type batched struct {
	file, status string
	says         []string // in the errors of one that fails
}

// add puts a test into the batch: as it is, but for a line that says where its site is.
// One that fails is announced: otherwise the runner starts another browser.
func (b *batch) add(t *testing.T, file, text, site, status string, says ...string) {
	t.Helper()
	if status == "failed" {
		announced := regexp.MustCompile(`(?m)^( *)test\(`).ReplaceAllString(text, "${1}test.fail(")
		if announced == text {
			t.Fatalf("%s has no test:\n%s", file, text)
		}
		text = announced
	}
	text = fmt.Sprintf("process.env.BASE_URL = %q;\n", site) + text
	if err := os.WriteFile(filepath.Join(b.dir, file), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	b.tests = append(b.tests, batched{file, status, says})
}

// E7, C3, C4: what assay writes as Playwright tests, of a recording, of a plan, of each
// assertion type and of steps with files and dialogs, passes in the runner that others
// made where it holds, and fails where it does not.
func TestAsPlaywrightTests(t *testing.T) {
	t.Parallel()
	needsBrowser(t)
	cli, err := filepath.Abs(filepath.Join(needsPackages(t, "@playwright/test"), "cli.js"))
	if err != nil {
		t.Fatal(err)
	}
	b := &batch{dir: t.TempDir()}
	b.ofARecording(t)
	b.ofAPlan(t)
	b.ofAssertionTypes(t)
	b.ofUploadsAndDialogs(t)
	b.ofTabs(t)
	b.ofReadings(t)
	came := runTests(t, cli, b.dir)
	if len(came) != len(b.tests) {
		t.Errorf("%d of %d tests were run", len(came), len(b.tests))
	}
	for _, test := range b.tests {
		t.Run(strings.TrimSuffix(test.file, ".spec.ts"), func(t *testing.T) {
			r := came[test.file]
			if r.status != test.status {
				t.Errorf("%q, want %s\n%s", r.status, test.status, r.said)
			}
			for _, word := range test.says {
				if !strings.Contains(r.said, word) {
					t.Errorf("its errors don't say %q: %s", word, r.said)
				}
			}
		})
	}
}

// ofReadings adds the table of readings: each locator that a test has for a selector leads to
// the elements that our engine finds by it.
func (b *batch) ofReadings(t *testing.T) {
	t.Helper()
	testdata := filepath.Join("..", "author", "testfile", "testdata")
	var rows strings.Builder
	for line := range strings.Lines(string(readFile(t, filepath.Join(testdata, "readings.txt")))) {
		selector, ids, row := strings.Cut(strings.TrimSpace(line), " ->")
		if !row || strings.HasPrefix(selector, "#") {
			continue
		}
		locator, err := testfile.Locator(selector)
		if err != nil {
			t.Fatalf("%s: %v", selector, err)
		}
		fmt.Fprintf(&rows, "  await expect(%s, %q).toHaveCount(%d);\n", locator, selector, len(strings.Fields(ids)))
		for _, id := range strings.Fields(ids) {
			fmt.Fprintf(&rows, "  await expect(%s, %q).toHaveId(%q);\n", locator, selector, id)
		}
	}
	site := httptest.NewServer(http.FileServer(http.Dir(testdata)))
	t.Cleanup(site.Close)
	b.add(t, "readings.spec.ts", "import { expect as hard, test } from '@playwright/test';\nconst expect = hard.configure({ soft: true });\ntest('readings', async ({ page }) => {\n"+
		"  await page.goto(process.env.BASE_URL + '/readings.html');\n"+rows.String()+"});\n", site.URL, "passed")
}

// ofARecording adds a recording (E7): it passes on the healthy dashboard, and fails where
// a figure is wrong.
func (b *batch) ofARecording(t *testing.T) {
	t.Helper()
	dir, site := t.TempDir(), startDemo(t, demo.Options{})
	recordFigures(t, dir, site.URL())
	text := string(readFile(t, filepath.Join(dir, "figures.spec.ts")))
	if strings.Contains(text, demo.Password) || strings.Contains(text, site.URL()) {
		t.Fatal(text)
	}
	b.add(t, "recording.spec.ts", text, site.URL(), "passed")
	wrong := startDemo(t, demo.Options{Variant: "slip-1000"}) // Revenue is 1,000 times too small
	b.add(t, "recording-slip-1000.spec.ts", text, wrong.URL(), "failed", "$22,236.07", "toHaveText")
}

// recordFigures has the scripted model work the spec, and the test written.
func recordFigures(t *testing.T, dir, site string) {
	t.Helper()
	const key = "key-of-the-scripted-provider"
	turns := figuresTurns(site)
	server, err := wiretest.New(wiretest.OpenAI, func(s wiretest.Seen) wiretest.Say { return turns[min(s.Request, len(turns))-1] },
		wiretest.Options{Key: key, Model: "scripted", Secrets: []string{demo.Password}})
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	config := filepath.Join(t.TempDir(), "mcp.toml")
	for path, text := range map[string]string{filepath.Join(dir, "figures.md"): figuresSpec, config: "schema_version = 1\n[secrets]\nDEMO_PASSWORD = \"env:DEMO_PASSWORD\"\n"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	trusted(t, filepath.Dir(config))
	run := exec.CommandContext(t.Context(), binary(t), "run", filepath.Join(dir, "figures.md"), "--write-tests", "--replay", "prefer", "--config", config, "--data-dir", t.TempDir(),
		"--base-url", site, "--agent-provider", "openai", "--agent-base-url", server.URL(), "--agent-model", "scripted", "--agent-computer", "off")
	run.Env = append(environment(t.TempDir()), "DEMO_PASSWORD="+demo.Password, "OPENAI_API_KEY="+key)
	out, err := run.CombinedOutput()
	if err != nil || !bytes.Contains(out, []byte("test written to ")) {
		t.Fatalf("%v: %s\n%v", err, out, server.Problems())
	}
}

// browserPath is the browser that assay drives here.
func browserPath(t *testing.T) string {
	t.Helper()
	all, err := doctor()
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range all {
		if m := regexp.MustCompile(`version [^,]*, (.*) \(`).FindStringSubmatch(d.Detail); d.Name == "browser" && m != nil {
			return m[1]
		}
	}
	t.Fatalf("no path of a browser: %+v", all)
	return ""
}

// ran is what came of a test.
type ran struct{ status, said string }

// testSuite is a file or a describe block of Playwright's report.
type testSuite struct {
	File   string
	Specs  []testSpec
	Suites []testSuite
}

type testSpec struct {
	Tests []struct {
		Results []struct {
			Status string
			Errors []struct{ Message string }
		}
	}
}

// specs returns the tests of a suite and of those in it.
func (s testSuite) specs() []testSpec {
	all := s.Specs
	for _, inner := range s.Suites {
		all = append(all, inner.specs()...)
	}
	return all
}

// runTests runs the tests in a folder, and tells what came of them by the names
// of their files.
func runTests(t *testing.T, cli, dir string) map[string]ran {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		absent(t, "Playwright's runner needs Node: %v", err)
	}
	config, err := json.Marshal(map[string]any{"testDir": dir, "outputDir": t.TempDir(), "reporter": "json", "workers": 1,
		"use": map[string]any{"browserName": "chromium", "launchOptions": map[string]any{"executablePath": browserPath(t)}}})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "playwright.config.js")
	if err := os.WriteFile(path, []byte("module.exports = "+string(config)), 0o600); err != nil {
		t.Fatal(err)
	}
	run := exec.CommandContext(t.Context(), node, cli, "test", "--config", path)
	run.Dir = dir
	run.Env = append(environment(t.TempDir()), "NODE_PATH="+filepath.Dir(filepath.Dir(filepath.Dir(cli))), "DEMO_PASSWORD="+demo.Password)
	var stdout, stderr bytes.Buffer
	run.Stdout, run.Stderr = &stdout, &stderr
	var exit *exec.ExitError
	if err := run.Run(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	var report struct {
		Errors []struct{ Message string }
		Suites []testSuite
	}
	if err := json.Unmarshal(stdout.Bytes(), &report); err != nil {
		t.Fatalf("%v: %s\n%s", err, stdout.Bytes(), stderr.Bytes())
	}
	if len(report.Suites) == 0 {
		t.Fatalf("no test: %s", stdout.Bytes())
	}
	out := map[string]ran{}
	for _, suite := range report.Suites {
		specs := suite.specs()
		if len(specs) != 1 || len(specs[0].Tests) != 1 {
			t.Fatalf("not one test in %s: %s", suite.File, stdout.Bytes())
		}
		var last ran
		for _, r := range specs[0].Tests[0].Results {
			last.status = r.Status
			for _, e := range r.Errors {
				last.said += e.Message + "\n"
			}
		}
		out[suite.File] = last
	}
	return out
}
