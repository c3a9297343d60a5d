package peer

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/assay-qa/assay/bench/wire"
	"github.com/assay-qa/assay/internal/demo"
)

// job describes a tester's task, in the calls that a model makes of either server.
type job struct {
	name  string
	calls [bothSides][]jobCall
}

// jobCall describes one call. An argument `ref: button "Send"` stands for the reference
// that the last outline gave the element.
type jobCall struct {
	tool      string
	arguments map[string]any
	outline   bool   // the answer is an outline to take elements from
	shows     string // what the answer must say
	check     bool   // the call is a check that must hold
}

// jobRound holds what one job took on one side.
type jobRound struct {
	took  time.Duration
	bytes int // of the answers' lines
	texts int // of those, the texts of their content
}

//go:embed pages
var jobPages embed.FS

// photograph is the name of the file that a job uploads. It lies in each server's folder.
const photograph = "damage.txt"

// serveJobPages serves the pages of the jobs on loopback.
func serveJobPages() (*httptest.Server, error) {
	pages, err := fs.Sub(jobPages, "pages")
	if err != nil {
		return nil, err
	}
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		page, err := fs.ReadFile(pages, strings.Trim(r.URL.Path, "/")+".html")
		if err != nil {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write(page) // a browser that went away
	})), nil
}

// jobs returns the tasks. Each ends with a check of its outcome on both sides.
func jobs(pages, dashboard string, folders [bothSides]string) []job {
	return []job{formJob(pages), figuresJob(dashboard), lateButtonJob(pages), tabsJob(pages, folders)}
}

// ourCheck verifies that the page says a text.
func ourCheck(text string) jobCall {
	return jobCall{tool: "verify_assertion", check: true, arguments: map[string]any{"assertion": map[string]any{"type": "text_contains", "expected": text}}}
}

// theirCheck verifies that the page says a text.
func theirCheck(text string) jobCall {
	return jobCall{tool: "browser_verify_text_visible", check: true, arguments: map[string]any{"text": text}}
}

// formJob fills in a form of four fields, sends it and checks the answer.
func formJob(pages string) job {
	const thanks = "Thanks, Ada Lovelace: we write to ada@example.test about a repair"
	type field = map[string]any
	return job{name: "form", calls: [bothSides][]jobCall{
		ours: {
			{tool: "page_navigate", arguments: map[string]any{"url": pages + "/contact"}},
			{tool: "page_snapshot", outline: true},
			{tool: "page_fill", arguments: map[string]any{"fields": []field{
				{"selector": `textbox "Name"`, "value": "Ada Lovelace"},
				{"selector": `textbox "Email"`, "value": "ada@example.test"},
				{"selector": `combobox "Topic"`, "option": "A repair"},
				{"selector": `textbox "Message"`, "value": "The saw is blunt"},
			}}},
			{tool: "page_click", arguments: map[string]any{"selector": `button "Send message"`}},
			ourCheck(thanks),
		},
		theirs: {
			{tool: "browser_navigate", arguments: map[string]any{"url": pages + "/contact"}},
			{tool: "browser_snapshot", outline: true},
			{tool: "browser_fill_form", arguments: map[string]any{"fields": []field{
				{"name": "Name", "type": "textbox", "target": `ref: textbox "Name"`, "value": "Ada Lovelace"},
				{"name": "Email", "type": "textbox", "target": `ref: textbox "Email"`, "value": "ada@example.test"},
				{"name": "Topic", "type": "combobox", "target": `ref: combobox "Topic"`, "value": "A repair"},
				{"name": "Message", "type": "textbox", "target": `ref: textbox "Message"`, "value": "The saw is blunt"},
			}}},
			{tool: "browser_click", arguments: map[string]any{"element": "Send message", "target": `ref: button "Send message"`}},
			theirCheck(thanks),
		},
	}}
}

// figuresJob signs in to the sample dashboard and reads two ranges of figures.
func figuresJob(site string) job {
	revenue := func(rangeName string) string {
		return demo.Display(demo.KPIRevenue, demo.KPIs(rangeName, demo.CategoryAll)[demo.KPIRevenue])
	}
	today, week := revenue(demo.RangeToday), revenue(demo.Range7Days)
	type field = map[string]any
	return job{name: "figures", calls: [bothSides][]jobCall{
		ours: {
			{tool: "page_navigate", arguments: map[string]any{"url": site + "/login"}},
			{tool: "page_snapshot", outline: true},
			{tool: "page_fill", arguments: map[string]any{"fields": []field{
				{"selector": `textbox "Email"`, "value": demo.Email},
				{"selector": `textbox "Password"`, "value": demo.Password},
			}}},
			{tool: "page_click", arguments: map[string]any{"selector": `button "Sign in"`}},
			{tool: "page_snapshot", outline: true, shows: today},
			{tool: "page_select", arguments: map[string]any{"selector": `combobox "Range"`, "option": "Last 7 days"}},
			ourCheck(week),
			{tool: "page_click", arguments: map[string]any{"selector": `button "Sign out"`}},
		},
		theirs: {
			{tool: "browser_navigate", arguments: map[string]any{"url": site + "/login"}},
			{tool: "browser_snapshot", outline: true},
			{tool: "browser_fill_form", arguments: map[string]any{"fields": []field{
				{"name": "Email", "type": "textbox", "target": `ref: textbox "Email"`, "value": demo.Email},
				{"name": "Password", "type": "textbox", "target": `ref: textbox "Password"`, "value": demo.Password},
			}}},
			{tool: "browser_click", arguments: map[string]any{"element": "Sign in", "target": `ref: button "Sign in"`}},
			{tool: "browser_snapshot", outline: true, shows: today},
			{tool: "browser_select_option", arguments: map[string]any{"element": "Range", "target": `ref: combobox "Range"`, "values": []string{"Last 7 days"}}},
			theirCheck(week),
			{tool: "browser_click", arguments: map[string]any{"element": "Sign out", "target": `ref: button "Sign out"`}},
		},
	}}
}

