package health

import (
	"encoding/json"
	"strings"
)

func isPage(contentType string) bool {
	return contentType == "text/html" || contentType == "application/xhtml+xml"
}

// checkStyles looks for fonts that can't be used, and for a page that has none of the rules that it links. Some builds link
// a sheet without a rule beside others; a page that has no rule at all is naked.
func (j *judge) checkStyles() {
	f := j.facts
	for _, family := range f.Fonts {
		j.add(BadFont, false, "", "the font %q can't be used", short(family, 80))
	}
	for _, icon := range f.Glyphs {
		j.add(BadFont, false, icon.Selector, "%s has no glyph for %s: an empty box is drawn", short(icon.Text, 80), icon.Kind)
	}
	for _, sheet := range f.Broken {
		j.add(CutShort, false, "", "%s", short(sheet, 300))
	}
	for _, script := range f.Blank {
		j.add(EmptyScript, false, "", "the script %s came empty, and the page has no other", short(script, 200))
	}
	rules := f.Rules
	for _, s := range f.Sheets {
		if s.Rules != 0 {
			rules++
		}
	}
	if rules > 0 || len(f.Sheets) == 0 {
		return
	}
	for _, s := range f.Sheets {
		for _, r := range f.Requests {
			if r.URL == s.URL && (r.Blocked || r.Aborted) {
				return // we refused it, or the page did
			}
		}
	}
	j.add(PageUnstyled, false, "", "the style sheet %s has no rule, and the page has no other", short(f.Sheets[0].URL, 200))
}

// checkTraffic looks at what the page's own requests came to.
func (j *judge) checkTraffic() {
	for _, r := range j.facts.Errors {
		j.add(ErrorInBody, false, "", "%s", short(r, 300))
	}
	for _, r := range j.facts.Loops {
		j.add(EndlessRequests, false, "", "%s", short(r, 300))
	}
	for _, r := range j.facts.Twice {
		j.add(SentTwice, false, "", "%s", short(r, 300))
	}
}

// SaysItFailed returns what a JSON body says of its own failure, by its structure: a flag
// for success that is off, errors that are listed, an error that is named; empty: nothing.
// The forms are those of JSend, GraphQL and JSON:API, and what REST services commonly do.
func SaysItFailed(body []byte) string {
	var top map[string]json.RawMessage
	if json.Unmarshal(body, &top) != nil {
		return ""
	}
	var on bool
	for _, flag := range []string{"ok", "success", "succeeded"} {
		if raw, found := top[flag]; found && json.Unmarshal(raw, &on) == nil && !on {
			return flag + ": false"
		}
	}
	var status string
	if json.Unmarshal(top["status"], &status) == nil && (status == "error" || status == "fail") {
		return "status: " + status
	}
	var list []json.RawMessage
	if json.Unmarshal(top["errors"], &list) == nil && len(list) > 0 {
		return "errors: " + short(string(list[0]), 120)
	}
	if raw := strings.TrimSpace(string(top["error"])); len(raw) > 2 && (raw[0] == '"' || raw[0] == '{') {
		return "error: " + short(raw, 120)
	}
	return ""
}
