package e2e_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/assay-qa/assay/internal/demo"
	"github.com/assay-qa/assay/internal/wiretest"
)

// TestSpecsOnEveryWire works the same Markdown specs through the scripted
// provider of every wire (A11, D1, D2, D6): on the healthy dashboard all pass,
// on one with a wrong figure the specs of that figure fail and no other, and
// where nobody listens none passes. The script says the same in all three: only the checks
// differ. make test has the wrong figure, on the first wire: there others pass.
func TestSpecsOnEveryWire(t *testing.T) {
	t.Parallel()
	needsBrowser(t)
	for i, w := range wiretest.Wires() {
		if i > 0 && !soak() {
			break // cmd/assay works a task on every wire
		}
		t.Run(string(w), func(t *testing.T) {
			t.Run("healthy", func(t *testing.T) {
				if !soak() {
					t.Skip("what holds passes below, too: SOAK=1")
				}
				site := startDemo(t, demo.Options{})
				for path, c := range workSpecs(t, w, specScript(site.URL()), site.URL(), 0) {
					if c.Status != "passed" {
						t.Errorf("%s is %s: %s", path, c.Status, c.FailureReason)
					}
				}
			})
			t.Run("defective", func(t *testing.T) {
				site := startDemo(t, demo.Options{Variant: "slip-1000"}) // Revenue is 1,000 times too small
				wrong, selection := []string{"Revenue of today", "One category"}, []string{"--grep", "revenue.md|legend.md"}
				if soak() {
					selection = []string{"--tags", "figures,filters"}
				}
				for name, c := range workSpecs(t, w, specScript(site.URL()), site.URL(), 1, selection...) {
					if want := map[bool]string{true: "failed", false: "passed"}[slices.Contains(wrong, name)]; c.Status != want {
						t.Errorf("%s is %s, want %s: %s", name, c.Status, want, c.FailureReason)
					}
				}
			})
			t.Run("unreachable", func(t *testing.T) {
				if !soak() {
					t.Skip("TestSanityOnEveryWire has it: SOAK=1")
				}
				nowhere := strings.TrimSuffix(closedPort(t), "/")
				for name, c := range workSpecs(t, w, impatient(specScript(nowhere)), nowhere, 1, "--tags", "orders") {
					if c.Status == "passed" || c.FailureReason == "" {
						t.Errorf("%s is %s, and nobody listens: %s", name, c.Status, c.FailureReason)
					}
				}
			})
		})
	}
}

func startDemo(t *testing.T, o demo.Options) *demo.Server {
	t.Helper()
	site, err := demo.Start(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = site.Close() })
	return site
}

// suiteCase is a case as assay run --json tells it.
type suiteCase struct {
	Name          string
	Status        string
	FailureReason string `json:"failure_reason"`
	RunID         string `json:"run_id"`
	Report        string
}

