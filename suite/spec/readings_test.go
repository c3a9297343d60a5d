package spec_test

import (
	"strings"
	"testing"

	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/suite/spec"
)

func accepted() spec.Readings {
	return spec.Readings{Readings: []spec.Reading{
		{Sentence: `afterwards "Tea" is what it's all about`, Selector: `row "Tea"`, Assertion: qa.Assertion{Type: qa.TextContains, Expected: "Tea", WholeWords: true}, AcceptedBy: "Ada \\ \"A\" Lovelace", At: "2026-11-23T10:00:00Z", Run: "r1"},
		{Sentence: "line one of it,\nline two of it", Assertion: qa.Assertion{Type: qa.ConsoleClean, Not: true}, AcceptedBy: "Ada", At: "2026-11-23T10:00:00Z", Run: "r1"},
	}}
}

// Item 5 of step 8: accepted readings come back as they were written, are used for
// their sentence to the character, and what is none is an error with its place.
func TestReadingsFile(t *testing.T) {
	text := string(accepted().Text("a.task.toml"))
	again, problems := spec.LoadReadings("a", []byte(text), rules().Flow)
	if string(again.Text("a.task.toml")) != text || len(problems) > 0 {
		t.Fatalf("%v\n%s\n%s", problems, text, again.Text("a.task.toml"))
	}
	replaced := accepted().With([]spec.Reading{{Sentence: accepted().Readings[0].Sentence, AcceptedBy: "Grace"}})
	if n := len(replaced.Readings); n != 2 || replaced.Readings[1].AcceptedBy != "Grace" {
		t.Errorf("%d readings: %+v", n, replaced)
	}
	_, entries, _ := strings.Cut(text, "[[readings]]")
	for name, c := range map[string]struct{ old, now, want string }{
		"cut in a string":      {text[len(text)/2:], "", "a:"},
		"cut to nothing":       {text, "", "it has no [[readings]]"},
		"cut to its head":      {"[[readings]]" + entries, "", "it has no [[readings]]"},
		"no name":              {`accepted_by = "Ada"`, "", "a:12: readings[1].accepted_by: it is missing"},
		"no time":              {`at = "2026`, `at = "26`, "a:9: readings[0].at:"},
		"no run":               {"run = \"r1\"\n\n", "\n", "a:4: readings[0].run: it is missing"},
		"an unknown key":       {"run =", "rum =", `did you mean "run"`},
		"an unknown type":      {`"text_contains"`, `"text_contain"`, `a:7: readings[0].assertion: type is "text_contain"`},
		"another assertion":    {`expected = "Tea"`, `expected = "Te"`, "no problem"}, // the selector still names it
		"a quote is left out":  {`row "Tea"`, `row "Te"`, "no problem"},               // the expected text still has it
		"a contradiction":      {`afterwards \"Tea\" is what it's all about`, `the page does not show \"Tea\"`, "a:7: readings[0].assertion: it contradicts the sentence"},
		"an uncovered number":  {"all about", "all about 3 times", "does not look for the number 3"},
		"the same twice":       {"\n[[readings]]\nsentence = \"line one", "\n[[readings]]\nsentence = \"afterwards \\\"Tea\\\" is what it's all about\"\nassertion = { type = \"text_contains\", expected = \"Tea\" }\naccepted_by = \"A\"\nat = \"2026-11-23T10:00:00Z\"\nrun = \"r\"\n\n[[readings]]\nsentence = \"line one", "readings[0] has the same sentence"},
		"a selector of no use": {`row "Tea"`, `((Tea`, "the selector is not closed"},
	} {
		changed := strings.Replace(text, c.old, c.now, 1)
		_, problems := spec.LoadReadings("a", []byte(changed), rules().Flow)
		if said := problems.Error(); c.want == "no problem" && len(problems) > 0 || c.want != "no problem" && !strings.Contains(said, c.want) || changed == text {
			t.Errorf("%s: %q, want %q\n%s", name, said, c.want, changed)
		}
	}
}

