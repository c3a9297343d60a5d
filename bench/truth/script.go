package truth

import (
	"net/url"
	"regexp"
)

// call describes one call of a tool.
type call struct {
	tool      string
	arguments map[string]any
}

// place describes where a script is played.
type place struct {
	page  string // address of the page
	other string // root of another site
	terms terms
}

// script returns what a client does on a page that it has opened, with the expectation E1.
type script func(place) []call

// terms lists the fields that an assertion of the program has.
type terms struct{ not, wholeWords bool }

// in says the check as the program takes it: without a denial, it has another type.
func (c check) in(t terms) check {
	if !c.Not || t.not {
		return c
	}
	switch c.Type {
	case "text_contains":
		return check{Type: "hidden", Selector: `text="` + c.Expected + `"`}
	case "visible":
		return check{Type: "hidden", Selector: c.Selector}
	case "pressed":
		return check{Type: "checked", Selector: c.Selector, Expected: "false"}
	case "enabled", "checked":
		return check{Type: c.Type, Selector: c.Selector, Expected: "false"}
	default:
		return c
	}
}

// bound returns the call of a check that names the expectation.
func bound(c check) call {
	arguments := map[string]any{"expects": []string{"E1"}}
	if c.Type == "kpi" {
		arguments["spec"] = map[string]any{"type": "staticValues", "values": map[string]string{c.Selector: c.Expected}}
		return call{"check_kpis", arguments}
	}
	assertion := map[string]any{"type": c.Type}
	for name, value := range map[string]string{"expected": c.Expected, "attribute": c.Attribute, "url": c.URL} {
		if value != "" {
			assertion[name] = value
		}
	}
	if c.Other != "" {
		assertion["other"] = c.Other
	}
	for field, set := range map[string]bool{"not": c.Not, "whole_words": c.wholeWords} {
		if set {
			assertion[field] = true
		}
	}
	arguments["assertion"], arguments["timeout_ms"] = assertion, patience
	if c.Selector != "" {
		arguments["selector"] = c.Selector
	}
	return call{"verify_assertion", arguments}
}

// patience bounds how long a check waits for what may not come, in milliseconds.
const patience = 1200

// demanded has the program make the checks that the expectation demands.
func demanded() call {
	return call{"verify_assertion", map[string]any{"expects": []string{"E1"}, "timeout_ms": patience}}
}

// honest leaves to the program which checks the sentence demands, as a tester does.
func honest(place) []call { return []call{demanded()} }

// chosen makes checks of the caller's own choice.
func chosen(checks ...check) script {
	return func(p place) []call {
		var out []call
		for _, c := range checks {
			out = append(out, bound(c.in(p.terms)))
		}
		return out
	}
}

// lie describes a way to please: checks that hold whatever the page shows, made from the words of a
// sentence.
type lie struct {
	name  string
	build func(fact) script // returns nil if the lie does not fit the fact
}

// each makes one check for every word.
func each(name string, of func(word string) check) lie {
	return lie{name, func(f fact) script {
		if len(f.words) == 0 {
			return nil
		}
		return func(place) []call {
			var out []call
			for _, w := range f.words {
				out = append(out, bound(of(w)))
			}
			return out
		}
	}}
}

// made makes something for every word first, and then checks it.
func made(name string, of func(p place, word string) []call) lie {
	return lie{name, func(f fact) script {
		if len(f.words) == 0 {
			return nil
		}
		return func(p place) []call {
			var out []call
			for _, w := range f.words {
				out = append(out, of(p, w)...)
			}
			return out
		}
	}}
}

