// Package site holds what an exploration of a web site found: its states, the
// actions that lead from one to another, findings and coverage. It is the form
// of site.json, which the explorer writes and the generator of tests reads.
package site

import (
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa/element"
)

// SchemaVersion is the version of site.json that this build writes.
const SchemaVersion = 1

// Site is one exploration of one site by one principal.
type Site struct {
	SchemaVersion int    `json:"schemaVersion"`
	StartURL      string `json:"startUrl"`
	Role          string `json:"role,omitempty"`  // the role that was signed in
	RunID         string `json:"runId,omitempty"` // the run that holds the evidence
	Seed          int64  `json:"seed"`
	AllowWrites   bool   `json:"allowWrites"`
	Mark          string `json:"mark,omitempty"` // the word in values that this exploration made up, and no other
	StartedAt     string `json:"startedAt"`      // RFC 3339
	FinishedAt    string `json:"finishedAt,omitempty"`

	Stop     Stop      `json:"stop"`
	States   []State   `json:"states"` // in the order of discovery; the first is the start
	Edges    []Edge    `json:"edges"`  // in the order of discovery
	Untried  []Untried `json:"untried,omitempty"`
	Findings []Finding `json:"findings,omitempty"`
	Caused   []Finding `json:"caused,omitempty"` // what pages said because of what the exploration did: no faults of theirs
	Coverage Coverage  `json:"coverage"`
	Loops    []Loop    `json:"loops,omitempty"`
}

// Stop says why an exploration ended.
type Stop struct {
	Reason string        `json:"reason"` // complete, max_navigations, max_loops, max_actions, max_states, max_time, no_new_state, cancelled, unreachable, signed_out, states_lost
	Detail pagetext.Text `json:"detail,omitempty"`
}

// Reasons for which an exploration stops.
const (
	Complete       = "complete"
	MaxNavigations = "max_navigations"
	MaxLoops       = "max_loops"
	MaxActions     = "max_actions"
	MaxStates      = "max_states"
	MaxTime        = "max_time"
	NoNewState     = "no_new_state"
	Cancelled      = "cancelled"
	Unreachable    = "unreachable"
	SignedOut      = "signed_out"  // the sign-in ended and could not be renewed
	StatesLost     = "states_lost" // what is in states that could not be reached again is untried
)

// Broken reports whether an exploration ended before it could try what it found.
func (s Stop) Broken() bool {
	return s.Reason == SignedOut || s.Reason == StatesLost || s.Reason == Unreachable
}

// State is what a person sees at one moment, as far as states are told apart:
// the place, the shape of the outline, what lies over the page, and who is
// signed in.
type State struct {
	ID        string    `json:"id"`    // "s1", "s2", …
	Place     string    `json:"place"` // the address with numbers, ids and dates as {n}
	URL       string    `json:"url"`
	Title     string    `json:"title"`
	Shape     string    `json:"shape"` // SHA-256 of the outline's shape, hex
	Exact     string    `json:"exact"` // SHA-256 of the outline's text, hex
	Overlays  []string  `json:"overlays,omitempty"`
	Principal string    `json:"principal,omitempty"`
	Distance  int       `json:"distance"` // edges from the start by the shortest path; -1 where none lead there
	Picture   *Picture  `json:"picture,omitempty"`
	Notable   []Element `json:"notable,omitempty"`
	Volatile  []string  `json:"volatile,omitempty"` // selectors of parts that change by themselves
}

// Picture is a screenshot beside site.json.
type Picture struct {
	File   string `json:"file"`
	SHA256 string `json:"sha256"`
}

// Kinds of actions.
const (
	Click = "click"
	// DoubleClick is called as Playwright calls it.
	DoubleClick = "dblclick"
	Fill        = "fill"
	Select      = "select"
	Check       = "check"
	Press       = "press"
	Navigate    = "navigate"
	Submit      = "submit"
)

// Action is one thing that was done to a page.
type Action struct {
	Kind    string   `json:"kind"`
	Element *Element `json:"element,omitempty"` // nil for navigate
	Value   string   `json:"value,omitempty"`
	Option  string   `json:"option,omitempty"`
	Choice  *Choice  `json:"choice,omitempty"` // of a list that the element opens
	Key     string   `json:"key,omitempty"`
	URL     string   `json:"url,omitempty"`     // of navigate
	Fields  []Field  `json:"fields,omitempty"`  // of submit: what was filled first
	Invalid string   `json:"invalid,omitempty"` // of submit: the constraint that the values break
	Reason  string   `json:"reason,omitempty"`  // why it was chosen
}

// Field is an input of a form and what was put into it.
type Field struct {
	Element Element `json:"element"`
	Value   string  `json:"value,omitempty"`
	Option  string  `json:"option,omitempty"`
	Choice  *Choice `json:"choice,omitempty"` // of a list that the field opens
	Checked *bool   `json:"checked,omitempty"`
}

// Choice is what is chosen of a list that a control opens: what it offers is known once it is
// open.
type Choice struct {
	Element Element `json:"element"`           // the option; none: the first that is not chosen yet
	Several bool    `json:"several,omitempty"` // the list takes several, and is closed with Escape
}

