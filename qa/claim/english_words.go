package claim

// english returns the table of English.
func english() *language {
	return &language{code: "en", name: "English", roles: englishRoles(), classes: merged(englishNouns(), englishVerbs(), englishPageWords()), forms: extended(englishForms(), englishSteps()),
		joined:  map[string]string{"cannot": "can not", "can't": "can not", "won't": "will not", "shan't": "shall not", "it's": "it is", "there's": "there is", "that's": "that is", "i'm": "i am", "url's": "url 's"},
		endings: []row{{"n't", "not"}, {"'s", "'s"}}}
}

func englishRoles() []roleWords {
	return []roleWords{
		{"[push] button [element|control]", "[push] buttons", "button"},
		{"link|hyperlink", "links|hyperlinks", "link"},
		{"[page|main|section|sub] (heading|headline)|subheading", "headings|headlines|subheadings", "heading"},
		{"text (field|box|area|input)|textbox|textfield|textarea|text-box|text-field|password (field|input|box)|email (field|input|box)", "text (fields|boxes|areas|inputs)|textboxes|textfields|textareas", "textbox"},
		{"(field|input) [element|control]|input (field|box)|form field|entry field", "fields|inputs|input fields|form fields", "field"},
		{"search (field|box|input|bar)|searchbox", "search (fields|boxes)", "searchfield"},
		{"number (field|input)|spinbutton|spin button|spinner button|stepper", "number (fields|inputs)|spinbuttons", "spinbutton"},
		{"checkbox|check box|check-box|tick box|tickbox", "checkboxes|check boxes|tick boxes", "checkbox"},
		{"radio [button|option]|radio-button", "radio (buttons|options)|radios", "radio"},
		{"switch", "switches", "switch"},
		{"toggle [switch]", "toggles|toggle switches", "toggle"},
		{"drop-down [menu|list|box|field]|dropdown [menu|list|box|field]|drop down [menu|list|box]|select [box|field|menu|list]|selector|picker", "drop-downs|dropdowns|selects|select boxes", "dropdown"},
		{"combobox|combo box|combo-box", "comboboxes|combo boxes", "combobox"},
		{"listbox|list box", "listboxes|list boxes", "listbox"},
		{"option", "options", "option"},
		{"tab", "tabs", "tab"},
		{"[confirmation|confirm] (dialog|dialogue) [box|window]|[confirmation] modal [dialog|dialogue|window|box]", "dialogs|dialogues|modals|modal dialogs|dialog boxes", "dialog"},
		{"[error|success|warning|info] alert [message|banner]", "alerts|alert messages", "alert"},
		{"status [message|bar|area]", "status messages", "status"},
		{"[data] table|[data] grid|data-table", "tables|grids", "table"},
		{"[table|data] row", "[table|data] rows", "row"},
		{"column [header|heading]|table header", "columns|column headers|table headers", "columnheader"},
		{"[table] cell", "cells", "cell"},
		{"list", "lists", "list"},
		{"[list] item|list-item", "[list] items|list-items", "listitem"},
		{"entry|record|element", "entries|records|elements", "entry"},
		{"image|picture|photo", "images|pictures|photos", "img"},
		{"menu", "menus", "menu"},
		{"menu (item|entry|option)|menuitem", "menu (items|entries|options)|menuitems", "menuitem"},
		{"progress bar|progressbar", "progress bars|progressbars", "progressbar"},
		{"slider", "sliders", "slider"},
		{"form", "forms", "form"},
		{"navigation [bar|menu|area|region]|nav [bar|menu]|navbar", "navigations|navbars", "navigation"},
		{"region|section", "regions|sections", "region"},
		{"article", "articles", "article"},
		{"main (content|region|area)", "", "main"},
		{"[page|site] footer", "", "contentinfo"},
		{"[page|site] header", "", "banner"}, // never a heading,
		{"sidebar|side bar", "sidebars", "complementary"},
		{"tooltip|tool tip", "tooltips", "tooltip"},
		{"tree [view]", "trees", "tree"},
		{"tree item|treeitem", "tree items|treeitems", "treeitem"},
		{"toolbar|tool bar", "toolbars", "toolbar"},
		{"field group|fieldset|group", "fieldsets|groups", "group"},
		{"frame|iframe", "frames|iframes", "frame"},
	}
}

