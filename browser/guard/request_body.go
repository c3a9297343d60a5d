package guard

import (
	"bytes"
	"encoding/json"
	"io"
	"mime"
	mimemultipart "mime/multipart"
	"net/url"
	"slices"
	"strings"

	"github.com/assay-qa/assay/internal/pattern"
)

// bodyFacts collects what the rest of a request says for reading its body.
type bodyFacts struct {
	patches bool // PATCH: a list of changes is one of them
	asks    bool // its path only asks
}

// judgeBody returns what a body shows of its request's effect: Removes with the
// rule, Reads where it is sure of that, Creates where it shows nothing.
func judgeBody(contentType string, body []byte, f bodyFacts) (Effect, string) {
	if len(body) == 0 {
		return Creates, ""
	}
	body = body[:min(len(body), MaxBody)]
	kind, params, _ := mime.ParseMediaType(contentType)
	trimmed := bytes.TrimSpace(body)
	switch {
	case kind == "application/json-patch+json", f.patches && len(trimmed) > 0 && trimmed[0] == '[' && strings.Contains(kind, "json"):
		return judgePatch(trimmed)
	case kind == "application/merge-patch+json":
		if e, rule := judgeMergePatch(trimmed); e == Removes {
			return e, rule
		}
		return judgeJSON(trimmed, f)
	case kind == "application/graphql":
		return judgeDocument(string(body))
	case strings.Contains(kind, "json"), (kind == "" || kind == "text/plain") && len(trimmed) > 0 && (trimmed[0] == '{' || trimmed[0] == '['):
		return judgeJSON(trimmed, f)
	case kind == "multipart/mixed":
		if m := innerRequest.FindSubmatch(body); m != nil {
			return Removes, string(m[1]) + " in the batch"
		}
	case strings.HasPrefix(kind, "multipart/"):
		return judgeForm(multipartValues(body, params["boundary"]))
	case kind == "application/x-www-form-urlencoded", kind == "" && formLike.Match(trimmed):
		values, _ := url.ParseQuery(string(trimmed)) // what it could read is what counts
		return judgeForm(decodedValues(values))
	case strings.Contains(kind, "xml"):
		for _, name := range [][][]byte{soapOperation.FindSubmatch(body), methodCall.FindSubmatch(body), rootElement.FindSubmatch(body)} {
			if len(name) > 1 {
				if rule := operationRule(string(name[1])); rule != "" {
					return Removes, rule
				}
			}
		}
	}
	return Creates, ""
}

var (
	innerRequest  = pattern.New(`(?m)^(DELETE|PURGE|UNLINK) \S+ HTTP/`)
	soapOperation = pattern.New(`(?i)<(?:[\w.-]+:)?Body[^>]*>\s*<(?:[\w.-]+:)?([\w.-]+)`)
	methodCall    = pattern.New(`(?i)<methodName>\s*([\w.:/-]+)`)
	rootElement   = pattern.New(`^\s*(?:<\?xml[^>]*\?>\s*)?<([\w.-]+)[\s/>]`)
	formLike      = pattern.New(`^[\w%.\[\]+-]{1,100}=[^\s]*$`)
)

// maxField bounds a field of a form that is read, in bytes.
const maxField = 4 << 10

func multipartValues(body []byte, boundary string) url.Values {
	out := url.Values{}
	if boundary == "" {
		return out
	}
	for parts := mimemultipart.NewReader(bytes.NewReader(body), boundary); ; {
		part, err := parts.NextRawPart()
		if err != nil {
			return out
		}
		if part.FileName() != "" {
			continue
		}
		value, err := io.ReadAll(io.LimitReader(part, maxField))
		if err != nil {
			return out
		}
		out.Add(part.FormName(), string(value))
	}
}

func judgeForm(values url.Values) (Effect, string) {
	if override, by := overriding(nil, values); override != "" {
		if _, known := knownMethods[override]; !known {
			return Removes, by + strings.ToLower(override)
		}
	}
	for key, all := range values {
		for _, value := range all {
			if rule := fieldRule(key, value); rule != "" {
				return Removes, rule
			}
			if strings.EqualFold(key, "query") {
				if rule := mutationRule(value); rule != "" {
					return Removes, rule
				}
			}
		}
	}
	return Creates, ""
}

