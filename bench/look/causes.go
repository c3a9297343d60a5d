package look

import (
	"fmt"
	"strings"
)

// causeCells makes calls whose own words look like the words of faults: their verdict must be that of the same call
// with plain words.
func causeCells(p *parts) {
	path := p.page("/cause/page", listing("en", "Desk", `<h1>Desk</h1><p id="p">Nothing to report.</p><button>Save</button>`))
	for _, word := range wordsOf("ERR_PROXY | net::ERR_TIMED_OUT | ERR_NAME_NOT_RESOLVED | Timeout 30000ms exceeded | browser has been closed | Target crashed | did not come to rest | no baseline | not found | strict mode violation | needs a person | ENOSPC") {
		slug := strings.NewReplacer(" ", "-", "::", "--").Replace(word)
		for _, q := range []struct {
			tool string
			of   func(word string) map[string]any
		}{
			{"flow: address of a closed port", func(s string) map[string]any {
				return map[string]any{"start_url": "closed:/" + s, "steps": []step{assertStep("visible", "h1", "")}}
			}},
			{"flow: a selector that finds nothing", func(s string) map[string]any {
				return map[string]any{"start_url": path, "steps": []step{{"action": "assert", "selector": `text="` + s + `"`, "assertion": assertion{"type": "visible"}, "timeout_ms": soon}}}
			}},
			{"flow: a text that is not there", func(s string) map[string]any {
				return map[string]any{"start_url": path, "steps": []step{{"action": "assert", "selector": "#p", "assertion": contains(s), "timeout_ms": soon}}}
			}},
			{"flow: a control that is not there", func(s string) map[string]any {
				return map[string]any{"start_url": path, "steps": []step{{"action": "click", "selector": `button "` + s + `"`, "timeout_ms": soon}, assertStep("visible", "h1", "")}}
			}},
			{"flow: its name", func(s string) map[string]any {
				return map[string]any{"start_url": path, "name": s, "steps": []step{{"action": "assert", "selector": "#p", "assertion": contains("All done"), "timeout_ms": soon}}}
			}},
		} {
			s := word
			if q.tool == "flow: address of a closed port" {
				s = slug
			}
			p.cell(cell{Class: "causes", Way: word, Tool: q.tool, Page: path, About: fmt.Sprint(q.of(s)), Truth: mustPass, ask: asPlain(q.of("plain"), q.of(s))})
		}
	}
}

// asPlain passes if two flows end alike.
func asPlain(plain, other map[string]any) question {
	return func(w *worker, _ string) (outcome, string, error) {
		key := fmt.Sprint(plain)
		if w.ended[key] == "" {
			o, _, err := w.flowWith(plain)
			if err != nil {
				return "", "", err
			}
			w.ended[key] = o
		}
		o, said, err := w.flowWith(other)
		if err != nil {
			return "", "", err
		}
		if o != w.ended[key] {
			return failed, short(fmt.Sprintf("plain %s, this %s: %s", w.ended[key], o, said)), nil
		}
		return passed, "", nil
	}
}

func (w *worker) flowWith(arguments map[string]any) (outcome, string, error) {
	with := map[string]any{"name": "look"}
	for k, v := range arguments {
		if path, ok := v.(string); ok && k == "start_url" {
			v = w.addressOf(path)
		}
		with[k] = v
	}
	return w.ask("verify_user_flow", with, status)
}

// addressOf returns the address of a path, or one behind "closed:" at which nothing listens.
func (w *worker) addressOf(path string) string {
	if closed, ok := strings.CutPrefix(path, "closed:"); ok {
		return strings.Replace(w.site, "127.0.0.1", "127.0.0.2", 1) + closed
	}
	return w.site + path
}
