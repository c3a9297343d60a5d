package wiretest_test

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/assay-qa/assay/internal/wiretest"
)

// faultWords are what an answer to a fault must hold on each wire, behind its
// status: "429 Retry-After" names a header as well.
func faultWords() map[wiretest.Fault]map[wiretest.Wire]string {
	const (
		o, a, c, n, g = wiretest.OpenAI, wiretest.Azure, wiretest.Chat, wiretest.Anthropic, wiretest.Gemini
		torn          = `"arguments":"{\"selec`
	)
	type by = map[wiretest.Wire]string
	return map[wiretest.Fault]by{
		wiretest.RateLimit:     {o: "429 rate_limit_exceeded", a: `429 "code": "429"`, c: "429 rate_limit_exceeded", n: "429 rate_limit_error", g: "429 RESOURCE_EXHAUSTED"},
		wiretest.Overload:      {o: "503 server_error", a: "503 Service Unavailable", c: "503 server_error", n: "529 overloaded_error", g: "503 UNAVAILABLE"},
		wiretest.ServerError:   {o: "500 server_error", a: "500 Internal Server Error", c: "500 server_error", n: "500 api_error", g: "500 INTERNAL"},
		wiretest.WrongKey:      {o: "401 invalid_api_key", a: `401 "code": "401"`, c: "401 invalid_api_key", n: "401 authentication_error", g: "400 API_KEY_INVALID"},
		wiretest.BadCall:       {o: `200 "status":"failed"`, a: `200 "status":"failed"`, c: "500 error parsing tool call", n: "500 invalid tool call", g: "200 MALFORMED_FUNCTION_CALL"},
		wiretest.Empty:         {o: `200 "output":[]`, a: `200 "output":[]`, c: `200 "content":null`, n: `200 "content":[]`, g: `200 "content":{"role":"model"}`},
		wiretest.Refusal:       {o: `200 "type":"refusal"`, a: `200 "type":"refusal"`, c: `200 "refusal":"I look."`, n: `200 "stop_reason":"refusal"`, g: `200 "finishReason":"SAFETY"`},
		wiretest.MaxTokens:     {o: `200 "reason":"max_output_tokens"`, a: `200 "reason":"max_output_tokens"`, c: `200 "finish_reason":"length"`, n: `200 "stop_reason":"max_tokens"`, g: "200 MAX_TOKENS"},
		wiretest.Truncated:     {o: "200 " + torn, a: "200 " + torn, c: "200 " + torn, n: `200 "input":{}`, g: `200 "args":{}`},
		wiretest.SafetyPending: {o: "200 malicious_instructions", a: "200 malicious_instructions", c: `200 "tool_calls"`, n: "200 a person must confirm", g: "200 require_confirmation"},
		wiretest.DuplicateID:   {o: `200 "call_id":"call_0002"`, a: `200 "call_id":"call_0002"`, c: `200 "id":"call_0001"`, n: `200 "id":"toolu_0002"`, g: `200 "id":"call-0001"`},
	}
}

// TestFaults has each fault on each wire, in the provider's own form: it strikes
// as often as it says, and then the turn is said that it kept, if asking again
// helps at all.
func TestFaults(t *testing.T) {
	for fault, words := range faultWords() {
		for w, want := range words {
			t.Run(string(w)+"/"+string(fault), func(t *testing.T) {
				g := readGolden(t, w)
				say := wiretest.Say{Text: "I look.", Fault: fault, Calls: []wiretest.Call{{Name: "page_click", Args: obj{"selector": "#aaaaaaaaaa"}}}}
				again := fault == wiretest.RateLimit || fault == wiretest.Overload || fault == wiretest.ServerError || fault == wiretest.BadCall
				if again {
					say.Times = 2
				}
				s := serve(t, w, wiretest.Options{Key: key}, say)
				for range max(1, say.Times) {
					status, raw, err := post(t, s, g.paths[0], g.header, g.bodies[0])
					code, text, _ := strings.Cut(want, " ")
					if err != nil || fmt.Sprint(status) != code || !strings.Contains(string(raw), text) || !json.Valid(raw) {
						t.Errorf("%v: HTTP %d, want %s: %s", err, status, want, raw)
					}
					if n := strings.Count(string(raw), text); fault == wiretest.DuplicateID && n != 2 {
						t.Errorf("%d calls of one id: %s", n, raw)
					}
				}
				if status, raw, err := post(t, s, g.paths[0], g.header, g.bodies[0]); again && (err != nil || status != http.StatusOK || !strings.Contains(string(raw), "I look.")) {
					t.Errorf("at last: %v HTTP %d: %s", err, status, raw)
				}
			})
		}
	}
}

