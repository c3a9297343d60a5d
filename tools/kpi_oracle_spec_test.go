package tools_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-qa/assay/internal/auth"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/flow"
	"github.com/assay-qa/assay/tools/workspace"
)

// oraclePayloads returns the calls of kpi_oracle as the specification has them.
func oraclePayloads(t *testing.T) map[string]string {
	t.Helper()
	data, err := os.ReadFile("../testdata/specifications/A/kpi_oracle.json")
	if err != nil {
		t.Fatal(err)
	}
	var calls map[string]json.RawMessage
	if err := json.Unmarshal(data, &calls); err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for name, raw := range calls {
		out[name] = string(raw)
	}
	return out
}

// A5, A19: data maps a KPI to a number or a text; a spec that is the task's own
// is taken, and then it is the task's: a tolerance beside it is refused.
func TestOracleTakesACopyOfTheTasksSpec(t *testing.T) {
	t.Parallel()
	d, calls := offline(t), oraclePayloads(t)
	var own struct{ Spec json.RawMessage }
	if err := json.Unmarshal([]byte(calls["own"]), &own); err != nil {
		t.Fatal(err)
	}
	d.ok("run_start", `{"goal": "g", "kpiSpec": %s}`, own.Spec)
	a := d.ok("kpi_oracle", "%s", calls["own"])
	if diff := cmp.Diff(map[string]any{"Revenue": 24567.5, "Orders": "1,240"}, a.Data["data"]); diff != "" {
		t.Errorf("data (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string]any{"Revenue": "staticValues", "Orders": "staticValues"}, a.Data["sources"]); diff != "" || a.Data["fetched_at"] == nil {
		t.Errorf("fetched at %v; sources (-want +got):\n%s", a.Data["fetched_at"], diff)
	}
	a = d.raw("check_kpis", fmt.Sprintf(`{"spec": %s, "tolerance": {"percent": 50}}`, own.Spec))
	if a.Error.Code != "INVALID_INPUT" || !strings.Contains(a.Error.Message, "comes from where the expected values come from") {
		t.Errorf("a tolerance with a copy of the task's spec: %s", a.text)
	}
	a = d.raw("kpi_oracle", `{"spec": {"type": "staticValues", "values": {"Revenue": 24567, "Orders": "1,240"}}}`)
	if a.Error.Code != "INVALID_INPUT" || !strings.Contains(a.Error.Message, "which is another one") {
		t.Errorf("another spec: %s", a.text)
	}
}

// A5: outside of a run an endpoint of the caller's is asked by the sign-in of the
// environment's role; role and filters come from the context as the specification
// writes them. Within a run that has no oracle it is refused.
func TestOracleAsksByTheEnvironmentsSignIn(t *testing.T) {
	t.Parallel()
	asked := ""
	mux := http.NewServeMux()
	mux.HandleFunc("GET /login", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<title>Sign in</title><form method=post><button>Sign in</button></form>`)
	})
	mux.HandleFunc("POST /login", func(w http.ResponseWriter, r *http.Request) {
		http.SetCookie(w, &http.Cookie{Name: "sid", Value: "s3", Path: "/"})
		http.Redirect(w, r, "/home", http.StatusSeeOther)
	})
	mux.HandleFunc("GET /home", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<title>Home</title><h1>Home</h1>`)
	})
	mux.HandleFunc("GET /api/kpi", func(w http.ResponseWriter, r *http.Request) {
		if c, err := r.Cookie("sid"); err != nil || c.Value != "s3" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		asked = r.URL.Query().Encode()
		fmt.Fprint(w, `{"Revenue": 12345.60, "Share": "2,10 %"}`)
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	d, payload := online(t), oraclePayloads(t)["endpoint"]
	role := workspace.Role{State: auth.New("staging", "analyst", filepath.Join(t.TempDir(), "analyst.json"), nil), LoginPage: "/login",
		Login: &flow.Flow{StartURL: server.URL + "/login", Steps: []qa.FlowStep{{Action: "click", Selector: `button "Sign in"`}}}}
	d.Target = workspace.Target{Name: "staging", BaseURL: server.URL, Roles: map[string]workspace.Role{"analyst": role}}
	a := d.ok("kpi_oracle", "%s", payload)
	if diff := cmp.Diff(map[string]any{"Revenue": 12345.6, "Share": "2,10 %"}, a.Data["data"]); diff != "" {
		t.Errorf("data (-want +got):\n%s", diff)
	}
	if asked != "category=Hardware&currency=EUR&range=7d&top=5" {
		t.Errorf("asked with %s", asked)
	}
	if open := d.SessionIDs(); len(open) > 0 {
		t.Errorf("sessions are left open: %v", open)
	}
	if a := d.ok("kpi_oracle", `{"spec": {"type": "apiEndpoint", "url": "/api/kpi"}}`); !strings.Contains(a.text, "the environment's only role") {
		t.Errorf("without a role: %s", a.text)
	}
	for args, says := range map[string]string{
		strings.Replace(payload, "analyst", "analist", 1):                               `did you mean "analyst"?`,
		strings.Replace(payload, `"top": 5`, `"top": {"n": 5}`, 1):                      "context.top",
		strings.Replace(payload, `"top": 5`, `"filters": {"category": "Toys"}`, 1):      `"category" is given twice`,
		`{"spec": {"type": "staticValues", "values": {"A": "1"}}, "context": {"x": 1}}`: "static values are the same",
	} {
		if a := d.raw("kpi_oracle", args); a.Error.Code != "INVALID_INPUT" || !strings.Contains(a.Error.Message, says) {
			t.Errorf("%s: %s, want it to say %s", args, a.text, says)
		}
	}
	d.ok("run_start", `{"goal": "g"}`)
	if a := d.raw("kpi_oracle", `{"spec": {"type": "apiEndpoint", "url": "/api/kpi"}}`); a.Error.Code != "INVALID_INPUT" || !strings.Contains(a.Error.Message, "within a run") {
		t.Errorf("within a run: %s", a.text)
	}
}

// A12, A5: a figure that is a secret stays masked, though numbers are not; what a
// double can't hold stays a text, so that no reader gets another value.
//
// differs: A-kpi-number
func TestOracleNumbersHideNoSecret(t *testing.T) {
	t.Parallel()
	d := offline(t)
	d.withSecrets(map[string]string{"PIN": "4815162342"})
	if _, err := d.Secrets.Reveal(t.Context(), "PIN"); err != nil {
		t.Fatal(err)
	}
	a := d.ok("kpi_oracle", `{"spec": {"type": "staticValues", "values": {"PIN": "4815162342", "Big": "12345678901234567890.10", "Small": "1e-99999999", "Literal": "1e3", "Octal": "007"}}}`)
	data := a.Data["data"].(map[string]any)
	if strings.Contains(fmt.Sprintf("%s %f", a.text, data["PIN"]), "4815162342") {
		t.Errorf("the secret is shown: %v", data["PIN"])
	}
	delete(data, "PIN")
	if diff := cmp.Diff(map[string]any{"Big": "12345678901234567890.10", "Small": "1e-99999999", "Literal": 1000., "Octal": "007"}, data); diff != "" {
		t.Errorf("data (-want +got):\n%s", diff)
	}
}

// A5, A19: a map of the schema may be written as a map, as a list of texts, or as a JSON
// text, with numbers for texts; and a figure does not change by being read.
func TestMapsAsCallersWriteThem(t *testing.T) {
	t.Parallel()
	d := offline(t)
	for values, want := range map[string]any{
		`{"A": "12345678901234567.89"}`: "12345678901234567.89", `{"A": 12345678901234567.89}`: "12345678901234567.89", `["A=12345678901234567.89"]`: "12345678901234567.89",
		`"{\"A\": 12345678901234567.89}"`: "12345678901234567.89", `{"A": 1240}`: 1240.0, `{"A": 0.10}`: 0.1, `{"A": true}`: "true",
	} {
		if a := d.raw("kpi_oracle", `{"spec": {"type": "staticValues", "values": `+values+`}}`); !a.OK || a.Data["data"].(map[string]any)["A"] != want {
			t.Errorf("%s: %s %v, want %v", values, a.text, a.Data["data"], want)
		}
	}
	for values, says := range map[string]string{`"A: 1"`: "values", `{"A": {"b": 1}}`: "values", `7`: "values", `"{\"A\": 1} {}"`: "values"} {
		if a := d.raw("check_kpis", `{"spec": {"type": "staticValues", "values": `+values+`}}`); a.Error.Code != "INVALID_INPUT" || !strings.Contains(a.Error.Message, says) {
			t.Errorf("%s: %s", values, a.text)
		}
	}
}
