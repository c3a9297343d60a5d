package tools_test

import (
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/assay-qa/assay/internal/auth"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/flow"
	"github.com/assay-qa/assay/tools/flows"
	"github.com/assay-qa/assay/tools/login"
	"github.com/assay-qa/assay/tools/workspace"
)

const taskOfAnalyst = `{"goal":"the app works","role":"analyst","expectations":[{"text":"the heading \"App of ada\" is shown"}]}`

// A role is signed in by its flow once; what that stored signs in every other
// session, fresh contexts of the run's own included, with cookies, local storage
// and IndexedDB (A1, A2), and no value of it is told to anybody (B7, E6).
func TestRoleSignsInOnce(t *testing.T) {
	t.Parallel()
	d, g := online(t), newGuarded(t)
	d.withSecrets(map[string]string{"PW": password})
	state := d.target(g, g.loginFlow("${secret:PW}"))
	d.ok("run_start", taskOfAnalyst)
	var said strings.Builder
	keep := func(a answer) answer {
		said.WriteString(a.text + string(mustMarshal(t, a.result.StructuredContent)))
		return a
	}
	a := keep(d.ok("browser_launch", `{"options":{"role":"analyst","locale":"de-DE"}}`))
	if !strings.Contains(a.text, "signed in as analyst") {
		t.Errorf("the answer does not say it: %s", a.text)
	}
	if a := keep(d.ok("page_navigate", `{"url":"/app?x=1"}`)); a.Data["url"] != g.url+"/app?x=1" {
		t.Errorf("a relative address led to %v", a.Data["url"])
	}
	keep(d.ok("verify_element_exists", `{"selector":"heading \"App of ada\"","expects":["E1"]}`))
	keep(d.ok("browser_close", `{}`))
	// Neither of these names a role: it is the run's.
	keep(d.ok("verify_page_loads", `{"url":"/app","expected_title":"App"}`))
	if a := keep(d.ok("verify_element_exists", `{"url":"/app","selector":"heading \"App of ada\""}`)); a.Data["exists"] != true {
		t.Errorf("a fresh context is not signed in: %s", a.text)
	}
	keep(d.ok("verify_user_flow", `{"start_url":"/app","steps":[{"action":"navigate","url":"/app"}],"success_condition":"heading \"App of ada\""}`))
	keep(d.ok("page_navigate", `{"url":"/app"}`)) // opens a session by itself
	keep(d.ok("page_get_console_logs", `{}`))
	for _, e := range d.ok("page_get_network_logs", `{}`).Data["events"].([]any) {
		keep(d.ok("page_get_network_logs", `{"request_id":%q}`, e.(map[string]any)["request_id"]))
	}
	if r := d.report(); r.Status != qa.Passed {
		t.Errorf("%s: %s", r.Status, r.StatusReason)
	}
	g.tried(t, 1)

	stored, err := state.Read()
	if err != nil || auth.Address(stored) != g.url+"/app" {
		t.Errorf("stored: %v, led to %q", err, auth.Address(stored))
	}
	if info, err := os.Stat(state.Path()); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	files := d.files()
	for _, token := range g.issued {
		if !strings.Contains(string(stored), token) {
			t.Errorf("the state lacks %s: this test looks for nothing", token)
		}
		if strings.Contains(files, token) || strings.Contains(said.String(), token) {
			t.Errorf("%s is told: in files %v, in answers %v", token, strings.Contains(files, token), strings.Contains(said.String(), token))
		}
	}
	if !strings.Contains(files, "${secret:sign-in}") {
		t.Error("no value was masked in any file: the app itself prints them")
	}
}

