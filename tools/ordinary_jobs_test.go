package tools_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/browser/guard"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/flow"
	"github.com/assay-qa/assay/tools/flows"
)

// sends makes the forms and buttons of an application send what they say, as its own
// scripts do.
const sends = `<p id=said role=status></p><script>
const told = text => document.querySelector('#said').textContent = text
const fields = form => form instanceof HTMLFormElement ? Object.fromEntries(new FormData(form)) : {}
async function send(method, path, options) { const r = await fetch(path, {method, ...options}); told((await r.json()).ok ? 'Done' : 'Failed') }
const json = value => ({headers: {'Content-Type': 'application/json'}, body: JSON.stringify(value)})
function bind() {
	for (const x of document.querySelectorAll('[data-send], [data-gql], [data-json]')) {
		if (x.bound) continue
		x.bound = true
		x.addEventListener(x instanceof HTMLFormElement ? 'submit' : 'click', e => {
			e.preventDefault()
			if (x.dataset.gql) return send('POST', '/graphql', json({query: x.dataset.gql, variables: fields(x)}))
			const [method, path] = (x.dataset.send || x.dataset.json).split(' ')
			if (x.dataset.json && !x.querySelector?.('[type=file]')) return send(method, path, json(fields(x)))
			send(method, path, {body: x instanceof HTMLFormElement ? new FormData(x) : undefined})
		})
	}
}
bind()</script>`

// application serves the pages of one of the applications, and notes what arrives.
type application struct {
	pages map[string]string
	url   string

	mu   sync.Mutex
	seen []string
}

func (a *application) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a.mu.Lock()
	a.seen = append(a.seen, r.Method+" "+r.URL.Path)
	a.mu.Unlock()
	switch page, found := a.pages[r.URL.Path]; {
	case r.Method != http.MethodGet && strings.Contains(r.Header.Get("Accept"), "text/html"):
		http.Redirect(w, r, "/thanks", http.StatusSeeOther)
	case r.Method != http.MethodGet:
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"ok": true, "data": {}}`)
	case r.URL.Path == "/favicon.ico":
		w.WriteHeader(http.StatusNoContent)
	default:
		if !found {
			page = "<h1>Thank you</h1>"
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, "<!doctype html><title>A</title>"+page+sends)
	}
}

// arrived reports whether a request came since it was asked last.
func (a *application) arrived(request string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	found := slices.Contains(a.seen, request)
	a.seen = nil
	return found
}

// applications starts the five.
func applications(t *testing.T) map[string]*application {
	t.Helper()
	text, err := os.ReadFile("testdata/jobs/pages.html")
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]*application{}
	for _, part := range strings.Split("\n"+string(text), "\n== ")[1:] {
		head, body, _ := strings.Cut(part, "\n")
		name, path, _ := strings.Cut(head, " ")
		if out[name] == nil {
			out[name] = &application{pages: map[string]string{}}
			server := httptest.NewServer(out[name])
			t.Cleanup(server.Close)
			out[name].url = server.URL
		}
		out[name].pages[path] = body
	}
	return out
}

// stepOf reads a step of a job, such as: fill Email=anna@example.test.
func stepOf(text, file string) qa.FlowStep {
	action, rest, _ := strings.Cut(text, " ")
	rest, value, _ := strings.Cut(rest, "=")
	role := map[string]string{"fill": "textbox", "select": "combobox"}[action]
	step := qa.FlowStep{Action: action, Selector: rest}
	if role != "" && !strings.HasSuffix(rest, `"`) {
		step.Selector = fmt.Sprintf("%s %q", role, rest)
	}
	switch action {
	case "fill":
		step.Value = value
	case "select":
		step.Option = value
	case "upload":
		step.Selector, step.Value = "css=input[type=file]", file
	}
	return step
}

// callOf returns the call of a tool that does a step.
func callOf(t *testing.T, s qa.FlowStep) (tool, args string) {
	t.Helper()
	with := map[string]any{"selector": s.Selector}
	switch s.Action {
	case "fill":
		with["value"] = s.Value
	case "select":
		with["option"] = s.Option
	case "upload":
		with["paths"] = []any{s.Value}
	}
	out, err := json.Marshal(with)
	if err != nil {
		t.Fatal(err)
	}
	return "page_" + s.Action, string(out)
}

// A12: ordinary jobs are done, by calls of a client and by flows that a person wrote, on
// five applications: server-rendered, with fetch, over GraphQL, a single page over JSON,
// and in another language. SOAK=1 does all of them.
func TestOrdinaryJobs(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	file := filepath.Join(root, "ban list.txt")
	if err := os.WriteFile(file, []byte("delete"), 0o600); err != nil {
		t.Fatal(err)
	}
	g, err := guard.New(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	d := onlineWith(t, func(o *browser.Options) { o.Guard, o.UploadRoots = g.ByActs(), []string{root} })
	d.ok("run_start", `{"goal": "ordinary jobs"}`)
	sites := applications(t)
	text, err := os.ReadFile("testdata/jobs/jobs.tsv")
	if err != nil {
		t.Fatal(err)
	}
	all, hindered := strings.Split(strings.TrimSpace(string(text)), "\n")[1:], 0
	for i, line := range all {
		fields := strings.Split(line, "\t")
		known := len(fields) == 7
		if known {
			hindered++
		}
		if !sampled(i, 5) {
			continue
		}
		site, page, job, arrives := sites[fields[0]], fields[1], fields[2], fields[4]
		var steps []qa.FlowStep
		for _, step := range strings.Split(fields[3], "; ") {
			steps = append(steps, stepOf(step, file))
		}
		var why string
		if strings.HasPrefix(job, "written:") {
			why = written(t, d, flow.Flow{StartURL: site.url + page, SuccessCondition: "text=" + fields[5], Steps: steps, Written: true})
		} else {
			why = worked(d, site.url+page, steps)
		}
		if known != (why != "") {
			t.Errorf("%s, %s: hindered: %q, known: %v", fields[0], job, why, known)
		}
		if came := site.arrived(arrives); !came && why == "" {
			t.Errorf("%s, %s: %s did not arrive", fields[0], job, arrives)
		}
	}
	if len(all) < 60 || hindered*100 > 2*len(all) {
		t.Errorf("%d of %d jobs are hindered, 2 %% may be", hindered, len(all))
	}
}

// worked does a job by calls, and returns what hindered it.
func worked(d desk, address string, steps []qa.FlowStep) string {
	d.t.Helper()
	d.ok("page_navigate", `{"url": %q}`, address)
	for _, step := range steps {
		tool, args := callOf(d.t, step)
		if a := d.raw(tool, args); a.Error.Code == "ACTION_BLOCKED" || a.Error.Code == "NEEDS_HUMAN" {
			return a.text
		} else if !a.OK {
			d.t.Errorf("%s %s: %s", tool, args, a.text)
		}
	}
	s, err := d.Pool.Session(d.session())
	if err != nil {
		d.t.Fatal(err)
	}
	return string(pagetext.Join(s.TakeStopped(), "; "))
}

// written does a job by a flow that a person wrote, and returns what hindered it.
func written(t *testing.T, d desk, f flow.Flow) string {
	t.Helper()
	result, err := flows.Play(t.Context(), d.Workspace, f, func(string) {})
	if err != nil {
		t.Fatal(err)
	}
	if result.Status != qa.TestPassed {
		return fmt.Sprint(result.FailureReason)
	}
	return ""
}
