package author_test

import (
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-qa/assay/author/generate"
	"github.com/assay-qa/assay/internal/auth"
	"github.com/assay-qa/assay/internal/helpdesk"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/flow"
	"github.com/assay-qa/assay/tools/author"
	"github.com/assay-qa/assay/tools/workspace"
)

// What tests of a sign-in need is seen on the site: where it leads, what ends it, what it
// says of what it refuses (issue 32 item 8).
func TestLookAtSignIn(t *testing.T) {
	ws := desk(t)
	desk := helpdesk.New(helpdesk.Options{})
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		page := httptest.NewRecorder()
		desk.ServeHTTP(page, r)
		maps.Copy(w.Header(), page.Header())
		w.Header().Del("Content-Length")
		w.WriteHeader(page.Code)
		// What is called so and ends nothing comes first.
		_, _ = io.WriteString(w, strings.Replace(page.Body.String(), "<h1", "<button>Sign out of the newsletter</button><h1", 1))
	}))
	t.Cleanup(s.Close)
	login := &flow.Flow{StartURL: s.URL + "/sign-in", Steps: []qa.FlowStep{{Action: "fill", Selector: `textbox "Name"`, Value: helpdesk.User},
		{Action: "fill", Selector: `textbox "Password"`, Value: helpdesk.Password}, {Action: "click", Selector: `button "Sign in"`}}}
	ws.Target = workspace.Target{Name: "local", BaseURL: s.URL, Roles: map[string]workspace.Role{
		"agent":  {State: auth.New("local", "agent", filepath.Join(t.TempDir(), "agent.json"), nil), Login: login},
		"person": {State: auth.New("local", "person", filepath.Join(t.TempDir(), "person.json"), nil)}}}
	got, err := author.LookAtSignIn(t.Context(), ws, "agent", "")
	if err != nil {
		t.Fatal(err)
	}
	if got.Base != s.URL || got.Landing != "/tickets" || got.SignOut != `button "Sign out"` {
		t.Errorf("it leads from %s to %s, and %s ends it", got.Base, got.Landing, got.SignOut)
	}
	for attempt, want := range map[generate.Attempt]string{generate.Wrong: "text=Name or password is wrong.", generate.Empty: "text=Enter your name and your password."} {
		if on := got.Said[attempt].Target.Locators; len(on) != 1 || on[0] != want {
			t.Errorf("%s: the page says %q, want %q", attempt, on, want)
		}
	}
	if _, err := author.LookAtSignIn(t.Context(), ws, "person", ""); err == nil || !strings.Contains(err.Error(), "no login_flow") {
		t.Errorf("a role that a person signs in: %v", err)
	}
}
