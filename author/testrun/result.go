package testrun

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/assay-qa/assay/internal/pattern"
	"github.com/assay-qa/assay/qa"
)

// Result is what came of the tests of one run.
type Result struct {
	Version     string          // of the runner
	Tests       []Test          // in the order in which they ended
	Errors      []Failure       // beside tests, such as a file that can't be read
	Writes      []qa.RequestRef // that asked a site to change something, where the request wanted them
	Interrupted bool

	begun bool
}

// NoTests reports whether the runner found no tests at all.
func (r Result) NoTests() bool { return len(r.Tests) == 0 && len(r.Mistakes()) == 0 }

// Mistakes returns what is wrong beside tests, but for that there are none.
func (r Result) Mistakes() []Failure {
	var out []Failure
	for _, e := range r.Errors {
		if !e.told().noTests {
			out = append(out, e)
		}
	}
	return out
}

// Test is what came of one test.
type Test struct {
	Project     string       `json:"project"` // of the configuration; the slot, where there are slots
	Titles      []string     `json:"titles"`  // of the describe blocks and the test
	Location    Location     `json:"location"`
	Status      string       `json:"status"` // passed, failed, timedOut, skipped or interrupted
	Expected    string       `json:"expected"`
	DurationMS  int64        `json:"duration"`
	Retry       int          `json:"retry"`
	Errors      []Failure    `json:"errors"`
	Steps       []Step       `json:"steps"` // those within others follow them, one deeper
	Attachments []Attachment `json:"attachments"`
}

// Title returns the titles as one text.
func (t Test) Title() string { return strings.Join(t.Titles, " › ") }

// Passed reports whether the test ended as it should.
func (t Test) Passed() bool { return t.Status == t.Expected && t.Status != "skipped" }

// Location is a place in a file.
type Location struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column,omitempty"`
}

// Failure says what went wrong.
type Failure struct {
	Message  string    `json:"message"`
	Location *Location `json:"location,omitempty"`
	Snippet  string    `json:"snippet,omitempty"`
}

// told is what the runner tells in words alone.
type told struct {
	text     string    // in one line, without the log of an expectation's waiting, which says the same again
	noTests  bool      // it found none
	tooLong  bool      // the test took longer than it may
	at       *Location // a place in the words
	selector string    // the locator that it is about
}

// told reads the runner's words, which is done here alone: its reporter gives nothing else. Of
// an act the log is kept, as it is all that says why.
func (f Failure) told() told {
	message, _, logged := strings.Cut(f.Message, "\nCall log:")
	if logged && !strings.Contains(message, "\nLocator:") && !strings.Contains(message, "\nExpected") {
		message = f.Message
	}
	var parts []string
	for part := range strings.Lines(message) {
		if part = strings.Join(strings.Fields(part), " "); part != "" {
			parts = append(parts, part)
		}
	}
	out := told{text: strings.TrimPrefix(strings.Join(parts, "; "), "Error: "), noTests: strings.Contains(f.Message, "No tests found")}
	out.tooLong = strings.HasPrefix(out.text, "Test timeout of ")
	if m := placeInText.FindStringSubmatch(f.Message); m != nil {
		l := Location{File: m[1]}
		if _, err := fmt.Sscan(m[2], &l.Line); err == nil {
			out.at = &l
		}
	}
	if m := locatorLine.FindStringSubmatch(f.Message); m != nil {
		out.selector = m[1]
	}
	return out
}

// Text returns the failure in one line, with its place.
func (f Failure) Text() string {
	line := f.told().text
	if f.Location != nil {
		return fmt.Sprintf("%s (%s:%d)", line, filepath.Base(f.Location.File), f.Location.Line)
	}
	return line
}

// Why says in one line why the test failed: of one that took too long, also what it
// waited for, which is an error of its own. Empty: there is no error.
func (t Test) Why() string {
	switch {
	case len(t.Errors) == 0:
		return ""
	case len(t.Errors) > 1 && t.Errors[0].told().tooLong:
		return t.Errors[0].Text() + " " + t.Errors[1].Text()
	default:
		return t.Errors[0].Text()
	}
}

// Step is one step of a test.
type Step struct {
	Category   string    `json:"category"` // expect, pw:api, test.step, fixture, hook
	Title      string    `json:"title"`
	Depth      int       `json:"depth"`
	Location   *Location `json:"location"`
	DurationMS int64     `json:"duration"`
	Error      *Failure  `json:"error"`
}

// Attachment is a file that a test left.
type Attachment struct{ Name, Type, Path string }

// maxEvents bounds the file of events.
const maxEvents = 256 << 20

var placeInText = pattern.New(`(/[^\s:()]+\.[cm]?[jt]sx?):(?: .*\()?(\d+):(\d+)\)?`)

// event is a line of what the reporter writes.
type event struct {
	Event   string
	Version string
	Error   *Failure
	Request qa.RequestRef // of a write
	Test
}

// eachEvent hands over the events that a file has behind a place, those whose lines are whole,
// and returns the place behind them. What can't be read is read by readEvents at the end.
func eachEvent(path string, at int64, each func(event)) int64 {
	file, err := os.Open(path)
	if err != nil {
		return at
	}
	defer file.Close()
	text, err := io.ReadAll(io.NewSectionReader(file, at, maxEvents))
	if err != nil {
		return at
	}
	for {
		line, rest, whole := bytes.Cut(text, []byte("\n"))
		if !whole {
			return at
		}
		var e event
		if json.Unmarshal(line, &e) == nil {
			each(e)
		}
		at, text = at+int64(len(line))+1, rest
	}
}

// readEvents reads what the reporter wrote. The last line may be cut.
func readEvents(path string) (Result, error) {
	var r Result
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return r, nil
	}
	if err == nil && info.Size() > maxEvents {
		err = fmt.Errorf("the runner's events take %d bytes, more than %d", info.Size(), maxEvents)
	}
	if err != nil {
		return r, err
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return r, err
	}
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, len(text)+1)
	for lines.Scan() {
		var e event
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			break // an interrupted runner's last line
		}
		switch e.Event {
		case "begin":
			r.begun, r.Version = true, e.Version
		case "error":
			if e.Error != nil {
				r.Errors = append(r.Errors, placed(*e.Error))
			}
		case "test":
			r.Tests = append(r.Tests, e.Test)
		case "write":
			r.wrote(e.Request)
		}
	}
	return r, lines.Err()
}

// wrote enters a request when it is sent, and its status when its answer has come.
func (r *Result) wrote(w qa.RequestRef) {
	if at := slices.IndexFunc(r.Writes, func(known qa.RequestRef) bool { return known.ID == w.ID }); at >= 0 {
		r.Writes[at] = w
		return
	}
	r.Writes = append(r.Writes, w)
}

// placed takes the place of a mistake from the message where the runner names none.
func placed(f Failure) Failure {
	if f.Location == nil {
		f.Location = f.told().at
	}
	return f
}

// Duration is how long a test took.
func (t Test) Duration() time.Duration { return time.Duration(t.DurationMS) * time.Millisecond }

var locatorLine = pattern.New(`(?m)^\s*(?:Locator:|- waiting for|Locator string:)\s*(.+?)(?: to be visible)?\s*$`)

// Locator returns the locator that a failure is about, or "".
func (t Test) Locator() string {
	for _, e := range t.Errors {
		if selector := e.told().selector; selector != "" {
			return selector
		}
	}
	return ""
}