// workSpecs runs all specs with the scripted provider and returns their cases
// by name. No request may break the provider's protocol.
func workSpecs(t *testing.T, w wiretest.Wire, script wiretest.Script, site string, exits int, selection ...string) map[string]suiteCase {
	t.Helper()
	const password = demo.Password
	key := "key-of-the-scripted-provider"
	if w == wiretest.Chat { // a local server asks for none
		key = ""
	}
	server, err := wiretest.New(w, script, wiretest.Options{Key: key, Model: "scripted", Secrets: []string{password}})
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("testdata", "specs"))); err != nil {
		t.Fatal(err)
	}
	config := filepath.Join(t.TempDir(), "mcp.toml")
	if err := os.WriteFile(config, []byte("schema_version = 1\n[secrets]\nDEMO_PASSWORD = \"env:DEMO_PASSWORD\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	trusted(t, filepath.Dir(config))
	cmd := exec.CommandContext(t.Context(), binary(t), append([]string{"run", dir, "--json", "--config", config, "--data-dir", t.TempDir(), "--base-url", site,
		"--agent-provider", string(w), "--agent-base-url", server.URL(), "--agent-model", "scripted", "--agent-replay", "off", "--agent-computer", "off"}, selection...)...)
	cmd.Env = append(environment(t.TempDir()), "DEMO_PASSWORD="+password)
	if key != "" {
		cmd.Env = append(cmd.Env, keyVariable(w)+"="+key)
	}
	var out, log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &log
	err = cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	for _, p := range server.Problems() {
		t.Errorf("protocol: %s", p)
	}
	var result struct {
		TestCases []suiteCase `json:"test_cases"`
	}
	if err := json.Unmarshal(out.Bytes(), &result); err != nil {
		t.Fatalf("%v: %s\n%s", err, brief(out.Bytes()), log.String())
	}
	if code := cmd.ProcessState.ExitCode(); code != exits {
		t.Errorf("exit code %d, want %d", code, exits)
	}
	cases := map[string]suiteCase{}
	for _, c := range result.TestCases {
		cases[c.Name] = c
	}
	if len(selection) == 0 && len(cases) < 20 || len(cases) < 3 {
		t.Fatalf("%d cases: %v", len(cases), cases)
	}
	return cases
}

// keyVariable is where a provider's key is usually found.
func keyVariable(w wiretest.Wire) string {
	return map[wiretest.Wire]string{wiretest.OpenAI: "OPENAI_API_KEY", wiretest.Azure: "AZURE_OPENAI_API_KEY",
		wiretest.Anthropic: "ANTHROPIC_API_KEY", wiretest.Gemini: "GEMINI_API_KEY"}[w]
}

// specScript is a model that has learnt the specs by heart: turns by the title
// of the spec that the task names.
func specScript(site string) wiretest.Script {
	turns := specTurns(site)
	return func(s wiretest.Seen) wiretest.Say {
		title := ""
		for name := range turns {
			if strings.Contains(s.Task, name) && len(name) > len(title) {
				title = name
			}
		}
		said := turns[title]
		if s.Request > len(said) {
			return finish()
		}
		return said[s.Request-1]
	}
}

// impatient waits half a second for what is not there.
func impatient(script wiretest.Script) wiretest.Script {
	return func(s wiretest.Seen) wiretest.Say {
		said := script(s)
		said.Calls = slices.Clone(said.Calls)
		for i, c := range said.Calls {
			if args, ok := c.Args.(map[string]any); ok && (args["selector"] != nil || args["expects"] != nil) {
				args = maps.Clone(args)
				args["timeout_ms"] = 500
				said.Calls[i].Args = args
			}
		}
		return said
	}
}

func say(calls ...wiretest.Call) wiretest.Say { return wiretest.Say{Calls: calls} }

func call(name string, args map[string]any) wiretest.Call {
	return wiretest.Call{Name: name, Args: args}
}

func finish() wiretest.Say {
	return say(call("run_finish", map[string]any{"summary": "All steps were worked.", "status": "passed", "findings": []any{}}))
}

func stepDone(n int) wiretest.Call { return call("step_done", map[string]any{"step": n}) }

func shows(selector, expects string) wiretest.Call {
	return call("verify_element_exists", map[string]any{"selector": selector, "expects": []string{expects}})
}

// proves makes the checks that an expectation demands.
func proves(expects string) wiretest.Call {
	return call("verify_assertion", map[string]any{"expects": []string{expects}})
}

// holds is a verify_assertion; without a selector it is about the page.
func holds(expects, selector, kind, expected string) wiretest.Call {
	args := map[string]any{"assertion": map[string]any{"type": kind}, "expects": []string{expects}}
	if expected != "" {
		args["assertion"].(map[string]any)["expected"] = expected
	}
	if selector != "" {
		args["selector"] = selector
	}
	return call("verify_assertion", args)
}

func typed(field, value string) wiretest.Call {
	return call("page_fill", map[string]any{"selector": `textbox "` + field + `"`, "value": value})
}

func chosen(filter, option string) wiretest.Call {
	return call("page_select", map[string]any{"selector": `combobox "` + filter + `"`, "option": option})
}

func pressed(selector string) wiretest.Call {
	return call("page_click", map[string]any{"selector": selector})
}

// specTurns are the turns of each spec, by its title. A call that changes the
// page ends its turn: what would follow is dropped by the loop.
func specTurns(site string) map[string][]wiretest.Say {
	const dashboard, signIn = `heading "Dashboard"`, `heading "Sign in"`
	visit := func(path string) wiretest.Say { return say(call("page_navigate", map[string]any{"url": site + path})) }
	enter := []wiretest.Say{say(typed("Email", demo.Email), typed("Password", "${secret:DEMO_PASSWORD}")), say(pressed(`button "Sign in"`))}
	opened := []wiretest.Say{visit("/dashboard"), say(shows(dashboard, "E1"), stepDone(1))}
	after := func(first []wiretest.Say, then ...wiretest.Say) []wiretest.Say { return slices.Concat(first, then) }
	turns := map[string][]wiretest.Say{
		"Sign in": after(slices.Concat([]wiretest.Say{visit("/login")}, enter), say(shows(dashboard, "E1"), stepDone(1))),
		"The sign-in page": {visit("/login"),
			say(proves("E1"), proves("E2"), stepDone(1))},
		"A wrong password": {visit("/login"), say(typed("Email", demo.Email), typed("Password", "not this one")), say(pressed(`button "Sign in"`)),
			say(proves("E1"), proves("E2"), stepDone(1))},
		"Sign in by hand": after(slices.Concat([]wiretest.Say{visit("/login"), say(stepDone(1))}, enter),
			say(proves("E1"), shows(dashboard, "E2"), stepDone(2))),
		"Sign out": after(slices.Concat([]wiretest.Say{visit("/login")}, enter), say(shows(`button "Sign out"`, "E1"), stepDone(1)),
			say(pressed(`button "Sign out"`)), say(shows(signIn, "E2"), stepDone(2))),
		"The dashboard": after(opened, say(proves("E2"), stepDone(2)),
			say(proves("E3"), stepDone(3))),
		"Revenue of today": after(opened, say(proves("E2"),
			proves("E3"), stepDone(2))),
		"The last seven days": after(opened, say(chosen("Range", "Last 7 days")), say(proves("E2"), stepDone(2)),
			say(chosen("Range", "Today")), say(proves("E3"), stepDone(3))),
		"One category": after(opened, say(chosen("Category", "Hardware")),
			say(proves("E2"), proves("E3"), stepDone(2))),
		"The chart's legend": after(opened, say(proves("E2"),
			proves("E3"), stepDone(2))),
		"Recent orders": after(opened, say(proves("E2"),
			proves("E3"), stepDone(2))),
		"Details of an order": after(opened, say(pressed(`button "View" [1]`)), say(proves("E2"), stepDone(2)),
			say(pressed(`button "Close"`)), say(proves("E3"), stepDone(3))),
		"More orders for a longer range": after(opened, say(chosen("Range", "Last 30 days")), say(proves("E2"), stepDone(2))),
		"The navigation":                 after(opened, say(pressed(`link "Orders"`)), say(proves("E2"), stepDone(2))),
		"names the account":              {visit("/dashboard"), say(shows(`img "Demo user"`, "E1"), stepDone(1))},
		"Pictures":                       after(opened, say(proves("E2"), stepDone(2))),
	}
	for _, name := range []string{"Orders", "Conversion rate", "Average order value", "Refunds", "Active users"} {
		turns["FIGURE = "+name] = after(opened, say(proves("E2"), stepDone(2)))
	}
	return turns
}
