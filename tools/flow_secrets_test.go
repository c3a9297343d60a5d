package tools_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/flow"
	"github.com/assay-qa/assay/tools/flows"
)

// A12: a flow types a secret and keeps it: a page that echoes it into its
// title, its console and its text gets it into no answer and no file.
func TestFlowKeepsSecrets(t *testing.T) {
	t.Parallel()
	d := online(t)
	const value = "hunter2-Secret-Value"
	d.withSecrets(map[string]string{"PW": value})
	a := d.ok("verify_user_flow", `{"start_url": %q, "steps": [
		{"action": "fill", "selector": "css=#s", "value": "${secret:PW}"},
		{"action": "assert", "selector": "css=#o", "timeout_ms": 300, "assertion": {"type": "text_equals", "expected": "something else"}}]}`, shop(t)+"/echo")
	if reason, _ := a.Data["failure_reason"].(string); a.Data["status"] != "failed" || !strings.Contains(reason, "observed ${secret:PW}") {
		t.Errorf("it was not typed, or not scrubbed: %s", reason)
	}
	result, err := flows.Play(t.Context(), d.Workspace, flow.Flow{StartURL: shop(t) + "/echo", Steps: []qa.FlowStep{
		{Action: "fill", Selector: "css=#s", Value: "${secret:PW}"},
		{Action: "assert", Selector: "css=#o", TimeoutMS: 300, Assertion: &qa.Assertion{Type: qa.TextEquals, Expected: "something else"}},
	}}, func(string) {})
	if text := string(mustMarshal(t, result)); err != nil || strings.Contains(text, value) || !strings.Contains(string(result.FailureReason), "observed ${secret:PW}") {
		t.Errorf("as assay run tells it: %s, %v", text, err)
	}
	raw := string(mustMarshal(t, a.result))
	for where, text := range map[string]string{"the answer": a.text, "the structured answer": raw, "a stored file": d.files()} {
		if strings.Contains(text, value) {
			t.Errorf("%s holds the secret", where)
		}
	}
	if logs := string(mustMarshal(t, a.Data["console_logs"])); !strings.Contains(logs, "typed ${secret:PW}") {
		t.Errorf("console logs: %s", logs)
	}
	// What a field that is no password was given is in the log; any other is not.
	d.ok("verify_user_flow", `{"start_url": %q, "success_condition": "h1", "steps": [{"action": "fill", "selector": "css=#code", "value": "plain-text-1"}, {"action": "fill", "selector": "css=#pw", "value": "typed-password-2"}]}`, shop(t))
	if files := d.files(); !strings.Contains(files, "plain-text-1") || strings.Contains(files, "typed-password-2") {
		t.Error("the log lacks a plain value, or holds a password")
	}
}

// Without a store of secrets a flow that needs one can't be run, which is no
// fault of the page.
func TestFlowWithoutSecrets(t *testing.T) {
	t.Parallel()
	d := online(t)
	for name, secrets := range map[string]map[string]string{"no [secrets] configured": nil, `no secret "PW"`: {"OTHER": "value"}} {
		d.Secrets = nil
		if secrets != nil {
			d.withSecrets(secrets)
		}
		d.ok("run_start", `{"goal": "sign in"}`)
		a := d.call("verify_user_flow", `{"start_url": %q, "success_condition": "h1", "steps": [{"action": "fill", "selector": "css=#pw", "value": "${secret:PW}"}]}`, shop(t))
		if a.Data["status"] == "failed" || a.Data["success"] == true || !strings.Contains(a.text, name) {
			t.Errorf("answer: %s", a.text)
		}
		if status, _ := d.finish(); status != "inconclusive" {
			t.Errorf("the run is %s", status)
		}
	}
}

func mustMarshal(t *testing.T, v any) []byte {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
