package claim

func englishForms() []form {
	return append(englishElements(), englishPage()...)
}

func englishElements() []form {
	return []form{
		{"text-visible", `the page shows "Paid"`, []string{
			"<page> [{do}] <show> [:] [{no}] {things} [<in> {sub:around}] [<where>] [<lately>]", "<page> {hides} {things}", "<page> {dont} (show|contain|have|display|include|list) any {things}", "<user> {dont} (see|find) any {things} [<in> {sub:around}] [<where>] [<lately>]", "there {notany} any {things} [<in> {sub:around}] [<where>]", "it [{do}] <show> [:] [{no}] {things} [<in> {sub:around}] [<where>] [<lately>]", "{hides} {things}",
			"<page> [{do}] <show> <noun> {amount}", "<page> [{do}] <say> {amount}",
			"<user> [{do}] <see> [{no}] {things} [<in> {sub:around}] [<where>] [<lately>]", "<user> {can} (see|find|view) {things} [<in> {sub:around}] [<where>] [<lately>]",
			"{things} {be} <in> {sub:around} [<lately>]", "there {be} [{no}] {things} [<seen>] [<in> {sub:around}] [<where>] [<lately>]",
			"{things} [{do}] <appear> [<in> {sub:around}] [<where>] [<lately>]", "{things} [{do}] {vanish} [<in> {sub:around}] [<where>]", "{things} {vanish} [<in> {sub:around}]",
			"{no} {things} {be} <seen> [<in> {sub:around}] [<where>] [<lately>]", "{no} {things} [{do}] <appear> [<in> {sub:around}] [<where>]",
			"{no} {things} (<in> {sub:around}|<where>)",
			"<modal> (show|display|see|contain|render|have|include) [{no}] {things} [<where>]", "<modal> {nor} (show|display|see|contain|render|have|include) {things} [<where>]",
			"(shows|displays|renders|see|sees|has|contains) [{no}] {things} [<in> {sub:around}] [<where>]", "does {nor} (show|display|render|contain|have) [any] {things} [<where>]",
			"neither {things} {neither} {things:more} (is|are) <seen> [<where>]", "neither {things} {neither} {things:more} [{do}] <appear> [<where>]", "<page> [{do}] <show> neither {things} {neither} {things:more}",
		}},
		{"element-state", `the button "Save" is disabled`, []string{
			"{things} {be} {states} [<in> {sub:around}] [<where>] [<lately>|<default>]", "<user> [<modal>] <see> {things} [keyboard] {states}", "{things} [{do}] {opened}", "{things} {can} be {could} [<where>]",
			"{things} [{do}] (has|have|get|gets|receive|receives|gain|gains|take|takes) [the] [keyboard|input] {focus:could}", "[the] [keyboard|input] {focus:could} {be} [set|placed|moved|returned] (on|in|to) {things}", "[the] [keyboard|input] {focus:could} [{do}] (move|moves|return|returns|go|goes|jump|jumps) [back] to {things}", "the {focused:could} element {be} {things}", "{things} {be} the {focused:could} element",
			"<user> {can} {act:could} {things}", "<page> [{do}] <show> {things} as {states}",
		}},
		{"shown-with", `a dialog is shown with the title "Delete?"`, []string{
			"[{no}|<art>] {role} {be} <seen> [<where>] [,] {link} {quote}", "[{no}|<art>] {role} [{do}] (<appear>|<opens>) [<where>] [,] {link} {quote}",
			"[{no}|<art>] {noun} {be} <seen> [<where>] (:|[,] {link}) {quote}", "[{no}|<art>] {noun} [{do}] <appear> [<where>] (:|[,] {link}) {quote}", "<page> [{do}] <show> [{no}|<art>] [following] {noun} : {quote}", "{sub} {be} <seen> [,] with [the] (text|message|content) {quote:says}", "{sub} [{do}] (<appear>|<opens>) [,] with [the] (text|message|content) {quote:says}",
		}},
		{"element-attached", `the button "Save" exists in the DOM`, []string{
			"{things} [{do}] (exists|exist|is present|are present|be present|is|are) (in the dom|in the document|in dom)", "{things} {be} (attached [to the dom]|present in the dom|in the dom)",
		}},
		{"element-text", `the table "Orders" contains "Tea"`, []string{
			"{sub} [{do}] {say} [:] [{no}] {things:inner} [<lately>]", "{sub} [{do}] {say} {amount}", "{sub} {dont} (show|contain|have|display|include|list) any {things:inner}", "{sub} [{do}] (has|have) [{no}] [the] [text|content|message|label] {things:inner}",
			"[the] (text|content|label|message) (of|in|on) {sub} [{do}] (contains|contain|includes|include) {things:inner}",
			"{sub} [{do}] {starts} {quote}", "[the] {ordinal} [table|data] row [<in> {sub}] [{do}] <say> {things:inner}", "{sub} [{do}] (say|says|read|reads|show|shows|display|displays) {exact} {things:inner}", "{sub} {exact} [{do}] (says|reads|shows) {things:inner}",
			"[the] {exact:exact} [text] (of|in|on) {sub} {be} [exactly] {things:inner}", "{sub} 's {exact:exact} {be} [exactly] {things:inner}", "{sub} [{do}] (has|have) [the] {exact} text {things:inner}", "{sub} [{do}] (has|have) exactly [the] {exact:exact} {things:inner}",
		}},
		{"element-is", `the field "Email" is "a@b.example"`, []string{"{sub} {be} [set to|filled with|filled in with|prefilled with|pre-filled with|autofilled with|populated with|pre-populated with|prepopulated with|preset to|reset to|changed to|updated to|exactly|equal to] {value}", "{sub} [{do}] (equals|equal|<turns>) {value}"}},
		{"element-kind", `"Docs" is a link`, []string{"[the] [<noun>] {quote} {be} (a|an) {role}"}},
		{"field-value", `the field "Email" has the value "a@b.example"`, []string{
			"{sub} [{do}] (has|have|contain|contains|show|shows|hold|holds|display|displays|keep|keeps|retain|retains|match|matches) [the|a] [current|default|initial] value [of] {value}", "[the] [current] value (of|in) {sub} {be} {value}", "[the] value (of|in) {sub} [{do}] (equals|equal) {value}",
			"{sub} 's value {be} {value}", "{sub} value {be} {value}",
		}},
		{"selected-option", `the dropdown "Country" has "Italy" selected`, []string{
			"{sub} [{do}] (has|have|show|shows) [the] [option|value] {quote} [as] (selected|chosen)", "{sub} [{do}] (has|have|show|shows) [the] (selected|chosen) (option|value|item) {quote}",
			"[the] [option|value] {quote} {be} (selected|chosen|preselected|the selected option|the selected value) [in|for|from] {sub}", "[the] (selected|chosen) (option|value|item) (of|in|for) {sub} {be} {quote}",
			"{sub} {be} (set to|on) [the] [option|value] {quote}", "[the] [option|value] {quote} {be} (selected|chosen) (in|for|from) {quote:label}", "{quote:label} [{do}] (has|have) {quote} selected",
		}},
		{"attribute", `the link "Docs" has the attribute "target" with the value "_blank"`, []string{
			"{sub} [{do}] (has|have) [the|an] {property} {quote:attribute} (with [the] value|set to|=|equal to|of) {value}", "[the] {property} {quote:attribute} of {sub} {be} {value}", "[the] {quote:attribute} {property} of {sub} {be} {value}", "{sub} [{do}] (has|have) [the|a|an] {quote:attribute} {property} (with [the] value|set to|=|equal to|of) {value}",
			"{sub} [{do}] (has|have|show|shows|display|displays) [the|a] {single:property} [text] {value}", "[the] {single:property} [text] of {sub} {be} {value}",
		}},
		{"link-target", `the link "Docs" points to /docs`, []string{"{sub} [{do}] (point|points|lead|leads|link|links|go|goes|navigate|navigates|redirect|redirects) to {path}", "{sub} [{do}] (has|have) [the|an] (href|target|url|address) [attribute] [of|=|set to] {path}", "[the] (href|target|url) of {sub} {be} {path}"}},
		{"description", `the field "Email" has the description "We never share it"`, []string{"{sub} [{do}] (has|have) [the|an|a] [accessible] description {quote}", "[the] [accessible] description of {sub} {be} {quote}", "{sub} {be} described (as|by) {quote}"}},
		{"field-error", `the field "Email" shows the error "Required"`, []string{
			"{sub} [{do}] (show|shows|display|displays|have|has) [the|an|a] [validation] (error|error message|validation message|validation error) [message] {quote}", "[the|an|a] [validation] (error|error message|validation message) (of|for|on|at|below|under|next to) {sub} {be} {quote}",
			"[the|an|a] [validation] (error|error message|validation message|validation error) {quote} {be} <seen> (for|on|at|below|under|next to) {sub}"}},
		{"count", `the table "Orders" has 3 rows`, []string{
			"{sub} [{do}] (has|have|contain|contains|show|shows|display|displays|list|lists|include|includes) {count} (({roles}|{role}) [[{link}] {quote}]|{quote} ({roles}|{role})) [<where>]",
			"there {be} {count} (({roles}|{role}) [[{link}] {quote}]|{quote} ({roles}|{role})) [<seen>] [<in> {sub:around}] [<where>]", "<page> [{do}] <show> {count} (({roles}|{role}) [[{link}] {quote}]|{quote} ({roles}|{role})) [<in> {sub:around}]", "<user> [{do}] <see> {count} (({roles}|{role}) [[{link}] {quote}]|{quote} ({roles}|{role})) [<in> {sub:around}] [<where>]", "<user> {can} (see|find) {count} (({roles}|{role}) [[{link}] {quote}]|{quote} ({roles}|{role})) [<in> {sub:around}] [<where>]",
			"{count} (({roles}|{role}) [[{link}] {quote}]|{quote} ({roles}|{role})) {be} <seen> [<in> {sub:around}] [<where>]", "{count} (({roles}|{role}) [[{link}] {quote}]|{quote} ({roles}|{role})) [{do}] <appear> [<in> {sub:around}] [<where>]",
			"[the] number of (({roles}|{role}) [[{link}] {quote}]|{quote} ({roles}|{role})) [<in> {sub:around}] {be} {count}",
			"[the] [<noun>] {quote} [{do}] (appear|appears|occur|occurs|show up|shows up) {times:count} [<in> {sub:around}] [<where>]", "[the] [<noun>] {quote} {be} <seen> {times:count} [<in> {sub:around}] [<where>]", "<page> [{do}] <show> [the] [<noun>] {quote} {times:count}", "{sub} [{do}] <say> [the] [<noun>] {quote} {times:count}",
		}},
		{"order", `"Tea" comes before "Coffee"`, []string{"{sub:first} [{do}] (come|comes|[be|is|are] (listed|displayed|shown)|appear|appears|stand|stands) before {sub:second}", "{sub:first} [{do}] (precede|precedes) {sub:second}",
			"{sub:first} [{do}] (come|comes|[be|is|are] (listed|displayed|shown)|appear|appears|stand|stands) {after} {sub:second}", "{sub:first} [{do}] {after2:after} {sub:second}"}},
		{"sorted", `the table "Orders" is sorted by "Date" in descending order`, []string{"{sub} {be} (sorted|ordered) by [<art>] [column] {quote} [column] [,] {direction}", "{sub} {be} [listed|shown|displayed] {direction}", "{sub} {be} (sorted|ordered) {direction} [by [<art>] [column] {quote} [column]]"}},
		{"number", `the number in the status is greater than 5`, []string{"[the] (number|value) in {sub} {be} {compare:op} {decimal}", "{sub} [{do}] (show|shows|contain|contains|display|displays) a (number|value) {compare:op} {decimal}"}},
	}
}

