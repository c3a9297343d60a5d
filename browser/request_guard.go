package browser

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"

	"github.com/mxschmitt/playwright-go"

	"github.com/assay-qa/assay/browser/guard"
)

// requestGuard stops destructive requests of one page: those of its documents,
// frames, workers and service workers. It has a session of its own with the
// browser (Chrome DevTools Protocol), because Playwright's routes stop every
// request on its way, pictures included, and switch the cache off.
//
// A popup is watched from the moment the driver tells of it, which its very
// first request may precede; a shared worker is not watched at all.
type requestGuard struct {
	session *Session
	cdp     playwright.CDPSession

	mu  sync.Mutex
	ids int // of messages to the targets below the page
}

// guardStart is the once-only start of a page's request guard.
type guardStart struct {
	once sync.Once
	err  error
}

// startRequestGuard installs interception of a page's destructive requests, once,
// before the page loads anything. It blocks, so it is never called on Playwright's
// dispatcher.
func (s *Session) startRequestGuard(page playwright.Page) error {
	if s.guardPolicy().Guard == nil || s.opts.Type != "chromium" { // the others are watched by a route
		return nil
	}
	s.mu.Lock()
	if s.gate != nil && !s.secure {
		s.mu.Unlock()
		return nil
	}
	if s.guards == nil {
		s.guards = map[playwright.Page]*guardStart{}
	}
	p := s.guards[page]
	if p == nil {
		p = &guardStart{}
		s.guards[page] = p
	}
	s.mu.Unlock()
	p.once.Do(func() { p.err = s.installRequestGuard(page) })
	if p.err != nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.guards[page] == p {
			delete(s.guards, page) // the next one to ask tries again
		}
	}
	return p.err
}

// guardPopups installs request guards on the pages that the site opens. A page on
// which that fails is closed.
func (s *Session) guardPopups(context playwright.BrowserContext) {
	if s.guardPolicy().Guard == nil {
		return
	}
	context.OnPage(func(page playwright.Page) {
		page.OnClose(func(playwright.Page) {
			s.mu.Lock()
			defer s.mu.Unlock()
			delete(s.guards, page)
		})
		go func() {
			if err := s.startRequestGuard(page); err != nil && !isClosed(err) && !page.IsClosed() {
				s.EventLog.note("popup: closed, because its requests can't be guarded: " + plain(err))
				_ = page.Close() // it may be closed meanwhile, which is what we want
			}
		}()
	})
}

// isSecure reports whether a proxy can't see what is sent to an address.
func isSecure(address string) bool {
	return strings.HasPrefix(address, "https:") || strings.HasPrefix(address, "wss:")
}

// guardSecurePages installs request guards on all pages once one of them is about
// to send by https, which no proxy can judge, and returns when they are installed.
// The next call after a failure tries again.
func (s *Session) guardSecurePages(address string) error {
	if s.guardPolicy().Guard == nil || s.gate == nil || !isSecure(address) {
		return nil
	}
	s.securing.Lock()
	defer s.securing.Unlock()
	if ended(s.secured) {
		return nil
	}
	s.mu.Lock()
	s.secure = true
	s.mu.Unlock()
	for _, page := range s.current().context.pw.Pages() {
		if err := s.startRequestGuard(page); err != nil && !isClosed(err) && !page.IsClosed() {
			return err
		}
	}
	close(s.secured)
	return nil
}

// installRequestGuard opens a DevTools session with a page and intercepts in it.
func (s *Session) installRequestGuard(page playwright.Page) error {
	cdp, err := page.Context().NewCDPSession(page)
	if err != nil {
		return fmt.Errorf("watch the page's requests: %w", err)
	}
	w := &requestGuard{session: s, cdp: cdp}
	for _, event := range []string{"Fetch.requestPaused", "Target.attachedToTarget", "Target.receivedMessageFromTarget"} {
		cdp.On(event, func(params map[string]any) { w.onEvent(w.toPage, event, params) })
	}
	if err := w.intercept(w.toPage); err != nil {
		_ = cdp.Detach() // what it pauses nobody would let go on
		return fmt.Errorf("watch the page's requests: %w", err)
	}
	return nil
}

// sendCommand sends one command to a target.
type sendCommand func(method string, params map[string]any) error

func (w *requestGuard) toPage(method string, params map[string]any) error {
	_, err := w.cdp.Send(method, params)
	return err
}