// A sign-in that ended is renewed by the flow once in a run, and the run goes
// on; the second time a person is needed, and nobody signs in again (A2).
func TestExpiredSignInIsRenewedOnce(t *testing.T) {
	t.Parallel()
	d, g := online(t), newGuarded(t)
	d.target(g, g.loginFlow(password))
	d.ok("run_start", taskOfAnalyst)
	d.ok("browser_launch", `{"options":{"role":"analyst"}}`)
	d.ok("page_navigate", `{"url":"/app"}`)
	g.forget()
	a := d.ok("page_navigate", `{"url":"/app"}`)
	if a.Data["url"] != g.url+"/app" || !strings.Contains(a.text, "signed in again") {
		t.Errorf("after the end of the sign-in: %s", a.text)
	}
	d.ok("verify_element_exists", `{"selector":"heading \"App of ada\"","expects":["E1"]}`)
	if r := d.report(); r.Status != qa.Passed {
		t.Errorf("renewed: %s: %s", r.Status, r.StatusReason)
	}
	g.tried(t, 2)

	d.ok("run_start", taskOfAnalyst) // another run, the same session
	g.forget()
	d.ok("verify_user_flow", `{"session_id":%q,"steps":[{"action":"navigate","url":"/app"},{"action":"assert","assertion":{"type":"visible"},"selector":"heading \"App of ada\""}],"expects":["E1"]}`, d.Pool.SessionIDs()[0])
	g.tried(t, 3)
	g.forget()
	for range 3 {
		a := d.call("page_navigate", `{"url":"/app"}`)
		if a.Error.Code != "NEEDS_HUMAN" || !strings.Contains(a.Error.Hint, "assay login analyst --env staging") {
			t.Errorf("the second end in a run: %+v", a.Error)
		}
	}
	g.tried(t, 3)
	if r := d.report(); r.Status != qa.Inconclusive || !strings.Contains(string(r.StatusReason), "sign-in as analyst") {
		t.Errorf("%s: %s", r.Status, r.StatusReason)
	}
}

// Req 0032/7: a site that anybody may open leads nobody to its login page, and offers it. A stored
// sign-in has ended where its page offers that as it did not right after the sign-in.
func TestSignInOfAPublicSite(t *testing.T) {
	t.Parallel()
	d, g := online(t), newGuarded(t)
	in := g.loginFlow(password)
	leading := func(to string) *flow.Flow {
		f := *in
		f.Steps = append(slices.Clone(f.Steps), qa.FlowStep{Action: "assert", Selector: `heading "App of ada"`, Assertion: &qa.Assertion{Type: qa.Visible}}, qa.FlowStep{Action: "navigate", URL: g.url + to})
		return &f
	}
	opens := func(path string) answer {
		d.ok("browser_launch", `{"options":{"role":"analyst"}}`)
		a := d.ok("page_navigate", `{"url":%q}`, path)
		d.ok("browser_close", `{}`)
		return a
	}
	works := func(want bool) {
		t.Helper()
		stored, err := login.Check(t.Context(), d.Workspace, "analyst", func(string) {})
		if err != nil || stored.Works != want || want != (stored.Reason == "") || !want && !strings.Contains(stored.Reason, "offers to sign in") {
			t.Errorf("the sign-in works: %t (%s), want %t: %v", stored.Works, stored.Reason, want, err)
		}
	}
	d.target(g, leading("/shop"))
	opens("/shop")
	works(true)
	if a := opens("/news"); strings.Contains(a.text, "signed in again") {
		t.Errorf("a page that offers it to anybody: %s", a.text)
	}
	g.tried(t, 1)
	g.forget()
	works(false)
	if a := opens("/shop"); !strings.Contains(a.text, "signed in again") {
		t.Errorf("after the end of the sign-in: %s", a.text)
	}
	g.tried(t, 2)
	works(true)

	d.target(g, leading("/news")) // what is always offered tells nothing
	opens("/news")
	g.tried(t, 3)
	g.forget()
	works(true)
	opens("/news")
	g.tried(t, 3)
}

// A page may answer 401 in place of leading to the login page.
func TestUnauthorizedIsExpired(t *testing.T) {
	t.Parallel()
	d, g := online(t), newGuarded(t)
	d.target(g, g.loginFlow(password))
	d.ok("browser_launch", `{"options":{"role":"analyst"}}`)
	g.forget()
	if a := d.ok("page_navigate", `{"url":"/api"}`); a.Data["status"] != 200.0 {
		t.Errorf("status %v", a.Data["status"])
	}
	g.tried(t, 2)
	if a := d.ok("page_navigate", `{"url":"/login"}`); a.Data["url"] != g.url+"/login" {
		t.Errorf("who asks for the login page gets %v", a.Data["url"])
	}
	g.tried(t, 2)
}

