package browser

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/assay-qa/assay/browser/explain"
)

// heldOutPage has controls whose act no name tells, and harmless ones that look
// like them. No word of it is taken from the guard's lists as it stands there.
const heldOutPage = `<!doctype html><title>Team</title><style>.x { cursor: pointer }</style>
<button id=icon onclick="hit()"><i class="fa-solid fa-trash-can"></i></button>
<button id=svg onclick="hit()"><svg width=9 height=9><use href="/sprite.svg#wastebin"></use></svg></button>
<button id=data data-testid="member-remove-7" onclick="hit()">✕</button>
<button id=lookalike onclick="hit()">Dеlеtе</button>
<button id=spaced onclick="hit()">R e m o v e</button>
<button id=camel onclick="hit()">eraseWorkspace</button>
<button id=cyrillic onclick="hit()">Удалить навсегда</button>
<a id=rails href="/members/7" data-method="delete" onclick="hit(); return false">Bye</a>
<button id=htmx hx-delete="/members/7" onclick="hit()">Out</button>
<form id=hidden method=post action=/members/7><input type=hidden name=_method value=delete><button>Apply changes</button></form>
<form id=op action=/admin><input type=hidden name=action value=removeMember><button>Proceed now</button></form>
<div role=dialog aria-labelledby=q><h2 id=q>Remove Anna from the team?</h2><button id=yes onclick="hit()">Yes</button><button id=no onclick="ok()">Keep her</button></div>
<button id=close class="modal-close remove" onclick="ok()">×</button>
<button id=archive class="fa-trash" onclick="ok()">Show archive</button>
<button id=deleted onclick="ok()">Deleted items</button>
<dialog open><p>Details</p><form method=dialog><button id=shut onclick="ok()">Close</button></form></dialog>
<button id=quiet onclick="send()">Do it well</button>
<script>const hit = () => fetch('/hit', {method: 'POST'}), ok = () => fetch('/ok', {method: 'POST'});
const send = (path, options) => fetch(path, options).then(r => r.status, () => 'refused');</script>`

func newHeldOut(t *testing.T) (address string, arrived func(prefix string) []string) {
	t.Helper()
	s := newSite(t, nil)
	var mu sync.Mutex
	var seen []string
	s.mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/" && r.Method == http.MethodGet {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprint(w, heldOutPage)
			return
		}
		mu.Lock()
		defer mu.Unlock()
		seen = append(seen, r.Method+" "+r.URL.String())
	})
	return s.URL, func(prefix string) (out []string) {
		mu.Lock()
		defer mu.Unlock()
		for _, x := range seen {
			if strings.HasPrefix(x, prefix) {
				out = append(out, x)
			}
		}
		return out
	}
}

// A12: what no list names is judged by its spelling, its icon, its attributes, its
// form and the question that it answers, whether a person's click or a script's.
func TestGuardJudgesWhatNoNameTells(t *testing.T) {
	address, arrived := newHeldOut(t)
	s := opened(t, guardedPool(t, nil), address)
	forbidden := []string{"#icon", "#svg", "#data", "#lookalike", "#spaced", "#camel", "#cyrillic", "#rails", "#htmx", "#hidden button", "#op button", "#yes"}
	for _, css := range forbidden {
		if _, err := s.Click(within30s(t), "css="+css, 0); codeOf(err) != explain.ActionBlocked || !strings.Contains(err.Error(), "was not done") {
			t.Errorf("click %s: %v, want ACTION_BLOCKED", css, err)
		}
		script := fmt.Sprintf("(() => { const b = document.querySelector(%q); b.click(); b.dispatchEvent(new MouseEvent('click', {bubbles: true})); })()", css)
		if _, _, err := s.Evaluate(within30s(t), script, nil); codeOf(err) != explain.ActionBlocked {
			t.Errorf("a script's click on %s: %v, want ACTION_BLOCKED", css, err)
		}
	}
	if got := append(arrived("POST /hit"), append(arrived("POST /members"), arrived("GET /admin")...)...); len(got) != 0 {
		t.Errorf("arrived: %q", got)
	}
	s.TakeStopped()
	for i, css := range []string{"#no", "#close", "#archive", "#deleted", "dialog button"} {
		if _, err := s.Click(within30s(t), "css="+css, 0); err != nil {
			t.Errorf("click %s: %v", css, err)
		}
		if _, _, err := s.Evaluate(within30s(t), fmt.Sprintf("(() => { document.querySelector(%q).click() })()", css), nil); err != nil {
			t.Errorf("a script's click on %s: %v", css, err)
		}
		if got := arrived("POST /ok"); len(got) != 2*(i+1) {
			t.Errorf("%s: %d harmless clicks arrived, want %d", css, len(got), 2*(i+1))
		}
	}
	if stopped := s.TakeStopped(); len(stopped) != 0 {
		t.Errorf("stopped: %q", stopped)
	}
	// A person's click after a script's is a click again.
	if _, _, err := s.Evaluate(within30s(t), "hit()", nil); err != nil || len(arrived("POST /hit")) != 1 {
		t.Errorf("the control: %v, %q", err, arrived("POST"))
	}
}

// A12: what a request does is read from its headers and its body, over plain http
// by the gate.
func TestGuardReadsRequests(t *testing.T) {
	address, arrived := newHeldOut(t)
	s := opened(t, guardedPool(t, nil), address)
	for _, call := range []string{
		`send('/members/7', {method: 'POST', headers: {'X-HTTP-Method-Override': 'DELETE'}})`,
		`send('/members/7?method=delete', {method: 'POST'})`,
		`send('/members/7', {method: 'POST', body: new URLSearchParams({_method: 'delete'})})`,
		`send('/handler', {method: 'POST', body: (() => { const f = new FormData(); f.append('cmd', 'eraseMember'); return f })()})`,
		`send('/graphql', {method: 'POST', headers: {'Content-Type': 'application/json'}, body: JSON.stringify({query: 'mutation { gone: removeTeam(id: 3) { ok } }'})})`,
		`send('/rpc', {method: 'POST', headers: {'Content-Type': 'application/json'}, body: JSON.stringify({jsonrpc: '2.0', id: 1, method: 'team.erase'})})`,
		`send('/members/7', {method: 'PATCH', headers: {'Content-Type': 'application/json'}, body: '{"deleted": true}'})`,
		`send('/removeMember', {method: 'POST'})`,
		`send('/cache', {method: 'PURGE'})`,
		`new Promise(done => { navigator.sendBeacon('/rpc', JSON.stringify({jsonrpc: '2.0', method: 'team.erase'})); setTimeout(done, 300) })`,
	} {
		if _, _, err := s.Evaluate(within30s(t), call, nil); codeOf(err) != explain.ActionBlocked {
			t.Errorf("%s: %v, want ACTION_BLOCKED", call, err)
		}
	}
	for _, method := range []string{"POST", "PATCH", "PURGE"} {
		if got := arrived(method); len(got) != 0 {
			t.Errorf("arrived: %q", got)
		}
	}
	big := `send('/notes', {method: 'POST', headers: {'Content-Type': 'application/json'}, body: JSON.stringify({text: 'x'.repeat(700000)})})`
	if got, _, err := s.Evaluate(within30s(t), big, nil); err != nil || string(got) != "200" || len(arrived("POST /notes")) != 1 {
		t.Errorf("a long harmless body: %s %v %q", got, err, arrived("POST"))
	}
}
