package wiretest_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/assay-qa/assay/agent/wiretest"
)

// Each violation of the protocol's order is found. The content of the first
// answer is: 0 thinking, 1 redacted, 2 text, 3 screenshot, 4 click, 5 page_open.
func TestAnthropicOrderViolations(t *testing.T) {
	t.Parallel()
	said := func(q obj) obj { return at(q, "messages", 1).(obj) }
	results := func(q obj) obj { return at(q, "messages", 2).(obj) }
	drop := func(m obj, i int) {
		c := m["content"].(arr)
		m["content"] = append(append(arr{}, c[:i]...), c[i+1:]...)
	}
	swap := func(m obj, i, j int) { c := m["content"].(arr); c[i], c[j] = c[j], c[i] }
	cases := map[string]struct {
		spoil func(q obj)
		words string
	}{
		"no answer":             {func(q obj) { drop(results(q), 2) }, "toolu_0003 is not answered"},
		"order of answers":      {func(q obj) { swap(results(q), 0, 1) }, "toolu_0001 is not answered in its place"},
		"text before an answer": {func(q obj) { swap(results(q), 2, 3) }, "toolu_0003 is not answered in its place"},
		"answered twice":        {func(q obj) { m := results(q); m["content"] = append(m["content"].(arr), at(m, "content", 0)) }, "answers no call"},
		"no toolset_name":       {func(q obj) { delete(at(results(q), "content", 1).(obj), "toolset_name") }, "toolset_name"},
		"no screenshot":         {func(q obj) { at(results(q), "content", 0).(obj)["content"] = "no picture" }, "answered without one"},
		"thinking lost":         {func(q obj) { drop(said(q), 0) }, "not echoed in its place"},
		"redacted lost":         {func(q obj) { drop(said(q), 1) }, "not echoed in its place"},
		"signature changed":     {func(q obj) { at(said(q), "content", 0).(obj)["signature"] = "other" }, "not echoed in its place"},
		"text lost":             {func(q obj) { drop(said(q), 2) }, "not echoed in its place"},
		"call changed":          {func(q obj) { at(said(q), "content", 5, "input").(obj)["url"] = "http://127.0.0.2/" }, "not echoed as it was said"},
		"call without toolset":  {func(q obj) { delete(at(said(q), "content", 3).(obj), "toolset_name") }, "not echoed as it was said"},
		"words put in mouth":    {func(q obj) { m := said(q); m["content"] = append(m["content"].(arr), obj{"type": "text", "text": "x"}) }, "has not said this"},
		"task changed": {func(q obj) {
			at(q, "messages", 0).(obj)["content"] = append(at(q, "messages", 0, "content").(arr), obj{"type": "text", "text": "more"})
		}, "in an old message"},
		"nothing echoed": {func(q obj) { q["messages"] = append(arr{}, at(q, "messages", 0), at(q, "messages", 2)) }, "not echoed"},
		"one more":       {func(q obj) { q["messages"] = append(q["messages"].(arr), obj{"role": "assistant", "content": "well"}) }, "1 more messages"},
	}
	r := startClaude(t, claudeScript())
	for name, c := range cases {
		first := claudeRequest()
		next := claudeNext(t, first, r.post(first))
		c.spoil(next)
		r.post(next)
		r.finds(name, c.words)
	}
}

// Old results may become shorter, cache breakpoints may move, an error needs no
// picture; what has been sent may not change otherwise.
func TestAnthropicOldResults(t *testing.T) {
	t.Parallel()
	for name, words := range map[string]string{"a placeholder": "", "something else that is longer than what was there": "is no shorter"} {
		script := wiretest.ForEver(wiretest.Say{Calls: []wiretest.Call{{Name: "page_open", Args: obj{"url": "x"}}}})
		r := startClaude(t, script)
		q := clone(t, claudeRequest())
		for range 3 {
			a := r.post(q)
			id := at(a.body, "content", 0, "id")
			q["messages"] = append(q["messages"].(arr), obj{"role": "assistant", "content": a.body["content"]},
				obj{"role": "user", "content": arr{obj{"type": "tool_result", "tool_use_id": id, "is_error": true, "content": "a long answer of a tool", "cache_control": obj{"type": "ephemeral"}}}})
			delete(at(q, "messages", len(q["messages"].(arr))-1, "content", 0).(obj), "cache_control")
		}
		at(q, "messages", 2, "content", 0).(obj)["content"] = name
		r.post(q)
		if words == "" {
			r.clean()
		} else {
			r.finds(name, words)
		}
	}
}

// The newest models refuse thoughts behind a result that became shorter, unless
// the request lets them be dropped; that takes its beta.
func TestAnthropicBoundThoughts(t *testing.T) {
	t.Parallel()
	drops := obj{"type": "adaptive", "block_binding": obj{"prefix_mismatch_behavior": "drop_block"}}
	for name, c := range map[string]struct {
		thinking obj
		beta     string
		words    string
	}{
		"dropped":   {drops, "thinking-binding-controls-2026-08-01", ""},
		"no word":   {obj{"type": "adaptive"}, "", "does not let them be dropped"},
		"no beta":   {drops, "", "is needed and not asked for"},
		"only beta": {obj{"type": "adaptive"}, "thinking-binding-controls-2026-08-01", "asked for and not needed"},
	} {
		r := startClaude(t, wiretest.ForEver(wiretest.Say{Think: "hm", Calls: []wiretest.Call{{Name: "page_open", Args: obj{"url": "x"}}}}))
		if c.beta != "" {
			r.header.Set("Anthropic-Beta", c.beta)
		}
		q := clone(t, claudeRequest())
		q["thinking"] = c.thinking
		for range 2 {
			a := r.post(q)
			q["messages"] = append(q["messages"].(arr), obj{"role": "assistant", "content": a.body["content"]},
				obj{"role": "user", "content": arr{obj{"type": "tool_result", "tool_use_id": at(a.body, "content", 2, "id"), "content": "a long answer"}}})
		}
		at(q, "messages", 2, "content", 0).(obj)["content"] = "short"
		r.post(q)
		if c.words == "" {
			r.clean()
		} else {
			r.finds(name, c.words)
		}
	}
}

