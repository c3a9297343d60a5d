package report_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/assay-qa/assay/evidence/report"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
)

// compared is a row of every kind but the status, which the caller gives.
func compared(name string, status qa.VisualStatus, reason string) qa.VisualRow {
	return qa.VisualRow{Name: name, Status: status, Reason: pagetext.Sentence(reason), BaselineID: "b-3f2a9c51", Version: 3, Approved: true,
		Threshold: 0.01, Compared: 921600, BeforeSize: "1280×720", AfterSize: "1280×720", Regions: []qa.VisualRegion{}}
}

// visualReport has a picture of every outcome.
func visualReport() qa.QAReport {
	r := base(qa.Failed, `1 check of 7 failed; first: visual dashboard: 3.142 % of the pixels differ, 1 % may`)
	r.Task.Goal = "The dashboard looks as it did"
	changed := compared("dashboard", qa.VisualChanged, "3.142 % of the pixels differ, 1 % may")
	changed.ProposalID, changed.DiffPercentage, changed.ChangedPixels, changed.RawPixels, changed.PalePixels = "b-77aa01ff", 3.14159, 28012, 41200, 941
	changed.Before, changed.After, changed.Diff = "001-before.png", "002-after.png", "003-diff.png" // a name is good with or without its folder
	changed.Environment = []string{"the browser is version 157.0, the baseline's was 156.0"}
	changed.Regions = []qa.VisualRegion{
		{Box: qa.Box{X: 40, Y: 30, Width: 420, Height: 56}, Selector: `heading "Sales today"`, Kind: qa.ChangeText, From: "Sales", To: "Sales today",
			Text: `the text of heading "Sales" changed from "Sales" to "Sales today"; it pushed 2 elements down by 24 px`, Cause: true, ChangedPixels: 9120, RawPixels: 10050},
		{Box: qa.Box{X: 820, Y: 160, Width: 360, Height: 180}, Selector: `testid=orders`, Kind: qa.ChangeStyle, Property: "background-color", From: "rgb(255, 255, 255)", To: "rgb(254, 249, 195)",
			Text: `the background-color of region "Orders" changed from rgb(255, 255, 255) to rgb(254, 249, 195)`, Cause: true, Pale: true, RawPixels: 20010},
		{Box: qa.Box{X: 430, Y: 160, Width: 360, Height: 180}, Selector: `button "Export"`, Kind: qa.ChangeRemoved, Text: `button "Export" was removed`, Cause: true, ChangedPixels: 4000, RawPixels: 4100},
		{Box: qa.Box{X: 40, Y: 400, Width: 1140, Height: 200}, Selector: `table "Orders"`, Kind: qa.ChangeMoved, Text: `table "Orders" moved down by 24 px`, ChangedPixels: 14000, RawPixels: 14100},
		{Box: qa.Box{X: 1270, Y: 700, Width: 400, Height: 400}, Selector: `img "Logo"`, Kind: qa.ChangeMoved, Text: `img "Logo" moved down by 24 px`},
	}
	changed.Omitted = 2
	size := compared("card", qa.VisualSize, "the picture is 420×200 pixels, its baseline 400×180")
	size.Part, size.BeforeSize, size.AfterSize, size.Compared, size.Version, size.ProposalID = `testid=orders`, "400×180", "420×200", 0, 1, "b-77aa0200"
	size.Before, size.After = "screenshots/004-card-before.png", "screenshots/005-card.png"
	within := compared("menu", qa.VisualWithin, "0.0004 % of the pixels differ, within the threshold of 1 %")
	within.DiffPercentage, within.ChangedPixels, within.RawPixels = 0.000434, 4, 9
	same := compared("footer", qa.VisualSame, "equal in every byte")
	same.Approved = false
	captured := compared("reports", qa.VisualCaptured, "no baseline yet: captured version 1, unapproved")
	captured.Version, captured.Approved, captured.BaselineID, captured.Compared = 1, false, "b-0badcafe", 0
	foreign := compared("users", qa.VisualForeign, "it differs, and its baseline was made with other fonts")
	foreign.Environment, foreign.DiffPercentage, foreign.ChangedPixels, foreign.RawPixels = []string{"the fonts differ"}, 12.5, 115200, 120000
	unsettled := compared("ticker", qa.VisualUnsettled, `testid=ticker keeps moving: mask it`)
	unsettled.Compared = 0
	r.Visual = []qa.VisualRow{same, within, captured, changed, foreign, unsettled, size}
	for i, a := range []struct {
		name string
		w, h int
	}{{"before", 1280, 720}, {"after", 1280, 720}, {"diff", 1280, 720}, {"card-before", 400, 180}, {"card", 420, 200}} {
		p := shot("00"+itoa(i+1), a.name, 3)
		p.Width, p.Height = a.w, a.h
		r.Artifacts = append(r.Artifacts, p)
	}
	check := check("C1", "visual", "", "as its baseline", "3.142 % of the pixels differ", "E1")
	check.Finding = "F1"
	check.Subject, check.Evidence = "dashboard", []string{"screenshots/002-after.png", "screenshots/003-diff.png"}
	r.Checks = []qa.Check{check}
	r.Findings = []qa.Finding{{ID: "F1", Severity: qa.Major, Category: qa.Visual, Assertion: "page looks as its baseline", Observed: pagetext.Text(changed.Regions[0].Text), Confidence: 1, Source: qa.SourceTool,
		Evidence: []qa.EvidenceRef{{ScreenshotRef: "003-diff.png"}, {ScreenshotRef: "002-after.png"}}}}
	return r
}

