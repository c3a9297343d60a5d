package load

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-qa/assay/browser/egress"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/flow"
	"github.com/assay-qa/assay/suite/spec"
	"github.com/assay-qa/assay/tools/workspace"
)

// Req 0033/D: what a case names is looked for before a browser starts, and all that is missing is told
// at once, with its line.
func TestCheckReferences(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	uploads := filepath.Join(dir, "uploads")
	if err := os.Mkdir(uploads, 0o700); err != nil {
		t.Fatal(err)
	}
	for path, text := range map[string]string{filepath.Join(uploads, "a.csv"): "1", filepath.Join(dir, "all.flow.toml"): `start_url = "http://other.test/"
[[steps]]
action = "fill"
selector = "#a"
value = "${secret:CARD} ${secret:PIN} ${secret:HERE} ${secret:THEIRS}"
[[steps]]
action = "upload"
selector = "#f"
value = "a.csv\nb.csv"
[[steps]]
action = "navigate"
url = "http://shop.test/"
`, filepath.Join(dir, "login.flow.toml"): `start_url = "http://shop.test/"
role = "clerk"
[[steps]]
action = "wait"
selector = "#a"
`} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	login := &flow.Flow{Steps: []qa.FlowStep{{Action: "fill", Selector: "#p", Value: "${secret:LOGIN}"}}}
	r := Reader{
		Target:  workspace.Target{Name: "local", Roles: map[string]workspace.Role{"clerk": {Login: login}}},
		Network: egress.Lists{AllowedHosts: []string{"shop.test"}}, Secrets: []string{"PIN", "HERE", "THEIRS"}, Withheld: map[string]string{"THEIRS": "mcp.toml"}, UploadRoots: []string{uploads},
		Source: func(_ context.Context, name string) error {
			if name == "PIN" {
				return errors.New("secret PIN: environment variable PIN is not set")
			}
			return nil
		},
	}
	cases, err := r.Load([]string{dir})
	if err != nil {
		t.Fatal(err)
	}
	cases = append(cases, Case{Path: "x.task.toml", Task: &spec.Task{TaskSpec: qa.TaskSpec{Ranges: []qa.Range{{Name: "Q3", Steps: []qa.FlowStep{{Action: "fill", Value: "${secret:RANGE}"}}}}}}})
	err = r.CheckReferences(t.Context(), cases)
	if err == nil {
		t.Fatal("nothing is missing")
	}
	said := err.Error()
	at := filepath.Join(dir, "all.flow.toml")
	for _, want := range []string{
		at + ": start_url: no page may reach other.test, by network.allowed_hosts", at + `:2: secret "CARD" is not configured`, at + ":2: secret PIN: environment variable PIN is not set",
		at + `:6: upload: file "b.csv" can't be uploaded`, filepath.Join(dir, "login.flow.toml") + `: the login flow of role clerk: secret "LOGIN" is not configured`, `x.task.toml: range "Q3": secret "RANGE" is not configured`,
	} {
		if !strings.Contains(said, want) {
			t.Errorf("no %q in:\n%s", want, said)
		}
	}
	for _, never := range []string{"HERE", "THEIRS", "a.csv", "shop.test,", ":10:"} {
		if strings.Contains(said, never) {
			t.Errorf("%q is said:\n%s", never, said)
		}
	}
	r.Source = nil
	r.Secrets = append(r.Secrets, "CARD", "LOGIN", "RANGE")
	r.Network.AllowedHosts = nil
	if err := os.WriteFile(filepath.Join(uploads, "b.csv"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := r.CheckReferences(t.Context(), cases); err != nil {
		t.Error(err)
	}
}
