package author_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-qa/assay/author/explore"
	"github.com/assay-qa/assay/author/plan"
	"github.com/assay-qa/assay/author/site"
	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/browser/browsertest"
	"github.com/assay-qa/assay/browser/guard"
	"github.com/assay-qa/assay/browser/scan"
	"github.com/assay-qa/assay/evidence"
	"github.com/assay-qa/assay/evidence/report"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/tools/author"
	"github.com/assay-qa/assay/tools/workspace"
)

var pool *browser.Pool // of all tests; none of them ends what runs in it

func TestMain(m *testing.M) {
	os.Exit(browsertest.Main(m, browser.Options{}, func(p *browser.Pool) { pool = p }))
}

// desk returns a workspace with a browser.
func desk(t *testing.T) *workspace.Workspace {
	t.Helper()
	if testing.Short() {
		t.Skip("needs the browser")
	}
	return &workspace.Workspace{Settings: workspace.Settings{Pool: pool, Now: time.Now, Log: slog.New(slog.DiscardHandler)}}
}

// options are those of the settings' defaults.
func options(t *testing.T, writes bool) author.Options {
	t.Helper()
	judge, err := guard.New(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	judge = judge.ByActs() // as guard.destructive = "as-written"
	if !writes {
		judge = judge.OnlyReading()
	}
	return author.Options{Out: t.TempDir(), Parallel: 2, Guard: judge, Waits: author.Waits{Act: 2 * time.Second, Quiet: 1500 * time.Millisecond}, Scan: scan.Options{Max: 400},
		Explore: explore.Options{AllowWrites: writes, StayOnDomain: true, Notable: 10, Limits: explore.Limits{Actions: 150, Frontier: explore.DefaultFrontierLimits()}}}
}

// testSite is a hand-written site that notes what is asked of it.
type testSite struct {
	*httptest.Server
	links string // beside the page's own
	mu    sync.Mutex
	asked []string // METHOD path
	loads int      // of the page with the advert
}

const navigation = `<nav aria-label=Main><a href=/>Home</a> <a href=/list>List</a> <a href=/calendar>Calendar</a> <a href=/shifting>Shifting</a> <a href=/form>Form</a> <a href=/acts>Acts</a>
<a href=/logout>Log out</a> <a href=mailto:x@a.test>Mail</a> <a href=https://other.test/>Other</a></nav>`

var pages = map[string]string{
	"/": `<h1>Home</h1><p>Welcome</p>`,
	// A list that grows for ever, whose items lead to one page each.
	"/list": `<h1>List</h1><ul id=l></ul><button onclick=more()>More</button><script>let n=0;function more(){for(let i=0;i<10;i++){n++;l.insertAdjacentHTML('beforeend','<li><a href="/item/'+n+'">Thing '+n+'</a></li>')}}more()</script>`,
	// A calendar with a next button that never ends.
	"/calendar": `<h1>Calendar</h1><button onclick="draw(++m)">Next month</button><h2 id=h></h2><table><tbody id=b></tbody></table><script>let m=0;function draw(m){const d=new Date(2026,m,1);h.textContent=d.toLocaleString('en',{month:'long',year:'numeric'});
		b.innerHTML=[0,1,2,3].map(w=>'<tr>'+[1,2,3,4,5,6,7].map(x=>'<td><button>'+(w*7+x)+'</button></td>').join('')+'</tr>').join('')}draw(0)</script>`,
	// An id that differs at each load, an advert at every second one, and a clock.
	"/shifting": `<h1>Shifting</h1><div id=a></div><p id=c></p><button id=k>Open</button><section aria-label=Part hidden id=s><h2>Opened</h2></section><script>k.id='btn-'+Math.random().toString(16).slice(2);document.querySelector('button').onclick=()=>{document.querySelector('section').hidden=false};
		if(ODD)a.innerHTML='<aside aria-label=Advert>Buy</aside>';setInterval(()=>{c.textContent=String(Math.random())},200)</script>`,
	"/form": `<h1>Form</h1><form method=post action=/save><label>E-mail <input type=email name=e required></label><label>Age <input type=number name=a min=1 max=9></label><button>Send</button></form>
		<form method=post action=/signin><label>Password <input type=password name=p></label><button>Sign in</button></form>
		<form method=post action=/buy><label>Card number <input name=n autocomplete=cc-number></label><button>Order</button></form>`,
	"/acts": `<h1>Acts</h1><button onclick="fetch('/api/count',{method:'POST'})">Recount</button><button onclick="fetch('/api/all',{method:'DELETE'})">Clean</button><button>Delete account</button>
		<button onclick="window.open('/popup')">Open window</button><a href=/file.csv download>Report</a><button onclick="alert('hello')">Greet</button><button onclick="throw new Error('boom')">Break</button><a href=/gone>Gone</a>`,
	"/popup": `<h1>Popup</h1>`,
	// What others wrote stands in forms, and in none, whatever their addresses say.
	"/wiki":    `<h1>Handbook</h1><form method=post action=/wiki-saved><input type=hidden name=id value=start><textarea name=text>Thirty days each year</textarea><label>Summary <input name=s required></label><button>Save page</button></form>`,
	"/account": `<h1>Account</h1><form onsubmit="event.preventDefault();fetch('/api/account',{method:'POST',body:new FormData(this)})"><label>Name <input name=n value="Dana Reyes"></label><label>Town <input name=t></label><button>Save account</button></form>`,
	"/note":    `<h1>Note</h1><label>Note <input value="Call Kim" oninput="fetch('/api/typed',{method:'PUT'})"></label><button onclick="fetch('/api/notes/1',{method:'PATCH'})">Keep note</button>`,
	"/page":    `<h1>Page</h1><div contenteditable role=textbox aria-label=Text>Ask your lead</div><button onclick="fetch('/api/pages/1',{method:'PUT'})">Publish page</button>`,
	// A form that makes something may have defaults.
	"/event": `<h1>New event</h1><form method=post action=/events><label>Day <input type=date name=d value=2026-11-28></label><label>Title <input name=t></label><label>Town <input name=w value=Berlin></label><button>Create event</button></form>
		<form method=post action=/basket><label>Pieces <input name=n value=1></label><button>Add to basket</button></form>`,
}

func serve(t *testing.T) *testSite {
	t.Helper()
	s := &testSite{links: navigation}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.asked = append(s.asked, r.Method+" "+r.URL.Path)
		if r.URL.Path == "/shifting" {
			s.loads++
		}
		odd := fmt.Sprint(s.loads%2 == 1)
		s.mu.Unlock()
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		body, ok := pages[r.URL.Path]
		switch {
		case r.URL.Path == "/favicon.ico":
			w.WriteHeader(http.StatusNoContent)
			return
		case strings.HasPrefix(r.URL.Path, "/item/"):
			body = "<h1>Thing " + filepath.Base(r.URL.Path) + "</h1><p>Costs 7.00</p>"
		case r.URL.Path == "/file.csv":
			w.Header().Set("Content-Disposition", "attachment; filename=file.csv")
			body = "a,b"
		case r.Method == http.MethodPost:
			body = "<h1>Saved</h1>"
		case !ok:
			w.WriteHeader(http.StatusNotFound)
			body = "<h1>Not here</h1>"
		}
		fmt.Fprint(w, "<!doctype html><html lang=en><title>"+r.URL.Path+"</title>"+s.links+"<main>"+strings.Replace(body, "ODD", odd, 1)+"</main>")
	}))
	t.Cleanup(s.Close)
	return s
}