// TestVisualSection: each picture with its outcome, in words, numbers, causes
// and pictures; the failed one first; what only follows is folded; a person is
// told how to approve it (B2, A7).
func TestVisualSection(t *testing.T) {
	t.Parallel()
	page := render(t, asHTML, visualReport())
	_, section, ok := strings.Cut(page, `<section id="visual"`)
	section, _, _ = strings.Cut(section, "</section>")
	if !ok {
		t.Fatal("the page has no visual section")
	}
	for _, want := range []string{
		"2 of 7 as their baselines, 1 within the threshold", "Changed</span>", "version 3, approved</span>", "b-3f2a9c51", "3.142 % of the pixels differ, 1 % may",
		"Environment: ", "the browser is version 157.0", "pushed 2 elements down by 24 px", "<code>heading &#34;Sales today&#34;</code>", "background-color", "pale: too faint",
		"2 places that only follow from it", "moved down by 24 px", "2 more places", "<dd>3.142 %</dd>", "<dd>1 %</dd>", "<dd>28,012</dd>", "<dd>41,200</dd>", "<dd>941</dd>", "<dd>921,600</dd>",
		`src="screenshots/001-before.png"`, `src="screenshots/002-after.png"`, `src="screenshots/003-diff.png"`,
		`assay baseline approve b-77aa01ff --name &#34;Your Name&#34; --reason &#34;why&#34;`,
		"Another size</span>", "<code>testid=orders</code>", "<dd>400×180 → 420×200</dd>", "b-77aa0200 --name",
		"No baseline yet</span>", "version 1, not approved yet", "approve b-0badcafe", "Another environment</span>", "the fonts differ", "Not at rest</span>", "keeps moving",
		"Same</span>", "not approved yet", "approve b-3f2a9c51", "Within the threshold</span>", "<dd>0.000434 %</dd>",
	} {
		if !strings.Contains(section, want) {
			t.Errorf("the section lacks %q", want)
		}
	}
	var order []string
	for _, m := range regexp.MustCompile(`<h3 id="visual-\d-name">(\w+)`).FindAllStringSubmatch(section, -1) {
		order = append(order, m[1])
	}
	if !slices.Equal(order, []string{"dashboard", "card", "reports", "users", "ticker", "menu", "footer"}) {
		t.Errorf("pictures in the order %v, want the failed ones first, then what was not compared", order)
	}
	for picture, want := range map[string]int{"001-before": 1, "002-after": 2, "003-diff": 1} { // the head of the page cuts a part out of one
		if n := strings.Count(page, `src="screenshots/`+picture+`.png"`); n != want {
			t.Errorf("picture %s stands %d times in the page: a page with its pictures inside would hold it as often", picture, n)
		}
	}
	if !strings.Contains(page, `<a href="#visual">`) {
		t.Error("the navigation does not lead to the section")
	}
}

