package peer

import (
	"path/filepath"

	"github.com/assay-qa/assay/internal/demo"
)

// photograph and articles are the files that jobs upload and drop. They lie in each server's folder.
const (
	photograph = "damage.txt"
	articles   = "articles.csv"
)

// These secrets our calls name where theirs type the values.
const (
	passwordName = "JOBS_PASSWORD"
	cardName     = "JOBS_CARD"
	codeName     = "JOBS_CARD_CODE"
)

// secrets returns their values, and the host on whose pages each is typed.
func secrets() map[string]struct{ value, host string } {
	return map[string]struct{ value, host string }{passwordName: {demo.Password, "127.0.0.1"}, cardName: {"4242424242424242", "localhost"}, codeName: {"8417", "localhost"}}
}

// hintedTab stands for the tab that the last answer named in a hint.
const hintedTab = "hinted tab"

// jobs returns the tasks. Each ends with a check of its outcome on both sides.
func jobs(pages, dashboard string, folders [bothSides]string) []job {
	return []job{formJob(pages), figuresJob(dashboard), lateButtonJob(pages), tabsJob(pages, folders), popupJob(pages), cardJob(pages), dragJob(pages), dropJob(pages, folders)}
}

// ourCheck verifies that the page says a text.
func ourCheck(text string) jobCall {
	return jobCall{tool: "verify_assertion", check: true, arguments: map[string]any{"assertion": map[string]any{"type": "text_contains", "expected": text}}}
}

// theirCheck verifies that the page says a text.
func theirCheck(text string) jobCall {
	return jobCall{tool: "browser_verify_text_visible", check: true, arguments: map[string]any{"text": text}}
}

// onBothSides begins a job on both sides: the page is opened and looked at.
func onBothSides(url string, rest [bothSides][]jobCall) [bothSides][]jobCall {
	return [bothSides][]jobCall{
		ours: append([]jobCall{
			{tool: "page_navigate", arguments: map[string]any{"url": url}},
			{tool: "page_snapshot", outline: true},
		}, rest[ours]...),
		theirs: append([]jobCall{
			{tool: "browser_navigate", arguments: map[string]any{"url": url}},
			{tool: "browser_snapshot", outline: true},
		}, rest[theirs]...),
	}
}

// ourClick and theirClick click what an outline has shown.
func ourClick(line string) jobCall {
	return jobCall{tool: "page_click", arguments: map[string]any{"selector": line}}
}

func theirClick(line string) jobCall {
	return jobCall{tool: "browser_click", arguments: map[string]any{"element": line, "target": "ref: " + line}}
}

// formField describes a field that a job fills in.
type formField struct {
	role, name, value string
	secret            string // that our call names in the value's place
	frame             string // the line of the frame that it is in, in our outline
}

// ourFill and theirFill fill in a form in one call.
func ourFill(fields ...formField) jobCall {
	var all []map[string]any
	for _, f := range fields {
		one := map[string]any{"selector": f.frame + f.role + ` "` + f.name + `"`}
		switch {
		case f.secret != "":
			one["value"] = "${secret:" + f.secret + "}"
		case f.role == "combobox":
			one["option"] = f.value
		default:
			one["value"] = f.value
		}
		all = append(all, one)
	}
	return jobCall{tool: "page_fill", arguments: map[string]any{"fields": all}}
}

func theirFill(fields ...formField) jobCall {
	var all []map[string]any
	for _, f := range fields {
		all = append(all, map[string]any{"name": f.name, "type": f.role, "target": "ref: " + f.role + ` "` + f.name + `"`, "value": f.value})
	}
	return jobCall{tool: "browser_fill_form", arguments: map[string]any{"fields": all}}
}

