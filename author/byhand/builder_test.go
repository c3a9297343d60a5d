package byhand_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-qa/assay/author/byhand"
	"github.com/assay-qa/assay/browser/record"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/flow"
	"github.com/assay-qa/assay/tools/rules"
)

const start = "http://shop.test/orders"

// page makes a look of lines such as `heading "Orders"`; one with * stands there several times.
func page(address string, lines ...string) *record.Look {
	look := &record.Look{URL: address, Title: "Orders"}
	for _, line := range lines {
		role, name, _ := strings.Cut(strings.TrimSuffix(line, "*"), " ")
		l := record.Line{Role: role, Name: strings.Trim(name, `"`)}
		if !strings.HasSuffix(line, "*") {
			l.Selector = line
		}
		look.Lines = append(look.Lines, l)
	}
	return look
}

func on(line, kind string, id int) *record.Element {
	role, name, _ := strings.Cut(line, " ")
	return &record.Element{Selector: line, Whole: true, Role: role, Name: strings.Trim(name, `"`), Kind: kind, ID: id, Document: "1"}
}

func secret(line string, id int) *record.Element {
	e := on(line, "text", id)
	e.Secret = true
	return e
}

// say writes a step in a line.
func say(s qa.FlowStep) string {
	line := strings.TrimSpace(s.Action + " " + s.Selector)
	for _, more := range []string{s.To, s.URL, s.Value, s.Option, s.Key} {
		if more != "" {
			line += " = " + more
		}
	}
	if s.Action == "gap" {
		line += ": " + s.Description
	}
	if s.Assertion != nil {
		line = fmt.Sprintf("%s %s %s", line, s.Assertion.Type, s.Assertion.Expected)
	}
	return strings.TrimSpace(line)
}

// does is what happens while something is recorded: an act, or a look.
type does func(b *byhand.Builder)

func act(a record.Act) does {
	a.Tab = max(a.Tab, 1)
	return func(b *byhand.Builder) { b.Add(&a) }
}
func click(line string) does { return act(record.Act{Kind: record.Click, On: on(line, "", len(line))}) }
func typed(e *record.Element, value string) does {
	return act(record.Act{Kind: record.Input, On: e, Value: value})
}
func key(name string, e *record.Element) does {
	return act(record.Act{Kind: record.Key, Key: name, On: e})
}
func seen(look *record.Look) does { return func(b *byhand.Builder) { b.Seen(1, look) } }
func idle(look *record.Look) does { return func(b *byhand.Builder) { b.Idle(1, look) } }