// A reading is that of one sentence, of a task and of a spec, in each of its rows; one
// character more, and it is unused.
func TestReadingsOfSentences(t *testing.T) {
	file := `goal = "g"
route = "/"
expectations = [ { text = "afterwards \"Tea\" is what it's all about" }, { text = "the console shows no errors" } ]
`
	with := rules()
	with.Readings = accepted().Text("a.task.toml")
	for _, c := range []struct {
		change string
		unused int
	}{{"", 1}, {".", 2}, {" ", 2}} {
		task, problems := spec.LoadTask("a.task.toml", []byte(strings.Replace(file, "all about", "all about"+c.change, 1)), "http://shop.test/", with)
		e := task.Expectations[0]
		if len(problems) > 0 || (e.Assertion != nil) != (c.unused == 1) || len(task.Unused) != c.unused || task.Expectations[1].Assertion != nil {
			t.Errorf("%q: %v, %+v, unused %q", c.change, problems, e, task.Unused)
		}
		if e.Assertion != nil && (e.AcceptedBy == "" || e.Selector != `row "Tea"` || !e.Assertion.WholeWords) {
			t.Errorf("%+v", e)
		}
	}
	with.Readings = []byte("[[readings]]\nsentence = 5\n")
	if _, problems := spec.LoadTask("a.task.toml", []byte(file), "http://shop.test/", with); !strings.Contains(problems.Error(), "a.task.toml.readings.toml:2: ") {
		t.Errorf("a readings file that is none: %v", problems)
	}

	ordered := "# Order\n## Steps\n1. Order {{drink}}\n   - Expected: afterwards \"{{drink}}\" is what it's all about\n## Data\n| drink |\n|---|\n| Tea |\n| Milk |\n"
	files := map[string]string{"main.md": ordered}
	before, _ := loadSpec(files, nil)
	files["main.md.readings.toml"] = string(accepted().Text("main.md"))
	source, wrong := loadSpec(files, nil)
	if len(wrong) > 0 || len(source.Specs) != 2 || source.Specs[0].Hash == before.Specs[0].Hash {
		t.Fatalf("%q %+v", wrong, source)
	}
	tea, milk := source.Specs[0].Task().Expectations[0], source.Specs[1].Task().Expectations[0]
	if tea.Assertion == nil || !strings.HasPrefix(tea.AcceptedBy, "Ada") || milk.Assertion != nil || len(source.Specs[0].Unused) != 1 || !strings.Contains(source.Specs[0].Unused[0], "main.md.readings.toml:13: no expectation says") {
		t.Errorf("tea %+v, milk %+v, unused %q", tea, milk, source.Specs[0].Unused)
	}
	files["main.md.readings.toml"] += "x"
	if _, wrong := loadSpec(files, nil); len(wrong) != 1 || !strings.Contains(wrong[0], "main.md.readings.toml:") {
		t.Errorf("a readings file that is none: %q", wrong)
	}

	// A spec that expects only what its title says: a reading is of the title.
	titled := "# Order tea\n\nOrder tea in the shop.\n"
	reading := spec.Readings{Readings: []spec.Reading{{Sentence: "Order tea", Assertion: qa.Assertion{Type: qa.TextContains, Expected: "Tea"}, AcceptedBy: "Ada", At: "2026-11-23T10:00:00Z", Run: "r1"}}}
	for title, taken := range map[string]bool{"Order tea": true, "Order teas": false} {
		source, wrong := loadSpec(map[string]string{"main.md": strings.Replace(titled, "Order tea\n", title+"\n", 1), "main.md.readings.toml": string(reading.Text("main.md"))}, nil)
		if len(wrong) > 0 || (source.Specs[0].Task().Expectations[0].Assertion != nil) != taken {
			t.Errorf("%s: %q, %+v", title, wrong, source.Specs)
		}
	}
}

// Item 1 of step 8: an assertion that contradicts its sentence, one that leaves out
// what it quotes, and quotation marks that don't pair are errors with file:line.
func TestSentencesWithFaults(t *testing.T) {
	for entry, want := range map[string]string{
		`{ text = "the page does not show \"Paid\"", assertion = { type = "text_contains", expected = "Paid" } }`: "a.task.toml:5: expectations[1].assertion: it contradicts the sentence, which says: the page does not show",
		`{ text = "at last \"Paid\" shows up", selector = "css=#a", assertion = { type = "visible" } }`:           `a.task.toml:5: expectations[1].assertion: it does not look for "Paid"`,
		`{ text = "it costs 5 in the end", assertion = { type = "text_contains", expected = "15" } }`:             `a.task.toml:5: expectations[1].assertion: it does not look for the number 5`,
		`{ text = "the page shows „Paid" }`:                                           "a.task.toml:5: expectations[1].text: the quotation mark „ (U+201E) has no partner",
		`{ text = "the page shows ❞Paid❝" }`:                                          "a.task.toml:5: expectations[1].text: the quotation mark ❞ (U+275E) opens no quotation that is known",
		`{ text = "x", accepted_by = "Ada", assertion = { type = "console_clean" } }`: "a.task.toml:5: expectations[1]: accepted_by, by_caller and amended_from are not written by hand",
	} {
		_, problems := spec.LoadTask("a.task.toml", []byte("goal = \"g\"\nroute = \"/\"\nexpectations = [\n  { text = \"fine\" },\n  "+entry+",\n]\n"), "http://shop.test/", rules())
		if len(problems) != 1 || !strings.Contains(problems.Error(), want) {
			t.Errorf("%s: %v, want %q", entry, problems, want)
		}
	}
	ordered := "# Order\n## Steps\n1. Order\n   - Expected: the page shows „Tea\n## Expected\n- all is well\n- the page shows {{what}}\n"
	_, wrong := loadSpec(map[string]string{"main.md": ordered}, map[string]string{"what": "“Tea"})
	if len(wrong) != 2 || !strings.Contains(wrong[0], "main.md:4: the quotation mark „ (U+201E) has no partner") || !strings.Contains(wrong[1], "main.md:7: ") {
		t.Errorf("%q", wrong)
	}
}
