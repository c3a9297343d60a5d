package browser

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/visual"
	"github.com/assay-qa/assay/visual/layout"
)

// laidOut takes a still and returns its elements by selector.
func laidOut(tb testing.TB, s *Session, o StillOptions) (Still, map[string]LayoutElement) {
	tb.Helper()
	got, bySelector := still(tb, s, o), map[string]LayoutElement{}
	for i, e := range got.Elements {
		bySelector[e.Selector] = e
		if e.Parent >= i {
			tb.Errorf("element %d stands in %d, which comes later", i, e.Parent)
		}
	}
	return got, bySelector
}

// B9: the map of a picture has what it shows, where it shows it: texts, values,
// pictures and looks, through frames of any origin and shadow roots.
func TestLayout(t *testing.T) {
	t.Parallel()
	inner := newSite(t, map[string]string{"/{$}": `<body style="margin: 10px"><p style="margin: 0">Inside`})
	foreign := strings.Replace(inner.URL, "127.0.0.1", "localhost", 1)
	s, _ := show(t, `<style>body { margin: 0 } h1 { margin: 0; height: 50px; color: #f00 } i::before { content: "\f015" } .far { position: absolute; top: 3000px }</style>
		<h1>Sales</h1><button data-testid=go style="display: block; background: #00f; height: 30px; width: 80px; padding: 0; border: 0"></button>
		<label>Name <input value=Ada></label><i id=icon class="fa fa-home"></i><svg aria-label=Chart role=img width=40 height=40><path d="M0 0h9"/><text y=9>Axis</text></svg>
		<img alt=Dot src="data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=">
		<div id=scroller style="height: 40px; overflow: auto"><p style="margin: 0; height: 40px">Shown</p><p style="margin: 0; height: 40px">Scrolled</p></div>
		<x-box style="display: block"></x-box><iframe title=Frame src="`+foreign+`" style="position: absolute; left: 300px; top: 100px; border: 2px solid; width: 200px; height: 60px"></iframe>
		<div id=fixed style="position: fixed; right: 0; bottom: 0; width: 20px; height: 20px; background: #0f0"></div><p class=far>Far</p>
		<p style="display: none">Nowhere</p><script>document.querySelector('x-box').attachShadow({ mode: 'open' }).innerHTML = '<h2>Deep</h2>'</script>`)
	_, found := laidOut(t, s, StillOptions{FullPage: true})
	box := func(selector string) [4]int {
		e, ok := found[selector]
		if !ok {
			t.Errorf("%s is not in the map", selector)
		}
		return [4]int{e.X, e.Y, e.Width, e.Height}
	}
	if got := box(`heading "Sales"`); got != [4]int{0, 0, 1280, 50} {
		t.Errorf("the heading stands at %v", got)
	}
	if got := box(`button [1]`); got != [4]int{0, 50, 80, 30} {
		t.Errorf("the button stands at %v", got)
	}
	if got := box(`frame "Frame" > paragraph "Inside"`); got[0] != 312 || got[1] != 112 || got[2] != 180 {
		t.Errorf("in the frame: %v", got)
	}
	if got := box(`paragraph "Scrolled"`); got[2] != 0 || got[3] != 0 {
		t.Errorf("what is scrolled away is seen at %v", got)
	}
	box(`heading "Deep"`)
	box(`paragraph "Far"`)
	for selector, want := range map[string]string{`heading "Sales"`: "Sales", `textbox "Name"`: "Ada", `text "Axis"`: "Axis", `frame "Frame" > paragraph "Inside"`: "Inside"} {
		if got := found[selector].Text; got != want {
			t.Errorf("%s says %q, want %q", selector, got, want)
		}
	}
	if got := found[`heading "Sales"`].Styles["color"]; got != "rgb(255, 0, 0)" {
		t.Errorf("the heading's colour is %q", got)
	}
	if got := found[`#icon`].Styles["::before content"]; !strings.Contains(got, "\uf015") {
		t.Errorf("the icon shows %q", got)
	}
	for _, selector := range []string{`img "Chart"`, `img "Dot"`} {
		if got := found[selector].Image; !strings.Contains(got, " #") {
			t.Errorf("%s shows %q, without a digest", selector, got)
		}
	}
	for selector, e := range found {
		if strings.Contains(e.Text, "Nowhere") {
			t.Errorf("%s is not rendered", selector)
		}
		if _, err := outlineRoot(pageOf(s), selector); err != nil && e.Width > 0 {
			t.Errorf("%s does not find its element: %v", selector, err)
		}
	}
	_, found = laidOut(t, s, StillOptions{Selector: "css=#scroller"})
	if got := box(`paragraph "Shown"`); got[0] != 0 || got[1] != 0 {
		t.Errorf("in the picture of the scroller it stands at %v", got)
	}
	if _, ok := found[`paragraph "Far"`]; ok {
		t.Error("what is far from the picture is in its map")
	}
}

