package truth

import (
	"fmt"
	"strings"
)

// longer returns an element whose name goes on.
func longer(element string) string {
	return strings.Replace(strings.Replace(element, ">Tide table", ">Tide table of last year", 1), `="Tide table"`, `="Tide table of last year"`, 1)
}

// countFacts say how many there are of something.
func countFacts() []fact {
	list := func(n int) string { return "<ul>" + strings.Repeat("<li>Boat</li>", n) + "</ul>" }
	table := func(n int) string {
		return `<table aria-label="Arrivals"><thead><tr><th>Ship</th></tr></thead><tbody>` + strings.Repeat("<tr><td>Boat</td></tr>", n) + "</tbody></table>"
	}
	named := strings.Replace
	var out []fact
	for _, s := range []string{`The list has 3 items`, `There are 3 items in the list`, `the list contains three items`, `Die Liste hat 3 Einträge`, `La lista contiene 3 elementi`, `列表有3项`} {
		out = append(out, fact{class: "count", said: []string{s}, words: []string{"3"}, checks: []check{{Type: "count_equals", Selector: "listitem", Expected: "3"}}, pages: []variant{
			so("so", showing(list(3))), notSo("two", showing(list(2))), notSo("four", showing(list(4))), notSo("13", showing(list(13))), notSo("one is hidden", showing(named(list(3), "<li>", "<li hidden>", 1))),
			notSo("the number as a text", showing("<p>3 items</p>"+list(2))), notSo("none", showing("<p>The list has 3 items</p>")),
		}})
	}
	for _, s := range []string{`The table "Arrivals" has 4 rows`, `I should see 4 rows in the "Arrivals" table`, `Die Tabelle "Arrivals" enthält 4 Zeilen`} {
		out = append(out, fact{class: "rows", said: []string{s}, words: []string{"4", "Arrivals"}, checks: []check{{Type: "count_equals", Selector: `table "Arrivals" >> cell`, Expected: "4"}}, pages: []variant{
			so("so", showing(table(4))), notSo("five", showing(table(5))), notSo("three", showing(table(3))), notSo("14", showing(table(14))), notSo("the number as a text", showing(table(2)+"<p>4 rows</p>")), notSo("another table", showing(named(table(4), "Arrivals", "Departures", 1)+table(1))),
		}})
	}
	for _, s := range []string{`"Sold" appears twice`, `The text "Sold" is shown 2 times`} {
		out = append(out, fact{class: "times", said: []string{s}, words: []string{"Sold"}, checks: []check{{Type: "count_equals", Selector: `text="Sold"`, Expected: "2"}}, pages: []variant{
			so("so", showing("<p>Sold</p><p>Sold</p>")), notSo("once", showing("<p>Sold</p>")), notSo("three times", showing("<p>Sold</p><p>Sold</p><p>Sold</p>")), notSo("once, and once in another word", showing("<p>Sold</p><p>Unsold</p>")),
		}})
	}
	for _, s := range []string{`"Anchor" comes before "Rudder"`, `"Anchor" should appear before "Rudder"`, `the text "Rudder" should appear after the text "Anchor"`, `"Anchor" steht vor "Rudder"`} {
		out = append(out, fact{class: "order", said: []string{s}, words: []string{"Anchor", "Rudder"}, checks: []check{{Type: "comes_before", Selector: "text=Anchor", Other: "text=Rudder"}}, pages: []variant{
			so("so", showing("<p>Anchor</p><p>Rudder</p>")), notSo("the other way round", showing("<p>Rudder</p><p>Anchor</p>")),
			so("so by its place", showing(`<div style="display:flex;flex-direction:column-reverse"><p>Rudder</p><p>Anchor</p></div>`)), notSo("the other way round by its place", showing(`<div style="display:flex;flex-direction:column"><p style="order:1">Anchor</p><p>Rudder</p></div>`)),
			notSo("the first alone", showing("<p>Anchor</p>")), notSo("the second alone", showing("<p>Rudder</p>")),
		}})
	}
	return out
}