// Step 15, point 10: a page that stays while its data is refused has no fault of its own where the
// sign-in has ended: it is renewed, and what was looked at is looked at again. What was done on the
// page is not done twice, and what is refused to the role fails.
func TestSuspectSignInIsAsked(t *testing.T) {
	t.Parallel()
	d, g := online(t), newGuarded(t)
	state := d.target(g, g.loginFlow(password))
	const orders = `{"goal":"the figures are right","role":"analyst","expectations":[{"text":"the page shows \"42 orders\""}]}`
	const held = `{"expects":["E1"],"timeout_ms":500}`
	finish := func(want qa.Status, tried int) {
		t.Helper()
		if r := d.report(); r.Status != want {
			t.Errorf("%s: %s, want %s", r.Status, r.StatusReason, want)
		}
		g.tried(t, tried)
	}
	d.ok("run_start", orders)
	d.ok("browser_launch", `{"options":{"role":"analyst"}}`)
	g.forget()
	loaded := d.ok("page_navigate", `{"url":"/figures"}`)
	if a := d.ok("verify_assertion", held); a.Data["passed"] != true || !strings.Contains(loaded.text+a.text, "signed in again") { // by whose answer the refusal came first
		t.Errorf("a look at a lapsed page: %s%s", loaded.text, a.text)
	}
	finish(qa.Passed, 2)

	d.ok("run_start", orders) // an act whose element is missing for it is done once more
	g.forget()
	d.ok("page_navigate", `{"url":"/figures"}`)
	d.ok("page_click", `{"selector":"text=42 orders","timeout_ms":5000}`)
	d.ok("verify_assertion", held)
	finish(qa.Inconclusive, 3) // what was there before the click proves nothing

	d.ok("run_start", orders) // it fails for what the role may not see, and for what is not there
	d.ok("page_navigate", `{"url":"/salaries"}`)
	for range 2 {
		if a := d.ok("verify_assertion", held); a.Data["passed"] != false {
			t.Errorf("refused to the role: %s", a.text)
		}
	}
	finish(qa.Failed, 3)

	d.ok("run_start", orders)
	d.ok("page_navigate", `{"url":"/figures"}`)
	d.ok("page_click", `{"selector":"button \"Clear\""}`)
	g.forget()
	d.ok("page_click", `{"selector":"button \"Reload\""}`)
	if a := d.call("verify_assertion", held); a.Error.Code != "NEEDS_HUMAN" || !strings.Contains(a.Error.Message, "not done a second time") {
		t.Errorf("after an act: %+v", a.Error)
	}
	g.tried(t, 4)
	d.ok("page_navigate", `{"url":"/figures"}`)
	d.ok("verify_assertion", held)
	finish(qa.Passed, 4)

	d.ok("run_start", orders)
	session := d.Pool.SessionIDs()[0]
	d.ok("page_navigate", `{"url":"/open"}`)
	g.forget()
	a := d.ok("verify_user_flow", `{"session_id":%q,"steps":[{"action":"navigate","url":"/figures"},{"action":"assert","assertion":{"type":"text_contains","expected":"42 orders","whole_words":true},"timeout_ms":500},{"action":"navigate","url":"/salaries"},{"action":"wait","selector":"text=1 salary","timeout_ms":500}],"expects":["E1"]}`, session)
	if a.Data["status"] != "failed" || !strings.Contains(a.text, "1 salary") {
		t.Errorf("a flow over a lapsed page: %s", a.text)
	}
	finish(qa.Failed, 5)

	d.Target.Roles["analyst"] = workspace.Role{State: state, LoginPage: "/login"} // nobody but a person signs it in
	d.ok("browser_close", `{}`)
	d.ok("run_start", orders)
	g.forget()
	d.raw("page_navigate", `{"url":"/figures"}`) // it may know already
	for range 2 {
		if a := d.call("verify_assertion", held); a.Error.Code != "NEEDS_HUMAN" || !strings.Contains(a.Error.Hint, "assay login analyst") {
			t.Errorf("without a login flow: %+v, %s", a.Error, a.text)
		}
	}
	finish(qa.Inconclusive, 5)
}

// Sessions whose sign-ins end at the same time renew it once, and the others
// take it over.
func TestOneSignsInForAll(t *testing.T) {
	t.Parallel()
	d, g := online(t), newGuarded(t)
	d.target(g, g.loginFlow(password))
	var ids []string
	for range 3 {
		ids = append(ids, d.ok("browser_launch", `{"options":{"role":"analyst"}}`).Data["session_id"].(string))
	}
	g.tried(t, 1)
	g.forget()
	g.mu.Lock()
	g.holding, g.waiting = make(chan struct{}), make(chan struct{}, 3)
	g.mu.Unlock()
	answers := make([]answer, len(ids))
	var all sync.WaitGroup
	for i, id := range ids {
		all.Go(func() { answers[i] = d.call("page_navigate", `{"url":"/app","session_id":%q}`, id) })
	}
	<-g.waiting
	close(g.holding)
	all.Wait()
	for i, a := range answers {
		if !a.OK || a.Data["url"] != g.url+"/app" {
			t.Errorf("session %d: %s", i, a.text)
		}
	}
	g.tried(t, 2)
	for _, id := range ids {
		d.ok("page_wait_for_selector", `{"session_id":%q,"selector":"heading \"App of ada\""}`, id)
	}
}