// all returns what was asked of the site, each once.
func (s *testSite) all() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := slices.Clone(s.asked)
	slices.Sort(out)
	return slices.Compact(out)
}

// run explores a site and returns what was found.
func run(t *testing.T, ws *workspace.Workspace, o author.Options, address string) site.Site {
	t.Helper()
	o.URLs = []string{address}
	r := author.Explore(t.Context(), ws, o)[0]
	if r.Err != nil {
		t.Fatal(r.Err)
	}
	stored, err := site.Read(r.Dir)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(r.Site, stored); diff != "" {
		t.Errorf("site.json is not what was found (-found +stored):\n%s", diff)
	}
	data, err := os.ReadFile(filepath.Join(r.Dir, author.PlanName))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := plan.Parse(author.PlanName, data); err != nil {
		t.Errorf("the test plan can't be read: %v", err)
	}
	return r.Site
}

// graph returns what must be equal where site and seed are: states and edges.
func graph(s site.Site, host string) []string {
	var out []string
	for _, state := range s.States {
		out = append(out, state.ID+" "+strings.TrimPrefix(state.Place, host)+" "+state.Shape[:12])
	}
	for _, e := range s.Edges {
		out = append(out, e.From+" → "+e.To+": "+explore.Describe(e.Action))
	}
	return append(out, "stopped: "+s.Stop.Reason)
}

