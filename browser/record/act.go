package record

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	"github.com/assay-qa/assay/browser/rest"
)

// Kind says what was done.
type Kind string

// The kinds of acts. Those from [Opened] on are told by the browser, the others by a document.
const (
	Click  Kind = "click"
	Double Kind = "double" // it follows the clicks that it consists of
	Input  Kind = "input"  // a field holds another text; on no element: one that can't be read
	Choose Kind = "choose" // options of a select element
	Files  Kind = "files"  // a control was given files
	Key    Kind = "key"
	Drag   Kind = "drag"
	Drop   Kind = "drop"  // of files, from another program
	Slide  Kind = "slide" // a drag that ends where it began, or on no element
	Aside  Kind = "aside" // a link was opened in another tab or window by hand
	Menu   Kind = "menu"  // a menu of the page was opened by the right button
	Blank  Kind = "blank" // a click on no element

	Stir   Kind = "stir"   // the document has changed, whatever the cause
	Failed Kind = "failed" // the document's recorder could not tell of an act

	Opened     Kind = "opened"     // a tab was opened
	Closed     Kind = "closed"     // a tab has closed
	Crashed    Kind = "crashed"    // a tab's page has crashed
	Went       Kind = "went"       // a tab shows another document, or another address of the same one
	Dialog     Kind = "dialog"     // a dialog was answered
	Downloaded Kind = "downloaded" // a download began
	Unread     Kind = "unread"     // a document can't be listened to
)

// Act is one act, or one thing that the browser did.
type Act struct {
	Kind Kind `json:"kind"`
	Tab  int  `json:"-"` // from 1, in the order in which tabs were opened

	On      *Element `json:"on"` // nil: no element of the page
	To      *Element `json:"to"` // of a drag and of a drop
	Value   string   `json:"value"`
	Key     string   `json:"key"`
	Options []string `json:"options"`
	Several bool     `json:"several"` // several options can be chosen
	Files   []string `json:"files"`   // names; of those that could be found out, paths
	Why     string   `json:"why"`
	Veiled  int      `json:"veiled"` // of Key: its element may have a closed shadow root, and is kept under this number

	URL      string `json:"-"` // of Went and Opened
	Opener   int    `json:"-"` // of Opened: the tab whose page opened it; 0: a person did
	ByPage   bool   `json:"-"` // of Went: a link, a form or a script led there, or the document stayed
	Back     bool   `json:"-"` // of Went: to the entry before in the tab's history
	Jumped   bool   `json:"-"` // of Went: to another entry that the tab has shown
	Dialog   string `json:"-"` // alert, confirm, prompt or beforeunload
	Accepted bool   `json:"-"` // of Dialog
	Text     string `json:"-"` // of Dialog: what it says; of Downloaded: the file's name
}

// Element is what an act is on.
type Element struct {
	Selector string   `json:"selector"` // within its frame
	Frames   []string `json:"frames"`   // lines of the frames around it, the outermost first
	Whole    bool     `json:"whole"`    // Frames lead from the page; otherwise from a frame of another origin
	Kind     string   `json:"kind"`     // text, editor, choice, files, checkbox, radio, or nothing of these
	Role     string   `json:"role"`
	Name     string   `json:"name"`
	ID       int      `json:"id"`       // the same one in one document
	Document string   `json:"-"`        // the same one for its elements
	Secret   bool     `json:"secret"`   // what is typed there must not be shown
	Code     bool     `json:"code"`     // it takes a one-time code
	Suggests bool     `json:"suggests"` // it opens something, such as a list of suggestions
	Hidden   bool     `json:"hidden"`   // it is not rendered
}

// Path returns the selector that finds the element in its page.
func (e *Element) Path() string {
	path := ""
	for _, frame := range e.Frames {
		path += frame + " > "
	}
	return path + e.Selector
}

// Same reports whether two acts are on the same element.
func (e *Element) Same(other *Element) bool {
	return e != nil && other != nil && e.ID == other.ID && e.Document == other.Document
}

// Line is one line of a page that a person sees.
type Line struct {
	Role     string `json:"role"`
	Name     string `json:"name"`
	State    string `json:"state"`    // such as "expanded current"
	Selector string `json:"selector"` // empty: it is like others, or has no words
}

// Look is what a person sees of a tab at a moment.
type Look struct {
	URL   string
	Title string
	Lines []Line
}

// MaxPending bounds the acts that wait to be taken. A document that changes for ever adds none.
const MaxPending = 5000

// Acts holds what was done and not taken yet. All methods may be called concurrently.
type Acts struct {
	mu      sync.Mutex
	pending []Act
	lost    int
}

// Add adds what was done. Beyond [MaxPending] it is counted alone.
func (a *Acts) Add(act Act) {
	a.mu.Lock()
	defer a.mu.Unlock()
	last := len(a.pending) - 1
	switch {
	case act.Kind == Stir && last >= 0 && a.pending[last].Kind == Stir && a.pending[last].Tab == act.Tab:
	case len(a.pending) < MaxPending:
		a.pending = append(a.pending, act)
	case act.Kind != Stir:
		a.lost++
	}
}

// miss counts an act that could not be kept.
func (a *Acts) miss() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.lost++
}

// Take returns what was done since the last call, and how many acts are not in it.
func (a *Acts) Take() (acts []Act, lost int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	acts, lost = a.pending, a.lost
	a.pending, a.lost = nil, 0
	return acts, lost
}

// IsAct reports whether something is more than a document that changes.
func IsAct(a Act) bool { return a.Kind != Stir }

// Pending reports whether something waits to be taken of which is holds.
func (a *Acts) Pending(is func(Act) bool) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.ContainsFunc(a.pending, is)
}

// Await waits until something can be taken of which is holds.
func (a *Acts) Await(ctx context.Context, is func(Act) bool, p rest.Policy) error {
	return rest.Until(ctx, func() (bool, error) {
		return a.Pending(is), nil
	}, rest.Policy{Every: rest.SettlePoll, Limit: p.Limit, Events: p.Events})
}

// readAct decodes what a document's recorder says.
func readAct(payload string) (Act, error) {
	var act Act
	if err := json.Unmarshal([]byte(payload), &act); err != nil {
		return act, fmt.Errorf("read an act: %w", err)
	}
	return act, nil
}