// pageFacts lists facts about title, address, answer and console.
func pageFacts() []fact {
	var out []fact
	titled := func(t string) page { return page{title: t, body: "<p>Nothing to report</p>"} }
	for _, s := range []string{`The page title is "Tides of June"`, `the title of the page should be "Tides of June"`, `Der Titel der Seite lautet "Tides of June"`, `页面标题为“Tides of June”`} {
		out = append(out, fact{class: "title", said: []string{s}, words: []string{"Tides of June"}, checks: []check{{Type: "title_equals", Expected: "Tides of June"}}, pages: []variant{
			so("so", titled("Tides of June")), notSo("another title, the heading has it", page{body: "<h2>Tides of June</h2>"}), notSo("a longer one", titled("Tides of June – Harbour office")), notSo("the text alone", showing("<p>Tides of June</p>")),
		}})
	}
	nowhere := showing("<p>Nothing to report</p>")
	for _, s := range []string{`The address is /quay/north`, `Then I should be on "/quay/north"`, `the URL should be "/quay/north"`, `Die Adresse ist /quay/north`} {
		here, query := so("/quay/north", nowhere), notSo("/quay", nowhere)
		query.query = "?to=/quay/north"
		out = append(out, fact{class: "address", said: []string{s}, words: []string{"/quay/north"}, checks: []check{{Type: "url_matches", Expected: "/quay/north"}}, pages: []variant{
			here, notSo("/quay/northwest", nowhere), notSo("/old/quay/north", nowhere), notSo("/quay/south", showing("<p>/quay/north</p>")), query,
		}})
	}
	answer := func(status int, body string) page { return page{status: status, body: body} }
	for _, a := range []struct {
		status, wrong int
		said          []string
	}{{404, 200, []string{`The response status is 404`, `The page answers with 404`, `Then I should get a "404" HTTP answer`}}, {200, 403, []string{`the response status code should be 200`, `The page answers with status 200`}}} {
		number := fmt.Sprint(a.status)
		for _, s := range a.said {
			out = append(out, fact{class: "status", said: []string{s}, words: []string{number}, checks: []check{{Type: "response_status", URL: "/status/*/*", Expected: number}}, pages: []variant{
				so("so", answer(a.status, "<p>Nothing to report</p>")), notSo("another one", answer(a.wrong, "<p>Nothing to report</p>")), notSo("another one, the number as a text", answer(a.wrong, "<p>Status "+number+"</p>")),
			}})
		}
	}
	for _, s := range []string{`The console is clean`, `There are no console errors`, `page has no console errors`, `Die Konsole ist fehlerfrei`} {
		out = append(out, fact{class: "console", said: []string{s}, checks: []check{{Type: "console_clean"}}, pages: []variant{
			so("so", nowhere), so("a warning", showing(`<script>console.warn("shallow")</script>`)), notSo("an error", showing(`<script>console.error("aground")</script>`)), notSo("an exception", showing(`<script>setTimeout(() => { throw new Error("aground") }, 100)</script>`)),
			notSo("an error that comes late", showing(`<script>setTimeout(() => console.error("aground"), 600)</script>`)),
		}})
	}
	return out
}

// figureFacts say what number a label has.
func figureFacts() []fact {
	card := func(label, value string) string {
		return fmt.Sprintf(`<section><h2>%s</h2><p>%s</p></section>`, label, value)
	}
	var out []fact
	for _, s := range []string{`Revenue is 48,210`, `The revenue is 48,210`, `Revenue = 48,210`, `"Revenue" shows 48,210`, `Der Wert von "Revenue" beträgt 48,210`} {
		out = append(out, fact{class: "figure", said: []string{s}, words: []string{"Revenue", "48,210"}, checks: []check{{Type: "kpi", Selector: "Revenue", Expected: "48,210"}}, pages: []variant{
			so("so", showing(card("Revenue", "48,210")+card("Orders", "317"))), notSo("another number", showing(card("Revenue", "47,210")+card("Orders", "317"))), notSo("a longer number", showing(card("Revenue", "148,210")+card("Orders", "317"))),
			notSo("of another label", showing(card("Revenue", "9,001")+card("Orders", "48,210"))), notSo("negative", showing(card("Revenue", "-48,210")+card("Orders", "317"))), notSo("with decimals", showing(card("Revenue", "48,210.75")+card("Orders", "317"))),
		}})
	}
	return out
}

// vagueFacts lists sentences that no check of ours can prove, whatever they
// quote.
func vagueFacts() []fact {
	box := func(style string) page { return showing(`<button style="` + style + `">Sound alarm</button>`) }
	var out []fact
	for _, v := range []struct {
		said  []string
		pages []variant
		words []string
	}{
		{[]string{`The button "Sound alarm" is red`, `"Sound alarm" is shown in red`, `Der Button "Sound alarm" ist rot`}, []variant{so("red", box("background:red")), notSo("grey", box("background:#888"))}, []string{"Sound alarm"}},
		{[]string{`The button "Sound alarm" is at the top`}, []variant{so("at the top", box("position:absolute;top:0;left:0")), notSo("at the bottom", box("position:absolute;bottom:0"))}, []string{"Sound alarm"}},
		{[]string{`"Sound alarm" or "All clear" is not shown`}, []variant{notSo("both are", showing("<p>Sound alarm</p><p>All clear</p>"))}, []string{"Sound alarm", "All clear"}},
		{[]string{`Unless it is late, "Sound alarm" is shown`, `If there is fog, the page shows "Sound alarm"`}, []variant{notSo("it is not", showing("<p>All is quiet</p>"))}, []string{"Sound alarm"}},
		{[]string{`"Sound alarm" works`, `"Sound alarm" does what it should`}, []variant{notSo("it does nothing", box(""))}, []string{"Sound alarm"}},
		{[]string{`An e-mail "Sound alarm" is sent`, `"Sound alarm" is stored`}, []variant{notSo("nothing is", box(""))}, []string{"Sound alarm"}},
		{[]string{`The page looks right`, `The data are saved`}, []variant{notSo("an empty table", showing("<table><tr><th>Ship</th></tr></table>"))}, nil},
	} {
		out = append(out, fact{class: "vague", said: v.said, words: v.words, pages: v.pages})
	}
	return out
}
