package flow_test

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/flow"
)

// tree is a folder of flow files.
type tree map[string]string

func (t tree) read(name string) ([]byte, error) {
	if text, ok := t[name]; ok {
		return []byte(text), nil
	}
	return nil, fs.ErrNotExist
}

const twoForms = `
name = "pay"
start_url = "http://shop.test/"
success_condition = "Thank you"
timeout_ms = 20000
retries = 0

# A comment with [[steps]] in it.
[[steps]]
action = "fill"
selector = 'textbox "Code"' # [[steps]]
value = """
two
[[steps]] lines"""

[[steps]]
action = "assert"
  [steps.assertion]
  type = "count_equals"
  expected = 3
`

// Both forms of a file say the same.
func TestLoadReadsBothForms(t *testing.T) {
	files := tree{"a.flow.toml": twoForms, "a.flow.json": `{"name": "pay", "start_url": "http://shop.test/", "success_condition": "Thank you", "timeout_ms": 20000, "retries": 0,
"steps": [{"action": "fill", "selector": "textbox \"Code\"", "value": "two\n[[steps]] lines"},
 {"action": "assert", "selector": "li", "assertion": {"type": "count_equals", "expected": 3}}]}`}
	files["a.flow.toml"] = strings.Replace(twoForms, `action = "assert"`, "action = \"assert\"\nselector = \"li\"", 1)
	a, problems := flow.Load("a.flow.toml", files.read, flow.Rules{})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	b, problems := flow.Load("a.flow.json", files.read, flow.Rules{})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	if diff := cmp.Diff([]string{"a.flow.toml:9", "a.flow.toml:16"}, a.Origins); diff != "" {
		t.Errorf("lines of the TOML steps (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"a.flow.json:2", "a.flow.json:3"}, b.Origins); diff != "" {
		t.Errorf("lines of the JSON steps (-want +got):\n%s", diff)
	}
	a.Origins, b.Origins = nil, nil
	if diff := cmp.Diff(a, b); diff != "" {
		t.Errorf("TOML and JSON differ (-toml +json):\n%s", diff)
	}
	if a.Steps[1].Assertion.Expected != "3" || a.Name != "pay" || *a.Retries != 0 {
		t.Errorf("read %+v", a)
	}
}

// What is wrong in a file is told with its line, all at once.
func TestLoadTellsEachProblemWithItsLine(t *testing.T) {
	for _, tt := range []struct{ name, file, text, want string }{
		{"unknown key", "a.flow.toml", "start_url = \"/\"\n\nsteps_ = 1\n", `a.flow.toml:3: unknown key "steps_"; did you mean "steps"?`},
		{"unknown key in a step", "a.flow.toml", "[[steps]]\naction='hover'\nselector='a'\n[[steps]]\naction='click'\nselectr='a'\n[[steps]]\naction='wait'\nvalue=1", `a.flow.toml:6: unknown key "selectr"; did you mean "selector"?`},
		{"unknown key in an inline step", "a.flow.toml", "steps = [\n {action = 'click', selector = 'a'},\n # }\n {action = 'click', selectr = 'a]'},\n]", `a.flow.toml:4: unknown key "selectr"`},
		{"unknown key in an assertion", "a.flow.toml", "[[steps]]\naction='assert'\nassertion.type='console_clean'\nassertion.expcted='x'", `a.flow.toml:4: unknown key "expcted"`},
		{"wrong kind", "a.flow.toml", "start_url='/'\ntimeout_ms = 'long'", "a.flow.toml:2: timeout_ms is a text; expected a whole number"},
		{"a date", "a.flow.toml", "start_url='/'\nname = 2026-01-01", "a.flow.toml:2: name is nothing; expected a text"},
		{"no list", "a.flow.toml", "steps = 3", "a.flow.toml:1: steps is a number; expected a list"},
		{"no TOML", "a.flow.toml", "name = \"x\nstart", "a.flow.toml:1: not valid TOML"},
		{"step value", "a.flow.toml", "[[steps]]\naction='wait'\nvalue=1\n[[steps]]\naction='wait'\nvalue='a while'", `a.flow.toml:6: step 2 (wait): value is "a while"`},
		{"no JSON", "a.flow.json", "{\n\"name\": \"x\",\n}", "a.flow.json:3: not valid JSON"},
		{"JSON ends", "a.flow.json", "{\n\"name\":", "a.flow.json:2: not valid JSON: the file ends too early"},
		{"JSON goes on", "a.flow.json", "{\"start_url\": \"/\"}\n{}", "a.flow.json:2: not valid JSON: something follows"},
		{"JSON twice", "a.flow.json", "{\"start_url\": \"/\",\n\"start_url\": \"/\"}", `a.flow.json:2: key "start_url" is set twice`},
		{"JSON null", "a.flow.json", "{\"start_url\": \"/\",\n\"steps\": [null]}", "a.flow.json:2: steps[0] is nothing; expected a table"},
		{"JSON null of an unknown key", "a.flow.json", "{\"start_url\": \"/\",\n\"nam\": null}", `a.flow.json:2: unknown key "nam"; did you mean "name"?`},
		{"time-out twice", "a.flow.json", "{\"start_url\": \"/\",\n\"timeout_ms\": 5, \"timeout\": 5}", `a.flow.json:2: key "timeout_ms" is set twice`},
		{"other options", "a.flow.json", "{\"steps\": [{\"action\": \"click\", \"selector\": \"a\",\n\"options\": {\"delay\": 5}}]}", `a.flow.json:2: unknown key "options"`},
		{"wait for nothing", "a.flow.toml", "[[steps]]\naction='wait'", "wait needs selector"},
		{"wait too long", "a.flow.toml", "[[steps]]\naction='wait'\ntimeout_ms=60001", "a.flow.toml:3: step 1 (wait): timeout_ms is 60001; a wait by time takes 1 to 60000"},
		{"JSON step", "a.flow.json", "{\"steps\": [\n{\"action\": \"clik\",\n\"selector\": \"a\"}]}", `a.flow.json:2: step 1 (clik): action "clik" is unknown; did you mean "click"?`},
		{"nothing to do", "a.flow.toml", "name = 'x'", "neither steps nor a start_url"},
		{"retries", "a.flow.toml", "start_url='/'\nretries = 4", "a.flow.toml:2: retries is 4; accepted: 0 to 3"},
		{"include that is none", "a.flow.toml", "include = ['x.toml']", `a.flow.toml:1: include "x.toml" is no flow file`},
		{"include outside", "a.flow.toml", "start_url='/'\ninclude = [\n'../x.flow.toml']", "a.flow.toml:3: include \"../x.flow.toml\" leads out"},
		{"absolute include", "a.flow.toml", "include = ['/etc/x.flow.toml']", "leads out"},
		{"include that is missing", "a.flow.toml", "include = ['x.flow.toml']", "x.flow.toml: read: "},
		{"deep TOML key", "a.flow.toml", "start_url='/'\n" + strings.Repeat("a.", 50_000) + "a = 1", "a.flow.toml:2: it is nested deeper than 12 levels"},
		{"deep TOML list", "a.flow.toml", "name = " + strings.Repeat("[", 50_000), "a.flow.toml:1: it is nested deeper"},
		{"deep JSON", "a.flow.json", `{"name": ` + strings.Repeat("[", 50_000), "a.flow.json:1: not valid JSON: it is nested deeper"},
		{"large file", "a.flow.toml", strings.Repeat("#", 2<<20), "accepted: up to 1048576"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, problems := flow.Load(tt.file, tree{tt.file: tt.text}.read, flow.Rules{})
			if !strings.Contains(problems.Error(), tt.want) {
				t.Errorf("problems:\n%s\nwant: %s", problems.Error(), tt.want)
			}
			if len(problems) != 1 {
				t.Errorf("%d problems, want 1:\n%s", len(problems), problems.Error())
			}
		})
	}
	_, problems := flow.Load("a.flow.toml", tree{"a.flow.toml": "nam = 'x'\n[[steps]]\naction='clik'\n[[steps]]\naction='click'\nselctor='a'\n[[steps]]\naction='press'"}.read, flow.Rules{})
	for i, want := range []string{":1: unknown", ":3: step 1 (clik)", ":6: unknown", ":7: step 3 (press): press needs key"} {
		if i >= len(problems) || !strings.Contains(problems[i].Error(), want) {
			t.Errorf("problem %d is not %q in:\n%s", i+1, want, problems.Error())
		}
	}
}