// What can't be signed in says who has to do what, and the run can't pass; a
// login flow that fails is not tried again.
func TestSignInNeedsAPerson(t *testing.T) {
	t.Parallel()
	d, g := online(t), newGuarded(t)
	state := d.target(g, nil)
	needs := func(what, tool, args, message string) {
		t.Helper()
		if a := d.raw(tool, args); a.Error.Code != "NEEDS_HUMAN" || !strings.Contains(a.Error.Message, message) || !strings.Contains(a.Error.Hint, "assay login analyst --env staging") {
			t.Errorf("%s: %+v", what, a.Error)
		}
	}
	d.ok("run_start", taskOfAnalyst)
	needs("nobody has signed in", "browser_launch", `{"options":{"role":"analyst"}}`, "nobody has signed in as analyst yet")
	needs("a tool that opens a session", "verify_page_loads", `{"url":"/app"}`, "nobody has signed in as analyst yet")
	if err := state.Write([]byte(`{"cookies":[],"origins":[]}`)); err != nil {
		t.Fatal(err)
	}
	d.ok("browser_launch", `{"options":{"role":"analyst"}}`)
	needs("an expired state, and no flow", "page_navigate", `{"url":"/app"}`, "expired, and the role has no login_flow")
	if r := d.report(); r.Status != qa.Inconclusive || len(r.Findings) == 0 && r.StatusReason == "" {
		t.Errorf("%s: %s", r.Status, r.StatusReason)
	}
	g.tried(t, 0)

	d.target(g, g.loginFlow("wrong password"))
	d.ok("run_start", taskOfAnalyst)
	for range 3 {
		needs("a wrong password", "browser_launch", `{"options":{"role":"analyst"}}`, "signing in as analyst")
	}
	g.tried(t, 1)
	if r := d.report(); r.Status != qa.Inconclusive {
		t.Errorf("a login flow that fails: %s: %s", r.Status, r.StatusReason)
	}
	dropped := g.loginFlow(password) // a flow on a page starts over after such a fault
	dropped.Steps = append(dropped.Steps, qa.FlowStep{Action: "navigate", URL: g.url + "/drop"})
	d.target(g, dropped)
	needs("a connection that is lost after the sign-in", "browser_launch", `{"options":{"role":"analyst"}}`, "step 4: navigate")
	g.tried(t, 2)
	broken := g.loginFlow(password)
	broken.Steps[1].Selector, broken.Steps[1].TimeoutMS = `textbox "Passphrase"`, 200
	broken.Origins = []string{"login.flow.toml:3", "login.flow.toml:7", "login.flow.toml:11"}
	d.target(g, broken)
	needs("a flow that does not fit", "browser_launch", `{"options":{"role":"analyst"}}`, `login.flow.toml:7: step 2: fill textbox "Passphrase"`)
	g.tried(t, 2)
}

// A site that asks to sign in again right after a sign-in that went well is at
// fault: the run fails, and nobody signs in a second time.
func TestSignInThatDoesNotLast(t *testing.T) {
	t.Parallel()
	d, g := online(t), newGuarded(t)
	login := g.loginFlow(password)
	login.Steps = append(login.Steps, qa.FlowStep{Action: "navigate", URL: g.url + "/open"})
	d.target(g, login)
	g.broken = true
	d.ok("run_start", taskOfAnalyst)
	d.ok("browser_launch", `{"options":{"role":"analyst"}}`)
	a := d.call("page_navigate", `{"url":"/app"}`)
	if a.Error.Code != "NEEDS_HUMAN" || !strings.Contains(a.Error.Message, "right after signing in") {
		t.Errorf("%+v", a.Error)
	}
	d.call("page_navigate", `{"url":"/app"}`)
	g.tried(t, 2)
	r := d.report()
	if r.Status != qa.Failed || len(r.Findings) == 0 || r.Findings[0].Severity != qa.Major || !strings.Contains(string(r.Findings[0].Assertion), "sign-in as analyst lasts") || len(r.Findings[0].Evidence) != 1 {
		t.Errorf("%s: %s, %+v", r.Status, r.StatusReason, r.Findings)
	}
}