// toChild returns what sends to a target below another one, through it.
func (w *requestGuard) toChild(parent sendCommand, id string) sendCommand {
	return func(method string, params map[string]any) error {
		w.mu.Lock()
		w.ids++
		n := w.ids
		w.mu.Unlock()
		message, err := json.Marshal(map[string]any{"id": n, "method": method, "params": params})
		if err != nil {
			return err
		}
		return parent("Target.sendMessageToTarget", map[string]any{"sessionId": id, "message": string(message)})
	}
}

// intercept makes a target pause the requests that can be destructive, and its
// children until they are intercepted too.
func (w *requestGuard) intercept(send sendCommand) error {
	if err := send("Fetch.enable", map[string]any{"patterns": w.patterns()}); err != nil {
		return err
	}
	return send("Target.setAutoAttach", map[string]any{"autoAttach": true, "waitForDebuggerOnStart": true, "flatten": false})
}

// patterns returns what Fetch intercepts. It leaves out what the built-in rules never mean: pictures, scripts,
// styles and fonts are always asked for with GET.
func (w *requestGuard) patterns() []map[string]any {
	if w.session.guardPolicy().Guard.JudgesAnyRequest() {
		return []map[string]any{{"urlPattern": "*"}}
	}
	var out []map[string]any
	for _, kind := range []string{"Document", "XHR", "Fetch", "Ping", "Other"} {
		out = append(out, map[string]any{"urlPattern": "*", "resourceType": kind})
	}
	return out
}

// onEvent handles an event of the browser. It runs on Playwright's dispatcher, so it
// answers from a goroutine.
func (w *requestGuard) onEvent(from sendCommand, event string, params map[string]any) {
	switch event {
	case "Fetch.requestPaused":
		go w.judge(from, params)
	case "Target.attachedToTarget":
		id, _ := params["sessionId"].(string)
		go func() {
			child := w.toChild(from, id)
			_ = w.intercept(child) // a dedicated worker's requests are the page's; it refuses to be watched itself
			_ = child("Runtime.runIfWaitingForDebugger", nil)
		}()
	case "Target.receivedMessageFromTarget":
		id, _ := params["sessionId"].(string)
		text, _ := params["message"].(string)
		var m struct {
			Method string         `json:"method"`
			Params map[string]any `json:"params"`
		}
		if err := json.Unmarshal([]byte(text), &m); err == nil && m.Method != "" {
			w.onEvent(w.toChild(from, id), m.Method, m.Params)
		}
	}
}

// pausedRequest returns a paused request as the guard judges it. The browser
// leaves bodies out that are very large, or come from files.
func pausedRequest(request map[string]any) guard.Request {
	out := guard.Request{Header: http.Header{}}
	out.Method, _ = request["method"].(string)
	out.URL, _ = request["url"].(string)
	headers, _ := request["headers"].(map[string]any)
	for name, value := range headers {
		if text, ok := value.(string); ok {
			out.Header.Set(name, text)
		}
	}
	entries, _ := request["postDataEntries"].([]any)
	for _, entry := range entries {
		e, _ := entry.(map[string]any)
		coded, _ := e["bytes"].(string)
		piece, err := base64.StdEncoding.DecodeString(coded)
		if err != nil || len(out.Body) > guard.MaxBody {
			break
		}
		out.Body = append(out.Body, piece...)
	}
	if text, ok := request["postData"].(string); ok && len(out.Body) == 0 {
		out.Body = []byte(text)
	}
	return out
}

// judge lets a paused request go on, or stops it. What became of the target
// meanwhile is its own end; a request of it is then stopped by that.
func (w *requestGuard) judge(send sendCommand, params map[string]any) {
	request, _ := params["request"].(map[string]any)
	method, _ := request["method"].(string)
	address, _ := request["url"].(string)
	answer, more := "Fetch.continueRequest", map[string]any{"requestId": params["requestId"]}
	if !w.session.intercepts.cover(method, address) && w.session.blocksRequest(pausedRequest(request)) != "" {
		answer, more["errorReason"] = "Fetch.failRequest", "BlockedByClient"
		if params["resourceType"] == "Document" {
			more["errorReason"] = "Aborted" // the page stays, where the other would bring the browser's error page
		}
	}
	_ = send(answer, more)
}
