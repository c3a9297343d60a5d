package browser

import (
	"fmt"
	"html"
	"math/rand/v2"
	"strings"
)

// pageMaker writes random pages. Every element has a data-uid, and what the
// maker is sure of (a visible control and its name) it keeps in want.
type pageMaker struct {
	*rand.Rand
	uid    int
	ids    int
	room   int               // elements that may still be written
	hidden int               // how many hidden elements are open
	want   map[string]string // uid → role and raw name, of the main frame
	frame  int               // how many frames are open
}

// oddNames are what names must survive: our own grammar's characters, the
// characters of Playwright's, glyphs, scripts, and things nobody sees.
var oddNames = []string{
	"Save", "Save", "Delete", "Delete", "Edit", "Sign in", "OK", "1", "$1,234.50", "50%", `say "hi"`, `"quoted"`, `back\slash`, `\`, `\"`, `end\`,
	"two\nlines", "tab\there", "  padded  ", "no\u00a0break", "zero\u200bwidth", "soft\u00adhyphen", "naïve café", "日本語の名前", "👍🏽 family 👨‍👩‍👧",
	"שלום עולם", "مرحبا", "\u202eright to left\u202c", "\uf015 Home", "Home \uf015", "\uf142", "a >> b", "frame \"x\" > button \"y\"", "it's", "`tick`", "[2]",
	"x [2]", ": value", "a: b", "…", "{\"op\":\"items\"}", "<b>bold</b>", "&amp;", "a | b", "css=div", "text=x", "- item", "// path", "#id", "a/b",
	"Q", "q", "ｆｕｌｌ ｗｉｄｔｈ", "e\u0301 combined", "\ufb01 ligature", "x\u2028y", "A very long name that goes on and on until it is longer than anybody would want to read in one line of text",
	"A very long name that goes on and on until it is longer than anybody would want to read in one line of words",
}

func (m *pageMaker) name() string {
	if m.IntN(4) == 0 {
		return fmt.Sprintf("%s %d", oddNames[m.IntN(len(oddNames))], m.IntN(50))
	}
	return oddNames[m.IntN(len(oddNames))]
}

func (m *pageMaker) nextUID() string {
	m.uid++
	return fmt.Sprint(m.uid)
}

func (m *pageMaker) id() string {
	m.ids++
	return fmt.Sprintf("id%d", m.ids)
}

// tag writes an element with a uid of its own.
func (m *pageMaker) tag(name, attributes, content string) string {
	return fmt.Sprintf("<%s data-uid=%q %s>%s</%s>", name, m.nextUID(), attributes, content, name)
}

func (m *pageMaker) sure(uid, role, name string) {
	if m.frame == 0 && m.hidden == 0 {
		m.want[uid] = role + "\x00" + name
	}
}

func attribute(name, value string) string { return name + `="` + html.EscapeString(value) + `"` }

// page writes a whole document.
func (m *pageMaker) page() string {
	return `<!doctype html><meta charset="utf-8"><style>button,a,input,select{display:block}.v{visibility:hidden}.n{display:none}
.i{display:inline}.p{cursor:pointer}.b::before{content:"» "}.a::after{content:"\f105"}</style><body data-uid="body">` +
		m.blocks(4) + `<script>` + growShadows + `</script>`
}

// growShadows makes shadow roots of the marked templates, those within others
// included.
const growShadows = `(function grow(root) { for (const t of root.querySelectorAll('template[data-shadow]')) {
	const shadow = t.parentNode.attachShadow({ mode: 'open' });
	shadow.append(t.content);
	t.remove();
	grow(shadow);
} })(document)`

func (m *pageMaker) blocks(depth int) string {
	var b strings.Builder
	for range 1 + m.IntN(5) {
		if m.room--; m.room < 0 {
			break
		}
		b.WriteString(m.block(depth))
		if m.IntN(3) == 0 {
			b.WriteString("\n")
		}
	}
	return b.String()
}