// A site with all that explorers trip over is explored to its end, without harm, and
// twice alike (C1, C2, C6).
func TestExploringAHostileSite(t *testing.T) {
	ws, s := desk(t), serve(t)
	host := strings.TrimPrefix(s.URL, "http://")
	first := run(t, ws, options(t, false), s.URL+"/")
	for _, asked := range s.all() {
		if !strings.HasPrefix(asked, "GET ") || asked == "GET /logout" {
			t.Errorf("harm was done: %s", asked)
		}
	}
	visited := map[string]bool{}
	for _, state := range first.States {
		visited[strings.TrimPrefix(state.Place, host)] = true
	}
	for _, place := range []string{"", "/list", "/calendar", "/shifting", "/form", "/acts", "/item/{n}", "/popup", "/gone"} {
		if !visited[place] {
			t.Errorf("place %q was not visited", place)
		}
	}
	if len(first.States) > 16 || first.Stop.Reason != site.Complete && first.Stop.Reason != site.NoNewState {
		t.Errorf("%d states, stopped: %+v; want at most 16 and an end", len(first.States), first.Stop)
	}
	for _, kind := range []string{"exception", "dead_link"} {
		if !slices.ContainsFunc(first.Findings, func(f site.Finding) bool { return f.Kind == kind }) {
			t.Errorf("no finding of kind %s: %+v", kind, first.Findings)
		}
	}
	has := func(what string, test func(site.Edge) bool) {
		if !slices.ContainsFunc(first.Edges, test) {
			t.Errorf("no edge with %s", what)
		}
	}
	has("a dialog", func(e site.Edge) bool { return e.Changes.Dialog == "hello" })
	has("a popup", func(e site.Edge) bool { return strings.HasSuffix(string(e.Changes.Popup), "/popup") })
	has("a download", func(e site.Edge) bool { return e.Changes.Download == "file.csv" })
	for name, want := range map[string]string{"Recount": "stopped", "Clean": "stopped", "Delete account": "destructive", "Log out": "signs out", "Mail": "no page of the web", "Other": "another host", "Order": "means of payment",
		"Sign in": "password", "Send": "--allow-writes"} {
		if !slices.ContainsFunc(first.Untried, func(u site.Untried) bool {
			return u.Action.Element != nil && u.Action.Element.Name == name && strings.Contains(string(u.Reason), want)
		}) {
			t.Errorf("%q is not listed as untried because of %q", name, want)
		}
	}
	if c := first.Coverage.FormConstraints; c.Covered != 4 || c.Known != 4 {
		t.Errorf("constraints of forms: %+v, want 4 of 4", c)
	}
	second := run(t, ws, options(t, false), s.URL+"/")
	if diff := cmp.Diff(graph(first, host), graph(second, host)); diff != "" {
		t.Errorf("same site, same seed, another graph (-first +second):\n%s", diff)
	}
}