func TestActsAreSteps(t *testing.T) { // issue 33 A: a person works a window, and gets a flow
	t.Parallel()
	name, card, code := on(`textbox "Name"`, "text", 1), secret(`textbox "Card number"`, 2), secret(`textbox "Code"`, 7)
	code.Code = true
	orders := page(start, `heading "Orders"`, `paragraph "Items: 1"`)
	upload := on(`button "File"`, "files", 9)
	hidden := &record.Element{Selector: "css=#f", Kind: "files", ID: 8, Document: "1", Hidden: true}
	for _, test := range []struct {
		about string
		acts  []does
		want  []string
	}{
		{"one fill with the last text", []does{act(record.Act{Kind: record.Click, On: name}), typed(name, "A"), typed(name, "Ad"), key("Tab", name), seen(orders), typed(on(`textbox "Town"`, "text", 3), "B"), key("Shift+Tab", nil), seen(orders), typed(name, "Ada")},
			[]string{`fill textbox "Name" = Ad`, `fill textbox "Town" = B`, `fill textbox "Name" = Ada`}},
		{"a secret is a reference", []does{typed(card, "4"), typed(card, "4242424242424242"), typed(secret(`textbox "Password"`, 4), "known to the vault"), typed(secret(`textbox "Again"`, 5), "4242424242424242")},
			[]string{`fill textbox "Card number" = ${secret:CARD_NUMBER}`, `fill textbox "Password" = ${secret:SHOP_PASSWORD}`, `fill textbox "Again" = ${secret:CARD_NUMBER}`}},
		{"a secret in a plain field, in another text, in a prompt and in a line", []does{typed(name, "known to the vault"), typed(on(`textbox "Note"`, "text", 6), "it is known to the vault"), click(`button "Send"`),
			act(record.Act{Kind: record.Dialog, Dialog: "prompt", Accepted: true, Value: "known to the vault"}), act(record.Act{Kind: record.Failed, Why: "known to the vault"}), click(`button "Show"`),
			seen(page(start, `heading "Orders"`, `paragraph "Items: 1"`, `status "known to the vault"`)), typed(card, "4242"), typed(name, "4242")},
			[]string{`fill textbox "Name" = ${secret:SHOP_PASSWORD}`, `gap = act: fill: it holds a secret, which a flow refers to as the whole value of a fill alone`,
				`gap = act: dialog: it holds a secret, which a flow refers to as the whole value of a fill alone`, `click button "Send"`, `assert dialog_shown`,
				`gap = act: what is missing here is not named: its words hold a secret`, `click button "Show"`, `fill textbox "Card number" = ${secret:CARD_NUMBER}`, `fill textbox "Name" = ${secret:CARD_NUMBER}`}},
		{"a one-time code, as it was when it was typed", []does{typed(code, "123456")}, []string{`fill textbox "Code" = ${totp:SHOP_KEY}`}},
		{"keys that matter", []does{key("Tab", nil), seen(orders), key("Enter", name), key("Escape", nil), key("Control+s", nil)},
			[]string{`press textbox "Name" = Enter`, `press = Escape`, `press = Control+s`}},
		{"what changed by Tab", []does{key("Tab", name), seen(page(start, `heading "Orders"`, `paragraph "Items: 1"`, `alert "A name is missing"`))},
			[]string{`press textbox "Name" = Tab`, `assert alert "A name is missing" visible`}},
		{"a choice, made anew", []does{act(record.Act{Kind: record.Choose, On: on(`combobox "Size"`, "choice", 5), Options: []string{"Small"}}), seen(orders), act(record.Act{Kind: record.Choose, On: on(`combobox "Size"`, "choice", 5), Options: []string{"Large"}})},
			[]string{`select combobox "Size" = Large`}},
		{"a choice that nobody looked at, made anew", []does{act(record.Act{Kind: record.Choose, On: on(`combobox "Size"`, "choice", 5), Options: []string{"Small"}}), act(record.Act{Kind: record.Choose, On: on(`combobox "Size"`, "choice", 5), Options: []string{"Large"}})},
			[]string{`select combobox "Size" = Small`, `select combobox "Size" = Large`}},
		{"a choice that had an effect, made anew", []does{act(record.Act{Kind: record.Choose, On: on(`combobox "Size"`, "choice", 5), Options: []string{"Small"}}), seen(page(start, `heading "Orders"`, `paragraph "Items: 1"`, `status "Small it is"`)), act(record.Act{Kind: record.Choose, On: on(`combobox "Size"`, "choice", 5), Options: []string{"Large"}})},
			[]string{`select combobox "Size" = Small`, `assert status "Small it is" visible`, `select combobox "Size" = Large`}},
		{"a click on no element that nobody looked after", []does{act(record.Act{Kind: record.Blank}), click(`button "Go on"`)}, []string{`gap = act: a click on no element of the page`, `click button "Go on"`}},
		{"what nothing finds again", []does{act(record.Act{Kind: record.Input}), act(record.Act{Kind: record.Input}), act(record.Act{Kind: record.Click}), act(record.Act{Kind: record.Choose, Options: []string{"A"}})},
			[]string{`gap = act: text was typed where it can't be read: in a closed shadow root, or in no element of the page`, `gap = act: a click on an element that nothing finds again`, `gap = act: an option was chosen of an element that nothing finds again`}},
		{"forward", []does{click(`button "Go on"`), seen(orders), act(record.Act{Kind: record.Went, URL: "http://shop.test/new", Jumped: true, ByPage: true})},
			[]string{`click button "Go on"`, `gap = act: an address of the tab's history was opened by hand, other than the one before: http://shop.test/new`}},
		{"several choices", []does{act(record.Act{Kind: record.Choose, On: on(`listbox "Tags"`, "choice", 5), Options: []string{"A", "B"}, Several: true})},
			[]string{`gap = act: 2 options of listbox "Tags" were chosen together: A, B`}},
		{"a double click", []does{click(`row "Ada"`), click(`row "Ada"`), act(record.Act{Kind: record.Double, On: on(`row "Ada"`, "", len(`row "Ada"`))})}, []string{`double_click row "Ada"`}},
		{"drags", []does{act(record.Act{Kind: record.Drag, On: on(`listitem "A"`, "", 1), To: on(`list "Done"`, "", 2)}), act(record.Act{Kind: record.Slide, On: on(`slider "Price"`, "", 3)}), seen(orders)}, []string{`drag listitem "A" = list "Done"`}},
		{"files", []does{act(record.Act{Kind: record.Click, On: upload}), act(record.Act{Kind: record.Files, On: upload, Files: []string{"/files/a.csv"}}), click(`button "Attach"`),
			act(record.Act{Kind: record.Files, On: hidden, Files: []string{"/files/sub/b.csv"}}), act(record.Act{Kind: record.Drop, To: on(`region "Drop"`, "", 7), Files: []string{"/etc/passwd"}})},
			[]string{`upload button "File" = a.csv`, `upload button "Attach" = sub/b.csv`, `gap = act: drop region "Drop": /etc/passwd lies in no folder of network.upload_roots`}},
		{"a dialog", []does{click(`button "Delete"`), act(record.Act{Kind: record.Dialog, Dialog: "confirm", Text: "Delete order 4711?", Accepted: true})},
			[]string{`dialog = accept`, `click button "Delete"`, `assert dialog_shown Delete order`}},
		{"a download", []does{click(`link "CSV"`), act(record.Act{Kind: record.Downloaded, Text: "orders-2026.csv"})}, []string{`click link "CSV"`, `assert downloaded orders-`}},
		{"the address bar and back", []does{act(record.Act{Kind: record.Went, URL: "http://shop.test/new"}), act(record.Act{Kind: record.Went, URL: "about:blank"}), seen(page("http://shop.test/new", `heading "New"`)), act(record.Act{Kind: record.Went, URL: start, Back: true})},
			[]string{`navigate = http://shop.test/new`, `assert heading "New" visible`, `back`}},
		{"what a click led to is no step", []does{click(`link "New"`), act(record.Act{Kind: record.Went, URL: "http://shop.test/orders/17/lines", ByPage: true}), seen(page("http://shop.test/orders/17/lines", `heading "New"`))},
			[]string{`click link "New"`, `assert url_matches /orders/*/lines`, `assert heading "New" visible`}},
		{"a credential in an address", []does{act(record.Act{Kind: record.Went, URL: "http://ada:pw@shop.test/"})}, []string{`gap = act: an address was opened that holds what must not be kept: `}},
		{"what no step does", []does{act(record.Act{Kind: record.Aside, On: on(`link "A"`, "", 1)}), act(record.Act{Kind: record.Menu, On: on(`row "B"`, "", 2)}), act(record.Act{Kind: record.Crashed}), act(record.Act{Kind: record.Blank}), seen(orders)},
			[]string{`gap = act: a link was opened in another tab or window by hand: link "A"`, `gap = act: the right button was used: row "B"`, `gap = act: the page crashed; what was done right before may be missing`}},
		{"figures", []does{click(`button "Add"`), seen(page(start, `heading "Orders"`, `paragraph "Items: 2"`, `status "Order 48213 saved"`, `text "Saved on 2026-11-29"`, `text "Ticket a1b2c3"`))},
			[]string{`click button "Add"`, `assert text_matches Order \d[\d.,]* saved`, `assert paragraph "Items: 2" visible`}},
		{"what changes by itself", []does{idle(page(start, `heading "Orders"`, `paragraph "Items: 7"`)), click(`button "Refresh"`), seen(page(start, `heading "Orders"`, `paragraph "Items: 9"`))},
			[]string{`click button "Refresh"`, `gap = check: nothing was seen to change that an assertion could be made of: assert what must hold`}},
		{"what went", []does{idle(page(start, `row "Ada"`, `row "Bob"`)), click(`button "Remove"`), seen(page(start, `row "Bob"`))}, []string{`click button "Remove"`, `assert row "Ada" hidden`}},
		{"no secret in an assertion", []does{typed(card, "4242"), seen(page(start, `heading "Orders"`, `paragraph "Items: 1"`, `alert "4242 is no card"`))},
			[]string{`fill textbox "Card number" = ${secret:CARD_NUMBER}`, `gap = check: nothing was seen to change that an assertion could be made of: assert what must hold`}},
		{"lines that are like others", []does{click(`button "Add"`), seen(page(start, `heading "Orders"`, `paragraph "Items: 1"`, `alert "Saved"*`))},
			[]string{`click button "Add"`, `gap = check: nothing was seen to change that an assertion could be made of: assert what must hold`}},
	} {
		b := byhand.New(configured)
		b.Idle(1, orders)
		for _, do := range test.acts {
			do(b)
		}
		made := b.Flow(settings())
		var got []string
		for _, s := range made.Flow.Steps {
			line := say(s)
			if n := strings.Index(line, "must not be kept: "); n > 0 { // how an address is shown is another test's
				line = line[:n+len("must not be kept: ")]
			}
			got = append(got, line)
		}
		want := test.want
		if last := len(got) - 1; strings.HasPrefix(got[last], "gap = check: the record was ended before") { // see TestEndsUnseen
			got = got[:last]
		}
		if !made.Flow.Asserts() && len(got) == len(want)+1 && strings.HasPrefix(got[len(got)-1], "gap = check: nothing was seen") {
			got = got[:len(got)-1]
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", test.about, d)
		}
		if problems := made.Flow.Validate(rules.Flows()); len(problems) > 0 {
			t.Errorf("%s: what was made is refused: %v", test.about, problems)
		}
		if made.Flow.Written || made.Flow.MadeBy == "" {
			t.Errorf("%s: the flow counts as written by a person", test.about)
		}
		if data, err := made.Flow.JSON(); err != nil || strings.Contains(string(data), "4242") || strings.Contains(string(data), "known to the vault") {
			t.Errorf("%s: a secret stands in the file (%v):\n%s", test.about, err, data)
		}
	}
}