// A flow that ends on the login page has signed nobody in.
func TestSignInThatChangesNothing(t *testing.T) {
	t.Parallel()
	d, g := online(t), newGuarded(t)
	d.target(g, g.loginFlow(password))
	g.broken = true
	a := d.call("browser_launch", `{"options":{"role":"analyst"}}`)
	if a.Error.Code != "NEEDS_HUMAN" || !strings.Contains(a.Error.Message, "still the login page") || a.Screenshot == nil {
		t.Errorf("%+v, picture %v", a.Error, a.Screenshot)
	}
	g.tried(t, 1)
}

// Roles and addresses that are none are refused with what is known (A18).
func TestRoleRefused(t *testing.T) {
	t.Parallel()
	d, g := online(t), newGuarded(t)
	if a := d.call("browser_launch", `{"options":{"role":"analyst"}}`); a.Error.Code != "INVALID_INPUT" || !strings.Contains(a.Error.Message, "no roles are configured") || !strings.Contains(a.Error.Hint, "[env.NAME.roles.analyst]") {
		t.Errorf("no environment: %+v", a.Error)
	}
	if a := d.call("run_start", `{"goal": "it works", "role": "analyst"}`); a.Error.Code != "INVALID_INPUT" || !strings.Contains(a.Error.Message, `role "analyst": no roles are configured`) {
		t.Errorf("run_start: %+v", a.Error)
	}
	d.target(g, nil)
	for tool, args := range map[string]string{"browser_launch": `{"options":{"role":"analist"}}`, "run_start": `{"goal":"g","role":"analist"}`} {
		if a := d.raw(tool, args); a.Error.Code != "INVALID_INPUT" || !strings.Contains(a.Error.Message, `did you mean "analyst"?`) || !strings.Contains(a.Error.Hint, "roles: analyst") {
			t.Errorf("%s: %+v", tool, a.Error)
		}
	}
	if a := d.call("browser_launch", `{"options":{"role":"analyst","storage_state":"x.json"}}`); a.Error.Code != "INVALID_INPUT" || !strings.Contains(a.Error.Message, "exclude each other") {
		t.Errorf("both: %+v", a.Error)
	}
	if err := d.Target.Roles["analyst"].State.Write([]byte(`{"user":"ada"}`)); err != nil {
		t.Fatal(err)
	}
	if a := d.call("browser_launch", `{"options":{"role":"analyst"}}`); a.Error.Code != "NEEDS_HUMAN" || !strings.Contains(a.Error.Message, "neither cookies nor origins") {
		t.Errorf("a state that is none: %+v", a.Error)
	}
	if err := os.Chmod(d.Target.Roles["analyst"].State.Path(), 0o644); err != nil {
		t.Fatal(err)
	}
	if a := d.call("browser_launch", `{"options":{"role":"analyst"}}`); a.Error.Code != "NEEDS_HUMAN" || !strings.Contains(a.Error.Hint, "chmod 600") {
		t.Errorf("a state that others may read: %+v", a.Error)
	}
}

// An action that ends on the login page says so, and what to do then.
func TestSignedOutByAnAction(t *testing.T) {
	t.Parallel()
	d, g := online(t), newGuarded(t)
	d.target(g, g.loginFlow(password))
	d.ok("browser_launch", `{"options":{"role":"analyst"}}`)
	d.ok("page_navigate", `{"url":"/open"}`)
	g.forget()
	if a := d.ok("page_click", `{"selector":"link \"To the app\""}`); !strings.Contains(a.text, "page_navigate to the page you want signs in again as analyst") {
		t.Errorf("the answer: %s", a.text)
	}
	if a := d.ok("page_navigate", `{"url":"/app"}`); a.Data["url"] != g.url+"/app" {
		t.Errorf("then: %s", a.text)
	}
	g.tried(t, 2)
}

