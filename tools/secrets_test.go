package tools_test

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/assay-qa/assay/internal/secrets"
	"github.com/assay-qa/assay/tools"
	"github.com/assay-qa/assay/tools/resources"
	"github.com/assay-qa/assay/tools/workspace"
)

// withSecrets gives a desk secrets from variables.
func (d desk) withSecrets(values map[string]string) *secrets.Vault {
	references := map[string]string{}
	for name := range values {
		references[name] = "env:" + name
	}
	v := secrets.New(references, func(name string) string { return values[name] })
	d.Secrets, d.Store.Mask = v, v.MaskFile
	return v
}

// TestSecretsAreTypedOnly: every other use is refused by name, in one place,
// before anything is revealed (A12).
func TestSecretsAreTypedOnly(t *testing.T) {
	t.Parallel()
	d := offline(t)
	v := d.withSecrets(map[string]string{"SHOP_PIN": "hunter2", "SHOP_TOKEN": "abc"})
	for name, c := range map[string]struct{ tool, args, message, hint string }{
		"another input":   {"page_press", `{"key": "${secret:SHOP_PIN}"}`, `argument "key" holds a secret`, "page_fill"},
		"its selector":    {"page_fill", `{"selector": "${secret:SHOP_PIN}", "value": "x"}`, `argument "selector" holds a secret`, "page_fill"},
		"inside":          {"verify_assertion", `{"assertion": {"type": "title_equals", "expected": "a ${secret:SHOP_PIN}"}}`, `"assertion.expected"`, "page_fill"},
		"in a list":       {"page_screenshot", `{"mask": ["css=p", "${secret:SHOP_PIN}"]}`, `"mask[]"`, "page_fill"},
		"in a name":       {"page_evaluate", `{"script": "f", "arg": {"${secret:SHOP_PIN}": 1}}`, `"arg.${secret:SHOP_PIN}"`, "page_fill"},
		"a name unknown":  {"page_fill", `{"selector": "css=p", "value": "${secret:SHOP_PINN}"}`, `no secret "SHOP_PINN"; did you mean "SHOP_PIN"?`, "known: SHOP_PIN, SHOP_TOKEN"},
		"no closed brace": {"page_fill", `{"selector": "css=p", "value": "${secret:SHOP_PIN"}`, "not closed", "${secret:NAME}"},
		"too short":       {"page_fill", `{"selector": "css=p", "value": "${secret:SHOP_TOKEN}"}`, "secret SHOP_TOKEN: its value has 3 characters", "at least 4"},
	} {
		a := d.raw(c.tool, c.args)
		if a.Error.Code != "INVALID_INPUT" || !strings.Contains(a.Error.Message, c.message) || !strings.Contains(a.Error.Hint, c.hint) {
			t.Errorf("%s: %+v", name, a.Error)
		}
	}
	if v.Mask("hunter2") != "hunter2" {
		t.Error("a refused call has revealed a secret")
	}
	if a := d.call("assert", `{"severity":"minor","category":"security","assertion":"hidden","expected":"nothing","observed":"it shows ${secret:SHOP_PIN}","confidence":1}`); !a.OK {
		t.Errorf("a finding can't quote a masked text: %+v", a.Error)
	}
	d.Secrets = nil
	if a := d.call("page_fill", `{"selector": "css=p", "value": "${secret:SHOP_PIN}"}`); !strings.Contains(a.Error.Message, "no [secrets] configured") || !strings.Contains(a.Error.Hint, "mcp.toml") {
		t.Errorf("without [secrets]: %+v", a.Error)
	}
}