// B9, A7: what fixed elements cover in the picture of a whole page is where the
// map says.
func TestLayoutOfWhatIsFixed(t *testing.T) {
	t.Parallel()
	s, _ := show(t, `<style>body { margin: 0; height: 2000px }</style><div id=top style="position: sticky; top: 0; height: 20px; background: #f00"></div>
		<div id=fixed style="position: fixed; right: 0; bottom: 0; width: 20px; height: 20px; background: #0f0"></div>`)
	js(t, s, `scrollTo(0, 500)`)
	got, found := laidOut(t, s, StillOptions{FullPage: true})
	picture := decodePNG(t, got.Data)
	for selector, want := range map[string]any{"#top": red, "#fixed": lime} {
		e := found[selector]
		if at := at2(picture, e.X+e.Width/2, e.Y+e.Height/2); at != want {
			t.Errorf("the map has %s at %d,%d (%d×%d), where the picture is %v", selector, e.X, e.Y, e.Width, e.Height, at)
		}
	}
}

// B8: a map carries no password and no secret, in no part of it.
func TestLayoutHidesSecrets(t *testing.T) {
	t.Parallel()
	p := poolWith(t, func(o *Options) { o.Secrets = func() []string { return []string{"tops3cret", "p@ss w+rd/é"} } })
	web := newSite(t, map[string]string{"/{$}": `<!doctype html><title>T</title><input type=password value=hunter22 aria-label=Password><input value=tops3cret aria-label=Key>
		<p>The key is tops3cret.</p><button>Copy tops3cret</button><div>tops<b>3cret</b></div><div data-testid=tops3cret style="background: url(/tops3cret.png)">x</div>
		<img alt=tops3cret src="/tops3cret.png"><i class=k></i><style>.k::before { content: "tops3cret" }</style>
		<img id=i alt=x><div id=d style="width: 20px; height: 20px"></div><script>
		const key = encodeURIComponent('p@ss w+rd/é'); i.src = '/?key=' + key; d.style.backgroundImage = 'url(/?' + new URLSearchParams({ key: 'p@ss w+rd/é' }) + ')'</script>`})
	s := launch(t, p, LaunchOptions{})
	visit(t, s, web.URL+"/")
	got := still(t, s, StillOptions{})
	text, err := json.Marshal(got.Elements)
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{"hunter22", "tops3cret", `"3cret`, "p%40ss"} {
		if i := strings.Index(string(text), secret); i >= 0 {
			t.Errorf("%s is in the map: %s", secret, text[max(0, i-100):i+20])
		}
	}
	if len(got.Elements) < 10 {
		t.Errorf("%d elements: the map would keep any secret", len(got.Elements))
	}
}

// B9: a page of more elements than are read has a map all the same.
func TestLayoutIsBounded(t *testing.T) {
	t.Parallel()
	s, _ := show(t, strings.Repeat("<p style='margin:0;height:1px;overflow:hidden'>7", 6000))
	got := still(t, s, StillOptions{FullPage: true, Timeout: 25 * time.Second})
	if len(got.Elements) != maxLayout {
		t.Errorf("%d elements, want %d", len(got.Elements), maxLayout)
	}
}

// explained compares two stills and returns the causes.
func explained(tb testing.TB, before, after Still) (causes []qa.VisualRegion, all []qa.VisualRegion) {
	tb.Helper()
	var maps [2]layout.Map
	for i, s := range []Still{before, after} {
		maps[i] = layout.Map{Width: s.Width, Height: s.Height}
		for _, e := range s.Elements {
			maps[i].Elements = append(maps[i].Elements, layout.Element(e))
		}
	}
	diff, err := visual.Compare(before.Data, after.Data, visual.Options{Limit: 1e8})
	var size *visual.SizeError
	if err != nil && !errors.As(err, &size) {
		tb.Fatal(err)
	}
	var places []qa.VisualRegion
	for _, r := range diff.Regions {
		places = append(places, qa.VisualRegion{Box: qa.Box(r.Box), ChangedPixels: r.Changed, RawPixels: r.Raw, Pale: r.Pale})
	}
	all = layout.Explain(maps[0], maps[1], layout.Differences{Places: places})
	for _, r := range all {
		if r.Cause {
			causes = append(causes, r)
		}
	}
	return causes, all
}

// dashboard is what the edits below are made to.
const dashboard = `<!doctype html><title>T</title><style>* { box-sizing: border-box } body { margin: 0; font: 16px/20px sans-serif } .cards { display: flex; gap: 10px }
	.card { flex: 1; padding: 10px; border: 1px solid #ccc } table { border-collapse: collapse; width: 600px } td { padding: 4px; border-bottom: 1px solid #ccc }
	tr:last-child td { border: 0 } .list > div:nth-child(even) { background: #eee } a:hover { background: #def; color: #f00 }</style>
	<h1 id=h>Sales</h1><div class=cards><div class=card id=c1><b>Revenue</b> <span id=v>12</span></div><div class=card id=c2><b>Orders</b> <span>34</span></div></div>
	<p id=text>Some words that stand here.</p><a href="#x" id=a>More</a>
	<table><tr id=r1><td>Q1<td>100<td>open<tr id=r2><td>Q2<td>200<td>done<tr id=r3><td>Q3<td>300<td>done</table>
	<svg id=icon role=img aria-label=Icon width=24 height=24><path d="M2 2h20v20z"/></svg><div class=list><div>one</div><div id=two>two</div><div>three</div><div>four</div></div>
	<canvas id=chart width=200 height=50 style="display: block"></canvas><footer>End</footer>`

