// Package scan holds one look at a page for whoever explores it: the tree of
// what is drawn, the elements that can be worked and the forms they belong to.
package scan

import (
	"time"

	"github.com/assay-qa/assay/qa/element"
)

// Options say what a scan records.
type Options struct {
	Elements  []string `json:"elements,omitempty"`  // CSS: only these are recorded; none: what can be worked
	Omit      []string `json:"omit,omitempty"`      // tags that are left out with all that is in them
	Notable   []string `json:"notable,omitempty"`   // CSS: what is marked as notable
	Invisible bool     `json:"invisible,omitempty"` // elements that nobody sees are recorded too
	Max       int      `json:"max"`                 // elements that are recorded
}

// Page is what one look found, frames and open shadow roots included.
type Page struct {
	URL    string `json:"url"`
	Title  string `json:"title"`
	Status int    `json:"-"`     // of the document; 0: unknown
	Other  bool   `json:"other"` // the document is not HTML: a feed, or a text

	Nodes    []Node        `json:"nodes"` // in reading order
	Elements []Element     `json:"elements"`
	Links    []Link        `json:"links"` // that nobody sees at this moment, such as those of a closed menu
	Forms    []Form        `json:"forms"`
	Overlays []string      `json:"overlays"`
	Skeleton []Tag         `json:"skeleton"` // where the roles of the page say little
	More     int           `json:"more"`     // elements that are not recorded
	Capped   bool          `json:"capped"`   // the page is larger than a scan reads
	Changing time.Duration `json:"-"`        // after it a timer, a request or a stream may have changed it by itself; 0: none will
}

// Link is where a link leads that nobody sees.
type Link struct {
	Href string `json:"href"` // absolute
	Text string `json:"text"`
}

// Node is something drawn that has a role, or a run of text.
type Node struct {
	Depth   int    `json:"d"`
	Role    string `json:"r"`
	Name    string `json:"n"`
	State   string `json:"s"` // such as "expanded current"
	Value   string `json:"v"`
	Element *int   `json:"e"` // index in Elements
	Notable int    `json:"k"` // 1: it is
	Line    string `json:"l"` // selector of a frame, a landmark, what is notable
	CSS     string `json:"c"` // path of a heading, a status, what is notable
	Tag     string `json:"t"` // of these
	Frame   string `json:"-"` // prefix of the frame it stands in
}

// Tag is one element of a skeleton: its tag, type and classes.
type Tag struct {
	Depth int    `json:"d"`
	Text  string `json:"t"`
}

// Element is one that can be worked.
type Element struct {
	Tag       string       `json:"tag"`
	Type      string       `json:"type"`
	Role      string       `json:"role"`
	Name      string       `json:"name"`
	Text      string       `json:"text"`
	Selector  string       `json:"selector"`
	XPath     string       `json:"xpath"`
	ID        string       `json:"id"`
	ClassName string       `json:"className"`
	Classes   string       `json:"classes"` // those that look made by a person
	AriaLabel string       `json:"ariaLabel"`
	Landmark  string       `json:"landmark"`
	Href      string       `json:"href"`    // absolute
	HrefSet   string       `json:"hrefSet"` // as it is written
	Target    string       `json:"target"`
	Download  bool         `json:"download"`
	IsVisible bool         `json:"isVisible"`
	Disabled  bool         `json:"disabled"`
	Behind    bool         `json:"behind"`      // a modal dialog keeps people from it
	Box       *element.Box `json:"boundingBox"` // of the document

	Locators []string `json:"locators"` // selectors in the grammar of snapshots, each led to this element alone
	Frame    string   `json:"-"`        // a snapshot line of the frame

	Field  *Field `json:"field"`
	Form   int    `json:"form"`   // number in Forms, from 1; 0: none
	Submit bool   `json:"submit"` // it submits its form
}

// Field is what an input takes.
type Field struct {
	Name         string   `json:"name"`
	Label        string   `json:"label"`
	Autocomplete string   `json:"autocomplete"`
	InputMode    string   `json:"inputMode"`
	Pattern      string   `json:"pattern"`
	Min          string   `json:"min"`
	Max          string   `json:"max"`
	Step         string   `json:"step"`
	MinLength    int      `json:"minLength"`
	MaxLength    int      `json:"maxLength"`
	Required     bool     `json:"required"`
	ReadOnly     bool     `json:"readOnly"`
	Multiple     bool     `json:"multiple"`
	Secret       bool     `json:"secret"`
	Checked      bool     `json:"checked"`
	Filled       bool     `json:"filled"`
	Editable     bool     `json:"editable"` // an element with contenteditable
	Opens        bool     `json:"opens"`    // it is no select element, and opens a list of options
	Value        string   `json:"value"`
	Message      string   `json:"message"` // what the browser says of its value
	Options      []Option `json:"options"`
}

// Option is one choice of a select element.
type Option struct {
	Label string `json:"label"`
	Value string `json:"value"`
}

// Form is a form of the page.
type Form struct {
	Name       string `json:"name"`
	Method     string `json:"method"` // as it is written; empty: none is
	Action     string `json:"action"` // absolute
	Declared   bool   `json:"declared"`
	Search     bool   `json:"search"`
	NoValidate bool   `json:"noValidate"`
	Frame      string `json:"-"`
}

// Script is what ran of one script.
type Script struct {
	URL       string     `json:"url"`
	Functions []Function `json:"functions"`
}

// Function is one function of a script with its blocks, the whole function first.
type Function struct {
	Name   string  `json:"functionName"`
	Ranges []Range `json:"ranges"`
}

// Range is a block, and how often it ran.
type Range struct {
	Start int `json:"startOffset"`
	End   int `json:"endOffset"`
	Count int `json:"count"`
}