// Ten thousand steps are refused with one line, in either form.
func TestLoadRefusesTooManySteps(t *testing.T) {
	step := `{"action":"clik","selector":"a"}`
	many := tree{
		"a.flow.json": `{"steps":[` + strings.Repeat(step+",\n", 9_999) + step + `]}`,
		"a.flow.toml": strings.Repeat("[[steps]]\naction='clik'\nselector='a'\n", 10_000),
	}
	for name := range many {
		_, problems := flow.Load(name, many.read, flow.Rules{})
		if len(problems) != 1 || !strings.Contains(problems.Error(), "10000 steps; accepted: up to 1000") {
			t.Errorf("%s: %d problems: %.300s", name, len(problems), problems.Error())
		}
	}
}

// Included flows come first, with their addresses and what they promise; a
// thousand steps is the limit for all of them.
func TestLoadIncludes(t *testing.T) {
	files := tree{
		"flows/pay.flow.toml":     "start_url='http://shop.test/cart'\ninclude=['../shared/login.flow.json', 'coupon.flow.toml']\nsuccess_condition='Paid'\n[[steps]]\naction='click'\nselector='#pay'",
		"shared/login.flow.json":  `{"start_url": "http://shop.test/login", "success_condition": "Welcome", "steps": [{"action": "fill", "selector": "#pw", "value": "${secret:PW}"}]}`,
		"flows/coupon.flow.toml":  "[[steps]]\naction='fill'\nselector='#coupon'\nvalue='X'",
		"a.flow.toml":             "include=['b.flow.toml']\nstart_url='/'",
		"b.flow.toml":             "include=['c/c.flow.toml']\nstart_url='/'",
		"c/c.flow.toml":           "start_url='/'\ninclude=['../a.flow.toml']",
		"big.flow.toml":           "include=['half.flow.toml', 'half.flow.toml', 'half.flow.toml']",
		"half.flow.toml":          strings.Repeat("[[steps]]\naction='click'\nselector='a'\n", 400),
		"twice.flow.toml":         "start_url='/'\ninclude=['broken.flow.toml', 'broken.flow.toml']",
		"broken.flow.toml":        "strt_url='/'",
		"doubling.flow.toml":      "include=['doubling1.flow.toml','doubling1.flow.toml']",
		"roles.flow.toml":         "role='analyst'\ninclude=['same.flow.toml', 'other.flow.toml']",
		"same.flow.toml":          "role='analyst'\nstart_url='/'",
		"other.flow.toml":         "role='admin'\nstart_url='/'",
		"only-includes.flow.toml": "include=['flows/coupon.flow.toml']",
	}
	f, problems := flow.Load("flows/pay.flow.toml", files.read, flow.Rules{})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	var got []string
	for i, s := range f.Steps {
		line := fmt.Sprintf("%s %s%s", s.Action, s.Selector, s.URL)
		if s.Assertion != nil {
			line += string(s.Assertion.Type) + " " + s.Assertion.Expected
		}
		got = append(got, f.Origins[i]+" "+line)
	}
	want := []string{
		"shared/login.flow.json:1 fill #pw", "shared/login.flow.json:1 assert text_contains Welcome", "flows/pay.flow.toml:1 navigate http://shop.test/cart",
		"flows/coupon.flow.toml:1 fill #coupon", "flows/pay.flow.toml:4 click #pay",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("steps (-want +got):\n%s", diff)
	}
	if f.StartURL != "http://shop.test/login" || f.SuccessCondition != "Paid" || f.Name != "pay" {
		t.Errorf("start %s, condition %s, name %s", f.StartURL, f.SuccessCondition, f.Name)
	}
	for name, want := range map[string]string{
		"a.flow.toml":     "c/c.flow.toml:2: include goes round in a circle: a.flow.toml → b.flow.toml → c/c.flow.toml → a.flow.toml",
		"big.flow.toml":   "more than 1000 steps with those it includes",
		"roles.flow.toml": `roles.flow.toml:2: include "other.flow.toml" is for role "admin", and a flow runs as one role`,
		"twice.flow.toml": `broken.flow.toml:1: unknown key "strt_url"`,
	} {
		_, problems := flow.Load(name, files.read, flow.Rules{})
		if n := strings.Count(problems.Error(), want); n != 1 {
			t.Errorf("%s: %q is told %d times in:\n%s", name, want, n, problems.Error())
		}
	}
	if f, problems := flow.Load("roles.flow.toml", files.read, flow.Rules{}); len(problems) != 1 || f.Role != "analyst" {
		t.Errorf("the role is that of the including flow: %q, %v", f.Role, problems)
	}
	// Each includes the next one twice: what would be 1024 files is cut short.
	for i := 1; i < 40; i++ {
		files[fmt.Sprintf("doubling%d.flow.toml", i)] = fmt.Sprintf("include=['doubling%d.flow.toml','doubling%d.flow.toml']", i+1, i+1)
	}
	if _, problems := flow.Load("doubling.flow.toml", files.read, flow.Rules{}); len(problems) == 0 || len(problems) > 2000 {
		t.Errorf("includes that double: %d problems", len(problems))
	}
	if f, problems := flow.Load("only-includes.flow.toml", files.read, flow.Rules{}); len(problems) > 0 || len(f.Steps) != 1 {
		t.Errorf("a flow of includes alone: %v, %d steps", problems, len(f.Steps))
	}
}

