package wiretest_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/assay-qa/assay/agent/wiretest"
)

// ours are the wires of this file, with a first request that is right.
func ours() map[wiretest.Wire]func(task string) object {
	return map[wiretest.Wire]func(string) object{
		wiretest.OpenAI: func(task string) object { return responses(user(task)) },
		wiretest.Azure:  func(task string) object { return responses(user(task)) },
		wiretest.Chat:   func(task string) object { return completions(object{"role": "user", "content": task}) },
	}
}

// TestFaultsOfHTTP has each fault that keeps an answer from coming, on each wire:
// it strikes as often as it says, and then the turn is said that it kept ("Tests
// without a model").
func TestFaultsOfHTTP(t *testing.T) {
	statuses := map[wiretest.Fault]int{wiretest.RateLimit: 429, wiretest.Overload: 503, wiretest.ServerError: 500, wiretest.WrongKey: 401}
	for w, first := range ours() {
		for fault, status := range statuses {
			t.Run(string(w)+" "+string(fault), func(t *testing.T) {
				asked := 0
				d := open(t, w, func(wiretest.Seen) wiretest.Say {
					asked++
					return wiretest.Say{Text: "All is well.", Fault: fault, Times: 2}
				}, wiretest.Options{Key: key})
				for range 2 {
					a, raw, err := d.send(first("a task"))
					var e struct{ Error struct{ Message string } }
					if err != nil || a.StatusCode != status || json.Unmarshal(raw, &e) != nil || e.Error.Message == "" {
						t.Fatalf("%v: HTTP %v: %s", err, a, raw)
					}
					if fault == wiretest.RateLimit && a.Header.Get("Retry-After") != "1" {
						t.Errorf("Retry-After %q", a.Header.Get("Retry-After"))
					}
				}
				a, raw, err := d.send(first("a task"))
				if err != nil {
					t.Fatal(err)
				}
				if lasting := fault == wiretest.WrongKey; lasting != (a.StatusCode == status) || lasting == strings.Contains(string(raw), "All is well.") {
					t.Errorf("the third time HTTP %d: %s", a.StatusCode, raw)
				}
				if asked != 1 {
					t.Errorf("the script was asked %d times for one turn", asked)
				}
				d.clean()
			})
		}
	}
}

// TestFaultsOfTheLine has an answer that is torn, one that is no JSON, and none
// at all.
func TestFaultsOfTheLine(t *testing.T) {
	for w, first := range ours() {
		for _, fault := range []wiretest.Fault{wiretest.Cut, wiretest.Malformed, wiretest.Slow} {
			t.Run(string(w)+" "+string(fault), func(t *testing.T) {
				arrived := make(chan struct{}, 2)
				d := open(t, w, func(wiretest.Seen) wiretest.Say {
					arrived <- struct{}{}
					return wiretest.Say{Text: "All is well.", Fault: fault}
				}, wiretest.Options{})
				switch fault {
				case wiretest.Cut:
					if _, raw, err := d.send(first("a task")); !errors.Is(err, io.ErrUnexpectedEOF) || len(raw) == 0 || json.Valid(raw) {
						t.Errorf("cut: %v: %s", err, raw)
					}
				case wiretest.Malformed:
					a, raw, err := d.send(first("a task"))
					if err != nil || a.StatusCode != http.StatusOK || json.Valid(raw) {
						t.Errorf("malformed: %v %s", err, raw)
					}
				default:
					ctx, cancel := context.WithCancel(t.Context())
					raw, _ := json.Marshal(first("a task"))
					r, _ := http.NewRequestWithContext(ctx, http.MethodPost, d.server.URL()+d.path, strings.NewReader(string(raw)))
					r.Header = d.header
					go func() { <-arrived; cancel() }()
					if a, err := http.DefaultClient.Do(r); !errors.Is(err, context.Canceled) {
						t.Errorf("slow: %v %v", a, err)
					}
				}
				if a, raw, err := d.send(first("a task")); err != nil || a.StatusCode != http.StatusOK || !strings.Contains(string(raw), "All is well.") {
					t.Errorf("the second time: %v %s", err, raw)
				}
				d.clean()
			})
		}
	}
}

// TestCloseEndsSlow wants Close to end an answer that is held back.
func TestCloseEndsSlow(t *testing.T) {
	arrived := make(chan struct{})
	d := open(t, wiretest.OpenAI, func(wiretest.Seen) wiretest.Say { close(arrived); return wiretest.Say{Fault: wiretest.Slow} }, wiretest.Options{})
	go func() { <-arrived; _ = d.server.Close() }()
	if a, _, err := d.send(responses(user("a task"))); err == nil {
		t.Errorf("an answer: HTTP %d", a.StatusCode)
	}
}

