package main

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-qa/assay/qa"
)

// pagesSite has a page that is fine, one with a script that throws, and one whose image and
// request of another host fail.
func pagesSite(t *testing.T) (address, other string) {
	t.Helper()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		switch r.URL.Path {
		case "/broken.js":
			w.Header().Set("Content-Type", "text/javascript")
			_, _ = w.Write([]byte("fetch('/data').catch(() => {});\nfetch('/data').then(() => {\n  none.length;\n});"))
			return
		case "/data":
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		body := map[string]string{"/fine": ``, "/throws": `<script>throw new Error("no cart")</script>`,
			"/broken":          "<img src='/gone.png' alt='x'><script src='/broken.js'></script>",
			"/loads-of-others": `<img src="//` + strings.Replace(r.Host, "127.0.0.1", "localhost", 1) + `/gone.png" alt="x">`}
		said, ok := body[r.URL.Path]
		if !ok {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		_, _ = w.Write([]byte(`<!doctype html><html lang="en"><head><title>Shop</title><link rel="icon" href="data:,"></head><body><h1>Shop</h1><p>All is well in this shop.</p>` + said))
	}))
	t.Cleanup(site.Close)
	return site.URL, "localhost"
}

// checkHere runs assay check within this process.
func checkHere(t *testing.T, dir string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	return commandHere(t, dir, append([]string{"check"}, args...)...)
}

// commandHere runs a command within this process.
func commandHere(t *testing.T, dir string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, wrong bytes.Buffer
	a := here(strings.NewReader(""), &out, &wrong, func(string) string { return "" })
	code = a.run(t.Context(), append(args, "--data-dir", dir))
	return code, out.String(), wrong.String()
}

// Of several pages assay check prints each in its order, and at the end how many passed
// and which did not; they have an index and a JUnit file, as suites have (33).
func TestCheckOfManyPages(t *testing.T) {
	t.Parallel()
	site, _ := pagesSite(t)
	dir := t.TempDir()
	junit := filepath.Join(dir, "junit.xml")
	code, said, wrong := checkHere(t, dir, "--junit", junit, "--parallel", "2", site+"/throws", site+"/fine", site+"/gone")
	if code != exitFailed || wrong != "" {
		t.Errorf("exit %d: %s", code, wrong)
	}
	_, end, _ := strings.Cut(said, "failed: 3 pages, 1 passed, 2 failed\n")
	index, listed, _ := strings.Cut(strings.TrimPrefix(end, "index: "), "\n")
	if listed != "  failed  "+site+"/throws\n  failed  "+site+"/gone\n" {
		t.Errorf("the summary is\n%s", said)
	}
	if first, second := strings.Index(said, "failed  "+site+"/throws"), strings.Index(said, "passed  "+site+"/fine"); first < 0 || second < first {
		t.Errorf("the pages are not printed in their order:\n%s", said)
	}
	page, err := os.ReadFile(index)
	if err != nil || strings.Count(string(page), `<li class="card `) != 3 || !strings.Contains(string(page), "no cart") {
		t.Errorf("the index: %v\n%s", err, page)
	}
	var doc struct {
		XMLName  xml.Name `xml:"testsuites"`
		Tests    int      `xml:"tests,attr"`
		Failures int      `xml:"failures,attr"`
		Cases    []struct {
			Name  string `xml:"name,attr"`
			Class string `xml:"classname,attr"`
		} `xml:"testsuite>testcase"`
	}
	data, err := os.ReadFile(junit)
	if err == nil {
		err = xml.Unmarshal(data, &doc)
	}
	if err != nil || doc.Tests != 3 || doc.Failures != 2 || len(doc.Cases) != 3 || doc.Cases[0].Name != "http://127.0.0.1/throws" || doc.Cases[0].Class != "assay.suite" {
		t.Errorf("the JUnit file: %v\n%s", err, data)
	}
	// The next time the index has the trend from the stored runs.
	_, said, _ = checkHere(t, dir, site+"/throws", site+"/fine")
	_, end, _ = strings.Cut(said, "\nindex: ")
	index, _, _ = strings.Cut(end, "\n")
	if page, err = os.ReadFile(index); err != nil || strings.Count(string(page), `<ol class="runs">`) != 2 || strings.Count(string(page), `<span class="said">`) != 4 {
		t.Errorf("the index of the second time has no trend of two runs each: %v", err)
	}
	// it is no suite that assay run could go on with
	if code, _, wrong := commandHere(t, dir, "run", "--resume", "latest"); code != exitUsage {
		t.Errorf("assay run --resume latest: exit %d: %s", code, wrong)
	}
	if code, _, wrong := commandHere(t, dir, "run", "--resume", filepath.Base(filepath.Dir(index))); code != exitUsage || !strings.Contains(wrong, "a suite of assay check") {
		t.Errorf("assay run --resume ID: exit %d: %s", code, wrong)
	}
}

