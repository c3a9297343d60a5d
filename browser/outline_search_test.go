package browser

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/mxschmitt/playwright-go"

	"github.com/assay-qa/assay/browser/rest"
)

// compared is what the engine answers of its two ways from a line to its elements.
type compared struct {
	Differ          []string
	Searched, Asked int
}

func compareWays(tb testing.TB, frame playwright.Frame) (c compared) {
	tb.Helper()
	if err := askEngine(frame.Locator(engineAsk{Op: "compare"}.query()), rest.LookLimit*10, &c); err != nil {
		tb.Fatal(err)
	}
	return c
}

// A line is found without an index of the page where that finds the same elements
// in the same order as the index does.
func TestSearchFindsWhatTheIndexFinds(t *testing.T) {
	t.Parallel()
	p := newOutlinePage(t)
	searched, asked := 0, 0
	for seed := range uint64(repeats(generatedPages/25, generatedPages/4)) {
		m := &pageMaker{Rand: rand.New(rand.NewPCG(seed, 21)), room: 60, want: map[string]string{}}
		page := m.page()
		setContent(t, p, page)
		for _, frame := range p.Frames() {
			c := compareWays(t, frame)
			searched, asked = searched+c.Searched, asked+c.Asked
			if len(c.Differ) > 0 {
				t.Fatalf("seed %d: %s\npage:\n%s", seed, strings.Join(c.Differ[:min(5, len(c.Differ))], "\n"), page)
			}
		}
	}
	if searched < asked/3 {
		t.Errorf("only %d of %d lines are found by the search", searched, asked)
	}
	t.Logf("%d of %d lines by the search", searched, asked)
}

// What the generator doesn't make.
func TestSearchOfOddPages(t *testing.T) {
	t.Parallel()
	p := newOutlinePage(t)
	for name, body := range map[string]string{
		"contents without a box":  `<div style="display:contents" role="button" aria-label="Go"></div><div style="display:contents" role="button" aria-label="Go"> <i style="display:contents">x</i></div><button>Go</button>`,
		"hidden around, shown in": `<div style="visibility:hidden"><button>Go</button><button style="visibility:visible">Go</button></div>`,
		"a label's button":        `<label for=b>Go</label><button id=b>Stop</button><button>Go</button>`,
		"words by CSS":            `<style>.b::before{content:"Go "}.a::after{content:" now"}</style><button class="b a">on</button><button>Go on now</button><button>on</button>`,
		"words by title":          `<button title="Go"></button><button title="Go"><img alt=""></button><button title=Go>Stop</button>`,
		"an icon and words":       `<button><svg width=9 height=9><title>Icon</title></svg>Go</button><button>` + "\uf015" + ` Go</button><button>` + "\uf015" + `</button>`,
		"owned words":             `<button aria-owns=more>Go</button><span id=more>on</span>`,
		"two text nodes":          `<button id=t>Go</button><script>t.append(" on"); t.append(" now")</script>`,
		"long names":              `<button>` + strings.Repeat("word ", 40) + `</button><button>` + strings.Repeat("word ", 41) + `</button><button>` + strings.Repeat("word ", 15) + `…</button>`,
		"presentation":            `<ul role=presentation><li>x</li></ul><button role=none>Go</button><h2 role=presentation>Go</h2><h2 role=none aria-label=x>Go</h2>`,
		"editable":                `<div contenteditable aria-label=Go>x</div><button contenteditable>Go</button><div contenteditable=false aria-label=Go>x</div>`,
		"closed details":          `<details><summary>More</summary><button>Go</button></details><details open><summary>More</summary><button>Go</button></details>`,
		"an opaque parent":        `<video><button>Go</button></video><canvas><button>Go</button></canvas><object data="data:,"><button>Go</button></object>`,
		"options":                 `<select><option>Go</option></select><select size=2><optgroup label=g><option>Go</option></optgroup></select><select style="visibility:hidden" size=2><option>Go</option></select>`,
		"pictures in SVG":         `<svg width=50 height=50><g role=button aria-label=Go><rect width=9 height=9 /></g><a href=#><text y=20>Go</text></a><defs><g role=button aria-label=Go /></defs></svg>`,
		"a role of two words":     `<div role="bogus Button" aria-label=Go>x</div><div role="BUTTON">Go</div>`,
		"a shadow in a shadow":    `<div><template data-shadow><p><slot></slot></p><div><template data-shadow><button>Go</button><slot></slot></template><button>Go</button></div></template><button>Stop</button></div><script>` + growShadows + `</script>`,
		"a closed shadow":         `<div id=h><button>Go</button></div><script>h.attachShadow({mode:'closed'}).innerHTML='<slot></slot><button>Stop</button>'</script>`,
		"parts of a component":    `<x-tab role=tab>Go</x-tab><label><x-tab role=checkbox>Go</x-tab> on</label><div role=tab><i class=p>Go</i><i class=p>on</i></div><style>.p{cursor:pointer}</style><script>for (const h of document.querySelectorAll('x-tab')) h.attachShadow({mode:'open'}).innerHTML='<p style="cursor:pointer"><slot></slot></p>'</script>`,
		"clobbered":               `<form><input name=parentNode aria-label=Go><input name=firstChild><button name=shadowRoot>Go</button></form>`,
		"nothing but frames":      `<iframe title=Go srcdoc="x"></iframe><iframe role=button aria-label=Go srcdoc="y"></iframe>`,
	} {
		setContent(t, p, `<!doctype html><body>`+body)
		if c := compareWays(t, p.MainFrame()); len(c.Differ) > 0 {
			t.Errorf("%s: %s", name, strings.Join(c.Differ, "\n"))
		}
	}
}

// The index ends after so many nodes; what lies beyond has no line, whichever way.
func TestSearchEndsWhereTheIndexEnds(t *testing.T) {
	t.Parallel()
	p := newOutlinePage(t)
	setContent(t, p, `<!doctype html><body><button>First</button><script>
		for (let i = 0; i < 31000; i++) document.body.append(document.createElement('i'), 'x');
		document.body.insertAdjacentHTML('beforeend', '<button>Last</button>');</script>`)
	for name, want := range map[string]int{"First": 1, "Last": 0} {
		parsed, err := parseSelector(`button "` + name + `"`)
		if err != nil {
			t.Fatal(err)
		}
		if n, err := parsed.count(p); err != nil || n != want {
			t.Errorf("%s: %d elements, want %d (%v)", name, n, want, err)
		}
	}
}
