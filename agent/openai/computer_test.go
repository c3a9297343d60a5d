package openai_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image/png"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/assay-qa/assay/agent"
	"github.com/assay-qa/assay/agent/openai"
	"github.com/assay-qa/assay/internal/wiretest"
)

// canvas is a page that writes down what happens to it.
const canvas = `<!doctype html><title>canvas</title><style>body{margin:0;height:3000px}div,input,output{position:absolute}#pad{left:0;top:0;width:400px;height:300px;background:#ccc;user-select:none}
#field{left:0;top:320px;width:200px;height:30px}output{left:0;top:360px}</style><div id=pad></div><input id=field><output></output><script>
const seen=[];const note=t=>{seen.push(t);document.querySelector('output').textContent=seen.join(' ')};const pad=document.getElementById('pad'),field=document.getElementById('field');
pad.onclick=e=>note('click:'+e.clientX+','+e.clientY);pad.ondblclick=()=>note('double');pad.oncontextmenu=e=>{e.preventDefault();note('right')};
pad.onauxclick=e=>{if(e.button==1)note('middle')};
pad.onmousedown=e=>{pad.from=e.clientX};pad.onmouseup=e=>{if(e.clientX!=pad.from)note('drag:'+pad.from+'-'+e.clientX)};
field.onkeydown=e=>{if(e.ctrlKey&&e.key=='a')note('ctrl+a');if(e.key=='Enter')note('enter:'+field.value)};
let scrolled=false;addEventListener('scroll',()=>{if(!scrolled){scrolled=true;note('scrolled')}});</script>`

// TestComputer (A12): the model works a real page with the provider's own
// computer tool: each kind of action does what it says, each batch is answered
// by a picture that shows the page, and an action that nobody knows is
// answered, not dropped.
func TestComputer(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("needs the browser")
	}
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(canvas)) }))
	defer site.Close()
	d := desk(t)
	say := func(actions ...wiretest.Action) wiretest.Say { return wiretest.Say{Think: "hm", Computer: actions} }
	p := start(t, wiretest.OpenAI, wiretest.Options{Key: key, Model: model, Lenient: true}, func(c *agent.Connection) { c.Computer = true }, []wiretest.Say{
		{Calls: []wiretest.Call{{Name: "page_navigate", Args: object{"url": site.URL}}}},
		say(wiretest.Action{Kind: "screenshot"}),
		say(wiretest.Action{Kind: "click", X: 10, Y: 20}, wiretest.Action{Kind: "double_click", X: 30, Y: 20}, wiretest.Action{Kind: "right_click", X: 10, Y: 20},
			wiretest.Action{Kind: "move", X: 50, Y: 60}, wiretest.Action{Kind: "drag", X: 100, Y: 100, ToX: 200, ToY: 120}),
		say(wiretest.Action{Kind: "click", X: 20, Y: 335}, wiretest.Action{Kind: "type", Text: "hello"}, wiretest.Action{Kind: "key", Text: "Control+A"}, wiretest.Action{Kind: "key", Text: "Enter"},
			wiretest.Action{Kind: "wait"}, wiretest.Action{Kind: "scroll", X: 300, Y: 500, DY: 400}),
		say(wiretest.Action{Kind: "click", X: 10, Y: 20}, wiretest.Action{Kind: "levitate"}),
		say(wiretest.Action{Kind: "click", X: 10, Y: 5000}),
		{Text: "done"}})
	c := talk(catalogue(t, d)...)
	var last agent.Result
	for {
		r := p.next(c)
		if len(r.Calls) == 0 {
			break
		}
		last = do(t.Context(), t, d, r.Calls[0])
		c.Turns = append(c.Turns, agent.Turn{Reply: r, Results: []agent.Result{last}})
		if want := len(c.Turns) > 4; last.IsError != want {
			t.Errorf("turn %d: %s", len(c.Turns), last.Text())
		}
	}
	// The outline always shows what the page wrote; an answer leaves its title out if the one before had it.
	page := do(t.Context(), t, d, agent.Call{Name: "page_snapshot", Arguments: []byte(`{}`)}).Text()
	for _, want := range []string{"click:10,20", "double", "right", "drag:100-200", "ctrl+a", "enter:hello", "scrolled"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page saw no %s:\n%s", want, page[:min(300, len(page))])
		}
	}
	if strings.Count(page, "click:10,20") != 1 {
		t.Error("a part of a batch was done that holds what nobody knows")
	}
	for i, want := range map[int]string{5: "levitate", 6: "outside of the viewport"} {
		if body := string(p.server.Requests()[i].Body); !strings.Contains(body, want) {
			t.Errorf("request %d does not tell the model %q", i+1, want)
		}
	}
	first, second := pictureOf(t, c.Turns[1].Results[0]), pictureOf(t, c.Turns[3].Results[0])
	if first == second {
		t.Error("the picture does not show what was done")
	}
}

