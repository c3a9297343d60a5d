package report

import (
	"fmt"
	"strconv"
	"strings"
)

// markup holds HTML. A constant of ours converts as it stands. A variable does
// not compile: it goes through text, num, href or fragment, which escape for
// the place that it stands in. The conversions markup(…) are the exceptions;
// each says why it is safe.
//
// There is no template here because text/template calls methods by names that
// are known only at run time, so that the linker must keep every method of
// every type: 3 MB in ours.
type markup string

// address holds an address that safeURL accepted. Only href's output of it is
// markup.
type address string

// writer collects a page.
type writer struct{ strings.Builder }

func (w *writer) put(parts ...markup) {
	for _, p := range parts {
		w.WriteString(string(p))
	}
}

func join(parts ...markup) markup {
	var w writer
	w.put(parts...)
	return markup(w.String()) // of markup
}

// when returns the joined parts if the condition holds, and nothing otherwise.
// The parts are computed in any case.
func when(holds bool, parts ...markup) markup {
	if !holds {
		return ""
	}
	return join(parts...)
}

func either(holds bool, yes, no markup) markup {
	if holds {
		return yes
	}
	return no
}

// has reports whether there is a value.
func has[T comparable](v T) bool {
	var none T
	return v != none
}

var textEscaper = strings.NewReplacer("\x00", "\uFFFD", `"`, "&#34;", "&", "&amp;", "'", "&#39;", "+", "&#43;", "<", "&lt;", ">", "&gt;")

// text escapes for text, and for an attribute in double quotes whose value is no
// address and no script. What else a template engine would refuse there, such as
// onclick, stands nowhere in our pages.
func text[S ~string](s S) markup { return markup(textEscaper.Replace(string(s))) }

func num(n int) markup { return markup(strconv.Itoa(n)) }

// href escapes an address for an attribute in double quotes. What may not stand
// in an address is percent-encoded; what is encoded stays so.
func href(a address) markup { return text(percentEncoded(string(a), "!#$&*+,/:;=?@[]", true)) }

// fragment escapes what follows the # of an address.
func fragment[S ~string](s S) markup { return text(percentEncoded(string(s), "", false)) }

// percentEncoded encodes all but letters, digits, -._~ and the characters of
// also, and with keep what is encoded already.
func percentEncoded(s, also string, keep bool) string {
	var b strings.Builder
	for i := range len(s) {
		switch c := s[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', strings.IndexByte("-._~", c) >= 0, strings.IndexByte(also, c) >= 0,
			keep && c == '%' && i+2 < len(s) && isHex(s[i+1]) && isHex(s[i+2]):
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "%%%02x", c)
		}
	}
	return b.String()
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

// section opens a part of the page with its heading.
func (w *writer) section(id markup, heading ...markup) {
	w.put("\n<section id=\"", id, `" aria-labelledby="h-`, id, "\">\n<h2 id=\"h-", id, `">`, join(heading...), "</h2>\n")
}

// counted stands beside a heading.
func counted(parts ...markup) markup {
	return join(` <span class="count">`, join(parts...), `</span>`)
}

// folded writes a part behind a line that unfolds it, or the part alone.
func (w *writer) folded(folds bool, line markup, part func()) {
	w.put(when(folds, `<details class="fold"><summary>`, line, "</summary>\n"))
	part()
	w.put(when(folds, `</details>`))
}

// table writes rows under their heads, if there are any. A head of numbers begins
// with #.
func table[T any](w *writer, class markup, heads []string, rows []T, row func(*writer, T)) {
	if len(rows) == 0 {
		return
	}
	w.put(`<table`, when(class != "", ` class="`, class, `"`), ">\n<thead><tr>")
	for _, head := range heads {
		name, numbers := strings.CutPrefix(head, "#")
		w.put(`<th scope="col"`, when(numbers, ` class="num"`), `>`, text(name), `</th>`)
	}
	w.put("</tr></thead>\n<tbody>\n")
	for _, r := range rows {
		row(w, r)
	}
	w.put("</tbody>\n</table>")
}

// beginning writes what each of our pages begins with.
func (w *writer) beginning(verdict mark, title string, styles markup, running bool) {
	w.put(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src 'self' data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">`, when(running, `
<meta http-equiv="refresh" content="3">`), `
<title>`, text(verdict.Word), `: `, text(title), `</title>
<style>`, styles, `</style>
</head>
<body class="`, text(verdict.Class), `">
<a class="skip" href="#main">Skip to the verdict</a>
`)
}

// html writes a mark.
func (m mark) html() markup {
	return join(`<span class="mark `, text(m.Class), `"><span class="sign" aria-hidden="true">`, text(m.Sign), `</span>`, text(m.Word), `</span>`)
}

// whole writes a text that may be long: its head, and all of it to unfold.
func whole[S ~string](s S) markup {
	v := newValue(s)
	if v.All == "" {
		return join(`<span class="text">`, text(v.Head), `</span>`)
	}
	return join(`<span class="text">`, text(v.Head), `…</span><details><summary>all `, text(v.Runes), ` characters</summary><pre>`, text(v.All), `</pre></details>`)
}

// folded shows a value as whole does, with a dash where there is nothing.
func folded[S ~string](s S) markup {
	if v := newValue(s); v.Head == "" && v.All == "" {
		return `<span class="none">–</span>`
	}
	return whole(s)
}
