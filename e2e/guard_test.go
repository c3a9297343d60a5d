package e2e_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// destructible is a site with two buttons that delete, one that says so and
// one that doesn't, and the number of deletions and payments that arrived.
func destructible(t *testing.T) (url string, arrived *atomic.Int64) {
	t.Helper()
	arrived = new(atomic.Int64)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodDelete || r.Method == http.MethodPost {
			arrived.Add(1)
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<!doctype html><title>Users</title><button onclick="fetch('/users/1', {method: 'DELETE'})">Delete user</button>
			<button onclick="fetch('/users/1/delete', {method: 'POST'}).catch(() => 1)">Go on</button>`)
	}))
	t.Cleanup(server.Close)
	return server.URL, arrived
}

// person is who answers a client's questions.
type person struct {
	answers string // how
	heard   []string
}

// attended is a client of one revision whose person answers, or that has nobody to ask.
func attended(t *testing.T, asked, destructive string, p *person) *mcp.ClientSession {
	t.Helper()
	options := &mcp.ClientOptions{}
	if p != nil {
		options.ElicitationHandler = func(_ context.Context, r *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			p.heard = append(p.heard, r.Params.Message)
			return &mcp.ElicitResult{Action: p.answers}, nil
		}
	}
	cmd := serving(t, t.TempDir())
	cmd.Env = append(cmd.Env, "ASSAY_GUARD_DESTRUCTIVE="+destructive)
	client := mcp.NewClient(&mcp.Implementation{Name: "e2e-guard", Version: "1"}, options)
	session, err := client.Connect(t.Context(), &mcp.CommandTransport{Command: cmd}, &mcp.ClientSessionOptions{ProtocolVersion: asked})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := session.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return session
}

// code calls a tool and returns the code of its error, "" when it has none.
func code(t *testing.T, session *mcp.ClientSession, tool string, arguments map[string]any) (code, message string) {
	t.Helper()
	result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		t.Fatalf("%s: %v", tool, err)
	}
	raw, err := json.Marshal(result.StructuredContent)
	if err != nil {
		t.Fatal(err)
	}
	var e struct {
		OK    bool
		Error struct{ Code, Message, Hint string }
	}
	if err := json.Unmarshal(raw, &e); err != nil {
		t.Fatalf("%s answered %s", tool, raw)
	}
	return e.Error.Code, e.Error.Message + " " + e.Error.Hint
}

// A12: a destructive action is done when a person says so through the client,
// and only then: in every revision, by elicitation or by input_required. make test has
// the newest here, and the others in TestQuestionsAreValidMessages.
func TestPersonDecidesOnDestructiveActions(t *testing.T) {
	t.Parallel()
	for _, asked := range []string{"", string(november25), string(june25)} {
		if asked != "" && !soak() {
			continue
		}
		t.Run("revision "+asked, func(t *testing.T) {
			needsBrowser(t)
			p := &person{}
			session := attended(t, asked, "ask", p)
			for _, c := range []struct {
				answers, code, says string
				arrived             int64
			}{{"accept", "", "", 1}, {"decline", "ACTION_BLOCKED", "declined", 0}, {"cancel", "ACTION_BLOCKED", "declined", 0}} {
				p.answers, p.heard = c.answers, nil
				decides(t, session, c.code, c.says, c.arrived)
				if len(p.heard) != 1 || !strings.Contains(p.heard[0], `button "Delete user"`) {
					t.Errorf("the person was asked %q, want one question about the button", p.heard)
				}
			}
		})
	}
	t.Run("nobody", func(t *testing.T) {
		needsBrowser(t)
		decides(t, attended(t, "", "ask", nil), "NEEDS_HUMAN", "guard.destructive", 0)
	})
}

// decides deletes a user on a new page, with what must come of it.
func decides(t *testing.T, session *mcp.ClientSession, want, says string, wanted int64) {
	t.Helper()
	url, arrived := destructible(t)
	if got, says := code(t, session, "page_navigate", map[string]any{"url": url}); got != "" {
		t.Fatal(says)
	}
	got, said := code(t, session, "page_click", map[string]any{"selector": `button "Delete user"`})
	if got != want || !strings.Contains(said, says) {
		t.Errorf("the click: %q %s, want %q with %q", got, said, want, says)
	}
	if n := arrived.Load(); n != wanted {
		t.Errorf("%d deletions arrived, want %d", n, wanted)
	}
	// What was permitted was that one click: a request that no name tells is stopped.
	if got, said := code(t, session, "page_click", map[string]any{"selector": `button "Go on"`}); got != "NEEDS_HUMAN" {
		t.Errorf("the other button: %q %s, want NEEDS_HUMAN", got, said)
	}
	if n := arrived.Load(); n != wanted {
		t.Errorf("%d arrived after the other button, want %d", n, wanted)
	}
}

// deniedByDefault has a client that nobody sits at try to delete, which is not done (A12).
// What else guard.destructive can be is tried by browser (TestGuardAsksOnceForEachPath,
// TestGuardRefusesDestructiveClicks, TestWithoutGuardEverythingArrives).
func deniedByDefault(t *testing.T, session *mcp.ClientSession) {
	t.Helper()
	url, arrived := destructible(t)
	if got, says := code(t, session, "page_navigate", map[string]any{"url": url}); got != "" {
		t.Fatal(says)
	}
	for _, selector := range []string{`button "Delete user"`, `button "Go on"`} {
		if got, says := code(t, session, "page_click", map[string]any{"selector": selector}); got != "ACTION_BLOCKED" {
			t.Errorf("click %s: %q %s, want ACTION_BLOCKED", selector, got, says)
		}
	}
	if n := arrived.Load(); n != 0 {
		t.Errorf("%d arrived, want none", n)
	}
}

// capabilities are what this client declares.
func (w *wire) capabilities() map[string]any {
	if w.attended {
		return map[string]any{"elicitation": map[string]any{}}
	}
	return map[string]any{}
}

// A12: the question is a message of the protocol, in every revision: its form
// is checked by the audit.
func TestQuestionsAreValidMessages(t *testing.T) {
	t.Parallel()
	for _, r := range revisions() {
		t.Run(string(r), func(t *testing.T) {
			needsBrowser(t)
			url, arrived := destructible(t)
			w := attach(t, r)
			w.do("page_navigate", map[string]any{"url": url})
			click := map[string]any{"name": "page_click", "arguments": map[string]any{"selector": `button "Delete user"`, "timeout_ms": patience.Milliseconds() / 2}}
			yes := map[string]any{"action": "accept", "content": map[string]any{}}
			id := w.send("tools/call", click)
			if r.modern() {
				var question struct{ RequestState string }
				decode(t, w.answer(id).Result, &question)
				click["requestState"], click["inputResponses"] = question.RequestState, map[string]any{"confirm": yes}
				id = w.send("tools/call", click)
			} else {
				m := w.await("a question, or an answer without one", patience, func(m message) bool { return m.Method == "elicitation/create" || m.Method == "" && key(m.ID) == id })
				if m.Method == "" {
					t.Fatalf("nobody was asked: %s", m.line)
				}
				w.write(w.encode(map[string]any{"jsonrpc": "2.0", "id": m.ID, "result": yes}))
			}
			var a answer
			decode(t, w.answer(id).Result, &a)
			if a.IsError || arrived.Load() != 1 {
				t.Errorf("accepted: %s; %d arrived, want 1", a.text(), arrived.Load())
			}
			w.do("browser_close", nil)
		})
	}
}