// TestFillTypesSecrets: the page gets the value, and nobody else (A12, E6).
func TestFillTypesSecrets(t *testing.T) {
	t.Parallel()
	d := online(t)
	d.withSecrets(map[string]string{"PIN": "hunter2<&>", "USER": "ada.lovelace", "CODE": "48151623"})
	url := site(t, map[string]string{"/": `<title>t</title><label>Pin <input id=pin oninput="out.textContent = value; document.title = 'pin ' + value"></label><p id=out></p><input id=code>`})
	d.ok("page_navigate", `{"url": %q}`, url)
	a := d.ok("page_fill", `{"selector": "css=#pin", "value": "${secret:USER}:${secret:PIN}"}`)
	if a.Data["value"] != "••••" || strings.Contains(a.text, "hunter2") || !strings.Contains(a.text, `"pin ${secret:USER}:${secret:PIN}"`) {
		t.Errorf("%v\n%s", a.Data, a.text)
	}
	if a := d.ok("page_evaluate", `{"script": "[pin.value === 'ada.lovelace:hunter2<&>', {[pin.value]: pin.value}]"}`); !strings.Contains(a.text, `[true,{"${secret:USER}:${secret:PIN}":"${secret:USER}:${secret:PIN}"}]`) {
		t.Errorf("%s", a.text)
	}
	d.ok("page_fill", `{"selector": "css=#code", "value": "${secret:CODE}"}`)
	if a := d.ok("page_evaluate", `{"script": "({n: Number(code.value), [code.value]: 1, word: 48151623.5, other: 4815})"}`); !strings.Contains(a.text, `{"n":"${secret:CODE}","${secret:CODE}":1,"word":"${secret:CODE}.5","other":4815}`) &&
		!strings.Contains(a.text, `{"${secret:CODE}":1,"n":"${secret:CODE}","word":"${secret:CODE}.5","other":4815}`) {
		t.Errorf("%s", a.text)
	}
	a = d.call("verify_assertion", `{"selector": "css=#out", "assertion": {"type": "text_equals", "expected": "x"}, "timeout_ms": 1}`)
	if a.Data["observed"] != "${secret:USER}:${secret:PIN}" {
		t.Errorf("%v", a.Data)
	}
	if a := d.call("verify_assertion", `{"selector": "css=#pin", "assertion": {"type": "value_equals", "expected": "x"}, "timeout_ms": 1}`); a.Error.Code != "NOT_ACTIONABLE" {
		t.Errorf("%+v %v", a.Error, a.Data)
	}
	d.ok("browser_close", `{}`)
	if stored := d.files(); strings.Contains(stored, "hunter2") || !strings.Contains(stored, `"value":"${secret:USER}:${secret:PIN}"`) && !strings.Contains(stored, `"value":"••••"`) {
		t.Errorf("%s", stored)
	}
}

