package truth

import (
	"fmt"
	"net/url"
	"strings"
)

// word holds a text, another one that contains it, and an ordinary sentence with
// it.
type word struct{ text, within string }

func words() []word {
	return []word{
		{"Paid", "Unpaid"}, {"Active", "Inactive"}, {"Valid", "Invalid"}, {"Berth 5", "Berth 52"}, {"15 boats", "115 boats"}, {"Arrived", "Prearrived"},
		{"Storm", "Stormfree"}, {"€ 48.20", "€ 48.205"}, {"bezahlt", "unbezahlt"}, {"gebucht", "ungebucht"}, {"pagato", "prepagato"}, {"letto", "diletto"}, {"已到港", ""}, {"维修中", ""},
	}
}

// saying describes a way to say something of a text, %s, and the words it goes
// with.
type saying struct{ language, form string }

// in takes the words of the saying's language: English ones, or its own.
func (s saying) word(turn int) word {
	all := words()
	switch s.language {
	case "de":
		return all[8+turn%2]
	case "it":
		return all[10+turn%2]
	case "zh":
		return all[12+turn%2]
	default:
		return all[turn%8]
	}
}

// textFacts say that a text is there.
func textFacts() []fact {
	var out []fact
	for i, s := range []saying{
		{"en", `The page shows "%s"`}, {"en", `"%s" is shown`}, {"en", `I see "%s"`}, {"en", `Then I should see “%s”`}, {"en", `"%s" is visible on the page`},
		{"en", `the page contains the text '%s'`}, {"en", `"%s" appears`}, {"en", `Only then it says "%s" and the form is closed`},
		{"de", `Die Seite zeigt „%s“`}, {"de", `"%s" ist zu sehen`}, {"de", `Dann sehe ich "%s"`}, {"it", `La pagina mostra "%s"`}, {"it", `Allora vedo «%s»`}, {"zh", `页面显示“%s”`}, {"zh", `那么我应该看到"%s"`},
	} {
		w := s.word(i)
		t := w.text
		f := fact{class: "text", said: []string{fmt.Sprintf(s.form, t)}, checks: []check{{Type: "text_contains", Expected: t}}, words: []string{t}, pages: []variant{
			so("a paragraph", showing("<p>"+t+"</p>")),
			so("a cell among others", showing("<table><tr><th>State</th><th>Since</th></tr><tr><td>"+t+"</td><td>Monday</td></tr></table>")),
			so("written in two pieces", showing("<p><b>"+t[:firstRune(t)]+"</b>"+t[firstRune(t):]+"</p>")),
			notSo("another text", showing("<p>Nothing to report</p>")),
			notSo("hidden", showing(`<p style="display:none">`+t+"</p>")),
			notSo("transparent", showing(`<p class="clear">`+t+"</p>")),
			notSo("off the screen", showing(`<p class="away">`+t+"</p>")),
			notSo("in attributes", showing(`<p title="`+t+`" data-state="`+t+`">Nothing to report</p>`)),
			notSo("in a script and a comment", showing(`<!-- `+t+` --><script>window.state = "`+t+`"</script><p>Nothing to report</p>`)),
			notSo("in an option that is not chosen", showing(`<label>State <select><option>None</option><option>`+t+`</option></select></label>`)),
		}}
		if strings.HasPrefix(s.form, "Only then") {
			f.class, f.checks = "vague", nil // two things, the second of which nobody can tell
		}
		if w.within != "" {
			f.pages = append(f.pages, notSo("part of another word", showing("<p>"+w.within+"</p>")))
		}
		query := notSo("in the address", showing("<p>Nothing to report</p>"))
		query.query = "?state=" + strings.ReplaceAll(t, " ", "+")
		f.pages = append(f.pages, query)
		out = append(out, f)
	}
	return append(out, pairFacts()...)
}

func firstRune(s string) int { return len(string([]rune(s)[:1])) }