func (m *pageMaker) block(depth int) string {
	if depth == 0 {
		return m.leaf()
	}
	switch m.IntN(16) {
	case 0:
		return m.landmark(depth)
	case 1:
		return m.table(depth)
	case 2:
		return m.list(depth)
	case 3:
		return m.shadow(depth)
	case 4:
		return m.concealed(depth)
	case 5:
		return m.iframe()
	case 6:
		return m.choice(depth)
	case 7:
		return m.tag("div", []string{"", `class="i"`, `style="display:contents"`, `style="display:flex"`, `role="group" ` + attribute("aria-label", m.name())}[m.IntN(5)], m.blocks(depth-1))
	case 8:
		return m.paragraph()
	default:
		return m.leaf()
	}
}

func (m *pageMaker) landmark(depth int) string {
	name := ""
	if m.IntN(2) == 0 {
		name = attribute("aria-label", m.name())
	}
	tags := []string{"section", "nav", "main", "article", "aside", "header", "footer", "form", "search", "figure", "fieldset", `dialog open style="position:static"`}
	tag := tags[m.IntN(len(tags))]
	tag, extra, _ := strings.Cut(tag, " ")
	heading := m.nextUID()
	text := m.name()
	m.sure(heading, "heading", text)
	return m.tag(tag, extra+" "+name, fmt.Sprintf("<h%d data-uid=%q>%s</h%[1]d>", 1+m.IntN(6), heading, html.EscapeString(text))+m.blocks(depth-1))
}

func (m *pageMaker) table(_ int) string {
	var rows strings.Builder
	columns := 1 + m.IntN(4)
	for row := range 1 + m.IntN(4) {
		var cells strings.Builder
		for range columns {
			tag, content := "td", html.EscapeString(m.name())
			if row == 0 {
				tag = "th"
			}
			switch m.IntN(6) {
			case 0:
				content = m.leaf()
			case 1:
				content += m.leaf()
			case 2:
				content = ""
			case 3:
				content = m.tag("p", "", content)
			}
			cells.WriteString(m.tag(tag, "", content))
		}
		rows.WriteString(m.tag("tr", "", cells.String()))
	}
	caption := ""
	if m.IntN(2) == 0 {
		caption = m.tag("caption", "", html.EscapeString(m.name()))
	}
	return m.tag("table", "", caption+rows.String())
}

func (m *pageMaker) list(depth int) string {
	var items strings.Builder
	for range 1 + m.IntN(4) {
		content := html.EscapeString(m.name())
		if m.IntN(2) == 0 {
			content += m.block(depth - 1)
		}
		items.WriteString(m.tag("li", "", content))
	}
	return m.tag([]string{"ul", "ol"}[m.IntN(2)], "", items.String())
}

// shadow writes a host whose slots may show its children in another order.
func (m *pageMaker) shadow(depth int) string {
	slotted := func(slot string) string {
		uid, name := m.nextUID(), m.name()
		m.sure(uid, "button", name)
		return fmt.Sprintf("<button slot=%q data-uid=%q>%s</button>", slot, uid, html.EscapeString(name))
	}
	slots := []string{`<slot name="one"></slot>`, `<slot name="two"></slot>`, `<slot></slot>`}
	m.Shuffle(len(slots), func(i, j int) { slots[i], slots[j] = slots[j], slots[i] })
	inside := slots[0] + m.blocks(depth-1) + slots[1] + m.tag("div", "", m.leaf()+slots[2])
	light := slotted("two") + slotted("one") + m.leaf() + `<b data-uid="unslotted" slot="none">never drawn</b>`
	return m.tag("div", "", `<template data-shadow>`+inside+`</template>`+light)
}

func (m *pageMaker) concealed(depth int) string {
	ways := []string{`class="n"`, `aria-hidden="true"`, `hidden`, `class="v"`, `style="content-visibility:hidden"`}
	m.hidden++
	defer func() { m.hidden-- }()
	if m.IntN(4) == 0 {
		return m.tag("details", "", m.tag("summary", "", "Closed")+m.blocks(depth-1))
	}
	return m.tag("div", ways[m.IntN(len(ways))], m.blocks(depth-1))
}