func englishPage() []form {
	return []form{
		{"title", `the page title is "Orders"`, []string{
			"[the] (page|document|browser|tab|window|browser tab) title {be} [exactly|equal to] {quote}", "[the] title [of the page] {be} [exactly|equal to] {quote}", "[the] [page|document] title [of the page] [{do}] (equal|equals|read|reads|say|says|match|matches) {quote}", "<page> [{do}] (has|have) [the|a] title [of] {quote}", "<page> {be} (titled|entitled) {quote}", "[the] title of the (page|document|tab) {be} {quote}",
			"<page> 's title {be} {quote}", "<user> [<modal>] <see> the (page|document|browser) title {quote}", "[the] (page|document|browser|tab|window|browser tab) title [{do}] <turns> {quote}", "[the] title of the (page|document|tab) [{do}] <turns> {quote}", "(<modal> have|has) [the|a] [page] title [of] {quote}",
		}},
		{"address", `the URL is /orders`, []string{
			"<address> {be} [exactly|equal to] {path}", "<address> [{do}] {how} [the|a] [query|query parameter|parameter|query string|fragment|hash|string|text|substring] ({path}|{quote})", "<user> {was} <moved> [<at>] [the] {path} [page|screen|route|url|path]", "<user> {be} [now|still] (on|at|back on|back at) [the page|the url|the path|page|url] {path}", "<user> [{do}] <go> (on|at|to|back on|back to) [the] [page|url|path] {path}", "<page> {be} {path}", "<page> {was} (<moved>|at|on|on url|on path) [<at>] {path}", "<page> [{do}] (redirect|redirects|navigate|navigates|go|goes) [back] to {path}", "<user> {be} <moved> to the (url|path|page|address) {path}",
			"<address> {be} {still:how} ({path}|{quote})", "[<modal>] (redirect|redirects|navigate|navigates|be redirected|be navigated|is redirected|gets redirected|redirected) to {path}",
		}},
		{"response", `GET /api/orders returns 200`, []string{
			"[<art>] [api] [request|requests|call|calls|response|api|endpoint|page] [to|of|from] [{method}] {path} [{do}] <answers> [<status>] {number} [{reason}]", "[<art>] {method} [request|requests|call|calls|api call] [to|of|on] {path} [{do}] <answers> [<status>] {number} [{reason}]",
			"[the] [http|response] (status|status code|response code|code) (of|for|from) [<art>] [request|call|response] [to|of|from] [{method}] {path} {be} {number} [{reason}]",
			"[the] [http] (response status|status code|http status|response code|response status code) [of the (response|page)] {be} {number} [{reason}]", "[the] response {be} {number} [{reason}]", "[<art>] [<status>] {number} [{reason}] [error|page|response] {was} returned", "(the page|the server|the document|the response) [{do}] <answers> [<status>] {number} [{reason}]", "[the] (page|response|document) [{do}] (has|have) <status> {number} [{reason}]", "(the api|the server) [{do}] <answers> [<status>] {number} [{reason}] (for|to|on) [{method}] {path}", "[<art>] [request|call|response|api|endpoint] [to|of|from] [{method}] {path} [{do}] (has|have) <status> {number} [{reason}]",
			"[<art>] [request|call|response|api|endpoint] [to|of|from] [{method}] {path} {be} {outcome}", "[the] response {be} {outcome}", "(the page|the site|the application|page) [<modal>] {loads:outcome}", "[<art>] [request|call] [to] [{method}] {path} [{do}] {succeeds:outcome}",
		}},
		{"request", `a POST request to /api/orders is made`, []string{
			"[{no}|<art>] [{method}] [api|http|network|ajax|xhr] (request|call) (to|for|on|against) {path} {was} <made>", "[{no}|<art>] [{method}] [api|http|network|ajax|xhr] (request|call) {was} <made> (to|for|against) {path}", "<page> [{do}] (send|sends|make|makes|issue|issues|fire|fires|trigger|triggers) [{no}|<art>] [{method}] [api|http] (request|call) to {path}",
			"[{no}|<art>] {method} [to] {path} {was} (sent|called|requested|made|issued)", "{path} {was} (called|requested)",
			"[<art>] [{method}] (request|call) to {path} {was} <made> and (returns|answered with|responds with) [status] {number}", "there {was} [{no}|<art>] [{method}] (request|call) to {path}",
		}},
		{"console", `there are no errors in the console`, []string{
			"{no} <console> <errors> [<where>]", "[{no}|<art>] <console> <errors> {was} <logged> [<where>]", "there {was} [{no}] <console> <errors> [<logged>]", "there {was} [{no}] <errors> [<logged>] (in|on|to) <console>", "{no} <errors> [{was} <logged>] (in|on|to) <console>", "{no} <errors> [{do}] (appear|appears) (in|on) <console>",
			"<console> {be} {clean}", "<console> [{do}] (show|shows|contain|contains|have|has|log|logs|display|displays|report|reports) [{no}|<art>] <errors>", "<page> [{do}] (has|have|log|logs|produce|produces|throw|throws|show|shows|generate|generates) [{no}] <console> <errors>", "<page> [{do}] (log|logs) [{no}] <errors> (to|in) <console>", "{without} <console> <errors>", "{no} <console> <errors> [{do}] (<appear>|occur)", "<console> {dont} (show|contain|have|log|display|report) any <errors>", "there {notany} any <console> <errors>", "there {notany} any <errors> (in|on|to) <console>", "{no} (javascript|js) <errors> [{was} <logged>|occur|occurred] [<where>]", "there {was} {no} (javascript|js) <errors> [<where>]",
		}},
		{"dialog", `a browser alert "Saved" is shown`, []string{"[{no}|<art>] {dialog} [<saying>] {quote} {was} (shown|opened|displayed)", "[{no}|<art>] {dialog} [<saying>] {quote} [{do}] (<appear>|<opens>)", "[{no}|<art>] {dialog} {was} (shown|opened|displayed)", "[{no}|<art>] {dialog} [{do}] (<appear>|<opens>)", "[{no}|<art>] {dialog} [{do}] (<appear>|<opens>) <saying> {quote}", "<page> [{do}] (show|shows|open|opens) [{no}|<art>] {dialog} [[<saying>] {quote}]"}},
		{"popup", `a new tab opens`, []string{"[{no}|a] new [browser] (tab|window) {was} opened [(with|at|on|showing) {path}]", "[{no}|a] new [browser] (tab|window) [{do}] <opens> [(with|at|on|showing) {path}]", "{path} {was} opened in a new [browser] (tab|window)", "{path} [{do}] <opens> in a new [browser] (tab|window)"}},
		{"download", `the file "report.csv" is downloaded`, []string{"[{no}|<art>] file [named|called] [{quotes}] {was} downloaded", "[{no}|<art>] files {quotes} {was} downloaded", "[{no}|<art>] download [of [the] [file]] [{quotes}] [{do}] (starts|start|begins|begin|completes|complete)", "{nothing} {was} downloaded", "<user> [{do}] (download|downloads|have downloaded|has downloaded) [the|a] [file] {quotes}", "{quotes} {was} downloaded", "<page> [{do}] (download|downloads) [the] [file] {quotes}"}},
		{"figure", `the figure "Revenue" is 1,234`, []string{
			"[<art>] <metric> {quote:label} {be} {amount}", "[<art>] <metric> {quote:label} [{do}] (show|shows|display|displays|read|reads|equal|equals|say|says) {amount}", "[<art>] {quote:label} <metric> {be} {amount}", "[<art>] {quote:label} <metric> [{do}] (show|shows|display|displays|read|reads|equal|equals) {amount}", "[the] value of [<art>] <metric> {quote:label} {be} {amount}",
			"{quote:label} {be} {amount}", "[the] {price} of {quote:label} {be} {amount}", "[the] {proper:label} {be} {amount}", "[the] {total:label} {be} {amount}", "[the] {total:label} [{do}] (show|shows|equal|equals|read|reads) {amount}", "{quote:label} [{do}] (equals|equal|show|shows) {amount}",
		}},
	}
}