// fieldRule returns the rule that one field of a form or an object fits.
func fieldRule(key, value string) string {
	ws := lowerWords(key)
	switch {
	case namesOperation(key):
		if rule := operationRule(value); rule != "" {
			return key + " " + rule
		}
	case newCredential(ws) && value != "":
		return "credentials in the body"
	case stateMark(ws) && truth(value), slices.Contains([]string{"status", "state"}, lastOf(ws)) && (programWords.Has("ended", strings.ToLower(value)) || operationRule(value) != ""):
		return key + " in the body"
	case slices.Contains(statements, lastOf(ws)) && statement.MatchString(decoded(value)):
		return "a statement that removes in the body"
	case strings.HasSuffix(key, "]") && truth(value) && readOperation(ws[max(len(ws)-1, 0):]).rule() == "delete":
		return "delete in the body" // a field of a record, by its key in brackets
	case pressed(ws, value):
		return readOperation(ws).rule() + " in the body" // the button by which a form was sent: delete=Delete
	}
	return ""
}

// statements name fields that hold a statement of a database.
var (
	statements = []string{"sql", "query", "statement", "stmt", "q"}
	statement  = pattern.New(`(?i)^\s*(?:(?:drop|truncate)\s+(?:table|database|schema|index|collection|user|view)\b|delete\s+from\s+\S)`)
)

func lastOf(ws []string) string {
	if len(ws) == 0 {
		return ""
	}
	return ws[len(ws)-1]
}

// pressed reports whether a field is the button by which a form was sent, or a mark that
// the act is wanted: delete=Delete, btn_delete=…, close_account=1.
func pressed(ws []string, value string) bool {
	if value == "" || len(ws) == 0 || readOperation(ws).rule() == "" {
		return false
	}
	said := strings.Join(lowerWords(value), "")
	last := ws[len(ws)-1:]
	if o := readOperation(ws); len(ws) == 1 && !weakest(o) && !slices.Contains([]string{"0", "false", "no", "off", "none", "null"}, said) {
		return true
	}
	return len(ws) <= 3 && readOperation(last).rule() != "" && said == last[0] ||
		slices.Contains([]string{"btn", "button", "submit"}, ws[0]) ||
		len(ws) == 2 && isThing(built(), ws[1]) && (truth(value) || said == strings.Join(ws, ""))
}

func truth(value string) bool {
	switch strings.ToLower(value) {
	case "1", "true", "yes", "on":
		return true
	}
	return false
}

// newCredential reports whether a key is that of a password which replaces
// another one. A sign-in has a password, too.
func newCredential(ws []string) bool {
	return slices.Contains(ws, "new") && (slices.Contains(ws, "password") || slices.Contains(ws, "passwd") || slices.Contains(ws, "pin")) || strings.Join(ws, "") == "newpassword"
}

// stateMark reports whether a key is a mark on what counts as ended.
func stateMark(ws []string) bool {
	if len(ws) > 1 && ws[0] == "is" {
		ws = ws[1:]
	}
	if len(ws) == 1 && slices.Contains([]string{"closed", "stopped", "expired"}, ws[0]) { // of a shop, a clock, a menu
		return false
	}
	return len(ws) > 0 && (ws[len(ws)-1] == "destroy" && len(ws) <= 6 || len(ws) == 1 && programWords.Has("ended", ws[0]))
}

// judgePatch judges a list of changes (RFC 6902): one that removes a field removes.
func judgePatch(body []byte) (Effect, string) {
	var changes []struct {
		Op string `json:"op"`
	}
	if err := json.Unmarshal(body, &changes); err != nil {
		return Creates, "" // no such list: the server refuses it
	}
	for _, c := range changes {
		if strings.EqualFold(c.Op, "remove") {
			return Removes, "a patch that removes"
		}
	}
	return Creates, ""
}

// judgeMergePatch judges a patch in which null removes a field (RFC 7396).
func judgeMergePatch(body []byte) (Effect, string) {
	var patch any
	if err := json.Unmarshal(body, &patch); err != nil {
		return Creates, "" // no such patch: the server refuses it
	}
	if hasNull(patch, 0) {
		return Removes, "a patch that removes"
	}
	return Creates, ""
}

func hasNull(value any, depth int) bool {
	object, ok := value.(map[string]any)
	if !ok || depth > maxDepth {
		return value == nil
	}
	for _, v := range object {
		if hasNull(v, depth+1) {
			return true
		}
	}
	return false
}

