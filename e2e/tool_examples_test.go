package e2e_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/assay-qa/assay/internal/demo"
	"github.com/assay-qa/assay/packaging/site"
)

var update = flag.Bool("update", false, "write the answers of the tools' examples instead of comparing with them")

// Issue 34: the page of each tool shows a call, and what it answers. One client has all these
// calls answered on the sample dashboard, by the built program with a browser.
func TestExamplesOfTheTools(t *testing.T) {
	needsBrowser(t)
	all, err := site.Examples(site.Catalogue())
	must(t, err)
	dashboard, err := demo.Start(context.WithoutCancel(t.Context()), demo.Options{})
	must(t, err)
	t.Cleanup(func() { must(t, dashboard.Close()) })
	project, temp := exampleProject(t, dashboard.URL()), t.TempDir()
	trusted(t, project)
	cmd := serving(t, temp, "--config", filepath.Join(project, "mcp.toml"))
	data := cmd.Args[slices.Index(cmd.Args, "--data-dir")+1]
	cmd.Dir, cmd.Env = project, append(cmd.Env, "SHOP_PASSWORD="+demo.Password)
	session, err := mcp.NewClient(&mcp.Implementation{Name: "e2e-examples", Version: "1"}, nil).Connect(t.Context(), &mcp.CommandTransport{Command: cmd}, nil)
	must(t, err)
	same := strings.NewReplacer(dashboard.URL(), "http://localhost:3000", data, "…/.assay", project, "…")
	answers := map[string]map[string]any{} // the last of each tool
	for i, e := range all {
		if e.NotRun != "" {
			continue
		}
		var arguments any
		must(t, json.Unmarshal(e.Arguments, &arguments))
		result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: e.Tool, Arguments: withAnswers(t, arguments, answers)})
		if err != nil {
			t.Fatalf("example %d, %s: %v", i+1, e.Tool, err)
		}
		answer, _ := result.StructuredContent.(map[string]any)
		if answers[e.Tool] = answer; answer["ok"] != true {
			t.Errorf("example %d: %s answers with an error: %v", i+1, e.Tool, answer["error"])
		}
		got := e
		if text, is := result.Content[0].(*mcp.TextContent); is {
			got.Text = slices.DeleteFunc(strings.Split(inOneForm(same.Replace(text.Text)), "\n"), stillRenders)
		}
		got.Answer = uniform(answer, "", func(s string) string { return inOneForm(same.Replace(s)) })
		switch diff := cmp.Diff(withoutVarying(e), withoutVarying(got)); {
		case diff == "":
		case *update:
			all[i] = got
		default:
			t.Errorf("example %d: %s does not answer as %s says (- file, + answer); if it is right now, run: go test ./e2e -run ExamplesOfTheTools -update\n%s", i+1, e.Tool, site.ExamplesFile, diff)
		}
	}
	must(t, session.Close())
	emptied(t, temp)
	runsExamplesOfCommands(t, project, data, dashboard.URL())
	if *update {
		var out bytes.Buffer
		w := json.NewEncoder(&out)
		w.SetEscapeHTML(false)
		w.SetIndent("", "  ")
		must(t, w.Encode(all))
		writeFile(t, filepath.Join("..", site.ExamplesFile), out.Bytes())
	}
}

// exampleProject is a project beside the sample dashboard, under version control.
func exampleProject(t *testing.T, url string) string {
	t.Helper()
	project := t.TempDir()
	for name, text := range map[string]string{
		"mcp.toml": fmt.Sprintf("schema_version = 1\nsecrets = { SHOP_PASSWORD = \"env:SHOP_PASSWORD\" }\n[tools]\nsets = [\"full\", \"author\"]\nevaluate = true\n"+
			"[network]\nupload_roots = [%q]\n[env.local]\nbase_url = %q\n", project, url),
		"receipt.txt": "one coffee\n",
		"flows/sign-in.flow.toml": `name = "sign in"
start_url = "/login"
steps = [
  { action = "fill", selector = 'textbox "Email"', value = "demo@assay.test" },
  { action = "fill", selector = 'textbox "Password"', value = "${secret:SHOP_PASSWORD}" },
  { action = "click", selector = 'button "Sign in"' },
  { action = "assert", selector = 'heading "Dashboard"', assertion = { type = "visible" } },
]
`,
	} {
		must(t, os.MkdirAll(filepath.Join(project, filepath.Dir(name)), 0o700))
		writeFile(t, filepath.Join(project, name), []byte(text))
	}
	for _, args := range [][]string{{"init", "--quiet", "--initial-branch", "main"}, {"add", "."}, {"-c", "user.name=Ada Lovelace", "-c", "user.email=ada@example.com", "commit", "--quiet", "--message", "Begin"}} {
		git := exec.Command("git", args...)
		git.Dir = project
		if out, err := git.CombinedOutput(); err != nil {
			t.Fatalf("git %s: %v: %s", args, err, out)
		}
	}
	return project
}

// namedAnswer is an argument that is a field of an earlier answer.
var namedAnswer = regexp.MustCompile(`^\$\{(\w+)\.(\w+)\}$`)

