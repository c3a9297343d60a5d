package gemini_test

import (
	"strings"
	"testing"

	"github.com/assay-qa/assay/agent"
)

// gestures are all predefined functions of both vocabularies (A12), and the
// actions of computer_action that they are, on a screen of 1366 × 768.
func gestures() map[string]string {
	return map[string]string{
		`click_at {"x":500,"y":250}`:                                             `{"action":"click","coords":{"x":683,"y":192}}`,
		`click {"x":0,"y":999,"intent":"look"}`:                                  `{"action":"click","coords":{"x":0,"y":767}}`,
		`click {"x":1400,"y":-3}`:                                                `{"action":"click","coords":{"x":1365,"y":0}}`,
		`double_click {"x":10,"y":10}`:                                           `{"action":"double_click","coords":{"x":14,"y":8}}`,
		`right_click {"x":10,"y":10}`:                                            `{"action":"right_click","coords":{"x":14,"y":8}}`,
		`middle_click {"x":10,"y":10}`:                                           `{"action":"middle_click","coords":{"x":14,"y":8}}`,
		`hover_at {"x":10,"y":10}`:                                               `{"action":"move","coords":{"x":14,"y":8}}`,
		`move {"x":10,"y":10}`:                                                   `{"action":"move","coords":{"x":14,"y":8}}`,
		`type_text_at {"x":10,"y":10,"text":"a b"}`:                              `{"action":"click","coords":{"x":14,"y":8}},{"action":"hotkey","hotkey":"Control+A"},{"action":"hotkey","hotkey":"Delete"},{"action":"type","text":"a b"},{"action":"hotkey","hotkey":"Enter"}`,
		`type_text_at {"x":1,"y":1,"text":"","press_enter":false}`:               `{"action":"click","coords":{"x":1,"y":1}},{"action":"hotkey","hotkey":"Control+A"},{"action":"hotkey","hotkey":"Delete"}`,
		`type_text_at {"x":1,"y":1,"text":"a","clear_before_typing":false}`:      `{"action":"click","coords":{"x":1,"y":1}},{"action":"type","text":"a"},{"action":"hotkey","hotkey":"Enter"}`,
		`type {"text":"a"}`:                                                      `{"action":"type","text":"a"}`,
		`type {"text":"a","press_enter":true}`:                                   `{"action":"type","text":"a"},{"action":"hotkey","hotkey":"Enter"}`,
		`key_combination {"keys":"Control+A"}`:                                   `{"action":"hotkey","hotkey":"Control+a"}`,
		`key_combination {"keys":"control++"}`:                                   `{"action":"hotkey","hotkey":"Control++"}`,
		`key_combination {"keys":"enter"}`:                                       `{"action":"hotkey","hotkey":"Enter"}`,
		`hotkey {"keys":["CTRL","shift","page_down"]}`:                           `{"action":"hotkey","hotkey":"Control+Shift+PageDown"}`,
		`hotkey {"keys":["ALT","ARROW_LEFT"]}`:                                   `{"action":"hotkey","hotkey":"Alt+ArrowLeft"}`,
		`press_key {"key":"escape"}`:                                             `{"action":"hotkey","hotkey":"Escape"}`,
		`press_key {"key":"f5"}`:                                                 `{"action":"hotkey","hotkey":"F5"}`,
		`press_key {"key":"down"}`:                                               `{"action":"hotkey","hotkey":"ArrowDown"}`,
		`press_key {"key":"+"}`:                                                  `{"action":"hotkey","hotkey":"+"}`,
		`scroll_document {"direction":"down"}`:                                   `{"action":"scroll","scroll":{"deltaY":614}}`,
		`scroll_at {"x":500,"y":500,"direction":"left","magnitude":100}`:         `{"action":"scroll","coords":{"x":683,"y":384},"scroll":{"deltaX":-136}}`,
		`scroll {"x":500,"y":500,"direction":"up"}`:                              `{"action":"scroll","coords":{"x":683,"y":384},"scroll":{"deltaY":-300}}`,
		`scroll {"x":500,"y":500,"direction":"right","magnitude_in_pixels":120}`: `{"action":"scroll","coords":{"x":683,"y":384},"scroll":{"deltaX":120}}`,
		`drag_and_drop {"x":10,"y":10,"destination_x":500,"destination_y":500}`:  `{"action":"drag","coords":{"x":14,"y":8},"to":{"x":683,"y":384}}`,
		`drag_and_drop {"start_x":10,"start_y":10,"end_x":500,"end_y":500}`:      `{"action":"drag","coords":{"x":14,"y":8},"to":{"x":683,"y":384}}`,
		`wait_5_seconds {}`:                                                      `{"action":"wait","wait":{"type":"ms","value":"5000"}}`,
		`wait {}`:                                                                `{"action":"wait","wait":{"type":"ms","value":"1000"}}`,
		`wait {"seconds":0.25}`:                                                  `{"action":"wait","wait":{"type":"ms","value":"250"}}`,
		`wait {"seconds":600}`:                                                   `{"action":"wait","wait":{"type":"ms","value":"30000"}}`,
		`take_screenshot {"intent":"see"}`:                                       `{"action":"screenshot"}`,
		`open_web_browser {}`:                                                    `{"action":"screenshot"}`,
	}
}

// asked is the call that a function call of the model becomes.
func asked(t *testing.T, name, arguments string) agent.Call {
	t.Helper()
	a := newAPI(t, turns(`{"functionCall":{"name":"`+name+`","args":`+arguments+`}}`))
	tools := []agent.Tool{{Name: "page_click", Schema: []byte(`{"type":"object"}`)}}
	r, err := a.model(t, func(c *agent.Connection) { c.Computer = true }).Next(t.Context(), agent.Conversation{Task: task, Screen: screen(), Tools: tools})
	if err != nil || len(r.Calls) != 1 {
		t.Fatalf("%+v, %v", r, err)
	}
	return r.Calls[0]
}