// formJob fills in a form of four fields, sends it and checks the answer.
func formJob(pages string) job {
	const thanks = "Thanks, Ada Lovelace: we write to ada@example.test about a repair"
	fields := []formField{{role: "textbox", name: "Name", value: "Ada Lovelace"}, {role: "textbox", name: "Email", value: "ada@example.test"},
		{role: "combobox", name: "Topic", value: "A repair"}, {role: "textbox", name: "Message", value: "The saw is blunt"}}
	return job{name: "form", outcome: thanks, calls: onBothSides(pages+"/contact", [bothSides][]jobCall{
		ours:   {ourFill(fields...), ourClick(`button "Send message"`), ourCheck(thanks)},
		theirs: {theirFill(fields...), theirClick(`button "Send message"`), theirCheck(thanks)},
	})}
}

// figuresJob signs in to the sample dashboard and reads two ranges of figures.
func figuresJob(site string) job {
	revenue := func(rangeName string) string {
		return demo.Display(demo.KPIRevenue, demo.KPIs(rangeName, demo.CategoryAll)[demo.KPIRevenue])
	}
	today, week := revenue(demo.RangeToday), revenue(demo.Range7Days)
	fields := []formField{{role: "textbox", name: "Email", value: demo.Email}, {role: "textbox", name: "Password", value: demo.Password, secret: passwordName}}
	return job{name: "figures", outcome: week, calls: onBothSides(site+"/login", [bothSides][]jobCall{
		ours: {
			ourFill(fields...), ourClick(`button "Sign in"`),
			{tool: "page_snapshot", outline: true, shows: today},
			{tool: "page_select", arguments: map[string]any{"selector": `combobox "Range"`, "option": "Last 7 days"}},
			ourCheck(week), ourClick(`button "Sign out"`),
		},
		theirs: {
			theirFill(fields...), theirClick(`button "Sign in"`),
			{tool: "browser_snapshot", outline: true, shows: today},
			{tool: "browser_select_option", arguments: map[string]any{"element": "Range", "target": `ref: combobox "Range"`, "values": []string{"Last 7 days"}}},
			theirCheck(week), theirClick(`button "Sign out"`),
		},
	})}
}

// lateButtonJob presses a button that comes late, and reads what the console says then: our click tells it.
func lateButtonJob(pages string) job {
	const counted, said = "12 products counted", "article N-104 has no place"
	return job{name: "console and late button", outcome: counted, calls: [bothSides][]jobCall{
		ours: {
			{tool: "page_navigate", arguments: map[string]any{"url": pages + "/stock"}},
			{tool: "page_wait_for_selector", arguments: map[string]any{"selector": `button "Count again"`}},
			{tool: "page_click", arguments: map[string]any{"selector": `button "Count again"`}, shows: said},
			ourCheck(counted),
		},
		theirs: {
			{tool: "browser_navigate", arguments: map[string]any{"url": pages + "/stock"}},
			{tool: "browser_wait_for", arguments: map[string]any{"text": "Count again"}},
			{tool: "browser_find", outline: true, arguments: map[string]any{"text": "Count again"}},
			theirClick(`button "Count again"`), theirCheck(counted),
			{tool: "browser_console_messages", arguments: map[string]any{"level": "error"}, shows: said},
		},
	}}
}

// tabsJob follows a link into a second tab, uploads a file there, closes it, confirms a
// dialog of the first tab and checks what arrived. The dialog is in the first tab because
// @playwright/mcp 0.0.83 never answers a click that opens one in the second.
func tabsJob(pages string, folders [bothSides]string) job {
	const received = "Submitted with " + photograph + ", 27 bytes"
	return job{name: "two tabs, upload, dialog", outcome: received, calls: onBothSides(pages+"/claims", [bothSides][]jobCall{
		ours: {
			ourClick(`link "Add a photograph"`),
			{tool: "page_tabs", arguments: map[string]any{"action": "select", "tab": hintedTab}},
			{tool: "page_snapshot", outline: true},
			{tool: "page_upload", arguments: map[string]any{"selector": `button "Photograph"`, "paths": []string{filepath.Join(folders[ours], photograph)}}},
			ourClick(`button "Send"`),
			{tool: "page_tabs", arguments: map[string]any{"action": "close"}},
			{tool: "page_dialog", arguments: map[string]any{"action": "accept"}},
			ourClick(`button "Submit the claim"`),
			ourCheck(received),
		},
		theirs: {
			theirClick(`link "Add a photograph"`),
			{tool: "browser_tabs", arguments: map[string]any{"action": "select", "index": 1}},
			{tool: "browser_snapshot", outline: true},
			theirClick(`button "Photograph"`),
			{tool: "browser_file_upload", arguments: map[string]any{"paths": []string{filepath.Join(folders[theirs], photograph)}}},
			theirClick(`button "Send"`),
			{tool: "browser_tabs", arguments: map[string]any{"action": "close", "index": 1}},
			theirClick(`button "Submit the claim"`),
			{tool: "browser_handle_dialog", arguments: map[string]any{"accept": true}},
			theirCheck(received),
		},
	})}
}

