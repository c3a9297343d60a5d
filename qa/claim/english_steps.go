package claim

// englishSteps returns further patterns, such as testers write in steps and lists.
func englishSteps() map[string][]string {
	return map[string][]string{
		"text-visible": {
			"{nothing} [<where>] (say|says|read|reads|show|shows|contain|contains|mention|mentions) {things}", "{things} {be} (added to|now in|part of) {sub:around}",
			"<page> [{do}] <show> {things} {butnot} {things:without} [<where>]", "it [{do}] <show> {things} {butnot} {things:without} [<where>]", "(shows|displays|says|<modal> (show|display|say)) {things} {butnot} {things:without}", "<user> [{do}] <see> {things} {butnot} {things:without} [<where>]",
			"<page> {be} <seen> [,] with [the] (text|message|content) {quote:sub}", "<page> [{do}] <show> [<where>] [{no}] {things} <in> {sub:around}",
		},
		"element-state": {"[<art>] ({quote:folder} <fold>|<fold> {quote:folder}) {be} {folds:could}", "{things} [{nor}] {states} [<where>]"},
		"shown-with": {
			"[<art>] {noun} [{do}] (say|says|read|reads|state|states) [:] {quote}", "[<art>] {noun} <is> [:] {quote}", "[<art>] {noun} : {quote}", "[the] {role} {wording:link} <is> {quote}", "[the] {role} {wording:link} [<modal>] (<turns>|read|reads|say|says) {quote}", "[the] {wording:link} of the {role} <is> {quote}", "[<art>] {role} <is> (labelled|labeled|captioned|named|called) {quote}",
			"[<art>] {role} [{do}] (has|have) [the|a] title [of] {quote:title}", "[the] {role} 's title {be} {quote:title}", "[<art>] {role} {be} (titled|entitled) {quote:title}", "[the] title of the {role} {be} {quote:title}", "[the] {role} title {be} {quote:title}",
		},
		"selected-option": {"[the] (selected|chosen) (option|value|item) (of|in|for) {quote:label} {be} {quote}", "{sub} [{do}] (default|defaults) to {quote}", "{sub} [{do}] (show|shows|display|displays) [the] [option|value] {quote} by default", "{sub} [{do}] (has|have|show|shows) {quote} as [the|its] selected (option|value|item)", "<user> [{do}] <see> [the] [option|value] {quote} [as] selected (in|for|from) {sub}"},
		"link-target":     {"{sub} 's (href|target|url) {be} {path}"},
		"request":         {"(<page>|the frontend|the client|the browser|it) [{do}] (send|sends|make|makes|issue|issues) [{no}|<art>] {method} [request] to {path}", "{no} [{method}] [api|network|http] (requests|calls) (to|for) {path} {was} <made>", "{no} [{method}] [api|network|http] (requests|calls) {was} <made> (to|for) {path}"},
		"count":           {"{count} (({roles}|{role}) [[{link}] {quote}]|{quote} ({roles}|{role})) {be} <in> {sub:around}", "[the] number of (({roles}|{role}) [[{link}] {quote}]|{quote} ({roles}|{role})) [<in> {sub:around}] [{do}] (equal|equals) {count}", "(renders|shows|displays|has|contains|lists|<modal> (render|show|display|have|contain|list)|it [{do}] (has|have|contain|contains|show|shows|display|displays|list|lists)) {count} (({roles}|{role}) [[{link}] {quote}]|{quote} ({roles}|{role})) [<in> {sub:around}] [<where>]", "<user> [{do}] <see> [the] [<noun>] {quote} {times:count} [<where>]", "{count} {css} (element|elements) {be} <seen> [<in> {sub:around}] [<where>]", "<user> [{do}] <see> {count} {css} (element|elements) [<in> {sub:around}] [<where>]", "<page> [{do}] <show> {count} {css} (element|elements) [<in> {sub:around}]", "there {be} {count} {css} (element|elements) [<seen>] [<in> {sub:around}] [<where>]", "{sub} [{do}] (has|have|contain|contains) {count} {css} (element|elements)"},
		"order":           {"<user> [{do}] <see> {sub:first} before {sub:second}"},
		"address":         {"<user> [{do}] <go> (on|at|to|back on|back to) [the] {path} (page|screen|route|url|path)", "<page> [{do}] (open|opens|load|loads) (at|on) {path}", "<address> (:|=) {path}", "<page> [{do}] (has|have) [the] (url|address|path) {path}", "(the current page|current page) {be} {path}", "<user> {be} [now|still] on [the] {path} (page|screen|route|url)"},
		"title":           {"[the] (page|document|browser|tab) title (:|=) {quote}", "<page> [{do}] (has|have) title (=|:) {quote}"},
		"element-is":      {"{sub} = {value}"},
		"response":        {"[http] (status|status code|response code|response status) (:|=) {number}", "([the] page|[the] server|[the] response|[the] document) [{do}] <answers> [a|an|with a|with an] [<status>] {number} [{reason}] [error|status|response|status code|error page]", "[{method}] {path} [{do}] <answers> (a|an) {number} [{reason}] [error|status|response|status code]"},
		"console": {
			"(has|logs|shows|produces) {no} <console> <errors>", "<modal> (have|log|show|produce) {no} <console> <errors>",
			"{no} <console> <errors> [{was} <logged>] (<loaded>|in the console)", "there {was} {no} <console> <errors> [<logged>] <loaded>", "{no} <errors> [{was} <logged>] (in|on|to) <console> <loaded>", "there {was} {no} <errors> [<logged>] (in|on|to) <console> <loaded>", "<page> (loads|opens|renders) {without} <console> <errors>",
			"<user> [{do}] <see> [{no}] <console> <errors>", "<user> [{do}] <see> [{no}] <errors> (in|on) <console>",
		},
		"figure": {
			"the {quote:label} {be} {amount}",
			"[<art>] {total:label} {be} {amount}", "[<art>] {total:label} (=|equals|:) {amount}", "{quote:label} = {amount}", "[<art>] <metric> {quote:label} = {amount}", "[<art>] {total:label} [{do}] (show|shows|display|displays|equal|equals|read|reads) {amount}",
		},
	}
}