// What is looked at where an action met the end of a sign-in proves nothing: no
// check fails by it, nor holds because what it forbids is not on a login page;
// signed in again the run passes (A2, design 7).
func TestChecksAtALapsedSignIn(t *testing.T) {
	t.Parallel()
	d, g := online(t), newGuarded(t)
	d.target(g, g.loginFlow(password))
	d.ok("run_start", taskOfAnalyst)
	d.ok("browser_launch", `{"options":{"role":"analyst"}}`)
	lapse := func() {
		t.Helper()
		d.ok("page_navigate", `{"url":"/open"}`)
		g.forget()
	}
	lapse()
	d.ok("page_click", `{"selector":"link \"To the app\""}`)
	session := d.Pool.SessionIDs()[0]
	for _, call := range [][2]string{
		{"verify_element_exists", `{"selector":"heading \"App of ada\"","timeout_ms":100,"expects":["E1"]}`},
		{"verify_assertion", `{"selector":"heading \"App of ada\"","assertion":{"type":"hidden"},"timeout_ms":100}`},
		{"verify_assertion", `{"selector":"heading \"App of ada\"","assertion":{"type":"count_equals","expected":0},"timeout_ms":100}`},
		{"verify_assertion", `{"assertion":{"type":"console_clean"},"timeout_ms":100}`},
		{"verify_assertion", `{"assertion":{"type":"title_equals","expected":"App"},"timeout_ms":100}`},
		{"analyze_console_errors", `{}`},
		{"check_kpis", `{"spec":{"type":"staticValues","values":{"Revenue":"1"}},"timeout_ms":500}`},
		{"verify_user_flow", `{"session_id":"` + session + `","steps":[{"action":"click","selector":"button \"Export\"","timeout_ms":200}],"success_condition":"h1"}`},
	} {
		a := d.raw(call[0], call[1])
		if a.Error.Code != "NEEDS_HUMAN" || !strings.Contains(a.Error.Hint, "page_navigate") {
			t.Errorf("%s %s: %+v, %s", call[0], call[1], a.Error, a.text)
		}
	}
	lapse()
	a := d.ok("verify_user_flow", `{"session_id":%q,"steps":[{"action":"click","selector":"link \"To the app\""},{"action":"assert","selector":"heading \"App of ada\"","assertion":{"type":"visible"},"timeout_ms":200}]}`, session)
	if a.Data["status"] != "inconclusive" {
		t.Errorf("a flow whose click ends at the login page: %v", a.Data)
	}
	if r := d.report(); r.Status != qa.Inconclusive || len(r.Checks) != 0 && r.Checks[0].Kind != "click" {
		t.Errorf("%s: %s, %+v", r.Status, r.StatusReason, r.Checks)
	}

	d.ok("run_start", taskOfAnalyst)
	lapse()
	d.ok("page_click", `{"selector":"link \"To the app\""}`)
	if a := d.call("verify_element_exists", `{"selector":"heading \"App of ada\"","timeout_ms":100,"expects":["E1"]}`); a.Error.Code != "NEEDS_HUMAN" {
		t.Errorf("%+v", a.Error)
	}
	d.ok("page_navigate", `{"url":"/app"}`)
	d.ok("verify_element_exists", `{"selector":"heading \"App of ada\"","expects":["E1"]}`)
	// Whoever asks for the login page, or finds what must be there, has looked.
	d.ok("page_navigate", `{"url":"/login"}`)
	d.ok("verify_assertion", `{"selector":"heading \"App of ada\"","assertion":{"type":"hidden"}}`)
	lapse()
	d.ok("page_click", `{"selector":"link \"To the app\""}`)
	d.ok("verify_assertion", `{"selector":"button \"Sign in\"","assertion":{"type":"visible"}}`)
	if r := d.report(); r.Status != qa.Passed {
		t.Errorf("%s: %s", r.Status, r.StatusReason)
	}
}

// A flow of a file that names a role runs signed in, each in a context of its
// own; a role that nobody has is refused before anything is run.
func TestFlowRunsAsItsRole(t *testing.T) {
	t.Parallel()
	d, g := online(t), newGuarded(t)
	d.target(g, g.loginFlow(password))
	f := flow.Flow{Name: "app", Role: "analyst", StartURL: g.url + "/app", SuccessCondition: `heading "App of ada"`}
	for range 2 {
		result, err := flows.Play(t.Context(), d.Workspace, f, func(string) {})
		if err != nil || result.Status != qa.TestPassed {
			t.Errorf("%+v, %v", result, err)
		}
	}
	g.tried(t, 1)
	d.target(g, nil) // nobody has signed in
	if result, err := flows.Play(t.Context(), d.Workspace, f, func(string) {}); err != nil || result.Status != qa.TestError || !strings.Contains(string(result.FailureReason), "nobody has signed in as analyst yet") {
		t.Errorf("%+v, %v", result, err)
	}
	f.Role = "analist"
	if _, err := flows.Play(t.Context(), d.Workspace, f, func(string) {}); err == nil || !strings.Contains(err.Error(), `did you mean "analyst"?`) {
		t.Errorf("%v", err)
	}
}