// Both vocabularies become one call of computer_action, with coordinates in
// pixels of the screen and a picture in the answer (A12).
func TestGestures(t *testing.T) {
	t.Parallel()
	for said, want := range gestures() {
		name, arguments, _ := strings.Cut(said, " ")
		c := asked(t, name, arguments)
		if c.Name != "computer_action" || c.Confirm != "" || string(c.Arguments) != `{"actions":[`+want+`],"include_image":true}` {
			t.Errorf("%s: %s %s\nwant %s", said, c.Name, c.Arguments, want)
		}
	}
}

// What we have a tool for, or nothing, never becomes something else.
func TestOtherGestures(t *testing.T) {
	t.Parallel()
	for said, want := range map[string]string{
		`navigate {"url":"http://127.0.0.1/a"}`: `page_navigate {"url":"http://127.0.0.1/a"}`,
		`search {}`:                             `search {}`,
		`go_back {}`:                            `go_back {}`,
		`triple_click {"x":1,"y":1}`:            `triple_click {"x":1,"y":1}`,
		`key_down {"key":"a"}`:                  `key_down {"key":"a"}`,
		`click_at {"x":"left"}`:                 `click_at {"x":"left"}`,
		`click {"y":1}`:                         `computer_action {"actions":[{"action":"click"}],"include_image":true}`,
		`page_click {"selector":"#a"}`:          `page_click {"selector":"#a"}`,
	} {
		name, arguments, _ := strings.Cut(said, " ")
		if c := asked(t, name, arguments); c.Name+" "+string(c.Arguments) != want {
			t.Errorf("%s: %s %s, want %s", said, c.Name, c.Arguments, want)
		}
	}
}

// A safety decision is for a person, in whatever form it comes (A12).
func TestSafetyDecision(t *testing.T) {
	t.Parallel()
	for said, want := range map[string]string{
		`{"x":1,"y":1,"safety_decision":{"decision":"require_confirmation","explanation":"it buys"}}`: "it buys",
		`{"x":1,"y":1,"safety_decision":{"decision":"require_confirmation"}}`:                         "require_confirmation",
		`{"x":1,"y":1,"safety_decision":"require_confirmation"}`:                                      "require_confirmation",
		`{"x":1,"y":1,"safety_decision":["new"]}`:                                                     `["new"]`,
		`{"x":1,"y":1,"safety_decision":{}}`:                                                          "{}",
		`{"x":1,"y":1,"safety_decision":{"decision":"regular"}}`:                                      "",
		`{"x":1,"y":1,"safety_decision":null}`:                                                        "",
	} {
		if c := asked(t, "click_at", said); c.Confirm != want {
			t.Errorf("%s: confirm %q, want %q", said, c.Confirm, want)
		}
	}
}

// The computer tool is answered with a picture and the page's address, also
// where the call was not made (A12); nothing is ever acknowledged.
func TestComputerAnswers(t *testing.T) {
	t.Parallel()
	click := `{"functionCall":{"name":"click_at","args":{"x":1,"y":1}}}`
	a := newAPI(t, turns(click), turns(click+","+click), turns(`{"text":"done"}`))
	m := a.model(t, func(c *agent.Connection) { c.Computer = true })
	c := conversation()
	answer := func(results ...agent.Result) {
		t.Helper()
		r, err := m.Next(t.Context(), c)
		if err != nil || len(r.Calls) != len(results) {
			t.Fatalf("%+v, %v", r, err)
		}
		for i := range results {
			results[i].ID = r.Calls[i].ID
		}
		c.Turns = append(c.Turns, agent.Turn{Reply: r, Results: results})
	}
	image := agent.Part{Image: &agent.Image{MIMEType: "image/png", Data: pixel}}
	answer(agent.Result{IsError: true, Parts: []agent.Part{{Text: "no page"}}})
	answer(agent.Result{Parts: []agent.Part{{Text: "1 of 1 actions done\n<page-1>\npage: http://127.0.0.1/a?b \"A page\"\nclick: button\n</page-1>"}, image}},
		agent.Result{IsError: true, Parts: []agent.Part{{Text: "not executed"}}})
	if _, err := m.Next(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	contents := a.bodies[2]["contents"]
	picture := `"parts":[{"inlineData":{"mimeType":"image/png","data":"` + pixel + `"}}]`
	wants(t, "before there was a picture", at(contents, 2, "parts"), `[{"functionResponse":{"name":"click_at","response":{"error":"no page","url":"about:blank","screenshot":"of before this call, if it shows anything"},`+picture+`}}]`)
	wants(t, "done, and not done", at(contents, 4, "parts"), `[
		{"functionResponse":{"name":"click_at","response":{"output":"1 of 1 actions done\n<page-1>\npage: http://127.0.0.1/a?b \"A page\"\nclick: button\n</page-1>","url":"http://127.0.0.1/a?b"},`+picture+`}},
		{"functionResponse":{"name":"click_at","response":{"error":"not executed","url":"http://127.0.0.1/a?b","screenshot":"of before this call, if it shows anything"},`+picture+`}}]`)
	c.Turns[1].Results[0].Parts[1] = agent.Part{Text: "(older)"} // as the loop does with pictures that grew old
	if _, err := m.Next(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	if old := at(a.bodies[3], "contents", 4, "parts", 0, "functionResponse"); at(old, "parts") != nil || !strings.HasSuffix(text(at(old, "response", "output")), `(older)"`) {
		t.Errorf("an answer whose picture grew old: %s", text(old))
	}
	if strings.Contains(text(a.bodies), "acknowledge") {
		t.Error("something was acknowledged")
	}
}