// pictureOf is the picture of a result, which must decode.
func pictureOf(t *testing.T, r agent.Result) string {
	t.Helper()
	for _, part := range r.Parts {
		if part.Image == nil {
			continue
		}
		raw, err := base64.StdEncoding.DecodeString(part.Image.Data)
		if err != nil {
			t.Fatal(err)
		}
		if part.Image.MIMEType == "image/png" {
			if _, err := png.Decode(bytes.NewReader(raw)); err != nil {
				t.Fatal(err)
			}
		}
		return part.Image.Data
	}
	t.Errorf("no picture: %s", r.Text())
	return ""
}

// TestActions: every action of the wire in the words of computer_action, with
// what the scripted provider can't say.
func TestActions(t *testing.T) {
	t.Parallel()
	for sent, want := range map[string]string{
		`{"type":"click","button":"left","x":1,"y":2,"keys":null}`:           `{"action":"click","coords":{"x":1,"y":2}}`,
		`{"type":"click","button":"right","x":1,"y":2}`:                      `{"action":"right_click","coords":{"x":1,"y":2}}`,
		`{"type":"click","button":"wheel","x":1,"y":2}`:                      `{"action":"middle_click","coords":{"x":1,"y":2}}`,
		`{"type":"click","button":"back","x":1,"y":2}`:                       `{"action":"back_click","coords":{"x":1,"y":2}}`,
		`{"type":"click","button":"left","x":1,"y":2,"keys":["SHIFT"]}`:      `{"action":"click","coords":{"x":1,"y":2},"hotkey":"Shift"}`,
		`{"type":"click","button":"left"}`:                                   `{"action":"click"}`,
		`{"type":"double_click","x":0,"y":0}`:                                `{"action":"double_click","coords":{"x":0,"y":0}}`,
		`{"type":"move","x":3,"y":4}`:                                        `{"action":"move","coords":{"x":3,"y":4}}`,
		`{"type":"drag","path":[{"x":1,"y":2},{"x":5,"y":5},{"x":3,"y":4}]}`: `{"action":"drag","coords":{"x":1,"y":2},"to":{"x":3,"y":4}}`,
		`{"type":"drag","path":[{"x":1,"y":2}]}`:                             `{"action":"drag"}`,
		`{"type":"scroll","x":1,"y":2,"scroll_x":0,"scroll_y":-300}`:         `{"action":"scroll","coords":{"x":1,"y":2},"scroll":{"deltaY":-300}}`,
		`{"type":"type","text":"a+b"}`:                                       `{"action":"type","text":"a+b"}`,
		`{"type":"keypress","keys":["CTRL","SHIFT","T"]}`:                    `{"action":"hotkey","hotkey":"Control+Shift+t"}`,
		`{"type":"keypress","keys":["ctrl+l"]}`:                              `{"action":"hotkey","hotkey":"Control+l"}`,
		`{"type":"keypress","keys":["CTRL","+"]}`:                            `{"action":"hotkey","hotkey":"Control++"}`,
		`{"type":"keypress","keys":["ARROWDOWN"]}`:                           `{"action":"hotkey","hotkey":"ArrowDown"}`,
		`{"type":"keypress","keys":["f5"]}`:                                  `{"action":"hotkey","hotkey":"F5"}`,
		`{"type":"keypress","keys":["HYPER"]}`:                               `{"action":"hotkey","hotkey":"HYPER"}`,
		`{"type":"wait"}`:                                                    `{"action":"wait","wait":{"type":"ms","value":"1000"}}`,
		`{"type":"screenshot"}`:                                              `{"action":"screenshot"}`,
		`{"type":"pinch","x":1,"y":2}`:                                       `{"action":"pinch","coords":{"x":1,"y":2}}`,
	} {
		for _, form := range []string{`"actions":[%s]`, `"action":%s`} { // now, and before there were batches
			c := answering(t, 200, `{"object":"response","status":"completed","output":[{"type":"computer_call","id":"c","call_id":"c1","status":"completed","pending_safety_checks":[],`+fmt.Sprintf(form, sent)+`}]}`)
			r, err := open(t, wiretest.OpenAI, c).Next(t.Context(), talk())
			if err != nil || len(r.Calls) != 1 || r.Calls[0].Name != "computer_action" {
				t.Fatalf("%s: %+v, %v", sent, r, err)
			}
			if got, want := string(r.Calls[0].Arguments), `{"actions":[`+want+`],"include_image":true}`; got != want {
				t.Errorf("%s\ngives %s\nwant  %s", sent, got, want)
			}
		}
	}
}

