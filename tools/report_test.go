package tools_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/tools/resources"
)

// requireSchema holds a report to the published JSON Schema, unknown fields and all.
func requireSchema(t *testing.T, doc []byte) {
	t.Helper()
	raw, err := json.Marshal(resources.Schemas()["qa-report"]())
	if err != nil {
		t.Fatal(err)
	}
	tree, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("qa-report.json", tree); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("qa-report.json")
	if err != nil {
		t.Fatal(err)
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(doc))
	if err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(v); err != nil {
		t.Error(err)
	}
	extra := v.(map[string]any)
	extra["surprise"] = 1
	if schema.Validate(extra) == nil {
		t.Error("the schema takes unknown fields: it proves nothing")
	}
}

// TestReportTellsTheWay: a real run's report has its calls and steps, what the
// console complained of, the requests that failed, and links that lead to
// stored files; it holds to the published schema (A7, A14).
func TestReportTellsTheWay(t *testing.T) {
	t.Parallel()
	d := online(t)
	url := site(t, map[string]string{"/": `<title>Shop</title><button onclick="out.textContent='done'">Go</button><p id=out></p><img src=/missing.png alt=x>
		<script>console.warn('it is slow'); console.log('chatter'); fetch('/down')</script>`, "/down": "500|no"})
	d.ok("run_start", `{"goal": "the shop works"}`)
	d.ok("browser_launch", `{}`)
	d.ok("page_navigate", `{"url": %q, "wait_until": "networkidle"}`, url+"/")
	d.ok("page_click", `{"selector": "button \"Go\""}`)
	d.call("page_click", `{"selector": "button \"Gone\"", "timeout_ms": 100}`)
	d.ok("verify_user_flow", `{"start_url": %q, "name": "press", "steps": [{"action": "click", "selector": "button \"Go\""}], "success_condition": "text=done"}`, url+"/")
	d.ok("browser_close", `{}`)
	d.ok("run_finish", `{}`)
	runs, err := d.Store.Runs()
	if err != nil || len(runs) != 1 {
		t.Fatalf("%d runs, %v", len(runs), err)
	}
	doc, _, err := d.Store.Artifact(runs[0].ID, "report.json")
	if err != nil {
		t.Fatal(err)
	}
	requireSchema(t, doc)
	var r qa.QAReport
	if err := json.Unmarshal(doc, &r); err != nil {
		t.Fatal(err)
	}
	requireTimeline(t, r, url)
	warned, erred := 0, 0
	for _, e := range r.Console {
		switch {
		case e.Level == "warning" && e.Text == "it is slow":
			warned++
		case e.Level == "error":
			erred++
		default:
			t.Errorf("the console has %+v", e)
		}
	}
	if warned != 2 || erred == 0 { // the session's own, and the flow's
		t.Errorf("%d warnings, %d errors: %+v", warned, erred, r.Console)
	}
	seen := map[string]int{}
	for _, n := range r.Network {
		seen[strings.TrimPrefix(n.URL, url)] = n.Status
	}
	if len(r.Network) < 4 || seen["/missing.png"] != 404 || seen["/down"] != 500 {
		t.Errorf("bad requests = %+v", r.Network)
	}
	for _, link := range []string{r.Links.ReportURL, r.Links.ScreenshotsGalleryURL} {
		name, anchor, _ := strings.Cut(link, "#")
		page, _, err := d.Store.Artifact(r.RunID, name)
		if link == "" || err != nil || anchor != "" && !bytes.Contains(page, []byte(`id="`+anchor+`"`)) {
			t.Errorf("link %q leads nowhere: %v", link, err)
		}
	}
	if r.Links.RawTranscriptURL != "events.jsonl" {
		t.Errorf("links = %+v", r.Links)
	}
}

func requireTimeline(t *testing.T, r qa.QAReport, url string) {
	t.Helper()
	var names []string
	for _, e := range r.Timeline {
		names = append(names, e.Name)
		if e.StartedAt.Before(r.StartedAt) || e.StartedAt.After(r.FinishedAt) {
			t.Errorf("%s began at %v, outside of the run", e.Name, e.StartedAt)
		}
	}
	const want = "run_start browser_launch page_navigate page_click page_click verify_user_flow step 0 open step 1 click step 2 success_condition browser_close run_finish"
	if got := strings.Join(names, " "); got != want {
		t.Fatalf("timeline = %s\nwant %s", got, want)
	}
	at := r.Timeline
	if at[2].Detail != url+"/" || at[3].Detail != `button "Go"` || at[4].ErrorCode != "ELEMENT_NOT_FOUND" || at[4].Screenshot == "" || at[4].DurationMS < 100 ||
		!strings.HasPrefix(at[5].Detail, "press") || at[7].Detail != `button "Go"` || at[6].Step != at[5].Step {
		t.Errorf("timeline = %+v", at)
	}
}

// TestReportResources: the views for CI systems open by their addresses (A15).
func TestReportResources(t *testing.T) {
	t.Parallel()
	d := offline(t)
	d.ok("run_start", `{"goal": "nothing"}`)
	d.ok("run_finish", `{}`)
	runs, err := d.Store.Runs()
	if err != nil || len(runs) != 1 {
		t.Fatalf("%d runs, %v", len(runs), err)
	}
	read := func(format string) ([]byte, error) {
		data, _, err := resources.All(d.Workspace)[1].Read(t.Context(), "assay://runs/"+runs[0].ID+"/report."+format)
		return data, err
	}
	junit, err := read("junit.xml")
	if err != nil {
		t.Fatal(err)
	}
	var suite struct {
		XMLName xml.Name `xml:"testsuites"`
		Errors  string   `xml:"errors,attr"`
	}
	if err := xml.Unmarshal(junit, &suite); err != nil || suite.Errors != "1" {
		t.Errorf("junit.xml of a run without a check: %v\n%s", err, junit)
	}
	if ctrf, err := read("ctrf.json"); err != nil || !json.Valid(ctrf) {
		t.Errorf("ctrf.json: %v", err)
	}
	if _, err := read("exe"); err == nil {
		t.Error("an unknown format is read")
	}
}
