package prove

import (
	"path/filepath"

	"github.com/assay-qa/assay/author/testrun"
	"github.com/assay-qa/assay/qa/element"
)

// record is what was watched in one run of one test.
type record struct {
	Slot   string              `json:"slot"`
	Test   string              `json:"test"` // file and title
	Ops    []op                `json:"ops"`
	Waits  map[string]int64    `json:"waits"` // how long calls took that only wait, in milliseconds, by where they stand
	Pages  [][]element.Element `json:"pages"` // what was worked on the pages of acts, each once
	Names  []string            `json:"names"` // ids and classes that a build made
	Mutant string              `json:"mutant"`
	Proof  *proof              `json:"proof"`
}

// op is one call of a test: an act, an expectation, a reading or a navigation.
type op struct {
	Key      string             `json:"key"`
	N        int                `json:"n"` // how often the key has come
	Kind     string             `json:"kind"`
	Method   string             `json:"method"`
	Selector string             `json:"selector"`
	At       *testrun.Location  `json:"at"`
	Made     []testrun.Location `json:"made"` // of a study: where locators with this selector were made
	URL      string             `json:"url"`
	URLAfter string             `json:"urlAfter"`
	OK       bool               `json:"ok"`
	Pending  bool               `json:"pending"` // it had not ended when the test had
	Not      bool               `json:"not"`
	Echo     bool               `json:"echo"` // of a look at a field: it finds what the test has typed there, and did nothing else since
	Argument string             `json:"argument"`
	Expected []string           `json:"expected"` // texts, of an expectation
	MS       int64              `json:"ms"`
	Elements []target           `json:"elements"`
	Requests []request          `json:"requests"`

	hook bool // it was called before the test itself began

	Marks   []element.Element   `json:"marks"`   // what its elements are known by
	Page    *int                `json:"page"`    // of an act: which of the record's
	Count   int                 `json:"count"`   // of a study: how many elements the selector led to
	Sought  int64               `json:"sought"`  // of a study: milliseconds until there was one
	Looks   [][]element.Element `json:"looks"`   // of a study: all elements of the page, twice
	Picture string              `json:"picture"` // of a study: file of a screenshot
}

// The kinds of calls.
const (
	act    = "act"
	expect = "expect"
	read   = "read"
	goTo   = "goto"
)

// target is what a locator led to.
type target struct {
	Tag       string `json:"tag"`
	Text      string `json:"text"`
	Value     string `json:"value"`
	Type      string `json:"type"`
	Control   bool   `json:"control"`
	Checkable bool   `json:"checkable"`
	Secret    bool   `json:"secret"`
	Form      bool   `json:"form"`
	Invalid   bool   `json:"invalid"` // its form does not hold its constraints
	HTML      string `json:"html"`
}

// request is one that was answered since a call began.
type request struct {
	Method     string `json:"method"`
	Path       string `json:"path"`
	Origin     string `json:"origin"`
	URL        string `json:"url"`
	Type       string `json:"type"`
	Status     int    `json:"status"`
	Navigation bool   `json:"navigation"` // of the page itself
	MIME       string `json:"mime"`
	Digest     string `json:"digest"`
	Shape      *shape `json:"shape"`
}

// shape says what can be changed in an answer of JSON.
type shape struct {
	List    int  `json:"list"`
	Varied  bool `json:"varied"`
	Numbers bool `json:"numbers"`
	Words   bool `json:"words"` // records that have words of their own
}

// proof says whether a mutant reached the page.
type proof struct {
	Reached bool              `json:"reached"` // the test came to the step
	Changed int               `json:"changed"`
	Before  string            `json:"before"` // digests of what was changed
	After   string            `json:"after"`
	Waited  *testrun.Location `json:"waited"` // what failed first is this wait for a state
	Thrown  bool              `json:"thrown"` // what failed first is an error that JavaScript did not throw of itself
	Held    *bool             `json:"held"`   // the change was still there after the step
	Why     string            `json:"why"`    // it could not be brought about
}

func (r request) key() string { return r.Method + " " + r.Path }

// recordKey is how the watch names a test.
func recordKey(t testrun.Test) string { return t.Location.File + "\n" + t.Title() }

// readRecords reads what was watched, by slot and test.
func readRecords(folder string) (map[string]map[string]record, error) {
	out := map[string]map[string]record{}
	names, err := filepath.Glob(filepath.Join(folder, "*.json"))
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		r, err := readRecord(name)
		if err != nil {
			return nil, err
		}
		if out[r.Slot] == nil {
			out[r.Slot] = map[string]record{}
		}
		out[r.Slot][r.Test] = r
	}
	return out, nil
}
