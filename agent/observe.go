package agent

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
)

// key returns a text that is equal for calls with equal name and arguments, in
// whatever order their fields are.
func (c Call) key() string {
	var v any
	if err := json.Unmarshal(c.Arguments, &v); err != nil {
		return c.Name + " " + string(c.Arguments)
	}
	text, err := json.Marshal(v) // with its keys in order
	if err != nil {
		return c.Name + " " + string(c.Arguments)
	}
	return c.Name + " " + string(text)
}

// price counts the actions and screenshots of a call.
func (c Call) price() Price {
	p := Price{Calls: 1}
	if c.Name == "page_screenshot" {
		p.Screenshots = 1
	}
	var batch struct {
		Actions []json.RawMessage `json:"actions"`
	}
	if err := json.Unmarshal(c.Arguments, &batch); err == nil { // or its tool will say what is wrong with it
		p.Calls = max(1, len(batch.Actions))
	}
	return p
}

// volatile reports whether a field of an answer differs from call to call
// although nothing has happened.
func volatile(name string) bool {
	return strings.HasSuffix(name, "_ms") || slices.Contains([]string{"time", "start", "screenshot", "check_id", "request_id"}, name)
}

// fingerprint returns a hash that is equal for answers with the same content,
// but for volatile fields.
func (r Result) fingerprint() string {
	text := []byte(r.Text())
	var v any
	if len(r.Structured) > 0 && json.Unmarshal(r.Structured, &v) == nil {
		if steady, err := json.Marshal(steady(v)); err == nil {
			text = steady
		}
	}
	sum := sha256.Sum256(append([]byte(r.Name+" "), text...))
	return hex.EncodeToString(sum[:8])
}

func steady(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for name, item := range v {
			if volatile(name) {
				delete(v, name)
			} else {
				v[name] = steady(item)
			}
		}
	case []any:
		for i := range v {
			v[i] = steady(v[i])
		}
	}
	return v
}

// seen holds what the loop reads of an answer's envelope.
type seen struct {
	Done  int `json:"done"` // of a call that failed, how many of its parts it has done
	Error struct {
		Code      string `json:"code"`
		Message   string `json:"message"`
		Retriable bool   `json:"retriable"`
	} `json:"error"`
	Data struct {
		URLFrom string            `json:"url_from"`
		Console []json.RawMessage `json:"console"`
		Errors  []json.RawMessage `json:"errors"`
		Loads   []json.RawMessage `json:"console_errors"`
		// Viewport holds the visible area that computer_action worked on.
		Viewport Screen `json:"viewport"`
	} `json:"data"`
}

func (r Result) envelope() seen {
	var s seen
	// What doesn't fit stays empty: the fields mean something else in that tool.
	_ = json.Unmarshal(r.Structured, &s)
	return s
}

// console lists the console errors that an answer reports.
func (s seen) console() []string {
	var out []string
	for _, raw := range slices.Concat(s.Data.Console, s.Data.Errors, s.Data.Loads) {
		var entry struct{ Text, Message string }
		var text string
		switch {
		case json.Unmarshal(raw, &text) == nil:
			out = append(out, text)
		case json.Unmarshal(raw, &entry) == nil:
			out = append(out, entry.Text+entry.Message)
		}
	}
	return out
}

// fatal finds a console message after which looking on makes no sense.
func fatal(patterns []*regexp.Regexp, s seen) string {
	for _, text := range s.console() {
		if slices.ContainsFunc(patterns, func(p *regexp.Regexp) bool { return p.MatchString(text) }) {
			return text
		}
	}
	return ""
}

// withoutInput hides what a call types: it may be a password. What stands for
// a secret may be shown.
func withoutInput(name string, arguments json.RawMessage) json.RawMessage {
	if len(arguments) == 0 {
		return nil
	}
	var v any
	decoder := json.NewDecoder(bytes.NewReader(arguments))
	decoder.UseNumber()
	if err := decoder.Decode(&v); err != nil {
		return json.RawMessage(`"(no JSON)"`)
	}
	out, err := json.Marshal(hideInput(v, name == "page_fill" || name == "computer_action"))
	if err != nil {
		return json.RawMessage(`"(not shown)"`)
	}
	return out
}

func hideInput(v any, typed bool) any {
	switch v := v.(type) {
	case map[string]any:
		typed = typed || v["action"] == "fill"
		for name, item := range v {
			text, isText := item.(string)
			if isText && typed && (name == "value" || name == "text") && (!strings.HasPrefix(text, "${secret:") || !strings.HasSuffix(text, "}")) {
				v[name] = "••••"
				continue
			}
			v[name] = hideInput(item, typed && (name == "fields" || name == "actions"))
		}
	case []any:
		for i := range v {
			v[i] = hideInput(v[i], typed)
		}
	}
	return v
}