func englishNouns() map[string][]row {
	return map[string][]row{
		"intro": rows("[and|then] <verify> [that]", "[and|then] (i|we|you|the user|user|users) [should|can|must|will] (see|sees|observe|observes|notice|notices) that", "then|and|also|and then", "expect|expects [that]", "[the] (expected|result|expected result|expected results|expectation|outcome|expected outcome|acceptance criteria) :",
			"it (is|should be) (verified|checked|ensured) that", "(i|we|you|user) (verify|check|ensure|confirm|assert|expect|validate) [that]", "(i|we|you|the user) (should|can) (verify|check|confirm) that"),
		"verify":  rows("verify|verifies|check|checks|ensure|ensures|assert|asserts|confirm|confirms|validate|validates|make sure|makes sure|see to it|test|observe|note"),
		"end":     rows(".", "!"),
		"then":    append(rows(", and", "and", ";", ".", ",", "while", ", while", "and also", "as well as", ". and", ". then", "and then", "; and", "and that", ", and that"), row{", but|but", "but"}),
		"and":     rows("and", ", and", ",", "and also", "as well as", "&", "and the text", "along with", "together with"),
		"it":      rows("it|they|this|these|he|she"),
		"nor":     {{"not", "not"}},
		"both":    rows("both"),
		"default": rows("by default"), "cssbox": rows("{pure:css}"), "dont": {{"(do|does) not [<now>]|<modal> not [<now>]|can not|(do|does|<modal>) no longer", "not"}}, "notany": {{"(is|are|was|were) not|<modal> not be", "not"}}, "turns": rows("change to|changes to|is changed to|has changed to|update to|updates to|switch to|switches to|turn into|turns into"), "wording": {{"text|label|caption|wording", "text"}},
		"art": {{"a|an|some", "a"}, {"the|this|that|these|those|its|their|your|our|my|both", "the"},
			{"the (following|corresponding|respective)", "the"}},
		"role": nil, "roles": nil,
		"noun": {{"text|label|word|words|phrase|string|content|texts|labels", "text"}, {"[the] text (of|saying|reading)", "text"}, {"(error|warning|hint|help|helper|validation) text", "message"},
			{"[<tone>] (message|error|warning|notification|hint|note|notice|toast|snackbar|toast (message|notification)|helper text|help text|messages|errors|warnings|notifications)", "message"},
			{"[<tone>] (message|error|warning|notification|toast|notice|snackbar|hint) (with|saying|that says|reading|of|stating|that states|which says) [the] [text|message]", "message"}},
		"tone": rows("flash|inline|system|global|error|success|warning|info|information|informational|validation|validation error|confirmation|status|static|notification|feedback|toast|failure|welcome|empty-state"),
		"link": {{"[that is|which is|is] (labelled|labeled|named|called|titled|entitled|captioned)|for", "name"},
			{"with [the|a|an] [accessible] (name|label|title|caption|alt text|alternative text)", "name"},
			{"with [the|a|an] [message|error] (text|message|content)|saying|that says|which says|reading|that reads|which reads|with|stating|that states|asking|that asks", "text"},
			{"[that|which] (containing|contains|including|includes)|with [a|the] text containing|that contains [the] [text|message]|containing [the] (text|message)", "part"}},
		"loaded": rows("on [page|initial] load|at load|during load|while loading"),
		"fold":   rows("panel|section|accordion|accordion (item|section|panel)|disclosure|collapsible"), "butnot": {{"[,] (but|and) not|, not|instead of|rather than", "not"}}, "folds": {{"expanded|unfolded", "expanded"}, {"collapsed|folded", "!expanded"}},
		"base": rows("[<art>] {quote} {quotedrole:role}", "[<art>] {quote} {quotednoun:noun}", "[<art>] {css} (element|elements)", "[<art>] (element|elements) {css}", "[<art>] {noun} {quotes}", "{quote}", "[<art>] {role} {quote}", "[<art>] {role} [,] {link} {quote}", "[<art>] {quote} {role}",
			"[<art>] {name} {role}", "[<art>] {role} {name}", "[<art>] {roles} [{link}] {quotes}", "[<art>] {quotes} {roles}", "[{art}] {role}", "[<art>] {quote} {noun}", "[<art>] {noun} (,|:) {quote}", "[<art>] {role} : {quote}", "[<art>] {quotes} {noun}"),
		"sub": rows("{base}", "{base} <in> {base:around}", "{base} <in> {base:around} <in> <page>", "{base} (within|inside|in) {cssbox:around}", "{base} of <page>"),
		"in":  rows("in|inside|within|of|inside of|on|from"),
	}
}