// Addresses in files may be relative to start_url, and that to a base.
func TestResolve(t *testing.T) {
	f := flow.Flow{StartURL: "/shop/", Steps: []qa.FlowStep{{Action: "navigate", URL: "?page=2"}, {Action: "click", Selector: "a"}, {Action: "navigate", URL: "http://other.test/x"}}}
	out, problems := f.Resolve("http://127.0.0.1:8080/ignored?x")
	if len(problems) > 0 || out.StartURL != "http://127.0.0.1:8080/shop/" || out.Steps[0].URL != "http://127.0.0.1:8080/shop/?page=2" || out.Steps[1].URL != "" || out.Steps[2].URL != "http://other.test/x" {
		t.Errorf("resolved %+v %v", out, problems)
	}
	if f.StartURL != "/shop/" || f.Steps[0].URL != "?page=2" {
		t.Error("the caller's flow was changed")
	}
	if _, problems = f.Resolve(""); len(problems) != 2 || !strings.Contains(problems[1].Error(), "step 1 (navigate)") {
		t.Errorf("without a base: %v", problems)
	}
}

// A bad document of either form is an error and never a panic.
func FuzzLoad(f *testing.F) {
	f.Add("a.flow.toml", twoForms)
	f.Add("a.flow.json", `{"steps":[{"action":"click","selector":"a"}]}`)
	f.Add("a.flow.toml", "steps = [{action='''x''''},\n]\n[a.\"b.c\"]\n'x'.y=[[1],[2]]")
	f.Fuzz(func(t *testing.T, name, text string) {
		if !flow.IsFile(name) {
			return
		}
		loaded, problems := flow.Load("x.flow.toml", func(string) ([]byte, error) { return []byte(text), nil }, flow.Rules{URL: func(string) error { return errors.New("no") }})
		if len(problems) == 0 && len(loaded.Steps) == 0 && loaded.StartURL == "" {
			t.Errorf("nothing to do and nothing wrong: %q", text)
		}
		_, _ = flow.Load("x.flow.json", func(string) ([]byte, error) { return []byte(text), nil }, flow.Rules{})
	})
}