// With leave to write, forms are sent, and nothing destructive is done (C1).
func TestExploringWithWrites(t *testing.T) {
	ws, s := desk(t), serve(t)
	s.links = `<nav aria-label=Main><a href=/form>Form</a> <a href=/acts>Acts</a> <a href=/wiki>Wiki</a> <a href=/account>Account</a> <a href=/note>Note</a> <a href=/page>Page</a>
		<a href=/event>Event</a> <a href=/logout>Log out</a></nav>` // the rest is explored above
	found := run(t, ws, options(t, true), s.URL+"/form")
	asked := s.all()
	for _, sent := range []string{"POST /save", "POST /events", "POST /basket"} {
		if !slices.Contains(asked, sent) {
			t.Errorf("%s was not sent: %v", sent, asked)
		}
	}
	for _, never := range []string{"DELETE /api/all", "POST /buy", "POST /signin", "POST /wiki-saved", "POST /api/account", "PUT /api/typed", "PATCH /api/notes/1", "PUT /api/pages/1"} {
		if slices.Contains(asked, never) {
			t.Errorf("harm was done: %s", never)
		}
	}
	i := slices.Index(s.asked, "GET /logout")
	if i < 0 || slices.ContainsFunc(s.asked[i:], func(a string) bool { return a == "POST /save" }) {
		t.Errorf("signing out does not come last: %v", s.asked[max(0, i-3):])
	}
	if !slices.ContainsFunc(found.Edges, func(e site.Edge) bool { return e.Wrote && e.Action.Kind == site.Submit }) {
		t.Error("no edge says that it wrote")
	}
}

// requireRun: an exploration is a run with events, pictures and site.json, whose verdict
// says how it ended (issue 32 item 7). It returns the run's id.
func requireRun(t *testing.T, store *evidence.Store, r author.Result, want qa.Status) string {
	t.Helper()
	filed, err := store.Report(r.Site.RunID)
	if err != nil {
		t.Fatal(err)
	}
	if filed.Status != want || r.Status != want || len(filed.Timeline) == 0 && want != qa.Failed {
		t.Errorf("run %s: %s (%s) with %d events, want %s", filed.RunID, filed.Status, filed.StatusReason, len(filed.Timeline), want)
	}
	if verdict := qa.Judge(explore.Record(r.Site)); verdict.Status != want || verdict.Reason != filed.StatusReason {
		t.Errorf("the map says %s (%s), and the run %s (%s)", verdict.Status, verdict.Reason, filed.Status, filed.StatusReason)
	}
	shots, stored := 0, false
	for _, a := range filed.Artifacts {
		shots += min(a.Width, 1)
		stored = stored || a.Name == site.FileName
	}
	if shots != len(r.Site.States) || !stored {
		t.Errorf("the run holds %d pictures of %d states, site.json: %t", shots, len(r.Site.States), stored)
	}
	if _, err := os.Stat(r.Report); err != nil {
		t.Error(err)
	}
	return filed.RunID
}

