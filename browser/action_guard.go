package browser

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/mxschmitt/playwright-go"

	"github.com/assay-qa/assay/browser/guard"
)

// ErrNobodyToAsk is returned by [Options.Confirm] when the client has no way to
// ask a person.
var ErrNobodyToAsk = errors.New("the client can't ask a person")

// Caution sets what the guard stops as destructive, and who may permit it.
type Caution struct {
	Guard   *guard.Guard
	Confirm func(ctx context.Context, question string) (accepted bool, err error) // as [Options.Confirm]
}

// guardPolicy returns the session's own policy, or its pool's.
func (s *Session) guardPolicy() Caution {
	if own := s.opts.Caution; own != nil {
		return *own
	}
	return Caution{Guard: s.pool.Guard, Confirm: s.pool.Confirm}
}

const guardHint = `guard.destructive = "allow" in mcp.toml (--guard-destructive allow) permits it; only on a system that may be damaged`

// blocksRequest returns the rule by which a request is destructive, "" when it is
// not or is permitted. It logs the stop for the answer and the verdict.
func (s *Session) blocksRequest(r guard.Request) (rule string) {
	if s.guardPolicy().Guard == nil {
		return ""
	}
	method, address := r.Method, r.URL
	r.Production = s.onProduction(address)
	rule, blocked := s.guardPolicy().Guard.Request(r)
	if !blocked {
		return ""
	}
	s.mu.Lock()
	permitted := s.permitted > 0
	s.mu.Unlock()
	if permitted {
		return ""
	}
	s.EventLog.addStop(guardStop{what: method + " " + s.EventLog.address(address, maxNote) + " (rule: " + rule + ")", rule: rule, method: method, address: cut(address, maxURL)})
	return rule
}

// onProduction reports whether an address is that of a production system.
func (s *Session) onProduction(address string) bool {
	u, err := url.Parse(hostPart(address))
	return err == nil && s.policy != nil && s.policy.Production(u.Hostname())
}

// actionElement describes an element that is about to be activated, for the guard.
type actionElement struct {
	Line     string   `json:"line"`
	Names    []string `json:"names"`  // of the control and of what it submits, as a person reads them
	Hints    []string `json:"hints"`  // see [guard.Element]
	Around   []string `json:"around"` // see [guard.Element]
	Requests []struct {
		Method  string `json:"method"`
		Address string `json:"address"`
		Body    string `json:"body"` // of a form: what no person types into it
	} `json:"requests"`
}

// element returns it as the guard judges it.
func (a actionElement) element() guard.Element {
	out := guard.Element{Names: a.Names, Hints: a.Hints, Around: a.Around}
	for _, r := range a.Requests {
		header := http.Header{"Content-Type": {"application/x-www-form-urlencoded"}}
		out.Requests = append(out.Requests, guard.Request{Method: r.Method, URL: r.Address, Header: header, Body: []byte(r.Body)})
	}
	return out
}

// permitAction decides whether the element that at leads to may be activated. It
// returns a function that ends the permission which a person gave for this action.
func (s *Session) permitAction(ctx context.Context, t *tab, at playwright.Locator, what string) (end func(), err error) {
	end = func() {}
	if s.guardPolicy().Guard == nil {
		return end, nil
	}
	var a actionElement
	if err := askEngine(at, lookTimeout, &a); err != nil {
		return end, err
	}
	element := a.element()
	for i := range element.Requests {
		element.Requests[i].Production = s.onProduction(element.Requests[i].URL)
	}
	rule, destructive := s.guardPolicy().Guard.Act(element)
	if !destructive {
		return end, nil
	}
	if s.guardPolicy().Confirm == nil {
		return end, s.refuseAction(ActionBlocked, what, "the guard takes it for destructive (rule: "+rule+")", guardHint, a, nil)
	}
	accepted, err := s.guardPolicy().Confirm(ctx, fmt.Sprintf("Permit %s, which is %s on %s? It is destructive (rule: %s).",
		what, cut(s.EventLog.mask(a.Line), maxNote), s.EventLog.address(t.page.URL(), maxNote), rule))
	switch {
	case errors.Is(err, context.Canceled):
		return end, err
	case errors.Is(err, ErrNobodyToAsk):
		return end, s.refuseAction(NeedsHuman, what, "it is destructive (rule: "+rule+") and a person must permit it, but this client can't ask one", guardHint, a, err)
	case errors.Is(err, context.DeadlineExceeded):
		return end, s.refuseAction(NeedsHuman, what, "it is destructive (rule: "+rule+") and no person answered in time", "call again when somebody is there, or "+guardHint, a, err)
	case err != nil:
		return end, s.refuseAction(NeedsHuman, what, "it is destructive (rule: "+rule+") and a person could not be asked: "+err.Error(), guardHint, a, err)
	case !accepted:
		return end, s.refuseAction(ActionBlocked, what, "a person declined it (rule: "+rule+")", "leave it; don't look for another way to do the same", a, nil)
	}
	s.mu.Lock()
	s.permitted++
	s.mu.Unlock()
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.permitted--
	}, nil
}

// afterStop returns the error of an action that was done and caused requests which
// the guard stopped; nil when it stopped none since m.
func (s *Session) afterStop(m mark, what string) error {
	s.EventLog.mu.Lock()
	stopped := stopTexts(s.EventLog.stopped.since(m.stopped))
	s.EventLog.mu.Unlock()
	if len(stopped) == 0 {
		return nil
	}
	code := ActionBlocked
	if s.guardPolicy().Confirm != nil {
		code = NeedsHuman
	}
	return &Error{Code: code, Hint: guardHint + "; it stopped:", Page: listed(stopped, len(stopped)),
		Message: fmt.Sprintf("%s was done, but the guard stopped %d destructive request(s) meanwhile: the page did not get what it asked for", what, len(stopped))}
}

// activates reports whether a key presses the button, link or form that has
// the focus.
func activates(key string) bool {
	last := key[strings.LastIndex(key, "+")+1:]
	switch last {
	case "Enter", "NumpadEnter", "Space", " ", "\n", "\r":
		return true
	}
	return false
}
