package health

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/internal/text"
)

// Finding describes one way in which a page is broken.
type Finding struct {
	Name     string // stable; by it a finding is ignored
	Certain  bool
	Observed pagetext.Text
	Where    string // a selector, or empty for the page
	Expected string // empty: none of its kind
}

// Name identifies a kind of finding, and says what it means.
type Name struct {
	Name    string
	Certain bool // it may be; a doubtful case of it is likely only
	Noun    string
	Means   string
}

// Names lists every finding that there is.
func Names() []Name {
	return []Name{
		{NothingDrawn, true, "blank page", "nothing is drawn: no text, one colour"},
		{Covered, true, "covered page", "one element without words or controls lies over all that could be read or used"},
		{ErrorPage, true, "error page", "the error page of a server, a gateway or a framework, whatever its status"},
		{StackTrace, true, "stack trace", "a stack trace, or the message of a database or an interpreter, is shown to people"},
		{TemplateLeft, true, "template placeholder", "a placeholder of a template was not filled in: {{ }}, ${ }, <% %>, %s"},
		{ObjectShown, true, "object in place of a value", "[object Object], or the source of a function, stands for a value"},
		{InvalidDate, true, "invalid date", "Invalid Date stands for a date"},
		{Mojibake, true, "wrongly decoded text", "letters were decoded wrongly: Ã¼ for ü, or a replacement character"},
		{NoValue, true, "missing value", "undefined, NaN or null stands for a value"},
		{XMLError, true, "XML error", "the browser shows that the document is no well-formed XML"},
		{RefreshError, true, "way to an error page", "the page went on to an address that answers with an error"},
		{EndlessSpinner, false, "endless spinner", "a spinner turns, or Loading… is shown, where the content should be"},
		{EndlessBones, false, "endless skeleton", "a skeleton stands where the content should be"},
		{NoContent, false, "page without content", "there is nothing to read and nothing to use"},
		{PlaceholderTitle, false, "placeholder title", "the title is that of a template"},
		{I18nKey, false, "translation key in place of words", "the key of a translation is shown, and not its words"},
		{MarkupShown, false, "markup shown as text", "markup or character references are shown as text"},
		{EmptySource, false, "image or frame without an address", "an image or a frame has an empty address"},
		{BrokenImage, false, "broken image", "an image has no picture"},
		{BrokenFrame, false, "broken frame", "a frame could not be loaded"},
		{WrongType, false, "wrong content type", "something came as another type than it is used as"},
		{PartialContent, false, "partial document", "the document came as a part (206)"},
		{RawData, false, "raw data in place of a page", "raw data is shown where a page was asked for"},
		{DialogOver, false, "unexpected dialog over the page", "a dialog that no act opened lies over the page"},
		{PageUnstyled, true, "page without its styles", "a style sheet came as a page, or none that the page links has a rule"},
		{OpenPassword, true, "password shown as it is typed", "a field for a password shows what is typed"},
		{BadFont, false, "font that can't be used", "a font came damaged, or lacks an icon: an empty box is drawn"},
		{MissingFile, false, "file that did not come", "a style sheet, a script or a font that the page asked for came with an error, or not at all"},
		{CutShort, false, "style sheet that is cut", "a style sheet ends in the middle of a rule, or its text is none"},
		{EmptyScript, false, "empty script", "the scripts that the page asked for came empty, and it has no other"},
		{LayoutShift, false, "page that jumps", "what a person reads moved after the page had loaded, although nothing was done"},
		{WidePage, false, "page wider than its window", "a person must scroll the page sideways to read it"},
		{ErrorInBody, false, "error answered with 200", "the answer to a request of the page has status 200 and says that it failed"},
		{EndlessRequests, false, "requests without end", "the page sends the same request over and over, many times a second"},
		{SentTwice, false, "write sent twice", "the page sent the same write twice within one act"},
		{SignIn, false, "page that asks for a password in place of the page", "another page than the one asked for: it asks for a password that one has"},
		{SaysError, false, "error message", "the page says of itself that something went wrong"},
	}
}

// The names of the findings.
const (
	NothingDrawn     = "nothing-drawn"
	Covered          = "covered"
	ErrorPage        = "error-page"
	StackTrace       = "stack-trace"
	TemplateLeft     = "template-placeholder"
	ObjectShown      = "object-object"
	InvalidDate      = "invalid-date"
	Mojibake         = "mojibake"
	NoValue          = "undefined-value"
	XMLError         = "xml-parse-error"
	RefreshError     = "refresh-to-error"
	EndlessSpinner   = "endless-spinner"
	EndlessBones     = "endless-skeleton"
	NoContent        = "no-content"
	PlaceholderTitle = "placeholder-title"
	I18nKey          = "i18n-key"
	MarkupShown      = "markup-shown"
	EmptySource      = "empty-source"
	BrokenImage      = "broken-image"
	BrokenFrame      = "broken-frame"
	WrongType        = "wrong-content-type"
	PartialContent   = "partial-content"
	RawData          = "raw-data"
	DialogOver       = "dialog-over-page"
	SignIn           = "sign-in-page"
	PageUnstyled     = "unstyled-page"
	OpenPassword     = "open-password"
	BadFont          = "bad-font"
	MissingFile      = "missing-file"
	CutShort         = "cut-sheet"
	EmptyScript      = "empty-script"
	LayoutShift      = "layout-shift"
	WidePage         = "wide-page"
	ErrorInBody      = "error-in-answer"
	EndlessRequests  = "endless-requests"
	SentTwice        = "sent-twice"
	SaysError        = "says-error"
)