func englishVerbs() map[string][]row {
	return map[string][]row{
		"modal":  rows("should|must|shall|will|needs to|need to|has to|have to|is expected to|are expected to|ought to|is supposed to|are supposed to|is going to"),
		"now":    rows("now|also|currently|both|all|then"),
		"number": {{"one|a single", "1"}, {"two", "2"}, {"three", "3"}, {"four", "4"}, {"five", "5"}, {"six", "6"}, {"seven", "7"}, {"eight", "8"}, {"nine", "9"}, {"ten", "10"}, {"eleven", "11"}, {"twelve", "12"}, {"zero", "0"}},
		"is":     rows("[<modal>] [<now>] (is|are|am|be|becomes|become|remains|remain|stays|stay|gets|get) [<now>]", "to (be|become|remain|stay) [<now>]", "(has|have) [<now>] been", "(is|are) to be"),
		"is-not": rows("(is|are|am|<modal>) [<now>] (not|no longer) [<now>] [be|become|remain|stay] [yet|<now>]", "(does|do) not (become|remain|stay)", "to not be", "(has|have) not been", "not to be", "(is|are) not to be"),
		"be":     {{"<is>", ""}, {"<is-not>", "not"}},
		"was":    {{"<is>|was|were|has been|have been", ""}, {"<is-not>|(was|were|has|have) not [been]", "not"}},
		"do":     {{"<modal> [<now>]", ""}, {"to", ""}, {"<now>", ""}, {"do|does", ""}, {"(does|do) (not|no longer)|<modal> (not|no longer)|no longer|not to|to not", "not"}},
		"no":     {{"no|not any|none of the|zero", "not"}, {"no more", "not"}},
		"state": {{"visible|shown|displayed|seen|present|there|rendered|presented|listed|on screen|on the screen|on the page|found|showing|visible to the user", "visible"},
			{"hidden|invisible|gone|absent|missing|removed|out of sight", "!visible"},
			{"enabled|usable|interactive|clickable", "enabled"}, {"disabled|greyed out|grayed out|greyed-out|grayed-out", "!enabled"},
			{"checked|ticked|check-marked", "checked"}, {"unchecked|unticked", "!checked"},
			{"selected|chosen", "selected"}, {"active", "active"}, {"unselected|deselected", "!selected"}, {"[switched|turned|toggled] on", "on"}, {"[switched|turned|toggled] off", "!on"},
			{"editable", "editable"}, {"read-only|readonly|read only", "readonly"}, {"focused|focussed|in focus", "focused"},
			{"empty|blank|cleared", "empty"}, {"filled [in|out]|filled-in", "!empty"},
			{"expanded|unfolded", "expanded"}, {"collapsed|folded", "!expanded"}, {"open|opened", "open"}, {"closed|dismissed", "!open"},
			{"pressed", "pressed"}, {"indeterminate|in (the|an) indeterminate state|partially checked", "indeterminate"},
			{"(in|within) [the|a] viewport|displayed within [the|a] viewport|in [the] view|visible in the viewport|scrolled into view", "in_viewport"}, {"(outside|out) of [the] (viewport|view)|outside [the] viewport|off-screen", "!in_viewport"}},
		"where":  rows("on (the|this) (page|screen)|anywhere|anywhere on the page", "on screen", "on-screen", "in the (page|browser|ui|view|interface)", "to the user|to me|to users|for the user|for me|to us"),
		"lately": rows("anymore|any more|any longer|now|as well|too|also"),
		"show":   rows("show|shows|display|displays|contain|contains|have|has|include|includes|say|says|read|reads|present|presents|list|lists|mention|mentions|render|renders|feature|features|state|states"),
		"say":    {{"show|shows|display|displays|say|says|read|reads|hold|holds|ask|asks|state|states", "shows"}, {"contain|contains|include|includes|mention|mentions|list|lists|name|names", "contains"}},
		"appear": rows("appear|appears|show up|shows up|exist|exists|pop up|pops up|is there|are there|become visible|becomes visible|come up|comes up"),
		"vanish": {{"disappear|disappears|vanish|vanishes|go away|goes away|has gone|have gone|has disappeared|have disappeared|has been removed|have been removed|has been hidden|close|closes", "not"}},
		"opened": {{"open|opens|has opened", "open"}, {"close|closes|has closed", "!open"}, {"expands", "expanded"}, {"collapses", "!expanded"}},
		"can":    {{"can|should be able to|is able to|are able to|must be able to|shall be able to", ""}, {"(can|may) not|should not be able to|is not able to|are not able to|must not be able to|is unable to|are unable to", "not"}},
		"could":  {{"seen|found", "visible"}, {"clicked|used|pressed|activated", "enabled"}, {"edited|changed", "editable"}},
		"page":   rows("(the|this|a|my) [current|web|whole|resulting] (page|screen|webpage|website|site|application|app|system|ui|interface|view|browser)", "page"),
		"user":   rows("(the|a) (user|visitor|customer)", "user|users|i|we|you|one|he|she|they|customers|visitors|the users"),
		"see":    rows("see|sees|find|finds|view|views|be shown|is shown|are shown|be presented with|is presented with|get|gets|notice|notices|observe|observes|receive|receives"),
		"hides":  {{"hide|hides|lack|lacks|omit|omits", "not"}, {"is free of|is without|are free of", "not"}},
	}
}

