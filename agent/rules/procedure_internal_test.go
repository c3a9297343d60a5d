package rules

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/assay-qa/assay/agent"
	"github.com/assay-qa/assay/qa"
)

// shopSpec is a task with steps whose sentences are all read.
func shopSpec() Options {
	task := qa.TaskSpec{Goal: "A hammer is bought", Expectations: []qa.Expectation{
		{ID: "E1", Text: `"Signed in" is shown`}, {ID: "E2", Text: `Verify that the button "Pay" is enabled.`}, {ID: "E3", Text: "The console has no errors"},
	}}
	return Options{Task: task, Address: "http://a.test/", Procedure: &agent.Procedure{
		Steps: []agent.Step{
			{Text: `Open /login. Fill "Name" with "ada" and "Password" with ${secret:PW}, then click "Sign in".`, Expects: []string{"E1"}},
			{Text: "Open /cart\nVerify that the button \"Pay\" is enabled.", Expects: []string{"E2"}},
			{Text: `Tick the checkbox "Gift"`},
		},
		Cleanup: []string{`Click the button "Empty"`},
	}}
}

const shopOutline = `textbox "Name"
textbox "Password"
button "Sign in"
checkbox "Gift"`

// A spec whose sentences are all read is worked step by step: its acts, what each step
// expects, and the cleanup after the end of the work (29.9).
func TestProcedure(t *testing.T) {
	o := shopSpec()
	if unread := UnreadSentences(o.Task, o.Procedure); len(unread) > 0 {
		t.Fatalf("unread: %v", unread)
	}
	calls, _, unable := driveOn(t, o, shopOutline, fine)
	want := "browser_launch page_navigate page_snapshot page_fill page_snapshot page_fill page_snapshot page_click verify_assertion step_done " +
		"page_navigate verify_assertion step_done page_snapshot page_click step_done verify_assertion run_finish page_click step_done"
	if got := named(calls); got != want || len(unable) > 0 {
		t.Errorf("got  %s\nwant %s\nunable %v", got, want, unable)
	}
	var fill struct{ Selector, Value string }
	if err := json.Unmarshal(calls[5].Arguments, &fill); err != nil || fill.Selector != `textbox "Password"` || fill.Value != "${secret:PW}" {
		t.Errorf("the second field: %+v, %v", fill, err)
	}
}

// What a step takes for granted and is not there is a failed check; what it leaves open
// is asked of a person; the steps after it are not begun, and the cleanup takes place.
func TestProcedureInTrouble(t *testing.T) {
	for name, c := range map[string]struct {
		outline, wrong, answer string
		unable                 string
		last                   string // the calls at the end
	}{
		"an element that does not come": {"heading \"Login\"", "verify_assertion", `{"ok":true,"data":{"passed":false}}`, "", "page_snapshot verify_assertion run_finish page_click step_done"},
		"a name of two elements":        {shopOutline + "\ntextbox \"Name\" [2]", "", "", "textbox \"Name\", textbox \"Name\" [2]", "page_snapshot run_finish page_click step_done"},
		"a button that is off":          {shopOutline, "page_click", `{"ok":false,"error":{"code":"NOT_ACTIONABLE","message":"it is disabled"}}`, "it is disabled", "page_click verify_assertion run_finish page_click verify_assertion"},
		"a guard that stops":            {shopOutline, "page_click", `{"ok":false,"error":{"code":"ACTION_BLOCKED","message":"guarded"}}`, "guarded", "page_click run_finish page_click"},
		"an address without an answer":  {shopOutline, "page_navigate", `{"ok":false,"error":{"code":"NAVIGATION_FAILED","message":"refused"}}`, "refused", "page_navigate run_finish page_click step_done"},
	} {
		calls, _, unable := driveOn(t, shopSpec(), c.outline, func(call agent.Call) string {
			if call.Name == c.wrong {
				return c.answer
			}
			return fine(call)
		})
		if got := named(calls); !strings.HasSuffix(got, c.last) || strings.Count(got, "step_done") > 1 {
			t.Errorf("%s: %s, want it to end with %s", name, got, c.last)
		}
		if c.unable == "" && len(unable) > 0 || c.unable != "" && (len(unable) == 0 || !strings.Contains(string(unable[0].Detail), c.unable)) {
			t.Errorf("%s: unable %v, want %q", name, unable, c.unable)
		}
	}
}

