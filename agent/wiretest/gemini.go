package wiretest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strings"
)

// gemini is the Gemini API. It has no official schema in its module: requests
// are held against the types that Google's own client sends.
type gemini struct{}

func (gemini) base() string { return "" }

func (gemini) key(h http.Header) string { return h.Get("X-Goog-Api-Key") }

const geminiModels = "/v1beta/models/"

func (gemini) aim(r *http.Request, _ []byte) aim {
	rest, ok := strings.CutPrefix(r.URL.Path, geminiModels)
	model, method, called := strings.Cut(rest, ":")
	switch {
	case !ok || model == "":
		return aim{}
	case r.Method == http.MethodGet && !called:
		return aim{purpose: theModel, model: model}
	case r.Method == http.MethodPost && method == "generateContent":
		return aim{purpose: aTurn, model: model}
	default:
		return aim{}
	}
}

// fail is an error as Google words it. A wrong key is a bad argument there, an
// overload is 503, and how long to wait is told in the body alone.
func (gemini) fail(status int, message string) reply {
	var details []any
	name := "INVALID_ARGUMENT"
	switch status {
	case http.StatusUnauthorized:
		status, message = http.StatusBadRequest, "API key not valid. Please pass a valid API key."
		details = append(details, map[string]any{"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID", "domain": "googleapis.com"})
	case http.StatusForbidden:
		name = "PERMISSION_DENIED"
	case http.StatusNotFound:
		name = "NOT_FOUND"
	case http.StatusTooManyRequests:
		name = "RESOURCE_EXHAUSTED"
		details = append(details, map[string]any{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "1s"})
	case StatusOverloaded:
		status, name = http.StatusServiceUnavailable, "UNAVAILABLE"
	case http.StatusInternalServerError:
		name = "INTERNAL"
	}
	failure := map[string]any{"code": status, "message": message, "status": name}
	if details != nil {
		failure["details"] = details
	}
	a := answerJSON(status, map[string]any{"error": failure})
	a.header = http.Header{"Retry-After": nil}
	return a
}

func (gemini) model(name string) reply {
	return answerJSON(http.StatusOK, map[string]any{
		"name": "models/" + name, "version": "001", "displayName": name, "inputTokenLimit": 1048576, "outputTokenLimit": 65536,
		"supportedGenerationMethods": []any{"generateContent", "countTokens"},
	})
}

// geminiVersion is the version in a model's name, times ten; 0 if there is none.
func geminiVersion(model string) int {
	m := geminiNumber.FindStringSubmatch(model)
	if m == nil {
		return 0
	}
	var major, minor int
	_, _ = fmt.Sscan(m[1], &major) // digits
	if m[2] != "" {
		_, _ = fmt.Sscan(m[2], &minor)
	}
	return major*10 + minor
}

var geminiNumber = regexp.MustCompile(`^gemini-(\d+)(?:\.(\d))?`)

// follow holds the contents against the turn before: those of that request as
// they were (results may have become shorter), what was said then with its
// signatures, each call answered at the head of the very next content.
func (gemini) follow(t *talk, q *request) []string {
	own, _ := q.own.(contents)
	now := own.turns
	last := t.last()
	if last == nil {
		return q.geminiOpening(now)
	}
	before, _ := last.request.own.(contents)
	said, _ := last.said.([]block)
	var out []string
	for i, m := range before.turns {
		if i >= len(now) || now[i].Role != m.Role {
			return append(out, fmt.Sprintf("lost: contents/%d of the request before", i))
		}
		rest, problems := keptParts(now[i].Content, m.Content)
		out = append(out, problems...)
		if said == nil && i == len(before.turns)-1 {
			out = append(out, q.newParts(rest)...)
		} else if len(rest) > 0 {
			out = append(out, "nothing asked for this, in an old content: "+short(rest[0]))
		}
	}
	now = now[len(before.turns):]
	if said != nil {
		if len(now) == 0 || now[0].Role != "model" {
			return append(out, "what was said is not echoed: "+short(said[0]))
		}
		out = append(out, echoedParts(now[0].Content, said)...)
		now = now[1:]
		var rest blocks
		if len(now) > 0 {
			rest, now = now[0].Content, now[1:]
		}
		rest, problems := q.responded(rest, said)
		out = append(append(out, problems...), q.newParts(rest)...)
	}
	if len(now) > 0 {
		out = append(out, fmt.Sprintf("nothing asked for %d more contents", len(now)))
	}
	return out
}

func (q *request) geminiOpening(now []spoken) []string {
	if len(now) == 0 {
		return []string{"there are no contents"}
	}
	out := q.newParts(now[0].Content)
	if len(now) > 1 {
		out = append(out, "nothing was said yet, and the conversation has an answer")
	}
	return out
}

// newParts are the texts and pictures that a user brings beside the task.
func (q *request) newParts(rest blocks) []string {
	var out []string
	for _, b := range rest {
		text, isText := b["text"].(string)
		switch {
		case b["functionResponse"] != nil:
			out = append(out, "it answers no call of the turn before, or comes behind a text: "+short(b))
		case b["inlineData"] != nil:
		case !isText:
			out = append(out, "nothing asked for this: "+short(b))
		case text != q.seen.Task:
			q.seen.Said = append(q.seen.Said, text)
		}
	}
	return out
}

// part is a decoded part again as JSON: two of them are the same if their texts
// are.
func part(b block) string {
	if call, ok := b["functionCall"].(map[string]any); ok && call["args"] == nil {
		whole := map[string]any{"args": map[string]any{}}
		for k, v := range call {
			whole[k] = v
		}
		b = block{"functionCall": whole, "thoughtSignature": b["thoughtSignature"]}
	} else if ok {
		b = block{"functionCall": call, "thoughtSignature": b["thoughtSignature"]}
	}
	text, _ := json.Marshal(b)
	return string(text)
}