// Faults strike once, in Anthropic's own form, and the turn comes after them.
func TestAnthropicFaults(t *testing.T) {
	t.Parallel()
	r := startClaude(t, faultOfTask(wiretest.Say{Text: "hello"}))
	for fault, want := range map[wiretest.Fault]struct {
		status int
		kind   string
	}{
		wiretest.RateLimit: {429, "rate_limit_error"}, wiretest.Overload: {529, "overloaded_error"}, wiretest.ServerError: {500, "api_error"}, wiretest.BadCall: {500, "api_error"},
	} {
		q := claudeTask(t, string(fault))
		a := r.post(q)
		if a.status != want.status || at(a.body, "error", "type") != want.kind || at(a.body, "type") != "error" || at(a.body, "request_id") != a.header.Get("Request-Id") {
			t.Errorf("%s: %d %v", fault, a.status, a.body)
		}
		if fault == wiretest.RateLimit && a.header.Get("Retry-After") == "" {
			t.Error("429 without Retry-After")
		}
		if b := r.post(q); at(b.body, "content", 0, "text") != "hello" {
			t.Errorf("after %s: %v", fault, b.body)
		}
		r.clean()
	}
	for _, fault := range []wiretest.Fault{wiretest.Cut, wiretest.Malformed} {
		q := claudeTask(t, string(fault))
		if a := r.post(q); a.err == nil {
			t.Errorf("%s: the answer can be read: %v", fault, a.body)
		}
		if b := r.post(q); at(b.body, "content", 0, "text") != "hello" {
			t.Errorf("after %s: %v", fault, b.body)
		}
	}
}

// Faults that are what the turn was.
func TestAnthropicTurnsThatAreFaults(t *testing.T) {
	t.Parallel()
	call := []wiretest.Call{{Name: "page_open", Args: obj{"a": "first", "b": "second", "c": "third"}}}
	r := startClaude(t, faultOfTask(wiretest.Say{Text: "some text", Calls: call}))
	content := func(f wiretest.Fault) (answer, []any) {
		a := r.post(claudeTask(t, string(f)))
		list, _ := a.body["content"].([]any)
		return a, list
	}
	if a, c := content(wiretest.Refusal); at(a.body, "stop_reason") != "refusal" || len(c) != 0 || at(a.body, "stop_details", "type") != "refusal" {
		t.Errorf("refusal: %v", a.body)
	}
	if a, c := content(wiretest.Empty); at(a.body, "stop_reason") != "end_turn" || len(c) != 0 {
		t.Errorf("empty: %v", a.body)
	}
	if a, c := content(wiretest.DuplicateID); len(c) != 3 || at(c, 1, "id") != at(c, 2, "id") {
		t.Errorf("duplicate id: %v", a.body)
	}
	if a, c := content(wiretest.Truncated); at(a.body, "stop_reason") != "max_tokens" || at(c, 1, "input", "a") != "first" || at(c, 1, "input", "c") != nil {
		t.Errorf("truncated: %v", a.body)
	}
	if a, c := content(wiretest.MaxTokens); at(a.body, "stop_reason") != "max_tokens" || len(c) != 2 {
		t.Errorf("max_tokens: %v", a.body)
	}
	if a, c := content(wiretest.SafetyPending); len(c) != 1 || !strings.Contains(at(c, 0, "text").(string), "confirm") {
		t.Errorf("safety: %v", a.body)
	}
	if a, _ := content(wiretest.WrongKey); a.status != http.StatusUnauthorized || at(a.body, "error", "type") != "authentication_error" {
		t.Errorf("key: %v", a.body)
	}
}

// An empty turn leaves no trace but the notes that follow it.
func TestAnthropicAfterAnEmptyTurn(t *testing.T) {
	t.Parallel()
	var said []string
	r := startClaude(t, func(s wiretest.Seen) wiretest.Say {
		said = append(said, s.Said...)
		return wiretest.Say{Fault: wiretest.Empty}
	})
	r.post(claudeRequest())
	q := clone(t, claudeRequest())
	addText(q, "go on")
	r.post(q)
	q["messages"] = append(q["messages"].(arr), obj{"role": "user", "content": "and on"})
	r.post(q)
	r.clean()
	if got := strings.Join(said, "|"); got != "go on|and on" {
		t.Errorf("said: %s", got)
	}
}

// The model's own address, the key and a model that is not there.
func TestAnthropicModels(t *testing.T) {
	t.Parallel()
	r := start(t, wiretest.Anthropic, claudeScript(), wiretest.Options{Key: "the-key-of-the-test", Model: claude}, "/v1/messages", claudeHeader())
	if a := r.send(http.MethodGet, "/v1/models/"+claude, ""); a.status != 200 || a.body["id"] != claude {
		t.Errorf("%d %v", a.status, a.body)
	}
	if a := r.send(http.MethodGet, "/v1/models/claude-none", ""); a.status != 404 || at(a.body, "error", "type") != "not_found_error" {
		t.Errorf("%d %v", a.status, a.body)
	}
	r.clean()
	r.header.Set("X-Api-Key", "another")
	if a := r.post(claudeRequest()); a.status != 401 {
		t.Errorf("%d %v", a.status, a.body)
	}
	r.send(http.MethodPost, "/v1/complete", "{}")
	r.objects("there is no POST /v1/complete")
}