// An exploration that is interrupted leaves a whole site.json; one whose start can't be
// opened says so (C6).
func TestInterruptedExploration(t *testing.T) {
	ws, s := desk(t), serve(t)
	store, err := evidence.Open(t.TempDir(), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	ws.Store, ws.Views = store, report.Views
	ctx, cancel := context.WithCancel(t.Context())
	o := options(t, false)
	o.URLs = []string{s.URL + "/"}
	o.Progress = func(_ string, p explore.Progress) {
		if p.Loops == 3 {
			cancel()
		}
	}
	r := author.Explore(ctx, ws, o)[0]
	if r.Err != nil || r.Site.Stop.Reason != site.Cancelled {
		t.Errorf("stopped: %+v, %v", r.Site.Stop, r.Err)
	}
	if stored, err := site.Read(o.Out); err != nil || len(stored.States) < 2 {
		t.Errorf("stored: %d states, %v", len(stored.States), err)
	}
	first := requireRun(t, store, r, qa.Inconclusive)
	o.Resume, o.Progress, o.Explore.Limits.Actions = true, nil, 8 // five more
	again := author.Explore(t.Context(), ws, o)[0]
	if again.Err != nil || again.Site.Stop.Reason != site.MaxActions || len(again.Site.Loops) < 7 || again.Site.Loops[0] != r.Site.Loops[0] {
		t.Errorf("resumed: %+v with %d rounds, %v; want it to go on to 8 actions", again.Site.Stop, len(again.Site.Loops), again.Err)
	}
	if err := again.Site.Check(); err != nil {
		t.Error(err)
	}
	if requireRun(t, store, again, again.Status) == first {
		t.Error("what goes on is no run of its own")
	}
	s.Close()
	if r := author.Explore(t.Context(), ws, o)[0]; !errors.Is(r.Err, explore.ErrUnreachable) {
		t.Errorf("resumed where the site is down: %v", r.Err)
	}
	if stored, err := site.Read(o.Out); err != nil || len(stored.States) != len(again.Site.States) || stored.RunID != again.Site.RunID {
		t.Errorf("what was stored is not as it was: %d states, %v", len(stored.States), err)
	}
	o = options(t, false)
	o.URLs = []string{s.URL + "/"}
	down := author.Explore(t.Context(), ws, o)[0]
	if down.Err == nil || down.Site.Stop.Reason != site.Unreachable {
		t.Errorf("a site that is down: %+v, %v", down.Site.Stop, down.Err)
	}
	requireRun(t, store, down, qa.Failed)
}

// An exploration in the background is started, followed and ended as a client does it.
func TestExplorationsInTheBackground(t *testing.T) { // C1
	ws, s := desk(t), serve(t)
	dir := t.TempDir()
	b := &author.Background{DataDir: dir, Options: func(writes bool) (author.Options, error) { return options(t, writes), nil }}
	started, err := b.Start(t.Context(), ws, workspace.ExploreRequest{URL: s.URL + "/", MaxActions: 2})
	if err != nil || started.State != "running" {
		t.Fatalf("started: %+v, %v", started, err)
	}
	ended, err := b.Status(t.Context(), started.ExplorationID)
	if err != nil || ended.State != "finished" || ended.Stopped != site.MaxActions || ended.States < 2 || len(ended.Untried) == 0 {
		t.Errorf("ended: %+v, %v", ended, err)
	}
	if stored, err := site.Read(ended.Site); err != nil || len(stored.States) != ended.States {
		t.Errorf("stored: %d states, %v", len(stored.States), err)
	}
	again, err := b.Start(t.Context(), ws, workspace.ExploreRequest{URL: s.URL + "/list"})
	if err != nil {
		t.Fatal(err)
	}
	if cancelled, err := b.Cancel(t.Context(), again.ExplorationID); err != nil || cancelled.ExplorationID == started.ExplorationID {
		t.Errorf("cancelled: %+v, %v", cancelled, err)
	}
	b.Close(t.Context())
	if after, err := b.Status(t.Context(), again.ExplorationID); err != nil || after.State != "cancelled" {
		t.Errorf("after the end: %+v, %v", after, err)
	}
	for _, wrong := range []workspace.ExploreRequest{{URL: "file:///etc/passwd"}, {URL: s.URL, Role: "nobody"}} {
		if _, err := b.Start(t.Context(), ws, wrong); !errors.Is(err, workspace.ErrExplorationRefused) {
			t.Errorf("%+v: %v, want a refusal", wrong, err)
		}
	}
	if _, err := b.Status(t.Context(), "none"); !errors.Is(err, workspace.ErrNoExploration) {
		t.Errorf("an unknown one: %v", err)
	}
}