// TestFaultsOfTheTurn looks at what each of the other faults makes of a turn.
func TestFaultsOfTheTurn(t *testing.T) {
	call := wiretest.Call{Name: "page_open", Args: object{"url": "https://shop.example/"}}
	cases := []struct {
		fault           wiretest.Fault
		status          int    // of Chat
		responses, chat string // what the answer must hold
	}{
		{wiretest.Truncated, 200, `"arguments":"{\"url\":\"https:/",`, `"arguments":"{\"url\":\"https:/",`},
		{wiretest.Empty, 200, `"output":[]`, `"content":null`},
		{wiretest.Refusal, 200, `"type":"refusal"`, `"refusal":"I look."`},
		{wiretest.MaxTokens, 200, `"reason":"max_output_tokens"`, `"finish_reason":"length"`},
		{wiretest.SafetyPending, 200, `"code":"malicious_instructions"`, `"tool_calls"`},
		{wiretest.BadCall, 500, `"status":"failed"`, "error parsing tool call"},
	}
	for w, first := range ours() {
		for _, c := range cases {
			d := open(t, w, wiretest.Fixed(wiretest.Say{Text: "I look.", Calls: []wiretest.Call{call}, Fault: c.fault}), wiretest.Options{})
			want, status := c.responses, http.StatusOK
			if w == wiretest.Chat {
				want, status = c.chat, c.status
			}
			a, raw, err := d.send(first("a task"))
			if err != nil || a.StatusCode != status || !strings.Contains(string(raw), want) {
				t.Errorf("%s %s: %v HTTP %d: %s", w, c.fault, err, a.StatusCode, raw)
			}
			d.clean()
		}
	}
}

// TestDuplicateID wants both calls of one id to be answered by it, and a lone
// call to come twice.
func TestDuplicateID(t *testing.T) {
	open1 := wiretest.Call{Name: "page_open", Args: object{"url": "a", "wait": nil}}
	for _, calls := range [][]wiretest.Call{{open1}, {open1, {Name: "loose", Args: object{"any": object{}}}}} {
		d := open(t, wiretest.OpenAI, wiretest.Fixed(wiretest.Say{Calls: calls, Fault: wiretest.DuplicateID}), judged())
		said := d.ask(responses(user("a task")))["output"].([]any)
		id := pick(t, said, 0, "call_id").(string)
		if len(said) != 2 || pick(t, said, 1, "call_id") != id {
			t.Fatalf("said %v", said)
		}
		d.ask(responses(slices.Concat([]any{user("a task")}, said, []any{output(id, text("one")), output(id, text("two"))})...))
		d.clean()
	}
}

// TestTruncatedComesWhole wants the call that was refused for its arguments to
// come once more, whole.
func TestTruncatedComesWhole(t *testing.T) {
	call := wiretest.Call{Name: "page_open", Args: object{"url": "https://shop.example/"}}
	d := open(t, wiretest.OpenAI, wiretest.Fixed(wiretest.Say{Calls: []wiretest.Call{call}, Fault: wiretest.Truncated}), judged())
	said := d.ask(responses(user("a task")))["output"].([]any)
	id := pick(t, said, 0, "call_id").(string)
	again := d.ask(responses(slices.Concat([]any{user("a task")}, said, []any{output(id, text("no JSON"))})...))
	if pick(t, again, "output", 0, "arguments") != `{"url":"https://shop.example/"}` || pick(t, again, "output", 0, "call_id") == id {
		t.Errorf("again: %v", again["output"])
	}
	d.clean()
}

// TestKeyAndModel has the wrong key, the wrong model and the question whether
// the model is there, which costs no token.
func TestKeyAndModel(t *testing.T) {
	for w, first := range ours() {
		d := open(t, w, wiretest.Fixed(), wiretest.Options{Key: key, Model: "right"})
		body := first("a task")
		body["model"] = "wrong"
		if a, raw, err := d.send(body); err != nil || a.StatusCode != http.StatusNotFound || !strings.Contains(string(raw), `"error"`) {
			t.Errorf("%s: wrong model: %v %s", w, err, raw)
		}
		for model, status := range map[string]int{"/right": 200, "/wrong": 404, "": 200} {
			address := d.server.URL() + "/models" + model
			if w == wiretest.Azure {
				address = d.server.URL() + "/openai/models" + model + "?api-version=2024-10-21"
			}
			r, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
			r.Header = d.header
			a, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			if _ = a.Body.Close(); a.StatusCode != status {
				t.Errorf("%s: GET of the models%s: HTTP %d", w, model, a.StatusCode)
			}
		}
		d.header = http.Header{"Content-Type": {"application/json"}, "Authorization": {"Bearer sk-other"}, "Api-Key": {"other"}}
		if a, raw, err := d.send(first("a task")); err != nil || a.StatusCode != http.StatusUnauthorized || !strings.Contains(string(raw), `"error"`) {
			t.Errorf("%s: wrong key: %v %s", w, err, raw)
		}
		d.clean()
	}
}