func englishPageWords() map[string][]row {
	return map[string][]row{
		"op":      opsEnglish(),
		"count":   rows("{number}", "{op} {number}", "{number} {post:op}", "{none:number}"),
		"post":    {{"or more|or greater|and more", ">="}, {"or fewer|or less", "<="}},
		"none":    {{"no|zero|not any", "0"}},
		"times":   rows("{number} times", "{once:number}", "{op} {once:number}", "{op} {number} times", "{number} {post:op} times"),
		"once":    {{"once|one time", "1"}, {"twice", "2"}, {"thrice", "3"}},
		"address": rows("[<art>] [current|page|browser] [page] (url|uri|address|address bar|location|path|pathname|route)", "[<art>] (url|address|path) of the page", "[<art>] (page|browser) 's (url|address)", "[<art>] url path"),
		"how": {{"equals|be equal to|equal|reads|read|changes to|change to|shows|show|displays|display|switches to|switch to", "is"}, {"contains|contain|includes|include|has|have", "contains"}, {"starts with|start with|begins with|begin with|begins in", "starts"},
			{"ends with|end with|ends in|end in", "ends"}, {"matches|match|fits|fit|matches the pattern", "matches"}},
		"at":      rows("on|at|to|back to|back on|in"),
		"moved":   rows("[<now>] redirected|taken|navigated|sent|brought|forwarded|routed|directed|returned|moved|led|redirected back|taken back|sent back|navigated back"),
		"go":      rows("land|lands|stay|stays|remain|remains|arrive|arrives|end up|ends up|redirect|redirects|navigate|navigates|go|goes|be"),
		"console": rows("[<art>] [browser|javascript|js|dev|developer|devtools] console"),
		"errors":  rows("error|errors|javascript error|javascript errors|error message|error messages|js errors|error logs|exceptions or errors"),
		"method":  {{"get", "GET"}, {"post", "POST"}, {"put", "PUT"}, {"patch", "PATCH"}, {"delete", "DELETE"}, {"head", "HEAD"}},
		"reason":  reasonsEnglish(),
		"answers": rows("return|returns|respond with|responds with|answer|answers|answer with|answers with|reply with|replies with|give|gives|respond|responds|is answered with|are answered with|answered with|yields|fails with|fail with|come back with|comes back with|returned|responded with|load with|loads with"),
		"status":  rows("[<art>] [http|response] (status|code|response code|status code|response status|response status code)", "[<art>] http", "with [a|an|the] [http] (status|code|status code)"),
		"dialog":  {{"(browser|javascript|js|native|window) (alert|alert box|alert dialog)|alert (box|popup|pop-up|window)|alertbox", "alert"}, {"[browser|javascript|js|native] (confirm|confirmation) (box|popup|pop-up)|(browser|javascript|js|native) (confirm|confirmation) [dialog]", "confirm"}, {"[browser|javascript|js|native] prompt [box|dialog|popup]", "prompt"}, {"(browser|javascript|js|native) (dialog|popup|pop-up)", ""}},
		"seen":    rows("visible|shown|displayed|seen|present|rendered|presented|listed|found|showing"),
		"logged":  rows("shown|logged|reported|present|written|printed|displayed|visible|thrown|found|seen|recorded"),
		"made":    rows("made|sent|issued|fired|triggered|performed|executed|initiated"),
		"clean":   {{"clean|free of errors|error-free|error free|without errors|free from errors", "clean"}},
		"without": {{"without [any]|zero", "not"}},
		"nothing": {{"nothing|no file", "not"}}, "focused": {{"focused|active", "focused"}},
		"opens":  rows("open|opens"),
		"saying": rows("saying|with [the] [text|message]|that says|with the text|asking|reading"),
		"metric": rows("figure|kpi|metric|indicator|key figure|stat|statistic|counter|number|value|amount|tile|stat card|kpi card|metric card|card"),
		"total":  {{"total amount", "total amount"}, {"total price", "total price"}, {"order total", "order total"}, {"cart total", "cart total"}, {"amount due", "amount due"}, {"discount", "discount"}, {"tax", "tax"}, {"price", "price"}, {"total cost", "total cost"}, {"shipping", "shipping"}, {"shipping cost", "shipping cost"}, {"vat", "vat"}, {"total", "total"}, {"subtotal", "subtotal"}, {"grand total", "grand total"}, {"balance", "balance"}},
		"price":  {{"price", "money"}}, "loads": {{"load|loads|is loaded|be loaded", "ok"}}, "starts": {{"start with|starts with|begin with|begins with", "starts"}}, "ordinal": {{"first|1st|top", "0"}, {"last|bottom", "-1"}},
		"outcome":   {{"ok|successful|a success", "ok"}},
		"succeeds":  {{"succeed|succeeds", "ok"}},
		"still":     {{"set to|changed to|updated to", "is"}},
		"exact":     {{"exactly|exact|text|text content", "exact"}},
		"focus":     {{"focus", "focused"}},
		"act":       {{"click [on]|press|use|activate", "enabled"}, {"edit|change", "editable"}},
		"neither":   {{"nor", "not"}},
		"property":  {{"attribute", "attribute_equals"}, {"css property|style property|css|style", "css_equals"}},
		"single":    {{"placeholder", "placeholder"}, {"class|css class", "class_contains"}, {"role|aria role", "role_equals"}},
		"compare":   {{"greater than|more than|higher than|above|bigger than|larger than", ">"}, {"at least|greater than or equal to|not less than", ">="}, {"less than|lower than|smaller than|below|fewer than", "<"}, {"at most|less than or equal to|not more than", "<="}},
		"after":     {{"after", "after"}},
		"after2":    {{"follow|follows", "after"}},
		"direction": {{"ascending|in ascending order|from low to high|from lowest to highest|alphabetically|in alphabetical order|ascendingly|in increasing order|from a to z|a to z", "ascending"}, {"descending|in descending order|from high to low|from highest to lowest|in reverse alphabetical order|descendingly|in decreasing order|from z to a", "descending"}},
	}
}

func rows(patterns ...string) []row {
	out := make([]row, len(patterns))
	for i, p := range patterns {
		out[i] = row{pattern: p}
	}
	return out
}

func opsEnglish() []row {
	return []row{{"exactly|only|precisely|a total of|in total|just", "="}, {"at least|a minimum of|no fewer than|no less than|not less than|not fewer than|minimum", ">="},
		{"at most|no more than|not more than|a maximum of|up to|maximum", "<="}, {"more than|over|greater than", ">"}, {"fewer than|less than|under", "<"}}
}

func reasonsEnglish() []row {
	var out []row
	for _, r := range statusReasons {
		out = append(out, row{r, r})
	}
	return out
}