// A task is worked by rules only where each of its sentences is read, and each that is not
// is named with its reason.
func TestUnreadSentences(t *testing.T) {
	o := shopSpec()
	o.Procedure.Steps[0].Text = "Sign in as ada"
	o.Procedure.Cleanup = append(o.Procedure.Cleanup, "Undo all")
	o.Task.Expectations[0].Text = "Ada is happy"
	var got []string
	for _, u := range UnreadSentences(o.Task, o.Procedure) {
		got = append(got, u.Sentence)
		if u.Why == "" {
			t.Errorf("%q has no reason", u.Sentence)
		}
	}
	if want := "Sign in as ada; Undo all; Ada is happy"; strings.Join(got, "; ") != want {
		t.Errorf("unread: %q, want %q", got, want)
	}
	if len(UnreadSentences(o.Task, nil)) == 0 {
		t.Error("a task without steps is read")
	}
}

// A box is clicked where it is not yet as the step says, and left where it is.
func TestTickedAlready(t *testing.T) {
	for step, clicks := range map[string]int{
		`Tick the checkbox "On"`: 0, `Untick the checkbox "On"`: 1, `Tick the checkbox "Off"`: 1, `Untick the checkbox "Off"`: 0,
	} {
		o := Options{Task: qa.TaskSpec{Goal: "a box"}, Address: "http://a.test/", Procedure: &agent.Procedure{Steps: []agent.Step{{Text: step}}}}
		box := "checkbox \"Off\""
		if strings.Contains(step, `"On"`) {
			box = "checkbox \"On\" [checked]"
		}
		calls, _, _ := driveOn(t, o, box, fine)
		if got := strings.Count(named(calls), "page_click"); got != clicks {
			t.Errorf("%s: %d clicks, want %d: %s", step, got, clicks, named(calls))
		}
	}
}

// A check that stands in one sentence with its act is made after the act. One that the task
// does not expect is not read over.
func TestCheckInTheSentenceOfAnAct(t *testing.T) {
	o := shopSpec()
	o.Procedure.Steps[0].Text = `Open /login. Click "Sign in" and see "Signed in".`
	o.Task.Expectations[0].Text = `see "Signed in"`
	if unread := UnreadSentences(o.Task, o.Procedure); len(unread) > 0 {
		t.Fatalf("unread: %v", unread)
	}
	calls, _, _ := driveOn(t, o, shopOutline, fine)
	if got := named(calls); !strings.HasPrefix(got, "browser_launch page_navigate page_snapshot page_click verify_assertion step_done ") {
		t.Errorf("got %s", got)
	}
	o.Task.Expectations[0].Text = `"Hello" is shown`
	if unread := UnreadSentences(o.Task, o.Procedure); len(unread) != 1 || unread[0].Sentence != o.Procedure.Steps[0].Text {
		t.Errorf("what nobody checks is read: %v", unread)
	}
}

// What an act types in the words of what its step expects is typed.
func TestWithoutSentence(t *testing.T) {
	for text, want := range map[string]string{
		`Click "A". The list is visible.`:                   `Click "A". `,
		"Click \"A\"\nThe list is visible.":                 "Click \"A\"\n",
		`The list is visible. Click "A"`:                    ` Click "A"`,
		`Type "The list is visible." into the field "Note"`: `Type "The list is visible." into the field "Note"`,
	} {
		if got := withoutSentence(text, "The list is visible."); got != want {
			t.Errorf("%q is left as %q, want %q", text, got, want)
		}
	}
}