// judgeJSON reads a body as JSON: one value, or one a line.
func judgeJSON(body []byte, f bodyFacts) (Effect, string) {
	reads := true
	for dec := json.NewDecoder(bytes.NewReader(body)); ; {
		var value any
		if err := dec.Decode(&value); err != nil {
			break // its end, or no JSON: what came before counts
		}
		e, rule := judgeValue(value, f)
		if e == Removes {
			return e, rule
		}
		reads = reads && e == Reads
	}
	if reads {
		return Reads, ""
	}
	return Creates, ""
}

// judgeValue judges one value of a body: an operation, or a batch of them.
func judgeValue(value any, f bodyFacts) (Effect, string) {
	batch, isBatch := value.([]any)
	if !isBatch {
		batch = []any{value}
	}
	reads := len(batch) > 0
	for _, one := range batch {
		object, ok := one.(map[string]any)
		if !ok {
			reads = false
			continue
		}
		e, rule := judgeObject(object, f)
		if e == Removes {
			return e, rule
		}
		reads = reads && e == Reads
	}
	if reads {
		return Reads, ""
	}
	return Creates, ""
}

func judgeObject(object map[string]any, f bodyFacts) (Effect, string) {
	if document, ok := object["query"].(string); ok && graphqlDocument.MatchString(document) {
		e, rule := judgeDocument(document)
		if name, ok := object["operationName"].(string); ok && e == Creates {
			if rule := operationRule(name); rule != "" {
				return Removes, "operationName " + rule
			}
		}
		return e, rule
	}
	_, rpc := object["jsonrpc"]
	if method, ok := object["method"].(string); ok && rpc {
		if rule := operationRule(method); rule != "" {
			return Removes, rule
		}
		if params, ok := object["params"].(map[string]any); ok {
			if rule := walk(params, f, 0); rule != "" {
				return Removes, rule
			}
		}
		ws := lowerWords(method)
		if slices.ContainsFunc(ws, func(w string) bool { return programWords.Has("reading-verb", w) }) {
			return Reads, ""
		}
		return Creates, ""
	}
	for key, value := range object {
		ws := lowerWords(key)
		if _, text := value.(string); (text || isContainer(value)) && len(ws) == 1 && removing(ws) { // {"delete": {…}} of a bulk request
			return Removes, key + " in the body"
		}
		if rule := readOperation(ws).rule(); rule != "" && len(object) == 1 && (value == nil || isContainer(value)) { // {"reboot": {…}}
			return Removes, rule + " in the body"
		}
		if text, ok := value.(string); ok && strings.EqualFold(key, "type") {
			if rule := operationRule(text); rule != "" {
				return Removes, "type " + rule
			}
		}
	}
	if rule := walk(object, f, 0); rule != "" {
		return Removes, rule
	}
	return Creates, ""
}

func isContainer(value any) bool {
	switch value.(type) {
	case map[string]any, []any:
		return true
	}
	return false
}

const maxDepth = 3

// walk looks for operations and removal marks in an object and those within it.
func walk(object map[string]any, f bodyFacts, depth int) string {
	for key, value := range object {
		ws := lowerWords(key)
		switch v := value.(type) {
		case string:
			if rule := fieldRule(key, v); rule != "" {
				return rule
			}
			if f.asks {
				continue
			}
			if len(ws) == 2 && ws[1] == "at" && stateMark(ws[:1]) && v != "" {
				return key + " in the body"
			}
		case bool:
			if v && !f.asks && stateMark(ws) {
				return key + " in the body"
			}
		case float64:
			if v == 1 && !f.asks && stateMark(ws) {
				return key + " in the body"
			}
		case map[string]any:
			if depth > 0 && len(ws) == 1 && !f.asks && removing(ws) { // {"mutations": [{"delete": {…}}]}
				return key + " in the body"
			}
			if depth < maxDepth && !programWords.Has("condition", strings.ToLower(key)) {
				if rule := walk(v, f, depth+1); rule != "" {
					return rule
				}
			}
		case []any:
			if depth < maxDepth && !programWords.Has("condition", strings.ToLower(key)) {
				for _, one := range v[:min(len(v), 1000)] {
					if o, ok := one.(map[string]any); ok {
						if rule := walk(o, f, depth+1); rule != "" {
							return rule
						}
					}
				}
			}
		}
	}
	return ""
}