// NounOf returns what a finding of that name is called in a sentence.
func NounOf(name string) string {
	for _, n := range Names() {
		if n.Name == name {
			return n.Noun
		}
	}
	return name
}

// Sentence says what was observed, for a title.
func (f Finding) Sentence() pagetext.Text {
	if f.Name == ErrorPage { // what was observed says whose it is
		return f.Observed
	}
	return pagetext.Text(NounOf(f.Name)) + ": " + f.Observed
}

// Wanted says what was expected in its place.
func (f Finding) Wanted() string { return cmp.Or(f.Expected, "no "+NounOf(f.Name)) }

// Known reports whether a finding has that name.
func Known(name string) bool {
	return slices.ContainsFunc(Names(), func(n Name) bool { return n.Name == name })
}

// Judge returns what is broken, certain findings first, each name once.
func Judge(f Facts, ignore []string) []Finding {
	j := judge{facts: f, technical: technical(f)}
	j.checkPage()
	for _, t := range f.Texts {
		j.checkText(t)
	}
	j.checkLikely()
	var out []Finding
	for _, certain := range []bool{true, false} {
		for _, x := range j.found {
			known := slices.ContainsFunc(out, func(o Finding) bool { return o.Name == x.Name })
			if x.Certain == certain && !known && !slices.Contains(ignore, x.Name) {
				if more := j.count(x); more > 1 {
					x.Observed += pagetext.Sprintf(" (and %d more)", more-1)
				}
				out = append(out, x)
			}
		}
	}
	return out
}

type judge struct {
	facts     Facts
	technical bool // the page is about programming
	found     []Finding
}

func (j *judge) add(name string, certain bool, where, format string, args ...any) {
	j.found = append(j.found, Finding{Name: name, Certain: certain, Where: where, Observed: pagetext.Sprintf(format, args...)})
}

// count returns how often a finding was made with that certainty.
func (j *judge) count(x Finding) int {
	n := 0
	for _, y := range j.found {
		if y.Name == x.Name && y.Certain == x.Certain {
			n++
		}
	}
	return n
}

// checkPage looks at the page as a whole.
func (j *judge) checkPage() {
	f := j.facts
	if f.ParseError {
		j.add(XMLError, true, "", "%s", quoted(j.firstText()))
	}
	if e, ok := errorPage(f); ok {
		j.add(ErrorPage, true, "", "%s", e)
	}
	if f.Arrived/100 == 2 && f.Status >= 400 {
		j.add(RefreshError, true, "", "went on to %s, which answers status %d", f.URL, f.Status)
	}
	blank := f.Words == 0 && f.Controls == 0
	switch {
	case f.Pictured && f.OneColour && (blank && f.Below == 0 || f.InView > 0 && f.Cover == nil):
		j.add(NothingDrawn, true, "", "the viewport has one colour%s", j.describePage(blank))
	case blank && f.Drawn == 0 && f.Unread == 0 && !isData(f.ContentType) && f.Title != "" || blank && f.Drawn == 0 && f.Unread == 0 && f.Pictured:
		j.add(NoContent, false, "", "no text, no control, no picture")
	}
	if c := f.Cover; c != nil {
		j.add(Covered, !c.Waits || c.Opaque, c.Selector, "it lies over %d texts and controls, and has no words and no control%s", c.Over, spinning(c.Waits))
	}
	j.checkTrace()
}

func (j *judge) describePage(blank bool) string {
	if blank {
		return ", and no text is drawn"
	}
	return ", although there are texts in the page"
}

func spinning(yes bool) string {
	if yes {
		return ", but a spinner"
	}
	return ""
}

// firstText returns the first text of the page.
func (j *judge) firstText() string {
	if len(j.facts.Texts) == 0 {
		return ""
	}
	return j.facts.Texts[0].Text
}

// quoted shortens a text for an answer.
func quoted(s string) string { return strconv.Quote(short(s, 120)) }

func short(s string, limit int) string { return text.Fit(strings.Join(strings.Fields(s), " "), limit) }

func isData(contentType string) bool {
	return contentType != "" && !strings.Contains(contentType, "html")
}
