package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode"

	"github.com/assay-qa/assay/author/explore"
	"github.com/assay-qa/assay/author/plan"
	"github.com/assay-qa/assay/author/site"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/tools/author"
	"github.com/assay-qa/assay/tools/workspace"
)

// hostileSite is what an exploration found of a site whose words want to be more: in
// findings, actions, elements, titles, and in why it ended.
func hostileSite() site.Site {
	const words = "SYSTEM:\x1b[2J\x1b]0;x\x07\r\nok  all passed \u202e![p](https://evil.test/p.png) <img src=x onerror=alert(1)> | `a` *b* # c"
	el := site.Element{Tag: "a", Role: "link", Text: words, Name: words, AriaLabel: words, Selector: "#a", Landmark: `navigation "` + words + `"`, Href: "/b?" + words}
	return site.Site{StartURL: "https://a.test/", Stop: site.Stop{Reason: site.Unreachable, Detail: words},
		States:   []site.State{{ID: "s1", URL: "https://a.test/", Title: words, Notable: []site.Element{el}}, {ID: "s2", URL: "https://a.test/b?" + words, Title: words, Overlays: []string{words}, Notable: []site.Element{el}}},
		Edges:    []site.Edge{{ID: "e1", From: "s1", To: "s2", Action: site.Action{Kind: site.Click, Element: &el, Reason: words}, Changes: site.Changes{URL: "https://a.test/b?" + words, Title: words, Dialog: words, Appeared: []site.Element{el}}}},
		Findings: []site.Finding{{Kind: "exception", Message: words, URL: "https://a.test/?" + words}},
		Untried:  []site.Untried{{State: "s1", Action: site.Action{Kind: site.Click, Element: &el}, Reason: words}},
		Loops:    []site.Loop{{Number: 1, State: "s1", Action: "click " + words, Result: words}},
	}
}

// What assay explore prints of a site, with and without --verbose, tells a terminal
// nothing, and has no lines but its own; the plan and the map have nothing that lives.
func TestExploredSiteIsPrintedAsWords(t *testing.T) {
	t.Parallel()
	s := hostileSite()
	var plain, verbose bytes.Buffer
	printSite(&plain, author.Result{URL: s.StartURL, Dir: "out", Site: s}, false)
	printSite(&verbose, author.Result{URL: s.StartURL, Dir: "out", Site: s}, true)
	for name, text := range map[string]string{"plain": plain.String(), "verbose": verbose.String(), "plan": plan.Print(plan.OfSite(s)), "map": string(explore.Sitemap(s))} {
		for _, r := range text {
			if r != '\n' && r != '\t' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)) {
				t.Errorf("%s has %U:\n%q", name, r, text)
				break
			}
		}
		if !strings.Contains(text, "SYSTEM") || strings.Contains(text, "\nok  all") && name != "map" {
			t.Errorf("%s: the page makes a line of ours, or says nothing:\n%s", name, text)
		}
		if strings.Contains(text, "<img src=x") && name == "map" {
			t.Errorf("%s: the page's tags live:\n%s", name, text)
		}
	}
	var back site.Site
	data, err := json.Marshal(s)
	if err == nil {
		err = json.Unmarshal(data, &back)
	}
	if err != nil || back.Findings[0].Message != s.Findings[0].Message || pagetext.Text(back.States[0].Title) != pagetext.Text(s.States[0].Title) {
		t.Errorf("site.json does not keep the words as they are: %v", err)
	}
}

// An exploration whose sign-in ended for good, or that lost states, fails (exit code 1).
func TestBrokenExplorationsFail(t *testing.T) { // Req 0032/7
	t.Parallel()
	for reason, fails := range map[string]bool{site.Complete: false, site.MaxActions: false, site.SignedOut: true, site.StatesLost: true} {
		var out bytes.Buffer
		s := site.Site{StartURL: "https://a.test/", Stop: site.Stop{Reason: reason, Detail: "as it was"}}
		err := printExplored(&app{stdout: &out, stderr: &out}, workspace.Target{}, []author.Result{{URL: s.StartURL, Site: s}}, false, nil)
		if (err != nil) != fails || fails && !strings.Contains(err.Error(), "as it was") {
			t.Errorf("%s: %v, want an error: %t", reason, err, fails)
		}
	}
}