// popupJob signs in at a provider's window, which closes itself.
func popupJob(pages string) job {
	const signedIn = "Signed in as ada@example.test"
	fields := []formField{{role: "textbox", name: "Email", value: "ada@example.test"}, {role: "textbox", name: "Password", value: demo.Password, secret: passwordName}}
	return job{name: "popup sign-in", outcome: signedIn, calls: onBothSides(pages+"/account", [bothSides][]jobCall{
		ours: {
			ourClick(`button "Sign in with Northwind ID"`),
			{tool: "page_tabs", arguments: map[string]any{"action": "select", "tab": hintedTab}},
			{tool: "page_snapshot", outline: true},
			ourFill(fields...), ourClick(`button "Allow"`), ourCheck(signedIn),
		},
		theirs: {
			theirClick(`button "Sign in with Northwind ID"`),
			{tool: "browser_tabs", arguments: map[string]any{"action": "select", "index": 1}},
			{tool: "browser_snapshot", outline: true},
			theirFill(fields...), theirClick(`button "Allow"`), theirCheck(signedIn),
		},
	})}
}

// cardJob saves a card whose fields are in a frame of another site.
func cardJob(pages string) job {
	const saved = "Saved the card that ends in 4242"
	fields := []formField{{role: "textbox", name: "Name on the card", value: "Ada Lovelace"},
		{role: "textbox", name: "Card number", value: secrets()[cardName].value, secret: cardName, frame: `frame "Card" > `},
		{role: "textbox", name: "Expiry", value: "12/30", frame: `frame "Card" > `}, {role: "textbox", name: "CVC", value: secrets()[codeName].value, secret: codeName, frame: `frame "Card" > `}}
	return job{name: "card fields in a frame", outcome: saved, calls: onBothSides(pages+"/payment", [bothSides][]jobCall{
		ours:   {ourFill(fields...), ourClick(`button "Save the card"`), ourCheck(saved)},
		theirs: {theirFill(fields...), theirClick(`button "Save the card"`), theirCheck(saved)},
	})}
}

// dragJob drags a card into another list.
func dragJob(pages string) job {
	const moved = "Drill 4712 is done"
	const card, list = `listitem "Drill 4712"`, `list "Done"`
	return job{name: "drag", outcome: moved, calls: onBothSides(pages+"/board", [bothSides][]jobCall{
		ours: {{tool: "page_drag", arguments: map[string]any{"selector": card, "to": list}}, ourCheck(moved)},
		theirs: {{tool: "browser_drag", arguments: map[string]any{"startElement": card, "startTarget": "ref: listitem: Drill 4712", "endElement": list, "endTarget": "ref: " + list}},
			theirCheck(moved)},
	})}
}

// dropJob drops a file on what takes it without a file input.
func dropJob(pages string, folders [bothSides]string) job {
	const read = articles + ": 3 lines read"
	const zone = `region "Articles"`
	return job{name: "file drop", outcome: read, calls: onBothSides(pages+"/import", [bothSides][]jobCall{
		ours:   {{tool: "page_upload", arguments: map[string]any{"selector": zone, "paths": []string{filepath.Join(folders[ours], articles)}, "drop": true}}, ourCheck(read)},
		theirs: {{tool: "browser_drop", arguments: map[string]any{"element": zone, "target": "ref: " + zone, "paths": []string{filepath.Join(folders[theirs], articles)}}}, theirCheck(read)},
	})}
}
