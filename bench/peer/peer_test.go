package peer

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestRatioIsTheMedianOfThePairs(t *testing.T) {
	// The machine was slow in the second round, for both: 0.5, 0.5, 2.
	f := newFigure("x", "ms", bar{Ratio: 0.6}, [][bothSides]float64{{1, 2}, {100, 200}, {4, 2}})
	want := figure{Name: "x", Unit: "ms", Ours: 4, Theirs: 2, Ratio: 0.5, Bar: bar{Ratio: 0.6}}
	if diff := cmp.Diff(want, f); diff != "" {
		t.Errorf("figure (-want +got):\n%s", diff)
	}
	if !f.met() {
		t.Error("0.5 is within 0.6, but the bar counts as missed")
	}
}

func TestBars(t *testing.T) {
	for _, test := range []struct {
		f    figure
		want bool
	}{
		{figure{Ours: 99, Ratio: 99}, true}, // no bar
		{figure{Ratio: 1, Bar: bar{Ratio: 1}}, true},
		{figure{Ratio: 1.01, Bar: bar{Ratio: 1}}, false},
		{figure{Ours: 20000, Ratio: 9, Bar: bar{Limit: 20000}}, true},
		{figure{Ours: 20001, Ratio: 0.1, Bar: bar{Limit: 20000}}, false},
	} {
		if got := test.f.met(); got != test.want {
			t.Errorf("%+v: met = %v, want %v", test.f, got, test.want)
		}
	}
}

func TestTheTableSaysWhatIsMissed(t *testing.T) {
	r := result{Figures: []figure{
		{Name: "quick", Unit: "ms", Ours: 1, Theirs: 2, Ratio: 0.5, Bar: bar{Ratio: 0.6}},
		{Name: "slow", Unit: "ms", Ours: 2, Theirs: 1, Ratio: 2, Bar: bar{Ratio: 0.6}},
	}}
	var b strings.Builder
	if err := r.markdown(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"| quick | 1.0 ms | 2.0 ms | 0.50× | ≤ 0.6× | met |", "| slow | 2.0 ms | 1.0 ms | 2.00× | ≤ 0.6× | **MISSED** |", "MISSED: slow"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in:\n%s", want, b.String())
		}
	}
	if strings.Contains(b.String(), "MISSED: quick") {
		t.Errorf("a met bar is called missed:\n%s", b.String())
	}
}

func TestElementsComeFromTheLastLook(t *testing.T) {
	press := step{verb: press, role: "button", name: "Sign in"}
	theirPage := "- main [ref=e2]:\n  - heading \"Sign in\" [level=1] [ref=e4]\n  - 'button \"Sign in\" [ref=f1e12] [cursor=pointer]'"
	call, err := theirHands{}.call(press, theirPage)
	if err != nil {
		t.Fatal(err)
	}
	if call.Arguments["target"] != "f1e12" {
		t.Errorf("clicks %v, want the button's ref f1e12", call.Arguments["target"])
	}
	call, err = ourHands{}.call(press, "main\n  heading \"Sign in\"\n  button \"Sign in\"")
	if err != nil {
		t.Fatal(err)
	}
	if call.Arguments["selector"] != `button "Sign in"` {
		t.Errorf("clicks %v, want the button's line", call.Arguments["selector"])
	}
	for _, h := range []hands{ourHands{}, theirHands{}} {
		if call, err := h.call(press, "- heading \"Sign in\" [ref=e4]"); err == nil {
			t.Errorf("%T: the look shows no button, but the call is %v", h, call)
		}
	}
}

// Both sides know every step of the job and of the warm calls.
func TestHandsKnowEveryStep(t *testing.T) {
	steps := jobSteps("http://site")
	for _, w := range warmSteps("http://site") {
		steps = append(steps, w.step)
	}
	steps = append(steps, flowInSingleCalls("http://site")...)
	steps = append(steps, signOut("http://site")...)
	for _, st := range steps {
		page := fmt.Sprintf("  - %s %q [ref=e1]", st.role, st.name)
		for _, h := range []hands{ourHands{}, theirHands{}} {
			if call, err := h.call(st, page); err != nil || call.Name == "" {
				t.Errorf("%T: %s: %v, %v", h, st, call, err)
			}
		}
	}
}

// The flow is the same nine steps in each of the three ways.
func TestTheFlowIsTheSameInEachWay(t *testing.T) {
	const want = 9
	steps, _ := flowCall("http://site").Arguments["steps"].([]map[string]any)
	if len(steps) != want || len(scriptSteps()) != want {
		t.Errorf("our call has %d steps, the script %d, want %d", len(steps), len(scriptSteps()), want)
	}
	shots := 0
	for _, st := range flowInSingleCalls("http://site") {
		if st.verb == shoot {
			shots++
		}
	}
	if shots != want {
		t.Errorf("%d pictures in single calls, want one a step: %d", shots, want)
	}
	for _, st := range scriptSteps() {
		if !strings.Contains(string(flowScript), "case '"+st["verb"]+"'") {
			t.Errorf("the script does not know %q", st["verb"])
		}
	}
}

// A figure without a bar says so in JSON too.
func TestFigureJSON(t *testing.T) {
	text, err := json.Marshal(figure{Name: "x", Unit: "ms", Ours: 1, Theirs: 2, Ratio: 0.5})
	if err != nil {
		t.Fatal(err)
	}
	if want := `{"name":"x","unit":"ms","ours":1,"theirs":2,"ratio":0.5}`; string(text) != want {
		t.Errorf("%s, want %s", text, want)
	}
}

// A reference is that of the newest outline; an element that no outline has is an error.
func TestReferences(t *testing.T) {
	outline := "- button \"Send\" [ref=f2e7]\n- button \"Send\" [ref=e1]\n- 'link \"Photograph: add\" [ref=e9] [cursor=pointer]':"
	got, err := withReferences(map[string]any{"url": "/", "fields": []map[string]any{{"target": `ref: button "Send"`}, {"target": `ref: link "Photograph: add"`}}}, outline)
	want := map[string]any{"url": "/", "fields": []any{map[string]any{"target": "f2e7"}, map[string]any{"target": "e9"}}}
	if diff := cmp.Diff(any(want), got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	if got, err := withReferences(`ref: button "Cancel"`, outline); err == nil {
		t.Errorf("an element that is not there is %v", got)
	}
}

// Each job ends with a check of its outcome on both sides, or after it with what is read
// and cleared.
func TestJobsCheckTheirOutcome(t *testing.T) {
	for _, j := range jobs("http://pages", "http://site", [bothSides]string{"/ours", "/theirs"}) {
		for who, calls := range j.calls {
			checks := 0
			for _, c := range calls {
				if c.check {
					checks++
				}
			}
			if checks != 1 {
				t.Errorf("%s, side %d: %d checks, want one", j.name, who, checks)
			}
		}
	}
}
