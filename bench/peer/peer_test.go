package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
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

func TestMedian(t *testing.T) {
	for _, test := range []struct {
		values []float64
		want   float64
	}{
		{nil, 0},
		{[]float64{7}, 7},
		{[]float64{9, 1, 5}, 5},
		{[]float64{4, 1, 2, 9}, 3},
	} {
		if got := median(test.values); got != test.want {
			t.Errorf("median(%v) = %v, want %v", test.values, got, test.want)
		}
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
	for _, st := range steps {
		page := fmt.Sprintf("  - %s %q [ref=e1]", st.role, st.name)
		for _, h := range []hands{ourHands{}, theirHands{}} {
			if call, err := h.call(st, page); err != nil || call.Name == "" {
				t.Errorf("%T: %s: %v, %v", h, st, call, err)
			}
		}
	}
}

// talk is a client of a server that has written the given lines, and what the
// client writes to it. Its first request has the id 1.
func talk(lines ...string) (c *client, sent *strings.Builder) {
	sent = new(strings.Builder)
	return &client{in: sent, out: bufio.NewReader(strings.NewReader(strings.Join(lines, "")))}, sent
}

func TestClientCountsTheAnswerAlone(t *testing.T) {
	line := `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"a"},{"type":"image","data":"AAAA"},{"type":"text","text":"b"}]}}` + "\n"
	c, sent := talk(
		`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`+"\n",
		`{"jsonrpc":"2.0","id":7,"method":"ping"}`+"\n",
		`{"jsonrpc":"2.0","id":8,"method":"roots/list"}`+"\n", line)
	a, err := c.tool(toolCall{Name: "look"})
	if err != nil {
		t.Fatal(err)
	}
	if a.bytes != len(line) || a.pictures != 4 || a.text != "a\n\nb" || a.failed {
		t.Errorf("%d bytes, %d of pictures, text %q, failed %v; want %d, 4, %q, false", a.bytes, a.pictures, a.text, a.failed, len(line), "a\n\nb")
	}
	lines := strings.Split(strings.TrimSpace(sent.String()), "\n")
	if len(lines) != 3 {
		t.Fatalf("the client wrote %d lines, want the request and two replies: %q", len(lines), lines)
	}
	for i, want := range []string{`"result":{}`, `-32601`} {
		if !strings.Contains(lines[i+1], want) {
			t.Errorf("reply %q, want %s in it", lines[i+1], want)
		}
	}
}

func TestClientRefusesWhatIsNoAnswer(t *testing.T) {
	for name, line := range map[string]string{
		"another request's": `{"jsonrpc":"2.0","id":2,"result":{}}` + "\n",
		"an error":          `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"no such tool"}}` + "\n",
		"no JSON":           "Debugger attached.\n",
		"nothing":           "",
	} {
		t.Run(name, func(t *testing.T) {
			c, _ := talk(line)
			if a, err := c.request("tools/call", nil); err == nil {
				t.Errorf("taken for an answer: %s", a.result)
			}
		})
	}
}

func TestMemoryOfThisProcess(t *testing.T) {
	m, err := measure(os.Getpid())
	if runtime.GOOS != "linux" {
		if err == nil {
			t.Error("measured without /proc")
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	if m.processes < 1 || m.server < 1<<20 || m.resident < m.server || m.tree <= 0 || m.tree > m.resident {
		t.Errorf("%+v: want at least this process, and no more proportional than resident", m)
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