// TestFaultsOfTheLine has an answer that is torn, one that is no JSON, and none at
// all, which Close ends.
func TestFaultsOfTheLine(t *testing.T) {
	for w := range adapters() {
		g := readGolden(t, w)
		cut := serve(t, w, wiretest.Options{}, wiretest.Say{Text: "All is well.", Fault: wiretest.Cut})
		if _, raw, err := post(t, cut, g.paths[0], g.header, g.bodies[0]); !errors.Is(err, io.ErrUnexpectedEOF) || len(raw) == 0 || json.Valid(raw) {
			t.Errorf("%s: cut: %v: %s", w, err, raw)
		}
		malformed := serve(t, w, wiretest.Options{}, wiretest.Say{Text: "All is well.", Fault: wiretest.Malformed})
		if status, raw, err := post(t, malformed, g.paths[0], g.header, g.bodies[0]); err != nil || status != http.StatusOK || json.Valid(raw) {
			t.Errorf("%s: malformed: %v %s", w, err, raw)
		}
		for _, s := range []*wiretest.Server{cut, malformed} {
			if status, raw, err := post(t, s, g.paths[0], g.header, g.bodies[0]); err != nil || status != http.StatusOK || !strings.Contains(string(raw), "All is well.") {
				t.Errorf("%s: the second time: %v %s", w, err, raw)
			}
		}
		arrived := make(chan struct{})
		slow, err := wiretest.New(w, func(wiretest.Seen) wiretest.Say { close(arrived); return wiretest.Say{Fault: wiretest.Slow} }, wiretest.Options{})
		if err != nil {
			t.Fatal(err)
		}
		go func() { <-arrived; _ = slow.Close() }()
		if status, _, err := post(t, slow, g.paths[0], g.header, g.bodies[0]); err == nil {
			t.Errorf("%s: an answer: HTTP %d", w, status)
		}
	}
}

// TestSecrets finds a secret wherever a body can hold one (B8).
func TestSecrets(t *testing.T) {
	const secret = `hunter2"<&ü`
	quoted, _ := json.Marshal(obj{"password": secret})
	coded := func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }
	twice, _ := json.Marshal([]any{string(quoted)})
	for name, text := range map[string]string{"plain": "it is " + secret, "in JSON": string(quoted), "in JSON in JSON": string(twice),
		"in base64": coded("as " + secret + "!"), "in base64, one further": coded("not " + secret), "in base64, two further": coded("of a " + secret)} {
		s := serve(t, wiretest.Chat, wiretest.Options{Secrets: []string{"absent", secret}})
		body, err := json.Marshal(obj{"model": "m", "messages": []any{obj{"role": "user", "content": "task: " + text}}})
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := post(t, s, "/v1/chat/completions", http.Header{"Content-Type": {"application/json"}}, body); err != nil {
			t.Fatal(err)
		}
		if p := s.Problems(); len(p) != 1 || !strings.HasSuffix(p[0], "the body holds secret 2") {
			t.Errorf("%s: %q", name, p)
		}
	}
}