// TestProbeAndWindow has a lone text, which only wants to know whether there is an
// answer: the script is not asked. And a conversation that does not fit.
func TestProbeAndWindow(t *testing.T) {
	for w, first := range ours() {
		asked := 0
		d := open(t, w, func(wiretest.Seen) wiretest.Say { asked++; return wiretest.Say{Text: "Done."} }, wiretest.Options{Schemas: officialFolder, Window: 5000})
		if w != wiretest.Chat {
			d.ask(object{"model": "gpt-5.4", "input": "Say OK.", "max_output_tokens": 16, "store": false})
		}
		if asked != 0 {
			t.Errorf("%s: the script was asked %d times", w, asked)
		}
		a, raw, err := d.send(first(strings.Repeat("long ", 1000)))
		if err != nil || a.StatusCode != http.StatusBadRequest || !strings.Contains(string(raw), "context_length_exceeded") || asked != 0 {
			t.Errorf("%s: too long: %v %s", w, err, raw)
		}
		d.ask(first("a task"))
		d.clean()
	}
}

// TestSecrets finds a secret wherever a body can hold one (B8), and doesn't say
// it again.
func TestSecrets(t *testing.T) {
	const secret = `hunter2"<&ü`
	quoted, _ := json.Marshal(object{"password": secret})
	coded := func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }
	twice, _ := json.Marshal([]any{string(quoted)})
	for name, text := range map[string]string{"plain": "it is " + secret, "in JSON": string(quoted), "in JSON in JSON": string(twice),
		"in base64": coded("as " + secret + "!"), "in base64, one further": coded("not " + secret), "in base64, two further": coded("of a " + secret), "key": "x" + key} {
		d := open(t, wiretest.OpenAI, wiretest.Fixed(), wiretest.Options{Key: key, Secrets: []string{"absent", secret}})
		d.ask(responses(user("task: " + text)))
		if name == "key" {
			d.objects("the body holds the key")
		} else {
			d.objects("the body holds secret 2")
		}
		if all := strings.Join(d.server.Problems(), " "); strings.Contains(all, secret) || strings.Contains(all, key) || strings.Contains(all, "secret 1") {
			t.Errorf("%s: %s", name, all)
		}
	}
	d := open(t, wiretest.OpenAI, wiretest.Fixed(), wiretest.Options{Key: key, Secrets: []string{secret}})
	d.path += "?key=" + key
	d.ask(responses(user("a task with hunter and 2")))
	d.objects("the address holds the key")
	if len(d.server.Problems()) != 1 {
		t.Error(d.server.Problems())
	}
}

// TestAtOnce has five conversations at once, each with turns of its own, and a
// second attempt at one of them, which begins anew (E3, E4).
func TestAtOnce(t *testing.T) {
	d := open(t, wiretest.OpenAI, func(s wiretest.Seen) wiretest.Say { return wiretest.Say{Text: fmt.Sprint(s.Task, " turn ", s.Request)} }, judged())
	var all sync.WaitGroup
	for n := range 5 {
		task := fmt.Sprint("task ", n)
		all.Go(func() {
			input := []any{user(task)}
			for turn := range 4 {
				a, raw, err := d.send(responses(input...))
				var said struct{ Output []any }
				if err != nil || a.StatusCode != http.StatusOK || json.Unmarshal(raw, &said) != nil {
					t.Errorf("%s: %v %s", task, err, raw)
					return
				}
				if want := fmt.Sprint(task, " turn ", turn+1); pick(t, said.Output, 0, "content", 0, "text") != want {
					t.Errorf("%v, want %s", said.Output, want)
				}
				input = slices.Concat(input, said.Output, []any{user("go on")})
			}
		})
	}
	all.Wait()
	anew := d.ask(responses(user("task 3")))
	if pick(t, anew, "output", 0, "content", 0, "text") != "task 3 turn 1" {
		t.Errorf("a second attempt: %v", anew["output"])
	}
	d.clean()
}

// TestWhatIsNotThere wants an address that the wire lacks, and a body that is no
// request, to be problems.
func TestWhatIsNotThere(t *testing.T) {
	for w := range ours() {
		d := open(t, w, wiretest.Fixed(), wiretest.Options{})
		right := d.path
		d.path = "/v2/elsewhere"
		if a, _, err := d.send(object{}); err != nil || a.StatusCode != http.StatusNotFound {
			t.Errorf("%s: %v", w, err)
		}
		d.objects("there is no POST")
		d.path = right
		if a, _, err := d.send([]byte(`{"input": [`)); err != nil || a.StatusCode != http.StatusBadRequest {
			t.Errorf("%s: %v", w, err)
		}
		d.objects("the body is no JSON")
		if a, _, err := d.send(object{"surprise": 1}); err != nil || a.StatusCode != http.StatusBadRequest {
			t.Errorf("%s: %v", w, err)
		}
		d.objects(`unknown field "surprise"`) // without the official description
	}
	if _, err := wiretest.New("telex", wiretest.Fixed(), wiretest.Options{}); err == nil {
		t.Error("an unknown wire is served")
	}
	if _, err := wiretest.New(wiretest.OpenAI, nil, wiretest.Options{}); err == nil {
		t.Error("no script is served")
	}
	if _, err := wiretest.New(wiretest.OpenAI, wiretest.Fixed(), wiretest.Options{Schemas: t.TempDir()}); err == nil {
		t.Error("a server without its description judges by nothing")
	}
}