// TestVisualBoxes: a place is drawn over the picture that it is in, within it.
func TestVisualBoxes(t *testing.T) {
	t.Parallel()
	page := render(t, asHTML, visualReport())
	_, before, _ := strings.Cut(page, `<figure class="before"`)
	before, after, _ := strings.Cut(before, `<figure class="after"`)
	after, _, _ = strings.Cut(after, `</figure>`)
	if n := strings.Count(before, `class="box`); n != 1 || !strings.Contains(before, `style="left:33.59%;top:22.22%;width:28.12%;height:25.00%"`) {
		t.Errorf("the baseline shows %d places, want the removed button: %s", n, before)
	}
	if n, f := strings.Count(after, `class="box`), strings.Count(after, `class="box follows"`); n != 4 || f != 2 {
		t.Errorf("the page now shows %d places, %d that follow; want 4 and 2", n, f)
	}
	if !strings.Contains(after, `style="left:99.22%;top:97.22%;width:0.78%;height:2.78%"`) {
		t.Errorf("a place beyond the picture is drawn outside: %s", after)
	}
}

// TestVisualSharedPicture: two comparisons show the same picture, and links lead
// to the first.
func TestVisualSharedPicture(t *testing.T) {
	t.Parallel()
	r := visualReport()
	r.Visual[1].Before = r.Visual[3].Before
	page := render(t, asHTML, r)
	if shown, ids := strings.Count(page, `src="screenshots/001-before.png"`), strings.Count(page, `id="file-1"`); shown != 2 || ids != 1 {
		t.Errorf("the picture is shown %d times, with %d anchors; want 2 and 1", shown, ids)
	}
}

// TestVisualStatusUnknown: what we don't know is not as its baseline.
func TestVisualStatusUnknown(t *testing.T) {
	t.Parallel()
	r := passedReport()
	r.Visual = []qa.VisualRow{compared("a", "", ""), compared("b", "new", "")}
	for name, text := range map[string]string{"HTML": render(t, asHTML, r), "Markdown": render(t, report.Markdown, r)} {
		if !strings.Contains(text, "0 of 2 as their baselines") || !strings.Contains(text, "Unknown") || strings.Contains(text, "Same") {
			t.Errorf("%s takes an unknown outcome for a good one", name)
		}
	}
	if strings.Contains(render(t, asHTML, r), `class="visual good"`) {
		t.Error("an unknown outcome looks good")
	}
	r.Status = qa.Inconclusive
	if suite := parseXML(t, []byte(render(t, report.JUnit, r))); suite.attrs["errors"] != "3" { // and the verdict
		t.Errorf("%s errors, want an unknown outcome to be one", suite.attrs["errors"])
	}
}

// TestApproveCommand: a person is told to type nothing but an id of ours, and
// nothing where there is nothing to approve.
func TestApproveCommand(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		row  qa.VisualRow
		want string
	}{
		{qa.VisualRow{Status: qa.VisualChanged, ProposalID: "b-1", BaselineID: "b-0"}, "approve b-1 --name"},
		{qa.VisualRow{Status: qa.VisualChanged, BaselineID: "b-0"}, ""}, // approving what it was would change nothing
		{qa.VisualRow{Status: qa.VisualSame, BaselineID: "b-0"}, "approve b-0 --name"},
		{qa.VisualRow{Status: qa.VisualSame, BaselineID: "b-0", Approved: true}, ""},
		{qa.VisualRow{Status: qa.VisualCaptured, BaselineID: "b-0"}, "approve b-0 --name"},
		{qa.VisualRow{Status: qa.VisualUnsettled, BaselineID: "b-0"}, ""},
		{qa.VisualRow{Status: qa.VisualChanged, ProposalID: "b-1; rm -rf /"}, ""},
		{qa.VisualRow{Status: qa.VisualChanged, ProposalID: "$(id)"}, ""},
	} {
		r := passedReport()
		r.Visual = []qa.VisualRow{c.row}
		for name, text := range map[string]string{"HTML": render(t, asHTML, r), "Markdown": render(t, report.Markdown, r)} {
			if strings.Contains(text, "baseline approve") != (c.want != "") || !strings.Contains(text, c.want) {
				t.Errorf("%s, %+v: want %q", name, c.row, c.want)
			}
		}
	}
}