func (m *pageMaker) iframe() string {
	if m.frame >= 2 || m.room < 3 {
		return m.leaf()
	}
	m.frame++
	inner := m.page()
	m.frame--
	title := []string{attribute("title", m.name()), attribute("name", "f"), attribute("aria-label", m.name()), ""}[m.IntN(4)]
	return m.tag("iframe", title+" "+attribute("srcdoc", inner), "")
}

func (m *pageMaker) choice(_ int) string {
	var options strings.Builder
	for range 1 + m.IntN(11) {
		options.WriteString(m.tag("option", "", html.EscapeString(m.name())))
	}
	kind := []string{"", "multiple", `size="3"`}[m.IntN(3)]
	return m.tag("select", kind+" "+attribute("aria-label", m.name()), options.String())
}

func (m *pageMaker) paragraph() string {
	words := func() string { return html.EscapeString(m.name()) }
	inline := []string{"b", "em", "span", "code", "mark", "a href=#", "i", "sub", "strong"}
	content := words()
	for range m.IntN(3) {
		content += m.tag(inline[m.IntN(len(inline))], "", words()) + words()
	}
	return m.tag([]string{"p", "div", "blockquote", "h2", "label"}[m.IntN(5)], "", content)
}

// leaf writes one control, picture or text.
func (m *pageMaker) leaf() string {
	name := m.name()
	text := html.EscapeString(name)
	uid := m.nextUID()
	at := fmt.Sprintf("data-uid=%q", uid)
	switch m.IntN(15) {
	case 0, 1:
		m.sure(uid, "button", name)
		return fmt.Sprintf("<button %s %s>%s</button>", at, []string{"", "disabled", `aria-expanded="true"`, `aria-pressed="true"`}[m.IntN(4)], text)
	case 2:
		m.sure(uid, "link", name)
		return fmt.Sprintf("<a href=# %s>%s</a>", at, text)
	case 3:
		m.sure(uid, "textbox", name)
		return fmt.Sprintf("<input %s %s %s>", at, attribute("aria-label", name), attribute("value", m.name()))
	case 4:
		m.sure(uid, "checkbox", name)
		return fmt.Sprintf("<label data-uid=%q><input type=checkbox %s %s>%s</label>", m.nextUID(), at, []string{"", "checked"}[m.IntN(2)], text)
	case 5:
		id := m.id()
		m.sure(uid, "textbox", name)
		return fmt.Sprintf("<label for=%q data-uid=%q>%s</label><input id=%[1]q %[4]s type=password value=hunter2>", id, m.nextUID(), text, at)
	case 6:
		id := m.id()
		m.sure(uid, "button", name)
		return fmt.Sprintf("<span id=%q data-uid=%q>%s</span><button aria-labelledby=%[1]q %[4]s>x</button>", id, m.nextUID(), text, at)
	case 7:
		return fmt.Sprintf("<img %s %s src=data:,>", at, attribute("alt", name))
	case 8:
		return fmt.Sprintf("<div %s %s>%s</div>", at, []string{`onclick="1"`, `class="p"`, `tabindex="0"`}[m.IntN(3)], text)
	case 9:
		return fmt.Sprintf("<button %s></button>", at)
	case 10:
		return fmt.Sprintf("<div %s><span data-uid=%q>%s</span></div>", at, m.nextUID(), text)
	case 11:
		return fmt.Sprintf("<div %s>%s</div>", at, text+m.tag("b", "", html.EscapeString(m.name())))
	case 12:
		return fmt.Sprintf("<div role=tab %s class=%q>%s</div>", at, []string{"a", "b", ""}[m.IntN(3)], text)
	case 13:
		return fmt.Sprintf("<textarea %s %s></textarea>", at, attribute("placeholder", name))
	default:
		return fmt.Sprintf("<details open %s>%s%s</details>", at, m.tag("summary", "", text), m.tag("p", "", html.EscapeString(m.name())))
	}
}
