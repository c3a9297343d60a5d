package growth

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

// perRow sets how many elements a row of a page has.
const perRow = 5

// pages serves a list of rows with a heading, words, a link and a button each:
// /N has about N elements.
func pages() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n, err := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/"))
		if err != nil {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte(page(n))) // who has gone needs no page
	})
}

func page(elements int) string {
	var b strings.Builder
	b.WriteString("<!doctype html><html lang=en><title>Orders</title><link rel=icon href=data:,><style>.name { font-weight: bold } li > * { margin: 0 4px }</style>" +
		"<h1>Orders</h1><output id=last></output><ul onclick=\"last.textContent = event.target.textContent\">")
	for row := range elements / perRow {
		fmt.Fprintf(&b, "<li><h2>Order %[1]d</h2><span class=name>Customer %[1]d</span><a href=#o%[1]d>Details %[1]d</a><button>Ship %[1]d</button></li>\n", row+1)
	}
	b.WriteString("</ul>")
	return b.String()
}