func settings() byhand.Settings {
	return byhand.Settings{Name: "Orders", Start: start, Uploads: []string{"/files"}, Rules: rules.Flows(), Hide: func([]string) {}, Masked: func(data []byte) []byte {
		return bytes.ReplaceAll(data, []byte("known to the vault"), []byte("masked"))
	}}
}

// configured finds one secret, and one code, which a site takes at any time here.
func configured(value string, code bool) string {
	switch {
	case code && value == "123456":
		return "${totp:SHOP_KEY}"
	case !code && value == "known to the vault":
		return "${secret:SHOP_PASSWORD}"
	}
	return ""
}

// A popup that closes itself leaves the record in its opener; a tab that a person opened is a gap.
func TestTabsOfARecord(t *testing.T) { // issue 33 A
	t.Parallel()
	inTab := func(n int, line string) does {
		return act(record.Act{Kind: record.Click, Tab: n, On: on(line, "", len(line))})
	}
	b := byhand.New(configured)
	for _, do := range []does{idle(page(start, `heading "Orders"`)), inTab(1, `button "Sign in"`), act(record.Act{Kind: record.Opened, Tab: 2, Opener: 1}), inTab(2, `button "Ada"`), act(record.Act{Kind: record.Closed, Tab: 2}),
		seen(page(start, `heading "Orders"`, `status "Signed in as Ada"`)), inTab(1, `button "Go on"`), act(record.Act{Kind: record.Opened, Tab: 3}), inTab(3, `button "Elsewhere"`)} {
		do(b)
	}
	var got []string
	for _, s := range b.Flow(settings()).Flow.Steps {
		got = append(got, say(s))
	}
	want := []string{`click button "Sign in"`, `popup`, `click button "Ada"`, `tab = 1`, `assert status "Signed in as Ada" visible`, `click button "Go on"`, `gap = act: tab 3 was opened by hand`, `click button "Elsewhere"`,
		`gap = check: the record was ended before it was seen what the last act brought`}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("steps (-want +got):\n%s", d)
	}
}