// pairFacts say that two texts are there.
func pairFacts() []fact {
	var out []fact
	for _, s := range []string{`"Anchor" and "Rudder" are shown`, `The page shows "Anchor" and "Rudder"`, `I see "Anchor" and I see "Rudder"`, `Die Seite zeigt "Anchor" und "Rudder"`} {
		out = append(out, fact{class: "two texts", said: []string{s}, words: []string{"Anchor", "Rudder"}, checks: []check{{Type: "text_contains", Expected: "Anchor"}, {Type: "text_contains", Expected: "Rudder"}}, pages: []variant{
			so("both", showing("<p>Anchor</p><p>Rudder</p>")), notSo("the first", showing("<p>Anchor</p>")), notSo("the second", showing("<p>Rudder</p>")),
			notSo("one of them hidden", showing("<p>Anchor</p><p hidden>Rudder</p>")), notSo("neither", showing("<p>Nothing to report</p>")),
		}})
	}
	return out
}

// denialFacts say that a text is not there.
func denialFacts() []fact {
	var out []fact
	for i, s := range []saying{
		{"en", `The page does not show "%s"`}, {"en", `"%s" is not shown`}, {"en", `"%s" isn't shown`}, {"en", `"%s" isn’t there`}, {"en", `Then I should not see "%s"`}, {"en", `There is no "%s" on the page`},
		{"en", `"%s" is no longer shown`}, {"en", `"%s" has gone`}, {"en", `the page is free of "%s"`}, {"en", `"%s" is absent`}, {"en", `The page hides "%s"`}, {"en", `"%s" is nowhere to be seen`}, {"en", `"%s" vanishes`},
		{"en", `"%s" must be hidden`}, {"en", `Nobody sees "%s"`}, {"en", `The page lacks "%s"`}, {"en", `"%s" ceases to be displayed`}, {"en", `The page never shows "%s"`},
		{"de", `Die Seite zeigt "%s" nicht`}, {"de", `"%s" ist nicht zu sehen`}, {"de", `"%s" fehlt`}, {"de", `"%s" ist verschwunden`}, {"de", `Es gibt kein „%s“ mehr`}, {"de", `Die Seite verzichtet auf „%s“`},
		{"it", `La pagina non mostra "%s"`}, {"it", `"%s" non compare`}, {"it", `"%s" è sparito`}, {"zh", `页面不显示“%s”`}, {"zh", `页面上没有“%s”`}, {"zh", `“%s”消失了`}, {"zh", `看不到“%s”`},
	} {
		w := s.word(i)
		t := w.text
		f := fact{class: "denial", said: []string{fmt.Sprintf(s.form, t)}, checks: []check{{Type: "text_contains", Expected: t, Not: true}}, words: []string{t}, pages: []variant{
			so("another text", showing("<p>Nothing to report</p>")),
			so("hidden", showing(`<p hidden>`+t+"</p>")),
			notSo("a paragraph", showing("<p>"+t+"</p>")),
			notSo("a cell", showing("<table><tr><th>State</th></tr><tr><td>"+t+"</td></tr></table>")),
			notSo("a frame", showing(`<iframe title="inner" srcdoc="<p>`+t+`</p>"></iframe>`)),
			notSo("a frame of another site", showing(`<iframe title="inner" src="`+elsewhere+`/say?text=`+url.QueryEscape(t)+`"></iframe>`)),
			{name: "drawn", beyond: true, page: showing(`<canvas width="900" height="600"></canvas><script>const c = document.querySelector("canvas").getContext("2d"); c.font = "48px Arial"; c.fillText("` + t + `", 40, 90); c.fillRect(0, 200, 900, 400)</script>`)},
			notSo("an open shadow root", showing(`<div id="host"></div><script>document.getElementById("host").attachShadow({mode: "open"}).innerHTML = "<p>`+t+`</p>"</script>`)),
			notSo("it comes late", showing(`<p id="late">Nothing to report</p><script>setTimeout(() => document.getElementById("late").textContent = "`+t+`", 500)</script>`)),
		}}
		if w.within != "" {
			f.pages = append(f.pages, so("part of another word", showing("<p>"+w.within+"</p>")))
		}
		out = append(out, f)
	}
	return out
}