// TestSecretsHaveHosts: a secret that is bound to hosts is typed into documents of these alone, frames of others
// included; one that is bound to none of them, nowhere (B18).
func TestSecretsHaveHosts(t *testing.T) {
	t.Parallel()
	d := online(t)
	v := d.withSecrets(map[string]string{"PIN": "hunter2", "MINE": "ada.lovelace", "FREE": "48151623"})
	d.Untrusted = workspace.Untrusted{TypedOn: map[string][]string{"PIN": {"localhost"}, "MINE": nil}, Secrets: map[string]string{"THEIRS": "mcp.toml:7"}}
	const form = `<title>t</title><label>Pin <input></label>`
	there := site(t, map[string]string{"/": form})
	elsewhere := strings.Replace(site(t, map[string]string{"/": form + `<iframe src="` + strings.Replace(there, "127.0.0.1", "localhost", 1) + `/" name=inner></iframe><iframe srcdoc="<input>" name=blank></iframe>`}), "localhost", "127.0.0.1", 1)
	d.ok("page_navigate", `{"url": %q}`, elsewhere)
	for args, want := range map[string]string{
		`{"selector": "css=input", "value": "${secret:PIN}"}`:                                                        "ACTION_BLOCKED this page is of 127.0.0.1, and the secret is for localhost",
		`{"selector": "css=input", "value": "${secret:FREE} ${secret:PIN}"}`:                                         "ACTION_BLOCKED this page is of 127.0.0.1",
		`{"selector": "css=input", "value": "${secret:PIN}", "delay_ms": 1}`:                                         "ACTION_BLOCKED this page is of 127.0.0.1",
		`{"selector": "frame \"blank\" > css=input", "value": "${secret:PIN}"}`:                                      "ACTION_BLOCKED this page is of no host",
		`{"selector": "css=input", "value": "${secret:MINE}"}`:                                                       "NEEDS_HUMAN secret MINE is of your own configuration, without hosts",
		`{"selector": "css=input", "value": "${secret:THEIRS}"}`:                                                     "NEEDS_HUMAN secret THEIRS does not count: mcp.toml:7 says it",
		`{"fields": [{"selector": "css=input", "value": "x"}, {"selector": "css=input", "value": "${secret:PIN}"}]}`: "ACTION_BLOCKED this page is of 127.0.0.1",
	} {
		code, says, _ := strings.Cut(want, " ")
		if a := d.call("page_fill", "%s", args); a.Error.Code != code || !strings.Contains(a.Error.Message, says) {
			t.Errorf("%s: %+v, want %s", args, a.Error, want)
		}
	}
	if a := d.ok("page_evaluate", `{"script": "[...document.querySelectorAll('input')].map(e => e.value).join()"}`); !strings.Contains(a.text, `"x"`) {
		t.Errorf("the page has %s", a.text)
	}
	if v.Mask("ada.lovelace") != "ada.lovelace" {
		t.Error("a secret that can be typed nowhere was looked up")
	}
	d.ok("page_fill", `{"selector": "frame \"inner\" > css=input", "value": "${secret:PIN}"}`)
	d.ok("page_fill", `{"selector": "frame \"inner\" > css=input", "value": "${secret:PIN}", "delay_ms": 1}`)
	d.ok("page_fill", `{"selector": "css=input", "value": "${secret:FREE}"}`)
}

// TestProgressHidesSecrets: what a call says while it goes on is an answer, too.
func TestProgressHidesSecrets(t *testing.T) {
	t.Parallel()
	d := online(t)
	v := d.withSecrets(map[string]string{"PIN": "hunter2"})
	if _, err := v.Reveal(context.Background(), "PIN"); err != nil {
		t.Fatal(err)
	}
	url := site(t, map[string]string{"/": "<title>t</title>"})
	var said []string
	for _, tool := range tools.Catalogue(d.Workspace) {
		if tool.Definition.Name == "page_navigate" {
			var request mcp.CallToolRequest
			request.Params.Arguments = map[string]any{"url": url + "/?hunter2"}
			tool.Handle(context.Background(), request, func(message string) { said = append(said, message) })
		}
	}
	if all := strings.Join(said, "\n"); strings.Contains(all, "hunter2") || !strings.Contains(all, "${secret:PIN}") {
		t.Errorf("%q", said)
	}
}

// TestResourcesHideSecrets that were revealed after the file was stored.
func TestResourcesHideSecrets(t *testing.T) {
	t.Parallel()
	d := offline(t)
	v := d.withSecrets(map[string]string{"PIN": "hunter2"})
	run := d.ok("run_start", `{"goal": "it says hunter2"}`).Data["run_id"].(string)
	d.ok("run_finish", `{}`)
	if _, err := v.Reveal(context.Background(), "PIN"); err != nil {
		t.Fatal(err)
	}
	for _, format := range []string{"json", "html", "md"} {
		for _, r := range resources.All(d.Workspace) {
			if r.Name != "report" {
				continue
			}
			data, _, err := r.Read(context.Background(), "assay://runs/"+run+"/report."+format)
			if err != nil || strings.Contains(string(data), "hunter2") || !strings.Contains(string(data), "${secret:PIN}") {
				t.Errorf("report.%s: %v\n%.300s", format, err, data)
			}
			if stored, err := os.ReadFile(d.dir + "/runs/" + run + "/report." + format); err != nil || !strings.Contains(string(stored), "hunter2") {
				t.Errorf("the stored report.%s was expected to be older than the secret: %v", format, err)
			}
		}
	}
}
