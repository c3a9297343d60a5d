package e2e_test

import (
	"encoding/base64"
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// link is an address of a resource, wherever it stands in an answer.
var link = regexp.MustCompile(`assay://[A-Za-z0-9._~/-]+`)

// content is what a resource holds.
type content struct{ URI, MimeType, Text, Blob string }

// read opens a link.
func (w *wire) read(uri string) content {
	w.t.Helper()
	m := w.answer(w.send("resources/read", map[string]any{"uri": uri}))
	if m.Error != nil {
		w.t.Errorf("%s does not open: %d %s", uri, m.Error.Code, m.Error.Message)
		return content{}
	}
	var result struct{ Contents []content }
	decode(w.t, m.Result, &result)
	if len(result.Contents) != 1 || result.Contents[0].URI != uri {
		w.t.Errorf("%s opens as %s", uri, brief(m.Result))
		return content{}
	}
	return result.Contents[0]
}

// A7: every link in an answer opens, in every revision.
func TestEveryLinkOpens(t *testing.T) {
	t.Parallel()
	for _, r := range revisions() {
		if r == november25 && !soak() {
			continue // the other tests speak it
		}
		t.Run(string(r), func(t *testing.T) {
			needsBrowser(t)
			w := attach(t, r)
			run := w.recordedRun(dashboard(t))
			base := "assay://runs/" + run + "/"
			links := w.links()
			for _, want := range []string{base + "report.html", base + "artifacts/"} {
				if !slices.ContainsFunc(links, func(uri string) bool { return strings.HasPrefix(uri, want) }) {
					t.Errorf("no answer links to %s…: %v", want, links)
				}
			}
			for _, uri := range append(links, base+"report.json", base+"report.md") {
				if c := w.read(uri); c.Text == "" && c.Blob == "" {
					t.Errorf("%s is empty", uri)
				}
			}
			w.runListed(run)
			w.schemasOpen()
			w.noSuchResource()
		})
	}
}

// recordedRun makes answers with all kinds of links: pictures asked for and
// taken on failure, log files, the report.
func (w *wire) recordedRun(url string) (runID string) {
	w.t.Helper()
	run := field[string](w, w.do("run_start", map[string]any{"goal": "links open"}), "run_id")
	w.do("verify_page_loads", map[string]any{"url": url})
	w.do("page_navigate", map[string]any{"url": url})
	w.do("page_evaluate", map[string]any{"script": "console.error('for the log')"})
	shot := w.do("page_screenshot", map[string]any{"name": "asked for", "include_image": true})
	w.pictured(shot)
	missed := w.call("page_click", map[string]any{"selector": `button "Not there"`, "timeout_ms": 300})
	w.fails(missed, "ELEMENT_NOT_FOUND")
	if missed.envelope.Screenshot == nil {
		w.t.Errorf("a failed action without a picture: %s", missed.text())
	}
	w.do("browser_close", nil)
	w.do("run_finish", map[string]any{"summary": "done"})
	return run
}

// pictured checks that the answer carries the picture as image, link and path.
func (w *wire) pictured(a answer) {
	w.t.Helper()
	shot := a.envelope.Screenshot
	if shot == nil || !strings.Contains(a.text(), shot.Path) {
		w.t.Fatalf("no picture, or no path in the text: %s", a.text())
	}
	var kinds []string
	for _, c := range a.Content {
		kinds = append(kinds, c.Type)
		switch c.Type {
		case "resource_link":
			if c.URI != shot.URI {
				w.t.Errorf("the link goes to %s, the picture is %s", c.URI, shot.URI)
			}
		case "image":
			if data, err := base64.StdEncoding.DecodeString(c.Data); err != nil || len(data) == 0 {
				w.t.Errorf("the image is no base64: %v", err)
			}
		}
	}
	if slices.Sort(kinds); !slices.Equal(kinds, []string{"image", "resource_link", "text"}) {
		w.t.Errorf("content is %v", kinds)
	}
}

// links lists the addresses in all answers so far.
func (w *wire) links() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	found := map[string]bool{}
	for _, m := range w.heard {
		if w.asked[key(m.ID)].method == "tools/call" {
			for _, uri := range link.FindAllString(string(m.line), -1) {
				found[uri] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(found))
}

func (w *wire) runListed(run string) {
	w.t.Helper()
	var list struct{ Resources []content }
	decode(w.t, w.ask("resources/list", nil).Result, &list)
	for _, r := range list.Resources {
		w.read(r.URI)
	}
	if runs := w.read("assay://runs"); !strings.Contains(runs.Text, run) {
		w.t.Errorf("assay://runs lacks %s: %s", run, brief([]byte(runs.Text)))
	}
}

// schemasOpen reads the schema of every published type (A7).
func (w *wire) schemasOpen() {
	w.t.Helper()
	var list struct {
		ResourceTemplates []struct{ URITemplate, Description string }
	}
	decode(w.t, w.ask("resources/templates/list", nil).Result, &list)
	if len(list.ResourceTemplates) == 0 {
		w.t.Error("no resource templates")
	}
	for _, name := range []string{"task-spec", "finding", "check", "qa-report"} {
		c := w.read("assay://schemas/" + name + ".json")
		if _, err := compile(json.RawMessage(c.Text)); err != nil {
			w.t.Errorf("schema %s: %v", name, err)
		}
	}
}

// noSuchResource: addresses that name nothing, or try to leave the folder, are
// errors.
func (w *wire) noSuchResource() {
	w.t.Helper()
	for _, uri := range []string{
		"assay://runs/nope/report.json", "assay://schemas/nope.json", "assay://nope", "nonsense", "",
		"assay://runs/../report.json", "assay://runs/x/artifacts/..%2F..%2F..%2Fetc%2Fpasswd", "file:///etc/passwd",
	} {
		if m := w.answer(w.send("resources/read", map[string]any{"uri": uri})); m.Error == nil {
			w.t.Errorf("%q opens: %s", uri, brief(m.line))
		}
	}
}