// TestVisualMarkdown: the outcome, its sentences, and the way to approve.
func TestVisualMarkdown(t *testing.T) {
	t.Parallel()
	r := visualReport()
	for range 10 {
		r.Visual[3].Regions = append(r.Visual[3].Regions, r.Visual[3].Regions[0])
	}
	for range 40 {
		r.Visual = append(r.Visual, r.Visual[0])
	}
	md := render(t, report.Markdown, r)
	for _, want := range []string{
		"## Pictures: 42 of 47 as their baselines, 1 within the threshold", "- 🟡 **Within the threshold** menu", "- ❌ **Changed** dashboard: 3.142 % of the pixels differ, 1 % may", "  - cause: the text of heading \"Sales\" changed from \"Sales\" to \"Sales today\"",
		"8 more causes", "  - environment: the browser is version 157.0", "`assay baseline approve b-77aa01ff --name \"Your Name\" --reason \"why\"`",
		"- ❌ **Another size** card testid=orders: ", "- ⚠️ **No baseline yet** reports", "- ⚠️ **Another environment** users", "- ⚠️ **Not at rest** ticker", "- ✅ **Same** footer", "more in the full report",
	} {
		if !strings.Contains(md, want) {
			t.Errorf("Markdown lacks %q:\n%s", want, md)
		}
	}
}

// TestVisualCases: a CI system shows each picture once; what differs is a
// failure with its sentences and pictures, what could not be found out an
// error (B2, A15).
func TestVisualCases(t *testing.T) {
	t.Parallel()
	doc := render(t, report.RichJUnit, visualReport())
	suite := parseXML(t, []byte(doc))
	got := map[string]string{}
	for _, c := range suite.all("testcase") {
		if c.attrs["classname"] != "assay.visual" {
			continue
		}
		outcome := "passed"
		for _, kind := range []string{"failure", "error", "skipped"} {
			if len(c.all(kind)) > 0 {
				outcome = kind
			}
		}
		got[strings.Join(strings.Fields(c.attrs["name"])[1:], " ")] = outcome
	}
	want := map[string]string{"footer": "passed", "menu": "passed", "reports": "error", "dashboard": "failure", "users": "error", "ticker": "error", "card testid=orders": "failure"}
	for name, outcome := range want {
		if got[name] != outcome {
			t.Errorf("%s: %q, want %q", name, got[name], outcome)
		}
	}
	if n := len(suite.all("testcase")); len(got) != len(want) || n != len(want)+3 { // three expectations that nobody proved
		t.Errorf("%d cases, of pictures: %v", n, got)
	}
	for _, want := range []string{`name="visual dashboard"`, `name="expectation" value="E1"`, `type="visual-changed"`, `type="visual-size"`, "pushed 2 elements down by 24 px", "[[ATTACHMENT|screenshots/001-before.png]]", "[[ATTACHMENT|screenshots/003-diff.png]]", "if it should look so: assay baseline approve b-77aa01ff"} {
		if !strings.Contains(doc, want) {
			t.Errorf("the document lacks %s", want)
		}
	}
}

// TestVisualCasesDropNothing: a check or a finding that says something else than
// its picture has a case of its own.
func TestVisualCasesDropNothing(t *testing.T) {
	t.Parallel()
	r := visualReport()
	other, denied, said := r.Checks[0], r.Checks[0], r.Findings[0]
	other.ID, other.Kind = "C2", "visible"
	denied.ID, denied.Evidence = "C3", []string{"screenshots/005-card.png"}
	denied.Passed, denied.Observed = true, pagetext.Text(denied.Expected) // the row says that it has another size
	said.ID, said.Source = "F2", qa.SourceModel
	r.Checks, r.Findings = []qa.Check{other, r.Checks[0], denied}, append(r.Findings, said)
	doc := render(t, report.RichJUnit, r)
	for _, want := range []string{`name="visual dashboard"`, `name="visible dashboard"`, `classname="assay.check.visual"`, `name="visual card testid=orders"`, `name="` + string(said.Assertion) + `"`} {
		if !strings.Contains(doc, want) {
			t.Errorf("the document lacks %s", want)
		}
	}
}

// TestVisualCasesOfAPass: a run that has passed never looks red, whatever its
// pictures did before they were looked at again.
func TestVisualCasesOfAPass(t *testing.T) {
	t.Parallel()
	r := visualReport()
	p := passedReport()
	p.Visual = r.Visual
	suite := parseXML(t, []byte(render(t, report.RichJUnit, p)))
	if suite.attrs["failures"] != "0" || suite.attrs["errors"] != "0" || suite.attrs["skipped"] != "5" {
		t.Errorf("failures %s, errors %s, skipped %s; want 0, 0 and 5", suite.attrs["failures"], suite.attrs["errors"], suite.attrs["skipped"])
	}
}