// TestAtOnce has five conversations at once on each wire, which are told apart by
// their tasks, and a second attempt at one of them, which begins anew (D3, E3, E4).
func TestAtOnce(t *testing.T) {
	for w := range adapters() {
		g := readGolden(t, w)
		s, err := wiretest.New(w, func(s wiretest.Seen) wiretest.Say { return turns(w)[s.Request-1] }, wiretest.Options{Key: key})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = s.Close() })
		begun := func(body []byte, n int) []byte {
			return []byte(strings.ReplaceAll(string(body), "the page works", fmt.Sprint("task ", n)))
		}
		var all sync.WaitGroup
		for n := range 5 {
			all.Go(func() {
				for i, body := range g.bodies {
					status, raw, err := post(t, s, g.paths[i], g.header, begun(body, n))
					if got, want := string(laid(t, raw)), string(g.answers[i]); err != nil || status != http.StatusOK || i == 0 && got != want {
						t.Errorf("%s, task %d: %v HTTP %d\n%s\nwant\n%s", w, n, err, status, got, want)
						return
					}
				}
			})
		}
		all.Wait()
		if _, raw, err := post(t, s, g.paths[0], g.header, begun(g.bodies[0], 3)); err != nil || !strings.Contains(string(raw), "I look.") {
			t.Errorf("%s: a second attempt: %v %s", w, err, raw)
		}
		for _, p := range s.Problems() {
			t.Error(p)
		}
	}
}

// TestWhatIsThere has the models, a lone text, which only wants to know whether
// there is an answer, a body that is no request, and what is not served at all.
func TestWhatIsThere(t *testing.T) {
	header := http.Header{"Content-Type": {"application/json"}}
	for w, places := range map[wiretest.Wire][]string{
		wiretest.OpenAI: {"/v1/models/right", "/v1/models"}, wiretest.Azure: {"/openai/v1/models/right", "/openai/models?api-version=1"}, wiretest.Chat: {"/v1/models/right", "/v1/models"},
		wiretest.Anthropic: {"/v1/models/right"}, wiretest.Gemini: {"/v1beta/models/right"}} {
		s := serve(t, w, wiretest.Options{Model: "right"})
		for _, place := range places {
			for address, want := range map[string]int{place: http.StatusOK, strings.Replace(place, "right", "wrong", 1): http.StatusNotFound} {
				r, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, strings.TrimSuffix(s.URL(), "/v1")+address, nil)
				a, err := http.DefaultClient.Do(r)
				if err != nil {
					t.Fatal(err)
				}
				raw, _ := io.ReadAll(a.Body)
				if _ = a.Body.Close(); place != places[0] && a.StatusCode == http.StatusOK {
					continue // the list, which is there for any model
				}
				if a.StatusCode != want || want == http.StatusOK && !strings.Contains(string(raw), "right") {
					t.Errorf("%s: GET %s: HTTP %d %s", w, address, a.StatusCode, raw)
				}
			}
		}
		if p := s.Problems(); len(p) > 0 {
			t.Errorf("%s: %q", w, p)
		}
		g := readGolden(t, w)
		loose := serve(t, w, wiretest.Options{})
		if status, _, err := post(t, loose, g.paths[0], g.header, []byte(`{"input": [`)); err != nil || status != http.StatusBadRequest || !strings.Contains(fmt.Sprint(loose.Problems()), "no JSON object") {
			t.Errorf("%s: no JSON: %v HTTP %d %q", w, err, status, loose.Problems())
		}
	}
	asked := 0
	s, err := wiretest.New(wiretest.OpenAI, func(wiretest.Seen) wiretest.Say { asked++; return wiretest.Say{} }, wiretest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	if status, raw, err := post(t, s, "/v1/responses", header, []byte(`{"model":"m","input":"Say OK.","max_output_tokens":16,"store":false}`)); err != nil || status != http.StatusOK || asked != 0 || len(s.Problems()) > 0 {
		t.Errorf("a lone text: %v HTTP %d %s; the script was asked %d times; %q", err, status, raw, asked, s.Problems())
	}
	if _, err := wiretest.New("telex", wiretest.Fixed(), wiretest.Options{}); err == nil {
		t.Error("an unknown wire is served")
	}
	if _, err := wiretest.New(wiretest.OpenAI, nil, wiretest.Options{}); err == nil {
		t.Error("no script is served")
	}
}
