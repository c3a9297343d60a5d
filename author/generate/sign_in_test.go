package generate_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/assay-qa/assay/author/generate"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/flow"
)

func signIn() generate.SignIn {
	said := func(text string) generate.Expect {
		return generate.Expect{Assertion: qa.Assertion{Type: qa.Visible}, Target: generate.Target{Locators: []string{"text=" + text}}}
	}
	return generate.SignIn{Role: "agent", Base: "http://a.test", Landing: "/tickets", SignOut: `button "Sign out"`,
		Said: map[generate.Attempt]generate.Expect{generate.Wrong: said("Name or password is wrong."), generate.Empty: said("Enter your name.")},
		Login: flow.Flow{StartURL: "http://a.test/sign-in", Steps: []qa.FlowStep{
			{Action: "fill", Selector: `textbox "E-mail"`, Value: "dana@a.test"}, {Action: "fill", Selector: `textbox "Password"`, Value: "${secret:PW}"},
			{Action: "click", Selector: `button "Sign in"`}, {Action: "wait", Selector: `heading "Tickets"`}}}}
}

// made returns the texts of the tests by their titles.
func made(t *testing.T, s generate.SignIn) (texts map[string]string, dropped []generate.Dropped) {
	t.Helper()
	out, err := generate.Run(t.Context(), generate.Request{Dir: t.TempDir(), SignIn: &s})
	if err != nil {
		t.Fatal(err)
	}
	texts = map[string]string{}
	for _, f := range out.Files {
		texts[f.Flow] = f.Text
	}
	return texts, out.Dropped
}

// The sign-in has tests: the right password, a wrong one with a name that nobody has,
// none, and the end (issue 32 item 8). All begin signed out, and none holds the secret.
func TestSignInTests(t *testing.T) {
	texts, dropped := made(t, signIn())
	for title, want := range map[string][]string{
		"signs in as agent":                       {`page.goto("/sign-in")`, `.fill("dana@a.test")`, `variable("PW")`, `getByRole("heading", { name: "Tickets"`, `page.goto("/tickets")`, `toHaveURL("/tickets")`},
		generate.UnknownName:                      {`.fill("assay-nobody@a.test")`, `.fill("not-the-password")`, "Name or password is wrong.", `page.goto("/tickets")`},
		string(generate.Empty):                    {"Enter your name.", `page.goto("/tickets")`},
		"asks to sign in again after signing out": {`variable("PW")`, `{ name: "Sign out", exact: true }).click()`, `page.goto("/tickets")`},
	} {
		for _, w := range append(want, "storageState: { cookies: [], origins: [] }") {
			if !strings.Contains(texts[title], w) {
				t.Errorf("%q has no %s:\n%s", title, w, texts[title])
			}
		}
	}
	if strings.Contains(texts[string(generate.Empty)], ".fill(") || strings.Contains(texts[generate.UnknownName], "dana@") || strings.Contains(texts[generate.UnknownName], "variable(") {
		t.Error("an attempt that has to be refused types what is right")
	}
	if len(texts) != 4 || len(dropped) != 1 || dropped[0].Flow != string(generate.Wrong) || !strings.Contains(dropped[0].Reason, "--wrong-password-account") {
		t.Errorf("%d tests, left out: %+v", len(texts), dropped)
	}
	locked := signIn()
	locked.Account = "second@a.test"
	if texts, dropped := made(t, locked); len(dropped) != 0 || !strings.Contains(texts[string(generate.Wrong)], `.fill("second@a.test")`) {
		t.Error("the given account is not tried")
	}
}

// What is not known of a site is said, in place of a test that proves nothing.
func TestSignInOfWhichLittleIsKnown(t *testing.T) {
	s := signIn()
	s.SignOut, s.Said = "", nil
	texts, dropped := made(t, s)
	if len(texts) != 2 || texts["signs in as agent"] == "" || texts[string(generate.Empty)] == "" {
		t.Errorf("%d tests, want the right password and none", len(texts))
	}
	for _, want := range []string{"no control that signs out is seen on /tickets", "the page says nothing when it refuses a wrong password"} {
		if !slices.ContainsFunc(dropped, func(d generate.Dropped) bool { return strings.Contains(d.Reason, want) }) {
			t.Errorf("%q is not said: %+v", want, dropped)
		}
	}
	for want, steps := range map[string][]qa.FlowStep{
		"fills no field":                {{Action: "click", Selector: `button "Guest"`}},
		"none after it that sends it":   {{Action: "fill", Selector: "#a", Value: "x"}},
		`is "upload", which tests of a`: {{Action: "fill", Selector: "#a", Value: "x"}, {Action: "upload", Selector: "#f"}},
	} {
		s := signIn()
		s.Login.Steps = steps
		if _, err := generate.Run(t.Context(), generate.Request{Dir: t.TempDir(), SignIn: &s}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// Where name and password are both secrets, the name is the first of them.
func TestSignInByTwoSecrets(t *testing.T) {
	s := signIn()
	s.Login.Steps[0].Value = "${secret:USER}"
	texts, _ := made(t, s)
	if wrong := texts[generate.UnknownName]; strings.Count(wrong, `.fill("assay-nobody")`) != 1 || strings.Count(wrong, `.fill("not-the-password")`) != 1 {
		t.Errorf("what is typed:\n%s", wrong)
	}
}