// TestScaledPicture: coordinates count on the picture that the model saw, and
// come out in CSS pixels.
func TestScaledPicture(t *testing.T) {
	t.Parallel()
	p := connect(t, wiretest.OpenAI, func(c *agent.Connection) { c.Computer = true },
		wiretest.Say{Computer: []wiretest.Action{{Kind: "screenshot"}}}, wiretest.Say{Computer: []wiretest.Action{{Kind: "click", X: 341, Y: 192}}})
	c := talk(agent.Tool{Name: "computer_action", Schema: []byte(`{"type":"object"}`)})
	r := p.next(c)
	c.Turns = append(c.Turns, agent.Turn{Reply: r, Results: []agent.Result{{ID: r.Calls[0].ID, Name: "computer_action", Parts: []agent.Part{{Image: picture(t, 683, 384)}}}}})
	if got := string(p.next(c).Calls[0].Arguments); !strings.Contains(got, `"coords":{"x":682,"y":384}`) {
		t.Errorf("the click goes to %s", got)
	}
}

// TestPictureIsGone: a computer call is answered by a picture even where there
// is none (any more), in its place, and an error by the one before.
func TestPictureIsGone(t *testing.T) {
	t.Parallel()
	look := wiretest.Say{Computer: []wiretest.Action{{Kind: "screenshot"}}}
	p := connect(t, wiretest.OpenAI, func(c *agent.Connection) { c.Computer = true }, look, look, look, wiretest.Say{Text: "done"})
	c := talk(agent.Tool{Name: "computer_action", Schema: []byte(`{"type":"object"}`)})
	seen := picture(t, 99, 77)
	for _, result := range []agent.Result{
		{IsError: true, Parts: []agent.Part{{Text: "no page yet"}}},
		{Parts: []agent.Part{{Text: "here"}, {Image: seen}}},
		{IsError: true, Parts: []agent.Part{{Text: "that failed"}}},
	} {
		r := p.next(c)
		result.ID, result.Name = r.Calls[0].ID, "computer_action"
		c.Turns = append(c.Turns, agent.Turn{Reply: r, Results: []agent.Result{result}})
	}
	p.next(c)
	body := string(p.server.Requests()[3].Body)
	if n := strings.Count(body, seen.Data); n != 2 {
		t.Errorf("the picture is there %d times, want also for the error", n)
	}
	for _, want := range []string{"no page yet", "that failed"} {
		if !strings.Contains(body, want) {
			t.Errorf("the model is not told %q", want)
		}
	}
}

// TestWhoHasAComputer: models from GPT-5.4 on, and those that nobody knows.
func TestWhoHasAComputer(t *testing.T) {
	t.Parallel()
	for model, want := range map[string]bool{"gpt-5.4": true, "gpt-5.4-mini": true, "gpt-5.4-nano": false, "gpt-5.6-sol": true, "gpt-6.1-terra": true, "our-deployment": true,
		"gpt-5": false, "gpt-5-mini": false, "gpt-5.2-pro": false, "gpt-4.1": false, "o3": false, "o4-mini": false, "computer-use-preview": false} {
		if got := openai.Can(agent.Connection{Model: model}).Computer; got != want {
			t.Errorf("%s: %v", model, got)
		}
	}
	old := connect(t, wiretest.OpenAI, func(c *agent.Connection) { c.Computer = true; c.Model = "gpt-5.4" }, wiretest.Say{Text: "hi"})
	old.next(talk(agent.Tool{Name: "computer_action", Schema: []byte(`{"type":"object"}`)}))
	if tools := string(old.sent()[0]["tools"]); tools != `[{"type":"computer"}]` {
		t.Errorf("the tools are %s", tools)
	}
	plain := connect(t, wiretest.OpenAI, nil, wiretest.Say{Text: "hi"})
	plain.next(talk(agent.Tool{Name: "computer_action", Schema: []byte(`{"type":"object"}`)}))
	if tools := string(plain.sent()[0]["tools"]); !strings.Contains(tools, `"name":"computer_action"`) {
		t.Errorf("without a computer the tools are %s", tools)
	}
}