// B9: an edit of a page is told as that edit: its kind, its element, its words.
func TestLayoutExplainsEdits(t *testing.T) {
	t.Parallel()
	web := newSite(t, map[string]string{"/{$}": dashboard})
	s := launch(t, poolOf(t), LaunchOptions{})
	visit(t, s, web.URL+"/")
	before := still(t, s, StillOptions{FullPage: true})
	if causes, all := explained(t, before, still(t, s, StillOptions{FullPage: true})); len(all) > 0 {
		t.Errorf("an unchanged page: %+v", causes)
	}
	for name, c := range map[string]struct {
		edit string // of $, which finds by id
		kind qa.VisualChange
		text string
	}{
		"text":           {`$('v').textContent = '13'`, qa.ChangeText, `the text of span "12" changed from "12" to "13"`},
		"heading":        {`$('h').textContent = 'Revenue'`, qa.ChangeText, `the text of heading "Sales" changed from "Sales" to "Revenue"`},
		"loud colour":    {`$('c1').style.background = '#f00'`, qa.ChangeStyle, `background-color of text "Revenue 12" changed from transparent to rgb(255, 0, 0)`},
		"pale colour":    {`$('r2').style.background = '#fef9c3'`, qa.ChangeStyle, `background-color of row "Q2 | 200 | done" changed from transparent to rgb(254, 249, 195)`},
		"cells of a row": {`for (const td of $('r2').cells) td.style.background = '#fef9c3'`, qa.ChangeStyle, `background-color of the 3 parts of row "Q2 | 200 | done" changed`},
		"inherited":      {`$('c2').style.color = '#00f'`, qa.ChangeStyle, `color of text "Orders 34" changed from rgb(0, 0, 0) to rgb(0, 0, 255)`},
		"spacing":        {`$('text').style.marginTop = '40px'`, qa.ChangeStyle, `margin-top of paragraph "Some words that stand here." grew from 16px to 40px; it pushed `},
		"padding":        {`$('c1').style.padding = '20px'`, qa.ChangeStyle, `padding of text "Revenue 12" grew from 10px to 20px`},
		"font":           {`$('h').style.fontSize = '40px'`, qa.ChangeStyle, `font-size of heading "Sales" grew from 32px to 40px`},
		"icon":           {`$('icon').innerHTML = '<circle cx=12 cy=12 r=9 />'`, qa.ChangeImage, `the image of img "Icon" changed`},
		"canvas":         {`$('chart').getContext('2d').fillRect(20, 10, 60, 20)`, qa.ChangeImage, `the image of canvas changed`},
		"order":          {`$('r3').after($('r2'))`, qa.ChangeMoved, `row "Q`},
		"order of cards": {`$('c1').before($('c2'))`, qa.ChangeMoved, `moved: it stood `},
		"removed row":    {`$('r3').remove()`, qa.ChangeRemoved, `row "Q3 | 300 | done" was removed`},
		"removed stripe": {`$('two').remove()`, qa.ChangeRemoved, `text "two" was removed; it pushed 4 elements up by 20 px`},
		"added":          {`$('a').insertAdjacentHTML('afterend', '<button>Save</button>')`, qa.ChangeAdded, `button "Save" was added`},
		"added above":    {`$('h').insertAdjacentHTML('beforebegin', '<div role=alert>Down</div>')`, qa.ChangeAdded, `alert`},
		"hover":          {`$('a').style.cssText = 'background: #def; color: #f00'`, qa.ChangeStyle, `background-color of link "More" changed from transparent to rgb(221, 238, 255), color changed`},
		"moved":          {`$('icon').style.cssText = 'position: relative; left: 30px'`, qa.ChangeStyle, `position of img "Icon" changed from static to relative`},
		"wider":          {`$('chart').style.width = '300px'`, qa.ChangeResized, `canvas became wider by 100 px`},
		"reflow":         {`$('text').textContent = 'Some words that stand here. '.repeat(20)`, qa.ChangeText, `; it pushed `},
	} {
		if ofEachKind := []string{"text", "loud colour", "spacing", "icon", "order", "removed stripe", "added above", "wider"}; !slices.Contains(ofEachKind, name) && !soak() {
			continue
		}
		visit(t, s, web.URL+"/")
		js(t, s, fmt.Sprintf(`{ const $ = id => document.getElementById(id); %s }`, c.edit))
		causes, all := explained(t, before, still(t, s, StillOptions{FullPage: true}))
		if len(causes) != 1 || causes[0].Kind != c.kind || !strings.Contains(causes[0].Text, c.text) {
			t.Errorf("%s: want one %s: %s; got of %d:", name, c.kind, c.text, len(all))
			for _, r := range causes {
				t.Errorf("    %s %s %v %d px: %s", r.Kind, r.Property, r.Box, r.ChangedPixels, r.Text)
			}
		}
	}
}
