package flow

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/assay-qa/assay/internal/pattern"
	"github.com/assay-qa/assay/qa"
)

// Limits of a flow. A flow beyond them is refused, not cut.
const (
	MaxSteps     = 1000    // included steps count
	MaxTimeoutMS = 600_000 // of a step and of the whole flow
	MaxWaitMS    = 60_000  // of one wait by time
	MaxRetries   = 3
	MaxWatchMS   = 60_000
)

// Flow holds what a user does on a site, step after step, and what must hold.
type Flow struct {
	Name             string        `json:"name,omitempty" jsonschema:"shown in reports; default: the file's name"`
	Role             string        `json:"role,omitempty" jsonschema:"files only: role of the environment that it is signed in as"`
	StartURL         string        `json:"start_url,omitempty" jsonschema:"address to open first"`
	Include          []string      `json:"include,omitempty" jsonschema:"files only: flows whose steps come before, such as login.flow.toml; relative to this file"`
	Steps            []qa.FlowStep `json:"steps" jsonschema:"at most 1000, included ones counted"`
	SuccessCondition string        `json:"success_condition,omitempty" jsonschema:"selector that must be visible, or text that the page must contain, at the end; text=… forces text"`
	TimeoutMS        int           `json:"timeout_ms,omitempty" jsonschema:"bound on the whole flow, retries included; default 30000"`
	WatchMS          *int          `json:"watch_ms,omitempty" jsonschema:"how long the page is watched after its last change at the end; 0: not at all; default 1000, see [browser] watch_ms"`
	Retries          *int          `json:"retries,omitempty" jsonschema:"how often to start over after a transient fault (connection lost, browser crash, navigation time-out), 0 to 3; default 3. A failed check is never tried again"`

	// Recorded says what the flow was compiled from; nil: a person wrote it.
	Recorded *Recorded `json:"recorded,omitempty" jsonschema:"-"`

	// MadeBy says which program made the flow of what was done; empty: a person wrote it,
	// or it is recorded.
	MadeBy string `json:"made_by,omitempty" jsonschema:"-"`

	// Written says that a person wrote or accepted the file, word for word: it permits the
	// acts of its steps.
	Written bool `json:"-"`

	// Origins says where each step stands, such as login.flow.toml:12. It is
	// empty for flows that come from no file.
	Origins []string `json:"-"`

	// Command says how a person runs the flow again; empty where that is not known.
	Command string `json:"-"`
}

// JSON returns the flow as its file has it.
func (f Flow) JSON() ([]byte, error) {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false) // a selector with > in it should read as one
	e.SetIndent("", "  ")
	err := e.Encode(f)
	return text.Bytes(), err
}

// CloseTab is the value of a tab step that closes the current tab, whose opener is current then.
const CloseTab = "close"

// Asserts reports whether anything in the flow is checked. A flow that checks
// nothing proves nothing, however far it gets.
func (f Flow) Asserts() bool {
	if f.SuccessCondition != "" {
		return true
	}
	for _, s := range f.Steps {
		if s.Action == "assert" || s.Action == visualStep {
			return true
		}
	}
	return false
}

// Condition reads a success condition: the assertion, and the selector of the
// element it is about.
//
// It is a selector if it has the form of one: a snapshot line with its name
// (button "Pay"), a word with = that names an engine (css=, xpath=, role=,
// testid=, label=), an XPath (//…), or CSS that no sentence looks like
// (#total, .done, [data-ok], main.ready, ul > li), or is the name of an HTML
// element that pages are built of (main, table, h1). Then the element must be visible. Anything else is a text that the page must contain, and so
// is what follows text=.
func Condition(text string) (a qa.Assertion, selector string) {
	text = strings.TrimSpace(text)
	if rest, ok := strings.CutPrefix(text, "text="); ok {
		return qa.Assertion{Type: qa.TextContains, Expected: strings.TrimSpace(rest)}, ""
	}
	for _, form := range selectorForms {
		if form.MatchString(text) {
			return qa.Assertion{Type: qa.Visible}, text
		}
	}
	return qa.Assertion{Type: qa.TextContains, Expected: text}, ""
}

// selectorForms are the patterns that tell a selector from a text.
var selectorForms = []*pattern.Pattern{
	pattern.New(`^(?:- )?[a-z]+ +"(?:[^"\\]|\\.)*" *(?:$|\[|\(|>|:)`), // a snapshot line
	pattern.New(`^(?:css|xpath|role|testid|label)=`),                  // an engine
	pattern.New(`^\(*//`), // XPath
	pattern.New(`^(?:[#.][A-Za-z_-][\w-]*|\[[A-Za-z][\w-]*(?:[~|^$*]?=|\]))`), // #id, .class, [attribute]
	pattern.New(`^[a-z][a-z0-9-]*(?:[#.:][A-Za-z_-][\w-]*|\[[A-Za-z])`),       // tag.class and so on
	pattern.New(`^[a-z][\w.#-]* *>>? *[a-z#.\[]`),                             // tag > tag
	pattern.New(`^(?:h[1-6]|main|header|footer|nav|aside|article|section|form|fieldset|dialog|button|input|select|textarea|` +
		`table|thead|tbody|tfoot|tr|td|th|ul|ol|li|dl|img|svg|canvas|video|iframe|body)$`),
}