// withAnswers puts fields of earlier answers where arguments name them.
func withAnswers(t *testing.T, arguments any, answers map[string]map[string]any) any {
	t.Helper()
	switch a := arguments.(type) {
	case string:
		named := namedAnswer.FindStringSubmatch(a)
		if named == nil {
			return a
		}
		data, _ := answers[named[1]]["data"].(map[string]any)
		value, is := data[named[2]]
		if !is {
			t.Fatalf("%s: no answer of %s has a field %s", a, named[1], named[2])
		}
		return value
	case map[string]any:
		for name := range a {
			a[name] = withAnswers(t, a[name], answers)
		}
	case []any:
		for i := range a {
			a[i] = withAnswers(t, a[i], answers)
		}
	}
	return arguments
}

// oneForm has what differs between any two answers, and what the pages show in its place.
var oneForm = []struct {
	varies *regexp.Regexp
	shown  string
}{
	{regexp.MustCompile(`\d{8}T\d{6}\.\d{3}Z-[a-z0-9]{6}`), "20261123T070117.890Z-n2c2vz"},
	{regexp.MustCompile(`\b\d{8}-\d{6}\b`), "20261123-070117"},
	{regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z`), "2026-11-23T07:01:17Z"},
	{regexp.MustCompile(`Date: \w{3}, .* \+0000`), "Date: Mon, 23 Nov 2026 07:01:17 +0000"},
	{regexp.MustCompile(`\bs-[0-9a-f]{8}\b`), "s-1a2b3c4d"},
	{regexp.MustCompile(`\bb-[0-9a-f]{16}\b`), "b-1a2b3c4d5e6f7a8b"},
	{regexp.MustCompile(`\b[0-9a-f]{12}([0-9a-f]{28}|[0-9a-f]{52})?\b`), "0123456789ab"},
	{regexp.MustCompile(`\S*[/\\]copy-\d+`), "…/copy-1"},
	{regexp.MustCompile(`(?s)^assay/\w+\n.*— assay/.*$`), "…"}, // a signed checkpoint of the log
}

func inOneForm(s string) string {
	for _, f := range oneForm {
		s = f.varies.ReplaceAllString(s, f.shown)
	}
	return s
}

// stillRenders tells of a page that was not at rest yet, which depends on the machine.
func stillRenders(line string) bool {
	return strings.HasPrefix(line, "note: the page still renders") || regexp.MustCompile(`^\[\d+\] a timer`).MatchString(line)
}

// measures are fields whose values differ between machines and days.
var measures = regexp.MustCompile(`(?:_ms|Ms|_mb|size|Size|bytes|width|height|x|y|Pixels|requests|request_id|RequestId|[vV]ersion|os|arch)$`)

// measured are measures in sentences, and what is told of how a page came to rest.
var measured = regexp.MustCompile(`^watched for .*|\d[\d.]* m?s\b|\d+ MB|(?:\d+,\d+ )?\d+×\d+|\br\d+\b|\d+(?:\.\d+){3}`)

// withoutVarying returns an example without what differs between machines and days.
func withoutVarying(e site.Example) site.Example {
	e.Arguments = nil
	e.Text = withoutRest(e.Text)
	for i := range e.Text {
		e.Text[i] = measured.ReplaceAllString(e.Text[i], "#")
	}
	e.Answer = uniform(e.Answer, "", func(s string) string {
		if s == "queued" { // a case of a suite that was started just now
			s = "running"
		}
		return measured.ReplaceAllString(s, "#")
	})
	e.Answer = withoutMeasures(e.Answer)
	return e
}

// withoutRest returns the lines of an answer without what they say of an outline that is as it was, which a page
// that still renders leaves open, and without what is quoted of a page where nothing is.
func withoutRest(lines []string) (out []string) {
	for _, line := range lines {
		switch {
		case line == "the outline is as before":
		case strings.HasPrefix(line, "</page-") && len(out) > 0 && strings.HasPrefix(out[len(out)-1], "<page-"):
			out = out[:len(out)-1]
		default:
			out = append(out, line)
		}
	}
	return out
}

// uniform rewrites the texts of an answer, and cuts long lists.
func uniform(answer any, field string, text func(string) string) any {
	switch a := answer.(type) {
	case string:
		return text(a)
	case map[string]any:
		out := map[string]any{}
		for name := range a {
			out[name] = uniform(a[name], name, text)
		}
		return out
	case []any:
		out := []any{}
		for i, part := range a {
			if i == 2 && len(a) > 3 && field != "changes" {
				out = append(out, fmt.Sprintf("… %d more", len(a)-i))
				break
			}
			out = append(out, uniform(part, "", text))
		}
		return out
	}
	return answer
}

// withoutMeasures takes away the fields that measure something: one that is 0 may be left out.
func withoutMeasures(answer any) any {
	switch a := answer.(type) {
	case map[string]any:
		for name := range a {
			if a[name] = withoutMeasures(a[name]); measures.MatchString(name) {
				delete(a, name)
			}
		}
	case []any:
		for i := range a {
			a[i] = withoutMeasures(a[i])
		}
	}
	return answer
}