// lateButtonJob presses a button that comes late, and reads the console.
func lateButtonJob(pages string) job {
	const counted, said = "12 products counted", "article N-104 has no place"
	return job{name: "console and late button", calls: [bothSides][]jobCall{
		ours: {
			{tool: "page_navigate", arguments: map[string]any{"url": pages + "/stock"}},
			{tool: "page_snapshot", outline: true, arguments: map[string]any{"find": "Count again"}},
			{tool: "page_click", arguments: map[string]any{"selector": `button "Count again"`}},
			ourCheck(counted),
			{tool: "page_get_console_logs", arguments: map[string]any{"level": "error"}, shows: said},
		},
		theirs: {
			{tool: "browser_navigate", arguments: map[string]any{"url": pages + "/stock"}},
			{tool: "browser_wait_for", arguments: map[string]any{"text": "Count again"}},
			{tool: "browser_snapshot", outline: true},
			{tool: "browser_click", arguments: map[string]any{"element": "Count again", "target": `ref: button "Count again"`}},
			theirCheck(counted),
			{tool: "browser_console_messages", arguments: map[string]any{"level": "error"}, shows: said},
		},
	}}
}

// tabsJob follows a link into a second tab, uploads a file there, closes it, confirms a
// dialog of the first tab and checks what arrived. The dialog is in the first tab because
// @playwright/mcp 0.0.83 never answers a click that opens one in the second.
func tabsJob(pages string, folders [bothSides]string) job {
	const received = "Submitted with " + photograph + ", 27 bytes"
	return job{name: "two tabs, upload, dialog", calls: [bothSides][]jobCall{
		ours: {
			{tool: "page_navigate", arguments: map[string]any{"url": pages + "/claims"}},
			{tool: "page_snapshot", outline: true},
			{tool: "page_click", arguments: map[string]any{"selector": `link "Add a photograph"`}},
			{tool: "page_tabs", arguments: map[string]any{"action": "select", "tab": hintedTab}},
			{tool: "page_snapshot", outline: true},
			{tool: "page_upload", arguments: map[string]any{"selector": `button "Photograph"`, "paths": []string{filepath.Join(folders[ours], photograph)}}},
			{tool: "page_click", arguments: map[string]any{"selector": `button "Send"`}},
			{tool: "page_tabs", arguments: map[string]any{"action": "close"}},
			{tool: "page_dialog", arguments: map[string]any{"action": "accept"}},
			{tool: "page_click", arguments: map[string]any{"selector": `button "Submit the claim"`}},
			ourCheck(received),
		},
		theirs: {
			{tool: "browser_navigate", arguments: map[string]any{"url": pages + "/claims"}},
			{tool: "browser_snapshot", outline: true},
			{tool: "browser_click", arguments: map[string]any{"element": "Add a photograph", "target": `ref: link "Add a photograph"`}},
			{tool: "browser_tabs", arguments: map[string]any{"action": "select", "index": 1}},
			{tool: "browser_snapshot", outline: true},
			{tool: "browser_click", arguments: map[string]any{"element": "Photograph", "target": `ref: button "Photograph"`}},
			{tool: "browser_file_upload", arguments: map[string]any{"paths": []string{filepath.Join(folders[theirs], photograph)}}},
			{tool: "browser_click", arguments: map[string]any{"element": "Send", "target": `ref: button "Send"`}},
			{tool: "browser_tabs", arguments: map[string]any{"action": "close", "index": 1}},
			{tool: "browser_click", arguments: map[string]any{"element": "Submit the claim", "target": `ref: button "Submit the claim"`}},
			{tool: "browser_handle_dialog", arguments: map[string]any{"accept": true}},
			theirCheck(received),
		},
	}}
}

// hintedTab stands for the tab that the last answer named in a hint.
const hintedTab = "hinted tab"