// A record of 10,000 calls ends at what a flow takes, and is a flow.
func TestRecordIsBounded(t *testing.T) { // issue 33: bad input
	t.Parallel()
	b := byhand.New(configured)
	b.Idle(1, page(start))
	n := 0
	for ; n < 10_000 && !b.Full(); n++ {
		click(fmt.Sprintf(`button "Button %c%d"`, 'a'+n%26, n))(b)
		b.Seen(1, page(start, fmt.Sprintf(`alert "Message %c%c%c"`, 'a'+n%26, 'a'+n/26%26, 'a'+n/676)))
	}
	made := b.Flow(settings())
	if n == 10_000 || len(made.Flow.Steps) > flow.MaxSteps || len(made.Flow.Steps) < byhand.Limit/2 {
		t.Fatalf("%d acts are %d steps", n, len(made.Flow.Steps))
	}
	if problems := made.Flow.Validate(rules.Flows()); len(problems) > 0 {
		t.Errorf("the flow is refused: %v", problems)
	}
	if gaps := made.Flow.Gaps(); len(gaps) != 1 || !strings.Contains(gaps[0], "the record ended here: a flow has at most 1000 steps") {
		t.Errorf("the end is not named: %v", gaps)
	}
}

// A record that ends before it was seen what the last act brought says so, whatever has ended it.
func TestEndsUnseen(t *testing.T) { // issue 33: bad input
	t.Parallel()
	for _, test := range []struct {
		acts []does
		want string
	}{
		{[]does{click(`button "Leave"`), act(record.Act{Kind: record.Closed})}, "the window closed, by its page or by hand, before it was seen what the last act brought"},
		{[]does{click(`button "Save"`)}, "the record was ended before it was seen what the last act brought"},
	} {
		b := byhand.New(configured)
		b.Idle(1, page(start, `heading "Orders"`))
		for _, do := range test.acts {
			do(b)
		}
		if gaps := b.Flow(settings()).Flow.Gaps(); len(gaps) != 1 || gaps[0] != test.want {
			t.Errorf("gaps %v, not %q", gaps, test.want)
		}
	}
}