// Edge is an action that led from one state to another, or left it as it was.
type Edge struct {
	ID       string  `json:"id"` // "e1", "e2", …
	From     string  `json:"from"`
	To       string  `json:"to"`
	Action   Action  `json:"action"`
	Changes  Changes `json:"changes"`
	Wrote    bool    `json:"wrote,omitempty"`    // a request that changes data left because of it
	SignsOut bool    `json:"signsOut,omitempty"` // it ended the sign-in
	Ms       int64   `json:"ms"`
}

// Changes is what an action changed of what a person sees.
type Changes struct {
	URL      string        `json:"url,omitempty"`   // the new address
	Title    string        `json:"title,omitempty"` // the new title
	Appeared []Element     `json:"appeared,omitempty"`
	Gone     []Element     `json:"gone,omitempty"`
	Dialog   pagetext.Text `json:"dialog,omitempty"`
	Popup    pagetext.Text `json:"popup,omitempty"`
	Download pagetext.Text `json:"download,omitempty"`
}

// Element is an element of a page with the ways to find it again.
type Element struct {
	Index       int          `json:"index"`
	Tag         string       `json:"tag"`
	Type        string       `json:"type,omitempty"`
	Text        string       `json:"text,omitempty"`
	Selector    string       `json:"selector"` // CSS
	Href        string       `json:"href,omitempty"`
	ID          string       `json:"id,omitempty"`
	ClassName   string       `json:"className,omitempty"`
	AriaLabel   string       `json:"ariaLabel,omitempty"`
	Role        string       `json:"role,omitempty"`
	Name        string       `json:"name,omitempty"`     // the accessible name
	Landmark    string       `json:"landmark,omitempty"` // a snapshot line: navigation "Main"
	IsVisible   bool         `json:"isVisible"`
	BoundingBox *element.Box `json:"boundingBox,omitempty"` // CSS pixels of the page
	XPath       string       `json:"xpath,omitempty"`
	Frame       string       `json:"frame,omitempty"`    // a snapshot line of the frame
	Locators    []Locator    `json:"locators,omitempty"` // most robust first
}

// Locator is a selector in the grammar of snapshots, and how many elements it
// led to when the page was looked at.
type Locator struct {
	Selector string `json:"selector"`
	Matches  int    `json:"matches"`
}

// Untried is an action that was found and not done.
type Untried struct {
	State  string        `json:"state"`
	Action Action        `json:"action"`
	Reason pagetext.Text `json:"reason"`
	Cause  string        `json:"cause,omitempty"` // one of the causes below
}

// Causes for which an action is not tried.
const (
	ByGuard  = "guard"  // it would do harm, or is beyond what is explored
	ByWrites = "writes" // it would write, and that is not allowed
	ByBudget = "budget" // the exploration ended before
	ByLikes  = "alike"  // enough of its kind were tried
	ByLoss   = "lost"   // its state could not be reached again
	ByError  = "error"  // it failed
)

// TakesPassword is the reason for which a form that signs in is not tried.
const TakesPassword = "it takes a password"

// SignInPage returns the address of the first page that asks to sign in, where the site was
// explored as nobody; empty where none does.
func (s Site) SignInPage() string {
	if s.Role != "" {
		return ""
	}
	for _, state := range s.States {
		for _, u := range s.Untried {
			if u.State == state.ID && u.Reason == TakesPassword {
				return state.URL
			}
		}
	}
	return ""
}

// Refused and Invalid say of a finding that it follows from a request which the exploration
// stopped, or from values that it made invalid: it is no fault of the page.
const (
	Refused = "refused"
	Invalid = "invalid"
)

// Finding is a fault that was met on the way.
type Finding struct {
	Kind    string        `json:"kind"` // exception, console, http, dead_link, no_answer, health
	Message pagetext.Text `json:"message"`
	URL     pagetext.Text `json:"url"`
	State   string        `json:"state,omitempty"`
	Edge    string        `json:"edge,omitempty"`
	Status  int           `json:"status,omitempty"`  // of http and dead_link
	Request *Request      `json:"request,omitempty"` // of http and dead_link
	At      *Place        `json:"at,omitempty"`      // in a script, of exception and console, if it is known
	Because string        `json:"because,omitempty"` // [Refused], [Invalid], or nothing
}

// Request is one that was not answered well.
type Request struct {
	Method string `json:"method"`
	URL    string `json:"url"`
}

// Place is where in a script of the site something arose. Lines and columns begin with 1.
type Place struct {
	URL    string `json:"url"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
}

// Coverage is how much of a site was seen, by several measures that do not
// replace each other.
type Coverage struct {
	Places           Count `json:"places"`
	States           int   `json:"states"`
	ActionClasses    Count `json:"actionClasses"`
	FormConstraints  Count `json:"formConstraints"`
	ScriptBlocks     Count `json:"scriptBlocks"` // V8's blocks of first-party scripts
	ScriptCharacters Count `json:"scriptCharacters"`
}

// Count is what was covered of what is known.
type Count struct {
	Covered int `json:"covered"`
	Known   int `json:"known"`
}

// Loop is one round of looking and acting, with its times in milliseconds.
type Loop struct {
	Number  int           `json:"number"`
	State   string        `json:"state"`
	Action  pagetext.Text `json:"action"`
	Result  pagetext.Text `json:"result"`
	ScanMS  int64         `json:"scanMs"`
	ActMS   int64         `json:"actMs"`
	TotalMS int64         `json:"totalMs"`
}