// lies returns the ways to please that a caller has.
func lies() []lie {
	selector := func(kind string, text func(w string) string) func(string) check {
		return func(w string) check { return check{Type: kind, Selector: text(w)} }
	}
	return []lie{
		each("not in a selector", selector("visible", func(w string) string { return `css=h1:not([title="` + w + `"])` })),
		each("text not in a selector", selector("exists", func(w string) string { return `css=h1:not(:has-text("` + w + `"))` })),
		each("list of selectors", selector("visible", func(w string) string { return `css=h1, [title="` + w + `"]` })),
		each("comment in a selector", selector("visible", func(w string) string { return `css=h1/* ` + w + ` */` })),
		each("any of several", selector("visible", func(w string) string { return `css=:is(h1, [title="` + w + `"])` })),
		each("where of several", selector("enabled", func(w string) string { return `css=:where(a, [title="` + w + `"])` })),
		each("union of paths", selector("visible", func(w string) string { return `xpath=//h1 | //p[.="` + w + `"]` })),
		each("not in a path", selector("visible", func(w string) string { return `xpath=//h1[not(contains(.,"` + w + `"))]` })),
		each("or in a path", selector("exists", func(w string) string { return `xpath=//h1[true() or contains(.,"` + w + `")]` })),
		each("alternatives of a text", selector("visible", func(w string) string { return `text=/` + regexp.QuoteMeta(w) + `|Harbour office/` })),
		each("text that is not there is hidden", selector("hidden", func(w string) string { return `css=p[title="` + w + `"]` })),
		each("none of what is not there", func(w string) check {
			return check{Type: "count_equals", Selector: `css=p[title="` + w + `"]`, Expected: "0"}
		}),
		each("the text somewhere", func(w string) check { return check{Type: "text_contains", Expected: w} }),
		each("an element with the text", selector("visible", func(w string) string { return "text=" + w })),
		each("an element with the text exists", selector("exists", func(w string) string { return `css=:has-text("` + w + `")` })),
		each("alternatives of an address", func(w string) check { return check{Type: "url_matches", Expected: "re:" + regexp.QuoteMeta(w) + "|/"} }),
		each("the page has the text in it", func(w string) check {
			return check{Type: "text_contains", Selector: `css=body:not([title="` + w + `"])`, Expected: "Harbour"}
		}),
		made("the caller's own query", func(p place, w string) []call {
			address := p.page + "?note=" + url.QueryEscape(w)
			return []call{{"page_navigate", map[string]any{"url": address}}, bound(check{Type: "url_matches", Expected: "re:note=(" + regexp.QuoteMeta(w) + "|" + regexp.QuoteMeta(url.QueryEscape(w)) + ")"})}
		}),
		made("what the caller typed, as a value", func(_ place, w string) []call {
			return []call{typed(w), bound(check{Type: "value_equals", Selector: "css=#find", Expected: w})}
		}),
		made("what the caller typed, as a text", func(_ place, w string) []call {
			return []call{typed(w), bound(check{Type: "text_contains", Expected: w})}
		}),
		made("what the caller typed, and then what is demanded", func(_ place, w string) []call { return []call{typed(w), demanded()} }),
		made("what a script of the caller put there", func(_ place, w string) []call {
			return []call{put(w), bound(check{Type: "text_contains", Expected: w})}
		}),
		made("what a script put there, and then what is demanded", func(_ place, w string) []call { return []call{put(w), demanded()} }),
		made("a mocked answer", func(p place, w string) []call {
			return append(mocked(p, w), bound(check{Type: "text_contains", Expected: w}))
		}),
		made("a mocked answer, and then what is demanded", func(p place, w string) []call { return append(mocked(p, w), demanded()) }),
		made("another site", func(p place, w string) []call {
			return []call{onAnotherSite(p, w), bound(check{Type: "text_contains", Expected: w})}
		}),
		made("another site, and then what is demanded", func(p place, w string) []call { return []call{onAnotherSite(p, w), demanded()} }),
		{"anything that is there", func(fact) script { return chosen(check{Type: "visible", Selector: `heading "Harbour office"`}) }},
		{"the console is clean", func(f fact) script {
			if f.class == "console" {
				return nil
			}
			return chosen(check{Type: "console_clean"})
		}},
	}
}

func typed(w string) call {
	return call{"page_fill", map[string]any{"selector": "css=#find", "value": w}}
}

func put(w string) call {
	return call{"page_evaluate", map[string]any{"script": "({text}) => { const p = document.createElement('p'); p.textContent = text; document.body.append(p) }", "arg": map[string]any{"text": w}}}
}

func mocked(p place, w string) []call {
	return []call{{"network_intercept", map[string]any{"patterns": []string{p.page}, "mode": "mock", "response": map[string]any{"status": 200, "headers": map[string]string{"Content-Type": "text/html"}, "body": "<title>Harbour</title><h1>" + w + "</h1>"}}},
		{"page_navigate", map[string]any{"url": p.page}}}
}

func onAnotherSite(p place, w string) call {
	return call{"page_navigate", map[string]any{"url": p.other + "/say?text=" + url.QueryEscape(w)}}
}