// withReferences returns arguments with elements replaced by what the outline calls them.
func withReferences(arguments any, outline string) (any, error) {
	switch v := arguments.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for key, value := range v {
			replaced, err := withReferences(value, outline)
			if err != nil {
				return nil, err
			}
			out[key] = replaced
		}
		return out, nil
	case []map[string]any:
		out := make([]any, 0, len(v))
		for _, value := range v {
			replaced, err := withReferences(value, outline)
			if err != nil {
				return nil, err
			}
			out = append(out, replaced)
		}
		return out, nil
	case string:
		if v == hintedTab {
			found := regexp.MustCompile(`"tab": (\d+)`).FindStringSubmatch(outline)
			if found == nil {
				return nil, fmt.Errorf("no answer names a tab:\n%s", outline)
			}
			return strconv.Atoi(found[1])
		}
		element, is := strings.CutPrefix(v, "ref: ")
		if !is {
			return v, nil
		}
		found := regexp.MustCompile(`(?m)^ *- '?` + regexp.QuoteMeta(element) + `.*?\[ref=(\w+)\]`).FindStringSubmatch(outline)
		if found == nil {
			return nil, fmt.Errorf("no outline has %s:\n%s", element, outline)
		}
		return found[1], nil
	}
	return arguments, nil
}

// takeJobs does each job on both servers, one after the other in changing order, on
// browsers that run.
func (m *measurement) takeJobs(ctx context.Context, rounds int) (err error) {
	pages, err := serveJobPages()
	if err != nil {
		return err
	}
	defer pages.Close()
	var folders [bothSides]string
	for who, s := range m.sides {
		folders[who] = s.program.Dir
		if err := os.WriteFile(filepath.Join(s.program.Dir, photograph), []byte("a photograph of the damage\n"), 0o600); err != nil {
			return err
		}
	}
	servers, stop, err := m.bothSignedIn(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stop()) }()
	m.jobs = map[string][][bothSides]jobRound{}
	for _, j := range jobs(pages.URL, m.site, folders) {
		for i := range rounds + 1 {
			var pair [bothSides]jobRound
			for _, who := range order(i) {
				if pair[who], err = servers[who].work(j.calls[who]); err != nil {
					return fmt.Errorf("job %q, round %d: %w", j.name, i+1, err)
				}
			}
			if i > 0 { // the first warms up
				m.jobs[j.name] = append(m.jobs[j.name], pair)
			}
		}
		fmt.Fprintf(m.progress, "%d rounds of the job %q\n", rounds, j.name)
	}
	return nil
}

// work makes the calls of a job.
func (s *server) work(calls []jobCall) (r jobRound, err error) {
	outline := ""
	for i, c := range calls {
		if c.arguments == nil {
			c.arguments = map[string]any{}
		}
		arguments, err := withReferences(c.arguments, outline)
		if err != nil {
			return r, fmt.Errorf("%s: call %d, %s: %w", s.Name, i+1, c.tool, err)
		}
		a, err := s.Within(func() (wire.Answer, error) {
			return s.Client.Tool(wire.Call{Name: c.tool, Arguments: arguments.(map[string]any)}) //nolint:errcheck,forcetypeassert // a map gives a map
		})
		if err != nil {
			return r, err
		}
		if a.Failed || c.check && !s.hands.passed(a) || !strings.Contains(a.Text, c.shows) {
			return r, fmt.Errorf("%s: call %d, %s: %s", s.Name, i+1, c.tool, a.Text)
		}
		if c.outline || strings.Contains(a.Text, `"tab": `) {
			outline = a.Text + "\n" + outline // the newest first; those of other tabs still count
		}
		r.took += a.Took
		r.bytes += a.Bytes
		r.texts += len(a.Text)
	}
	return r, nil
}

// jobFigures returns the rows of the jobs, with the bars of the requirements.
func (m *measurement) jobFigures() []figure {
	var rows []figure
	for _, j := range jobs("", "", [bothSides]string{}) {
		row := func(what, unit string, b bar, of func(jobRound) float64) {
			var pairs [][bothSides]float64
			for _, r := range m.jobs[j.name] {
				pairs = append(pairs, [bothSides]float64{of(r[ours]), of(r[theirs])})
			}
			rows = append(rows, newFigure(j.name+": "+what, unit, b, pairs))
		}
		calls := [bothSides]float64{float64(len(j.calls[ours])), float64(len(j.calls[theirs]))}
		rows = append(rows, newFigure(j.name+": calls", "", bar{Ratio: 1}, [][bothSides]float64{calls}))
		row("answers, text and structured", "bytes", bar{Ratio: 0.5}, func(r jobRound) float64 { return float64(r.bytes) })
		row("answers, their text alone", "bytes", bar{}, func(r jobRound) float64 { return float64(r.texts) })
		row("time", "ms", bar{Ratio: 1}, func(r jobRound) float64 { return float64(r.took.Microseconds()) / 1000 })
	}
	return rows
}