// Failed requests to hosts that are ignored fail no page, and the report says which were
// (33). A fault of the page's own does, and so does the same request to another host.
func TestCheckIgnoresHosts(t *testing.T) {
	t.Parallel()
	site, other := pagesSite(t)
	page := site + "/loads-of-others"
	if code, said, _ := checkHere(t, t.TempDir(), page); code != exitFailed {
		t.Errorf("a failed request of another host: exit %d\n%s", code, said)
	}
	if code, said, _ := checkHere(t, t.TempDir(), "--ignore-hosts", "ads.example", page); code != exitFailed {
		t.Errorf("with a host ignored that nothing was sent to: exit %d\n%s", code, said)
	}
	dir := t.TempDir()
	code, said, _ := checkHere(t, dir, "--ignore-hosts", "ads.example,"+other, page)
	if code != exitPassed || !strings.Contains(said, "failed_requests  none; ignored: 1 of "+other) {
		t.Errorf("with its host ignored: exit %d\n%s", code, said)
	}
	reports, err := filepath.Glob(filepath.Join(dir, "runs", "*", "report.md"))
	if err != nil || len(reports) != 1 {
		t.Fatalf("reports: %v, %v", reports, err)
	}
	if doc, err := os.ReadFile(reports[0]); err != nil || !strings.Contains(string(doc), "ignored: 1 of "+other) {
		t.Errorf("the report does not say what was ignored: %v\n%s", err, doc)
	}
	if code, said, _ := checkHere(t, t.TempDir(), "--ignore-hosts", "127.0.0.1", site+"/gone"); code != exitFailed {
		t.Errorf("a page that is not there, at an ignored host: exit %d\n%s", code, said)
	}
}

// A device is one that the driver knows, or a size; what is wrong in a flag is told before
// anything is loaded (33).
func TestCheckOnDevices(t *testing.T) {
	t.Parallel()
	site, _ := pagesSite(t)
	dir := t.TempDir()
	if code, said, wrong := checkHere(t, dir, "--device", "390x844", site+"/fine"); code != exitPassed {
		t.Errorf("exit %d: %s%s", code, said, wrong)
	}
	reports, err := filepath.Glob(filepath.Join(dir, "runs", "*", "report.html"))
	if err != nil || len(reports) != 1 {
		t.Fatalf("reports: %v, %v", reports, err)
	}
	doc, err := os.ReadFile(reports[0])
	for _, want := range []string{"390×844", "assay check --device &#39;390x844&#39; &#39;" + site + "/fine&#39;"} {
		if err != nil || !strings.Contains(string(doc), want) {
			t.Errorf("the report has no %q (%v)", want, err)
		}
	}
	for flag, want := range map[string]string{"--device=Pixl 7": "Pixel 7", "--device=1x": "unknown", "--ignore-hosts=a b": `"a b" is no host name`, "--parallel=0": "use 1 to"} {
		if code, _, wrong := checkHere(t, t.TempDir(), flag, site+"/fine"); code != exitUsage || !strings.Contains(wrong, want) {
			t.Errorf("%s: exit %d: %s", flag, code, wrong)
		}
	}
}

// What went wrong with a page is told once: the console and the list of images repeat what
// exceptions and failed requests are findings for. Each finding has what leads to its cause:
// the place in the site's script, the requests with their status (33).
func TestCheckTellsAFaultOnce(t *testing.T) {
	t.Parallel()
	site, _ := pagesSite(t)
	code, said, _ := checkHere(t, t.TempDir(), "--json", site+"/broken")
	var report qa.QAReport
	if err := json.Unmarshal([]byte(said), &report); err != nil || code != exitFailed {
		t.Fatalf("exit %d, %v:\n%s", code, err, said)
	}
	var thrown, requests qa.Finding
	for _, f := range report.Findings {
		if f.At != nil {
			thrown = f
		} else {
			requests = f
		}
	}
	if len(report.Findings) != 2 || thrown.At == nil || *thrown.At != (qa.Place{URL: site + "/broken.js", Line: 3, Column: 3}) {
		t.Errorf("findings: %+v", report.Findings)
	}
	status := map[string]int{}
	for _, r := range requests.Requests {
		status[r.Method+" "+r.URL] = r.Status
	}
	if len(status) != 2 || status["GET "+site+"/gone.png"] != 404 || status["GET "+site+"/data"] != 500 {
		t.Errorf("requests: %+v", requests.Requests)
	}
	for _, c := range report.Checks {
		if want := map[string]string{"console_errors": thrown.ID, "failed_requests": requests.ID, "broken_images": requests.ID}[c.Kind]; c.Finding != want {
			t.Errorf("%s has the finding %q, want %q", c.Kind, c.Finding, want)
		}
	}
}
