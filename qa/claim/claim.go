package claim

// Claim describes one thing that a sentence says of a page, with the one kind of
// check that proves it.
type Claim struct {
	Language string // of the sentence: "en", "de", "fr"; see [Forms]
	Form     string // stable name of the form, such as "element-state"; see [Forms]

	// Selector holds the subject as a snapshot line (button "Save", table
	// "Orders" >> row), a role without a name (role=dialog, alert) or a text
	// (text="Save"). Empty means the page itself.
	Selector string
	// Alike lists further selectors of the same subject, where a word stands
	// for several roles: a field may be a textbox, searchbox, spinbutton or
	// combobox. A check on any one of them is on the subject. An absence has
	// no Alike: it is one claim for each.
	Alike []string

	Type string // assertion type, such as "visible"
	// Not says that the opposite must hold. But for hidden, exists and the types
	// about the page, it needs its element: where a selector finds none, the
	// check proves nothing.
	Not bool

	// Expected holds what the type compares with: text, value, number, address
	// pattern or request; of comes_before the selector of the later one; of
	// sorted_by "ascending" or "descending"; of downloaded, dialog_shown and
	// popup_opened it may be empty, and any will do.
	Expected  string
	Attribute string // name of an attribute or CSS property; of kpi the figure's label; of sorted_by the column's header, empty for a list; of dialog_shown alert, confirm, prompt or empty
	URL       string // of response_status and response_ok: the pattern of the response; empty is the page's document
	Op        string // of number_compared: ">", ">=", "<", "<="

	// WholeWords says that the quoted text is to be found at word boundaries (see
	// words.Alone): Expected of text_contains, or the text of a text= selector
	// whose occurrences count_equals counts.
	WholeWords bool
	// Presumed says that the sentence takes this for granted: that what a text
	// is missing in is there, that there is one list where it mentions the
	// list. It must hold as all others must, or the rest would prove nothing.
	Presumed bool
	// DataRows says that a header's row does not count as one: a person's
	// three rows are three rows of data.
	DataRows bool
}

// Unread explains why a sentence was not read.
type Unread struct {
	Why       string // one sentence
	Nearest   string // the nearest form, as an example in the sentence's language
	Assertion string // TOML: the assertion to write instead, or a general example
	Quotation bool   // a quotation mark is unpaired or of no known pair: a mistake in the file, not a sentence beyond the forms
}

// Error returns the reason with what to write instead.
func (u *Unread) Error() string {
	return u.Why + "; nearest form: " + u.Nearest
}

// Number holds a number of a sentence.
type Number struct {
	Text  string // as written
	Value string // plain: digits of ASCII, "." before decimals, no groups, "-" in front
}
