package e2e_test

import (
	"archive/zip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-qa/assay/internal/demo"
)

// TestSignInStaysHidden: a server that signs a role in by itself leaves its
// session token in the stored state and nowhere else: in no answer, no file of a
// run, no temporary file, and not on stderr (B7, E6).
func TestSignInStaysHidden(t *testing.T) {
	t.Parallel()
	needsBrowser(t)
	dashboard, err := demo.Start(t.Context(), demo.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = dashboard.Close() })
	folder := t.TempDir()
	state := filepath.Join(folder, "analyst.json")
	config := filepath.Join(folder, "mcp.toml")
	login := filepath.Join(folder, "login.flow.toml")
	for path, text := range map[string]string{
		config: fmt.Sprintf("schema_version = 1\n[secrets]\nDEMO = \"env:DEMO_PASSWORD\"\n[env.demo]\nbase_url = %q\n[env.demo.roles.analyst]\nstate = %q\nlogin_flow = %q\n", dashboard.URL(), state, login),
		login: fmt.Sprintf(`steps = [
	{ action = "navigate", url = "/login" },
	{ action = "fill", selector = 'textbox "Email"', value = %q },
	{ action = "fill", selector = 'textbox "Password"', value = "${secret:DEMO}" },
	{ action = "click", selector = 'button "Sign in"' },
]`, demo.Email),
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	trusted(t, folder)
	w := launchWith(t, november25, t.TempDir(), []string{"-v", "--config", config}, "DEMO_PASSWORD="+demo.Password, tracing(true))
	w.greet()
	w.do("run_start", map[string]any{"goal": "the dashboard shows figures", "role": "analyst", "expectations": []any{map[string]any{"text": `the heading "Dashboard" is shown`}}})
	w.do("browser_launch", map[string]any{"options": map[string]any{"role": "analyst"}})
	w.do("page_navigate", map[string]any{"url": "/dashboard"})
	w.do("verify_element_exists", map[string]any{"selector": `heading "Dashboard"`, "expects": []string{"E1"}})
	w.do("verify_page_loads", map[string]any{"url": "/dashboard", "expected_title": "Dashboard – Assay Demo"})
	for _, e := range field[[]struct {
		RequestID string `json:"request_id"`
	}](w, w.do("page_get_network_logs", nil), "events") {
		w.call("page_get_network_logs", map[string]any{"request_id": e.RequestID})
	}
	token := tokenIn(t, state)
	// A page that shows it, and a caller that knows it, get it back no more than others do.
	w.do("page_evaluate", map[string]any{"script": fmt.Sprintf("document.querySelector('h1').textContent = console.log(%q) || %q", token, token)})
	w.do("page_snapshot", nil)
	w.call("verify_assertion", map[string]any{"selector": "css=h1", "assertion": map[string]any{"type": "text_equals", "expected": "x"}, "timeout_ms": 1})
	report := w.do("run_finish", nil)
	if status := field[string](w, report, "status"); status != "failed" { // the assertion above
		t.Errorf("the run %s", status)
	}
	w.hangUp()
	if code := w.exit(patience); code != 0 {
		t.Errorf("exit code %d", code)
	}
	looked, zips := 0, 0
	look := func(place string, data []byte) {
		looked++
		if i := strings.Index(string(data), token); i >= 0 {
			t.Errorf("%s tells the session token: …%s…", place, data[max(0, i-80):min(len(data), i+len(token))])
		}
	}
	for _, root := range []string{w.data, w.temp, w.stderr} {
		if err := filepath.WalkDir(root, func(path string, entry os.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			if strings.HasSuffix(path, ".zip") {
				zips++
				return lookIntoZip(path, look)
			}
			data, err := os.ReadFile(path)
			look(path, data)
			return err
		}); err != nil {
			t.Error(err)
		}
	}
	look("answers", w.transcript())
	if looked < 5 || zips == 0 || !strings.Contains(string(w.transcript()), "${secret:sign-in}") {
		t.Errorf("%d files and %d traces were looked at, or the page's own print of the token was masked nowhere: the test would see no leak", looked, zips)
	}
}

func tokenIn(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var state struct {
		Cookies []struct{ Name, Value string }
	}
	if err := json.Unmarshal(data, &state); err != nil {
		t.Fatal(err)
	}
	for _, c := range state.Cookies {
		if c.Name == "assay_demo_session" && len(c.Value) > 20 {
			return c.Value
		}
	}
	t.Fatalf("no session cookie in %d cookies", len(state.Cookies))
	return ""
}

// lookIntoZip looks at every file in an archive, such as a trace.
func lookIntoZip(path string, look func(place string, data []byte)) error {
	archive, err := zip.OpenReader(path)
	if err != nil {
		return err
	}
	defer archive.Close()
	for _, entry := range archive.File {
		r, err := entry.Open()
		if err != nil {
			return err
		}
		data, err := io.ReadAll(r)
		if err := errors.Join(err, r.Close()); err != nil {
			return err
		}
		look(path+"/"+entry.Name, data)
	}
	return nil
}
